package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"marquee/server/store/postgres/pgserver"
)

// One server for all test processes.
//
// A process that needs it holds a shared lock on the file users until it ends, however it ends: the kernel releases the
// lock. The first process starts a supervisor, in a separate session so that Ctrl-C does not reach it. The supervisor
// starts the server and waits for an exclusive lock on users, which it gets when the last process has ended. Then it
// stops the server. If the supervisor is killed, the kernel kills the server.
//
// The files are opened by system calls: go test treats files inside the module that a test opens by package os as its
// inputs, and a lock file would defeat the caching of results.

// supervise is the environment variable that turns a test binary into a supervisor. Its value is the folder of the
// server.
const supervise = "MARQUEE_PGTEST_SUPERVISE"

// server is the shared server as a test process sees it.
type server struct {
	dir string
	// admin is connected to the database postgres. Its connections are kept until the process ends, because opening one
	// costs more than the queries of a test. It is nil unless join has returned the server.
	admin *pgxpool.Pool
}

func (s server) url(database string) string { return pgserver.URLOfFolder(s.dir, database) }

// join returns the shared server, and starts it if it is not running. The server then runs at least until this process
// ends.
var join = func() func(context.Context) (server, error) {
	var mu sync.Mutex
	var joined *server
	return func(ctx context.Context) (server, error) {
		mu.Lock()
		defer mu.Unlock()
		if joined != nil {
			return *joined, nil
		}
		dir, err := pgserver.SharedFolder()
		if err != nil {
			return server{}, err
		}
		s, err := joinAt(ctx, dir)
		if err != nil {
			return server{}, fmt.Errorf("start PostgreSQL for the tests: %w", err)
		}
		if s.admin, err = pgxpool.New(context.WithoutCancel(ctx), s.url("postgres")); err != nil {
			return server{}, err
		}
		joined = &s
		return s, nil
	}
}()

// joinAt takes the shared lock on the file users and keeps it, then starts the server if it is not running.
func joinAt(ctx context.Context, dir string) (server, error) {
	if _, err := openLock(dir, "users", shared); err != nil {
		return server{}, err
	}
	starting, err := openLock(dir, "starting", exclusive)
	if err != nil {
		return server{}, err
	}
	defer starting.release()
	s := server{dir: dir}
	if conn, err := pgx.Connect(ctx, s.url("postgres")); err == nil {
		return s, conn.Close(ctx)
	}
	if err := s.start(ctx); err != nil {
		return server{}, err
	}
	conn, err := pgx.Connect(ctx, s.url("postgres"))
	if err != nil {
		return server{}, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return s, dropDatabases(ctx, conn, testPrefix)
}

// start starts the supervisor and returns when the server accepts connections.
func (s server) start(ctx context.Context) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	supervisor := exec.Command(program)
	supervisor.Env = append(os.Environ(), supervise+"="+s.dir)
	supervisor.SysProcAttr = ownSession()
	answer, err := supervisor.StdoutPipe()
	if err != nil {
		return err
	}
	if err := supervisor.Start(); err != nil {
		return err
	}
	text := make(chan string, 1)
	go func() {
		var line [4096]byte
		n, _ := answer.Read(line[:])
		text <- string(line[:n])
		_ = supervisor.Wait() // without this it would remain a zombie
	}()
	select {
	case line := <-text:
		if line != ready {
			return errors.New(strings.TrimSpace(line))
		}
		return nil
	case <-ctx.Done():
		return errors.Join(ctx.Err(), supervisor.Process.Kill())
	}
}
