package pgserver

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func execute(t *testing.T, url, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	_, err = conn.Exec(t.Context(), statement)
	require.NoError(t, err)
}

func TestStart_KeepsWhatACrashFound(t *testing.T) {
	t.Parallel()
	options := Options{Dir: t.TempDir(), Durable: true, Settings: map[string]string{"max_connections": "17"}}
	s, err := Start(t.Context(), options)
	require.NoError(t, err)
	execute(t, s.URL("postgres"), `CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)`)
	require.NoError(t, s.Kill())

	s, err = Start(t.Context(), options)
	require.NoError(t, err)
	conn, err := pgx.Connect(t.Context(), s.URL("postgres"))
	require.NoError(t, err)
	var n, connections int
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT n, current_setting('max_connections')::int FROM kept`).
		Scan(&n, &connections))
	require.Equal(t, 7, n)
	require.Equal(t, 17, connections)
	require.NoError(t, conn.Close(t.Context()))
	require.NoError(t, s.Stop())
}

func TestStart_DeletesATemporaryFolder(t *testing.T) {
	t.Parallel()
	s, err := Start(t.Context(), Options{})
	require.NoError(t, err)
	execute(t, s.URL("postgres"), `SELECT 1`)
	require.DirExists(t, s.dir)
	require.NoError(t, s.Stop())
	require.NoDirExists(t, s.dir)
}

func TestDeleteAbandoned_KeepsFoldersInUse(t *testing.T) {
	t.Parallel()
	gone := exec.Command("true")
	require.NoError(t, gone.Run())
	parent := t.TempDir()
	hoursAgo := time.Now().Add(-2 * abandonedAge)
	folder := func(name, lock string, pid int, changed time.Time) string {
		dir := filepath.Join(parent, name)
		file := filepath.Join(dir, lock)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, fmt.Appendf(nil, "%d\n/data\n", pid), 0o600))
		require.NoError(t, os.Chtimes(dir, changed, changed))
		return dir
	}
	const data, socket = "data/postmaster.pid", ".s.PGSQL.5432.lock"
	gonePID := gone.Process.Pid
	killed := []string{
		folder("marquee-postgres-1", data, gonePID, hoursAgo),
		folder("marquee-postgres-2", socket, gonePID, hoursAgo),
	}
	kept := []string{
		folder("marquee-postgres-3", data, os.Getpid(), hoursAgo), // its server runs
		folder("marquee-postgres-4", socket, os.Getpid(), hoursAgo),
		folder("marquee-postgres-5", data, gonePID, time.Now()),     // its server may be starting
		folder("marquee-postgres-18-0a1b", data, gonePID, hoursAgo), // the shared server of a module
		folder("another-1", data, gonePID, hoursAgo),
	}
	deleteAbandoned(parent)
	for _, dir := range killed {
		require.NoDirExists(t, dir)
	}
	for _, dir := range kept {
		require.DirExists(t, dir)
	}
}

func TestStart_ServesAFolderWhosePathIsTooLongForASocket(t *testing.T) {
	t.Parallel()
	s, err := Start(t.Context(), Options{Dir: filepath.Join(t.TempDir(), strings.Repeat("long", 30))})
	require.NoError(t, err)
	execute(t, s.URL("postgres"), `SELECT 1`)
	require.NoError(t, s.Stop())
	require.NoDirExists(t, s.socket)
}

func TestStart_ReportsWhyTheServerEnded(t *testing.T) {
	t.Parallel()
	_, err := Start(t.Context(), Options{Settings: map[string]string{"no_such_setting": "1"}})
	require.ErrorContains(t, err, "no_such_setting")
}

// child is the variable with which this test binary starts a server and serves until its standard input ends.
const child = "MARQUEE_PGSERVER_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(freezer) != "" {
		runFreezer()
	}
	if os.Getenv(child) == "" {
		os.Exit(m.Run())
	}
	s, err := Start(context.Background(), Options{})
	if err != nil {
		_, _ = os.Stdout.WriteString(err.Error())
		os.Exit(1)
	}
	_, _ = os.Stdout.WriteString(s.URL("postgres") + "\n")
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := s.Stop(); err != nil {
		_, _ = os.Stdout.WriteString(err.Error())
		os.Exit(1)
	}
}

// startChild runs a copy of this test binary, in a folder that all users can read, as another user.
func startChild(t *testing.T, attributes *syscall.SysProcAttr) (cmd *exec.Cmd, stdin io.Closer, url string) {
	t.Helper()
	folder, err := os.MkdirTemp("", "marquee-pgserver-test-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(folder)) })
	require.NoError(t, os.Chmod(folder, 0o755))
	program, err := os.Executable()
	require.NoError(t, err)
	copied := filepath.Join(folder, "pgserver.test")
	// Another process copies it: a child that this one forks during the copy would inherit the open file, and the
	// kernel does not execute a file that is open for writing.
	require.NoError(t, exec.Command("cp", program, copied).Run())
	require.NoError(t, os.Chmod(copied, 0o755))

	cmd = exec.Command(copied)
	cmd.SysProcAttr, cmd.Env = attributes, append(os.Environ(), child+"=1")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	var line [4096]byte
	n, err := out.Read(line[:])
	require.NoError(t, err)
	url, complete := strings.CutSuffix(string(line[:n]), "\n")
	require.True(t, complete, "the child: %s", url)
	return cmd, in, url
}

func TestStart_TheServerEndsWithItsStarter(t *testing.T) {
	t.Parallel()
	cmd, _, url := startChild(t, nil)
	execute(t, url, `SELECT 1`)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.Eventually(t, func() bool {
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			return true
		}
		_ = conn.Close(t.Context())
		return false
	}, 20*time.Second, 20*time.Millisecond)
}
