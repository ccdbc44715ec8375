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

// The specification has two roles. A call that is rejected for a visitor is open to every buyer who is logged in: it
// reaches its use case, and none requires more than a session.
func TestCalls_KnowAVisitorAndABuyerAndNoOtherRole(t *testing.T) {
	t.Parallel()
	r := newHarness(t, withObjects)
	forVisitors := 0
	for _, call := range callPaths(t, r) {
		if call[0] != http.MethodPost {
			continue
		}
		path := call[1]
		form, forBuyer := buyerCalls[path]
		fields := formFields(t, form)
		visitor := r.form(t, path, fields)
		if !forBuyer {
			forVisitors++
			require.NotEqual(t, "login_required", visitor.Error, path)
			continue
		}
		require.Equal(t, "login_required", visitor.Error, path)
		fields["token"] = goodToken
		// The shop of the test lacks some use cases. A call that gets there ends as an internal error.
		require.Contains(t, []any{nil, "internal"}, r.form(t, path, fields).Error, path)
	}
	require.GreaterOrEqual(t, forVisitors, 15)
}
