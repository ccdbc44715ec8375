package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/store"
	"marquee/server/store/postgres"
	"marquee/server/store/postgres/pgserver"
	"marquee/server/store/postgres/pgtest"
	"marquee/server/store/storetest"
)

// as returns the URL of a database for another role.
func as(t *testing.T, db, role string) string {
	t.Helper()
	u, err := url.Parse(db)
	require.NoError(t, err)
	u.User = url.User(role)
	return u.String()
}

// run executes a statement on a new connection.
func run(ctx context.Context, db, statement string) (err error) {
	conn, err := pgx.Connect(ctx, db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.WithoutCancel(ctx))) }()
	_, err = conn.Exec(ctx, statement)
	return err
}

// runRole makes a role that may only log in, until the test ends.
func runRole(t *testing.T) string {
	t.Helper()
	base := pgtest.New(t, pgtest.Template{})
	role := "shop_" + strings.TrimPrefix(databaseOf(t, base), "test_")
	require.NoError(t, run(t.Context(), base, `CREATE ROLE `+role+` LOGIN`))
	t.Cleanup(func() { require.NoError(t, run(context.Background(), base, `DROP ROLE `+role)) })
	return role
}

func databaseOf(t *testing.T, db string) string {
	t.Helper()
	cfg, err := pgx.ParseConfig(db)
	require.NoError(t, err)
	return cfg.Database
}

// A shop needs no more rights than Grant gives: the entire suite of the store runs with them.
func TestGrant_TheStoreRunsWithoutTheRightsOfTheOwner(t *testing.T) {
	t.Parallel()
	role := runRole(t)
	storetest.Run(t, func(t *testing.T) storetest.Engine {
		db := pgtest.Shop(t)
		require.NoError(t, postgres.Grant(t.Context(), db, role))
		opened, err := postgres.Open(t.Context(), as(t, db, role), postgres.Connections(4))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, opened.Close()) })
		return storetest.Of(opened.Stores)
	})
}

func TestGrant_TheRoleCannotChangeTheSchema(t *testing.T) {
	t.Parallel()
	role, db := runRole(t), pgtest.Shop(t)
	require.NoError(t, postgres.Grant(t.Context(), db, role))
	require.NoError(t, postgres.Grant(t.Context(), db, role), "after each migration")
	limited := as(t, db, role)
	for _, statement := range []string{
		`CREATE TABLE other (id BIGINT)`, `DROP TABLE orders`, `ALTER TABLE orders ADD COLUMN more TEXT`,
		`TRUNCATE audit`, `ALTER TABLE audit DISABLE TRIGGER ALL`, `SET session_replication_role = replica`,
		`UPDATE goose_db_version SET is_applied = false`, `UPDATE schema_support SET oldest = 99`,
		`DELETE FROM schema_checksums`,
	} {
		require.ErrorContains(t, run(t.Context(), limited, statement), "SQLSTATE 42501", statement)
	}
	require.NoError(t, run(t.Context(), limited, `INSERT INTO audit (at, actor, what, subject)
		VALUES (1, 'alice', 'test', 'order 1')`))
	for _, statement := range []string{`UPDATE audit SET actor = 'bob'`, `DELETE FROM audit`} {
		require.ErrorContains(t, run(t.Context(), limited, statement), "MQ001", "the triggers hold for it: %s", statement)
	}
	err := postgres.Grant(t.Context(), db, "no_such_role")
	assert.Equal(t, store.UnknownRole, store.CodeOf(err), "%v", err)
}

// A replica that runs with the rights of Grant reads to which database its shop was moved.
func TestGrant_TheRoleSeesWhereTheShopWasMoved(t *testing.T) {
	t.Parallel()
	role, db := runRole(t), pgtest.Shop(t)
	require.NoError(t, postgres.Grant(t.Context(), db, role))
	owner, err := postgres.Open(t.Context(), db, postgres.Connections(1))
	require.NoError(t, err)
	limited, err := postgres.Open(t.Context(), as(t, db, role), postgres.Connections(1))
	require.NoError(t, err)
	require.NoError(t, limited.CheckMoved(t.Context()))
	require.NoError(t, owner.MoveAway(t.Context(), "/srv/first.db"))
	require.NoError(t, owner.MoveAway(t.Context(), "/srv/new.db"))
	err = limited.CheckMoved(t.Context())
	require.ErrorIs(t, err, store.ErrMovedAway)
	assert.ErrorContains(t, err, "/srv/new.db")
	assert.Error(t, limited.TakeBack(t.Context()), "the owner decides")
	require.NoError(t, owner.TakeBack(t.Context()))
	require.NoError(t, limited.CheckMoved(t.Context()))
	require.NoError(t, errors.Join(owner.Close(), limited.Close()))
}

// A password in a passfile may be replaced while the shop runs, as services that rotate passwords or issue tokens do.
func TestOpen_ReadsThePasswordAgainForEachConnection(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rules := filepath.Join(dir, "pg_hba.conf")
	require.NoError(t, os.Chmod(dir, 0o755)) // the server may run as another user
	require.NoError(t, os.WriteFile(rules, []byte("local all shop scram-sha-256\nlocal all all trust\n"), 0o644))
	server, err := pgserver.Start(t.Context(), pgserver.Options{Settings: map[string]string{"hba_file": rules}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	owner := server.URL("postgres")
	_, err = postgres.Migrate(t.Context(), owner)
	require.NoError(t, err)
	require.NoError(t, run(t.Context(), owner, `CREATE ROLE shop LOGIN PASSWORD 'first'`))
	require.NoError(t, postgres.Grant(t.Context(), owner, "shop"))
	passwords := filepath.Join(dir, "passwords")
	write := func(password string) {
		require.NoError(t, os.WriteFile(passwords, fmt.Appendf(nil, "*:*:*:shop:%s\n", password), 0o600))
	}
	write("first")
	db, err := postgres.Open(t.Context(), with(t, as(t, owner, "shop"), map[string]string{"passfile": passwords}),
		postgres.Connections(1))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })

	require.NoError(t, run(t.Context(), owner, `ALTER ROLE shop PASSWORD 'second'`))
	require.NoError(t, db.Ping(t.Context()), "connections stay open")
	db.Pool().Reset()
	assert.Equal(t, store.LoginRejected, store.CodeOf(db.View(t.Context(), func(store.Querier) error { return nil })))
	write("second")
	require.NoError(t, db.Ping(t.Context()))
}

func TestUnlimited_NamesTheLimitsThatTheURLSwitchesOff(t *testing.T) {
	t.Parallel()
	for off, want := range map[string][]string{"statement_timeout": {"statement_timeout"}, "random_page_cost": nil} {
		db, err := postgres.Open(t.Context(), with(t, pgtest.Shop(t), map[string]string{off: "0"}), postgres.Connections(1))
		require.NoError(t, err)
		got, err := db.Unlimited(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, got)
		require.NoError(t, db.Close())
	}
}
