package sqlite

import (
	"context"
	"fmt"
	"time"
)

// purges delete what is not needed after the time ?: idempotency keys, answers of providers, calls without an answer of
// orders that have ended, and merge codes.
var purges = []string{
	`DELETE FROM idempotency WHERE at < ?`,
	`DELETE FROM provider_calls WHERE sent_at < ? AND (outcome IN ('ok', 'refused') OR EXISTS (SELECT 1 FROM orders
		WHERE orders.order_no = provider_calls.order_no
		AND state IN ('ISSUED', 'REFUNDED', 'CANCELLED', 'EXPIRED', 'ABANDONED')))`,
	`DELETE FROM merge_codes WHERE expires_at < ?`,
}

// Purge deletes records that are not needed after the given time and returns how many.
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
