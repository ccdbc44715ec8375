package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"marquee/server/order"
)

// IsUnique reports whether err is a violated UNIQUE constraint or primary key (extended codes 2067, 1555, 2579).
func IsUnique(err error) bool {
	switch code(err) {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return true
	}
	return false
}

// IsCheck reports whether err is a violated CHECK constraint (extended code 275).
func IsCheck(err error) bool { return code(err) == sqlite3.SQLITE_CONSTRAINT_CHECK }

// code returns the extended result code of a SQLite error, 0 for other errors.
func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code()
	}
	return 0
}

// isBusy reports whether another connection holds the lock that was asked for.
func isBusy(err error) bool {
	const primary = 0xff
	return code(err)&primary == sqlite3.SQLITE_BUSY
}

// isTrigger reports whether a trigger of the schema refused the change (extended code 1811).
func isTrigger(err error) bool { return code(err) == sqlite3.SQLITE_CONSTRAINT_TRIGGER }

// engineFailure makes an error match order.ErrStoreFailed if the engine caused it, and not a rule of the schema or the
// caller's own function.
func engineFailure(err error) error {
	engine := false
	if c := code(err); c != 0 {
		const primary = 0xff // the extended codes of a constraint share their low byte
		engine = c&primary != sqlite3.SQLITE_CONSTRAINT
	} else {
		for _, cause := range []error{
			ErrClosed, context.Canceled, context.DeadlineExceeded, sql.ErrTxDone, sql.ErrConnDone, driver.ErrBadConn,
		} {
			engine = engine || errors.Is(err, cause)
		}
	}
	if !engine {
		return err
	}
	return fmt.Errorf("%w: %w", order.ErrStoreFailed, err)
}

// isDiskFault reports whether the disk or the file refused a write: it is full, fails, is read-only or is corrupt. The
// low byte of an extended code is the code.
func isDiskFault(err error) bool {
	switch code(err) & 0xff {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CORRUPT,
		sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CANTOPEN:
		return true
	}
	return false
}
