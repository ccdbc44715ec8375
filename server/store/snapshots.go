package store

import (
	"context"
	"encoding/json"
	"fmt"

	"marquee/server/order"
)

// scanOrderAndSnapshot reads orderColumns and the snapshot after them.
func scanOrderAndSnapshot(row scanner) (order.Order, error) {
	var text string
	o, err := scanOrderWith(row, &text)
	if err != nil {
		return o, err
	}
	var s order.Snapshot
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		return o, fmt.Errorf("store: decode snapshot of order %s: %w", o.No, err)
	}
	return addSnapshot(o, s), nil
}

// insertSnapshot writes the snapshot of the order with the row id.
func (w orderRepo) insertSnapshot(id int64, o *order.Order) error {
	text, err := json.Marshal(o.Snapshot)
	if err != nil {
		return fmt.Errorf("store: encode snapshot: %w", err)
	}
	return w.run(mustRun("insert snapshot of order %s", o.No),
		`INSERT INTO order_snapshots (order_id, snapshot) VALUES ($1, $2)`, id, string(text))
}

// read reads the one order that the condition selects, outside a write transaction.
func (s *Orders) read(ctx context.Context, where string, arg any) (order.Order, error) {
	return queryOne(ctx, s.from, scanOrderAndSnapshot, order.ErrOrderNotFound, `SELECT `+orderColumns+`, snapshot
		FROM orders JOIN order_snapshots ON order_id = id `+where, arg)
}

// addSnapshot adds a snapshot to an order that scanOrder has read. It keeps the cinema's address, which is not part of
// the stored snapshot.
func addSnapshot(o order.Order, s order.Snapshot) order.Order {
	s.CinemaAddress = o.Snapshot.CinemaAddress
	o.Snapshot = s
	return o
}

// SetCinemaAddress implements order.Orders.
func (w orderRepo) SetCinemaAddress(no, address string) error {
	return w.run(mustRun("set cinema address of order %s", no),
		`UPDATE orders SET cinema_address = $1 WHERE order_no = $2`, address, no)
}
