package app_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/app"
)

func TestConfig_EveryVariableIsDescribed(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, v := range app.Variables() {
		require.NotEmpty(t, v.Help, v.Name)
		require.NotRegexp(t, `^(the same|its)\b`, v.Help, "errors print the text of one variable only")
		require.Contains(t, []string{"", "always", "production"}, v.Required, v.Name)
		require.False(t, names[v.Name], "%s is declared twice", v.Name)
		names[v.Name] = true
	}
	require.Greater(t, len(names), 30)
}

// path matches a file or folder of the repository in a code span. Patterns with placeholders do not match.
var path = regexp.MustCompile("`((?:cmd|server|simulators|contracts|e2e|web)(?:/[A-Za-z0-9_.-]+)+)`")

func TestREADME_NamesFilesThatExist(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	found := path.FindAllStringSubmatch(string(content), -1)
	require.Greater(t, len(found), 50, "the pattern no longer matches the README")
	for _, match := range found {
		_, err := os.Stat(filepath.Join("../..", match[1]))
		require.NoError(t, err, "the README names %s", match[1])
	}
}
