package postgres_test

import (
	"context"
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/order"
	"marquee/server/store"
	"marquee/server/store/postgres"
	"marquee/server/store/postgres/pgtest"
	"marquee/server/store/sqlite"
)

// conflict makes the statement of a transaction fail as a serialization failure does.
const conflict = `DO $$ BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END $$`

// addText inserts a row, which exists if the transaction was committed.
func addText(c store.Conn, key string) error {
	_, err := c.Exec(`INSERT INTO texts (key, title, html) VALUES ($1, '', '')`, key)
	return err
}

func countTexts(t *testing.T, db *postgres.DB) (n int) {
	t.Helper()
	require.NoError(t, db.Pool().QueryRow(t.Context(), `SELECT count(*) FROM texts`).Scan(&n))
	return n
}

func TestWrite_RunsAgainAfterAConflict(t *testing.T) {
	t.Parallel()
	db := pgtest.OpenShop(t)
	runs := 0
	require.NoError(t, db.Write(t.Context(), func(c store.Conn) error {
		if err := addText(c, "k"); err != nil {
			return err
		}
		if runs++; runs <= 2 {
			_, err := c.Exec(conflict)
			return err
		}
		return nil
	}))
	assert.Equal(t, 3, runs)
	assert.Equal(t, 1, countTexts(t, db))
	assert.EqualValues(t, 2, db.Retries())

	runs = 0
	err := db.Write(t.Context(), func(c store.Conn) error { runs++; _, err := c.Exec(conflict); return err })
	assert.Equal(t, store.Conflicts, store.CodeOf(err))
	assert.Equal(t, store.EngineFailure, db.Classify(err))
	assert.Greater(t, runs, 3)
	assert.Less(t, runs, 20, "bounded")
}

// Two transactions lock two rows in opposite orders: the server ends one of them, which runs again. In its second run
// it locks the rows in the order of the other transaction. Otherwise it could lock its first row again before the other
// transaction, which waits for that row, gets it.
func TestWrite_RunsAgainAfterADeadlock(t *testing.T) {
	t.Parallel()
	db := pgtest.OpenShop(t)
	require.NoError(t, db.Write(t.Context(), func(c store.Conn) error {
		return errors.Join(addText(c, "a"), addText(c, "b"))
	}))
	var both sync.WaitGroup
	both.Add(2)
	var done sync.WaitGroup
	for _, keys := range [][]string{{"a", "b"}, {"b", "a"}} {
		first := true
		done.Go(func() {
			assert.NoError(t, db.Write(t.Context(), func(c store.Conn) error {
				if !first {
					slices.Reverse(keys)
				}
				for i, key := range keys {
					if _, err := c.Exec(`UPDATE texts SET title = title || 'x' WHERE key = $1`, key); err != nil {
						return err
					}
					if i == 0 && first {
						first = false
						both.Done()
						both.Wait()
					}
				}
				return nil
			}))
		})
	}
	done.Wait()
	assert.EqualValues(t, 1, db.Retries())
	var titles string
	require.NoError(t, db.Pool().QueryRow(t.Context(), `SELECT string_agg(title, ' ') FROM texts`).Scan(&titles))
	assert.Equal(t, "xx xx", titles)
}

// A transaction is never run again after COMMIT was sent.
func TestWrite_AFailureOfTheCommitIsNotRepeated(t *testing.T) {
	t.Parallel()
	url := pgtest.Shop(t)
	var db *postgres.DB
	var kill atomic.Bool
	db, err := postgres.Open(t.Context(), url, postgres.Connections(2), postgres.OnCommit(func(int) {
		if kill.Load() {
			conn, err := pgx.Connect(context.Background(), url)
			require.NoError(t, err)
			_, err = conn.Exec(context.Background(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE datname = current_database() AND state = 'idle in transaction'`)
			require.NoError(t, err)
			require.NoError(t, conn.Close(context.Background()))
		}
	}, nil))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	for _, statement := range []string{
		`CREATE FUNCTION conflict() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN RAISE EXCEPTION 'conflict' USING ERRCODE = '40001'; END $$`,
		`CREATE CONSTRAINT TRIGGER conflict AFTER INSERT ON texts DEFERRABLE INITIALLY DEFERRED
			FOR EACH ROW WHEN (NEW.key = 'conflict') EXECUTE FUNCTION conflict()`,
	} {
		_, err := db.Pool().Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	runs := 0
	write := func(key string) error {
		return db.Write(t.Context(), func(c store.Conn) error { runs++; return addText(c, key) })
	}
	err = write("conflict")
	require.ErrorContains(t, err, "40001")
	assert.Equal(t, 1, runs)
	assert.Zero(t, countTexts(t, db))

	kill.Store(true)
	runs = 0
	err = write("lost")
	assert.Equal(t, store.CommitUnknown, store.CodeOf(err), "%v", err)
	assert.Equal(t, 1, runs)
	kill.Store(false)
	err = db.Orders().Update(t.Context(), func(order.Tx) error { return err })
	require.ErrorIs(t, err, order.ErrStoreFailed, "the caller's idempotency key decides")
	require.NoError(t, write("after"), "the pool replaces the connection")
}

func TestWrite_AfterAStatementFailedNothingIsCommitted(t *testing.T) {
	t.Parallel()
	db := pgtest.OpenShop(t)
	err := db.Write(t.Context(), func(c store.Conn) error {
		require.NoError(t, addText(c, "k"))
		require.Error(t, addText(c, "k"))
		return nil // against the contract
	})
	require.Error(t, err)
	assert.Zero(t, countTexts(t, db))
}

// with adds settings to the URL of a database.
func with(t *testing.T, db string, settings map[string]string) string {
	t.Helper()
	u, err := url.Parse(db)
	require.NoError(t, err)
	q := u.Query()
	for name, value := range settings {
		q.Set(name, value)
	}
	u.RawQuery = q.Encode()
	return u.String()
}

func TestFailures_HaveTheirCodes(t *testing.T) {
	t.Parallel()
	base := pgtest.Shop(t)
	open := func(settings map[string]string, options ...postgres.Option) *postgres.DB {
		db, err := postgres.Open(t.Context(), with(t, base, settings), options...)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, db.Close()) })
		return db
	}
	slow := open(map[string]string{"statement_timeout": "1000"})
	err := slow.Write(t.Context(), func(c store.Conn) error { _, err := c.Exec(`SELECT pg_sleep(10)`); return err })
	assert.Equal(t, store.TookTooLong, store.CodeOf(err), "%v", err)
	require.NoError(t, slow.Ping(t.Context()))

	// PostgreSQL 15 and 16 end the statement instead.
	idle := open(map[string]string{"transaction_timeout": "50", "statement_timeout": "1000"})
	err = idle.Write(t.Context(), func(c store.Conn) error {
		if err := addText(c, "idle"); err != nil {
			return err
		}
		_, err := c.Exec(`SELECT pg_sleep(10)`)
		return err
	})
	assert.Equal(t, store.TookTooLong, store.CodeOf(err), "%v", err)
	assert.Zero(t, countTexts(t, slow))

	impatient := open(map[string]string{"lock_timeout": "50"})
	require.NoError(t, slow.Write(t.Context(), func(c store.Conn) error {
		require.NoError(t, addText(c, "locked"))
		err := impatient.Write(t.Context(), func(c store.Conn) error { return addText(c, "locked") })
		assert.Equal(t, store.TookTooLong, store.CodeOf(err), "%v", err)
		_, err = c.Exec(`DELETE FROM texts`)
		return err
	}))

	standby := open(map[string]string{"default_transaction_read_only": "on"})
	err = standby.Write(t.Context(), func(c store.Conn) error { return addText(c, "k") })
	assert.Equal(t, store.ReadOnly, store.CodeOf(err), "%v", err)
	require.ErrorContains(t, standby.Ping(t.Context()), "db_read_only", "not ready until a write succeeds")

	small := open(nil, postgres.Connections(1), postgres.Waiting(50*time.Millisecond))
	err = small.View(t.Context(), func(store.Querier) error {
		_, err := small.Query(t.Context(), `SELECT 1`)
		return err
	})
	assert.Equal(t, store.PoolEmpty, store.CodeOf(err), "%v", err)
	require.NoError(t, small.Ping(t.Context()))

	for _, off := range []time.Duration{-time.Minute, time.Minute} {
		skewed := open(nil, postgres.Connections(1), postgres.Clock(func() time.Time { return time.Now().Add(off) }))
		assert.Equal(t, store.ClockSkew, store.CodeOf(skewed.Ping(t.Context())), "replicas compare leases")
		skew, err := skewed.ClockSkew(t.Context())
		require.NoError(t, err)
		assert.InDelta(t, -off.Seconds(), skew.Seconds(), 20)
	}

	killed := open(nil, postgres.Connections(1))
	err = killed.Write(t.Context(), func(c store.Conn) error {
		_, err := c.Exec(`SELECT pg_terminate_backend(pg_backend_pid())`)
		return err
	})
	assert.Equal(t, store.Lost, store.CodeOf(err), "%v", err)
	require.NoError(t, killed.Ping(t.Context()), "the pool replaces the connection")

	_, err = postgres.Open(t.Context(), with(t, base, map[string]string{"target_session_attrs": "standby"}))
	assert.Contains(t, []store.FailureCode{store.Unreachable, store.ReadOnly}, store.CodeOf(err))
}

func TestMigrate_BySeveralProcessesAtOnce(t *testing.T) {
	t.Parallel()
	url := pgtest.New(t, pgtest.Template{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			_, err := postgres.Migrate(context.Background(), url)
			assert.NoError(t, err)
		})
	}
	wg.Wait()
	db, err := postgres.Open(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	var versions int
	require.NoError(t, db.Pool().QueryRow(t.Context(),
		`SELECT count(*) FROM goose_db_version WHERE version_id = 1`).Scan(&versions))
	assert.Equal(t, 1, versions)
}

// Both engines have the same tables with the same columns, so that a statement works on both.
func TestSchema_IsThatOfSQLite(t *testing.T) {
	t.Parallel()
	file, err := sqlite.Open(filepath.Join(t.TempDir(), "shop.db"))
	require.NoError(t, err)
	defer func() { require.NoError(t, file.Close()) }()
	server := pgtest.OpenShop(t)
	read := func(e store.Engine, query string) (columns []string) {
		rows, err := e.Query(t.Context(), query)
		require.NoError(t, err)
		defer func() { require.NoError(t, rows.Close()) }()
		for rows.Next() {
			var column string
			require.NoError(t, rows.Scan(&column))
			columns = append(columns, column)
		}
		return columns
	}
	const not = `('goose_db_version', 'sqlite_sequence', 'schema_support')`
	columns := read(server, `SELECT name FROM (SELECT table_name || '.' || column_name
			|| CASE is_nullable WHEN 'NO' THEN ' NOT NULL' ELSE '' END AS name
		FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT IN `+not+`) AS c
		ORDER BY name COLLATE "C"`)
	require.Greater(t, len(columns), 200)
	assert.Equal(t, read(file, `SELECT t.name || '.' || c.name || CASE WHEN c."notnull" = 1 OR c.pk > 0 THEN ' NOT NULL'
		ELSE '' END FROM pragma_table_list t, pragma_table_info(t.name) c
		WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND t.name NOT IN `+not+`
		ORDER BY 1`),
		columns)
	indexes := read(server, `SELECT i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
		JOIN pg_namespace n ON n.oid = i.relnamespace WHERE n.nspname = 'public'
		AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = x.indexrelid) ORDER BY 1`)
	require.Greater(t, len(indexes), 40)
	assert.Equal(t,
		read(file, `SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1`), indexes)
	assert.Empty(t, read(server, `SELECT table_name || '.' || column_name FROM information_schema.columns
		WHERE table_schema = 'public' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`))
}

// The checksum of a migration is recorded with the migration, even if the migration does not run in a transaction and
// an earlier try recorded another checksum.
func TestMigrate_RecordsChecksums(t *testing.T) {
	t.Parallel()
	url := pgtest.Shop(t)
	db, err := postgres.Open(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	recorded := func(version int) (sum string) {
		require.NoError(t, db.Pool().QueryRow(t.Context(),
			`SELECT coalesce(max(checksum), '') FROM schema_checksums WHERE version = $1`, version).Scan(&sum))
		return sum
	}
	rejected := fstest.MapFS{"9000_next.sql": {Data: []byte("-- +goose Up\nSELECT missing FROM texts;")}}
	require.Error(t, db.Apply(t.Context(), rejected))
	require.Empty(t, recorded(9000), "that migration was not applied")
	next := fstest.MapFS{"9000_next.sql": {Data: []byte("-- +goose NO TRANSACTION\n-- +goose Up\nSELECT 1;")}}
	sums, err := store.ReadMigrations(next)
	require.NoError(t, err)
	_, err = db.Pool().Exec(t.Context(), `INSERT INTO schema_checksums VALUES (9000, 'of an earlier try')`)
	require.NoError(t, err)
	require.NoError(t, db.Apply(t.Context(), next))
	require.Equal(t, sums[9000], recorded(9000))
	older, err := postgres.Open(t.Context(), url)
	require.NoError(t, err, "this release runs alongside the next one")
	require.NoError(t, older.Close())

	_, err = db.Pool().Exec(t.Context(), `UPDATE schema_checksums SET checksum = 'of another build' WHERE version = 1`)
	require.NoError(t, err)
	for _, option := range []postgres.Option{postgres.Connections(1), postgres.Migrating()} {
		_, err = postgres.Open(t.Context(), url, option)
		require.Equal(t, store.OtherSchema, store.CodeOf(err), "%v", err)
	}
	require.NoError(t, db.Ping(t.Context()), "the process that serves continues")
}

// A migration that cannot be applied is not a failure of the database.
func TestMigrate_AMigrationThatCannotBeAppliedHasItsCode(t *testing.T) {
	t.Parallel()
	for name, migration := range map[string]string{
		"cannot be parsed": "-- +goose Up\nSELECT 1",
		"is rejected":      "-- +goose Up\nSELECT missing FROM texts;",
	} {
		err := pgtest.OpenShop(t).Apply(t.Context(), fstest.MapFS{"9000_next.sql": {Data: []byte(migration)}})
		assert.Equal(t, store.BadMigration, store.CodeOf(err), "%s: %v", name, err)
	}
}

// roundTrips counts what is sent to the server.
type roundTrips struct{ atomic.Int64 }

func (n *roundTrips) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	n.Add(1)
	return ctx
}

func (n *roundTrips) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func (n *roundTrips) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	n.Add(1)
	return ctx
}

func (n *roundTrips) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

func (n *roundTrips) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

// A transaction begins in the round trip of its first statement.
func TestWrite_BeginsWithTheFirstStatement(t *testing.T) {
	t.Parallel()
	var trips roundTrips
	db, err := postgres.Open(t.Context(), pgtest.Shop(t), postgres.Connections(1), postgres.Trace(&trips))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	later := time.Now().Add(time.Hour) // the task is not due in this test
	before := trips.Load()
	require.NoError(t, db.Orders().Update(t.Context(), func(tx order.Tx) error {
		if err := tx.Jobs.Schedule(order.TaskOrder, "1", "q", later); err != nil {
			return err
		}
		_, err := tx.Calls.State("none")
		return err
	}))
	assert.EqualValues(t, 3, trips.Load()-before, "BEGIN with the first statement, the query, COMMIT")
	before = trips.Load()
	require.NoError(t, db.Write(t.Context(), func(store.Conn) error { return nil }))
	require.NoError(t, db.View(t.Context(), func(store.Querier) error { return nil }))
	assert.Equal(t, before, trips.Load(), "a transaction without a statement")
}

// The planner uses the cost setting of the shop unless the URL overrides it.
func TestOpen_SetsThePlanner(t *testing.T) {
	t.Parallel()
	base := pgtest.Shop(t)
	for url, want := range map[string]string{base: "1.1",
		with(t, base, map[string]string{"random_page_cost": "2"}): "2"} {
		db, err := postgres.Open(t.Context(), url, postgres.Connections(1))
		require.NoError(t, err)
		assert.Equal(t, want, settingOf(t, db, "random_page_cost"))
		require.NoError(t, db.Close())
	}
}
