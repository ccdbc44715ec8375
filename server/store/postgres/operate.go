package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"marquee/server/store"
)

// ServedBy returns how many connections to the database belong to shops that are serving buyers. Commands connect with
// another application_name.
func (db *DB) ServedBy(ctx context.Context) (connections int, err error) {
	err = db.pool.QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()`,
		applicationName).Scan(&connections)
	return connections, failure(err)
}

// ClockSkew returns how far the clock of the database is ahead of that of this process. The result is wrong by at most
// half of the time that the query takes.
func (db *DB) ClockSkew(ctx context.Context) (time.Duration, error) {
	asked := db.options.now()
	var theirs time.Time
	if err := db.pool.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&theirs); err != nil {
		return 0, failure(err)
	}
	return theirs.Sub(asked.Add(db.options.now().Sub(asked) / 2)), nil
}

// Replication counts the standbys of the database by the mode of replication.
type Replication struct {
	Synchronous  int // a commit waits for at least one of them
	Asynchronous int // a commit waits for none of them
}

// Replication counts the connected standbys. Without the role pg_monitor, their mode is not visible and they count as
// asynchronous.
func (db *DB) Replication(ctx context.Context) (r Replication, err error) {
	err = db.pool.QueryRow(ctx, `SELECT count(*) FILTER (WHERE sync_state IN ('sync', 'quorum', 'potential')),
		count(*) FILTER (WHERE coalesce(sync_state, 'async') = 'async') FROM pg_stat_replication`).
		Scan(&r.Synchronous, &r.Asynchronous)
	return r, failure(err)
}

// Unlimited returns the names of the time limits of PostgreSQL, such as lock_timeout, that are off in a transaction of
// the shop: the URL switches them off, or a pooler discards them.
func (db *DB) Unlimited(ctx context.Context) (names []string, err error) {
	err = db.View(ctx, func(q store.Querier) error {
		rows, err := q.Query(ctx, `SELECT name FROM pg_settings WHERE setting = '0' AND name IN ('statement_timeout',
			'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout') ORDER BY name`)
		if err != nil {
			return err
		}
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				return errors.Join(err, rows.Close())
			}
			names = append(names, name)
		}
		return errors.Join(rows.Err(), rows.Close())
	})
	return names, err
}

// mainTables are the tables that purchases and logins write.
var mainTables = []string{
	"orders", "order_snapshots", "seat_holds", "payments", "legs", "refunds", "tasks", "provider_calls", "cards", "lots",
	"ledger_txs", "ledger_entries", "goods_skus", "users", "sessions", "sms_codes",
}

// lockWait is how long CheckLocks waits for the lock of a table. After blockersAfter of that time it reads which
// sessions hold the lock.
const (
	lockWait      = 3 * time.Second
	blockersAfter = 2 * time.Second
)

// CheckLocks fails with store.Locked if the lock that a write needs on a main table of the shop is not granted within
// lockWait. The error contains the table and the sessions that hold the lock. Each table is locked in a separate
// transaction, which changes nothing: a transaction that held several locks could cause a deadlock with a migration,
// and end it.
func (db *DB) CheckLocks(ctx context.Context) error {
	for _, table := range mainTables {
		if err := db.checkLock(ctx, table); err != nil {
			return err
		}
	}
	return nil
}

func (db *DB) checkLock(ctx context.Context, table string) (err error) {
	tx, err := db.pool.Begin(ctx)
	if err != nil {
		return failure(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }()
	var pid int
	if err := tx.QueryRow(ctx, `SELECT pg_backend_pid() FROM set_config('lock_timeout', $1, true)`,
		fmt.Sprint(lockWait.Milliseconds())).Scan(&pid); err != nil {
		return failure(err)
	}
	locked := make(chan error, 1)
	go func() {
		_, err := tx.Exec(ctx, `LOCK TABLE `+table+` IN ROW EXCLUSIVE MODE`)
		locked <- err
	}()
	select {
	case err := <-locked:
		return failure(err)
	case <-time.After(blockersAfter):
	}
	blockers, readErr := db.blockersOf(ctx, pid)
	if err = <-locked; state(err) != lockNotAvailable {
		return failure(err)
	}
	return errors.Join(store.Fail(store.Locked, fmt.Errorf("writes of %s wait for %s", table,
		strings.Join(blockers, " and "))), readErr)
}

// blockersOf describes the sessions that block the session with the process id pid. The state of other roles' sessions
// is visible only with pg_monitor. The descriptions contain no statements, because these may contain data of buyers.
func (db *DB) blockersOf(ctx context.Context, pid int) ([]string, error) {
	rows, err := db.pool.Query(ctx, `SELECT format('session %s (user %s, application %s, address %s, %s, since %s)',
			blocker.pid, coalesce(a.usename, '?'), coalesce(nullif(a.application_name, ''), '?'),
			coalesce(host(a.client_addr), 'local'), coalesce(a.state, '?'),
			coalesce(to_char(a.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS UTC'), '?'))
		FROM unnest(pg_blocking_pids($1)) AS blocker (pid) LEFT JOIN pg_stat_activity a ON a.pid = blocker.pid
		ORDER BY blocker.pid`, pid)
	if err != nil {
		return nil, failure(err)
	}
	list, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return list, failure(err)
}

// Grant lets a role run the shop: read and change the rows of every table, but change neither the schema nor its
// versions. It fails with store.UnknownRole if the role does not exist. Call it after each migration, because a new
// table belongs to its owner only.
func Grant(ctx context.Context, url, role string) (err error) {
	db, err := Open(ctx, url, Connections(1))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var schema string
	if err := db.pool.QueryRow(ctx, `SELECT current_schema()`).Scan(&schema); err != nil {
		return failure(err)
	}
	schema = pgx.Identifier{schema}.Sanitize()
	name := pgx.Identifier{role}.Sanitize()
	err = db.Write(ctx, func(c store.Conn) error {
		for _, statement := range []string{
			`GRANT USAGE ON SCHEMA ` + schema + ` TO ` + name,
			`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ` + schema + ` TO ` + name,
			`REVOKE INSERT, UPDATE, DELETE ON goose_db_version, schema_support, ` + store.ChecksumTable + ` FROM ` + name,
		} {
			if _, err := c.Exec(statement); err != nil {
				return err
			}
		}
		return nil
	})
	if state(err) == undefinedObject {
		err = store.Fail(store.UnknownRole, err)
	}
	return err
}
