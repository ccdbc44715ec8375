package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// callPaths returns the method and path of each call; what machines use is not among them.
func callPaths(t *testing.T, r *harness) (calls [][2]string) {
	t.Helper()
	for _, rt := range routerPaths(t, r) {
		path := rt[1]
		if !strings.HasPrefix(path, "/notify/") && path != "/healthz" && path != "/readyz" {
			calls = append(calls, rt)
		}
	}
	return calls
}

func TestCalls_ArePostedButForTheNewProvidersReads(t *testing.T) {
	t.Parallel()
	for _, call := range callPaths(t, newHarness(t, nil)) {
		method, path := call[0], call[1]
		if strings.HasPrefix(path, "/newmovie/api/movie/") || strings.HasPrefix(path, "/avatars/") {
			require.Equal(t, http.MethodGet, method, path)
		} else {
			require.Equal(t, http.MethodPost, method, path)
		}
	}
}

// The specification has two roles. A call that is refused to a visitor is open to every buyer who is logged in; no call
// requires more than that.
func TestCalls_KnowAVisitorAndABuyerAndNoOtherRole(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	forVisitors, forBuyers := 0, 0
	for _, call := range callPaths(t, r) {
		if call[0] != http.MethodPost {
			continue
		}
		path := call[1]
		fields := formFields(t, buyerCalls[path])
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
