//go:build unix

package pgtest

import (
	"errors"
	"fmt"
	"path/filepath"
	"syscall"
)

// lock is the descriptor of a locked file.
type lock int

const (
	shared    = syscall.LOCK_SH
	exclusive = syscall.LOCK_EX
)

// openLock opens a file of the shared folder and waits for a lock on it.
func openLock(dir, name string, how int) (lock, error) {
	path := filepath.Join(dir, name)
	descriptor, err := syscall.Open(path, syscall.O_CREAT|syscall.O_RDWR|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return 0, fmt.Errorf("open %s: %w", path, err)
	}
	for {
		err = syscall.Flock(descriptor, how)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err != nil {
		return 0, fmt.Errorf("lock %s: %w", path, errors.Join(err, syscall.Close(descriptor)))
	}
	return lock(descriptor), nil
}

func (l lock) release() { _ = syscall.Close(int(l)) }

// ownSession shields a process from signals of the terminal.
func ownSession() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
