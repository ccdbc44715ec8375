package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"marquee/server/catalog"
	"marquee/server/order"
)

// HeldSeats implements order.Store.
func (s *Orders) HeldSeats(ctx context.Context, source catalog.Source, showID string) (map[string]bool, error) {
	ids, err := queryAll(ctx, s.from, scanValue[string],
		`SELECT seat_id FROM seat_holds WHERE source = $1 AND show_id = $2 AND state IN ('held', 'sold')`,
		int(source), showID)
	held := make(map[string]bool, len(ids))
	for _, id := range ids {
		held[id] = true
	}
	return held, err
}

// ownOrders is how many of a buyer's latest orders OwnSeats considers.
const ownOrders = 20

// OwnSeats implements order.Store. The seats of an ended order count while the task that unlocks them at the source
// exists, unless another order holds them.
func (s *Orders) OwnSeats(
	ctx context.Context, userID int64, source catalog.Source, showID string,
) (map[string]string, error) {
	type seat struct{ id, orderNo string }
	seats, err := queryAll(ctx, s.from, func(row scanner) (own seat, err error) {
		return own, row.Scan(&own.id, &own.orderNo)
	}, `SELECT h.seat_id, h.order_no FROM seat_holds h
		JOIN (SELECT order_no FROM orders WHERE user_id = $1 ORDER BY id DESC LIMIT $2`+planOnce+`) o
			ON o.order_no = h.order_no
		WHERE h.source = $3 AND h.show_id = $4 AND (h.state = 'held' OR h.state = 'released'
			AND EXISTS (SELECT 1 FROM tasks WHERE kind = $5 AND subject = h.order_no)
			AND NOT EXISTS (SELECT 1 FROM seat_holds other WHERE other.source = h.source AND other.show_id = h.show_id
				AND other.seat_id = h.seat_id AND other.state IN ('held', 'sold')))`,
		userID, ownOrders, int(source), showID, string(order.TaskUnlock))
	own := make(map[string]string, len(seats))
	for _, seat := range seats {
		own[seat.id] = seat.orderNo
	}
	return own, err
}

// Hold implements order.SeatHolds. All transactions take seats in the order of their ids.
func (w seatRepo) Hold(holds []order.SeatHold, now time.Time) error {
	holds = slices.Clone(holds)
	slices.SortFunc(holds, func(a, b order.SeatHold) int { return strings.Compare(a.SeatID, b.SeatID) })
	for _, h := range holds {
		err := w.run(mustChange(order.ErrSeatTaken, "hold seat %s of show %s", h.SeatID, h.ShowID),
			`INSERT INTO seat_holds (source, show_id, seat_id, order_no, state, changed_at)
			VALUES ($1, $2, $3, $4, 'held', $5) ON CONFLICT DO NOTHING`,
			int(h.Source), h.ShowID, h.SeatID, h.OrderNo, toEpoch(now))
		if err != nil {
			return err
		}
	}
	return nil
}

// Sell implements order.SeatHolds.
func (w seatRepo) Sell(orderNo string, seats int, now time.Time) error {
	return w.run(func(changed int64, err error) error {
		if err == nil && changed != int64(seats) {
			err = fmt.Errorf("%d of %d seats are held: %w", changed, seats, order.ErrNotHeld)
		}
		return mustRun("sell seats of order %s", orderNo)(changed, err)
	}, `UPDATE seat_holds SET state = 'sold', changed_at = $1 WHERE order_no = $2 AND state = 'held'`,
		toEpoch(now), orderNo)
}

// Release implements order.SeatHolds.
func (w seatRepo) Release(orderNo string, now time.Time) error {
	return w.run(mustRun("release seats of order %s", orderNo),
		`UPDATE seat_holds SET state = 'released', changed_at = $1 WHERE order_no = $2 AND state IN ('held', 'sold')`,
		toEpoch(now), orderNo)
}
