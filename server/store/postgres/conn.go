package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"marquee/server/store"
)

// transaction is a transaction on a connection of the pool. It begins together with its first statement, in one round
// trip, because each round trip costs as much as the statements in it.
type transaction struct {
	conn     *pgxpool.Conn
	options  pgx.TxOptions
	settings string // the statement that applies its settings; may be empty
	tx       pgx.Tx // nil before the first statement
}

// exec runs a statement.
func (t *transaction) exec(ctx context.Context, query string, args ...any) (changed int64, err error) {
	if t.tx != nil {
		tag, err := t.tx.Exec(ctx, query, args...)
		return tag.RowsAffected(), failure(err)
	}
	results, err := t.begin(ctx, query, args)
	if err != nil {
		return 0, err
	}
	tag, err := results.Exec()
	_ = results.Close() // no other statement is left, so its error is err
	return tag.RowsAffected(), failure(err)
}

// query runs a query.
func (t *transaction) query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	if t.tx != nil {
		got, err := t.tx.Query(ctx, query, args...)
		if err != nil {
			return nil, failure(err)
		}
		return &rows{Rows: got}, nil
	}
	results, err := t.begin(ctx, query, args)
	if err != nil {
		return nil, err
	}
	got, err := results.Query()
	if err != nil {
		_ = results.Close() // no other statement is left, so its error is err
		return nil, failure(err)
	}
	return &rows{Rows: got, done: func(error) { _ = results.Close() }}, nil
}

// begin begins the transaction and sends its first statement. The caller reads the result of the statement and closes
// the results.
func (t *transaction) begin(ctx context.Context, query string, args []any) (pgx.BatchResults, error) {
	var batch pgx.Batch
	batch.BeginTx(t.options)
	before := 1
	if t.settings != "" {
		batch.Queue(t.settings)
		before++
	}
	batch.Queue(query, args...)
	results := t.conn.SendBatch(ctx, &batch)
	t.tx = results.Tx()
	for range before {
		if _, err := results.Exec(); err != nil {
			_ = results.Close() // reads the other results
			return nil, failure(err)
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
