package postgres

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"marquee/server/store"
)

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
	noPrivilege          = "42501"
	undefinedObject      = "42704"
	ioError              = "58030"
	dataCorrupted        = "XX001"
	indexCorrupted       = "XX002"
	classConstraint      = "23"
	classConnection      = "08"
	classData            = "22" // a value that its type cannot hold
	classOperator        = "57P"
)

// state returns the SQLSTATE of an error that the server sent, or "" for other errors.
func state(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// connectionLost reports whether an error comes from the network or a closed connection, not from the server.
func connectionLost(err error) bool {
	var network net.Error
	var connect *pgconn.ConnectError
	return errors.As(err, &network) || errors.As(err, &connect) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, driver.ErrBadConn)
}

// failure wraps an error of a statement in a failure of package store if it means that the database failed. It returns
// other errors unchanged, such as a violation of the schema, a conflict with another transaction, or the cancellation
// of the context.
func failure(err error) error {
	if err == nil || store.CodeOf(err) != "" {
		return err
	}
	switch s := state(err); {
	case errors.Is(err, context.Canceled):
		return err
	case s == "":
		return store.Fail(store.Lost, err)
	case strings.HasPrefix(s, classConstraint), s == ruleViolation, s == serializationFailure, s == deadlockDetected:
		return err
	case s == readOnlyTransaction:
		return store.Fail(store.ReadOnly, err)
	case s == queryCanceled, s == lockNotAvailable, s == transactionTimeout, s == idleInTransaction:
		return store.Fail(store.TookTooLong, err)
	case s == diskFull:
		return store.Fail(store.DiskFull, err)
	case s == ioError:
		return store.Fail(store.DiskFailed, err)
	case s == dataCorrupted, s == indexCorrupted:
		return store.Fail(store.Damaged, err)
	case s == noPrivilege:
		return store.Fail(store.NoRights, err)
	case s == tooManyConnections:
		return store.Fail(store.PoolEmpty, err)
	case strings.HasPrefix(s, classConnection), strings.HasPrefix(s, classOperator):
		return store.Fail(store.Lost, err)
	}
	return err
}

// connectFailure wraps an error of opening a connection in a failure of package store.
func connectFailure(err error) error {
	switch s := state(err); {
	case err == nil || store.CodeOf(err) != "":
		return err
	case s == invalidPassword, s == invalidAuthorization, s == noSuchDatabase:
		return store.Fail(store.LoginRejected, err)
	case s == tooManyConnections:
		return store.Fail(store.PoolEmpty, err)
	case strings.Contains(err.Error(), "read only connection"): // pgx has no code for target_session_attrs
		return store.Fail(store.ReadOnly, err)
	}
	return store.Fail(store.Unreachable, err)
}

// mayRetry reports whether the server rolled the transaction back because of a conflict with others.
func mayRetry(err error) bool {
	s := state(err)
	return s == serializationFailure || s == deadlockDetected
}

// Classify implements store.Engine.
func (db *DB) Classify(err error) store.ErrorClass {
	s := state(err)
	switch {
	case err == nil:
		return store.NotOfEngine
	case store.CodeOf(err) != "":
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
