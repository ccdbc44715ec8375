package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"marquee/server/cards"
	"marquee/server/money"
)

// Lots implements cards.Ledger.
func (w ledgerRepo) Lots(cardIDs []int64) ([]cards.Lot, error) {
	var out []cards.Lot
	for _, id := range cardIDs {
		lots, err := txQueryAll(w.writeTx, scanLot, `SELECT `+lotColumns+` FROM lots WHERE card_id = ? ORDER BY id`, id)
		if err != nil {
			return nil, err
		}
		out = append(out, lots...)
	}
	return out, nil
}

// Lot implements cards.Ledger.
func (w ledgerRepo) Lot(id int64) (cards.Lot, error) {
	s, err := w.stmt(`SELECT ` + lotColumns + ` FROM lots WHERE id = ?`)
	if err != nil {
		return cards.Lot{}, err
	}
	return scanLot(s.QueryRow(id))
}

// InsertLot implements cards.Ledger.
func (w ledgerRepo) InsertLot(l cards.Lot) (int64, error) {
	res, err := w.exec(`INSERT INTO lots (card_id, expires_at, origin)
		VALUES (?, ?, ?)`, l.CardID, toEpoch(l.ExpiresAt), l.Origin)
	if err != nil {
		return 0, fmt.Errorf("sqlite: insert lot of card %d: %w", l.CardID, err)
	}
	return res.LastInsertId()
}

// MoveLot implements cards.Ledger.
func (w ledgerRepo) MoveLot(id int64, avail, held money.Points) error {
	res, err := w.exec(`UPDATE lots SET avail = avail + ?2, held = held + ?3 WHERE id = ?1 AND avail + ?2 >= 0
		AND held + ?3 >= 0`,
		id, points(avail), points(held))
	if err != nil {
		return fmt.Errorf("sqlite: move lot %d: %w", id, err)
	}
	return requireRow(res, cards.ErrPointsInsufficient)
}

// Insert implements cards.Ledger.
func (w ledgerRepo) Insert(t cards.LedgerTx) error {
	res, err := w.exec(`INSERT INTO ledger_txs (key, event, order_no, actor, remark, at) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (key) DO NOTHING`,
		t.Key, string(t.Event), t.OrderNo, t.Actor, t.Remark, toEpoch(t.At))
	if err != nil {
		return fmt.Errorf("sqlite: insert ledger transaction %s: %w", t.Key, err)
	}
	if err := requireRow(res, cards.ErrPosted); err != nil {
		return err
	}
	id, err := res.LastInsertId()
	if err != nil {
		return err
	}
	args := make([]any, 0, 4*len(t.Entries))
	for _, e := range t.Entries {
		args = append(args, id, string(e.Account), sql.NullInt64{Int64: e.LotID, Valid: e.LotID != 0}, points(e.Points))
	}
	values := strings.TrimSuffix(strings.Repeat(`(?, ?, ?, ?), `, len(t.Entries)), ", ")
	if _, err := w.exec(`INSERT INTO ledger_entries (tx_id, account, lot_id, cp) VALUES `+values, args...); err != nil {
		return fmt.Errorf("sqlite: insert ledger entries of %s: %w", t.Key, err)
	}
	return nil
}

// Find implements cards.Ledger.
func (w ledgerRepo) Find(key string) (cards.LedgerTx, bool, error) {
	s, err := w.stmt(`SELECT id, event, order_no, actor, remark, at FROM ledger_txs WHERE key = ?`)
	if err != nil {
		return cards.LedgerTx{}, false, err
	}
	t := cards.LedgerTx{Key: key}
	var id, when int64
	err = s.QueryRow(key).Scan(&id, &t.Event, &t.OrderNo, &t.Actor, &t.Remark, &when)
	if errors.Is(err, sql.ErrNoRows) {
		return t, false, nil
	}
	if err != nil {
		return t, false, fmt.Errorf("sqlite: read ledger transaction %s: %w", key, err)
	}
	t.At = fromEpoch(when)
	t.Entries, err = txQueryAll(w.writeTx, func(row scanner) (e cards.Entry, err error) {
		return e, row.Scan(&e.Account, &e.LotID, &e.Points)
	}, `SELECT account, coalesce(lot_id, 0), cp FROM ledger_entries WHERE tx_id = ? ORDER BY id`, id)
	return t, err == nil, err
}

// Record implements cards.AuditLog.
func (w auditRepo) Record(when time.Time, actor, what, subject, before, after string) error {
	_, err := w.exec(`INSERT INTO audit (at, actor, what, subject, before, after, request_id) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		toEpoch(when), actor, what, subject, before, after, w.requestID)
	return err
}
