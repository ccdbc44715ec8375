package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"marquee/server/orders"
	"marquee/server/store/sqlite"
)

// TakeClaim claims a database, existing or not, for a process that serves it. Holder describes the process, for example
// "sim, http://127.0.0.1:8080", and is part of the error that a second process gets. The claim ends with Release or with
// the process. Commands that do not serve need no claim.
func TakeClaim(db, holder string) (*sqlite.Claim, error) {
	if err := makeFolder(db); err != nil {
		return nil, err
	}
	process := fmt.Sprintf("%s, process %d, since %s", holder, os.Getpid(), time.Now().Format(time.DateTime))
	claim, err := sqlite.TakeClaim(db, process)
	if err != nil {
		return nil, fmt.Errorf("%w; stop it, or give this one another database (MARQUEE_DB)", err)
	}
	return claim, nil
}

// LatestTime is the latest business time at which anything happened in a database; zero in an empty or missing one.
func LatestTime(ctx context.Context, path string) (latest time.Time, err error) {
	if errors.Is(mustExist(path), fs.ErrNotExist) {
		return latest, nil
	}
	db, err := sqlite.Open(path)
	if err != nil {
		return latest, fmt.Errorf("app: open MARQUEE_DB: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return db.Latest(ctx)
}

// Verify cross-checks the books of a database and returns what contradicts. It needs no provider and no secret, changes
// nothing, and may run beside a shop that serves.
func Verify(ctx context.Context, path string) (found []orders.Discrepancy, err error) {
	if err := mustExist(path); err != nil {
		return nil, err
	}
	db, err := sqlite.Open(path, sqlite.Beside())
	if err != nil {
		return nil, fmt.Errorf("app: open MARQUEE_DB: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return db.Orders().Discrepancies(ctx)
}

// Remove deletes a database that nobody serves and, unless another one shares its folder, the pictures uploaded there.
func Remove(path string) error {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	claim, err := TakeClaim(path, "its removal")
	if err != nil {
		return err
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(err, claim.Release())
		}
	}
	folder := filepath.Dir(path)
	if others, _ := filepath.Glob(filepath.Join(folder, "*.db")); len(others) == 0 {
		err = os.RemoveAll(filepath.Join(folder, avatarFolder))
	}
	return errors.Join(err, claim.Release())
}

func makeFolder(db string) error {
	if err := os.MkdirAll(filepath.Dir(db), 0o750); err != nil {
		return fmt.Errorf("app: make the folder of MARQUEE_DB: %w", err)
	}
	return nil
}

// mustExist keeps a mistyped path from becoming an empty shop in which everything agrees.
func mustExist(db string) error {
	if _, err := os.Stat(db); err != nil {
		abs, absErr := filepath.Abs(db)
		if absErr != nil {
			abs = db
		}
		return fmt.Errorf("app: there is no database at %s (MARQUEE_DB): %w", abs, err)
	}
	return nil
}
