package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"marquee/server/order"
	"sync"
)

// snapshots remembers what recent orders bought: it is written once, and read at every step of a purchase. Only the
// writer puts something in, so that a reader's older view never stays.
type snapshots struct {
	mu          sync.Mutex
	recent, old map[string]order.Snapshot // by order number; old goes when recent is full
}

// mostRecent bounds each of the two halves.
const mostRecent = 4096

func (c *snapshots) get(no string) (order.Snapshot, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, ok := c.recent[no]
	if !ok {
		s, ok = c.old[no]
	}
	return s, ok
}

func (c *snapshots) put(no string, s order.Snapshot) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.recent) >= mostRecent || c.recent == nil {
		c.recent, c.old = make(map[string]order.Snapshot, mostRecent), c.recent
	}
	c.recent[no] = s
}

func (c *snapshots) forget(no string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.recent, no)
	delete(c.old, no)
}

const snapshotOfOrder = `SELECT snapshot FROM order_snapshots WHERE order_id = (SELECT id FROM orders WHERE order_no = ?)`

func scanSnapshot(row scanner) (s order.Snapshot, err error) {
	var text string
	if err := row.Scan(&text); err != nil {
		return s, err
	}
	return s, json.Unmarshal([]byte(text), &s)
}

// insertSnapshot writes what the order with the id has bought.
func (w orderRepo) insertSnapshot(id int64, o *order.Order) error {
	text, err := json.Marshal(o.Snapshot)
	if err != nil {
		return fmt.Errorf("sqlite: snapshot: %w", err)
	}
	if _, err := w.exec(`INSERT INTO order_snapshots (order_id, snapshot) VALUES (?, ?)`, id, string(text)); err != nil {
		return fmt.Errorf("sqlite: snapshot of order %s: %w", o.No, err)
	}
	w.db.snapshots.put(o.No, o.Snapshot)
	return nil
}

// withSnapshot completes an order that was read inside the transaction.
func (w orderRepo) withSnapshot(o order.Order, err error) (order.Order, error) {
	if err != nil {
		return o, err
	}
	s, known := w.db.snapshots.get(o.No)
	if !known {
		found, err := list(w.writeTx, scanSnapshot, snapshotOfOrder, o.No)
		if s, err = sole(found, err, errNoSnapshot); err != nil {
			return o, fmt.Errorf("sqlite: snapshot of order %s: %w", o.No, err)
		}
		w.db.snapshots.put(o.No, s)
	}
	o.Snapshot = s
	return o, nil
}

// withSnapshot completes an order that was read through the pool.
func (s *Orders) withSnapshot(ctx context.Context, o order.Order, err error) (order.Order, error) {
	if err != nil {
		return o, err
	}
	known := false
	if o.Snapshot, known = s.db.snapshots.get(o.No); !known {
		if o.Snapshot, err = first(ctx, s.from, scanSnapshot, errNoSnapshot, snapshotOfOrder, o.No); err != nil {
			return o, fmt.Errorf("sqlite: snapshot of order %s: %w", o.No, err)
		}
	}
	return o, nil
}

var errNoSnapshot = errors.New("sqlite: what was bought is not there")

// SetCinemaAddress implements the interface of the orderRepo.
func (w orderRepo) SetCinemaAddress(no, address string) error {
	_, err := w.exec(`UPDATE order_snapshots SET snapshot = json_set(snapshot, '$.CinemaAddress', ?)
		WHERE order_id = (SELECT id FROM orders WHERE order_no = ?)`, address, no)
	if err != nil {
		return fmt.Errorf("sqlite: address of order %s: %w", no, err)
	}
	w.db.snapshots.forget(no)
	return nil
}
