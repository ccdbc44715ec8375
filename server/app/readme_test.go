package app_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/app"
)

var update = flag.Bool("update", false, "write the configuration table into the root README")

const (
	readme     = "../../README.md"
	tableBegin = "<!-- configuration: go test ./server/app -run README -update -->\n"
	tableEnd   = "<!-- end of configuration -->\n"
)

// configurationTable renders the variables of app.Config as a Markdown table.
func configurationTable() string {
	var b strings.Builder
	b.WriteString("| variable | default | required | description |\n|---|---|---|---|\n")
	for _, v := range app.Variables() {
		value, help := "", v.Help
		if v.Default != "" {
			value = "`" + v.Default + "`"
		}
		if v.Secret {
			help += " (secret)"
		}
		b.WriteString("| `" + v.Name + "` | " + value + " | " + v.Required + " | " + help + " |\n")
	}
	return b.String()
}

func TestREADME_ConfigurationTableIsThatOfTheStruct(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(readme)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(content), tableBegin)
	require.True(t, found, "the README has no line %q", tableBegin)
	table, after, found := strings.Cut(rest, tableEnd)
	require.True(t, found, "the README has no line %q", tableEnd)
	if *update {
		require.NoError(t, os.WriteFile(readme, []byte(before+tableBegin+configurationTable()+tableEnd+after), 0o600))
		return
	}
	require.Equal(t, configurationTable(), table, "run go test ./server/app -run README -update")
}

func TestConfig_EveryVariableIsDescribed(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, v := range app.Variables() {
		require.NotEmpty(t, v.Help, v.Name)
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
	content, err := os.ReadFile(readme)
	require.NoError(t, err)
	found := path.FindAllStringSubmatch(string(content), -1)
	require.Greater(t, len(found), 60, "the pattern no longer matches the README")
	for _, match := range found {
		_, err := os.Stat(filepath.Join("../..", match[1]))
		require.NoError(t, err, "the README names %s", match[1])
	}
}
