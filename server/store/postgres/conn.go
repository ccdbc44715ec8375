package postgres

import (
	"cmp"
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"marquee/server/store"
)

// transaction is a transaction on a connection of the pool. It begins with its first statement, and sends queued
// statements with the next one, because each round trip costs as much as the statements in it.
type transaction struct {
	conn     *pgxpool.Conn
	options  pgx.TxOptions
	settings string   // the statement that applies its settings; may be empty
	tx       pgx.Tx   // nil before the first statement
	waiting  []queued // not sent yet
	failed   error    // why the transaction cannot continue
}

// queued is a queued statement. check gets its result; see store.Conn.
type queued struct {
	query string
	args  []any
	check func(changed int64, err error) error
}

// exec runs a statement after the queued ones.
func (t *transaction) exec(ctx context.Context, query string, args ...any) (changed int64, err error) {
	if t.tx != nil && len(t.waiting) == 0 && t.failed == nil {
		tag, err := t.tx.Exec(ctx, query, args...)
		return tag.RowsAffected(), failure(err)
	}
	results, err := t.send(ctx, queued{query: query, args: args})
	if err != nil {
		return 0, err
	}
	tag, err := results.Exec()
	_ = results.Close() // the error of the only statement that is left is err
	return tag.RowsAffected(), failure(err)
}

// query runs a query after the queued statements.
func (t *transaction) query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	if t.tx != nil && len(t.waiting) == 0 && t.failed == nil {
		got, err := t.tx.Query(ctx, query, args...)
		if err != nil {
			return nil, failure(err)
		}
		return &rows{Rows: got}, nil
	}
	results, err := t.send(ctx, queued{query: query, args: args})
	if err != nil {
		return nil, err
	}
	got, err := results.Query()
	if err != nil {
		_ = results.Close() // the error of the only statement that is left is err
		return nil, failure(err)
	}
	return &rows{Rows: got, done: func(error) { _ = results.Close() }}, nil
}

// flush sends the queued statements. It returns the first error of the transaction.
func (t *transaction) flush(ctx context.Context) error {
	if len(t.waiting) == 0 || t.failed != nil {
		return t.failed
	}
	results, err := t.send(ctx)
	if err != nil {
		return err
	}
	return failure(results.Close())
}

// send begins the transaction if needed, and sends the queued statements and then the last one, in one round trip. It
// checks the results of the queued ones. The caller reads the result of the last one and closes the results.
func (t *transaction) send(ctx context.Context, last ...queued) (pgx.BatchResults, error) {
	if t.failed != nil {
		return nil, t.failed
	}
	var batch pgx.Batch
	waiting := t.waiting
	t.waiting = nil
	if t.tx == nil {
		batch.BeginTx(t.options)
		passOn := func(_ int64, err error) error { return err }
		first := []queued{{check: passOn}}
		if t.settings != "" {
			first = append(first, queued{query: t.settings, check: passOn})
		}
		waiting = append(first, waiting...)
	}
	for _, q := range append(waiting, last...) {
		if q.query != "" {
			batch.Queue(q.query, q.args...)
		}
	}
	results := t.conn.SendBatch(ctx, &batch)
	if t.tx == nil {
		t.tx = results.Tx()
	}
	for _, q := range waiting {
		tag, err := results.Exec()
		err = failure(err)
		if t.failed = cmp.Or(q.check(tag.RowsAffected(), err), err); t.failed != nil {
			_ = results.Close() // reads the other results
			return nil, t.failed
		}
	}
	return results, nil
}

// rollback ends the transaction unless it was committed.
func (t *transaction) rollback(ctx context.Context) {
	if t.tx != nil {
		_ = t.tx.Rollback(ctx) // after a commit it does nothing
	}
}

// writeTx runs the statements of one write transaction. ctx is that of the transaction: it ends after writeTimeout, and
// not when the caller's context ends.
type writeTx struct {
	ctx context.Context
	*transaction
}

// Exec implements store.Conn.
func (w writeTx) Exec(query string, args ...any) (changed int64, err error) {
	return w.exec(w.ctx, query, args...)
}

// Query implements store.Conn.
func (w writeTx) Query(query string, args ...any) (store.Rows, error) {
	return w.query(w.ctx, query, args...)
}

// Queue implements store.Conn.
func (w writeTx) Queue(check func(changed int64, err error) error, query string, args ...any) error {
	w.waiting = append(w.waiting, queued{query, args, check})
	return nil
}

// readTx runs the queries of one read transaction.
type readTx struct{ *transaction }

// Query implements store.Querier.
func (r readTx) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	return r.query(ctx, query, args...)
}

// rows is the result of a query.
type rows struct {
	pgx.Rows
	done func(error) // called once by Close; may be nil
}

// Err returns the error of the query.
func (r *rows) Err() error { return failure(r.Rows.Err()) }

// Close ends the query. It may be called several times.
func (r *rows) Close() error {
	r.Rows.Close()
	err := r.Err()
	if r.done != nil {
		r.done(err)
		r.done = nil
	}
	return err
}
