package sqlite

import (
	"context"
	"fmt"
	"time"
)

// purges delete records that are older than the time ?: idempotency keys, provider calls with an answer, provider calls
// without an answer if their order has ended, and merge codes.
var purges = []string{
	`DELETE FROM idempotency WHERE at < ?`,
	`DELETE FROM provider_calls WHERE sent_at < ? AND (outcome IN ('ok', 'refused') OR EXISTS (SELECT 1 FROM orders
		WHERE orders.order_no = provider_calls.order_no
		AND state IN ('ISSUED', 'REFUNDED', 'CANCELLED', 'EXPIRED', 'ABANDONED')))`,
	`DELETE FROM merge_codes WHERE expires_at < ?`,
}

// Purge deletes the records of purges that are older than before, and returns how many rows it deleted.
func (s *Orders) Purge(ctx context.Context, before time.Time) (int, error) {
	var total int64
	err := s.db.write(ctx, func(w *writeTx) error {
		total = 0
		for _, query := range purges {
			res, err := w.exec(query, toEpoch(before))
			if err != nil {
				return fmt.Errorf("sqlite: purge: %w", err)
			}
			n, err := res.RowsAffected()
			if err != nil {
				return err
			}
			total += n
		}
		return nil
	})
	return int(total), err
}
