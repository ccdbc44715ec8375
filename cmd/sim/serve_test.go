package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// readPorts waits for the file of -ports-file.
func readPorts(t *testing.T, file string) (p addresses) {
	t.Helper()
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(file)
		return err == nil && json.Unmarshal(text, &p) == nil
	}, 20*time.Second, 5*time.Millisecond)
	return p
}

func TestRun_AScriptFindsThePortsWaitsForHealthAndReadsTheSummary(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file, authority := filepath.Join(folder, "ports.json"), filepath.Join(folder, "authority.pem")
	args := []string{"-providers-only", "-sim-addr", "127.0.0.1:0", "-sim-tls-addr", "127.0.0.1:0", "-ports-file", file,
		"-sim-authority", authority, "-sim-hosts", "sim,ci-sim", "-fail-on", "refused,not-simulated"}
	for _, fails := range []bool{false, true} {
		ctx, stop := context.WithCancel(t.Context())
		var out bytes.Buffer
		ended := make(chan error, 1)
		go func() { ended <- run(ctx, args, &out, io.Discard) }()
		served := readPorts(t, file)
		require.Equal(t, os.Getpid(), served.PID)
		require.True(t, strings.HasPrefix(served.HTTPS, "https://127.0.0.1:"))
		require.NoError(t, run(ctx, []string{"health", "-addr", strings.TrimPrefix(served.Simulators, "http://"),
			"-wait", "5s"},
			io.Discard, io.Discard))
		if fails {
			answer, err := http.Post(served.Simulators+"/gateway", "application/x-www-form-urlencoded",
				strings.NewReader("method=city.list"))
			require.NoError(t, err)
			require.NoError(t, answer.Body.Close())
		}
		stop()
		err := <-ended
		if !fails {
			require.NoError(t, err)
			require.Contains(t, out.String(), "calls       0\n")
			require.NoError(t, os.Remove(file))
			continue
		}
		var own *exit
		require.ErrorAs(t, err, &own)
		require.Equal(t, exitVerdict, own.status)
		require.Contains(t, out.String(), "calls       1: 1 refused\n")
	}
}

func TestHealth_NoSimulatorsIsAFailure(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), []string{"health", "-addr", "127.0.0.1:1"}, io.Discard, io.Discard)
	require.ErrorContains(t, err, "health: ")
	require.ErrorContains(t, run(t.Context(), []string{"-providers-only", "-fail-on", "great"}, io.Discard, io.Discard),
		`unknown verdict "great"; valid: ok, refused, fault, sent, failed, not-simulated, stubbed`)
}

func TestRun_APresetIsAppliedOrStopsTheStart(t *testing.T) {
	t.Parallel()
	at := started(t, "-providers-only", "-sim-addr", "127.0.0.1:0", "-preset", "quiet-day")
	require.Equal(t, http.StatusOK, status(t, at["simulators"]+"/sim/v1/worlds/quiet-day"))
	wrong := filepath.Join(t.TempDir(), "wrong.yaml")
	require.NoError(t, os.WriteFile(wrong, []byte("worlds:\n  - id: X\n"), 0o600))
	err := run(t.Context(), []string{"-providers-only", "-sim-addr", "127.0.0.1:0", "-preset", wrong}, io.Discard,
		io.Discard)
	require.ErrorContains(t, err, "wrong.yaml:")
	require.ErrorContains(t, err, "bad_world_id")
}

// TestCI_ACommandRunsAgainstItsOwnSimulators runs the script that the reusable workflow runs.
func TestCI_ACommandRunsAgainstItsOwnSimulators(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	binary := filepath.Join(folder, "sim")
	out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	script, err := filepath.Abs("../../simulators/ci/with-simulators.sh")
	require.NoError(t, err)
	for _, row := range []struct {
		command string
		status  int
	}{
		{`test -n "$SIM" && test -s "$SSL_CERT_FILE" && "$SIM_BINARY" health -addr "${SIM#http://}"`, 0},
		{`exit 7`, 7},
		{`"$SIM_BINARY" get "$SIM/wechatpay/v3/profitsharing/orders"; true`, 3},
	} {
		for _, artifacts := range []string{"artifacts", filepath.Join(t.TempDir(), "of this run")} {
			run := exec.Command("bash", script, "bash", "-c", row.command)
			run.Dir = folder
			run.Env = append(os.Environ(), "SIM_BINARY="+binary, "PRESET=quiet-day", "ARTIFACTS="+artifacts)
			out, err := run.CombinedOutput()
			require.Equal(t, row.status, run.ProcessState.ExitCode(), "%s: %v: %s", row.command, err, out)
			if !filepath.IsAbs(artifacts) {
				artifacts = filepath.Join(folder, artifacts)
			}
			archive, err := os.ReadFile(filepath.Join(artifacts, "journal.har"))
			require.NoError(t, err)
			require.Contains(t, string(archive), `"version": "1.2"`)
			require.FileExists(t, filepath.Join(artifacts, "journal-quiet-day.har"), "of the preset's world")
			files, err := filepath.Glob(filepath.Join(artifacts, "*"))
			require.NoError(t, err)
			for _, file := range files {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				require.NotContains(t, string(text), "PRIVATE KEY", "%s is uploaded", file)
			}
		}
	}
	workflow, err := os.ReadFile("../../simulators/ci/simulators.yml")
	require.NoError(t, err)
	require.Contains(t, string(workflow), "simulators/ci/with-simulators.sh")
	var decoded struct {
		Jobs map[string]struct {
			Steps []map[string]any `yaml:"steps"`
		} `yaml:"jobs"`
	}
	require.NoError(t, yaml.Unmarshal(workflow, &decoded))
	require.NotEmpty(t, decoded.Jobs["simulators"].Steps)
}
