package sqlite

import (
	"context"
	"fmt"
	"time"
)

// Latest returns the latest business time at which a record was written, or the zero time for an empty database. Due
// times and expiry times in the future are not considered. A simulated clock starts from it after a restart.
func (db *DB) Latest(ctx context.Context) (time.Time, error) {
	var unix int64
	err := db.reader.QueryRowContext(ctx, `SELECT coalesce(max(at), 0) FROM (
		SELECT max(at) AS at FROM audit UNION ALL SELECT max(at) FROM ledger_txs UNION ALL SELECT max(updated_at)
		FROM orders
		UNION ALL SELECT max(created_at) FROM payments UNION ALL SELECT max(captured_at) FROM legs
		UNION ALL SELECT max(max(created_at, sent_at, done_at)) FROM refunds
		UNION ALL SELECT max(max(sent_at, answered_at)) FROM provider_calls
		UNION ALL SELECT max(created_at) FROM users UNION ALL SELECT max(created_at) FROM sessions
		UNION ALL SELECT max(sent_at) FROM sms_codes)`).Scan(&unix)
	if err != nil {
		return time.Time{}, fmt.Errorf("sqlite: read the latest time: %w", err)
	}
	return fromEpoch(unix), nil
}
