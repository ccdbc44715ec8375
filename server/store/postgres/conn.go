package postgres

import (
	"context"
	"database/sql"
	"strings"
	"unicode/utf8"

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
	tag, err := w.tx.Exec(w.ctx, query, storable(args)...)
	return tag.RowsAffected(), failure(err)
}

// Query implements store.Conn.
func (w writeTx) Query(query string, args ...any) (store.Rows, error) {
	got, err := w.tx.Query(w.ctx, query, storable(args)...)
	if err != nil {
		return nil, failure(err)
	}
	return &rows{Rows: got}, nil
}

// readTx runs the queries of one read transaction.
type readTx struct{ tx pgx.Tx }

// Query implements store.Querier.
func (r readTx) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	got, err := r.tx.Query(ctx, query, storable(args)...)
	if err != nil {
		return nil, failure(err)
	}
	return &rows{Rows: got}, nil
}

// storable returns the arguments with what PostgreSQL refuses in a text replaced by U+FFFD: NUL and bytes that are not
// UTF-8. Texts of other parties, such as the reason of a refusal, may hold them, and SQLite stores them.
func storable(args []any) []any {
	for i, arg := range args {
		switch text := arg.(type) {
		case string:
			if strings.IndexByte(text, 0) >= 0 || !utf8.ValidString(text) {
				args[i] = replaceInvalid(text)
			}
		case sql.NullString:
			if strings.IndexByte(text.String, 0) >= 0 || !utf8.ValidString(text.String) {
				args[i] = sql.NullString{String: replaceInvalid(text.String), Valid: text.Valid}
			}
		}
	}
	return args
}

func replaceInvalid(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
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
