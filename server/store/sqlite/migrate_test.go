package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"marquee/server/order"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// openAt makes a database as a shop of that schema version left it, and runs the statements on it.
func openAt(t *testing.T, version int64, statements ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.db")
	db, err := sql.Open("sqlite", dsn(path, false))
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	files, err := fs.Sub(migrations, "migrations")
	require.NoError(t, err)
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
	require.NoError(t, err)
	_, err = p.UpTo(t.Context(), version)
	require.NoError(t, err)
	for _, s := range statements {
		_, err := db.Exec(s)
		require.NoError(t, err, s)
	}
	return path
}

const oldOrder = `INSERT INTO orders (order_no, kind, source, state, version, user_id, total, snapshot, created_at, updated_at, expires_at, seats) VALUES `

func TestMigrate_OrdersKeepWhatTheyBought(t *testing.T) {
	t.Parallel()
	path := openAt(t, 24, oldOrder+`
		('a', 'ticket', 1, 'PENDING', 3, 7, 4290, '{"CinemaName":"星光影城","CinemaAddress":"人民路1号","Seats":[{"ID":"1-1"}]}', 1, 2, 3, 1),
		('b', 'goods', 0, 'ISSUED', 4, 7, 1500, '{"Goods":{"Title":"月卡"}}', 1, 2, 3, 0)`)
	db, err := Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	a, err := db.Orders().Order(t.Context(), "a")
	require.NoError(t, err)
	assert.Equal(t, "星光影城", a.Snapshot.CinemaName)
	assert.Equal(t, "人民路1号", a.Snapshot.CinemaAddress)
	assert.Equal(t, "1-1", a.Snapshot.Seats[0].ID)
	assert.Equal(t, order.Pending, a.State)
	assert.Equal(t, 3, a.Version)
	list, err := db.Orders().ListOrders(t.Context(), order.ListQuery{UserID: 7, Limit: 10})
	require.NoError(t, err)
	require.Len(t, list, 2)
	assert.Equal(t, "月卡", list[0].Snapshot.Goods.Title)
	require.NoError(t, db.Orders().Update(t.Context(), func(tx order.Tx) error {
		o, err := tx.Orders.Get("a")
		if err != nil {
			return err
		}
		assert.Equal(t, a.Snapshot, o.Snapshot)
		return errors.Join(o.MarkCancelled(a.UpdatedAt), tx.Orders.Save(&o), tx.Orders.SetCinemaAddress("a", "新路2号"))
	}))
	a, err = db.Orders().Order(t.Context(), "a")
	require.NoError(t, err)
	assert.Equal(t, order.Cancelled, a.State)
	assert.Equal(t, "新路2号", a.Snapshot.CinemaAddress)
	assert.Equal(t, "1-1", a.Snapshot.Seats[0].ID)
}

func TestMigrate_TasksFindTheirLanes(t *testing.T) {
	t.Parallel()
	path := openAt(t, 23,
		oldOrder+`('t', 'ticket', 2, 'PENDING', 1, 7, 4290, '{}', 1, 1, 1, 1), ('g', 'goods', 0, 'PENDING', 1, 7, 1500, '{}', 1, 1, 1, 0),
			('r', 'recharge', 0, 'PENDING', 1, 7, 5000, '{}', 1, 1, 1, 0)`,
		`INSERT INTO outbox (kind, subject, due_at, tries) VALUES ('order', 't', 5, 2), ('unlock', 't', 5, 0), ('order', 'g', 5, 0), ('order', 'r', 5, 0),
			('trade', 't-1', 5, 0), ('reconcile', 't-0', 5, 0), ('refund', '1', 5, 0), ('house', 'lots', 5, 0), ('unlock', 'gone', 5, 0)`)
	db, err := Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	rows, err := db.Read().Query(`SELECT kind || ' ' || subject, lane FROM outbox WHERE due_at = 5`)
	require.NoError(t, err)
	lanes := map[string]string{}
	for rows.Next() {
		var task, lane string
		require.NoError(t, rows.Scan(&task, &lane))
		lanes[task] = lane
	}
	require.NoError(t, rows.Err())
	assert.Equal(t, map[string]string{
		"order t": "tickets-2", "unlock t": "tickets-2", "order g": "topup", "order r": "house", "trade t-1": "gateway",
		"reconcile t-0": "gateway", "refund 1": "gateway", "house lots": "house", "unlock gone": "house",
	}, lanes)
}

func TestMigrate_ChecksStillRefuse(t *testing.T) {
	t.Parallel()
	path := openAt(t, 25, `INSERT INTO orders (order_no, kind, source, state, version, user_id, total, created_at, updated_at, expires_at) VALUES
		('a', 'ticket', 1, 'PENDING', 3, 7, 4290, 1, 2, 3)`)
	db, err := Open(path)
	require.NoError(t, err)
	defer func() { require.NoError(t, db.Close()) }()
	var health string
	require.NoError(t, db.Read().QueryRow(`PRAGMA integrity_check`).Scan(&health))
	assert.Equal(t, "ok", health)

	allowed := map[string][]string{ // by an insert that takes one of them
		`INSERT INTO payments (order_no, attempt, state, total, created_at) VALUES (random(), 1, '%s', 1, 1)`:            {"open", "paid", "closed", "late", "disputed"},
		`INSERT INTO provider_calls (key, order_no, request_hash, sent_at, outcome) VALUES (random(), 'a', '', 1, '%s')`: {"sent", "ok", "refused", "unknown"},
		`INSERT INTO orders (order_no, kind, source, state, version, user_id, total, created_at, updated_at, expires_at) VALUES (random(), 'goods', 1, '%s', 1, 7, 1, 1, 1, 1)`: {
			"LOCKING", "PENDING", "PAID", "ISSUING", "ISSUED", "ISSUE_FAILED", "REFUNDED", "CANCELLED", "EXPIRED", "ABANDONED",
		},
		`INSERT INTO orders (order_no, kind, source, state, version, user_id, total, created_at, updated_at, expires_at) VALUES (random(), '%s', 1, 'PAID', 1, 7, 1, 1, 1, 1)`: {"ticket", "goods", "recharge"},
		`INSERT INTO seat_holds (source, show_id, seat_id, order_no, state, changed_at) VALUES (1, 's', random(), 'a', '%s', 1)`:                                               {"held", "sold", "released"},
		`INSERT INTO stock_holds (order_no, sku_id, pieces, state, changed_at) VALUES (random(), 1, 1, '%s', 1)`:                                                               {"held", "sold", "released"},
		`INSERT INTO refunds (leg_id, order_no, kind, title, generation, amount, state, reason, created_at) VALUES (1, 'a', 'card', '', abs(random()), 1, '%s', '', 1)`: {
			"ready", "sending", "unknown", "done", "manual",
		},
		`INSERT INTO goods_codes (sku_id, sealed, hash, state, order_no, changed_at) VALUES (1, x'00', randomblob(9), '%s', NULL, 1)`: {"free", "withdrawn"},
		`INSERT INTO ledger_entries (tx_id, account, lot_id, cp) VALUES (1, '%s', NULL, 1)`:                                           {"issued", "revenue", "wx_clearing", "expired", "adjust"},
	}
	insert := func(tx *sql.Tx, query, value string) error {
		_, err := tx.Exec(fmt.Sprintf(query, value))
		return err
	}
	for _, prepare := range []string{`PRAGMA foreign_keys = OFF`, `DROP TRIGGER refunds_within_capture`} {
		_, err := db.writer.Exec(prepare)
		require.NoError(t, err)
	}
	for query, values := range allowed {
		for _, v := range values {
			assert.NoError(t, db.Write(t.Context(), func(tx *sql.Tx) error { return insert(tx, query, v) }), "%s: %s", query, v)
		}
		err := db.Write(t.Context(), func(tx *sql.Tx) error { return insert(tx, query, "else") })
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

// The statements of a shop that is running are those of its own schema.
func TestOpen_LeavesTheSchemaOfAShopThatIsRunning(t *testing.T) {
	t.Parallel()
	path := openAt(t, 24)
	shop, err := TakeClaim(path, "shop on http://127.0.0.1:8080")
	require.NoError(t, err)
	_, err = Open(path, Beside())
	require.ErrorIs(t, err, ErrClaimed)
	require.ErrorContains(t, err, "shop on http://127.0.0.1:8080")
	require.ErrorContains(t, err, "the schema is 24")
	require.NoError(t, shop.Release())
	db, err := Open(path, Beside())
	require.NoError(t, err, "nobody is served: it is brought up to date")
	require.NoError(t, db.Close())
	shop, err = TakeClaim(path, "shop")
	require.NoError(t, err)
	defer func() { require.NoError(t, shop.Release()) }()
	db, err = Open(path, Beside())
	require.NoError(t, err, "beside a shop of the same release")
	require.NoError(t, db.Close())
}

func TestOpen_RefusesTheSchemaOfALaterRelease(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "shop.db")
	db, err := Open(path)
	require.NoError(t, err)
	_, err = db.writer.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, 1)`)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	_, err = Open(path)
	require.ErrorIs(t, err, ErrNewerSchema)
	require.ErrorContains(t, err, "9999")
}
