// Package platform holds the code that differs between operating systems: locks on files, the free space of a disk,
// child processes, and processor time. No other package that cmd/shop imports contains code for one operating system.
package platform

import (
	"errors"
	"os/exec"
	"runtime"
)

// ErrLocked means that another process, or another open file of this one, holds the lock.
var ErrLocked = errors.New("the file is locked")

// StartChild prepares a command as Child does, and starts it. ended is closed when the process has ended. On Linux the
// kernel kills a child when the thread that started it ends, so StartChild keeps that thread alive until the child has
// ended.
func StartChild(cmd *exec.Cmd) (ended <-chan struct{}, err error) {
	Child(cmd)
	started, done := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(done)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait() // the output or the log of the child shows why it ended
		}
	}()
	return done, <-started
}
