//go:build !linux

package pgserver

import (
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// namespace returns nil: only Linux has user namespaces.
func namespace() *syscall.SysProcAttr { return nil }

// hasRoom returns false: only Linux mounts a file system in memory for all users.
func hasRoom(string) bool { return false }

// childrenOf returns the processes that a process has started.
func childrenOf(pid int) ([]int, error) {
	text, err := exec.Command("pgrep", "-P", strconv.Itoa(pid)).Output()
	var none *exec.ExitError
	if err != nil && !(errors.As(err, &none) && none.ExitCode() == 1) { // 1: it has none
		return nil, fmt.Errorf("postgres: list the processes: %w", err)
	}
	return processIDs(strings.Fields(string(text)))
}
