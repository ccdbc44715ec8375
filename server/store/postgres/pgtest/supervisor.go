package pgtest

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"marquee/server/store/postgres/pgserver"
)

// ready is what a supervisor prints when its server accepts connections. Anything else is an error.
const ready = "ready\n"

// A test binary that is started with the environment variable supervise is a supervisor and runs no tests.
func init() {
	dir := os.Getenv(supervise)
	if dir == "" {
		return
	}
	signal.Ignore(syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE) // the server ends with the last process that uses it
	if err := runSupervisor(dir); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(0)
}

// runSupervisor starts the server, and stops it when the last test process that uses it has ended.
func runSupervisor(dir string) error {
	if err := forgetCrashedData(dir); err != nil {
		return err
	}
	s, err := pgserver.Start(context.Background(), pgserver.Options{Dir: dir, Settings: map[string]string{
		"autovacuum":      "off", // the databases exist for seconds
		"max_wal_size":    "1GB", // a checkpoint during a test would slow it
		"wal_level":       "minimal",
		"max_wal_senders": "0",
	}})
	if err != nil {
		return err
	}
	fmt.Print(ready)
	unused := make(chan error, 1)
	go func() {
		_, err := openLock(dir, "users", exclusive) // held until this process has ended
		unused <- err
	}()
	select {
	case err = <-unused:
	case <-s.Exited():
	}
	if stopped := s.Stop(); err == nil {
		err = stopped
	}
	return err
}

// forgetCrashedData deletes the data of a server that ran before the machine was last started. The server does not wait
// for the disk, so data from before a crash of the machine may be corrupt.
func forgetCrashedData(dir string) error {
	boot, err := bootID()
	if err != nil {
		return err
	}
	file := filepath.Join(dir, "boot-id")
	if of, err := os.ReadFile(file); err == nil && strings.TrimSpace(string(of)) == strings.TrimSpace(string(boot)) {
		return nil
	}
	if err := os.RemoveAll(filepath.Join(dir, "data")); err != nil {
		return err
	}
	return os.WriteFile(file, boot, 0o600)
}
