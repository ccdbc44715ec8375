package purchase_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/store"
	"marquee/server/store/postgres"
	"marquee/server/store/postgres/pgtest"
	"marquee/server/store/sqlite"
	"marquee/server/store/storetest"
)

// testDB is a database on either engine.
type testDB struct {
	*store.Stores
	engine store.Engine
}

// newDatabase returns the path or the URL of a new database. That of PostgreSQL has the schema of the shop. It is
// deleted with the test, or with the round of a *rapid.T.
func newDatabase(t tb) string {
	t.Helper()
	if testsPostgres() {
		return pgtest.Shop(t)
	}
	folder, err := os.MkdirTemp("", "marquee-purchase-")
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return filepath.Join(folder, "shop.db")
}

// copyDatabase copies a database that is closed.
func copyDatabase(t testing.TB, from string) string {
	t.Helper()
	if onPostgres(from) {
		return pgtest.Copy(t, from)
	}
	content, err := os.ReadFile(from)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "copy.db")
	require.NoError(t, os.WriteFile(path, content, 0o600))
	return path
}

// testsPostgres reports whether the tests run on PostgreSQL. make test runs the package on both engines.
func testsPostgres() bool { return pgtest.Chosen() }

func onPostgres(path string) bool { return strings.HasPrefix(path, "postgres://") }

// openDatabase opens a database. before and after are called around every commit; both may be nil.
func openDatabase(path string, before, after func(writes int)) (*testDB, error) {
	if onPostgres(path) {
		db, err := postgres.Open(context.Background(), path,
			// Hundreds of callers wait for few connections: a new one costs the server as much as a purchase.
			postgres.OnCommit(before, after), postgres.Connections(3), postgres.Waiting(time.Minute))
		if err != nil {
			return nil, err
		}
		return &testDB{db.Stores, db}, nil
	}
	db, err := sqlite.Open(path, sqlite.OnCommit(before, after))
	if err != nil {
		return nil, err
	}
	return &testDB{db.Stores, db}, nil
}

// repeatWrites makes a SQLite database run every function of a write twice, with the first run rolled back, as
// PostgreSQL does when transactions conflict. The functions must not count on running once.
func repeatWrites(db *testDB) *testDB {
	if testsPostgres() {
		return db
	}
	repeated := storetest.Twice(db.engine)
	return &testDB{store.New(repeated), repeated}
}

// count runs a query for one integer.
func (db *testDB) count(ctx context.Context, query string, args ...any) (n int, err error) {
	rows, err := db.engine.Query(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	defer func() { _ = rows.Close() }() // Err reports the error
	if !rows.Next() {
		return 0, fmt.Errorf("no row: %w", rows.Err())
	}
	return n, rows.Scan(&n)
}
