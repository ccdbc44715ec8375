package httpapi

import (
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/stretchr/testify/require"
)

// routerPaths returns the method and path of each route, in the router's order.
func routerPaths(t *testing.T, r *harness) (found [][2]string) {
	t.Helper()
	router, ok := r.Config.Handler.(chi.Routes)
	require.True(t, ok)
	err := chi.Walk(router, func(method, path string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		found = append(found, [2]string{method, path})
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, len(found), 80)
	return found
}

func TestRoutes_EachPathIsListedOnce(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, rt := range routes(Config{}) {
		require.False(t, seen[rt.path], rt.path)
		seen[rt.path] = true
		require.NotNil(t, rt.call, rt.path)
	}
}

// A route is an operation, which the document describes, or is listed in README.md.
func TestReadme_DocumentsTheRoutesOfMachines(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	operations := map[string]bool{pictureUpload.path: true}
	for _, rt := range routes(Config{}) {
		operations[rt.path] = true
	}
	documented := map[string]bool{}
	for _, m := range regexp.MustCompile("`(?:GET |POST )?(/[^` ]*)`").FindAllStringSubmatch(string(text), -1) {
		documented[m[1]] = true
	}
	for _, rt := range routerPaths(t, newHarness(t, nil)) {
		require.True(t, operations[rt[1]] || documented[rt[1]], "README.md does not document %s", rt[1])
	}
}

// The specification writes paths of two backends without their base path. /newmovie/api/oauth/token is not served: the
// shop calls it at the provider.
func TestRoutes_ServeEveryPathThatTheSpecificationStates(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../contracts/conformance/statements.tsv")
	require.NoError(t, err)
	served := map[string]bool{}
	for _, rt := range routerPaths(t, newHarness(t, nil)) {
		served[rt[1]] = true
	}
	base := strings.NewReplacer("/Movie/", "/movie/route/Movie/", "/Card/", "/api/api.php/Card/")
	stated := regexp.MustCompile(`(?m)^call-[a-z0-9-]+\t\d+\tcall\t(?:GET |POST )?(/\w+/\S+)`)
	calls := stated.FindAllStringSubmatch(string(text), -1)
	require.Greater(t, len(calls), 70)
	for _, call := range calls {
		if path := base.Replace(call[1]); path != "/newmovie/api/oauth/token" {
			require.True(t, served[path], path)
		}
	}
}

// buyerRoutes returns the calls that need a session.
func buyerRoutes(t *testing.T) []route {
	t.Helper()
	found := slices.DeleteFunc(routes(Config{}), func(rt route) bool { return !rt.traits.has(buyer) })
	require.Greater(t, len(found), 50)
	return found
}
