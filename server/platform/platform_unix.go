//go:build unix

package platform

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// TryLock takes the exclusive lock of a file, or returns ErrLocked. The lock ends when the file is closed, or when the
// process ends for any reason.
func TryLock(file *os.File) error {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return ErrLocked
	}
	return err
}

// FreeSpace returns how many bytes are free for this user on the disk of a folder.
func FreeSpace(folder string) (uint64, error) {
	var disk unix.Statfs_t
	if err := unix.Statfs(folder, &disk); err != nil {
		return 0, err
	}
	return uint64(disk.Bavail) * uint64(disk.Bsize), nil
}

// Child prepares a command so that Ctrl-C in a terminal reaches only this process, which then ends the child itself. On
// Linux the kernel kills the child when the thread that started it dies, so that it does not outlive a killed parent.
func Child(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	killWithParent(cmd.SysProcAttr)
}

// ProcessorTime returns the processor time that this process has used, in user and kernel mode together.
func ProcessorTime() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // Getrusage does not fail for the calling process
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
