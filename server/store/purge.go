package store

import (
	"context"
	"fmt"
	"time"

	"marquee/server/durations"
)

// purgeRows is how many rows one step of a purge reads. It bounds how long a step occupies the writer. With 10 million
// old rows (BenchmarkPurge_TenMillionOldRows) its statement took 8 ms at most, and the step with its commit 11 ms for
// 99 of 100 steps and 47 ms at most, when the disk wrote a checkpoint at the same time.
const purgeRows = 100

// purge describes how to delete the old rows of a table. age is the column with the time of a row; an index must begin
// with it. key are the columns of the primary key.
type purge struct {
	table, key, age string
	deletable       string // condition on the row; "" for every row
	keep            time.Duration
}

// ended is the condition for a provider call that can be deleted: it has a final answer, or its order has ended.
const ended = `(outcome IN ('ok', 'refused') OR EXISTS (SELECT 1 FROM orders
	WHERE orders.order_no = provider_calls.order_no
	AND state IN ('ISSUED', 'REFUNDED', 'CANCELLED', 'EXPIRED', 'ABANDONED')))`

// purges delete idempotency keys, provider calls that have an answer or whose order has ended, and merge codes, if they
// are older than the time that is passed to Purge.
var purges = []purge{
	{table: "idempotency", key: "user_id, route, key", age: "at"},
	{table: "provider_calls", key: "key", age: "sent_at", deletable: ended},
	{table: "merge_codes", key: "code_hash", age: "expires_at"},
}

// outdatedEvent is the condition for deleting an event: the trigger account_events_kept rejects the deletion of newer
// events.
var outdatedEvent = fmt.Sprintf(`at <= (SELECT max(at)
	FROM account_events) - %d`, int(durations.KeepEvents.Seconds()))

// accountPurges delete sessions and proofs durations.KeepLogins after they expire, codes and notices that long after
// they were made, counts of logins after durations.KeepLoginCounts, devices that were not seen for durations.Device,
// and events after durations.KeepEvents. Rows that a limit still counts must not be deleted: the longest limit on codes
// spans 24 h, the one on logins two minutes.
var accountPurges = []purge{
	{table: "sessions", key: "token_hash", age: "expires_at", keep: durations.KeepLogins},
	{table: "sms_codes", key: "id", age: "sent_at", keep: durations.KeepLogins},
	{table: "network_logins", key: "network, began_at", age: "began_at", keep: durations.KeepLoginCounts},
	{table: "proofs", key: "proof_hash", age: "expires_at", keep: durations.KeepLogins},
	{table: "account_notices", key: "id", age: "at", keep: durations.KeepLogins},
	{table: "known_devices", key: "token_hash, user_id", age: "seen_at", keep: durations.Device},
	{
		table: "account_events", key: "id", age: "at", deletable: outdatedEvent, keep: durations.KeepEvents,
	},
}

// page returns a query of at most $2 of the rows that are older than $1. It leaves out the first $3 of them.
func (p purge) page() string {
	return fmt.Sprintf(`SELECT %s FROM %s WHERE %s < $1 ORDER BY %[3]s LIMIT $2`+planOnce+` OFFSET $3`,
		p.key, p.table, p.age)
}

// count counts the rows of a page.
func (p purge) count() string { return `SELECT count(*) FROM (` + p.page() + `) AS page` }

// statement deletes the deletable rows of a page.
func (p purge) statement() string {
	query := fmt.Sprintf(`DELETE FROM %s WHERE (%s) IN (%s)`, p.table, p.key, p.page())
	if p.deletable != "" {
		query += ` AND ` + p.deletable
	}
	return query
}

// Purge deletes records that are older than before, in at most the given number of steps, each in a separate short
// transaction. It returns how many rows it deleted, and whether it has deleted all of them.
func (s *Orders) Purge(ctx context.Context, before time.Time, steps int) (deleted int, done bool, err error) {
	return s.db.purge(ctx, purges, before, steps)
}

// PurgeAccounts does the same for records of accounts that are outdated at the given time.
func (a *Accounts) PurgeAccounts(ctx context.Context, now time.Time, steps int) (deleted int, done bool, err error) {
	return a.db.purge(ctx, accountPurges, now, steps)
}

func (s *Stores) purge(ctx context.Context, list []purge, at time.Time, steps int) (deleted int, done bool, err error) {
	for _, p := range list {
		before, kept := toEpoch(at.Add(-p.keep)), 0
		for {
			if steps == 0 {
				return deleted, false, nil
			}
			looked, n, err := s.purgeStep(ctx, p, before, kept)
			if err != nil {
				return deleted, false, fmt.Errorf("store: purge %s: %w", p.table, err)
			}
			if deleted += n; looked == 0 {
				break
			}
			steps, kept = steps-1, kept+looked-n
		}
	}
	return deleted, true, nil
}

// purgeStep deletes from one page, after the rows that earlier steps have kept. It returns how many rows the page has
// and how many of them it deleted, and writes nothing if the page is empty.
func (s *Stores) purgeStep(ctx context.Context, p purge, before int64, kept int) (looked, deleted int, err error) {
	looked, err = queryOne(ctx, s, scanValue[int], nil, p.count(), before, purgeRows, kept)
	if err != nil || looked == 0 {
		return looked, 0, err
	}
	err = s.write(ctx, func(w *writeTx) error {
		n, err := w.exec(p.statement(), before, purgeRows, kept)
		deleted = int(n)
		return err
	})
	return looked, deleted, err
}
