package store

import (
	"context"
	"time"

	"marquee/server/backoffice"
)

// RecentChanges returns the latest records of the audit and of the journal of accounts, without actors, subjects and
// values, for support bundles.
func (b *BackOffice) RecentChanges(ctx context.Context, most int) ([]backoffice.Change, error) {
	scan := func(row scanner) (c backoffice.Change, err error) {
		var at int64
		err = row.Scan(&at, &c.Record, &c.What, &c.RequestID)
		c.At = time.Unix(at, 0).UTC()
		return c, err
	}
	audit, err := queryAll(ctx, b.db, scan,
		`SELECT at, 'audit', what, request_id FROM audit ORDER BY id DESC LIMIT $1`+planOnce, most)
	if err != nil {
		return nil, err
	}
	journal, err := queryAll(ctx, b.db, scan,
		`SELECT at, 'journal', kind, '' FROM account_events ORDER BY id DESC LIMIT $1`+planOnce, most)
	return append(audit, journal...), err
}
