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

// What the page names ahead and what the phone keeps from the start is in the build, whatever else was taken out of it.
func TestDist_HoldsWhatItNames(t *testing.T) {
	t.Parallel()
	dist := web.Dist()
	routes, err := fs.ReadFile(dist, "routes.json")
	require.NoError(t, err, "no build of the web app")
	var named map[string][]string
	require.NoError(t, json.Unmarshal(routes, &named))
	require.Contains(t, named, "/index")
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
