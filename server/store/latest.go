package store

import (
	"context"
	"fmt"
	"time"
)

// Latest returns the latest business time at which a record was written, or the zero time for an empty database. Due
// times and expiry times in the future are not considered. A simulated clock starts from it after a restart.
func (s *Stores) Latest(ctx context.Context) (time.Time, error) {
	unix, err := queryOne(ctx, s, scanValue[int64], nil, `SELECT coalesce(max(at), 0) FROM (
		SELECT max(at) AS at FROM audit UNION ALL SELECT max(at) FROM ledger_txs UNION ALL SELECT max(updated_at)
		FROM orders
		UNION ALL SELECT max(created_at) FROM payments UNION ALL SELECT max(captured_at) FROM legs
		UNION ALL SELECT max(created_at) FROM refunds UNION ALL SELECT max(sent_at) FROM refunds
		UNION ALL SELECT max(done_at) FROM refunds
		UNION ALL SELECT max(sent_at) FROM provider_calls UNION ALL SELECT max(answered_at) FROM provider_calls
		UNION ALL SELECT max(created_at) FROM users UNION ALL SELECT max(created_at) FROM sessions
		UNION ALL SELECT max(sent_at) FROM sms_codes) times`)
	if err != nil {
		return time.Time{}, fmt.Errorf("store: read the latest time: %w", err)
	}
	return fromEpoch(unix), nil
}
