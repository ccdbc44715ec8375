package main

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// childArgs makes this test's program run as sim with these arguments, separated by line feeds.
const childArgs = "MARQUEE_TEST_SIM_ARGS"

// killed starts sim in a process, calls use with the simulators' address and kills the process.
func killed(t *testing.T, args []string, use func(simulators string)) {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), childArgs+"="+strings.Join(args, "\n"))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	simulators := ""
	for lines := bufio.NewScanner(out); lines.Scan(); {
		name, address, _ := strings.Cut(lines.Text(), " ")
		if name == "simulators" {
			simulators = strings.TrimSpace(address)
		}
		if name == "phone" {
			break
		}
	}
	require.NotEmpty(t, simulators)
	use(simulators)
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
}

func TestRun_TheClockGoesOnAfterAKill(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "sim.db")
	args := []string{"-addr", "127.0.0.1:0", "-sim-addr", "127.0.0.1:0", "-sim-tls-addr", "none", "-db", db}
	var before clockAnswer
	killed(t, args, func(simulators string) {
		before = ask[clockAnswer](t, http.MethodPost, simulators+"/sim/v1/clock/advance", `{"seconds":32400}`)
	})
	killed(t, args, func(simulators string) {
		now := ask[clockAnswer](t, http.MethodGet, simulators+"/sim/v1/clock", "")
		require.False(t, now.Now.Before(before.Now), "%s is before %s", now.Now, before.Now)
		require.InDelta(t, 32400, now.Seconds, 1)
		before = ask[clockAnswer](t, http.MethodPost, simulators+"/sim/v1/clock/freeze", "")
	})
	killed(t, args, func(simulators string) {
		now := ask[clockAnswer](t, http.MethodGet, simulators+"/sim/v1/clock", "")
		require.True(t, now.Now.Equal(before.Now), "it shows %s, and showed %s", now.Now, before.Now)
		require.True(t, now.Frozen)
		ask[clockAnswer](t, http.MethodPost, simulators+"/sim/v1/clock/resume", "")
		before = ask[clockAnswer](t, http.MethodPost, simulators+"/sim/v1/clock/advance", `{"seconds":60}`)
	})
	t.Run("a file that cannot be read", func(t *testing.T) {
		require.NoError(t, os.WriteFile(clockFile(db), []byte("{"), 0o600))
		at := started(t, args...)
		now := ask[clockAnswer](t, http.MethodGet, at["simulators"]+"/sim/v1/clock", "")
		require.WithinDuration(t, time.Now(), now.Now, 24*time.Hour)
		ask[clockAnswer](t, http.MethodPost, at["simulators"]+"/sim/v1/clock/advance", `{"seconds":3600}`)
	})
	require.FileExists(t, clockFile(db))
	require.NoError(t, run(t.Context(), []string{"reset", "-db", db}, os.Stdout, os.Stderr))
	require.NoFileExists(t, clockFile(db))
	require.NoFileExists(t, db)
}

// A file with a clock but no database next to it is left over from a database that was deleted by hand.
func TestRun_TheClockOfADeletedDatabaseIsForgotten(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "sim.db")
	require.NoError(t, os.WriteFile(clockFile(db), []byte(
		`{"real":"2026-01-01T00:00:00Z","business":"2027-01-01T00:00:00Z","frozen":false}`), 0o600))
	at := started(t, "-addr", "127.0.0.1:0", "-sim-addr", "127.0.0.1:0", "-sim-tls-addr", "none", "-db", db)
	require.Empty(t, at["clock"])
	now := ask[clockAnswer](t, http.MethodGet, at["simulators"]+"/sim/v1/clock", "")
	require.InDelta(t, 0, now.Seconds, 1)
}

func TestClockFile_IsOnePerDatabase(t *testing.T) {
	t.Parallel()
	require.Equal(t, "x/sim.db.clock", clockFile("x/sim.db"))
	require.Equal(t, "data/sim/postgres.clock", clockFile("postgres"))
	one := clockFile("postgres://u:p@db.example/shop")
	require.Equal(t, one, clockFile("postgres://u:other@db.example/shop"))
	require.NotEqual(t, one, clockFile("postgres://u:p@db.example/other"))
	require.True(t, strings.HasPrefix(one, "data/sim/"), one)
}
