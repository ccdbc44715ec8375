package store

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/order"
	"marquee/server/personal"
)

// Personal implements personal.Store and personal.Profile.
type Personal struct{ db *Stores }

// Personal returns the store for the rights of buyers to get a copy of their data and to close their account.
func (s *Stores) Personal() *Personal { return &Personal{s} }

var (
	_ personal.Store   = (*Personal)(nil)
	_ personal.Profile = (*Personal)(nil)
)

// closingRepo holds the statements that close an account.
type closingRepo struct{ *writeTx }

// Update implements personal.Store.
func (s *Personal) Update(ctx context.Context, fn func(personal.Tx) error) error {
	return s.db.write(ctx, func(w *writeTx) error {
		return fn(personal.Tx{Accounts: closingRepo{w}, Orders: closingRepo{w}, Cards: w.cardTx()})
	})
}

// OpenIDs implements personal.Profile.
func (s *Personal) OpenIDs(ctx context.Context, userID int64) ([]string, error) {
	return queryAll(ctx, s.db, scanValue[string],
		`SELECT openid FROM wx_identities WHERE user_id = $1 ORDER BY bound_at, openid`, userID)
}

// LiveSessions implements personal.Profile.
func (s *Personal) LiveSessions(ctx context.Context, userID int64, now time.Time) ([]account.NewSession, error) {
	scan := func(row scanner) (n account.NewSession, err error) {
		var created, expires int64
		err = row.Scan(&n.Method, &created, &expires, &n.Device, &n.Network)
		n.UserID, n.Created, n.Expires = userID, fromEpoch(created), fromEpoch(expires)
		return n, err
	}
	return queryAll(ctx, s.db, scan, `SELECT method, created_at, expires_at, device, network FROM sessions
		WHERE user_id = $1 AND revoked_at = 0 AND expires_at > $2 ORDER BY created_at`, userID, toEpoch(now))
}

// Unfinished implements personal.Orders.
func (w closingRepo) Unfinished(userID int64, now time.Time) ([]personal.Unfinished, error) {
	scan := func(row scanner) (u personal.Unfinished, err error) {
		return u, row.Scan(&u.OrderNo, &u.Kind, &u.Reason)
	}
	if err := w.lockUser(userID); err != nil {
		return nil, err
	}
	return txQueryAll(w.writeTx, scan, `SELECT order_no, kind, reason FROM (
		SELECT id, order_no, kind, CASE
			WHEN state IN ('LOCKING', 'PENDING') THEN 'unpaid'
			WHEN state IN ('PAID', 'ISSUING') THEN 'undelivered'
			WHEN state = 'ISSUE_FAILED'
				OR EXISTS (SELECT 1 FROM payments p WHERE p.order_no = o.order_no
					AND p.state NOT IN ('paid', 'closed', 'late', 'settled'))
				OR EXISTS (SELECT 1 FROM refunds r WHERE r.order_no = o.order_no
					AND r.state NOT IN ('done', 'by_hand')) THEN 'refunding'
			WHEN state = 'ISSUED' AND kind = 'ticket' AND ends_at > $2 THEN 'unused'
			ELSE '' END reason
		FROM orders o WHERE user_id = $1) AS unfinished WHERE reason <> '' ORDER BY id DESC
		LIMIT $3`+planOnce, userID, toEpoch(now), personal.MaxUnfinished)
}

// CardsOf implements personal.Accounts.
func (w closingRepo) CardsOf(userID int64, now time.Time) ([]cards.Card, error) {
	return txQueryAll(w.writeTx, scanOnlyCard, cardsOfBuyer, toEpoch(now), userID)
}

// CountVouchers implements personal.Orders.
func (w closingRepo) CountVouchers(userID int64, now time.Time) (int, error) {
	return txQueryOne(w.writeTx, scanValue[int], nil, `SELECT count(*) FROM orders o
		WHERE user_id = $1 AND kind = 'goods' AND state = 'ISSUED' AND (ends_at > $2 OR ends_at = 0)
		AND EXISTS (SELECT 1 FROM goods_codes c WHERE c.order_no = o.order_no)`, userID, toEpoch(now))
}

// Anonymise implements personal.Orders.
func (w closingRepo) Anonymise(userID int64) error {
	orders, err := txQueryAll(w.writeTx, scanStoredSnapshot, `SELECT id, order_no, snapshot FROM orders
		JOIN order_snapshots ON order_id = id WHERE user_id = $1`, userID)
	if err != nil {
		return err
	}
	for _, o := range orders {
		if err := w.anonymiseSnapshot(o); err != nil {
			return fmt.Errorf("store: anonymise the snapshot of order %s: %w", o.no, err)
		}
	}
	for _, statement := range []string{
		`UPDATE orders SET sms = '' WHERE user_id = $1 AND sms <> ''`,
		`UPDATE legs SET openid = '' WHERE openid <> '' AND order_no IN (SELECT order_no FROM orders
			WHERE user_id = $1)`,
	} {
		if _, err := w.exec(statement, userID); err != nil {
			return fmt.Errorf("store: anonymise the orders of buyer %d: %w", userID, err)
		}
	}
	return nil
}

// storedSnapshot is the snapshot of an order.
type storedSnapshot struct {
	id       int64 // of the order
	no       string
	snapshot order.Snapshot
}

func scanStoredSnapshot(row scanner) (s storedSnapshot, err error) {
	var text string
	if err := row.Scan(&s.id, &s.no, &text); err != nil {
		return s, err
	}
	return s, json.Unmarshal([]byte(text), &s.snapshot)
}

// anonymiseSnapshot removes the phone and the account that was recharged from a snapshot.
func (w closingRepo) anonymiseSnapshot(s storedSnapshot) error {
	s.snapshot.Mobile = ""
	if s.snapshot.Goods != nil {
		s.snapshot.Goods.Account = ""
	}
	text, err := json.Marshal(s.snapshot)
	if err != nil {
		return err
	}
	_, err = w.exec(`UPDATE order_snapshots SET snapshot = $1 WHERE order_id = $2`, string(text), s.id)
	return err
}

// Close implements personal.Accounts.
func (w closingRepo) Close(userID int64, e account.Event) error {
	if err := w.lockUser(userID); err != nil {
		return err
	}
	avatars, err := txQueryAll(w.writeTx, scanValue[string], `SELECT avatar_url FROM users
		WHERE id = $1 AND closed_at = 0`, userID)
	if err != nil {
		return err
	}
	if len(avatars) == 0 {
		return account.ErrLoginRequired
	}
	if err := deleteAvatar(w.writeTx, avatars[0]); err != nil {
		return err
	}
	if err := insertEvent(w.writeTx, e); err != nil {
		return err
	}
	if err := endSessions(w.writeTx, userID, nil); err != nil {
		return err
	}
	if _, err := w.exec(`DELETE FROM proofs WHERE subject IN (SELECT openid FROM wx_identities WHERE user_id = $1)`,
		userID); err != nil {
		return err
	}
	for _, query := range []string{
		`DELETE FROM wx_identities WHERE user_id = $1`, `DELETE FROM account_notices WHERE user_id = $1`,
	} {
		if _, err := w.exec(query, userID); err != nil {
			return err
		}
	}
	_, err = w.exec(`UPDATE users SET phone = NULL, avatar_url = '', password_hash = '', password_wrong = 0,
		password_locked = 0, password_week_wrong = 0, closed_at = $1 WHERE id = $2`, toEpoch(e.At), userID)
	return err
}
