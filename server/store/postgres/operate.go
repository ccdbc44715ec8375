package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"marquee/server/store"
)

// ServedBy returns how many connections of serving shops the database has. Commands connect with another
// application_name.
func (db *DB) ServedBy(ctx context.Context) (connections int, err error) {
	err = db.pool.QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()`,
		applicationName).Scan(&connections)
	return connections, failure(err)
}

// ClockSkew returns how far the clock of the database is ahead of that of this process, to half of the time of the
// exchange.
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
	Synchronous  int // a commit waits for one or all of them
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

// Unlimited returns the names of the time limits that are off in a transaction of the shop, because the URL switches
// them off or because a pooler discards them.
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
