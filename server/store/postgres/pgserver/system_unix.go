//go:build unix

package pgserver

import (
	"io/fs"
	"os"
	"os/exec"
	"syscall"
)

const (
	sigStop     = syscall.SIGSTOP
	sigContinue = syscall.SIGCONT
)

// supported is nil, because the servers of the npm packages can be started on this system. On Windows it is an error.
var supported error

// asNobody returns the attributes with which root starts a program as nobody.
func asNobody() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
}

// ownedByThisUser reports whether a file belongs to the user of this process.
func ownedByThisUser(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// detach keeps Ctrl-C in a terminal from ending a command.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
