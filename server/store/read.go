package store

import (
	"context"
	"fmt"
	"strings"
)

// querier is the source of reads: the database, where every query sees the last commit, or one read transaction.
type querier interface {
	// query returns the rows, which the caller must close.
	query(ctx context.Context, query string, args ...any) (Rows, error)
}

// scanner is a row.
type scanner interface{ Scan(dest ...any) error }

// queryAll reads all rows of a query. It returns an empty, non-nil slice if there are none.
func queryAll[T any](ctx context.Context, from querier, scan func(scanner) (T, error), query string,
	args ...any) ([]T, error) {
	rows, err := from.query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("store: query: %w", err)
	}
	return scanRows(rows, scan)
}

// queryOne reads the first row of a query. If there are no rows, it returns the error in the parameter none.
func queryOne[T any](ctx context.Context, from querier, scan func(scanner) (T, error), none error, query string,
	args ...any) (T, error) {
	list, err := queryAll(ctx, from, scan, query, args...)
	return onlyRow(list, err, none)
}

// txQueryAll reads all rows of a query inside the transaction.
func txQueryAll[T any](w *writeTx, scan func(scanner) (T, error), query string, args ...any) ([]T, error) {
	rows, err := w.query(query, args...)
	if err != nil {
		return nil, fmt.Errorf("store: query: %w", err)
	}
	return scanRows(rows, scan)
}

// txQueryOne reads the first row of a query inside the transaction. If there are no rows, it returns the error in the
// parameter none.
func txQueryOne[T any](w *writeTx, scan func(scanner) (T, error), none error, query string, args ...any) (T, error) {
	list, err := txQueryAll(w, scan, query, args...)
	return onlyRow(list, err, none)
}

// scanRows reads and closes rows.
func scanRows[T any](rows Rows, scan func(scanner) (T, error)) ([]T, error) {
	defer func() { _ = rows.Close() }() // rows.Err reports the errors of reading
	out := []T{}
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, fmt.Errorf("store: read row: %w", err)
		}
		out = append(out, v)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("store: read rows: %w", err)
	}
	return out, nil
}

// onlyRow returns the first of the rows that were found. If there are no rows, it returns the error in the parameter
// none.
func onlyRow[T any](found []T, err, none error) (T, error) {
	if err == nil && len(found) == 0 {
		err = none
	}
	if err != nil {
		var zero T
		return zero, err
	}
	return found[0], nil
}

// scanValue scans a row of one column.
func scanValue[T any](row scanner) (v T, err error) { return v, row.Scan(&v) }

// requireRow returns the error in the parameter none if the statement changed no row.
func requireRow(changed int64, none error) error {
	if changed == 0 {
		return none
	}
	return nil
}

// placeholders returns n placeholders from $first on, separated by commas.
func placeholders(first, n int) string {
	var list strings.Builder
	for i := range n {
		if i > 0 {
			list.WriteString(", ")
		}
		fmt.Fprintf(&list, "$%d", first+i)
	}
	return list.String()
}
