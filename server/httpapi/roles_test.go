package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"
)

// endpoints are the shop's calls as the router has them, method and path; what machines use is not among them.
func endpoints(t *testing.T, r *rig) (calls [][2]string) {
	t.Helper()
	routes, ok := r.Config.Handler.(chi.Routes)
	require.True(t, ok)
	require.NoError(t, chi.Walk(routes, func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		machines := strings.HasPrefix(path, "/notify/") || path == "/healthz" || path == "/readyz"
		if !machines {
			calls = append(calls, [2]string{method, path})
		}
		return nil
	}))
	require.Greater(t, len(calls), 40)
	return calls
}

func TestCalls_ArePostedButForTheNewProvidersReads(t *testing.T) {
	t.Parallel()
	for _, call := range endpoints(t, newRig(t, nil)) {
		method, path := call[0], call[1]
		if strings.HasPrefix(path, "/newmovie/api/movie/") || strings.HasPrefix(path, "/avatars/") {
			require.Equal(t, http.MethodGet, method, path)
		} else {
			require.Equal(t, http.MethodPost, method, path)
		}
	}
}

// There are a visitor and a buyer who is logged in, and nobody above them: whatever a visitor is refused for want of a
// login is open to every buyer, and no call asks for more than that.
func TestCalls_KnowAVisitorAndABuyerAndNobodyElse(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	forVisitors, forBuyers := 0, 0
	for _, call := range endpoints(t, r) {
		if call[0] != http.MethodPost {
			continue
		}
		path := call[1]
		fields := map[string]string{}
		for k, v := range buyerCalls[path] {
			fields[k] = v
		}
		visitor := r.form(t, path, fields)
		if visitor.Error == "login_required" {
			forBuyers++
		} else {
			forVisitors++
		}
		require.NotEqual(t, http.StatusForbidden, visitor.Status, path)
		fields["token"] = goodToken
		plainBuyer := r.form(t, path, fields)
		require.NotEqual(t, "login_required", plainBuyer.Error, path)
		require.NotEqual(t, http.StatusForbidden, plainBuyer.Status, path)
	}
	require.GreaterOrEqual(t, forVisitors, 15)
	require.GreaterOrEqual(t, forBuyers, len(buyerCalls))
}
