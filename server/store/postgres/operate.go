package postgres

import (
	"context"
	"time"
)

// ServedBy returns how many connections of serving shops the database has. Commands connect with another
// application_name.
func (db *DB) ServedBy(ctx context.Context) (connections int, err error) {
	err = db.pool.QueryRow(ctx, `SELECT count(*) FROM pg_stat_activity
		WHERE datname = current_database() AND application_name = $1 AND pid <> pg_backend_pid()`,
		applicationName).Scan(&connections)
	return connections, failure(err)
}

// Clock returns the time of the database.
func (db *DB) Clock(ctx context.Context) (now time.Time, err error) {
	err = db.pool.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&now)
	return now, failure(err)
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
