// Package arrows holds who may import whom, as data, and the test that keeps the tree to it.
package arrows

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "marquee/"

// base is what every package of the shop may lean on.
var base = []string{"server/beijing", "server/fault", "server/money", "server/wording"}

// nouns are the domain packages below orders; they lean on base and on each other only as listed.
var nouns = []string{"server/catalog", "server/account", "server/content"}

var domain = slices.Concat(base, nouns, []string{"server/booking", "server/cards", "server/goods", "server/payment", "server/orders"})

// providers are the clients; what they share lies below them and knows none.
var providers = slices.Concat(domain, []string{"server/providers/transport"})

// simulatorBase are the packages that every simulated provider may import.
var simulatorBase = []string{
	"simulators/testclock", "simulators/dataset", "simulators/boxoffice", "simulators/script", "simulators/journal",
}

// allowed names, for each folder, the folders of this module it may import. A folder covers its subfolders; the
// longest match rules. What is not listed is forbidden.
var allowed = map[string][]string{
	"server/beijing": {},
	"server/fault":   {},
	"server/money":   {},
	"server/wording": {},
	"server/catalog": base,
	"server/account": base,
	"server/content": base,

	"server/booking": slices.Concat(base, nouns),
	"server/cards":   slices.Concat(base, nouns),
	"server/goods":   slices.Concat(base, nouns),
	"server/payment": slices.Concat(base, nouns),
	"server/orders":  domain,

	"server/store/sqlite":            domain,
	"server/store/storetest":         domain,
	"server/httpapi":                 domain,
	"server/providers/legacygateway": providers,
	"server/providers/newmovie":      providers,
	"server/providers/transport":     base,
	"server/providers/sms":           domain,
	"server/providers/wechat":        providers,

	"server/app": {"server"},
	"cmd/shop":   {"server/app", "web"},
	"cmd/sim":    {"server/app", "simulators", "web"},

	"simulators":               {"simulators"},
	"simulators/testclock":     {},
	"simulators/dataset":       {"simulators/testclock"},
	"simulators/boxoffice":     {"simulators/dataset", "simulators/testclock"},
	"simulators/journal":       {},
	"simulators/script":        {"simulators/journal"},
	"simulators/ownname":       {},
	"simulators/control":       simulatorBase,
	"simulators/legacygateway": slices.Concat(simulatorBase, []string{"simulators/control"}),
	"simulators/newmovie":      slices.Concat(simulatorBase, []string{"simulators/control"}),
	"simulators/sms":           slices.Concat(simulatorBase, []string{"simulators/control"}),
	"simulators/wechat":        slices.Concat(simulatorBase, []string{"simulators/control"}),

	"contracts": {"server", "simulators", "web"},
	"e2e":       {"server/app", "simulators", "web", "e2e"},
	"web":       {},
}

// outward are standard packages that would tie the domain to a transport or an engine.
var outward = []string{"net/http", "database/sql", "encoding/json"}

// stdlibOnly are the packages that import nothing but the standard library.
var stdlibOnly = base

func TestImportsFollowTheArrows(t *testing.T) {
	t.Parallel()
	root := moduleRoot(t)
	files := 0
	walk(t, root, func(folder, file string, imports []string) {
		files++
		rule, ok := ruleFor(folder)
		if !assert.True(t, ok, "%s: %s is in no folder of the architecture", file, folder) {
			return
		}
		for _, path := range imports {
			for _, problem := range judge(folder, rule, path) {
				t.Errorf("%s: %s", file, problem)
			}
		}
	})
	assert.Greater(t, files, 50, "the walk must see the tree")
}

func TestJudge_FindsForbiddenArrows(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ folder, path string }{
		{"server/booking", "marquee/server/cards"},
		{"server/orders", "net/http"},
		{"server/money", "github.com/stretchr/testify/assert"},
		{"server/providers/sms", "marquee/server/providers/wechat"},
		{"server/httpapi", "marquee/server/store/sqlite"},
		{"simulators/sms", "marquee/server/fault"},
		{"simulators/sms", "marquee/simulators/wechat"},
		{"cmd/shop", "marquee/simulators"},
		{"e2e", "marquee/server/orders"},
	} {
		rule, ok := ruleFor(row.folder)
		require.True(t, ok)
		assert.NotEmpty(t, judge(row.folder, rule, row.path), "%s -> %s must be refused", row.folder, row.path)
	}
}

func judge(folder, rule, path string) []string {
	var problems []string
	if local, ok := strings.CutPrefix(path, module); ok {
		if local != folder && !covered(local, allowed[rule]) && !within(folder, local, rule) {
			problems = append(problems, folder+" may not import "+local)
		}
	} else if slices.Contains(domain, rule) && slices.Contains(outward, path) {
		problems = append(problems, folder+" is domain and may not import "+path)
	}
	if slices.Contains(stdlibOnly, rule) && strings.Contains(strings.Split(path, "/")[0], ".") {
		problems = append(problems, folder+" may import only the standard library, not "+path)
	}
	return problems
}

// within lets a subfolder and its parent under one rule see each other (a package and its own parts).
func within(folder, local, rule string) bool {
	return covered(local, []string{rule}) && covered(folder, []string{rule}) && strings.Count(rule, "/") > 0
}

func covered(folder string, by []string) bool {
	return slices.ContainsFunc(by, func(b string) bool { return folder == b || strings.HasPrefix(folder, b+"/") })
}

func ruleFor(folder string) (string, bool) {
	for f := folder; f != "."; f = filepath.ToSlash(filepath.Dir(f)) {
		if _, ok := allowed[f]; ok {
			return f, true
		}
	}
	return "", false
}

func walk(t *testing.T, root string, visit func(folder, file string, imports []string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "testdata" || name == "bin" || name == "data") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		var imports []string
		for _, spec := range parsed.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports = append(imports, p)
		}
		visit(filepath.ToSlash(filepath.Dir(rel)), filepath.ToSlash(rel), imports)
		return nil
	})
	require.NoError(t, err)
}

// moduleRoot climbs to go.mod, so that the test reads the tree itself and never a cached listing.
func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		require.NotEqual(t, parent, dir, "no go.mod above the test")
		dir = parent
	}
}
