package sqlite

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

// newSnapshotCache returns a cache of order snapshots by order number. A snapshot describes what an order bought; it is
// written once, so that no other process can change it, and read at every step of a purchase. What may change, such as
// the address of the cinema, is a column of orders. Only the writer adds entries: a reader may see an older commit.
func newSnapshotCache() *lru.Cache[string, order.Snapshot] {
	c, _ := lru.New[string, order.Snapshot](maxSnapshots) // fails only for a size below 1
	return c
}

const snapshotOfOrder = `SELECT snapshot FROM order_snapshots WHERE order_id = (SELECT id FROM orders
	WHERE order_no = ?)`

func scanSnapshot(row scanner) (s order.Snapshot, err error) {
	var text string
	if err := row.Scan(&text); err != nil {
		return s, err
	}
	return s, json.Unmarshal([]byte(text), &s)
}

// insertSnapshot writes the snapshot of the order with the row id.
func (w orderRepo) insertSnapshot(id int64, o *order.Order) error {
	text, err := json.Marshal(o.Snapshot)
	if err != nil {
		return fmt.Errorf("sqlite: encode snapshot: %w", err)
	}
	if _, err := w.exec(`INSERT INTO order_snapshots (order_id, snapshot)
		VALUES (?, ?)`, id, string(text)); err != nil {
		return fmt.Errorf("sqlite: insert snapshot of order %s: %w", o.No, err)
	}
	w.db.snapshots.Add(o.No, o.Snapshot)
	return nil
}

// withSnapshot adds the snapshot to an order that was read inside the write transaction. It returns err if it is set.
func (w orderRepo) withSnapshot(o order.Order, err error) (order.Order, error) {
	if err != nil {
		return o, err
	}
	s, known := w.db.snapshots.Get(o.No)
	if !known {
		found, err := txQueryAll(w.writeTx, scanSnapshot, snapshotOfOrder, o.No)
		if s, err = onlyRow(found, err, errNoSnapshot); err != nil {
			return o, fmt.Errorf("sqlite: snapshot of order %s: %w", o.No, err)
		}
		w.db.snapshots.Add(o.No, s)
	}
	return addSnapshot(o, s), nil
}

// withSnapshot adds the snapshot to an order that was read through the pool. It returns err if it is set.
func (s *Orders) withSnapshot(ctx context.Context, o order.Order, err error) (order.Order, error) {
	if err != nil {
		return o, err
	}
	snapshot, known := s.db.snapshots.Get(o.No)
	if !known {
		if snapshot, err = queryOne(ctx, s.from, scanSnapshot, errNoSnapshot, snapshotOfOrder, o.No); err != nil {
			return o, fmt.Errorf("sqlite: snapshot of order %s: %w", o.No, err)
		}
	}
	return addSnapshot(o, snapshot), nil
}

// addSnapshot adds a snapshot to an order as scanOrder read it: with the cinema's address, which is not part of the
// stored snapshot.
func addSnapshot(o order.Order, s order.Snapshot) order.Order {
	s.CinemaAddress = o.Snapshot.CinemaAddress
	o.Snapshot = s
	return o
}

var errNoSnapshot = errors.New("sqlite: snapshot does not exist")

// SetCinemaAddress implements order.Orders.
func (w orderRepo) SetCinemaAddress(no, address string) error {
	if _, err := w.exec(`UPDATE orders SET cinema_address = ? WHERE order_no = ?`, address, no); err != nil {
		return fmt.Errorf("sqlite: set cinema address of order %s: %w", no, err)
	}
	return nil
}
