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

// readTx reads through the pool with statements compiled once.
type readTx struct{ db *DB }

func (r readTx) query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if s, ok := r.db.reads.Load(query); ok {
		return s.(*sql.Stmt).QueryContext(ctx, args...)
	}
	s, err := r.db.reader.PrepareContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("sqlite: prepare %.40q: %w", query, err)
	}
	if old, loaded := r.db.reads.LoadOrStore(query, s); loaded {
		_ = s.Close() // another reader was first
		s = old.(*sql.Stmt)
	}
	return s.QueryContext(ctx, args...)
}
