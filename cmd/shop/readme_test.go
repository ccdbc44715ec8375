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

// named is a command of the back office as a README names it: with `shop admin` before it, or between ticks.
var named = regexp.MustCompile("(?:shop admin |`)(card|goods|content|order) ([a-z]+)\\b")

// Whoever follows a README at the counter must not be told that there is no such command.
func TestREADMEs_NameCommandsThatExist(t *testing.T) {
	t.Parallel()
	parser, err := kong.New(new(office))
	require.NoError(t, err)
	exists := map[string]bool{}
	for _, leaf := range parser.Model.Leaves(true) {
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
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			found++
			require.True(t, exists[m[1]+" "+m[2]], "%s names `shop admin %s %s`", path, m[1], m[2])
		}
		return err
	}))
	require.Greater(t, found, 20, "the READMEs name the commands somehow else")
}
