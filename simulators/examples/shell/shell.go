// Package shell runs the shell commands of documentation in tests. They need bash; where curl is not installed, the
// test's own binary stands in for it, with the options that the documentation uses and no others.
package shell

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Curl chooses the curl that a script runs.
type Curl int

// The curls.
const (
	Installed Curl = iota // the machine's own, else the stand-in
	StandIn               // the stand-in
)

// timeout ends a script that hangs. Every command of a script is a separate process, which the race detector makes
// slow.
const timeout = 5 * time.Minute

// Run runs a script in an empty folder and returns what it prints. The test fails when the script does. env is
// "NAME=value".
func Run(t *testing.T, curl Curl, script string, env ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	bash := exec.CommandContext(ctx, "bash", "-s")
	bash.Dir, bash.Stdin, bash.WaitDelay = t.TempDir(), strings.NewReader(script), time.Second
	bash.Env = append(os.Environ(), append(env, "LC_ALL=C.UTF-8", "NO_PROXY=*", "no_proxy=*")...)
	if _, err := exec.LookPath("curl"); err != nil || curl == StandIn {
		self, err := os.Executable()
		require.NoError(t, err)
		bin := t.TempDir()
		require.NoError(t, os.Symlink(self, filepath.Join(bin, "curl")))
		bash.Env = append(bash.Env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	out, err := bash.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// Main runs a package's tests, or acts as curl if the binary is called by that name. Every package that calls Run must
// call it in TestMain.
func Main(m *testing.M) {
	if filepath.Base(os.Args[0]) == "curl" {
		os.Exit(curl(os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}
