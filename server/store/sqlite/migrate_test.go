package sqlite

import (
	"database/sql"
	"errors"
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/pressly/goose/v3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/orders"
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
	assert.Equal(t, orders.Pending, a.State)
	assert.Equal(t, 3, a.Version)
	list, err := db.Orders().ListOrders(t.Context(), orders.ListQuery{UserID: 7, Limit: 10})
	require.NoError(t, err)
	require.Len(t, list, 2)
	assert.Equal(t, "月卡", list[0].Snapshot.Goods.Title)
	require.NoError(t, db.Orders().Update(t.Context(), func(tx orders.Tx) error {
		o, err := tx.Order("a")
		if err != nil {
			return err
		}
		assert.Equal(t, a.Snapshot, o.Snapshot)
		return errors.Join(o.MarkCancelled(a.UpdatedAt), tx.SaveOrder(&o), tx.SetAddress("a", "新路2号"))
	}))
	a, err = db.Orders().Order(t.Context(), "a")
	require.NoError(t, err)
	assert.Equal(t, orders.Cancelled, a.State)
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
