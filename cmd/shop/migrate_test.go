package main

import (
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/server/ops"
	"marquee/server/store/postgres/pgtest"
	"marquee/simulators"
)

// onDatabase runs a command on a database and returns its exit code and what it printed.
func onDatabase(t *testing.T, db string, args ...string) (code int, text string) {
	t.Helper()
	t.Setenv("MARQUEE_DB", db)
	var out strings.Builder
	if err := run(t.Context(), args, &out, io.Discard); err != nil {
		return exitCode(err), out.String() + err.Error()
	}
	return 0, out.String()
}

// executeOnPostgres runs a statement on a PostgreSQL database.
func executeOnPostgres(t *testing.T, db, statement string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), db)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()
	_, err = conn.Exec(t.Context(), statement)
	require.NoError(t, err)
}

// with returns the URL of a database after it was changed.
func with(t *testing.T, db string, change func(*url.URL, url.Values)) string {
	t.Helper()
	u, err := url.Parse(db)
	require.NoError(t, err)
	q := u.Query()
	change(u, q)
	u.RawQuery = q.Encode()
	return u.String()
}

// The role that runs the shop in production does not own its tables.
func TestPostgres_TheShopRunsAsARoleThatOwnsNothing(t *testing.T) {
	owner := pgtest.New(t, pgtest.Template{})
	role := "shop_" + strings.TrimPrefix(filepath.Base(owner)[5:15], "_")
	code, text := onDatabase(t, owner, "migrate", "--grant-to", role)
	assert.Equal(t, exitDatabase, code)
	assert.Contains(t, text, "db_role_unknown")
	executeOnPostgres(t, owner, `CREATE ROLE `+role+` LOGIN`)
	t.Cleanup(func() {
		conn, err := pgx.Connect(context.Background(), owner)
		require.NoError(t, err)
		_, err = conn.Exec(context.Background(), `DROP OWNED BY `+role+`; DROP ROLE `+role)
		require.NoError(t, errors.Join(err, conn.Close(context.Background())))
	})
	code, text = onDatabase(t, owner, "migrate", "--grant-to", role)
	require.Zero(t, code, text)
	db := with(t, owner, func(u *url.URL, _ url.Values) { u.User = url.User(role) })

	served := serveForDoctor(t, db)
	buyer := served.NewBuyer(harness.WithPassword(), harness.WithCard(100_000))
	order := buyer.LockSomeSeats(harness.NewMovie, 2)
	buyer.PayByCards(order)
	buyer.AwaitState(order, harness.NewMovie.Issued)
	findings, err := findingsOf(t, db)
	require.NoError(t, err, "%v", findings)
	assert.Equal(t, ops.Passed, findings["database"].Level)
	assert.Equal(t, ops.Passed, findings["time-limits"].Level, findings["time-limits"].Text)
	for _, args := range [][]string{
		{"verify"}, {"backup", filepath.Join(t.TempDir(), "a.db")}, {"backup", "--made-by", "the night"},
		{"admin", "--by", "alice", "order", "waiting"},
	} {
		code, text = onDatabase(t, db, args...)
		require.Zero(t, code, "%v: %s", args, text)
	}
	code, text = onDatabase(t, filepath.Join(t.TempDir(), "shop.db"), "migrate", "--grant-to", role)
	assert.Equal(t, exitConfig, code)
	assert.Contains(t, text, "roles_unsupported")
}

// A production shop does not send its password to a database whose certificate it has not verified.
func TestCommands_ProductionVerifiesTheDatabase(t *testing.T) {
	t.Setenv("MARQUEE_ENV", "production")
	for _, args := range [][]string{{"run"}, {"migrate"}, {"verify"}, {"backup", filepath.Join(t.TempDir(), "a.db")},
		{"restore", "a.db"}, {"move", "--from", "a.db", "--to", "postgres://u:p@db.invalid/x"}} {
		_, text := onDatabase(t, "postgres://u:p@db.invalid/x?sslmode=require", args...)
		assert.Contains(t, text, "db_tls_required", args)
	}
	_, text := onDatabase(t, "postgres://u:p@db.invalid/x?sslmode=verify-full&connect_timeout=2", "verify")
	assert.Contains(t, text, "db_unreachable")
	_, text = onDatabase(t, pgtest.Shop(t), "verify")
	assert.Contains(t, text, "agree", "a unix socket")
}

// requireMigrates migrates an empty database twice: the first time it prints every migration that it has applied, the
// second time that there is nothing to do.
func requireMigrates(t *testing.T, db string) {
	t.Helper()
	code, text := onDatabase(t, db, "migrate")
	require.Zero(t, code, text)
	assert.Regexp(t, `^applied 0001_schema\.sql\n(applied \d{4}_\w+\.sql\n)+$`, text)
	code, text = onDatabase(t, db, "migrate")
	require.Zero(t, code, text)
	assert.Equal(t, "the schema is up to date\n", text)
}

func TestSQLite_MigrateListsWhatItApplied(t *testing.T) {
	requireMigrates(t, filepath.Join(t.TempDir(), "shop.db"))
}

func TestPostgres_MigrateThenEveryCommandWorks(t *testing.T) {
	db := pgtest.New(t, pgtest.Template{}) // empty
	code, text := onDatabase(t, db, "verify")
	assert.Equal(t, exitDatabase, code)
	assert.Contains(t, text, "db_schema_older")
	assert.Contains(t, text, "run shop migrate")
	requireMigrates(t, db)
	code, text = onDatabase(t, db, "verify")
	require.Zero(t, code, text)

	sims := simulators.StartForTest(t)
	t.Setenv("MARQUEE_SIMULATOR_URL", sims.URL())
	cards := filepath.Join(t.TempDir(), "cards.csv")
	code, text = onDatabase(t, db, "admin", "--by", "alice", "card", "issue", "--pid", "1", "--count", "3", "--points",
		"5", "--out", cards)
	require.Zero(t, code, text)
	code, text = onDatabase(t, db, "admin", "--by", "alice", "pepper")
	require.Zero(t, code, text)
	assert.Contains(t, text, "3")

	executeOnPostgres(t, db, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true)`)
	code, text = onDatabase(t, db, "verify")
	require.Zero(t, code, text, "a later schema on which this release is supported")
	executeOnPostgres(t, db, `UPDATE schema_support SET oldest = 9999`)
	for _, command := range []string{"verify", "migrate"} {
		code, text = onDatabase(t, db, command)
		assert.Equal(t, exitDatabase, code)
		assert.Contains(t, text, "db_schema_newer")
		assert.Contains(t, text, "9999")
	}
}

// verify and doctor never create a schema. For a file of another program they create neither a lock file nor a table.
func TestVerify_OnlyADatabaseOfTheShop(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	empty, text := write("empty.db", ""), write("passwd", strings.Repeat("root:x:0:0:root:/root:/bin/bash\n", 200))
	foreign, logged := filepath.Join(dir, "foreign.db"), filepath.Join(dir, "logged.db")
	execute(t, foreign, `CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)`)
	execute(t, logged, `PRAGMA journal_mode = WAL; CREATE TABLE goose_db_version (version_id INTEGER, is_applied INTEGER);
		CREATE TABLE notes (id INTEGER PRIMARY KEY); INSERT INTO goose_db_version VALUES (1, 1)`)
	intact, backup := filepath.Join(dir, "intact.db"), filepath.Join(dir, "backup.db")
	mustRun(t, intact, "migrate")
	mustRun(t, intact, "backup", backup)
	for _, path := range []string{empty, text, foreign, logged} {
		before, err := os.ReadFile(path)
		require.NoError(t, err)
		requireExit(t, exitDatabase, "db_not_a_shop", path, "verify")
		requireExit(t, exitDiffers, "database", path, "doctor", "--run", "database")
		if path != empty {
			requireExit(t, exitDatabase, "db_not_a_shop", path, "migrate")
			requireExit(t, exitDatabase, "db_not_a_shop", "", "move", "--from", path, "--to",
				filepath.Join(dir, "to.db"))
			requireExit(t, exitDatabase, "db_not_a_shop", "", "move", "--from", filepath.Join(dir, "shop.db"), "--to",
				path)
			requireExit(t, exitTarget, "restore_target_exists", path, "restore", backup)
			_, err := app.TakeClaim(path, "a shop")
			require.ErrorContains(t, err, "db_not_a_shop")
		} else {
			requireExit(t, exitDatabase, "db_not_a_shop", "", "move", "--from", path, "--to",
				filepath.Join(dir, "to.db"))
			mustRun(t, filepath.Join(dir, "shop.db"), "migrate")
		}
		after, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, before, after, path)
		for _, ending := range []string{".lock", "-wal", "-shm"} {
			assert.NoFileExists(t, path+ending)
		}
	}
	assert.NoFileExists(t, filepath.Join(dir, "to.db"))
	requireExit(t, exitDatabase, "db_not_a_shop", dir, "verify")
	assert.NoFileExists(t, dir+".lock")

	older := filepath.Join(dir, "shop.db")
	execute(t, older, `UPDATE goose_db_version SET version_id = 0 WHERE version_id > 0`)
	requireExit(t, exitDatabase, "schema_older", older, "verify")
}

func TestPostgres_VerifyOnlyADatabaseOfTheShop(t *testing.T) {
	db := pgtest.New(t, pgtest.Template{})
	conn, err := pgx.Connect(t.Context(), db)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()
	requireExit(t, exitDatabase, "db_schema_older", db, "verify")
	_, err = conn.Exec(t.Context(), `CREATE TABLE goose_db_version (version_id BIGINT, is_applied BOOLEAN);
		INSERT INTO goose_db_version VALUES (1, TRUE)`)
	require.NoError(t, err)
	requireExit(t, exitDatabase, "db_not_a_shop", db, "verify")
	requireExit(t, exitDatabase, "db_not_a_shop", db, "migrate")
}

func TestPostgres_ABadDatabaseHasACodeAndASentence(t *testing.T) {
	db := pgtest.Shop(t)
	for code, wrong := range map[string]string{
		"db_url_invalid": "postgres://u:secretpassword@host:port/db",
		"db_login_refused": with(t, db, func(u *url.URL, _ url.Values) {
			u.Path = "/no_such_database"
		}),
		"db_unreachable": "postgres://u:secretpassword@127.0.0.1:1/db?connect_timeout=2",
	} {
		exit, text := onDatabase(t, wrong, "verify")
		assert.Equal(t, exitDatabase, exit, code)
		assert.Contains(t, text, code)
		assert.NotContains(t, text, "secretpassword")
	}
}

// A mistyped URL is an error, and does not become a file in a folder that is named after its password.
func TestDatabase_WhatIsNeitherURLNorPathIsRejected(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, wrong := range []string{
		"postgre://u:secretpassword@h/marquee", "Postgres://u:secretpassword@h/marquee",
		"mysql://u:secretpassword@h/marquee", "host=h user=u password=secretpassword dbname=marquee",
	} {
		for _, command := range []string{"verify", "migrate"} {
			exit, text := onDatabase(t, wrong, command)
			assert.Equal(t, exitDatabase, exit, "%s: %s", command, wrong)
			assert.Contains(t, text, "db_url_invalid")
			assert.NotContains(t, text, "secretpassword")
		}
	}
	left, err := os.ReadDir(".")
	require.NoError(t, err)
	assert.Empty(t, left)
}
