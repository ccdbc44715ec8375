package pgserver

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// withStandby starts a primary and its standby, with commits that wait for the log.
func withStandby(t *testing.T) (primary, standby *Server) {
	t.Helper()
	options := Options{Settings: map[string]string{"synchronous_commit": "on"}}
	primary, err := Start(t.Context(), options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, primary.Kill()) })
	standby, err = primary.NewStandby(t.Context(), options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, standby.Kill()) })
	return primary, standby
}

func TestStandby_HasWhatWasCommittedWhenThePrimaryCrashes(t *testing.T) {
	t.Parallel()
	primary, standby := withStandby(t)
	_, err := primary.Database(t.Context(), "shop")
	require.NoError(t, err)
	require.NoError(t, primary.RequireStandby(t.Context()))
	url := primary.Failover(standby, "shop")
	execute(t, url, `CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)`)
	require.NoError(t, primary.Crash())
	require.NoError(t, standby.Promote(t.Context()))
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	var n int
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT n FROM kept`).Scan(&n))
	require.Equal(t, 7, n)
	execute(t, url, `INSERT INTO kept VALUES (8)`)
}

func TestStandby_ACommitWaitsForAFrozenOne(t *testing.T) {
	t.Parallel()
	primary, standby := withStandby(t)
	execute(t, primary.URL("postgres"), `CREATE TABLE kept (n int)`)
	require.NoError(t, primary.RequireStandby(t.Context()))
	require.NoError(t, standby.Freeze())
	conn, err := pgx.Connect(t.Context(), primary.URL("postgres"))
	require.NoError(t, err)
	committed := make(chan error, 1)
	go func() {
		_, err := conn.Exec(context.Background(), `INSERT INTO kept VALUES (7)`)
		committed <- err
	}()
	select {
	case err := <-committed:
		require.Fail(t, "the commit did not wait", "%v", err)
	case <-time.After(200 * time.Millisecond):
	}
	require.NoError(t, standby.Thaw())
	require.NoError(t, <-committed)
	require.NoError(t, conn.Close(t.Context()))
}

func TestStop_EndsAFrozenServer(t *testing.T) {
	t.Parallel()
	for _, stop := range []func(*Server) error{(*Server).Stop, (*Server).Kill} {
		s, err := Start(t.Context(), Options{})
		require.NoError(t, err)
		require.NoError(t, s.Freeze())
		require.NoError(t, stop(s))
		require.True(t, gone(strconv.Itoa(s.PID())))
	}
}

// freezer is the variable with which this test binary starts a server, freezes it and waits to be killed.
const freezer = "PGSERVER_TEST_FREEZE"

// runFreezer is the main function of the process that is killed.
func runFreezer() {
	s, err := Start(context.Background(), Options{Dir: os.Getenv(freezer)})
	if err == nil {
		err = s.Freeze()
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	pids, err := childrenOf(s.PID())
	fmt.Println(append(pids, s.PID()), err)
	select {}
}

func TestFreeze_NoStoppedProcessOutlivesTheOneThatStoppedIt(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	require.NoError(t, err)
	killed := exec.CommandContext(t.Context(), program)
	killed.Env = append(os.Environ(), freezer+"="+t.TempDir())
	out, err := killed.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, killed.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	list, _, found := strings.Cut(strings.TrimPrefix(line, "["), "] <nil>")
	require.True(t, found, line)
	require.NoError(t, killed.Process.Kill())
	require.Error(t, killed.Wait())
	pids := strings.Fields(list)
	require.Greater(t, len(pids), 3)
	for _, pid := range pids {
		require.Eventually(t, func() bool { return gone(pid) }, 20*time.Second, time.Millisecond, pid)
	}
}

// gone reports whether a process has ended, even if its parent has not waited for it.
func gone(pid string) bool {
	status, err := os.ReadFile("/proc/" + pid + "/stat")
	return err != nil || strings.Contains(string(status), ") Z ")
}
