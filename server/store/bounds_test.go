package store_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/backoffice"
	"marquee/server/personal"
	"marquee/server/reconcile"
	"marquee/server/store"
	"marquee/server/store/postgres/pgtest"
)

// outage is the business time of a shop in which very many orders wait: waitingRows of each kind. Half of the tasks are
// due.
const outage, waitingRows = 1_000_000, 5000

// outageRows insert what waits.
var outageRows = []string{
	`users (id, phone, created_at) SELECT 1, '13800000000', 1 FROM n WHERE i = 1`,
	`orders (id, order_no, kind, source, state, version, user_id, total, created_at, updated_at, expires_at, seats, stuck)
		SELECT i, 'T' || CAST(100000 + i AS TEXT), 'ticket', 1, 'ISSUING', 4, 1, 100, 1, 1, 1, 1, TRUE FROM n`,
	`orders (id, order_no, kind, source, state, version, user_id, total, created_at, updated_at, expires_at, seats)
		SELECT 10000 + i, 'V' || CAST(100000 + i AS TEXT), 'goods', 1, 'ISSUING', 4, 1, 100, 1, 1, 1, 0 FROM n`,
	`payments (id, order_no, attempt, state, total, created_at)
		SELECT i, 'T' || CAST(100000 + i AS TEXT), 1, 'unknown', 100, 1 FROM n`,
	`payments (id, order_no, attempt, state, total, created_at)
		SELECT 10000 + i, 'T' || CAST(100000 + i AS TEXT), 2, 'disputed', 100, 1 FROM n`,
	`legs (id, payment_id, order_no, kind, title, amount, captured, captured_at, out_trade_no, openid)
		SELECT i, i, 'T' || CAST(100000 + i AS TEXT), 'wx', 'leg', 3, 3, 1, 'O' || CAST(i AS TEXT), 'openid' FROM n`,
	`refunds (id, leg_id, order_no, kind, title, generation, amount, state, out_refund_no, reason, created_at)
		SELECT 3 * i, i, 'T' || CAST(100000 + i AS TEXT), 'wx', 'leg', 1, 1, 'manual', 'M' || CAST(i AS TEXT), 'r', 1 FROM n`,
	`refunds (id, leg_id, order_no, kind, title, generation, amount, state, out_refund_no, reason, created_at)
		SELECT 3 * i + 1, i, 'T' || CAST(100000 + i AS TEXT), 'wx', 'leg', 2, 1, 'doubled', 'D' || CAST(i AS TEXT), 'r', 1
		FROM n`,
	`refunds (id, leg_id, order_no, kind, title, generation, amount, state, out_refund_no, reason, created_at)
		SELECT 3 * i + 2, i, 'T' || CAST(100000 + i AS TEXT), 'wx', 'leg', 3, 1, 'sending', 'S' || CAST(i AS TEXT), 'r', i
		FROM n`,
	`provider_calls (key, order_no, request_hash, outcome, answer, sent_at)
		SELECT 'refund:S' || CAST(i AS TEXT), 'T' || CAST(100000 + i AS TEXT), '', 'refused', 'provider_unavailable X', 1
		FROM n`,
	`differences (day, book, kind, subject, order_no, ours, theirs, detail, found_at, seen_at)
		SELECT '2026-03-14', 'trades', 'missing', CAST(i AS TEXT), '', 1, 1, '', 1, 1 FROM n`,
	`tasks (kind, subject, queue, due_at, lease_until)
		SELECT 'order', CAST(i AS TEXT), 'payment', 1000000 - 1 + 2 * (i % 2), CASE WHEN i < 4 THEN 2000000 ELSE 0 END
		FROM n`,
	`sessions (token_hash, user_id, method, created_at, expires_at, used_at, device, network)
		SELECT $hash, 1, 'code', 1, 2000000, 1, '', '' FROM n`,
}

// A scrape and a page read a bounded number of rows, however many wait.
func TestBounds_ScrapesAndPagesReadAtMostSoManyRows(t *testing.T) {
	t.Parallel()
	file, server := openTest(t), pgtest.OpenShop(t)
	for name, engine := range map[string]struct {
		store.Engine
		stores *store.Stores
		hash   string
	}{
		"sqlite":   {file, file.Stores, `CAST(CAST(i AS TEXT) AS BLOB)`},
		"postgres": {server, server.Stores, `CAST(CAST(i AS TEXT) AS bytea)`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fillOutage(t, engine, engine.hash)
			requireBounds(t, engine.stores)
			if name == "postgres" {
				requireLittleWork(t, server.Pool())
			}
		})
	}
}

func fillOutage(t *testing.T, db store.Engine, hash string) {
	t.Helper()
	for _, rows := range outageRows {
		query := fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO `,
			waitingRows) + strings.ReplaceAll(rows, "$hash", hash)
		require.NoError(t, db.Write(t.Context(), func(c store.Conn) error { _, err := c.Exec(query); return err }),
			rows)
	}
}

func requireBounds(t *testing.T, db *store.Stores) {
	t.Helper()
	const most = 1000
	loads, err := db.Orders().QueueLoads(t.Context(), time.Unix(outage, 0), most)
	require.NoError(t, err)
	require.Len(t, loads, 1)
	assert.Equal(t, most, loads[0].Due+1, "of the first 1000 one is leased")
	assert.Equal(t, most-2, loads[0].Waiting)
	assert.Equal(t, 3, loads[0].Leased)
	assert.Equal(t, int64(outage-1), loads[0].OldestDue.Unix())

	counts, err := db.BackOffice().CountOrdersToReview(t.Context(), most)
	require.NoError(t, err)
	for _, reason := range backoffice.ReviewReasons {
		assert.Equal(t, most, counts[reason], reason)
	}
	waiting, err := db.BackOffice().OrdersToReview(t.Context(), 7)
	require.NoError(t, err)
	require.Len(t, waiting, 7)
	assert.Equal(t, "T100001", waiting[0].No, "the oldest first")
	assert.Len(t, waiting[0].Reasons, 6, "with all its reasons")
	assert.Equal(t, "provider_unavailable X", waiting[0].RefundAnswer)

	refunds, err := db.BackOffice().OpenRefunds(t.Context(), most)
	require.NoError(t, err)
	assert.Equal(t, backoffice.OpenRefunds{Count: most, Amount: most, Oldest: time.Unix(1, 0)}, refunds)
	open, err := db.Reconciliation().CountOpen(t.Context(), most)
	require.NoError(t, err)
	assert.Equal(t, map[reconcile.Book]int{"trades": most}, open)
	differences, err := db.Reconciliation().Differences(t.Context(), reconcile.DifferenceFilter{Open: true, Most: 7})
	require.NoError(t, err)
	assert.Len(t, differences, 7)

	sessions, err := db.Accounts().Sessions(t.Context(), 1, time.Unix(outage, 0))
	require.NoError(t, err)
	assert.Len(t, sessions, account.MaxSessions)
	require.NoError(t, db.Personal().Update(t.Context(), func(tx personal.Tx) error {
		unfinished, err := tx.Orders.Unfinished(1, time.Unix(outage, 0))
		assert.Len(t, unfinished, personal.MaxUnfinished)
		return err
	}))
}

// requireLittleWork requires that the statements stop reading at their limit, instead of reading everything first.
func requireLittleWork(t *testing.T, pool *pgxpool.Pool) {
	t.Helper()
	conn, err := pool.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	_, err = conn.Exec(t.Context(), `ANALYZE`)
	require.NoError(t, err)
	for _, s := range store.ScrapeStatements(outage, 10) {
		assert.Less(t, workOf(t, conn, s.Text, s.Args), 1000.0, s.Text)
	}
	assert.Less(t, workOf(t, conn, store.ReviewList, []any{10}), 1000.0)
}
