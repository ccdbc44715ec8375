package pgserver

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// URLOfFolder returns the URL of a database of the server whose Options.Dir is the folder. The path of its socket must
// not be too long for the kernel; that of SharedFolder is not.
func URLOfFolder(dir, database string) string { return socketURL(dir, database) }

// SharedFolder returns the folder of the server that all tests of the module share, and creates it.
//
// It is in memory if there is a file system in memory with enough room, because creating and deleting the 330 files of
// a database on ext4 costs more than a test. Otherwise it is in .tools of the module or, if that path is too long or
// the user of the server cannot reach it, in the folder of temporary files.
func SharedFolder() (string, error) {
	root, err := ModuleRoot()
	if err != nil {
		return "", err
	}
	owner, err := findOwner()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(root))
	name := fmt.Sprintf("marquee-postgres-%s-%x", Version(), sum[:8])
	tools := filepath.Join(root, ".tools")
	dir := filepath.Join(tools, "postgres-"+Version())
	switch {
	case hasRoom(memory):
		tools, dir = memory, filepath.Join(memory, name)
	case owner.chown || len(filepath.Join(dir, socketName)) > longestSocket:
		tools, dir = os.TempDir(), filepath.Join(os.TempDir(), name)
	}
	// System calls are used because go test treats a folder that package os looks up as an input of the test.
	for _, folder := range []string{tools, dir} {
		if err := syscall.Mkdir(folder, 0o755); err != nil && !errors.Is(err, syscall.EEXIST) {
			return "", fmt.Errorf("postgres: make %s: %w", folder, err)
		}
	}
	if err := syscall.Chmod(dir, 0o700); err != nil {
		return "", fmt.Errorf("postgres: protect %s: %w", dir, err)
	}
	return dir, owner.own(dir)
}

// memory is the mount point of a file system in memory for all users on Linux.
const memory = "/dev/shm"
