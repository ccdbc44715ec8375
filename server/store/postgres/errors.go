package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"marquee/server/store"
)

// Code is the stable code of a failure of the database.
type Code string

// The failures.
const (
	BadURL           Code = "db_url_invalid"
	LoginRefused     Code = "db_login_refused"
	Unreachable      Code = "db_unreachable"
	TooOldServer     Code = "db_server_too_old"
	OlderSchema      Code = "db_schema_older"
	NewerSchema      Code = "db_schema_newer"
	PoolEmpty        Code = "db_pool_empty"
	StatementTimeout Code = "db_statement_timeout"
	ConnectionLost   Code = "db_connection_lost"
	CommitUnknown    Code = "db_commit_unknown"
	ReadOnly         Code = "db_read_only"
	DiskFull         Code = "db_disk_full"
	Conflict         Code = "db_conflict"
	Closed           Code = "db_closed"
	ClockSkew        Code = "db_clock_skew"
)

var sentences = map[Code]string{
	BadURL:           "MARQUEE_DB is not a valid postgres:// URL",
	LoginRefused:     "the database refused the login",
	Unreachable:      "the database cannot be reached",
	TooOldServer:     "PostgreSQL 17 or later is needed",
	OlderSchema:      "the schema of the database is older than this release needs; run shop migrate",
	NewerSchema:      "the schema of the database is of a later release, which this one does not run on",
	PoolEmpty:        "no connection to the database became free in time",
	StatementTimeout: "a statement, a lock or a transaction took longer than the database allows",
	ConnectionLost:   "the connection to the database was lost",
	CommitUnknown:    "the connection was lost during a commit: the change may or may not have been saved",
	ReadOnly:         "the database is a read-only standby",
	DiskFull:         "the disk of the database is full",
	Conflict:         "the transaction conflicted with others too often",
	Closed:           "the database is closed",
	ClockSkew:        "the clocks of this process and of the database differ by more than 5 s",
}

// Error is a failure of the database: not a violated rule of the schema, and not an error of the caller's function.
type Error struct {
	Code Code
	Err  error // may be nil
}

// Error returns the sentence of the code, the code, and the cause.
func (e *Error) Error() string {
	text := fmt.Sprintf("postgres: %s (%s)", sentences[e.Code], e.Code)
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf returns the code of a failure, "" for other errors.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// SQLSTATE codes, and their classes of two letters.
const (
	uniqueViolation      = "23505"
	checkViolation       = "23514"
	ruleViolation        = "MQ001" // of the triggers of the schema
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	readOnlyTransaction  = "25006"
	transactionTimeout   = "25P04"
	idleInTransaction    = "25P03"
	queryCanceled        = "57014"
	lockNotAvailable     = "55P03" // lock_timeout
	diskFull             = "53100"
	tooManyConnections   = "53300"
	invalidPassword      = "28P01"
	invalidAuthorization = "28000"
	noSuchDatabase       = "3D000"
	classConstraint      = "23"
	classConnection      = "08"
	classData            = "22" // a value that its type cannot hold
	classOperator        = "57P"
)

// state returns the SQLSTATE of an error that the server sent, "" for other errors.
func state(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// failure wraps an error of a statement as an Error, unless it is a violation of the schema.
func failure(err error) error {
	if err == nil || CodeOf(err) != "" {
		return err
	}
	switch s := state(err); {
	case errors.Is(err, context.Canceled):
		return err
	case s == "":
		return &Error{ConnectionLost, err}
	case strings.HasPrefix(s, classConstraint), s == ruleViolation, s == serializationFailure, s == deadlockDetected:
		return err
	case s == readOnlyTransaction:
		return &Error{ReadOnly, err}
	case s == queryCanceled, s == lockNotAvailable, s == transactionTimeout, s == idleInTransaction:
		return &Error{StatementTimeout, err}
	case s == diskFull:
		return &Error{DiskFull, err}
	case s == tooManyConnections:
		return &Error{PoolEmpty, err}
	case strings.HasPrefix(s, classConnection), strings.HasPrefix(s, classOperator):
		return &Error{ConnectionLost, err}
	}
	return err
}

// connectFailure wraps an error of opening a connection.
func connectFailure(err error) error {
	switch s := state(err); {
	case err == nil || CodeOf(err) != "":
		return err
	case s == invalidPassword, s == invalidAuthorization, s == noSuchDatabase:
		return &Error{LoginRefused, err}
	case s == tooManyConnections:
		return &Error{PoolEmpty, err}
	case strings.Contains(err.Error(), "read only connection"): // pgx has no code for target_session_attrs
		return &Error{ReadOnly, err}
	}
	return &Error{Unreachable, err}
}

// mayRetry reports whether the server rolled the transaction back for its conflict with others.
func mayRetry(err error) bool {
	s := state(err)
	return s == serializationFailure || s == deadlockDetected
}

// Classify implements store.Engine.
func (db *DB) Classify(err error) store.Fault {
	s := state(err)
	switch {
	case err == nil:
		return store.NotOfEngine
	case CodeOf(err) != "":
		return store.EngineFailure
	case s == uniqueViolation:
		return store.UniqueViolation
	case s == checkViolation:
		return store.CheckViolation
	case s == ruleViolation:
		return store.RuleViolation
	case strings.HasPrefix(s, classConstraint), strings.HasPrefix(s, classData):
		return store.OtherViolation
	case s != "", errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return store.EngineFailure
	}
	return store.NotOfEngine
}
