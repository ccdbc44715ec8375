package main

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// limitFiles makes a write of this process fail where a file would grow beyond the limit, in bytes.
func limitFiles(limit uint64) error {
	signal.Ignore(syscall.SIGXFSZ) // it would end the process: a write fails instead
	return syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit})
}

// withoutRights runs a command of root in a user namespace, in which root is not exempt from the rights of files. Its
// name in there is "nobody".
func withoutRights(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 65534, HostID: 0, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 65534, HostID: os.Getegid(), Size: 1}},
	}
}
