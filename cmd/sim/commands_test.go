package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// output runs the command and returns what it prints and its exit status.
func output(t *testing.T, args ...string) (string, int) {
	t.Helper()
	var out strings.Builder
	err := run(t.Context(), args, &out, io.Discard)
	return out.String(), exitStatus(t, err)
}

func TestHelp_ExplainsEveryCommandWithStatus0(t *testing.T) {
	t.Parallel()
	all, status := output(t, "help")
	require.Zero(t, status)
	for _, name := range []string{"run", "cluster", "get", "health", "reset", "record", "replay", "compare"} {
		require.Contains(t, all, "\n  "+name+" ")
		asked, status := output(t, "help", name)
		require.Zero(t, status, name)
		require.Contains(t, asked, "Exit status")
		for _, flag := range []string{"-h", "-help", "--help"} {
			same, status := output(t, name, flag)
			require.Zero(t, status, "%s %s", name, flag)
			require.Equal(t, asked, same)
		}
	}
	for _, args := range [][]string{{"-h"}, {"-help"}, {"--help"}} {
		same, status := output(t, args...)
		require.Zero(t, status)
		require.Equal(t, all, same)
	}
	record, _ := output(t, "help", "record")
	require.Contains(t, record, "Usage: sim record --provider=STRING --target=STRING --out=STRING [flags]")
	require.Contains(t, record, "gateway")
	serve, _ := output(t, "run", "--help")
	for _, flag := range []string{"--providers-only", "--sim-addr=\"127.0.0.1:9090\"", "(MARQUEE_SIM_TLS_ADDR)", "ticket-orders"} {
		require.Contains(t, serve, flag)
	}
}

func TestHelp_AWrongCommandLineHasStatus2AndNamesWhatThereIs(t *testing.T) {
	t.Parallel()
	for line, says := range map[string]string{
		"recrod":                        "unexpected argument recrod (see sim --help",
		"help recrod":                   "unexpected argument recrod",
		"health reset":                  "unexpected argument reset",
		"get":                           `expected "<address>"`,
		"get 127.0.0.1:9090":            "needs one address such as http://",
		"get -x":                        "unknown flag -x",
		"health -addr x":                "missing port",
		"-fly":                          "unknown flag --fly",
		"-captcha now":                  "unexpected argument now",
		"-fail-on great":                `--fail-on: unknown verdict "great"; valid: ok, `,
		"-sim-apps 0":                   "--sim-apps: \"0\" is not a port from 1 to 65535",
		"-providers-only -max-worlds 0": "must be positive",
		"record -provider gateway":      "missing flags: --out=STRING, --target=STRING",
	} {
		err := run(t.Context(), strings.Fields(line), io.Discard, io.Discard)
		require.Equal(t, exitFailure, exitStatus(t, err), line)
		require.ErrorContains(t, err, says)
	}
}

func TestRun_AFileThatCannotBeUsedHasACodeAndStatus2(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	require.NoError(t, os.WriteFile(file, []byte("no PEM, no YAML mapping"), 0o600))
	below := filepath.Join(file, "x") // cannot exist, since a file is where its folder would be
	for _, row := range []struct{ flag, path, code string }{
		{"-sim-authority", below, "authority_unusable"},
		{"-sim-authority", file, "authority_unusable"},
		{"-sim-authority", folder, "authority_unusable"},
		{"-ports-file", below, "ports_file_unwritable"},
		{"-preset", below, "preset_unreadable"},
		{"-preset", file, "preset_invalid"},
	} {
		err := run(t.Context(), []string{"-providers-only", "-sim-addr", "127.0.0.1:0", row.flag, row.path}, io.Discard,
			io.Discard)
		require.Equal(t, exitFailure, exitStatus(t, err), "%s %s: %v", row.flag, row.path, err)
		require.True(t, strings.HasPrefix(err.Error(), row.code+": "), "%v", err)
		require.ErrorContains(t, err, filepath.Dir(row.path))
	}
}
