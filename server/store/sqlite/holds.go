package sqlite

import (
	"context"
	"fmt"
	"time"

	"marquee/server/catalog"
	"marquee/server/order"
)

// HeldSeats implements order.Store.
func (s *Orders) HeldSeats(ctx context.Context, source catalog.Source, showID string) (map[string]bool, error) {
	ids, err := queryAll(ctx, s.from, scanValue[string],
		`SELECT seat_id FROM seat_holds WHERE source = ? AND show_id = ?
			AND state IN ('held', 'sold')`, int(source), showID)
	held := make(map[string]bool, len(ids))
	for _, id := range ids {
		held[id] = true
	}
	return held, err
}

// Hold implements order.SeatHolds.
func (w seatRepo) Hold(holds []order.SeatHold, now time.Time) error {
	for _, h := range holds {
		_, err := w.exec(`INSERT INTO seat_holds (source, show_id, seat_id, order_no, state, changed_at)
			VALUES (?, ?, ?, ?, 'held', ?)`,
			int(h.Source), h.ShowID, h.SeatID, h.OrderNo, toEpoch(now))
		if IsUnique(err) {
			return order.ErrSeatTaken
		}
		if err != nil {
			return fmt.Errorf("sqlite: hold seat %s of show %s: %w", h.SeatID, h.ShowID, err)
		}
	}
	return nil
}

// Sell implements order.SeatHolds.
func (w seatRepo) Sell(orderNo string, now time.Time) (int, error) {
	return w.moveSeats(`UPDATE seat_holds SET state = 'sold', changed_at = ? WHERE order_no = ?
		AND state = 'held'`, orderNo, now)
}

// Release implements order.SeatHolds.
func (w seatRepo) Release(orderNo string, now time.Time) (int, error) {
	return w.moveSeats(`UPDATE seat_holds SET state = 'released', changed_at = ? WHERE order_no = ?
		AND state IN ('held', 'sold')`, orderNo, now)
}

// moveSeats changes the state of the seat holds of an order and returns their number.
func (w seatRepo) moveSeats(query, orderNo string, now time.Time) (int, error) {
	res, err := w.exec(query, toEpoch(now), orderNo)
	if err != nil {
		return 0, fmt.Errorf("sqlite: move seats of order %s: %w", orderNo, err)
	}
	n, err := res.RowsAffected()
	return int(n), err
}
