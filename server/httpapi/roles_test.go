package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// callPaths returns the method and path of each route except the probes and the webhooks.
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

// The specification has two roles. A call that is rejected for a visitor is open to every buyer who is logged in: none
// requires more than a session.
func TestCalls_KnowAVisitorAndABuyerAndNoOtherRole(t *testing.T) {
	t.Parallel()
	r := newHarness(t, withObjects)
	needBuyer := map[string]bool{}
	for _, rt := range buyerRoutes(t) {
		needBuyer[rt.path] = true
	}
	forVisitors := 0
	for _, call := range callPaths(t, r) {
		if call[0] != http.MethodPost || call[1] == pictureUpload.path {
			continue
		}
		path := call[1]
		visitor := r.form(t, path, nil)
		if !needBuyer[path] {
			forVisitors++
			require.NotEqual(t, "login_required", visitor.Error, path)
			continue
		}
		require.Equal(t, "login_required", visitor.Error, path)
		buyer := r.form(t, path, map[string]string{"token": goodToken})
		require.NotContains(t, []any{"login_required", "access_limited", "link_unconfirmed"}, buyer.Error, path)
	}
	require.GreaterOrEqual(t, forVisitors, 15)
}
