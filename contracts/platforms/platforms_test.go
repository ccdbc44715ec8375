// Package platforms tests that the code compiles for every system of a release.
package platforms

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/go/packages"
)

// TestEveryPackage_CompilesOnEverySystem checks the types of every package and test for the systems other than that of
// this machine. That takes seconds, where compiling takes minutes. No file of the module depends on the processor.
func TestEveryPackage_CompilesOnEverySystem(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	dependOnEveryFolder(t, root)
	others := slices.DeleteFunc([]string{"linux", "darwin", "windows"}, func(s string) bool { return s == runtime.GOOS })
	for _, system := range others {
		t.Run(system, func(t *testing.T) {
			t.Parallel()
			for _, problem := range check(t, root, system) {
				assert.Fail(t, problem)
			}
		})
	}
}

// dependOnEveryFolder reads the folders with Go code, so that go test runs this test again after a file is added.
func dependOnEveryFolder(t *testing.T, root string) {
	t.Helper()
	for _, top := range []string{"cmd", "contracts", "e2e", "server", "simulators", "web"} {
		require.NoError(t, fs.WalkDir(os.DirFS(root), top, func(_ string, _ fs.DirEntry, err error) error { return err }))
	}
}

// check returns the errors of the module's packages and tests on a system.
func check(t *testing.T, root, system string) (problems []string) {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{
		Context: t.Context(),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax,
		Dir: root, Tests: true,
		Env: append(os.Environ(), "CGO_ENABLED=0", "GOARCH=amd64", "GOOS="+system),
		ParseFile: func(files *token.FileSet, name string, source []byte) (*ast.File, error) {
			file, err := parser.ParseFile(files, name, source, parser.SkipObjectResolution)
			if file != nil && !strings.HasPrefix(name, root+string(filepath.Separator)) {
				dropBodies(file)
			}
			return file, err
		},
	}, "./...")
	require.NoError(t, err)
	require.Greater(t, len(loaded), 150)
	for _, p := range loaded {
		if strings.HasSuffix(p.ID, ".test") {
			continue // the main package that go test generates
		}
		for _, e := range p.Errors {
			problems = append(problems, e.Error())
		}
	}
	return problems
}

// dropBodies removes the bodies of the functions in a file of another module. The types of this module do not depend on
// them.
func dropBodies(file *ast.File) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			f.Body = nil
		}
	}
}
