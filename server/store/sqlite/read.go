package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// querier is the source of reads: the pool, where every query sees the last commit, or one read transaction.
type querier interface {
	query(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// queryAll reads every row of a query. It returns an empty, non-nil slice without rows.
func queryAll[T any](ctx context.Context, from querier, scan func(scanner) (T, error), query string,
	args ...any) ([]T, error) {
	rows, err := from.query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("sqlite: query: %w", err)
	}
	return scanRows(rows, scan)
}

// queryOne reads the first row of a query. It returns the error none without rows.
func queryOne[T any](ctx context.Context, from querier, scan func(scanner) (T, error), none error, query string,
	args ...any) (T, error) {
	list, err := queryAll(ctx, from, scan, query, args...)
	if err == nil && len(list) == 0 {
		err = none
	}
	if err != nil {
		var zero T
		return zero, err
	}
	return list[0], nil
}

// txQueryAll reads every row of a query inside the transaction.
func txQueryAll[T any](w *writeTx, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := w.query(query, args...)
	if err != nil {
		return nil, fmt.Errorf("sqlite: query: %w", err)
	}
	return scanRows(rows, scan)
}

// scanRows reads and closes rows.
func scanRows[T any](rows *sql.Rows, scan func(scanner) (T, error)) ([]T, error) {
	defer func() { _ = rows.Close() }() // rows.Err reports the errors of reading
	out := []T{}
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("sqlite: read rows: %w", err)
	}
	return out, nil
}

// scanValue scans a row of one column.
func scanValue[T any](row scanner) (v T, err error) { return v, row.Scan(&v) }
