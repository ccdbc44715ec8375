package pgtest

import (
	"errors"
	"syscall"
)

type lock int

const shared, exclusive = 1, 2

// openLock fails: pgserver starts no server on Windows.
func openLock(string, string, int) (lock, error) {
	return 0, errors.New("tests on PostgreSQL need Linux or macOS")
}

func (lock) release() {}

func ownSession() *syscall.SysProcAttr { return nil }
