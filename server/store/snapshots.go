package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	lru "github.com/hashicorp/golang-lru/v2"

	"marquee/server/order"
)

// maxSnapshots is the number of order snapshots that are cached in memory.
const maxSnapshots = 8192

// newSnapshotCache returns a cache of order snapshots by order number. A snapshot describes what an order bought. It is
// written once, so that no other process can change it, and read at every step of a purchase. Anything that may change,
// such as the address of the cinema, is a column of orders. Only the writer adds entries, because a reader may see an
// older commit.
func newSnapshotCache() *lru.Cache[string, order.Snapshot] {
	c, _ := lru.New[string, order.Snapshot](maxSnapshots) // fails only for a size below 1
	return c
}

const snapshotOfOrder = `SELECT snapshot FROM order_snapshots WHERE order_id = (SELECT id FROM orders
	WHERE order_no = $1)`

func scanSnapshot(row scanner) (s order.Snapshot, err error) {
	var text string
	if err := row.Scan(&text); err != nil {
		return s, err
	}
	return s, json.Unmarshal([]byte(text), &s)
}

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
	if err := w.queue(mustRun("insert snapshot of order %s", o.No), `INSERT INTO order_snapshots (order_id, snapshot)
		VALUES ($1, $2)`, id, string(text)); err != nil {
		return err
	}
	if w.db.snapshots != nil {
		w.db.snapshots.Add(o.No, o.Snapshot)
	}
	return nil
}

// withSnapshot adds the snapshot to an order that was read inside the write transaction. It returns err if it is set.
func (w orderRepo) withSnapshot(o order.Order, err error) (order.Order, error) {
	if err != nil {
		return o, err
	}
	s, known := w.db.snapshots.Get(o.No)
	if !known {
		if s, err = txQueryOne(w.writeTx, scanSnapshot, errNoSnapshot, snapshotOfOrder, o.No); err != nil {
			return o, fmt.Errorf("store: snapshot of order %s: %w", o.No, err)
		}
		w.db.snapshots.Add(o.No, s)
	}
	return addSnapshot(o, s), nil
}

// read reads the one order that the condition selects, outside a write transaction.
func (s *Orders) read(ctx context.Context, where string, arg any) (order.Order, error) {
	if s.db.snapshots == nil {
		return queryOne(ctx, s.from, scanOrderAndSnapshot, order.ErrOrderNotFound, `SELECT `+orderColumns+`, snapshot
			FROM orders JOIN order_snapshots ON order_id = id `+where, arg)
	}
	o, err := queryOne(ctx, s.from, scanOrder, order.ErrOrderNotFound, `SELECT `+orderColumns+`
		FROM orders `+where, arg)
	if err != nil {
		return o, err
	}
	snapshot, known := s.db.snapshots.Get(o.No)
	if !known {
		if snapshot, err = queryOne(ctx, s.from, scanSnapshot, errNoSnapshot, snapshotOfOrder, o.No); err != nil {
			return o, fmt.Errorf("store: snapshot of order %s: %w", o.No, err)
		}
	}
	return addSnapshot(o, snapshot), nil
}

// addSnapshot adds a snapshot to an order that scanOrder has read. It keeps the cinema's address, which is not part of
// the stored snapshot.
func addSnapshot(o order.Order, s order.Snapshot) order.Order {
	s.CinemaAddress = o.Snapshot.CinemaAddress
	o.Snapshot = s
	return o
}

var errNoSnapshot = errors.New("store: snapshot does not exist")

// SetCinemaAddress implements order.Orders.
func (w orderRepo) SetCinemaAddress(no, address string) error {
	return w.queue(mustRun("set cinema address of order %s", no),
		`UPDATE orders SET cinema_address = $1 WHERE order_no = $2`, address, no)
}
