package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"marquee/server/store"
)

// rows is the result of a query.
type rows struct{ *sql.Rows }

// opened converts the result of a query to store.Rows.
func opened(r *sql.Rows, err error) (store.Rows, error) {
	if err != nil {
		return nil, failure(err)
	}
	return rows{r}, nil
}

// Err returns the error of the query.
func (r rows) Err() error { return failure(r.Rows.Err()) }

// sharedTx is the transaction that the writes of one batch share. Each statement is compiled once for the lifetime of
// the database, not for each call.
type sharedTx struct {
	db    *DB
	tx    *sql.Tx
	stmts map[string]*sql.Stmt // bound to tx

	fresh []string // compiled for tx only; keepStatements compiles them for later transactions
}

// stmt returns the compiled statement, bound to the transaction. It compiles a new statement on the transaction, which
// occupies the only connection of the writer.
func (w *sharedTx) stmt(query string) (*sql.Stmt, error) {
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
		return nil, failure(fmt.Errorf("sqlite: prepare %.40q: %w", query, err))
	}
	w.fresh = append(w.fresh, query)
	w.stmts[query] = s
	return s, nil
}

// Exec implements store.Conn.
func (w *sharedTx) Exec(query string, args ...any) (changed int64, err error) {
	s, err := w.stmt(query)
	if err != nil {
		return 0, err
	}
	result, err := s.ExecContext(context.Background(), args...)
	if err != nil {
		return 0, failure(err)
	}
	return result.RowsAffected()
}

// Query implements store.Conn.
func (w *sharedTx) Query(query string, args ...any) (store.Rows, error) {
	s, err := w.stmt(query)
	if err != nil {
		return nil, err
	}
	return opened(s.QueryContext(context.Background(), args...))
}

// Queue implements store.Conn. Statements cost no round trip here, so it runs at once.
func (w *sharedTx) Queue(check func(changed int64, err error) error, query string, args ...any) error {
	return check(w.Exec(query, args...))
}

// keepStatements compiles, for later transactions, the statements that were compiled only for the last transaction.
func (w *sharedTx) keepStatements(ctx context.Context) {
	for _, q := range w.fresh {
		if s, err := w.db.writer.PrepareContext(ctx, q); err == nil {
			w.db.prepared[q] = s // after a failure the next transaction compiles it again
		}
	}
}

// Query runs a query on the pool of read-only connections, with a statement that is compiled once. It sees the last
// commit.
func (db *DB) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	s, err := db.read(ctx, query)
	if err != nil {
		return nil, err
	}
	return opened(s.QueryContext(ctx, args...))
}

// read returns the compiled statement of the pool.
func (db *DB) read(ctx context.Context, query string) (*sql.Stmt, error) {
	if s, ok := db.reads.Load(query); ok {
		return s.(*sql.Stmt), nil
	}
	s, err := db.reader.PrepareContext(ctx, query)
	if err != nil {
		return nil, failure(fmt.Errorf("sqlite: prepare %.40q: %w", query, err))
	}
	if old, loaded := db.reads.LoadOrStore(query, s); loaded {
		_ = s.Close() // another goroutine stored its statement first
		s = old.(*sql.Stmt)
	}
	return s, nil
}

// readTx is a read transaction: it sees the database as it was at the first query.
type readTx struct {
	db    *DB
	tx    *sql.Tx
	fresh []string // texts not compiled for the pool yet; compiling needs a second connection, so it is done at the end
}

// Query implements store.Querier.
func (m *readTx) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	if s, ok := m.db.reads.Load(query); ok {
		return opened(m.tx.StmtContext(ctx, s.(*sql.Stmt)).QueryContext(ctx, args...))
	}
	m.fresh = append(m.fresh, query)
	return opened(m.tx.QueryContext(ctx, query, args...))
}

// View runs fn in one read transaction.
func (db *DB) View(ctx context.Context, fn func(store.Querier) error) error {
	tx, err := db.reader.BeginTx(ctx, nil)
	if err != nil {
		return failure(fmt.Errorf("sqlite: begin read transaction: %w", err))
	}
	m := &readTx{db: db, tx: tx}
	err = fn(m)
	_ = tx.Rollback() // a read transaction has nothing to commit
	for _, q := range m.fresh {
		if _, e := db.read(ctx, q); e != nil {
			break // the next query compiles it again
		}
	}
	return err
}
