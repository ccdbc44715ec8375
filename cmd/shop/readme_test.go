package main

import (
	"flag"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"

	"marquee/server/store"
)

var update = flag.Bool("update", false, "write the tables into README.md")

// leaves returns every command that has no sub-commands, in the order of the grammar.
func leaves(t *testing.T) []*kong.Node {
	t.Helper()
	parser, err := kong.New(new(commands), kong.Name("shop"), variables())
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

// failureTable renders the codes of failures of the database.
func failureTable() string {
	var b strings.Builder
	b.WriteString("| code | meaning |\n|---|---|\n")
	for _, code := range slices.Sorted(maps.Keys(store.Sentences)) {
		b.WriteString("| `" + string(code) + "` | " + store.Sentences[code] + " |\n")
	}
	return b.String()
}

func TestREADME_TablesAreThoseOfTheProgram(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile("README.md")
	require.NoError(t, err)
	text := string(content)
	for name, table := range map[string]string{"commands": commandTable(t), "failures": failureTable()} {
		begin, end := "<!-- "+name+": go test ./cmd/shop -run README -update -->\n", "<!-- end of "+name+" -->\n"
		before, rest, found := strings.Cut(text, begin)
		require.True(t, found, "README.md has no line %q", begin)
		is, after, found := strings.Cut(rest, end)
		require.True(t, found, "README.md has no line %q", end)
		if !*update {
			require.Equal(t, table, is, "run go test ./cmd/shop -run README -update")
		}
		text = before + begin + table + end + after
	}
	if *update {
		require.NoError(t, os.WriteFile("README.md", []byte(text), 0o600))
	}
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
