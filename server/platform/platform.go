// Package platform holds the code that differs between operating systems: locks on files, the free space of a disk, and
// child processes. Outside tests, no other package depends on the operating system.
package platform

import (
	"errors"
	"os/exec"
	"runtime"
)

// ErrLocked means that another process, or another open file of this one, holds the lock.
var ErrLocked = errors.New("the file is locked")

// StartChild starts a command as Child describes. ended is closed when the process has ended. The kernel kills a child
// when the thread that started it ends, so that thread waits for the child.
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
			_ = cmd.Wait() // the caller sees from its output or log why it ended
		}
	}()
	return done, <-started
}
