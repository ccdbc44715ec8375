package storetest

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/order"
	"marquee/server/store"
)

// Twice returns an engine that runs every write function twice and rolls the first run back, as an engine does that
// repeats a transaction after a conflict. A function that keeps state from its first run then fails its test.
func Twice(e store.Engine) store.Engine { return twice{e} }

type twice struct{ store.Engine }

// Write runs fn, rolls it back, and runs it again.
func (e twice) Write(ctx context.Context, fn func(store.Conn) error) error {
	rolledBack := errors.New("the first run is rolled back")
	err := e.Engine.Write(ctx, func(c store.Conn) error {
		if err := fn(c); err != nil {
			return err
		}
		rows, err := c.Query(`SELECT 1`) // fails on PostgreSQL if a statement had failed
		if err != nil {
			return err
		}
		return errors.Join(rolledBack, rows.Close())
	})
	if !errors.Is(err, rolledBack) {
		return err
	}
	return e.Engine.Write(ctx, fn)
}

// History tests that triggers and constraints of the schema reject changes of records that must stay as they are, such
// as the audit, the ledger and ended orders, even if the program contains a bug.
func History(t *testing.T, e store.Engine) {
	t.Helper()
	write := func(query string, args ...any) error {
		return e.Write(t.Context(), func(c store.Conn) error { _, err := c.Exec(query, args...); return err })
	}
	type statement struct {
		query string
		args  []any
	}
	for _, s := range []statement{
		{`INSERT INTO audit (at, actor, what, subject) VALUES (1, 'a', 'w', 's')`, nil},
		{`INSERT INTO cards (id, pid, number, password, status, version, created_at)
			VALUES (1, 1, '1', $1, 'active', 1, 1)`, []any{[]byte{0}}},
		{`INSERT INTO lots (id, card_id, expires_at, avail, origin) VALUES (1, 1, 1, 5, 'issue')`, nil},
		{`INSERT INTO ledger_txs (id, key, event, actor, at) VALUES (1, 'k', 'issue', 'a', 1)`, nil},
		{`INSERT INTO ledger_entries (tx_id, account, lot_id, cp)
			VALUES (1, 'avail', 1, 5), (1, 'issued', NULL, -5)`, nil},
		{`INSERT INTO orders (id, order_no, kind, source, state, version, user_id, total, created_at, updated_at)
			VALUES (1, '1', 'ticket', 1, 'LOCKING', 1, 1, 1, 1, 1)`, nil},
		{`INSERT INTO order_snapshots (order_id, snapshot) VALUES (1, '{}')`, nil},
		{`INSERT INTO users (id, phone, created_at) VALUES (1, '1', 1)`, nil},
		{`INSERT INTO account_events (at, kind, user_id, phone, address, actor, detail)
			VALUES (20000000, 'k', 1, '', '', '', ''), (1, 'k', 1, '', '', '', '')`, nil},
		{`INSERT INTO differences (day, book, kind, subject, order_no, ours, theirs, detail, found_at, seen_at)
			VALUES ('d', 'b', 'k', 's', '', 1, 1, '', 1, 1)`, nil},
	} {
		require.NoError(t, write(s.query, s.args...), s.query)
	}
	for _, query := range []string{
		`UPDATE audit SET actor = 'b'`, `DELETE FROM audit`,
		`UPDATE ledger_txs SET remark = 'b'`, `DELETE FROM ledger_txs`,
		`UPDATE ledger_entries SET cp = 6`, `DELETE FROM ledger_entries`,
		`DELETE FROM order_snapshots`, `DELETE FROM orders`, `DELETE FROM cards`, `DELETE FROM differences`,
		`UPDATE cards SET deleted = TRUE`,
		`UPDATE account_events SET kind = 'x'`, `DELETE FROM account_events WHERE at = 20000000`,
	} {
		assert.Equal(t, store.RuleViolation, e.Classify(write(query)), query)
	}
	for _, query := range []string{
		`UPDATE cards SET status = 'deleted'`, `UPDATE lots SET avail = -1`, `UPDATE lots SET held = -1`,
		`INSERT INTO ledger_entries (tx_id, account, lot_id, cp) VALUES (1, 'avail', 1, 0)`,
		`INSERT INTO ledger_entries (tx_id, account, lot_id, cp) VALUES (1, 'revenue', 1, 1)`,
		`UPDATE orders SET state = 'LOST'`, `UPDATE orders SET tickets = '{'`,
		`UPDATE users SET closed_at = 1`,
	} {
		assert.Equal(t, store.CheckViolation, e.Classify(write(query)), query)
	}
	assert.Equal(t, store.UniqueViolation, e.Classify(write(
		`INSERT INTO users (id, phone, created_at) VALUES (2, '1', 1)`)))
	assert.Equal(t, store.OtherViolation, e.Classify(write(
		`INSERT INTO lots (id, card_id, expires_at, origin) VALUES (2, 99, 1, 'issue')`)))
	assert.Error(t, write(`UPDATE orders SET total = 'much'`))
	require.NoError(t, write(`DELETE FROM account_events WHERE at = 1`), "older than 184 days")
}

// Failures tests how an engine reports errors that are not violations of the schema. It closes the engine.
func Failures(t *testing.T, e store.Engine) {
	t.Helper()
	rejection := errors.New("rejected")
	err := e.Write(t.Context(), func(store.Conn) error { return rejection })
	require.ErrorIs(t, err, rejection)
	assert.Equal(t, store.NotOfEngine, e.Classify(err))
	assert.Equal(t, store.NotOfEngine, e.Classify(nil))
	err = e.Write(t.Context(), func(c store.Conn) error {
		_, err := c.Exec(`INSERT INTO texts (key, title, html) VALUES ('k', '', '')`)
		require.NoError(t, err)
		panic("broken")
	})
	require.ErrorContains(t, err, "broken")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	err = e.Write(ended, func(store.Conn) error { assert.Fail(t, "the write must not start"); return nil })
	require.ErrorIs(t, err, context.Canceled)
	assert.Equal(t, store.EngineFailure, e.Classify(err))
	during, cancel := context.WithCancel(t.Context())
	require.NoError(t, e.Write(during, func(c store.Conn) error {
		cancel()
		_, err := c.Exec(`INSERT INTO texts (key, title, html) VALUES ('kept', '', '')`)
		return err
	}), "a write that has started is carried through")
	rows, err := e.Query(t.Context(), `SELECT key FROM texts WHERE key <> $1`, "none")
	require.NoError(t, err)
	var keys []string
	for rows.Next() {
		var key string
		require.NoError(t, rows.Scan(&key))
		keys = append(keys, key)
	}
	require.NoError(t, rows.Err())
	require.NoError(t, rows.Close())
	assert.Equal(t, []string{"kept"}, keys)
	require.NoError(t, e.Ping(t.Context()))
	require.NoError(t, e.Close())
	require.NoError(t, e.Close(), "a second Close does nothing")
	err = e.Write(t.Context(), func(store.Conn) error { return nil })
	assert.Equal(t, store.EngineFailure, e.Classify(err), "%v", err)
	require.Error(t, e.Ping(t.Context()))
}

// UnreadableSnapshots tests that a record of a card is still listed if the snapshot of its order cannot be decoded,
// without the title, and that the other records keep theirs.
func UnreadableSnapshots(t *testing.T, e store.Engine) {
	t.Helper()
	s := Of(store.New(e))
	id, _ := s.card(t, 7, 1, 500)
	readable, broken := newOrder("t1", 7), goodsOrder("g1")
	s.update(t, func(tx order.Tx) error { return errors.Join(tx.Orders.Insert(&readable), tx.Orders.Insert(&broken)) })
	require.NoError(t, s.Cards.Update(t.Context(), func(tx cards.Tx) error {
		for leg, no := range []string{"t1", "g1"} {
			spend := cards.Spend{LegID: int64(leg + 1), CardID: id, Actor: "test", At: noon, OrderNo: no}
			require.NoError(t, errors.Join(cards.Reserve(tx, spend, 10), cards.Commit(tx, spend)))
		}
		return nil
	}))
	require.NoError(t, e.Write(t.Context(), func(c store.Conn) error {
		_, err := c.Exec(`UPDATE order_snapshots SET snapshot = '[]'
			WHERE order_id = (SELECT id FROM orders WHERE order_no = 'g1')`)
		return err
	}))
	list, total, err := s.Cards.Records(t.Context(), id, cards.Consumption, 10, 0)
	require.NoError(t, err)
	assert.Equal(t, 2, total)
	require.Len(t, list, 2)
	assert.Equal(t, cards.RecordOrder{No: "g1", Kind: "goods"}, list[0].Order)
	assert.Equal(t, cards.RecordOrder{No: "t1", Kind: "ticket", Title: "流浪地球"}, list[1].Order)
}
