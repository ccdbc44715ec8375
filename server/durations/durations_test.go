package durations_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// isSpan reports whether an expression is a number of minutes or hours.
func isSpan(e ast.Expr) bool {
	product, ok := e.(*ast.BinaryExpr)
	return ok && product.Op == token.MUL && (isUnit(product.X) || isUnit(product.Y))
}

func isUnit(e ast.Expr) bool {
	unit, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, ok := unit.X.(*ast.Ident)
	return ok && of.Name == "time" && (unit.Sel.Name == "Minute" || unit.Sel.Name == "Hour")
}

// spans returns the places of a file that state a duration of a minute or more, also as a constant of one unit.
func spans(t *testing.T, path string) (places []string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if isSpan(n) {
				places = append(places, files.Position(n.Pos()).String())
			}
		case *ast.ValueSpec:
			for _, v := range n.Values {
				if isUnit(v) {
					places = append(places, files.Position(v.Pos()).String())
				}
			}
		}
		return true
	})
	return places
}

// testKits are folders with helpers of tests.
var testKits = map[string]bool{
	"clocktest": true, "pgserver": true, "pgtest": true, "purchasetest": true, "storetest": true,
}

func TestDurations_AreDeclaredOnlyHere(t *testing.T) {
	t.Parallel()
	require.Greater(t, len(spans(t, "durations.go")), 30)
	require.NoError(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && testKits[entry.Name()], entry.IsDir() && path == "../durations":
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		assert.Empty(t, spans(t, path), "move it into server/durations")
		return nil
	}))
}
