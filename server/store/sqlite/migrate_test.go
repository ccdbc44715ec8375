package sqlite

import (
	"database/sql"
	"io/fs"
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
