package store_test

import (
	"encoding/json"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/store"
	"marquee/server/store/postgres/pgtest"
)

// planNode is a step of a plan that PostgreSQL has executed. The rows are averages of its loops.
type planNode struct {
	Rows          float64 `json:"Actual Rows"`
	Loops         float64 `json:"Actual Loops"`
	Filtered      float64 `json:"Rows Removed by Filter"`
	FilteredPairs float64 `json:"Rows Removed by Join Filter"`
	Plans         []planNode
}

// work returns how many rows and pairs of rows the step and those below it have read.
func (n planNode) work() float64 {
	sum := (n.Rows + n.Filtered + n.FilteredPairs) * n.Loops
	for _, below := range n.Plans {
		sum += below.work()
	}
	return sum
}

// filledBooks are past purchases that are consistent as far as the ledger is concerned.
var filledBooks = []string{
	`SET session_replication_role = replica`, // without foreign keys and triggers
	`INSERT INTO orders (id, order_no, kind, source, state, version, user_id, total, created_at, updated_at, expires_at,
		seats)
		SELECT i, 'G' || i, 'goods', 1, 'ISSUED', 4, 1, 100, 1, 1, 1, 0 FROM generate_series(1, 6000) i`,
	`INSERT INTO payments (id, order_no, attempt, state, total, created_at)
		SELECT i, 'G' || i, 1, 'paid', 100, 1 FROM generate_series(1, 6000) i`,
	`INSERT INTO legs (id, payment_id, order_no, kind, title, card_id, amount, captured, captured_at)
		SELECT i, i, 'G' || i, 'card', 'leg', 1, 100, 100, 1 FROM generate_series(1, 6000) i`,
	`INSERT INTO ledger_txs (id, key, event, order_no, actor, at)
		SELECT i, 'commit:' || i || ':0', 'commit', 'G' || i, 'test', 1 FROM generate_series(1, 6000) i`,
	`INSERT INTO ledger_entries (tx_id, account, lot_id, cp) SELECT i, 'held', 1, -100 FROM generate_series(1, 6000) i`,
	`INSERT INTO ledger_entries (tx_id, account, lot_id, cp) SELECT i, 'revenue', NULL, 100
		FROM generate_series(1, 6000) i`,
	`SET session_replication_role = DEFAULT`,
}

// A step of a verification reads only the rows of its page and those that belong to them, even in a new shop, for which
// PostgreSQL has no statistics: a join that is planned for a few rows would compare all rows of two tables.
func TestPlans_VerificationComparesNoTablesOnPostgres(t *testing.T) {
	t.Parallel()
	db := pgtest.OpenShop(t)
	conn, err := db.Pool().Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	for _, fill := range filledBooks {
		_, err := conn.Exec(t.Context(), fill)
		require.NoError(t, err, fill)
	}
	statements, err := db.PagedStatements(t.Context())
	require.NoError(t, err)
	require.Greater(t, len(statements), 50)
	for _, statistics := range []string{"without", "with"} {
		for _, s := range statements {
			assert.Less(t, workOf(t, conn, s.Text, s.Args), 60_000.0, "%s statistics: %s", statistics, s.Text)
		}
		_, err = conn.Exec(t.Context(), `ANALYZE`)
		require.NoError(t, err)
	}
}

// workOf runs a statement, rolls it back, and returns the rows and pairs of rows that it has read.
func workOf(t *testing.T, conn *pgxpool.Conn, query string, args []any) float64 {
	t.Helper()
	tx, err := conn.Begin(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, tx.Rollback(t.Context())) }()
	var text []byte
	arguments := append([]any{pgx.QueryExecModeExec}, args...)
	require.NoError(t, tx.QueryRow(t.Context(), `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) `+query,
		arguments...).Scan(&text),
		query)
	var plans []struct{ Plan planNode }
	require.NoError(t, json.Unmarshal(text, &plans))
	return plans[0].Plan.work()
}

// billedDay is a day of 6,000 payments in the app, with the bill that lists them.
var billedDay = []string{
	`SET session_replication_role = replica`,
	`INSERT INTO orders (id, order_no, kind, source, state, version, user_id, total, created_at, updated_at, expires_at,
		seats)
		SELECT i, 'G' || i, 'goods', 1, 'ISSUED', 4, 1, 100, 1, 1, 1, 0 FROM generate_series(1, 6000) i`,
	`INSERT INTO payments (id, order_no, attempt, state, total, created_at)
		SELECT i, 'G' || i, 1, 'paid', 100, 1 FROM generate_series(1, 6000) i`,
	`INSERT INTO legs (id, payment_id, order_no, kind, title, amount, captured, captured_at, out_trade_no, transaction_id,
		openid)
		SELECT i, i, 'G' || i, 'wx', 'leg', 100, 100, 1, 'O' || i, 'T' || i, 'openid' FROM generate_series(1, 6000) i`,
	`SET session_replication_role = DEFAULT`,
	`ANALYZE`, // autovacuum has seen the orders, and not the bill, which the shop has just read
	`INSERT INTO statements (id, book, day, started_at, is_current) VALUES (1, 'trades', '1970-01-01', 1, TRUE)`,
	`INSERT INTO statement_rows (statement_id, line, kind, number, ref, state, amount)
		SELECT 1, i, 'payment', 'O' || i, 'T' || i, 'done', 100 FROM generate_series(1, 6000) i`,
}

// A comparison of a large day with a bill that PostgreSQL has no statistics of reads each row a few times, not each row
// for each other one. The test forces the generic plan, which PostgreSQL may choose after a statement has run several
// times.
func TestPlans_ReconciliationComparesNoTablesOnPostgres(t *testing.T) {
	t.Parallel()
	conn, err := pgtest.OpenShop(t).Pool().Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	for _, fill := range billedDay {
		_, err := conn.Exec(t.Context(), fill)
		require.NoError(t, err, fill)
	}
	for _, prepare := range []string{
		`SET plan_cache_mode = force_generic_plan`,
		`PREPARE missing (text, bigint, bigint, text, bigint) AS ` + store.MissingQueries["trades"]["payment"],
		`PREPARE matches (text, bigint, bigint, bigint, bigint) AS ` + store.MatchesByOurNumber,
	} {
		_, err := conn.Exec(t.Context(), prepare)
		require.NoError(t, err, prepare)
	}
	assert.Less(t, workOf(t, conn, `EXECUTE missing ('trades', 0, 10, '', 500)`, nil), 100_000.0)
	assert.Less(t, workOf(t, conn, `EXECUTE matches ('trades', 0, 1, 0, 500)`, nil), 100_000.0)
}
