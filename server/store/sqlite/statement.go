package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"

	"modernc.org/sqlite"

	"marquee/server/store"
)

// open returns a pool whose connections compile each statement once. The driver and database/sql have no such cache.
func open(dsn string) *sql.DB { return sql.OpenDB(connector{dsn}) }

// connector opens the connections of a pool.
type connector struct{ dsn string }

// Connect implements driver.Connector.
func (c connector) Connect(context.Context) (driver.Conn, error) {
	opened, err := c.Driver().Open(c.dsn)
	if err != nil {
		return nil, err
	}
	return &conn{opened.(driverConn), map[string]driver.Stmt{}}, nil
}

// Driver implements driver.Connector.
func (c connector) Driver() driver.Driver { return &sqlite.Driver{} }

// driverConn is what database/sql needs of the driver's connection. It has no ExecerContext and no QueryerContext, so
// that database/sql prepares each statement before it runs it, and closes it afterwards.
type driverConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.Pinger
	driver.SessionResetter
	driver.Validator
}

// conn is a connection that keeps its compiled statements until it is closed.
type conn struct {
	driverConn
	kept map[string]driver.Stmt // by text
}

// PrepareContext returns the kept statement with the text, or compiles and keeps it. In a transaction, a query must not
// run while the rows of the same query are still read.
func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if s, ok := c.kept[query]; ok {
		return s, nil
	}
	s, err := c.driverConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	c.kept[query] = keptStmt{s.(driverStmt)}
	return c.kept[query], nil
}

// driverStmt is what database/sql needs of the driver's statement.
type driverStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// keptStmt is a compiled statement that is closed only when its connection is closed.
type keptStmt struct{ driverStmt }

// Close does nothing: the connection keeps the statement.
func (keptStmt) Close() error { return nil }

// Close closes the statements and the connection.
func (c *conn) Close() error {
	for _, s := range c.kept {
		_ = s.(keptStmt).driverStmt.Close() // the connection is closed right after
	}
	return c.driverConn.Close()
}

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

// sharedTx is the transaction that the writes of one batch share.
type sharedTx struct{ tx *sql.Tx }

// Exec implements store.Conn.
func (w sharedTx) Exec(query string, args ...any) (changed int64, err error) {
	result, err := w.tx.ExecContext(context.Background(), query, args...)
	if err != nil {
		return 0, failure(err)
	}
	return result.RowsAffected()
}

// Query implements store.Conn.
func (w sharedTx) Query(query string, args ...any) (store.Rows, error) {
	return opened(w.tx.QueryContext(context.Background(), query, args...))
}

// Query runs a query on the pool of read-only connections. It sees the last commit.
func (db *DB) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	return opened(db.reader.QueryContext(ctx, query, args...))
}

// readTx is a read transaction: it sees the database as it was at the first query.
type readTx struct{ tx *sql.Tx }

// Query implements store.Querier.
func (m readTx) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	return opened(m.tx.QueryContext(ctx, query, args...))
}

// View runs fn in one read transaction.
func (db *DB) View(ctx context.Context, fn func(store.Querier) error) error {
	tx, err := db.reader.BeginTx(ctx, nil)
	if err != nil {
		return failure(fmt.Errorf("sqlite: begin read transaction: %w", err))
	}
	defer func() { _ = tx.Rollback() }() // a read transaction has nothing to commit
	return fn(readTx{tx})
}
