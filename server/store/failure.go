package store

import (
	"errors"
	"fmt"

	"marquee/server/fault"
	"marquee/server/order"
)

// FailureCode is the stable code of a database failure. Operators and clients see it: a code is never renamed and never
// reused.
type FailureCode string

// The failures. Those up to Closed can occur on both engines, the others on one.
const (
	BadURL        FailureCode = "db_url_invalid"
	NotFound      FailureCode = "db_not_found"
	OlderSchema   FailureCode = "db_schema_older"
	NewerSchema   FailureCode = "db_schema_newer"
	OtherSchema   FailureCode = "db_schema_differs"
	ReadOnly      FailureCode = "db_read_only"
	DiskFull      FailureCode = "db_disk_full"
	DiskFailed    FailureCode = "db_disk_failed"
	Damaged       FailureCode = "db_damaged"
	Closed        FailureCode = "db_closed"
	OldLibrary    FailureCode = "db_library_too_old" // SQLite
	NoAccess      FailureCode = "db_no_access"       // SQLite
	Busy          FailureCode = "db_busy"            // SQLite
	LoginRejected FailureCode = "db_login_refused"   // PostgreSQL, as all codes from here on
	Unreachable   FailureCode = "db_unreachable"
	TooOldServer  FailureCode = "db_server_too_old"
	// PoolerBetween means that a command needs a direct connection to the server: a pooler in transaction mode does not
	// keep session locks.
	PoolerBetween FailureCode = "db_pooler"
	NoRights      FailureCode = "db_no_rights"
	UnknownRole   FailureCode = "db_role_unknown"
	Unverified    FailureCode = "db_tls_required"
	BadMigration  FailureCode = "db_migration_failed"
	PoolEmpty     FailureCode = "db_pool_empty"
	TookTooLong   FailureCode = "db_statement_timeout"
	Locked        FailureCode = "db_locked"
	Lost          FailureCode = "db_connection_lost"
	// CommitUnknown means that COMMIT was sent and its answer was lost. The caller can repeat the call with its
	// idempotency key.
	CommitUnknown FailureCode = "db_commit_unknown"
	Conflicts     FailureCode = "db_conflict"
	ClockSkew     FailureCode = "db_clock_skew"
)

// sentences holds the meaning of each code, and what to do if that is not obvious.
var sentences = map[FailureCode]string{
	BadURL:      "MARQUEE_DB is neither a valid postgres:// URL nor the path of a file",
	NotFound:    "there is no database",
	OlderSchema: "the schema of the database is older than this release needs; run shop migrate",
	NewerSchema: "the schema of the database is of a later release and not supported by this one",
	OtherSchema: "the schema of the database was made by a development build, from which no migration leads here: go " +
		"on with that build, which can also back it up and restore it, or serve another database; a simulated shop " +
		"is deleted with make sim-reset",
	ReadOnly: "the database cannot be written: it is a standby, the file system is read-only, or write permission " +
		"is missing",
	DiskFull:      "the disk of the database is full",
	DiskFailed:    "reading or writing the disk of the database failed: the disk is failing, or a quota is used up",
	Damaged:       "the file of the database is damaged; restore a backup",
	Closed:        "the database is closed",
	OldLibrary:    "SQLite 3.51.3 or later is needed",
	NoAccess:      "this user may not open the file of the database, or create files next to it",
	Busy:          "another process has been writing to the database for too long",
	LoginRejected: "the database rejected the login",
	Unreachable:   "the database cannot be reached",
	TooOldServer:  "PostgreSQL 15 or later is needed",
	PoolerBetween: "a migration needs the address of PostgreSQL in MARQUEE_DB, not that of a pooler",
	NoRights:      "the role of MARQUEE_DB lacks a right that the shop needs",
	UnknownRole:   "there is no such role; an administrator of the database creates it with CREATE ROLE … LOGIN",
	Unverified: "a production shop connects to a database on another machine only with sslmode=verify-full " +
		"(and sslrootcert=FILE) in MARQUEE_DB",
	BadMigration: "a migration of this release cannot be applied; the database is as it was",
	PoolEmpty:    "no connection to the database became free in time",
	TookTooLong:  "a statement, a lock or a transaction took longer than the database allows",
	Locked:       "another session has locked a table of the shop",
	Lost:         "the connection to the database was lost",
	CommitUnknown: "the connection was lost during a commit: the change may or may not have been saved; " +
		"repeat the same command",
	Conflicts: "the transaction conflicted with others too often",
	ClockSkew: "the clocks of this process and of the database differ by more than 5 s",
}

// failure is an error of the database that is neither a violated rule of the schema nor an error of the caller's
// function. It matches order.ErrStoreFailed and fault.ErrService. It is not a *fault.Fault, so fault.KindOf returns
// Internal: a caller must not take it for the answer of a provider.
type failure struct {
	Code FailureCode
	Err  error // may be nil
}

// Fail returns the failure with its cause, which may be nil. A cause that already is a failure is returned unchanged.
func Fail(code FailureCode, cause error) error {
	if CodeOf(cause) != "" {
		return cause
	}
	return &failure{code, cause}
}

// Error returns the code, its meaning, and the cause.
func (f *failure) Error() string {
	text := fmt.Sprintf("%s: %s", f.Code, sentences[f.Code])
	if f.Err != nil {
		text += ": " + f.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (f *failure) Unwrap() error { return f.Err }

// Is reports whether target is order.ErrStoreFailed or fault.ErrService.
func (f *failure) Is(target error) bool {
	return target == order.ErrStoreFailed || target == fault.ErrService
}

// CodeOf returns the code of a failure, or "" for other errors.
func CodeOf(err error) FailureCode {
	var f *failure
	if errors.As(err, &f) {
		return f.Code
	}
	return ""
}
