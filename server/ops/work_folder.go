package ops

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"marquee/server/platform"
)

// WorkFolder is a folder for the unfinished files of a command. If the process is killed, the next command that makes
// such a folder in the same parent removes it, because the files contain phones and accounts.
type WorkFolder struct {
	Path string
	lock *os.File // locked by the kernel until the process ends
}

const (
	workFolderPrefix = ".marquee-work-"
	workFolderLock   = "lock" // the file in the folder that is locked
)

// NewWorkFolder makes a folder in parent, readable by its owner only. It first removes the folders of killed commands.
func NewWorkFolder(parent string) (*WorkFolder, error) {
	if err := removeAbandoned(parent); err != nil {
		return nil, err
	}
	path, err := os.MkdirTemp(parent, workFolderPrefix)
	if err != nil {
		return nil, err
	}
	// The file gets its name after it is locked, so that another command does not remove the folder in between.
	unnamed := filepath.Join(path, "new-"+workFolderLock)
	lock, err := os.OpenFile(unnamed, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(path))
	}
	err = platform.TryLock(lock)
	if err == nil {
		err = os.Rename(unnamed, filepath.Join(path, workFolderLock))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), lock.Close(), os.RemoveAll(path))
	}
	return &WorkFolder{Path: path, lock: lock}, nil
}

// Unlock releases the lock but does not remove the folder, as if the process had been killed.
func (f *WorkFolder) Unlock() error { return f.lock.Close() }

// Remove removes the folder with its files.
func (f *WorkFolder) Remove() error { return errors.Join(os.RemoveAll(f.Path), f.Unlock()) }

// removeAbandoned removes the folders of killed commands in parent. It ignores folders of other users.
func removeAbandoned(parent string) error {
	folders, err := filepath.Glob(filepath.Join(parent, workFolderPrefix+"*"))
	if err != nil {
		return err
	}
	for _, folder := range folders {
		lock, err := os.OpenFile(filepath.Join(folder, workFolderLock), os.O_RDWR, 0)
		if err != nil {
			continue // it belongs to another user, or another command has removed it
		}
		if err = platform.TryLock(lock); err == nil {
			err = os.RemoveAll(folder)
		} else {
			err = nil // the command that made the folder is still running
		}
		if err = errors.Join(err, lock.Close()); err != nil {
			return fmt.Errorf("remove what a killed command left: %w", err)
		}
	}
	return nil
}
