package store_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/store"
	"marquee/server/store/postgres/pgtest"
)

// statement matches the beginning of a statement.
var statement = regexp.MustCompile(`^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b`)

// ofSQLite matches the statements that read the schema of SQLite.
var ofSQLite = regexp.MustCompile(`pragma_|sqlite_schema`)

// compiledAgain matches a LIMIT that is only a parameter: SQLite plans the statement for the value, so that it compiles
// it again for every call, which takes ten times as long as running it.
var compiledAgain = regexp.MustCompile(`LIMIT \$\d+\s*(\)|OFFSET|$)`)

// builtStatements are the calls, by function, whose statement depends on arguments. The suites of the stores run them.
// TestStatements_ABuiltLimitIsNotABareParameter reads the rest of their texts.
var builtStatements = map[string]int{
	"CodesOfOtherPeppers": 1, "CountOrders": 1, "CountRows": 1, "Events": 1, "ImportsOf": 1, "Insert": 1,
	"ListGoods": 2, "ListOrders": 1, "PepperUses": 1, "Records": 2, "UseCode": 1, "card": 1, "finishCopy": 1,
	"lockCardWith": 1, "read": 1,
}

// Both engines accept every statement of the package: its tables and columns exist.
func TestStatements_CanBePreparedOnBothEngines(t *testing.T) {
	t.Parallel()
	source := parsePackage(t)
	file, server := openTest(t), pgtest.OpenShop(t)
	for name, engine := range map[string]struct {
		stores  *store.Stores
		prepare func(query string) error
	}{
		"sqlite": {file.Stores, func(query string) error {
			prepared, err := file.raw.PrepareContext(t.Context(), query)
			if err != nil {
				return err
			}
			return prepared.Close()
		}},
		"postgres": {server.Stores, func(query string) error {
			conn, err := server.Pool().Acquire(t.Context())
			if err != nil {
				return err
			}
			defer conn.Release()
			_, err = conn.Conn().PgConn().Prepare(context.WithoutCancel(t.Context()), "", query, nil)
			return err
		}},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, engine.stores.MoveAway(t.Context(), "elsewhere")) // its table is not part of the schema
			texts, built := source.statements(engine.stores.Differing())
			assert.Greater(t, len(texts), 150)
			for _, text := range texts {
				if ofSQLite.MatchString(text.query) && engine.stores != file.Stores {
					continue
				}
				assert.NoError(t, engine.prepare(text.query), "%s: %s", text.at, text.query)
				assert.NotRegexp(t, compiledAgain, text.query, text.at)
			}
			assert.Equal(t, builtStatements, built, "statements that this test cannot evaluate")
			paged, err := engine.stores.PagedStatements(t.Context())
			require.NoError(t, err)
			for _, s := range append(paged, store.ReconciliationStatements()...) {
				assert.NoError(t, engine.prepare(s.Text), s.Text)
				assert.NotRegexp(t, compiledAgain, s.Text)
			}
			require.Error(t, engine.prepare(`SELECT order_nr FROM orders`), "a column that does not exist")
		})
	}
}

// goPackage is the syntax of the package's files, without tests.
type goPackage struct {
	files  *token.FileSet
	asts   []*ast.File
	values map[string]ast.Expr // of constants and variables of the package
}

func parsePackage(t *testing.T) goPackage {
	t.Helper()
	p := goPackage{files: token.NewFileSet(), values: map[string]ast.Expr{}}
	names, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(p.files, name, nil, 0)
		require.NoError(t, err)
		p.asts = append(p.asts, file)
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range decl.Specs {
				if v, ok := s.(*ast.ValueSpec); ok && len(v.Values) == len(v.Names) {
					for i, name := range v.Names {
						p.values[name.Name] = v.Values[i]
					}
				}
			}
		}
	}
	return p
}

// found is a statement and its position.
type found struct{ at, query string }

// statements returns the statements that functions pass to others, with the texts of an engine, and counts by function
// those that it cannot evaluate.
func (p goPackage) statements(differing map[string]string) (list []found, built map[string]int) {
	built = map[string]int{}
	for _, file := range p.asts {
		for _, d := range file.Decls {
			function, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(function, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || isFormat(call) {
					return true
				}
				for _, arg := range call.Args {
					switch text, known := p.text(arg, differing); {
					case !statement.MatchString(text):
					case known:
						list = append(list, found{p.files.Position(arg.Pos()).String(), text})
					default:
						built[function.Name.Name]++
					}
				}
				return true
			})
		}
	}
	return list, built
}

// isFormat reports whether a call formats a text: its first argument is not the complete statement.
func isFormat(call *ast.CallExpr) bool {
	called, ok := call.Fun.(*ast.SelectorExpr)
	return ok && called.Sel.Name == "Sprintf"
}

// text evaluates an expression of strings. It reports false, with the known beginning, if a part depends on arguments.
func (p goPackage) text(e ast.Expr, differing map[string]string) (text string, known bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		if value, ok := p.values[e.Name]; ok {
			return p.text(value, differing)
		}
	case *ast.SelectorExpr:
		if of, ok := e.X.(*ast.SelectorExpr); ok && of.Sel.Name == "sql" {
			text, known := differing[e.Sel.Name]
			return text, known
		}
	case *ast.BinaryExpr:
		left, known := p.text(e.X, differing)
		if !known || e.Op != token.ADD {
			return left, false
		}
		right, known := p.text(e.Y, differing)
		return left + right, known
	case *ast.ParenExpr:
		return p.text(e.X, differing)
	}
	return "", false
}

// A concatenated statement must not end in a bare LIMIT either. Parts that depend on arguments count as parameters.
func TestStatements_ABuiltLimitIsNotABareParameter(t *testing.T) {
	t.Parallel()
	source := parsePackage(t)
	texts := source.sums()
	assert.Greater(t, len(texts), 50)
	for _, text := range texts {
		assert.NotRegexp(t, compiledAgain, text.query, text.at)
	}

	// Control: a bare parameter is found at the end, and before OFFSET.
	for _, query := range []string{
		"`SELECT 1 LIMIT ` + placeholders(1, 1)", "`SELECT 1 LIMIT ` + placeholders(1, 1) + ` OFFSET $2`",
	} {
		planted := goPackage{files: token.NewFileSet()}
		file, err := parser.ParseFile(planted.files, "x.go", "package x\nfunc f() { q("+query+") }", 0)
		require.NoError(t, err)
		planted.asts = []*ast.File{file}
		require.Len(t, planted.sums(), 1)
		assert.Regexp(t, compiledAgain, planted.sums()[0].query)
	}
}

// sums returns the texts that the package concatenates with +. A part that is not a literal is written as the parameter
// $0.
func (p goPackage) sums() (list []found) {
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		sum, ok := n.(*ast.BinaryExpr)
		if !ok || sum.Op != token.ADD {
			return true
		}
		text, others := partsOf(sum)
		list = append(list, found{p.files.Position(sum.Pos()).String(), text})
		for _, other := range others {
			ast.Inspect(other, visit)
		}
		return false
	}
	for _, file := range p.asts {
		ast.Inspect(file, visit)
	}
	return list
}

// partsOf returns the text of a concatenation of strings, and its parts that are not literals.
func partsOf(e ast.Expr) (text string, others []ast.Expr) {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		left, of := partsOf(e.X)
		right, more := partsOf(e.Y)
		return left + right, append(of, more...)
	case *ast.ParenExpr:
		return partsOf(e.X)
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil {
			return text, nil
		}
	}
	return "$0", []ast.Expr{e}
}

// A LIMIT with a bare parameter costs a compilation at every call; see planOnce.
func TestStatements_NoLimitIsABareParameter(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	limits := regexp.MustCompile("LIMIT \\$(?:\\d+|%d)(`\\s*\\+\\s*planOnce)?")
	found := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, limit := range limits.FindAllStringSubmatch(string(text), -1) {
			found++
			require.NotEmpty(t, limit[1], "%s: %s", file, limit[0])
		}
	}
	require.Greater(t, found, 30)
}
