package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"marquee/server/order"
	"os"
	"path/filepath"
	"time"

	"marquee/server/store/sqlite"
)

// TakeClaim claims a database, existing or not, for a process that serves it. Holder describes the process, for example
// "sim, http://127.0.0.1:8080", and is part of the error that a second process gets. The claim ends with Release or
// with the process. Commands that do not serve need no claim.
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

// openDatabase opens the database of a configuration, and creates its folder unless MustExist is set.
func openDatabase(cfg Config, options ...sqlite.Option) (*sqlite.DB, error) {
	prepare := makeFolder
	if cfg.MustExist {
		prepare = mustExist
	}
	if err := prepare(cfg.DB); err != nil {
		return nil, err
	}
	if cfg.Beside {
		options = append(options, sqlite.Beside())
	}
	db, err := sqlite.Open(cfg.DB, options...)
	if err != nil {
		return nil, fmt.Errorf("app: open MARQUEE_DB: %w", err)
	}
	return db, nil
}

// LatestTime returns the latest business time that a database records. It is zero if the database is empty or does not
// exist.
func LatestTime(ctx context.Context, path string) (latest time.Time, err error) {
	if errors.Is(mustExist(path), fs.ErrNotExist) {
		return latest, nil
	}
	db, err := openDatabase(Config{DB: path})
	if err != nil {
		return latest, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return db.Latest(ctx)
}

// Verify cross-checks ledger, seats, stock, codes, payments and orders of a database and returns every contradiction.
// It needs no provider and no secret, changes nothing, and may run beside a shop that serves the database. It returns
// an error if the database does not exist.
func Verify(ctx context.Context, path string) (found []order.Discrepancy, err error) {
	db, err := openDatabase(Config{DB: path, MustExist: true, Beside: true})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return db.Orders().Discrepancies(ctx)
}

// Remove deletes a database. It deletes the uploaded pictures as well, unless another database shares the folder. It
// returns an error if a process serves the database, and nil if there is none.
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

// makeFolder creates the folder of a database.
func makeFolder(db string) error {
	if err := os.MkdirAll(filepath.Dir(db), 0o750); err != nil {
		return fmt.Errorf("app: make the folder of MARQUEE_DB: %w", err)
	}
	return nil
}

// mustExist returns an error with the absolute path if the database does not exist. SQLite would create an empty one at
// a mistyped path.
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
