// Package conformance ties each statement of the specification to the code that implements it and to the tests that
// would fail without it. statements.tsv lists the statements, conformance.tsv has one row for each of them.
package conformance

import (
	"bufio"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	root      = "../.."
	separator = " ; " // between several files, proofs or cases of a row
	everyCase = "every case"
)

func TestEveryStatementHasOneRow(t *testing.T) {
	t.Parallel()
	var stated, proven []string
	for _, fields := range readTable(t, "statements.tsv", "id", "section", "kind", "text") {
		stated = append(stated, fields[0])
	}
	for _, r := range conformanceRows(t) {
		proven = append(proven, r.id)
	}
	for _, problem := range compareIDs(stated, proven) {
		t.Error(problem)
	}
}

// TestEveryDecisionIsAboutAStatement reads decisions.tsv. An id that ends in * covers all ids with that prefix.
func TestEveryDecisionIsAboutAStatement(t *testing.T) {
	t.Parallel()
	var stated []string
	for _, fields := range readTable(t, "statements.tsv", "id", "section", "kind", "text") {
		stated = append(stated, fields[0])
	}
	decisions := readTable(t, "decisions.tsv", "rows", "specification", "shop", "reason")
	require.NotEmpty(t, decisions)
	for _, fields := range decisions {
		require.NotEmpty(t, fields[2], fields[0])
		require.Equal(t, fields[1] == "", fields[3] == "", "%s: a deviation has a reason", fields[0])
		for id := range strings.SplitSeq(fields[0], separator) {
			prefix, all := strings.CutSuffix(id, "*")
			require.True(t, slices.ContainsFunc(stated, func(s string) bool {
				return s == id || all && strings.HasPrefix(s, prefix)
			}), "%s is not a statement", id)
		}
	}
}

func TestCompareIDs_FindsDroppedAndInventedRows(t *testing.T) {
	t.Parallel()
	assert.Empty(t, compareIDs([]string{"a", "b"}, []string{"b", "a"}))
	assert.Len(t, compareIDs([]string{"a", "b"}, []string{"a"}), 1, "a dropped row")
	assert.Len(t, compareIDs([]string{"a"}, []string{"a", "b"}), 1, "a row without a statement")
	assert.Len(t, compareIDs([]string{"a"}, []string{"a", "a"}), 1, "a row that occurs twice")
}

func TestEveryNamedProofExists(t *testing.T) {
	t.Parallel()
	for _, r := range conformanceRows(t) {
		for _, problem := range check(r) {
			t.Errorf("%s: %s", r.id, problem)
		}
	}
}

func TestCheck_FindsAProofThatDoesNotExist(t *testing.T) {
	t.Parallel()
	here := "contracts/conformance/conformance_test.go"
	assert.Empty(t, check(row{"route-index", here, here + "::TestEveryNamedProofExists", ""}))
	assert.NotEmpty(t, check(row{"route-index", here, here + "::No such" + " test", ""}))
	assert.NotEmpty(t, check(row{"route-index", here, "contracts/nowhere_test.go::TestX", ""}))
	assert.NotEmpty(t, check(row{"route-index", "server/nowhere.go", here + "::TestEveryNamedProofExists", ""}))
	assert.NotEmpty(t, check(row{"route-index", here, "", ""}))
	assert.NotEmpty(
		t,
		check(row{"route-index", here, "server/money/money.go::Fen", ""}),
		"a proof must be in a test file",
	)
}

func TestDeclares_OnlyTestsThatRun(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"test('a title', () => {});":                                    true,
		"  it('a title', async () => {});":                              true,
		"test.each([\n  ['x', (1)],\n])('a title', (x) => {});":         true,
		"test.each(\n  table,\n)(\n  'a title',\n  () => {},\n);":       true,
		"test.each<[string]>([['x']])('a title', () => {});":            true,
		"test.skip('a title', () => {});":                               false,
		"it.todo('a title');":                                           false,
		"test.skip.each([1])('a title', () => {});":                     false,
		"test.skipIf(slow)('a title', () => {});":                       false,
		"describe.skip('group', () => {\n  test('a title', () => {});":  false,
		"const words = 'a title';":                                      false,
		"// test('a title', () => {});":                                 false,
		"test('another', () => { say('a title', 1); });":                false,
		"test('another', () => {});\nexpect(answer)('a title', 'b');":   false,
		"test.each([1])('another', () => {});\nsay('a title', 'text');": false,
	} {
		assert.Equal(t, want, declares("a.test.ts", text, "a title"), text)
	}
	for text, want := range map[string]bool{
		"func TestA(t *testing.T) { t.Parallel() }":      true,
		"func TestA(t *testing.T) { t.Skip() }":          false,
		"func TestA(t *testing.T) { t.Skipf(`later`) }":  false,
		"func (s suite) TestA(t *testing.T) {}":          false,
		"const name = \"TestA\"":                         false,
		"// func TestA(t *testing.T) {}\nvar x = 1":      false,
		"func TestAB(t *testing.T) {}":                   false,
		"func TestA(t *testing.T) { t.Run(`x`, sub) }\n": true,
	} {
		assert.Equal(t, want, declares("a_test.go", "package a\n"+text, "TestA"), text)
	}
}

func TestHasCase_FindsTheRowOfTheTable(t *testing.T) {
	t.Parallel()
	const text = `
		const poor = 'a poor buyer';
		test.each([['N', '待付款'], [7, true], [poor, 'buys']])('status %s says %s', () => {});
		test.each(['one', ''])('only %j is taken', () => {});`
	assert.True(t, hasCase(text, "status %s says %s", "status N says 待付款"))
	assert.True(t, hasCase(text, "status %s says %s", "status 7 says true"))
	assert.True(t, hasCase(text, "status %s says %s", "status a poor buyer says buys"))
	assert.True(t, hasCase(text, "only %j is taken", `only "one" is taken`))
	assert.True(t, hasCase(text, "only %j is taken", `only "" is taken`))
	assert.False(t, hasCase(text, "status %s says %s", "status N says 已取消"), "values of two rows")
	assert.False(t, hasCase(text, "status %s says %s", "status X says 待付款"))
	assert.False(t, hasCase(text, "only %j is taken", `only "two" is taken`))
	assert.False(t, hasCase(text, "only %j is taken", "another title"))
}

// row is a row of conformance.tsv.
type row struct {
	id    string // of the statement
	code  string // files that implement it
	proof string // path::name of tests
	cases string // titles of the cases of parametrized tests; "" where no proof has parameters
}

func conformanceRows(t *testing.T) (rows []row) {
	t.Helper()
	for _, fields := range readTable(t, "conformance.tsv", "id", "code", "proof", "case") {
		rows = append(rows, row{fields[0], fields[1], fields[2], fields[3]})
	}
	return rows
}

// readTable reads a tab-separated file with the given header. A line may leave out its last fields.
func readTable(t *testing.T, file string, header ...string) (table [][]string) {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	require.True(t, lines.Scan())
	require.Equal(t, strings.Join(header, "\t"), lines.Text())
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		require.LessOrEqual(t, len(fields), len(header), lines.Text())
		table = append(table, append(fields, make([]string, len(header)-len(fields))...))
	}
	require.NoError(t, lines.Err())
	require.NotEmpty(t, table)
	return table
}

// compareIDs reports each statement that does not have exactly one row, and each row without a statement.
func compareIDs(stated, proven []string) (problems []string) {
	rows := map[string]int{}
	for _, id := range proven {
		rows[id]++
	}
	for _, id := range stated {
		if rows[id] != 1 {
			problems = append(problems, fmt.Sprintf("%s has %d rows instead of one", id, rows[id]))
		}
		delete(rows, id)
	}
	for _, id := range slices.Sorted(maps.Keys(rows)) {
		problems = append(problems, id+" is not a statement of statements.tsv")
	}
	return problems
}

// check reports files, tests and cases of parametrized tests that a row refers to but that do not exist.
func check(r row) (problems []string) {
	for _, code := range strings.Split(r.code, separator) {
		if info, err := os.Stat(filepath.Join(root, code)); err != nil || info.IsDir() {
			problems = append(problems, "code file does not exist: "+code)
		}
	}
	parametrized := map[string]string{} // title: text of its file
	for _, proof := range strings.Split(r.proof, separator) {
		file, name, ok := strings.Cut(proof, "::")
		text, err := os.ReadFile(filepath.Join(root, file))
		switch {
		case !ok || name == "":
			problems = append(problems, "a proof is path::name, not "+proof)
		case err != nil:
			problems = append(problems, "test file does not exist: "+file)
		case !isTest(file):
			problems = append(problems, "not a test file: "+file)
		case !declares(file, string(text), name):
			problems = append(problems, file+" has no test "+name+" that runs")
		case placeholder.MatchString(name):
			parametrized[name] = string(text)
		}
	}
	return append(problems, checkCases(r.cases, parametrized)...)
}

// checkCases reports cases that are in no table, and parametrized tests of which the row lists no case.
func checkCases(cases string, parametrized map[string]string) (problems []string) {
	if cases == everyCase {
		if len(parametrized) == 0 {
			problems = append(problems, "lists every case, but none of its tests has parameters")
		}
		return problems
	}
	named := map[string]bool{}
	for _, title := range strings.Split(cases, separator) {
		found := title == ""
		for template, text := range parametrized {
			if hasCase(text, template, title) {
				found, named[template] = true, true
			}
		}
		if !found {
			problems = append(problems, "no parametrized test has the case "+title)
		}
	}
	for template := range parametrized {
		if !named[template] {
			problems = append(problems, "names no case of "+template)
		}
	}
	return problems
}

func isTest(file string) bool {
	return strings.HasSuffix(file, "_test.go") || strings.Contains(filepath.Base(file), ".test.")
}

// declares reports whether the file declares a test of that name that runs: a Go test function, or a call of test or it
// with that title. A skipped test does not count, and neither does the same text elsewhere.
func declares(file, text, name string) bool {
	if strings.HasSuffix(file, ".go") {
		return declaresGo(text, name)
	}
	return declaresWeb(text, name)
}

// declaresGo reports whether the Go file declares the test function and the function does not skip.
func declaresGo(text, name string) bool {
	source, err := parser.ParseFile(token.NewFileSet(), "", text, parser.SkipObjectResolution)
	if err != nil || !strings.HasPrefix(name, "Test") {
		return false
	}
	for _, declared := range source.Decls {
		test, isFunc := declared.(*ast.FuncDecl)
		if !isFunc || test.Recv != nil || test.Name.Name != name {
			continue
		}
		skips := false
		ast.Inspect(test, func(n ast.Node) bool {
			called, isSelector := n.(*ast.SelectorExpr)
			skips = skips || isSelector && slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, called.Sel.Name)
			return !skips
		})
		return !skips
	}
	return false
}

var (
	// testCall matches the start of a vitest test at the start of a line, with modifiers such as .each.
	testCall = regexp.MustCompile(`(?m)^[ \t]*(?:test|it)((?:\.\w+)*)(?:<[^>\n]*>)?\(`)
	// skipped matches modifiers with which a test or group is not run, is expected to fail, or disables the others.
	skipped = regexp.MustCompile(`\.(?:skip|skipIf|runIf|todo|fails|only)\b`)
	group   = regexp.MustCompile(`(?m)^[ \t]*describe((?:\.\w+)*)\(`)
)

// declaresWeb reports whether the file calls test or it with the title: as the first argument, or after the table of
// each. Neither the call nor any group of the file may be skipped.
func declaresWeb(text, title string) bool {
	for _, modifiers := range group.FindAllStringSubmatch(text, -1) {
		if skipped.MatchString(modifiers[1]) {
			return false
		}
	}
	titled := regexp.MustCompile(`(\))?\(\s*(?:'` + regexp.QuoteMeta(title) + `'|"` + regexp.QuoteMeta(title) + `"|` +
		"`" + regexp.QuoteMeta(title) + "`" + `)\s*,`)
	for _, at := range titled.FindAllStringSubmatchIndex(text, -1) {
		opening := at[0]
		calls := testCall.FindAllStringSubmatchIndex(text[:at[1]], -1)
		if len(calls) == 0 {
			continue
		}
		call := calls[len(calls)-1]
		modifiers := text[call[2]:call[3]]
		first := call[1] == opening+1
		afterTable := at[2] >= 0 && strings.HasSuffix(modifiers, ".each")
		if (first || afterTable) && !skipped.MatchString(modifiers) {
			return true
		}
	}
	return false
}

// placeholder matches the places where vitest inserts values of the table into the title.
var placeholder = regexp.MustCompile(`%[sij]`)

// hasCase reports whether a table in the file has the row that turns the template into the title. Vitest fills the
// placeholders in the order of the row, so the values must be the first of a row, next to each other; a row may use a
// constant that the file declares instead of a literal.
func hasCase(text, template, title string) bool {
	pattern := placeholder.ReplaceAllString(regexp.QuoteMeta(template), "(.*)")
	values := regexp.MustCompile("^" + pattern + "$").FindStringSubmatch(title)
	if values == nil {
		return false
	}
	var cells []string
	for i, value := range values[1:] {
		if placeholder.FindAllString(template, -1)[i] == "%j" {
			value = strings.Trim(value, `"`)
		}
		cells = append(cells, cell(text, value))
	}
	start := `\[\s*`
	if len(cells) == 1 {
		start = `[\[,]\s*` // the table may be a plain list of values
	}
	return regexp.MustCompile(start + strings.Join(cells, `,\s*`) + `\s*[,\]]`).MatchString(text)
}

// cell matches the ways to write a value: a string, a number or the like, or a constant that holds the string.
func cell(text, value string) string {
	quoted := regexp.QuoteMeta(value)
	ways := []string{`'` + quoted + `'`, `"` + quoted + `"`, "`" + quoted + "`"}
	if value != "" {
		ways = append(ways, quoted)
	}
	for _, constant := range regexp.MustCompile(`const (\w+) = ['"]`+quoted+`['"]`).FindAllStringSubmatch(text, -1) {
		ways = append(ways, constant[1])
	}
	return "(?:" + strings.Join(ways, "|") + ")"
}
