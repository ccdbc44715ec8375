package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"marquee/server/store"
)

// writeTx runs the statements of one write transaction. The context is that of the transaction, which store.Conn does
// not carry: it ends with writeTimeout and not with the caller's.
type writeTx struct {
	ctx context.Context
	tx  pgx.Tx
}

// Exec implements store.Conn.
func (w writeTx) Exec(query string, args ...any) (changed int64, err error) {
	tag, err := w.tx.Exec(w.ctx, query, args...)
	return tag.RowsAffected(), failure(err)
}

// Query implements store.Conn.
func (w writeTx) Query(query string, args ...any) (store.Rows, error) {
	got, err := w.tx.Query(w.ctx, query, args...)
	if err != nil {
		return nil, failure(err)
	}
	return &rows{Rows: got}, nil
}

// readTx runs the queries of one read transaction.
type readTx struct{ tx pgx.Tx }

// Query implements store.Querier.
func (r readTx) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	got, err := r.tx.Query(ctx, query, args...)
	if err != nil {
		return nil, failure(err)
	}
	return &rows{Rows: got}, nil
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
