package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/order"
	"marquee/server/reconcile"
	"marquee/server/store"
	"marquee/server/store/sqlite"
)

// testDB is a database with a separate connection for statements that the shop does not run.
type testDB struct {
	*sqlite.DB
	raw *sql.DB
}

func openTest(t testing.TB, options ...sqlite.Option) testDB {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "shop.db"), options...)
}

func openAt(t testing.TB, path string, options ...sqlite.Option) testDB {
	t.Helper()
	db, err := sqlite.Open(path, options...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	raw, err := sql.Open("sqlite", path+"?_pragma=busy_timeout(10000)")
	require.NoError(t, err)
	raw.SetMaxOpenConns(1)
	t.Cleanup(func() { require.NoError(t, raw.Close()) })
	return testDB{db, raw}
}

// scanned matches the step of a query plan that reads an entire table or index.
var scanned = regexp.MustCompile(`^SCAN (\w+)`)

// alias matches the names of tables in a query, with the alias of each.
var alias = regexp.MustCompile(`(?:FROM|JOIN)\s+(\w+)(?:\s+(\w+))?`)

// planOf returns the steps of a query's plan.
func planOf(t *testing.T, db testDB, query string, args ...any) (plan []string) {
	t.Helper()
	rows, err := db.Read().Query(`EXPLAIN QUERY PLAN `+query, args...)
	require.NoError(t, err, query)
	for rows.Next() {
		var id, parent, unused int
		var detail string
		require.NoError(t, rows.Scan(&id, &parent, &unused, &detail))
		plan = append(plan, detail)
	}
	require.NoError(t, rows.Err())
	return plan
}

// requireIndexed fails the test if a query scans a table that grows.
func requireIndexed(t *testing.T, db testDB, query string, args ...any) {
	t.Helper()
	growing := map[string]bool{}
	for _, match := range alias.FindAllStringSubmatch(query, -1) {
		growing[match[1]], growing[match[2]] = true, true
	}
	plan := planOf(t, db, query, args...)
	require.NotEmpty(t, plan, query)
	for _, detail := range plan {
		if match := scanned.FindStringSubmatch(detail); match != nil {
			require.False(t, growing[match[1]], "%s\nscans a table:\n%s", query, strings.Join(plan, "\n"))
		}
		require.NotContains(t, detail, "AUTOMATIC", query)
	}
}

func TestPlans_VerificationAndPurgeScanNoTable(t *testing.T) {
	t.Parallel()
	db := openTest(t)
	statements, err := db.PagedStatements(t.Context())
	require.NoError(t, err)
	require.Greater(t, len(statements), 80)
	for _, s := range statements {
		requireIndexed(t, db, s.Text, s.Args...)
	}
}

// A day of reconciliation reads the rows of that day, not the history.
func TestPlans_WhatIsMissingIsFoundByItsTime(t *testing.T) {
	t.Parallel()
	db := openTest(t)
	for query, index := range map[string]string{
		store.MissingQueries[reconcile.Trades][reconcile.PaymentRow]: "legs_captured (captured_at>? AND captured_at<?)",
		store.MissingQueries[reconcile.Funds][reconcile.PaymentRow]:  "legs_captured (captured_at>? AND captured_at<?)",
		store.MissingQueries[reconcile.Trades][reconcile.RefundRow]:  "refunds_done (done_at>? AND done_at<?)",
		store.MissingQueries[reconcile.Funds][reconcile.RefundRow]:   "refunds_done (done_at>? AND done_at<?)",
		store.MissingTickets: "orders_issued (source=? AND created_at>? AND created_at<?)",
	} {
		plan := planOf(t, db, query, "book", 0, 1, "", 100, 1)
		require.Contains(t, strings.Join(plan, "\n"), index, query)
	}
}

// A card has a leg for every purchase that it has paid. The price of an order reads only the legs of its open payment.
func TestPlans_TheCardsOfAnOrderReadNoPastPurchases(t *testing.T) {
	t.Parallel()
	plan := strings.Join(planOf(t, openTest(t), store.CardsForOrder, 1, 1, "G1"), "\n")
	require.Contains(t, plan, "legs_of_card (card_id=? AND payment_id=?)")
}

func TestPlans_ReconciliationScansNoTable(t *testing.T) {
	t.Parallel()
	db := openTest(t)
	for _, s := range store.ReconciliationStatements() {
		requireIndexed(t, db, s.Text, s.Args...)
	}
}

// Tables with foreign keys have row ids, because a page of their verification is a range of row ids.
func TestSchema_TablesWithForeignKeysHaveRowIDs(t *testing.T) {
	t.Parallel()
	db := openTest(t)
	var tables int
	require.NoError(t, db.raw.QueryRow(`SELECT count(DISTINCT t.name) FROM pragma_table_list t,
		pragma_foreign_key_list(t.name) WHERE t.schema = 'main' AND t.wr = 1`).Scan(&tables))
	require.Zero(t, tables, "verification does not check the foreign keys of these tables")
}

// fill inserts n rows of each kind that purge and verification read, all of them old and in order.
func fill(t testing.TB, db testDB, n int) {
	t.Helper()
	const series = `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?1) `
	for _, query := range []string{
		`INSERT INTO users (phone, created_at) VALUES ('13800000000', 1)`,
		series + `INSERT INTO orders (order_no, kind, source, state, version, user_id, total, created_at, updated_at,
			expires_at)
			SELECT printf('%024d', i), 'recharge', 0, 'EXPIRED', 2, 1, 100, 1000, 1000, 2000 FROM c`,
		series + `INSERT INTO provider_calls (key, order_no, request_hash, outcome, answer, sent_at, answered_at)
			SELECT 'issue:' || printf('%024d', i * 7919 % 1000003), printf('%024d', i), '0123456789abcdef', 'ok', 'P1',
			1000 + i / 100, 1000
			FROM c WHERE true ON CONFLICT DO NOTHING`,
		series + `INSERT INTO idempotency (user_id, route, key, body_hash, order_no, at)
			SELECT i % 1000, 'lock', printf('%x', i * 2654435761), 'h', '', 1000 + i / 100 FROM c`,
		series + `INSERT INTO ledger_txs (key, event, actor, at) SELECT 'issue:' || i || ':0', 'issue', 'x', 1 FROM c`,
		series + `INSERT INTO ledger_entries (tx_id, account, cp) SELECT i, 'issued', 5 FROM c`,
		series + `INSERT INTO ledger_entries (tx_id, account, cp) SELECT i, 'adjust', -5 FROM c`,
		series + `INSERT INTO sms_codes (phone, purpose, network, owner, code_hash, sent_at, expires_at)
			SELECT '138', 'login', 'n', 0, x'00', 1000, 1300 FROM c`,
	} {
		_, err := db.raw.Exec(query, n)
		require.NoError(t, err, query)
	}
}

func TestPurge_StepsAreBoundedAndNothingIsLeft(t *testing.T) {
	t.Parallel()
	db := openTest(t)
	const n = 4*store.PurgeRows + 7
	fill(t, db, n)
	_, err := db.raw.Exec(`UPDATE orders SET state = 'ISSUE_FAILED' WHERE id <= 3;
		UPDATE provider_calls SET outcome = 'unknown' WHERE order_no IN (SELECT order_no FROM orders WHERE id <= 300)`)
	require.NoError(t, err)
	rows := func() (sum int) {
		for _, table := range []string{"provider_calls", "idempotency", "sms_codes"} {
			var count int
			require.NoError(t, db.Read().QueryRow(`SELECT count(*) FROM `+table).Scan(&count))
			sum += count
		}
		return sum
	}
	before, at := rows(), time.Unix(10_000_000, 0)
	for round := 0; ; round++ {
		deleted, done, err := db.Orders().Purge(t.Context(), at, 2)
		require.NoError(t, err)
		require.LessOrEqual(t, deleted, 2*store.PurgeRows)
		now := rows()
		require.Equal(t, before-deleted, now)
		if before = now; done {
			break
		}
		require.Less(t, round, 20)
	}
	for done := false; !done; {
		var deleted int
		deleted, done, err = db.Accounts().PurgeAccounts(t.Context(), at, 1)
		require.NoError(t, err)
		require.LessOrEqual(t, deleted, store.PurgeRows)
	}
	require.Equal(t, 3, rows(), "the unanswered calls of the orders that have not ended are kept")
}

func TestVerifySome_FindsWhatIsPlantedInOldRowsAndRemembersItsPlace(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "shop.db")
	db := openAt(t, path)
	const n = 3*store.VerifyRows + 11
	fill(t, db, n)
	now := time.Unix(10_000_000, 0).UTC()
	cycle := func() (found []order.Discrepancy) {
		began := false
		for range 1000 {
			some, err := db.Orders().VerifySome(t.Context(), now, 3)
			require.NoError(t, err)
			found = append(found, some...)
			runs, err := db.VerificationRuns(t.Context())
			require.NoError(t, err)
			if began = began || runs; began && !runs {
				return found
			}
			require.NoError(t, db.Close()) // a restart continues
			db = openAt(t, path)
		}
		t.Fatal("the verification does not end")
		return nil
	}
	require.Empty(t, cycle())
	v, err := db.Orders().LastVerification(t.Context())
	require.NoError(t, err)
	require.Equal(t, order.Verification{CleanAt: now}, v)

	some, err := db.Orders().VerifySome(t.Context(), now.Add(store.VerifyEvery-time.Second), 1000)
	require.NoError(t, err)
	require.Empty(t, some)
	_, err = db.raw.Exec(`DROP TRIGGER ledger_entries_no_update;
		UPDATE ledger_entries SET cp = cp + 1 WHERE tx_id IN (1, 700) AND account = 'issued'; PRAGMA foreign_keys = 0;
		UPDATE orders SET state = 'PENDING' WHERE id = 42; INSERT INTO wx_identities VALUES ('o', 99, 1, 1, 0)`)
	require.NoError(t, err)
	now = now.Add(store.VerifyEvery)
	rules := map[string]int{}
	for _, d := range cycle() {
		rules[d.Check+" "+d.Subject]++
	}
	require.Equal(t, map[string]int{
		"ledger_balanced issue:1:0": 1, "ledger_balanced issue:700:0": 1, "foreign_keys wx_identities:1": 1,
		"order_is_watched order:" + fmt.Sprintf("%024d", 42): 1,
	}, rules)
	v, err = db.Orders().LastVerification(t.Context())
	require.NoError(t, err)
	require.Equal(t, 4, v.Found)
	require.Equal(t, now.Add(-store.VerifyEvery), v.CleanAt)
}

// Each step reads in a separate transaction, so that the write-ahead log can be checkpointed between two steps.
func TestVerification_HoldsNoTransactionBetweenSteps(t *testing.T) {
	t.Parallel()
	db := openTest(t)
	fill(t, db, 2*store.VerifyRows)
	require.NoError(t, db.VerifySteps(t.Context(), 3, func() {
		require.Zero(t, db.Read().Stats().InUse)
		var busy, log, done int
		require.NoError(t, db.raw.QueryRow(`PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &log, &done))
		require.Zero(t, busy)
	}))
}

// BenchmarkPurge_TenMillionOldRows measures how long a step occupies the writer, and how long a purchase waits for it,
// while ten million old rows are purged.
func BenchmarkPurge_TenMillionOldRows(b *testing.B) {
	const n = 5_000_000 // of each of two tables
	path := filepath.Join(b.TempDir(), "shop.db")
	fillOld(b, openAt(b, path), n)
	held := make(chan time.Duration, 1<<20)
	db := openAt(b, path, sqlite.ObserveCommits(func(_ int, took time.Duration) { held <- took }))
	ctx, stop := context.WithCancel(b.Context())
	waits := make(chan time.Duration, 1<<20)
	done := make(chan struct{})
	go func() { // a purchase's write
		defer close(done)
		for ctx.Err() == nil {
			start := time.Now()
			_ = db.Write(ctx, func(store.Conn) error { return nil })
			waits <- time.Since(start)
			time.Sleep(time.Millisecond)
		}
	}()
	b.ResetTimer()
	deleted := 0
	for range b.N {
		n, _, err := db.Orders().Purge(b.Context(), time.Unix(10_000_000, 0), 100)
		require.NoError(b, err)
		deleted += n
	}
	b.StopTimer()
	stop()
	<-done
	b.ReportMetric(float64(deleted)/float64(b.N), "rows/op")
	reportTimes(b, held, "writer-held")
	reportTimes(b, waits, "write-waits")
}

// reportTimes reports the median, the 99th percentile and the longest of the durations in milliseconds.
func reportTimes(b *testing.B, durations chan time.Duration, name string) {
	close(durations)
	var sorted []time.Duration
	for d := range durations {
		sorted = append(sorted, d)
	}
	slices.Sort(sorted)
	for at, quantile := range map[string]float64{"p50": 0.5, "p99": 0.99, "max": 1} {
		b.ReportMetric(sorted[int(quantile*float64(len(sorted)-1))].Seconds()*1000, "ms-"+name+"-"+at)
	}
}

// fillOld inserts n provider calls and n idempotency keys that are old, in the order of their age.
func fillOld(b *testing.B, db testDB, n int) {
	b.Helper()
	for _, pragma := range []string{`PRAGMA synchronous = OFF`, `PRAGMA cache_size = -2000000`} {
		_, err := db.raw.Exec(pragma)
		require.NoError(b, err)
	}
	const series = `WITH RECURSIVE c(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM c WHERE i < ?2) `
	for from := 1; from <= n; from += 250_000 {
		for _, query := range []string{
			series + `INSERT INTO provider_calls (key, order_no, request_hash, outcome, answer, sent_at, answered_at)
			SELECT printf('issue:%012d%012d', 1000 + i / 50, i * 2654435761 % 1000000007), printf('%024d', i),
			'0123456789abcdef',
			'ok', 'P2605011200', 1000 + i / 50, 1000 FROM c WHERE true ON CONFLICT DO NOTHING`,
			series + `INSERT INTO idempotency (user_id, route, key, body_hash, order_no, at)
			SELECT i * 7919 % 1000003, 'lock', printf('%016x', i * 2654435761), '0123456789abcdef', '', 1000 + i / 50
			FROM c`,
		} {
			_, err := db.raw.Exec(query, from, min(n, from+249_999))
			require.NoError(b, err)
		}
	}
	for _, pragma := range []string{`PRAGMA wal_checkpoint(TRUNCATE)`, `PRAGMA synchronous = FULL`,
		`PRAGMA cache_size = -16384`, `PRAGMA shrink_memory`} {
		_, err := db.raw.Exec(pragma)
		require.NoError(b, err)
	}
}
