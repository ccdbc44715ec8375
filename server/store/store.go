// Package store implements the stores of the shop once for all database engines: one repository per aggregate over the
// small interface Engine. The packages sqlite and postgres are the engines.
package store

import (
	"context"
	"fmt"
	"strings"

	"marquee/server/order"
	"marquee/server/requestid"
)

// Engine runs statements and transactions on one database. Statements have the placeholders $1, $2, …; each may be used
// several times and in any order. Flags are written as TRUE and FALSE. Texts are valid UTF-8 without NUL: Stores
// replaces anything else before it calls the engine.
type Engine interface {
	// Querier reads outside a transaction: each query sees the last commit.
	Querier
	// Write runs fn in one transaction and returns after its commit: nil means that the writes are on disk. If fn
	// returns an error or panics, its writes are rolled back and the error is returned. fn may run more than once, and
	// must do nothing but use its connection.
	Write(ctx context.Context, fn func(Conn) error) error
	// View runs fn in a read transaction, whose queries all see the same commit.
	View(ctx context.Context, fn func(Querier) error) error
	// Dialect returns the SQL dialect of the engine.
	Dialect() Dialect
	// Classify returns the class of an error of a statement or a transaction.
	Classify(err error) ErrorClass
	// Ping returns an error if the database cannot be read, or if the last write failed.
	Ping(ctx context.Context) error
	// Close waits for running writes and closes the database.
	Close() error
}

// Querier runs queries.
type Querier interface {
	// Query returns the rows, which the caller must close.
	Query(ctx context.Context, query string, args ...any) (Rows, error)
}

// Conn runs statements in a write transaction. After a statement has failed with a violation, fn must return an error,
// because PostgreSQL rejects every further statement of the transaction.
type Conn interface {
	// Exec returns how many rows the statement changed.
	Exec(query string, args ...any) (changed int64, err error)
	// Query returns the rows, which the caller must close. They include what the transaction has written.
	Query(query string, args ...any) (Rows, error)
}

// Rows is the result of a query. Each engine returns the rows of its driver.
type Rows interface {
	// Next moves to the next row, the first one at the first call. It returns false after the last row or an error.
	Next() bool
	// Scan copies the columns of the row into dest, one pointer for each column.
	Scan(dest ...any) error
	// Err returns the error that made Next return false, or nil after the last row.
	Err() error
	// Close frees the connection of the query. Further calls do nothing.
	Close() error
}

// ErrorClass is the class of an error of an engine.
type ErrorClass int

// Classes of errors.
const (
	NotOfEngine     ErrorClass = iota // another error, for example of the caller's function
	UniqueViolation                   // a unique index or a primary key is violated
	CheckViolation                    // a CHECK is violated
	RuleViolation                     // a trigger of the schema rejected the change; the error contains its text
	OtherViolation                    // a foreign key or NOT NULL is violated, or a value has a wrong type
	EngineFailure                     // for example a full disk, a lost connection or a closed database
)

// Stores are the stores of the shop in one database.
type Stores struct {
	engine    Engine
	sql       *statements
	committed func(order.Changes) // see OnCommit
}

// New returns the stores in the database of an engine.
func New(engine Engine) *Stores {
	return &Stores{
		engine: engine, sql: statementsOf[engine.Dialect()], committed: func(order.Changes) {},
	}
}

// OnCommit calls committed after each commit with the changes of orders and their money that the transaction has made.
// It must be called before the stores are used.
func (s *Stores) OnCommit(committed func(order.Changes)) { s.committed = committed }

// Ping returns an error if the database cannot be read, or if the last write failed. Readiness checks use it.
func (s *Stores) Ping(ctx context.Context) error { return s.engine.Ping(ctx) }

// Close closes the database.
func (s *Stores) Close() error { return s.engine.Close() }

// query reads outside a transaction.
func (s *Stores) query(ctx context.Context, query string, args ...any) (Rows, error) {
	return s.engine.Query(ctx, query, storable(args)...)
}

// write runs fn in a write transaction.
func (s *Stores) write(ctx context.Context, fn func(*writeTx) error) error {
	id := requestid.Of(ctx)
	var w *writeTx // of the last run of fn, which the engine may repeat
	err := s.engine.Write(ctx, func(c Conn) error {
		w = &writeTx{db: s, conn: c, requestID: id}
		return fn(w)
	})
	if err != nil {
		return err
	}
	s.committed(w.changes)
	return nil
}

// view runs fn in a read transaction.
func (s *Stores) view(ctx context.Context, fn func(querier) error) error {
	return s.engine.View(ctx, func(q Querier) error { return fn(readTx{q}) })
}

// engineFailure makes an error match order.ErrStoreFailed if the engine failed, for example by a full disk or a lost
// connection. It returns violations of the schema and errors of the caller's function unchanged.
func (s *Stores) engineFailure(err error) error {
	if s.engine.Classify(err) != EngineFailure {
		return err
	}
	return fmt.Errorf("%w: %w", order.ErrStoreFailed, err)
}

// readTx is a read transaction.
type readTx struct{ Querier }

func (r readTx) query(ctx context.Context, query string, args ...any) (Rows, error) {
	return r.Query(ctx, query, storable(args)...)
}

// writeTx is one write transaction. The repositories share it.
type writeTx struct {
	db        *Stores
	conn      Conn
	requestID string          // of the HTTP request or the job, for the audit; may be ""
	locked    map[string]bool // the keys of lockOnce
	changes   order.Changes   // of orders and their money, for OnCommit
}

func (w *writeTx) exec(query string, args ...any) (changed int64, err error) {
	return w.conn.Exec(query, storable(args)...)
}

func (w *writeTx) query(query string, args ...any) (Rows, error) {
	return w.conn.Query(query, storable(args)...)
}

// run runs a statement that returns no rows. check turns its result into the error that ends the transaction, or nil.
func (w *writeTx) run(check resultCheck, query string, args ...any) error {
	return check(w.exec(query, args...))
}

// resultCheck decides whether a transaction continues after a statement.
type resultCheck func(changed int64, err error) error

// mustRun returns a check that fails if the statement failed. doing describes the statement in the error.
func mustRun(doing string, args ...any) resultCheck {
	return func(_ int64, err error) error {
		if err != nil {
			return fmt.Errorf("store: "+doing+": %w", append(args, err)...)
		}
		return nil
	}
}

// mustChange returns a check that fails as mustRun does, and with the error in the parameter none if the statement
// changed no row.
func mustChange(none error, doing string, args ...any) resultCheck {
	return func(changed int64, err error) error {
		if err == nil {
			err = requireRow(changed, none)
		}
		return mustRun(doing, args...)(changed, err)
	}
}

// isUnique reports whether err means that a unique index or a primary key is violated. The caller must then return an
// error, because PostgreSQL has aborted the transaction.
func (w *writeTx) isUnique(err error) bool {
	return w.db.engine.Classify(err) == UniqueViolation
}

// isRule reports whether a trigger of the schema rejected the change with the text. The caller must then return an
// error, as for isUnique.
func (w *writeTx) isRule(err error, text string) bool {
	return w.db.engine.Classify(err) == RuleViolation && strings.Contains(err.Error(), text)
}

// accountClosed is the text of the triggers that reject new orders and cards of a closed account.
const accountClosed = "the account is closed"
