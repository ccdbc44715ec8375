package sqlite

import (
	"context"
	"fmt"
	"strings"
	"time"

	"marquee/server/cards"
)

// ByCoupon implements cards.Cards.
func (w cardRepo) ByCoupon(hash []byte, now time.Time) (cards.Card, []byte, error) {
	r, err := w.card(`WHERE c.coupon = ?2`, toEpoch(now), hash)
	return r.card, r.hash, err
}

// SetCoupon implements cards.Cards.
func (w cardRepo) SetCoupon(cardID int64, hash []byte) error {
	_, err := w.exec(`UPDATE cards SET coupon = ? WHERE id = ?`, hash, cardID)
	if IsUnique(err) {
		return cards.ErrCardExists
	}
	return err
}

// LinkLot implements cards.Ledger.
func (w ledgerRepo) LinkLot(id, into int64) error {
	_, err := w.exec(`UPDATE lots SET merged_into = ? WHERE id = ?`, into, id)
	return err
}

// MergeTarget implements cards.Cards.
func (w cardRepo) MergeTarget(cardID int64) (int64, error) {
	found, err := txQueryAll(w.writeTx, scanValue[int64],
		`WITH RECURSIVE chain (id, next) AS (SELECT id, merged_into FROM cards WHERE id = ?
			UNION SELECT c.id, c.merged_into FROM cards c JOIN chain ON c.id = chain.next)
		SELECT id FROM chain WHERE next IS NULL`, cardID)
	if err == nil && len(found) == 0 {
		err = cards.ErrCardNotFound
	}
	if err != nil {
		return 0, fmt.Errorf("sqlite: heir of card %d: %w", cardID, err)
	}
	return found[0], nil
}

// Reinstate implements cards.Cards.
func (w cardRepo) Reinstate(cardID int64) (bool, error) {
	res, err := w.exec(`UPDATE cards SET status = 'active', version = version + 1 WHERE id = ?
		AND status = 'deleted' AND merged_into IS NULL`, cardID)
	if err != nil {
		return false, fmt.Errorf("sqlite: restore card %d: %w", cardID, err)
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// Insert implements cards.MergeCodes.
func (w mergeCodeRepo) Insert(m cards.MergeCode) error {
	_, err := w.exec(`INSERT INTO merge_codes (code_hash, user_id, pid, cards, expires_at) VALUES (?, ?, ?, ?, ?)`,
		m.Hash, m.UserID, int(m.PID), m.Cards, toEpoch(m.ExpiresAt))
	return err
}

// Take implements cards.MergeCodes.
func (w mergeCodeRepo) Take(hash []byte, now time.Time) (cards.MergeCode, error) {
	taken, err := txQueryAll(w.writeTx, func(row scanner) (cards.MergeCode, error) {
		m := cards.MergeCode{Hash: hash}
		var expires int64
		err := row.Scan(&m.UserID, &m.PID, &m.Cards, &expires)
		m.ExpiresAt = fromEpoch(expires)
		return m, err
	}, `UPDATE merge_codes SET used_at = ?2 WHERE code_hash = ?1 AND used_at = 0 AND expires_at > ?2
		RETURNING user_id, pid, cards, expires_at`,
		hash, toEpoch(now))
	if err == nil && len(taken) == 0 {
		err = cards.ErrMergeCodeInvalid
	}
	if err != nil {
		return cards.MergeCode{}, err
	}
	return taken[0], nil
}

// Replace implements cards.Packages.
func (w packageRepo) Replace(list []cards.Package) error {
	if _, err := w.exec(`DELETE FROM card_packages`); err != nil {
		return err
	}
	for i, p := range list {
		if _, err := w.exec(`INSERT INTO card_packages (position, points, price)
			VALUES (?, ?, ?)`, i, points(p.Points), fen(p.Price)); err != nil {
			return err
		}
	}
	return nil
}

func scanPackage(row scanner) (p cards.Package, err error) {
	return p, row.Scan(&p.ID, &p.Points, &p.Price)
}

// Packages implements cards.Store.
func (s *Cards) Packages(ctx context.Context) ([]cards.Package, error) {
	return queryAll(ctx, s.db, scanPackage, `SELECT id, points, price FROM card_packages ORDER BY position, id`)
}

// Records implements cards.Store.
func (s *Cards) Records(ctx context.Context, cardID int64, events []cards.Event, limit, offset int) ([]cards.Record,
	int, error) {
	args := []any{cardID}
	for _, e := range events {
		args = append(args, string(e))
	}
	from := ` FROM ledger_entries e JOIN lots l ON l.id = e.lot_id JOIN ledger_txs t ON t.id = e.tx_id
		WHERE l.card_id = ? AND t.event IN (` + strings.TrimSuffix(strings.Repeat("?, ", len(events)), ", ") + `)`
	total, err := queryAll(ctx, s.db, scanValue[int], `SELECT count(DISTINCT t.id)`+from, args...)
	if err != nil || total[0] == 0 {
		return []cards.Record{}, 0, err
	}
	list, err := queryAll(ctx, s.db, func(row scanner) (r cards.Record, err error) {
		var when int64
		err = row.Scan(&r.Event, &when, &r.Remark, &r.Points)
		r.At = fromEpoch(when)
		return r, err
	}, `SELECT t.event, t.at, t.remark, sum(e.cp)`+from+` GROUP BY t.id ORDER BY t.id DESC
		LIMIT ? OFFSET ?`, append(args, limit, offset)...)
	return list, total[0], err
}

// CardNumbered implements cards.Store.
func (s *Cards) CardNumbered(ctx context.Context, number string, now time.Time) (cards.Card, error) {
	r, err := queryOne(ctx, s.db, scanCard, cards.ErrCardNotFound, cardQuery+`WHERE c.number = ?2
		GROUP BY c.id`, toEpoch(now), number)
	return r.card, err
}
