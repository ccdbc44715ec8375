package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/store"
	"marquee/server/store/storetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) storetest.Engine {
		return storetest.Of(openEmpty(t).Stores)
	})
}

func openEmpty(t *testing.T) *DB {
	t.Helper()
	db, err := Open(filepath.Join(t.TempDir(), "shop.db"))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	return db
}

// Triggers and constraints of the schema refuse changes of the history, independent of the program.
func TestSchema_KeepsHistory(t *testing.T) {
	t.Parallel()
	db := openEmpty(t)
	for _, query := range []string{
		`INSERT INTO audit (at, actor, what, subject) VALUES (1, 'a', 'w', 's')`,
		`INSERT INTO cards (id, pid, number, password, status, version, created_at)
			VALUES (1, 1, '1', x'00', 'active', 1, 1)`,
		`INSERT INTO lots (id, card_id, expires_at, avail, origin) VALUES (1, 1, 1, 5, 'issue')`,
		`INSERT INTO ledger_txs (id, key, event, actor, at) VALUES (1, 'k', 'issue', 'a', 1)`,
		`INSERT INTO ledger_entries (tx_id, account, lot_id, cp) VALUES (1, 'avail', 1, 5), (1, 'issued', NULL, -5)`,
		`INSERT INTO orders (order_no, kind, source, state, version, user_id, total, created_at, updated_at)
			VALUES ('1', 'ticket', 1, 'LOCKING', 1, 1, 1, 1, 1)`,
	} {
		require.NoError(t, db.Write(t.Context(), func(tx store.Conn) error { _, err := tx.Exec(query); return err }), query)
	}
	for _, query := range []string{
		`UPDATE audit SET actor = 'b'`, `DELETE FROM audit`,
		`UPDATE ledger_txs SET remark = 'b'`, `DELETE FROM ledger_txs`,
		`UPDATE ledger_entries SET cp = 6`, `DELETE FROM ledger_entries`,
		`DELETE FROM orders`, `DELETE FROM cards`,
		`UPDATE cards SET deleted = 1`, `UPDATE cards SET status = 'deleted'`,
		`UPDATE lots SET avail = -1`, `UPDATE lots SET held = -1`,
		`INSERT INTO ledger_entries (tx_id, account, lot_id, cp) VALUES (1, 'avail', 1, 0)`,
		`INSERT INTO ledger_entries (tx_id, account, lot_id, cp) VALUES (1, 'revenue', 1, 1)`,
		`UPDATE orders SET state = 'LOST'`,
		`UPDATE orders SET total = 'much'`,
	} {
		assert.Error(t, db.Write(t.Context(), func(tx store.Conn) error { _, err := tx.Exec(query); return err }), query)
	}
}
