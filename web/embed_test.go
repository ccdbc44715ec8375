package web_test

import (
	"encoding/json"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/web"
)

// The files that routes.json links in a page and that the service worker keeps must be part of the build.
func TestDist_HoldsWhatItNames(t *testing.T) {
	t.Parallel()
	dist := web.Dist()
	routes, err := fs.ReadFile(dist, "routes.json")
	require.NoError(t, err, "no build of the web app")
	var table []struct {
		Path  string
		Files []string
	}
	require.NoError(t, json.Unmarshal(routes, &table), "run \"make build\"")
	named := map[string][]string{}
	for _, route := range table {
		named[route.Path] = route.Files
	}
	require.NotEmpty(t, named["/index"])
	worker, err := fs.ReadFile(dist, "sw.js")
	require.NoError(t, err)
	named["sw.js"] = regexp.MustCompile(`/assets/[\w.-]+\.(?:js|css)`).FindAllString(string(worker), -1)
	require.NotEmpty(t, named["sw.js"])
	for by, files := range named {
		for _, file := range files {
			_, err := fs.Stat(dist, strings.TrimPrefix(file, "/"))
			require.NoError(t, err, "%s names %s", by, file)
		}
	}
}
