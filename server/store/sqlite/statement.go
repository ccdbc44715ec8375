package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// writeTx is the shared transaction as this package's stores see it: each statement text is compiled once
// for the life of the database, not once a call.
type writeTx struct {
	db    *DB
	tx    *sql.Tx
	stmts map[string]*sql.Stmt // bound to tx
	fresh []string             // compiled for tx only, to be kept from the next transaction on
}

// stmt is the compiled statement bound to the transaction. A text seen for the first time is compiled on the
// transaction itself, since the only connection is busy with it.
func (w *writeTx) stmt(query string) (*sql.Stmt, error) {
	if s, ok := w.stmts[query]; ok {
		return s, nil
	}
	ctx := context.Background()
	if kept, ok := w.db.prepared[query]; ok {
		s := w.tx.StmtContext(ctx, kept)
		w.stmts[query] = s
		return s, nil
	}
	s, err := w.tx.PrepareContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("sqlite: prepare %.40q: %w", query, err)
	}
	w.fresh = append(w.fresh, query)
	w.stmts[query] = s
	return s, nil
}

func (w *writeTx) exec(query string, args ...any) (sql.Result, error) {
	s, err := w.stmt(query)
	if err != nil {
		return nil, err
	}
	return s.ExecContext(context.Background(), args...)
}

func (w *writeTx) query(query string, args ...any) (*sql.Rows, error) {
	s, err := w.stmt(query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(context.Background(), args...)
}

// keepStatements compiles for later what the last transaction compiled for itself.
func (w *writeTx) keepStatements(ctx context.Context) {
	for _, q := range w.fresh {
		if s, err := w.db.writer.PrepareContext(ctx, q); err == nil {
			w.db.prepared[q] = s // a failure only costs compiling it again
		}
	}
}

// query reads through the pool with statements compiled once.
func (db *DB) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	s, err := db.read(ctx, query)
	if err != nil {
		return nil, err
	}
	return s.QueryContext(ctx, args...)
}

// read is the compiled statement of the pool.
func (db *DB) read(ctx context.Context, query string) (*sql.Stmt, error) {
	if s, ok := db.reads.Load(query); ok {
		return s.(*sql.Stmt), nil
	}
	s, err := db.reader.PrepareContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("sqlite: prepare %.40q: %w", query, err)
	}
	if old, loaded := db.reads.LoadOrStore(query, s); loaded {
		_ = s.Close() // another reader was first
		s = old.(*sql.Stmt)
	}
	return s, nil
}

// moment reads the database as it was at the first query.
type moment struct {
	db    *DB
	tx    *sql.Tx
	fresh []string // not compiled for the pool yet, which takes a connection that this one must not wait for
}

func (m *moment) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if s, ok := m.db.reads.Load(query); ok {
		return m.tx.StmtContext(ctx, s.(*sql.Stmt)).QueryContext(ctx, args...)
	}
	m.fresh = append(m.fresh, query)
	return m.tx.QueryContext(ctx, query, args...)
}

// readMoment runs fn on one moment of the database.
func (db *DB) readMoment(ctx context.Context, fn func(querier) error) error {
	tx, err := db.reader.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("sqlite: begin reading: %w", err)
	}
	m := &moment{db: db, tx: tx}
	err = fn(m)
	_ = tx.Rollback() // it only read
	for _, q := range m.fresh {
		if _, e := db.read(ctx, q); e != nil {
			break // it costs compiling it again
		}
	}
	return err
}
