package store

import (
	"database/sql"
	"fmt"
	"strings"
	"time"

	"marquee/server/cards"
	"marquee/server/money"
)

// Lots implements cards.Ledger.
func (w ledgerRepo) Lots(cardIDs []int64) ([]cards.Lot, error) {
	var out []cards.Lot
	if err := w.lockCards(cardIDs); err != nil {
		return nil, err
	}
	for _, id := range cardIDs {
		lots, err := txQueryAll(w.writeTx, scanLot, `SELECT `+lotColumns+` FROM lots
			WHERE card_id = $1 ORDER BY id`+w.db.sql.lockRow, id)
		if err != nil {
			return nil, err
		}
		out = append(out, lots...)
	}
	return out, nil
}

// Lot implements cards.Ledger.
func (w ledgerRepo) Lot(id int64) (cards.Lot, error) {
	return txQueryOne(w.writeTx, scanLot, cards.ErrCardNotFound,
		`SELECT `+lotColumns+` FROM lots WHERE id = $1`+w.db.sql.lockRow, id)
}

// InsertLot implements cards.Ledger.
func (w ledgerRepo) InsertLot(l cards.Lot) (int64, error) {
	id, err := txQueryOne(w.writeTx, scanValue[int64], nil, `INSERT INTO lots (card_id, expires_at, origin)
		VALUES ($1, $2, $3) RETURNING id`, l.CardID, toEpoch(l.ExpiresAt), l.Origin)
	if err != nil {
		return 0, fmt.Errorf("store: insert lot of card %d: %w", l.CardID, err)
	}
	return id, nil
}

// MoveLot implements cards.Ledger.
func (w ledgerRepo) MoveLot(id int64, avail, held money.Points) error {
	return w.run(mustChange(cards.ErrPointsInsufficient, "move lot %d", id),
		`UPDATE lots SET avail = avail + $2, held = held + $3 WHERE id = $1 AND avail + $2 >= 0 AND held + $3 >= 0`,
		id, points(avail), points(held))
}

// Insert implements cards.Ledger.
func (w ledgerRepo) Insert(t cards.LedgerTx) error {
	id, err := txQueryOne(w.writeTx, scanValue[int64], cards.ErrPosted,
		`INSERT INTO ledger_txs (key, event, order_no, actor, remark, at) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (key) DO NOTHING RETURNING id`,
		t.Key, string(t.Event), t.OrderNo, t.Actor, t.Remark, toEpoch(t.At))
	if err != nil {
		return fmt.Errorf("store: insert ledger transaction %s: %w", t.Key, err)
	}
	var entries rowValues
	for _, e := range t.Entries {
		entries.add(id, string(e.Account), sql.NullInt64{Int64: e.LotID, Valid: e.LotID != 0}, points(e.Points))
	}
	return w.run(mustRun("insert ledger entries of %s", t.Key), `INSERT INTO ledger_entries
		(tx_id, account, lot_id, cp) VALUES `+entries.text(), entries.args...)
}

// rowValues are the rows of an INSERT.
type rowValues struct {
	rows []string
	args []any
}

// add adds a row.
func (v *rowValues) add(values ...any) {
	v.rows = append(v.rows, "("+placeholders(len(v.args)+1, len(values))+")")
	v.args = append(v.args, values...)
}

// text returns the part after VALUES.
func (v *rowValues) text() string { return strings.Join(v.rows, ", ") }

// Find implements cards.Ledger.
func (w ledgerRepo) Find(key string) (cards.LedgerTx, bool, error) {
	var id int64
	found, err := txQueryAll(w.writeTx, func(row scanner) (cards.LedgerTx, error) {
		t := cards.LedgerTx{Key: key}
		var when int64
		err := row.Scan(&id, &t.Event, &t.OrderNo, &t.Actor, &t.Remark, &when)
		t.At = fromEpoch(when)
		return t, err
	}, `SELECT id, event, order_no, actor, remark, at FROM ledger_txs WHERE key = $1`, key)
	if err != nil || len(found) == 0 {
		return cards.LedgerTx{Key: key}, false, err
	}
	t := found[0]
	t.Entries, err = txQueryAll(w.writeTx, func(row scanner) (e cards.Entry, err error) {
		return e, row.Scan(&e.Account, &e.LotID, &e.Points)
	}, `SELECT account, coalesce(lot_id, 0), cp FROM ledger_entries WHERE tx_id = $1 ORDER BY id`, id)
	return t, err == nil, err
}

// Record implements audit.Log.
func (w auditRepo) Record(when time.Time, actor, what, subject, before, after string) error {
	return w.run(mustRun("record %s of %s", what, subject),
		`INSERT INTO audit (at, actor, what, subject, before, after, request_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		toEpoch(when), actor, what, subject, before, after, w.requestID)
}
