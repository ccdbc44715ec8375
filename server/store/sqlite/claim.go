package sqlite

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Claim says that one process serves a database: the kernel's lock on a file beside it, which ends with the process
// however that ends. SQLite itself would let a second one in, and two clocks and two job runners with it. Reading
// along or doing the books meanwhile needs no claim.
type Claim struct{ file *os.File }

// ErrClaimed says that another process serves the database.
var ErrClaimed = errors.New("is served by another process")

const claimMode = 0o640

// TakeClaim claims the database at path for a holder, which is one line that the next one is told. The folder must be
// there.
func TakeClaim(path, holder string) (*Claim, error) {
	real := path
	if found, err := filepath.EvalSymlinks(path); err == nil {
		real = found // one database is one claim by whatever name
	}
	file, err := os.OpenFile(real+".lock", os.O_RDWR|os.O_CREATE, claimMode)
	if err != nil {
		return nil, fmt.Errorf("sqlite: claim %s: %w", path, err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		defer file.Close()
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, fmt.Errorf("sqlite: claim %s: %w", path, err)
		}
		other, _ := io.ReadAll(io.LimitReader(file, 1024)) // who it is only makes the refusal clearer
		return nil, fmt.Errorf("database %s %w: %s", path, ErrClaimed, strings.TrimSpace(string(other)))
	}
	c := &Claim{file}
	if err := c.note(holder); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: claim %s: %w", path, err), c.Release())
	}
	return c, nil
}

func (c *Claim) note(holder string) error {
	if err := c.file.Truncate(0); err != nil {
		return err
	}
	_, err := c.file.WriteAt([]byte(holder+"\n"), 0)
	return err
}

// Release lets the next process in. The file stays: removing it would let two processes lock two files of one name.
func (c *Claim) Release() error { return c.file.Close() }
