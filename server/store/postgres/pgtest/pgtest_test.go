package pgtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// execute runs one statement on a separate connection.
func execute(ctx context.Context, url, statement string) error {
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	_, err = conn.Exec(ctx, statement)
	return err
}

// countRows counts the rows of table filled.
func countRows(t *testing.T, url string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM filled`).Scan(&n))
	return n
}

func TestNew_CopiesTheTemplate(t *testing.T) {
	t.Parallel()
	var fills atomic.Int32
	from := Template{Kind: "copied", Version: "1", Fill: func(ctx context.Context, url string) error {
		fills.Add(1)
		return execute(ctx, url, `CREATE TABLE filled (n int); INSERT INTO filled VALUES (1)`)
	}}
	urls := make(chan string, 8)
	t.Run("tests", func(t *testing.T) {
		for i := range cap(urls) {
			t.Run(strconv.Itoa(i), func(t *testing.T) {
				t.Parallel()
				url := New(t, from)
				require.Equal(t, 1, countRows(t, url))
				require.NoError(t, execute(t.Context(), url, `INSERT INTO filled VALUES (2)`))
				require.Equal(t, 2, countRows(t, url))
				urls <- url
			})
		}
	})
	require.LessOrEqual(t, fills.Load(), int32(1), "an earlier run may have filled it")
	for range cap(urls) {
		_, err := pgx.Connect(t.Context(), <-urls)
		require.ErrorContains(t, err, "does not exist", "the database ends with its test")
	}
}

func TestNew_ReplacesATemplateOfAnotherVersion(t *testing.T) {
	t.Parallel()
	version := func(rows int) Template {
		return Template{Kind: "replaced", Version: strconv.Itoa(rows),
			Fill: func(ctx context.Context, url string) error {
				return execute(ctx, url, fmt.Sprintf(
					`CREATE TABLE filled (n int); INSERT INTO filled SELECT generate_series(1, %d)`, rows,
				))
			}}
	}
	require.Equal(t, 3, countRows(t, New(t, version(3))))
	require.Equal(t, 4, countRows(t, New(t, version(4))))
	s, err := join(t.Context())
	require.NoError(t, err)
	_, err = pgx.Connect(t.Context(), s.url(version(3).database()))
	require.ErrorContains(t, err, "does not exist")
}

func TestNew_ForgetsATemplateThatCannotBeFilled(t *testing.T) {
	t.Parallel()
	s, err := join(t.Context())
	require.NoError(t, err)
	broken := Template{Kind: "broken", Version: rand.Text(), Fill: func(ctx context.Context, url string) error {
		return execute(ctx, url, `CREATE TABLE filled (n int); SELECT no_such_function()`)
	}}
	require.ErrorContains(t, ensureTemplate(t.Context(), s, broken), "no_such_function")
	broken.Fill = func(ctx context.Context, url string) error {
		return execute(ctx, url, `CREATE TABLE filled (n int)`)
	}
	require.Zero(t, countRows(t, New(t, broken)))
}

// member is the variable with which this test binary joins the server of a folder and uses it until it is killed.
const member = "MARQUEE_PGTEST_MEMBER"

func TestMain(m *testing.M) {
	dir := os.Getenv(member)
	if dir == "" {
		os.Exit(m.Run())
	}
	if _, err := joinAt(context.Background(), dir); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Print(ready)
	select {}
}

// startMember starts a process that uses the server of a folder.
func startMember(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), member+"="+dir)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	var line [4096]byte
	n, err := out.Read(line[:])
	require.NoError(t, err)
	require.Equal(t, ready, string(line[:n]))
	return cmd
}

// answers reports whether the server of a folder accepts connections.
func answers(t *testing.T, dir string) bool {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), server{dir: dir}.url("postgres"))
	if err != nil {
		return false
	}
	require.NoError(t, conn.Close(t.Context()))
	return true
}

// process returns the process id of the server of a folder.
func process(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	require.NoError(t, err)
	first, _, _ := strings.Cut(string(text), "\n")
	pid, err := strconv.Atoi(first)
	require.NoError(t, err)
	return pid
}

// shortFolder is short enough for a socket.
func shortFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "marquee-pgtest-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return dir
}

func TestJoin_TheServerEndsWithItsLastUser(t *testing.T) {
	t.Parallel()
	dir := shortFolder(t)
	members := make([]*exec.Cmd, 3)
	var starts errgroup.Group
	for i := range members {
		starts.Go(func() error {
			members[i] = startMember(t, dir)
			return nil
		})
	}
	require.NoError(t, starts.Wait())
	pid := process(t, dir)
	for i, m := range members {
		require.True(t, answers(t, dir), "member %d of %d", i, len(members))
		require.NoError(t, m.Process.Kill())
		require.Error(t, m.Wait())
	}
	requireEnded(t, pid)

	// The next run uses the same data and drops what the killed one left.
	require.NoError(t, startMember(t, dir).Process.Kill())
}

func TestJoin_StartsAServerInPlaceOfAKilledOne(t *testing.T) {
	t.Parallel()
	dir := shortFolder(t)
	startMember(t, dir)
	require.NoError(t, execute(t.Context(), server{dir: dir}.url("postgres"), "CREATE DATABASE "+testPrefix+"left"))
	pid := process(t, dir)
	killed, err := os.FindProcess(pid)
	require.NoError(t, err)
	require.NoError(t, killed.Kill())
	requireEnded(t, pid)
	require.Eventually(t, func() bool { return !answers(t, dir) }, 20*time.Second, 20*time.Millisecond)
	startMember(t, dir)
	require.True(t, answers(t, dir))
	_, err = pgx.Connect(t.Context(), server{dir: dir}.url(testPrefix+"left"))
	require.ErrorContains(t, err, "does not exist")
}

func requireEnded(t *testing.T, pid int) {
	t.Helper()
	process, err := os.FindProcess(pid)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		return process.Signal(syscall.Signal(0)) != nil
	}, 20*time.Second, 20*time.Millisecond, "process %d", pid)
}

func TestChosen_RejectsAnUnknownEngine(t *testing.T) {
	for engine, chosen := range map[string]bool{"": false, "sqlite": false, "postgres": true} {
		t.Setenv("MARQUEE_TEST_ENGINE", engine)
		require.Equal(t, chosen, Chosen(), engine)
	}
	t.Setenv("MARQUEE_TEST_ENGINE", "postgresql")
	require.PanicsWithValue(t, "MARQUEE_TEST_ENGINE is postgresql: it must be sqlite or postgres",
		func() { Chosen() })
}
