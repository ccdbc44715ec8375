package sqlite

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/store"
)

func TestSchema_ChecksRejectOtherValues(t *testing.T) {
	t.Parallel()
	db := openEmpty(t)
	var health string
	require.NoError(t, db.Read().QueryRow(`PRAGMA integrity_check`).Scan(&health))
	assert.Equal(t, "ok", health)

	allowed := map[string][]string{ // the values that a CHECK allows, by the insert statement that they are put into
		`INSERT INTO payments (order_no, attempt, state, total, created_at)
			VALUES (random(), 1, '%s', 1, 1)`: {"open", "paid", "closed", "late", "disputed"},
		`INSERT INTO provider_calls (key, order_no, request_hash, sent_at, outcome)
			VALUES (random(), 'a', '', 1, '%s')`: {"sent", "ok", "refused", "unknown"},
		`INSERT INTO orders (order_no, kind, source, state, version, user_id, total, created_at, updated_at,
			expires_at) VALUES (random(), 'goods', 1, '%s', 1, 7, 1, 1, 1, 1)`: {
			"LOCKING", "PENDING", "PAID", "ISSUING", "ISSUED", "ISSUE_FAILED", "REFUNDED", "CANCELLED", "EXPIRED",
			"ABANDONED",
		},
		`INSERT INTO orders (order_no, kind, source, state, version, user_id, total, created_at, updated_at,
			expires_at) VALUES (random(), '%s', 1, 'PAID', 1, 7, 1, 1, 1, 1)`: {"ticket", "goods", "recharge"},
		`INSERT INTO seat_holds (source, show_id, seat_id, order_no, state, changed_at)
			VALUES (1, 's', random(), 'a', '%s', 1)`: {"held", "sold", "released"},
		`INSERT INTO stock_holds (order_no, sku_id, pieces, state, changed_at)
			VALUES (random(), 1, 1, '%s', 1)`: {"held", "sold",
			"released"},
		`INSERT INTO refunds (leg_id, order_no, kind, title, generation, amount, state, reason, created_at)
			VALUES (1, 'a', 'card', '', abs(random()), 1, '%s', '', 1)`: {
			"ready", "sending", "unknown", "done", "manual",
		},
		`INSERT INTO goods_codes (sku_id, sealed, hash, import, state, order_no, changed_at)
			VALUES (1, x'00', randomblob(9), 'list', '%s', NULL, 1)`: {"free", "withdrawn"},
		`INSERT INTO ledger_entries (tx_id, account, lot_id, cp)
			VALUES (1, '%s', NULL, 1)`: {"issued", "revenue", "wx_clearing",
			"expired", "adjust"},
	}
	insert := func(tx store.Conn, query, value string) error {
		_, err := tx.Exec(fmt.Sprintf(query, value))
		return err
	}
	for _, prepare := range []string{`PRAGMA foreign_keys = OFF`, `DROP TRIGGER refunds_within_capture`} {
		_, err := db.writer.Exec(prepare)
		require.NoError(t, err)
	}
	for query, values := range allowed {
		for _, v := range values {
			assert.NoError(t, db.Write(t.Context(), func(tx store.Conn) error { return insert(tx, query, v) }),
				"%s: %s", query, v)
		}
		err := db.Write(t.Context(), func(tx store.Conn) error { return insert(tx, query, "else") })
		assert.ErrorContains(t, err, "CHECK constraint failed", query)
	}

	rows, err := db.Read().Query(`SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name IN
		('orders', 'seat_holds', 'ledger_entries', 'payments', 'refunds', 'provider_calls', 'stock_holds', 'goods_codes')`)
	require.NoError(t, err)
	tables := 0
	for rows.Next() {
		var name, rules string
		require.NoError(t, rows.Scan(&name, &rules))
		assert.NotRegexp(t, `IN \(('\w+'(, )?){3,}\)`, rules, name)
		tables++
	}
	require.NoError(t, rows.Err())
	assert.Equal(t, 8, tables)
}

// A running shop has compiled its statements for its schema, so another process must not migrate the database.
func TestOpen_LeavesTheSchemaOfAShopThatIsRunning(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "shop.db") // an empty file has the schema version 0
	shop, err := TakeClaim(path, "shop on http://127.0.0.1:8080")
	require.NoError(t, err)
	_, err = Open(path, NotServing())
	require.ErrorIs(t, err, ErrClaimed)
	require.ErrorContains(t, err, "shop on http://127.0.0.1:8080")
	require.ErrorContains(t, err, "the schema version is 0")
	require.NoError(t, shop.Release())
	db, err := Open(path, NotServing())
	require.NoError(t, err, "an unclaimed database is migrated")
	require.NoError(t, db.Close())
	shop, err = TakeClaim(path, "shop")
	require.NoError(t, err)
	defer func() { require.NoError(t, shop.Release()) }()
	db, err = Open(path, NotServing())
	require.NoError(t, err, "a database with an up-to-date schema is opened while a shop serves it")
	require.NoError(t, db.Close())
}

func TestOpen_RejectsTheSchemaOfALaterRelease(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "shop.db")
	db, err := Open(path)
	require.NoError(t, err)
	_, err = db.writer.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	_, err = Open(path)
	require.Equal(t, store.NewerSchema, store.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "9999")
}
