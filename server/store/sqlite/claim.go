package sqlite

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"marquee/server/platform"
)

// Claim is the exclusive right of one process to serve a database. It is a kernel lock on a file next to the database,
// so that it ends with the process, even after a crash. SQLite itself would allow a second server process, with a
// second clock and a second job runner. Processes that only read or verify the books work without a claim.
type Claim struct{ file *os.File }

// ErrClaimed means that another process serves the database. Its text is the end of a sentence that begins with
// "database" and the path.
var ErrClaimed = errors.New("is served by another process")

const claimMode = 0o640

// TakeClaim claims the database at path. holder is one line that describes this process. Another process that tries to
// claim the database gets an error with that line. The folder must exist. TakeClaim returns ErrClaimed with the
// description of the other process if the database is claimed.
func TakeClaim(path, holder string) (_ *Claim, err error) {
	defer func() { err = failure(err) }()
	file, err := os.OpenFile(claimFile(path), os.O_RDWR|os.O_CREATE, claimMode)
	if err != nil {
		return nil, fmt.Errorf("sqlite: claim %s: %w", path, err)
	}
	if err := platform.TryLock(file); err != nil {
		defer file.Close()
		if !errors.Is(err, platform.ErrLocked) {
			return nil, fmt.Errorf("sqlite: claim %s: %w", path, err)
		}
		other, _ := io.ReadAll(io.LimitReader(file, 1024)) // the holder is only information for the error text
		return nil, fmt.Errorf("database %s %w: %s", path, ErrClaimed, strings.TrimSpace(string(other)))
	}
	c := &Claim{file}
	if err := c.note(holder); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: claim %s: %w", path, err), c.Release())
	}
	return c, nil
}

// claimFile returns the name of the lock file, which is the same for all paths to a database.
func claimFile(path string) string {
	if found, err := filepath.EvalSymlinks(path); err == nil {
		path = found
	}
	return path + ".lock"
}

// WasClaimed reports whether any process has ever claimed the database at path. If it is false, there is no lock file
// and no process serves the database.
func WasClaimed(path string) bool {
	_, err := os.Lstat(claimFile(path))
	return !errors.Is(err, fs.ErrNotExist)
}

// note writes the holder into the lock file.
func (c *Claim) note(holder string) error {
	if err := c.file.Truncate(0); err != nil {
		return err
	}
	_, err := c.file.WriteAt([]byte(holder+"\n"), 0)
	return err
}

// Release ends the claim. It keeps the file: if it were removed, two processes could lock two files of the same name.
func (c *Claim) Release() error { return c.file.Close() }
