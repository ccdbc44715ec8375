package pgserver

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// namespace returns the attributes to run a program in a user namespace in which this user is nobody.
func namespace() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: nobody, HostID: os.Geteuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: nobody, HostID: os.Getegid(), Size: 1}},
	}
}

// hasRoom reports whether a folder is a file system in memory with 2 GiB to spare. Containers often have 64 MiB.
func hasRoom(folder string) bool {
	const tmpfs, wanted = 0x01021994, 2 << 30
	var fs syscall.Statfs_t
	return syscall.Statfs(folder, &fs) == nil && fs.Type == tmpfs && fs.Bavail*uint64(fs.Bsize) >= wanted
}

// childrenOf returns the processes that a process has started.
func childrenOf(pid int) ([]int, error) {
	first := strconv.Itoa(pid)
	text, err := os.ReadFile(filepath.Join("/proc", first, "task", first, "children"))
	if err != nil {
		return nil, fmt.Errorf("postgres: list the processes: %w", err)
	}
	return processIDs(strings.Fields(string(text)))
}
