package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"marquee/server/account"
	"marquee/server/catalog"
	"marquee/server/jobs"
	"marquee/server/money"
	"marquee/server/order"
)

// Orders implements order.Store, order.Reader and jobs.Store: orders, seat holds, stock, payments, refunds and tasks.
type Orders struct {
	db   *DB
	from querier // source of reads: the pool or one read transaction
}

// Orders returns the order store.
func (db *DB) Orders() *Orders { return &Orders{db, db} }

var (
	_ order.Store = (*Orders)(nil)
	_ jobs.Store  = (*Orders)(nil)
)

// Update implements order.Store.
func (s *Orders) Update(ctx context.Context, fn func(order.Tx) error) error {
	return engineFailure(s.db.write(ctx, func(w *writeTx) error { return fn(w.orderTx()) }))
}

// View implements order.Store.
func (s *Orders) View(ctx context.Context, fn func(order.Reader) error) error {
	return s.db.inReadTx(ctx, func(q querier) error { return fn(&Orders{s.db, q}) })
}

// orderColumns are the columns that scanOrder reads.
const orderColumns = `order_no, kind, source, state, version, user_id, total, created_at, updated_at, expires_at,
	coalesce(provider_no, ''), tickets, sms, fail_reason, stuck, cinema_address`

// scanner is a *sql.Row or *sql.Rows.
type scanner interface{ Scan(dest ...any) error }

// scanOrder reads an order without its snapshot.
func scanOrder(row scanner) (order.Order, error) { return scanOrderWith(row) }

// scanOrderWith reads an order and the columns that follow orderColumns.
func scanOrderWith(row scanner, more ...any) (order.Order, error) {
	var o order.Order
	var tickets string
	var created, updated, expires int64
	err := row.Scan(append([]any{
		&o.No, &o.Kind, &o.Source, &o.State, &o.Version, &o.UserID, &o.Total, &created, &updated, &expires,
		&o.ProviderNo, &tickets, &o.SMS, &o.FailReason, &o.Stuck, &o.Snapshot.CinemaAddress,
	}, more...)...)
	if errors.Is(err, sql.ErrNoRows) {
		return o, order.ErrOrderNotFound
	}
	if err != nil {
		return o, fmt.Errorf("sqlite: read order: %w", err)
	}
	if tickets != "[]" {
		if err := json.Unmarshal([]byte(tickets), &o.Tickets); err != nil {
			return o, fmt.Errorf("sqlite: decode tickets of order %s: %w", o.No, err)
		}
	}
	o.CreatedAt, o.UpdatedAt, o.ExpiresAt = fromEpoch(created), fromEpoch(updated), fromEpoch(expires)
	return o, nil
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

// nullText returns the text, NULL if it is empty.
func nullText(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

// Insert implements order.Orders.
func (w orderRepo) Insert(o *order.Order) error {
	if o.Kind == order.Ticket {
		if err := w.upsertShowing(o.Snapshot.Show); err != nil {
			return err
		}
	}
	ends := o.Snapshot.Show.Ends
	if o.Kind != order.Ticket {
		ends = o.CreatedAt // goods and recharges count as completed as soon as they are delivered
	} else if ends.IsZero() {
		ends = o.Snapshot.Show.Starts.Add(2 * time.Hour)
	}
	res, err := w.exec(`INSERT INTO orders (order_no, kind, source, state, version, user_id, total, created_at,
		updated_at, expires_at, ends_at, seats, cinema_address)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		o.No, string(o.Kind), int(o.Source), string(o.State), o.Version, o.UserID, int64(o.Total),
		toEpoch(o.CreatedAt), toEpoch(o.UpdatedAt), toEpoch(o.ExpiresAt), toEpoch(ends), len(o.Snapshot.Seats),
		o.Snapshot.CinemaAddress)
	if IsUnique(err) && o.Kind == order.Ticket {
		if _, findErr := w.Get(o.No); findErr == nil {
			return fmt.Errorf("sqlite: order number %s is taken: %w", o.No, err)
		}
		return order.ErrUnpaidOrder
	}
	if isTrigger(err) && w.closedAccount(o.UserID) {
		return account.ErrLoginRequired
	}
	if err != nil {
		return fmt.Errorf("sqlite: insert order: %w", err)
	}
	id, err := res.LastInsertId()
	if err != nil {
		return err
	}
	if err := w.insertSnapshot(id, o); err != nil {
		return err
	}
	o.Stored()
	return nil
}

// upsertShowing records the times and the price of a showing that an order refers to.
func (w orderRepo) upsertShowing(show catalog.Show) error {
	_, err := w.exec(`INSERT INTO showings (source, external_id, starts_at, closes_at, price)
		VALUES (?1, ?2, ?3, ?4, ?5)
		ON CONFLICT (source, external_id) DO UPDATE SET starts_at = ?3, closes_at = ?4, price = ?5
		WHERE starts_at <> ?3 OR closes_at <> ?4 OR price <> ?5`,
		int(show.Source), show.ID, toEpoch(show.Starts), toEpoch(show.Closes), int64(show.Price))
	if err != nil {
		return fmt.Errorf("sqlite: save showing: %w", err)
	}
	return nil
}

// Get implements order.Orders.
func (w orderRepo) Get(no string) (order.Order, error) {
	s, err := w.stmt(`SELECT ` + orderColumns + ` FROM orders WHERE order_no = ?`)
	if err != nil {
		return order.Order{}, err
	}
	o, err := scanOrder(s.QueryRow(no))
	return w.withSnapshot(o, err)
}

// Save implements order.Orders.
func (w orderRepo) Save(o *order.Order) error {
	tickets := []byte("[]")
	if len(o.Tickets) > 0 {
		var err error
		if tickets, err = json.Marshal(o.Tickets); err != nil {
			return fmt.Errorf("sqlite: encode tickets: %w", err)
		}
	}
	state, version := o.Was()
	res, err := w.exec(`UPDATE orders
		SET state = ?, version = ?, updated_at = ?, expires_at = ?, provider_no = ?, tickets = ?, sms = ?, fail_reason = ?,
			stuck = ?
		WHERE order_no = ? AND state = ? AND version = ?`,
		string(o.State), o.Version, toEpoch(o.UpdatedAt), toEpoch(o.ExpiresAt), nullText(o.ProviderNo),
		string(tickets), o.SMS, o.FailReason, o.Stuck, o.No, string(state), version)
	if err != nil {
		return fmt.Errorf("sqlite: save order %s: %w", o.No, err)
	}
	if err := requireRow(res, order.ErrOrderState); err != nil {
		return fmt.Errorf("sqlite: save order %s in state %s, version %d: %w", o.No, state, version, err)
	}
	o.Stored()
	return nil
}

// CountUnpaid implements order.Orders.
func (w orderRepo) CountUnpaid(userID int64) (int, error) {
	found, err := txQueryAll(w.writeTx, scanValue[int],
		`SELECT count(*) FROM orders WHERE user_id = ? AND kind <> 'ticket' AND state = 'PENDING'`, userID)
	if err != nil {
		return 0, err
	}
	return found[0], nil
}

// UnpaidEnds implements order.Orders.
func (w orderRepo) UnpaidEnds(userID int64, after, until time.Time, most int) ([]time.Time, error) {
	end := func(row scanner) (time.Time, error) {
		var at int64
		err := row.Scan(&at)
		return fromEpoch(at), err
	}
	return txQueryAll(w.writeTx, end, `SELECT updated_at FROM orders
		WHERE user_id = ? AND kind = 'ticket' AND state IN ('CANCELLED', 'EXPIRED') AND updated_at > ? AND updated_at <= ?
		ORDER BY updated_at DESC LIMIT ?`, userID, toEpoch(after), toEpoch(until), most)
}

// requireRow returns the error none if the statement changed no row.
func requireRow(res sql.Result, none error) error {
	n, err := res.RowsAffected()
	if err == nil && n == 0 {
		err = none
	}
	return err
}

// Order implements order.Store.
func (s *Orders) Order(ctx context.Context, no string) (order.Order, error) {
	o, err := queryOne(ctx, s.from, scanOrder, order.ErrOrderNotFound, `SELECT `+orderColumns+` FROM orders
		WHERE order_no = ?`, no)
	return s.withSnapshot(ctx, o, err)
}

// OpenOrder implements order.Store.
func (s *Orders) OpenOrder(ctx context.Context, userID int64) (order.Order, bool, error) {
	o, err := queryOne(ctx, s.from, scanOrder, order.ErrOrderNotFound,
		`SELECT `+orderColumns+` FROM orders WHERE user_id = ? AND kind = 'ticket'
			AND state IN ('LOCKING', 'PENDING')`, userID)
	o, err = s.withSnapshot(ctx, o, err)
	if errors.Is(err, order.ErrOrderNotFound) {
		return order.Order{}, false, nil
	}
	return o, err == nil, err
}

// tabs are the conditions of the tabs of the order list at the time ?2. Recharges are listed with their card instead.
var tabs = map[order.Tab]string{
	order.TabAll:       `kind <> 'recharge' AND state NOT IN ('LOCKING', 'ABANDONED')`,
	order.TabPending:   `kind <> 'recharge' AND state = 'PENDING'`,
	order.TabToUse:     `kind <> 'recharge' AND state = 'ISSUED' AND ends_at > ?2`,
	order.TabCompleted: `kind <> 'recharge' AND state = 'ISSUED' AND ends_at <= ?2`,
}

// ListOrders implements order.Reader.
func (s *Orders) ListOrders(ctx context.Context, q order.ListQuery) ([]order.Order, error) {
	where, ok := tabs[q.Tab]
	if !ok {
		where = tabs[order.TabAll]
	}
	scan := func(row scanner) (order.Order, error) {
		var snapshot string
		o, err := scanOrderWith(row, &snapshot)
		if err == nil {
			err = json.Unmarshal([]byte(snapshot), &o.Snapshot)
		}
		return o, err
	}
	return queryAll(ctx, s.from, scan, `SELECT `+orderColumns+`, snapshot FROM orders
		JOIN order_snapshots ON order_id = id WHERE user_id = ?1 AND ?2 = ?2 AND `+where+` ORDER BY id DESC
		LIMIT ?3 OFFSET ?4`,
		q.UserID, toEpoch(q.Now), q.Limit, q.Offset)
}

// CountOrders implements order.Reader.
func (s *Orders) CountOrders(ctx context.Context, userID int64, now time.Time) (order.Counts, error) {
	scan := func(row scanner) (c order.Counts, err error) {
		return c, row.Scan(&c.All, &c.Pending, &c.ToUse, &c.Completed)
	}
	count := func(t order.Tab) string { return `count(*) FILTER (WHERE ` + tabs[t] + `)` }
	return queryOne(ctx, s.from, scan, sql.ErrNoRows, `SELECT `+count(order.TabAll)+`, `+count(order.TabPending)+`,
		`+count(order.TabToUse)+`, `+
		count(order.TabCompleted)+` FROM orders WHERE user_id = ?1 AND ?2 = ?2`, userID, toEpoch(now))
}

// fen converts an amount to the integer type of the driver.
func fen(f money.Fen) int64 { return int64(f) }
