package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
)

// leaves returns every command that has no sub-commands, in the order of the grammar.
func leaves(t *testing.T) []*kong.Node {
	t.Helper()
	parser, err := kong.New(new(commands), kong.Name("shop"), variables())
	require.NoError(t, err)
	return parser.Model.Leaves(true)
}

// TestActions_NameCommandsThatExist reads the actions of the differences that `shop reconcile` prints.
func TestActions_NameCommandsThatExist(t *testing.T) {
	t.Parallel()
	exists := map[string]bool{}
	for _, leaf := range leaves(t) {
		exists[leaf.Parent.Name+" "+leaf.Name] = true
	}
	actions, err := os.ReadFile("../../server/reconcile/difference.go")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?:then|\(|else) ?((?:order|difference|reconcile) [a-z]+)`).
		FindAllStringSubmatch(string(actions), -1)
	require.NotEmpty(t, found)
	for _, m := range found {
		require.True(t, exists[m[1]], "an action names `shop admin %s`", m[1])
	}
}

// adminCommand matches a command of the back office in a README: after `shop admin`, or at the start of a code span.
var adminCommand = regexp.MustCompile("(?:shop admin |`)(card|goods|content|order|showing|report) ([a-z]+)\\b")

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
