// Package conformance ties each statement of the specification to the code that does it and the tests that would
// fail without it: conformance.tsv, one row an id, tab-separated `id code proof`.
package conformance

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../.."

var idForm = regexp.MustCompile(`^[a-z]+(-[a-z0-9]+)+$`)

func TestEveryNamedProofExists(t *testing.T) {
	t.Parallel()
	for _, row := range table(t) {
		for _, problem := range check(row) {
			t.Errorf("%s: %s", row.id, problem)
		}
	}
}

func TestCheck_FindsAProofThatDoesNotExist(t *testing.T) {
	t.Parallel()
	here := "contracts/conformance/conformance_test.go"
	assert.Empty(t, check(row{"route-index", here, here + "::TestEveryNamedProofExists"}))
	assert.NotEmpty(t, check(row{"route-index", here, here + "::No such" + " test"}))
	assert.NotEmpty(t, check(row{"route-index", here, "contracts/nowhere_test.go::TestX"}))
	assert.NotEmpty(t, check(row{"route-index", "server/nowhere.go", here + "::TestEveryNamedProofExists"}))
	assert.NotEmpty(t, check(row{"route-index", here, ""}))
	assert.NotEmpty(t, check(row{"route-index", here, "server/money/money.go::Fen"}), "a proof stands in a test file")
}

type row struct{ id, code, proof string }

func table(t *testing.T) []row {
	t.Helper()
	f, err := os.Open("conformance.tsv")
	require.NoError(t, err)
	defer f.Close()
	var rows []row
	seen := map[string]bool{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	require.True(t, lines.Scan())
	require.Equal(t, "id\tcode\tproof", lines.Text())
	for lines.Scan() {
		parts := strings.Split(lines.Text(), "\t")
		require.Len(t, parts, 3, lines.Text())
		assert.Regexp(t, idForm, parts[0])
		assert.False(t, seen[parts[0]], "%s stands twice", parts[0])
		seen[parts[0]] = true
		rows = append(rows, row{parts[0], parts[1], parts[2]})
	}
	require.NoError(t, lines.Err())
	require.NotEmpty(t, rows)
	return rows
}

func check(r row) []string {
	var problems []string
	for _, code := range strings.Split(r.code, " ; ") {
		if info, err := os.Stat(filepath.Join(root, code)); err != nil || info.IsDir() {
			problems = append(problems, "no such code file: "+code)
		}
	}
	for _, proof := range strings.Split(r.proof, " ; ") {
		file, name, ok := strings.Cut(proof, "::")
		text, err := os.ReadFile(filepath.Join(root, file))
		switch {
		case !ok || name == "":
			problems = append(problems, "a proof is path::name, not "+proof)
		case err != nil:
			problems = append(problems, "no such test file: "+file)
		case !isTest(file):
			problems = append(problems, "not a test file: "+file)
		case !declares(file, string(text), name):
			problems = append(problems, file+" has no test "+name)
		}
	}
	return problems
}

func isTest(file string) bool {
	return strings.HasSuffix(file, "_test.go") || strings.Contains(filepath.Base(file), ".test.")
}

// declares wants a test of that name, not merely a mention: a Go test function (with a possible subtest in
// quotes), or the title of a JavaScript test.
func declares(file, text, name string) bool {
	if strings.HasSuffix(file, ".go") {
		return strings.Contains(text, "func "+name+"(") || strings.Contains(text, `"`+name+`"`)
	}
	for _, quote := range []string{"'", `"`, "`"} {
		if strings.Contains(text, "("+quote+name+quote) || strings.Contains(text, "  "+quote+name+quote) {
			return true
		}
	}
	return false
}
