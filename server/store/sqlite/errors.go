package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"marquee/server/store"
)

// isUnique reports whether err is a violated UNIQUE constraint or primary key (extended codes 2067, 1555, 2579).
func isUnique(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return true
	}
	return false
}

// isCheck reports whether err is a violated CHECK constraint (extended code 275).
func isCheck(err error) bool { return code(err) == sqlite3.SQLITE_CONSTRAINT_CHECK }

// code returns the extended result code of an SQLite error, or 0 for other errors.
func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

// isBusy reports whether another connection holds the requested lock.
func isBusy(err error) bool {
	const primary = 0xff
	return code(err)&primary == sqlite3.SQLITE_BUSY
}

// Classify implements store.Engine. A trigger of the schema has its own extended code (1811).
func (db *DB) Classify(err error) store.ErrorClass {
	const primary = 0xff // the extended codes of a constraint share their low byte
	switch c := code(err); {
	case err == nil:
		return store.NotOfEngine
	case isUnique(err):
		return store.UniqueViolation
	case isCheck(err):
		return store.CheckViolation
	case c == sqlite3.SQLITE_CONSTRAINT_TRIGGER:
		return store.RuleViolation
	case c&primary == sqlite3.SQLITE_CONSTRAINT:
		return store.OtherViolation
	case c != 0:
		return store.EngineFailure
	}
	for _, cause := range []error{
		errClosed, context.Canceled, context.DeadlineExceeded, sql.ErrTxDone, sql.ErrConnDone, driver.ErrBadConn,
	} {
		if errors.Is(err, cause) {
			return store.EngineFailure
		}
	}
	return store.NotOfEngine
}

// failures maps the low byte of SQLite's extended codes to failure codes. SQLITE_NOTADB means damage here, because
// Inspect has already rejected files that are not databases.
var failures = map[int]store.FailureCode{
	sqlite3.SQLITE_CORRUPT:  store.Damaged,
	sqlite3.SQLITE_NOTADB:   store.Damaged,
	sqlite3.SQLITE_FULL:     store.DiskFull,
	sqlite3.SQLITE_IOERR:    store.DiskFailed,
	sqlite3.SQLITE_READONLY: store.ReadOnly,
	sqlite3.SQLITE_CANTOPEN: store.NoAccess,
	sqlite3.SQLITE_PERM:     store.NoAccess,
	sqlite3.SQLITE_BUSY:     store.Busy,
	sqlite3.SQLITE_LOCKED:   store.Busy,
}

// failure wraps an error of SQLite or of the file system in a failure of package store, unless it is a violation of the
// schema or an error of the caller's function.
func failure(err error) error {
	if err == nil {
		return nil
	}
	if found, ok := failures[code(err)&0xff]; ok {
		return store.Fail(found, err)
	}
	switch {
	case errors.Is(err, syscall.EROFS):
		return store.Fail(store.ReadOnly, err)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		return store.Fail(store.DiskFull, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
		return store.Fail(store.NoAccess, err)
	case errors.Is(err, fs.ErrNotExist):
		return store.Fail(store.NotFound, err)
	}
	return err
}

// isDiskFault reports whether a write failed because of the disk or the file: it is full, failing, read-only or
// corrupt. The low byte of an extended code is the code.
func isDiskFault(err error) bool {
	switch code(err) & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CORRUPT,
		sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CANTOPEN:
		return true
	}
	return false
}
