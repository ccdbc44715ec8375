package pgserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// StandbyName is the application_name of a standby, for synchronous_standby_names.
const StandbyName = "standby"

// NewStandby copies the running server and starts the copy as a streaming standby. Options are those of Start. Because
// the package has no pg_basebackup, it uses pg_backup_start, a copy of the files, and pg_backup_stop.
func (s *Server) NewStandby(ctx context.Context, o Options) (_ *Server, err error) {
	standby := newServer(o.Dir, s.owner)
	defer func() {
		if err != nil {
			err = errors.Join(err, standby.Kill())
		}
	}()
	if err := standby.prepare(o); err != nil {
		return nil, err
	}
	if err := s.copyTo(ctx, standby); err != nil {
		return nil, err
	}
	settings := map[string]string{
		"primary_conninfo": fmt.Sprintf("host=%s user=%s application_name=%s", s.socket, User, StandbyName),
	}
	maps.Copy(settings, o.Settings)
	o.Settings = settings
	if err := standby.configure(o); err != nil {
		return nil, err
	}
	if err := standby.run(); err != nil {
		return nil, err
	}
	if err := standby.await(ctx); err != nil {
		return nil, err
	}
	return standby, s.awaitStreaming(ctx)
}

// copyTo creates the data folder of a standby.
func (s *Server) copyTo(ctx context.Context, standby *Server) error {
	conn, err := pgx.Connect(ctx, s.URL("postgres")) // the backup belongs to this connection
	if err != nil {
		return fmt.Errorf("postgres: connect: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, `SELECT pg_backup_start('standby', true)`); err != nil {
		return fmt.Errorf("postgres: begin the copy: %w", err)
	}
	if err := standby.copyData(s.data()); err != nil {
		return fmt.Errorf("postgres: copy the data: %w", err)
	}
	var label string
	if err := conn.QueryRow(ctx, `SELECT labelfile FROM pg_backup_stop(false)`).Scan(&label); err != nil {
		return fmt.Errorf("postgres: end the copy: %w", err)
	}
	for name, text := range map[string]string{"backup_label": label, "standby.signal": ""} {
		file := filepath.Join(standby.data(), name)
		if err := errors.Join(os.WriteFile(file, []byte(text), 0o600), standby.owner.own(file)); err != nil {
			return fmt.Errorf("postgres: mark the copy: %w", err)
		}
	}
	return nil
}

// leftOut are folders whose content a copy does not need: the standby streams the log.
var leftOut = map[string]bool{"pg_wal": true, "pg_replslot": true, "pg_dynshmem": true, "pg_stat_tmp": true}

// copyData copies a data folder while its server writes to it, so that files may vanish during the copy.
func (s *Server) copyData(from string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		to := filepath.Join(s.data(), name)
		top, _, below := strings.Cut(name, string(filepath.Separator))
		switch {
		case name == "postmaster.pid" || name == "postmaster.opts", below && leftOut[top] && !entry.IsDir():
			return nil
		case entry.IsDir():
			return errors.Join(os.MkdirAll(to, 0o700), s.owner.own(to))
		}
		if err := copyFile(path, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return s.owner.own(to)
	})
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}

// awaitStreaming returns when the standby has everything that this server has written.
func (s *Server) awaitStreaming(ctx context.Context) error {
	const query = `SELECT EXISTS (SELECT FROM pg_stat_replication WHERE application_name = $1 AND state = 'streaming'
		AND flush_lsn = pg_current_wal_lsn())`
	return s.awaitTrue(ctx, query, StandbyName)
}

// awaitTrue returns when a query returns true.
func (s *Server) awaitTrue(ctx context.Context, query string, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return fmt.Errorf("postgres: connect: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		var holds bool
		if err := conn.QueryRow(ctx, query, args...).Scan(&holds); err != nil || holds {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// RequireStandby makes every further commit of this server wait until the standby has it.
func (s *Server) RequireStandby(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return fmt.Errorf("postgres: connect: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for _, statement := range []string{
		"ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (" + StandbyName + ")'", "SELECT pg_reload_conf()",
	} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return fmt.Errorf("postgres: require the standby: %w", err)
		}
	}
	if err := s.awaitTrue(ctx, `SELECT EXISTS (SELECT FROM pg_stat_replication WHERE sync_state = 'quorum')`); err != nil {
		return err
	}
	// Commits wait for the standby only after the checkpointer process has read the setting, too. It does so before it
	// makes a checkpoint.
	if _, err := conn.Exec(ctx, "CHECKPOINT"); err != nil {
		return fmt.Errorf("postgres: require the standby: %w", err)
	}
	return nil
}

// HoldBackLog stops sending the log to the standby, which then falls behind.
func (s *Server) HoldBackLog(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.URL("postgres"))
	if err != nil {
		return fmt.Errorf("postgres: connect: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var sender int
	if err := conn.QueryRow(ctx, `SELECT pid FROM pg_stat_replication`).Scan(&sender); err != nil {
		return fmt.Errorf("postgres: find the sender of the log: %w", err)
	}
	if err := kill(sender, sigStop); err != nil {
		return fmt.Errorf("postgres: stop the sender of the log: %w", err)
	}
	return s.frozen.watch(sender)
}

// Promote makes a standby a primary, and returns when it accepts writes.
func (s *Server) Promote(ctx context.Context) error {
	return s.awaitTrue(ctx, `SELECT pg_promote(true, 60)`)
}

// Crash ends all processes of the server at once with SIGKILL, as the loss of its machine would.
func (s *Server) Crash() error {
	if err := s.Freeze(); err != nil {
		return err
	}
	return errors.Join(s.signalAll(syscall.SIGKILL), s.Kill())
}

// Freeze stops every process of the server, so that its connections stay open and nothing answers.
func (s *Server) Freeze() error {
	// Stop the first process first, so that it starts no others.
	if err := errors.Join(s.cmd.Process.Signal(sigStop), s.signalAll(sigStop)); err != nil {
		return err
	}
	pids, err := childrenOf(s.PID())
	if err != nil {
		return err
	}
	return s.frozen.watch(append(pids, s.PID())...)
}

// Thaw lets a frozen server continue.
func (s *Server) Thaw() error { return errors.Join(s.signalAll(sigContinue), s.frozen.release()) }

// signalAll sends a signal to the processes that the server's first process has started, then to the first process.
func (s *Server) signalAll(signal syscall.Signal) error {
	pids, err := childrenOf(s.PID())
	if err != nil {
		return err
	}
	for _, pid := range pids {
		if err := kill(pid, signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
			return fmt.Errorf("postgres: signal process %d: %w", pid, err)
		}
	}
	if err := s.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("postgres: signal the server: %w", err)
	}
	return nil
}

// kill signals a process. It returns os.ErrProcessDone if there is none with that id.
func kill(pid int, signal syscall.Signal) error {
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return process.Signal(signal)
}

// processIDs parses a list of process ids.
func processIDs(fields []string) (pids []int, err error) {
	for _, field := range fields {
		pid, err := strconv.Atoi(field)
		if err != nil {
			return nil, fmt.Errorf("postgres: list the processes: %w", err)
		}
		pids = append(pids, pid)
	}
	return pids, nil
}

// Failover returns a URL with both servers: it leads to a database on this server or, after the standby has become the
// primary, on the standby.
func (s *Server) Failover(standby *Server, database string) string {
	return failoverURL(database, s.socket, standby.socket)
}
