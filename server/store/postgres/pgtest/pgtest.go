// Package pgtest gives every test a separate PostgreSQL database, on a server that all test processes of the module
// share.
package pgtest

import (
	"context"
	"crypto/rand"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// engineVariable chooses the engine of tests that run on both: sqlite (the default) or postgres.
const engineVariable = "MARQUEE_TEST_ENGINE"

// Chosen reports whether engineVariable chooses PostgreSQL. It panics for an unknown engine, so that with a mistyped one
// no suite passes.
func Chosen() bool {
	switch engine := os.Getenv(engineVariable); engine {
	case "", "sqlite":
		return false
	case "postgres":
		return true
	default:
		panic(engineVariable + " is " + engine + ": it must be sqlite or postgres")
	}
}

// Template is a database that the databases of tests are copied from. It is filled once for each server, and kept.
type Template struct {
	// Kind is a short name of letters. A template replaces those of the same kind and another version.
	Kind string
	// Version must change when Fill does something else: for example a hash of the migrations.
	Version string
	// Fill fills an empty database. It must close its connections before it returns.
	Fill func(ctx context.Context, url string) error
}

// database returns the name of the template's database. PostgreSQL allows 63 bytes.
func (t Template) database() string {
	sum := fnv.New128a()
	_, _ = sum.Write([]byte(t.Version))
	return fmt.Sprintf("template_%s_%x", t.Kind, sum.Sum(nil))
}

// TB is the part of testing.TB that this package needs. *rapid.T implements it, too.
type TB interface {
	require.TestingT
	// Helper marks the calling function as a test helper.
	Helper()
	// Cleanup registers a function that runs when the test ends.
	Cleanup(func())
	// Context ends just before the functions of Cleanup run.
	Context() context.Context
}

// New returns the URL of a new database that is a copy of the template. The zero Template is an empty database. The
// database is dropped when the test ends, even if it still has connections.
func New(t TB, from Template) (url string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	socket, err := join(ctx)
	require.NoError(t, err)
	source := "template0"
	if from.Fill != nil {
		require.NoError(t, ensureTemplate(ctx, socket, from))
		source = from.database()
	}
	return copyOf(t, socket, source)
}

// Copy returns the URL of a copy of another database of a test, which must have no connections.
func Copy(t TB, url string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	socket, err := join(ctx)
	require.NoError(t, err)
	cfg, err := pgx.ParseConfig(url)
	require.NoError(t, err)
	return copyOf(t, socket, cfg.Database)
}

// copyOf copies a database for the time of the test.
func copyOf(t TB, socket server, source string) (url string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	name := testPrefix + strings.ToLower(rand.Text())
	_, err := socket.admin.Exec(ctx, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s STRATEGY file_copy", name, source))
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if _, err := socket.admin.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Errorf("drop the database of the test: %v", err)
		}
	})
	return socket.url(name)
}

// testPrefix is the prefix of the names of test databases. Databases that a crash left are dropped when a server
// starts.
const testPrefix = "test_"

// ensureTemplate fills the template if the server does not have it. An advisory lock lets one test at a time do so. The
// database is renamed last, so that an unfinished template is never used.
func ensureTemplate(ctx context.Context, s server, t Template) error {
	if has, err := hasDatabase(ctx, s.admin, t.database()); has || err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, s.url("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // releases the lock
	if _, err := conn.Exec(ctx, `SELECT pg_advisory_lock(hashtext($1))`, "template_"+t.Kind); err != nil {
		return err
	}
	if has, err := hasDatabase(ctx, conn, t.database()); has || err != nil {
		return err
	}
	if err := dropDatabases(ctx, conn, "template_"+t.Kind+"_"); err != nil {
		return err
	}
	fresh := "new_" + t.database()
	if err := dropDatabases(ctx, conn, fresh); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+fresh+" TEMPLATE template0 STRATEGY file_copy"); err != nil {
		return err
	}
	if err := t.Fill(ctx, s.url(fresh)); err != nil {
		return fmt.Errorf("fill the template %s: %w", t.Kind, err)
	}
	_, err = conn.Exec(ctx, "ALTER DATABASE "+fresh+" RENAME TO "+t.database())
	return err
}

// querier is a connection or a pool.
type querier interface {
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

func hasDatabase(ctx context.Context, conn querier, name string) (has bool, err error) {
	err = conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)`, name).Scan(&has)
	return has, err
}

// dropDatabases drops the databases whose names begin with a prefix.
func dropDatabases(ctx context.Context, conn *pgx.Conn, prefix string) error {
	rows, err := conn.Query(ctx, `SELECT datname FROM pg_database WHERE starts_with(datname, $1)`, prefix)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, err := conn.Exec(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
			return err
		}
	}
	return nil
}
