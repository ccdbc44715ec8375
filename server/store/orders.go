package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"marquee/server/account"
	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/goods"
	"marquee/server/jobs"
	"marquee/server/money"
	"marquee/server/order"
)

// Orders implements order.Store, order.Reader and jobs.Store: orders, seat holds, stock, payments, refunds and tasks.
type Orders struct {
	db   *Stores
	from querier // source of reads: the pool or one read transaction
}

// Orders returns the order store.
func (s *Stores) Orders() *Orders { return &Orders{s, s} }

var (
	_ order.Store = (*Orders)(nil)
	_ jobs.Store  = (*Orders)(nil)
)

// Update implements order.Store.
func (s *Orders) Update(ctx context.Context, fn func(order.Tx) error) error {
	return s.db.engineFailure(s.db.write(ctx, func(w *writeTx) error { return fn(w.orderTx()) }))
}

// View implements order.Store.
func (s *Orders) View(ctx context.Context, fn func(order.Reader) error) error {
	return s.db.view(ctx, func(q querier) error { return fn(&Orders{s.db, q}) })
}

// selectOrders reads orders with their snapshots, for scanOrder.
const selectOrders = `SELECT order_no, kind, source, state, version, user_id, total, created_at, updated_at, expires_at,
	coalesce(provider_no, ''), tickets, sms, fail_reason, stuck, cinema_address, snapshot
	FROM orders JOIN order_snapshots ON order_id = id `

// scanOrder reads a row of selectOrders.
func scanOrder(row scanner) (order.Order, error) {
	var o order.Order
	var tickets, snapshot string
	var created, updated, expires int64
	err := row.Scan(&o.No, &o.Kind, &o.Source, &o.State, &o.Version, &o.UserID, &o.Total, &created, &updated, &expires,
		&o.ProviderNo, &tickets, &o.SMS, &o.FailReason, &o.Stuck, &o.Snapshot.CinemaAddress, &snapshot)
	if err != nil {
		return o, err
	}
	if err := json.Unmarshal([]byte(snapshot), &o.Snapshot); err != nil {
		return o, fmt.Errorf("store: decode snapshot of order %s: %w", o.No, err)
	}
	if tickets != "[]" {
		if err := json.Unmarshal([]byte(tickets), &o.Tickets); err != nil {
			return o, fmt.Errorf("store: decode tickets of order %s: %w", o.No, err)
		}
	}
	o.CreatedAt, o.UpdatedAt, o.ExpiresAt = fromEpoch(created), fromEpoch(updated), fromEpoch(expires)
	return o, nil
}

// read reads the one order that the condition selects, outside a write transaction.
func (s *Orders) read(ctx context.Context, where string, arg any) (order.Order, error) {
	return queryOne(ctx, s.from, scanOrder, order.ErrOrderNotFound, selectOrders+where, arg)
}

// toEpoch and fromEpoch convert times to the epoch seconds of the database and back; 0 is the zero time.
func toEpoch(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

func fromEpoch(s int64) time.Time {
	if s == 0 {
		return time.Time{}
	}
	return time.Unix(s, 0).UTC()
}

// nullText returns the text, or NULL if it is empty.
func nullText(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// Insert implements order.Orders.
func (w orderRepo) Insert(o *order.Order) error {
	if o.Kind == order.Ticket {
		if err := w.upsertShowing(o.Snapshot.Show); err != nil {
			return err
		}
	}
	ids, err := txQueryAll(w.writeTx, scanValue[int64], `INSERT INTO orders (order_no, kind, source, state, version,
		user_id, total, created_at, updated_at, expires_at, ends_at, seats, cinema_address)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT DO NOTHING RETURNING id`,
		o.No, string(o.Kind), int(o.Source), string(o.State), o.Version, o.UserID, int64(o.Total),
		toEpoch(o.CreatedAt), toEpoch(o.UpdatedAt), toEpoch(o.ExpiresAt), toEpoch(endOf(o)), len(o.Snapshot.Seats),
		o.Snapshot.CinemaAddress)
	if w.isRule(err, accountClosed) {
		return account.ErrLoginRequired
	}
	if err != nil {
		return fmt.Errorf("store: insert order: %w", err)
	}
	if len(ids) == 0 {
		if _, err := w.Get(o.No); err == nil || o.Kind != order.Ticket {
			return fmt.Errorf("store: insert order %s: %w", o.No, errOrderExists)
		}
		return order.ErrUnpaidOrder
	}
	if err := w.insertSnapshot(ids[0], o); err != nil {
		return err
	}
	w.changes.Orders = append(w.changes.Orders, order.StateChange{Kind: o.Kind, To: o.State})
	o.MarkSaved()
	return nil
}

// endOf returns when the order moves from the tab "to use" of the order list to the tab "completed". It is the zero
// time for vouchers without an end, which never move.
func endOf(o *order.Order) time.Time {
	switch bought, show := o.Snapshot.Goods, o.Snapshot.Show; {
	case o.Kind == order.Ticket && show.Ends.IsZero():
		return show.Starts.Add(durations.ShowLength)
	case o.Kind == order.Ticket:
		return show.Ends
	case o.Kind == order.Goods && bought.Type == goods.VirtualCode:
		return bought.EndsAt
	}
	return o.CreatedAt // recharges count as completed as soon as they are delivered
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

// errOrderExists means that the number of a new order is taken.
var errOrderExists = errors.New("the order number exists")

// upsertShowing records the times and the price of a showing that an order refers to. It does not upsert unchanged
// values: PostgreSQL would lock the row even so, and all buyers of a showing would wait for each other.
func (w orderRepo) upsertShowing(show catalog.Show) error {
	return w.run(mustRun("save showing %s", show.ID), `INSERT INTO showings
		(source, external_id, starts_at, closes_at, price)
		SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (SELECT 1 FROM showings
			WHERE source = $1 AND external_id = $2 AND starts_at = $3 AND closes_at = $4 AND price = $5)
		ON CONFLICT (source, external_id) DO UPDATE SET starts_at = $3, closes_at = $4, price = $5
		WHERE showings.starts_at <> $3 OR showings.closes_at <> $4 OR showings.price <> $5`,
		int(show.Source), show.ID, toEpoch(show.Starts), toEpoch(show.Closes), int64(show.Price))
}

// Get implements order.Orders.
func (w orderRepo) Get(no string) (order.Order, error) {
	o, err := txQueryOne(w.writeTx, scanOrder, order.ErrOrderNotFound,
		selectOrders+`WHERE order_no = $1`+w.db.sql.lockRow+w.db.sql.ofOrders, no)
	if err == nil {
		w.hasLocked(w.db.sql.lockOrder, "order ", no)
	}
	return o, err
}

// Save implements order.Orders.
func (w orderRepo) Save(o *order.Order) error {
	tickets := []byte("[]")
	if len(o.Tickets) > 0 {
		var err error
		if tickets, err = json.Marshal(o.Tickets); err != nil {
			return fmt.Errorf("store: encode tickets: %w", err)
		}
	}
	state, version := o.StoredVersion()
	err := w.run(mustChange(order.ErrOrderState, "save order %s in state %s, version %d", o.No, state, version),
		`UPDATE orders
		SET state = $1, version = $2, updated_at = $3, expires_at = $4, provider_no = $5, tickets = $6, sms = $7,
			fail_reason = $8, stuck = $9, total = $10
		WHERE order_no = $11 AND state = $12 AND version = $13`,
		string(o.State), o.Version, toEpoch(o.UpdatedAt), toEpoch(o.ExpiresAt), nullText(o.ProviderNo),
		string(tickets), o.SMS, o.FailReason, o.Stuck, int64(o.Total), o.No, string(state), version)
	if err != nil {
		return err
	}
	if o.State != state {
		w.changes.Orders = append(w.changes.Orders, order.StateChange{Kind: o.Kind, From: state, To: o.State})
	}
	o.MarkSaved()
	return nil
}

// CountUnpaid implements order.Orders.
func (w orderRepo) CountUnpaid(userID int64) (int, error) {
	if err := w.lockUser(userID); err != nil {
		return 0, err
	}
	return txQueryOne(w.writeTx, scanValue[int], nil,
		`SELECT count(*) FROM orders WHERE user_id = $1 AND kind <> 'ticket' AND state = 'PENDING'`, userID)
}

// UnpaidEnds implements order.Orders. It finds the calls that opened the payments of an order by their keys, which
// contain the order's number (see callsOf).
func (w orderRepo) UnpaidEnds(
	userID int64, kind order.Kind, after, until time.Time, most int,
) ([]order.UnpaidEnd, error) {
	if err := w.lockUser(userID); err != nil {
		return nil, err
	}
	scan := func(row scanner) (end order.UnpaidEnd, err error) {
		var at int64
		err = row.Scan(&at, &end.Unpayable)
		end.At = fromEpoch(at)
		return end, err
	}
	return txQueryAll(w.writeTx, scan, `SELECT updated_at,
		coalesce((SELECT max(CASE outcome WHEN 'ok' THEN 1 ELSE 0 END) FROM provider_calls
			WHERE key > 'prepay:' || orders.order_no || '-' AND key < 'prepay:' || orders.order_no || '.'), 1) = 0
		FROM orders
		WHERE user_id = $1 AND (kind = 'ticket') = $5 AND state IN ('CANCELLED', 'EXPIRED')
		AND updated_at > $2 AND updated_at <= $3
		ORDER BY updated_at DESC LIMIT $4`+planOnce,
		userID, toEpoch(after), toEpoch(until), most, kind == order.Ticket)
}

// Order implements order.Store.
func (s *Orders) Order(ctx context.Context, no string) (order.Order, error) {
	return s.read(ctx, `WHERE order_no = $1`, no)
}

// OpenOrder implements order.Store.
func (s *Orders) OpenOrder(ctx context.Context, userID int64) (order.Order, bool, error) {
	o, err := s.read(ctx, `WHERE user_id = $1 AND kind = 'ticket' AND state IN ('LOCKING', 'PENDING')`, userID)
	if errors.Is(err, order.ErrOrderNotFound) {
		return order.Order{}, false, nil
	}
	return o, err == nil, err
}

// tabConditions are the conditions of the tabs of the order list. :now stands for the current time. Recharges are not in
// this list, but among the records of their card.
var tabConditions = map[order.Tab]string{
	order.TabAll:       `kind <> 'recharge' AND state NOT IN ('LOCKING', 'ABANDONED')`,
	order.TabPending:   `kind <> 'recharge' AND state = 'PENDING'`,
	order.TabToUse:     `kind <> 'recharge' AND state = 'ISSUED' AND (ends_at > :now OR ends_at = 0)`,
	order.TabCompleted: `kind <> 'recharge' AND state = 'ISSUED' AND ends_at <= :now AND ends_at <> 0`,
}

// ListOrders implements order.Reader.
func (s *Orders) ListOrders(ctx context.Context, q order.ListQuery) ([]order.Order, error) {
	tab, ok := tabConditions[q.Tab]
	if !ok {
		tab = tabConditions[order.TabAll]
	}
	where, args := strings.ReplaceAll(tab, ":now", "$4"), []any{q.UserID, q.Limit, q.Offset}
	if where != tab {
		args = append(args, toEpoch(q.Now))
	}
	return queryAll(ctx, s.from, scanOrder, selectOrders+`WHERE user_id = $1 AND `+where+`
		ORDER BY id DESC LIMIT $2`+planOnce+` OFFSET $3`, args...)
}

// CountOrders implements order.Reader.
func (s *Orders) CountOrders(ctx context.Context, userID int64, now time.Time) (order.Counts, error) {
	scan := func(row scanner) (c order.Counts, err error) {
		return c, row.Scan(&c.All, &c.Pending, &c.ToUse, &c.Completed)
	}
	count := func(t order.Tab) string {
		return `count(*) FILTER (WHERE ` + strings.ReplaceAll(tabConditions[t], ":now", "$2") + `)`
	}
	return queryOne(ctx, s.from, scan, nil, `SELECT `+count(order.TabAll)+`, `+count(order.TabPending)+`,
		`+count(order.TabToUse)+`, `+count(order.TabCompleted)+` FROM orders WHERE user_id = $1`, userID, toEpoch(now))
}

// fen converts an amount to the integer type of the driver.
func fen(f money.Fen) int64 { return int64(f) }
