// Package examples runs every example of these folders against simulators, as a newcomer would.
package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/examples/shell"
)

func TestMain(m *testing.M) { shell.Main(m) }

func TestCurl_FirstSteps(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("curl/first-steps.sh")
	require.NoError(t, err)
	for _, curl := range []shell.Curl{shell.Installed, shell.StandIn} {
		s := simulators.StartForTest(t)
		out := strings.Split(strings.TrimSpace(shell.Run(t, curl, string(script), "SIM="+s.URL())), "\n")
		require.Len(t, out, 6, "%s", out)
		require.Contains(t, out[0], "杭州市")
		require.Contains(t, out[1], `{"code":"9999","msg":"请重新加载"}`)
		require.Contains(t, out[2], "杭州市")
		require.Contains(t, out[3], "1003")
		require.Regexp(t, `expected sign [0-9A-F]{32} over .*methodcity\.list.*, got [0-9A-F]{32}`, out[4])
		require.Contains(t, out[5], `"deleted"`)
	}
}

func TestTypeScript_LockSeats(t *testing.T) {
	t.Parallel()
	s, js := simulators.StartForTest(t), t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(js, "package.json"), []byte(`{"type":"module"}`), 0o600))
	pack := exec.Command("npm", "pack", "--silent", "--pack-destination", js)
	pack.Dir = "../clients/typescript" // it generates the client's types
	out, err := pack.CombinedOutput()
	require.NoError(t, err, "%s", out)
	packages, err := filepath.Glob(filepath.Join(js, "*.tgz"))
	require.NoError(t, err)
	require.Len(t, packages, 1)
	tsc := exec.Command("node", filepath.Join("..", "..", "node_modules", "typescript", "bin", "tsc"), "-p",
		"typescript", "--outDir", js)
	out, err = tsc.CombinedOutput()
	require.NoError(t, err, "its types do not fit: %s", out)
	install := exec.Command("npm", "install", "--silent", "--offline", "--no-audit", "--no-fund", packages[0])
	install.Dir = js
	out, err = install.CombinedOutput()
	require.NoError(t, err, "%s", out)
	node := exec.Command("node", filepath.Join(js, "lock-seats.js"))
	node.Env = append(os.Environ(), "SIM="+s.URL(), "NO_COLOR=1")
	out, err = node.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Equal(t, "seat.lock: no answer\norder.query: LOCKED\n15 minutes later: EXPIRED\njournal: seat.lock fault "+
		"1 act-then-reset\n", string(out))
}

func TestOtherModule_UsesTheSimulatorsInItsOwnTests(t *testing.T) {
	t.Parallel()
	other := exec.Command("go", "test", "-count=1", "./...")
	other.Dir = "othermodule"
	out, err := other.CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), "ok  \texample.test/shop")
}
