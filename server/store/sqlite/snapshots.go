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
// written once and read at every step of a purchase. Only the writer adds entries: a reader may see an older commit.
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
	o.Snapshot = s
	return o, nil
}

// withSnapshot adds the snapshot to an order that was read through the pool. It returns err if it is set.
func (s *Orders) withSnapshot(ctx context.Context, o order.Order, err error) (order.Order, error) {
	if err != nil {
		return o, err
	}
	known := false
	if o.Snapshot, known = s.db.snapshots.Get(o.No); !known {
		if o.Snapshot, err = queryOne(ctx, s.from, scanSnapshot, errNoSnapshot, snapshotOfOrder, o.No); err != nil {
			return o, fmt.Errorf("sqlite: snapshot of order %s: %w", o.No, err)
		}
	}
	return o, nil
}

var errNoSnapshot = errors.New("sqlite: snapshot does not exist")

// SetCinemaAddress implements order.Orders.
func (w orderRepo) SetCinemaAddress(no, address string) error {
	_, err := w.exec(`UPDATE order_snapshots SET snapshot = json_set(snapshot, '$.CinemaAddress', ?)
		WHERE order_id = (SELECT id FROM orders WHERE order_no = ?)`, address, no)
	if err != nil {
		return fmt.Errorf("sqlite: set cinema address of order %s: %w", no, err)
	}
	w.db.snapshots.Remove(no)
	return nil
}
