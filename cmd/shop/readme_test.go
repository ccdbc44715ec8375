package main

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the table of commands into README.md")

const (
	tableBegin = "<!-- commands: go test ./cmd/shop -run README -update -->\n"
	tableEnd   = "<!-- end of commands -->\n"
)

// leaves returns every command that has no sub-commands, in the order of the grammar.
func leaves(t *testing.T) []*kong.Node {
	t.Helper()
	parser, err := kong.New(new(commands), kong.Name("shop"), kong.Vars{"version": version})
	require.NoError(t, err)
	return parser.Model.Leaves(true)
}

// commandTable renders the commands as a Markdown table. The required flags are named; --help lists the optional ones.
func commandTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("| command | what it does |\n|---|---|\n")
	for _, leaf := range leaves(t) {
		usage := strings.TrimPrefix(leaf.FullPath(), "shop ")
		for _, arg := range leaf.Positional {
			usage += " " + strings.ToUpper(arg.Name)
		}
		for _, f := range leaf.Flags {
			if f.Required {
				usage += " --" + f.Name + "=…"
			}
		}
		usage = strings.TrimPrefix(usage, "admin ")
		b.WriteString("| `" + usage + "` | " + leaf.Help + " |\n")
	}
	return b.String()
}

func TestREADME_CommandTableIsThatOfTheGrammar(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("README.md")
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(content), tableBegin)
	require.True(t, found, "README.md has no line %q", tableBegin)
	table, after, found := strings.Cut(rest, tableEnd)
	require.True(t, found, "README.md has no line %q", tableEnd)
	if *update {
		require.NoError(t, os.WriteFile("README.md", []byte(before+tableBegin+commandTable(t)+tableEnd+after), 0o600))
		return
	}
	require.Equal(t, commandTable(t), table, "run go test ./cmd/shop -run README -update")
}

// adminCommand matches a command of the back office in a README: after `shop admin`, or at the start of a code span.
var adminCommand = regexp.MustCompile("(?:shop admin |`)(card|goods|content|order) ([a-z]+)\\b")

func TestREADMEs_NameCommandsThatExist(t *testing.T) {
	t.Parallel()
	exists := map[string]bool{}
	for _, leaf := range leaves(t) {
		exists[leaf.Parent.Name+" "+leaf.Name] = true
	}
	found := 0
	require.NoError(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || strings.HasPrefix(d.Name(), ".") && d.Name() != "..") {
			return fs.SkipDir
		}
		if d.Name() != "README.md" {
			return nil
		}
		text, err := os.ReadFile(path)
		for _, m := range adminCommand.FindAllStringSubmatch(string(text), -1) {
			found++
			require.True(t, exists[m[1]+" "+m[2]], "%s names `shop admin %s %s`", path, m[1], m[2])
		}
		return err
	}))
	require.Greater(t, found, 20, "the pattern no longer matches the READMEs")
}
