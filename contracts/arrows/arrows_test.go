// Package arrows holds the import rules of the architecture as data, and a test that every production file follows
// them. Test files may import what they exercise; the compiler still rejects cycles.
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

// layers are the domain packages from the lowest layer to the highest. A package may import packages of lower layers,
// but not of the same layer.
var layers = [][]string{
	{
		"server/batch", "server/beijing", "server/durations", "server/fault", "server/input", "server/money",
		"server/pepper", "server/requestid", "server/wording",
	},
	{"server/audit", "server/cache"},
	{"server/catalog", "server/account", "server/content", "server/jobs", "server/token"},
	{"server/cards", "server/goods"},
	{"server/order"},
	{"server/seating", "server/fulfilment", "server/reconcile"},
	{"server/checkout"},
	{"server/purchase", "server/personal"},
	{"server/backoffice"},
}

var (
	base   = layers[0]
	domain = slices.Concat(layers...)
	// clients are the packages that every provider's client may import. Clients may not import one another.
	clients = slices.Concat(domain, []string{"server/providers/transport"})
	// ticketSources are the packages that the clients of the ticketing providers may import.
	ticketSources = slices.Concat(clients, []string{"server/providers/ticketing"})
	// simulatorBase are the packages that the simulated providers and the packages that they share may import.
	simulatorBase = []string{
		"simulators/testclock", "simulators/dataset", "simulators/boxoffice", "simulators/faults", "simulators/journal",
		"simulators/ownname", "simulators/schema", "simulators/webhook",
	}
	// simulatedProvider are all packages that a simulated provider may import.
	simulatedProvider = slices.Concat(simulatorBase, []string{"simulators/control", "simulators/provider"})
)

// allowed maps each folder to the folders of this module that it may import. A folder covers its subfolders, and the
// longest matching folder decides. "folder/*" applies to the subfolders without a separate rule. What is not listed is
// forbidden. The rules of the domain follow from layers.
var allowed = withLayers(map[string][]string{
	"server/purchase/purchasetest":   slices.Concat(domain, []string{"server/clocktest"}),
	"server/clocktest":               {},
	"server/store":                   domain,
	"server/platform":                {},
	"server/store/sqlite":            {"server/store", "server/platform"},
	"server/store/postgres":          {"server/durations", "server/store"},
	"server/store/storetest":         slices.Concat(domain, []string{"server/store"}),
	"server/store/postgres/pgserver": {"server/platform"},
	"server/store/postgres/pgtest":   {"server/store/postgres"},
	"server/httpapi":                 domain,
	"server/httpapi/wire":            slices.Concat(base, []string{"server/account"}),
	"server/httpapi/admission":       {"server/durations"},
	"server/httpapi/pages":           slices.Concat(domain, []string{"server/httpapi/wire", "server/httpapi/admission"}),
	"server/httpapi/avatars":         slices.Concat(domain, []string{"server/httpapi/wire"}),
	"server/providers/legacygateway": ticketSources,
	"server/providers/newmovie":      ticketSources,
	"server/providers/ticketing":     domain,
	"server/providers/providertest":  clients,
	"server/providers/transport":     base,
	"server/providers/*":             clients,
	"server/demo":                    domain,
	"server/ops":                     slices.Concat(domain, []string{"server/platform"}),

	"server/app":    {"server"},
	"server/upkeep": {"server"},
	"cmd/shop": {"server/app", "server/backoffice", "server/fault", "server/goods", "server/ops", "server/reconcile",
		"server/upkeep", "web"},
	"cmd/sim": {
		"server/app", "server/demo", "server/store/postgres/pgserver", "simulators", "web", "cmd/sim/cluster",
		"cmd/sim/staging",
	},
	"cmd/sim/balancer": {},
	"cmd/sim/cluster":  {"cmd/sim/balancer", "server/platform"},
	"cmd/sim/staging":  {"server/app"},

	"simulators":               {"simulators"},
	"simulators/*":             simulatedProvider,
	"simulators/certs":         {},
	"simulators/examples":      {"simulators"},
	"simulators/preset":        {"simulators"},
	"simulators/record":        {"simulators"},
	"simulators/testclock":     {},
	"simulators/dataset":       {"simulators/testclock"},
	"simulators/boxoffice":     {"simulators/dataset", "simulators/testclock"},
	"simulators/journal":       {},
	"simulators/schema":        {},
	"simulators/faults":        {"simulators/journal", "simulators/ownname", "simulators/schema", "simulators/testclock"},
	"simulators/ownname":       {},
	"simulators/control":       simulatorBase,
	"simulators/provider":      slices.Concat(simulatorBase, []string{"simulators/control"}),
	"simulators/ticketing":     simulatorBase,
	"simulators/webhook":       {},
	"simulators/legacygateway": slices.Concat(simulatedProvider, []string{"simulators/ticketing"}),
	"simulators/newmovie":      slices.Concat(simulatedProvider, []string{"simulators/ticketing"}),
	"simulators/tc3":           {"simulators/journal", "simulators/ownname"},
	"simulators/sms":           slices.Concat(simulatedProvider, []string{"simulators/tc3"}),
	"simulators/captcha":       slices.Concat(simulatedProvider, []string{"simulators/tc3"}),

	"contracts": {"server", "simulators", "web"},
	"e2e": {
		"cmd/sim/cluster", "server/app", "server/backoffice", "server/demo", "server/httpapi", "server/platform",
		"server/reconcile", "server/store/postgres/pgserver", "server/store/postgres/pgtest", "simulators", "web", "e2e",
	},
	"web": {},
})

// withLayers adds the rules of the domain packages.
func withLayers(rules map[string][]string) map[string][]string {
	var below []string
	for _, layer := range layers {
		for _, folder := range layer {
			rules[folder] = below
		}
		below = slices.Concat(below, layer)
	}
	return rules
}

// outward are standard packages that the domain may not import, because they would tie it to a transport or an engine.
var outward = []string{"net/http", "database/sql", "encoding/json"}

// stdlibOnly are the packages that import only the standard library.
var stdlibOnly = base

func TestImportsFollowTheArrows(t *testing.T) {
	t.Parallel()
	root := moduleRoot(t)
	files := 0
	walk(t, root, func(folder, file string, imports []string) {
		files++
		rule, ok := ruleFor(folder)
		if !assert.True(t, ok, "%s: %s is not covered by a rule", file, folder) {
			return
		}
		for _, path := range imports {
			for _, problem := range violations(folder, rule, path) {
				t.Errorf("%s: %s", file, problem)
			}
		}
	})
	assert.Greater(t, files, 50, "the walk must find the files of the tree")
}

func TestEveryRuleIsAboutAFolderThatExists(t *testing.T) {
	t.Parallel()
	root := moduleRoot(t)
	for folder, imports := range allowed {
		for _, named := range append(imports, folder) {
			assert.DirExists(t, filepath.Join(root, strings.TrimSuffix(named, "/*")), "a rule of %s", folder)
		}
	}
}

func TestViolations_OfForbiddenImports(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ folder, path string }{
		{"server/seating", "marquee/server/fulfilment"},
		{"server/order", "net/http"},
		{"server/cards", "marquee/server/goods"},
		{"server/seating", "marquee/server/checkout"},
		{"server/httpapi/wire", "marquee/server/httpapi/pages"},
		{"server/money", "github.com/stretchr/testify/assert"},
		{"server/providers/sms", "marquee/server/providers/wechat"},
		{"server/providers/wechat", "marquee/server/providers/ticketing"},
		{"server/httpapi", "marquee/server/store/sqlite"},
		{"simulators/sms", "marquee/server/fault"},
		{"simulators/sms", "marquee/simulators/wechat"},
		{"simulators/wechat", "marquee/simulators/captcha"},
		{"simulators/added", "marquee/server/fault"},
		{"server/providers/added", "marquee/server/providers/wechat"},
		{"cmd/shop", "marquee/simulators"},
		{"e2e", "marquee/server/order"},
	} {
		rule, ok := ruleFor(row.folder)
		require.True(t, ok)
		assert.NotEmpty(t, violations(row.folder, rule, row.path), "%s -> %s must be rejected", row.folder, row.path)
	}
}

// violations reports why a file of the folder, to which the rule applies, may not import the path.
func violations(folder, rule, path string) []string {
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

// within reports whether folder and local are in the folder of the rule, and that is not a top folder. Then they may
// import each other.
func within(folder, local, rule string) bool {
	return covered(local, []string{rule}) && covered(folder, []string{rule}) && strings.Count(rule, "/") > 0
}

// covered reports whether one of the folders is the given folder or a parent of it.
func covered(folder string, by []string) bool {
	return slices.ContainsFunc(by, func(b string) bool { return folder == b || strings.HasPrefix(folder, b+"/") })
}

// ruleFor returns the longest folder with a rule that covers the given folder.
func ruleFor(folder string) (string, bool) {
	for f := folder; f != "."; f = filepath.ToSlash(filepath.Dir(f)) {
		for _, rule := range []string{f, filepath.ToSlash(filepath.Dir(f)) + "/*"} {
			if _, ok := allowed[rule]; ok {
				return rule, true
			}
		}
	}
	return "", false
}

// withoutCode are folders without packages of this module.
var withoutCode = []string{"node_modules", "testdata", "bin", "data"}

// walk visits the production Go files below root with the paths they import.
func walk(t *testing.T, root string, visit func(folder, file string, imports []string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && path != root && (strings.HasPrefix(name, ".") || slices.Contains(withoutCode, name)) {
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

// moduleRoot returns the folder with go.mod above the test.
func moduleRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	dir, err = filepath.EvalSymlinks(dir) // WalkDir does not follow links
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		require.NotEqual(t, parent, dir, "go.mod is missing above the test")
		dir = parent
	}
}
