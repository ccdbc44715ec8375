package purchase_test

import (
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/goods"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
	"marquee/server/store/postgres"
	"marquee/server/store/postgres/pgtest"
)

// writeRelease makes the databases of a release, on the engine of the tests. It is used once for each release, in the
// commit of the release: the databases are never changed afterwards.
//
//	go test ./server/purchase -run TestUpgrade -release.write v1.0.0
//	MARQUEE_TEST_ENGINE=postgres MARQUEE_TEST_POSTGRES=15 go test ./server/purchase -run TestUpgrade -release.write v1.0.0
var writeRelease = flag.String("release.write", "", "write the database of this release to testdata/releases")

// releaseFile returns the file of a release's database on the engine of the tests.
func releaseFile(release string) string {
	name := "sqlite.db.gz"
	if testsPostgres() {
		name = "postgres.sql.gz"
	}
	return filepath.Join("testdata", "releases", release, name)
}

// fillRelease makes an order in each state, each for another buyer.
func fillRelease(t *testing.T, s *goodsShop) {
	t.Helper()
	locked := func(buyer int64, seat string) order.Order { return s.lock(t, buyer, seat) }
	paid := func(o order.Order, cards ...int64) order.Order {
		require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, s.openAppPayment(t, o, cards...))))
		return o
	}
	expired := locked(11, "1-1")
	s.openAppPayment(t, expired)
	s.runDueJobsAfter(t, 0)
	s.runJobsForMinutes(t, 30)

	issued := paid(locked(12, "1-2"), s.giveCard(t, 12, 1000))
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, 3*time.Second)

	refunded := paid(locked(13, "1-3"), s.giveCard(t, 13, 1000))
	s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
	s.runDueJobsAfter(t, 0)

	cancelled := locked(14, "1-4")
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 14, cancelled.No))

	s.failLocksAndUnlocks(false)
	_, err := s.Seating.LockSeats(t.Context(), 15, seatRequest("1-5"))
	require.Error(t, err)
	s.runDueJobsAfter(t, 6*time.Second)

	failed := paid(locked(16, "1-6"))
	s.gateway.Slow = true
	s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
	s.runDueJobsAfter(t, 0)

	s.source.Slow = true
	issuing := paid(locked(17, "1-7"), s.giveCard(t, 17, 1000))
	s.runDueJobsAfter(t, 0)

	code, trade := s.buyGoodsInApp(t, buyRequest(s.codes)) // buyer 7; its only code is then withdrawn
	require.NoError(t, s.goods.WithdrawCode(t.Context(), goods.Code{Num: "N000", Pass: "secret-0"}, "wrong", "admin:1"))
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade)))

	unpaid := locked(18, "1-8")
	s.openAppPayment(t, locked(19, "1-9"), s.giveCard(t, 19, 1000))
	s.failLocksAndUnlocks(false)
	_, err = s.Seating.LockSeats(t.Context(), 20, seatRequest("1-10"))
	require.Error(t, err)

	for state, o := range map[order.State]order.Order{
		order.Expired: expired, order.Issued: issued, order.Refunded: refunded, order.Cancelled: cancelled,
		order.IssueFailed: failed, order.Issuing: issuing, order.Paid: code, order.Pending: unpaid,
	} {
		require.Equal(t, state, s.state(t, o))
	}
	for _, state := range []order.State{order.Abandoned, order.Locking} {
		require.Equal(t, 1, s.count(t, `SELECT count(*) FROM orders WHERE state = $1`, string(state)))
	}
	s.verifyBooks(t)
}

// This build runs on the databases of earlier releases: it migrates them, finishes the orders that were open, and
// sells. A migration that a release has is never changed, because its checksum is in these databases.
func TestUpgrade_OfADatabaseOfEachRelease(t *testing.T) {
	if *writeRelease != "" {
		storeRelease(t)
	}
	t.Parallel()
	releases, err := os.ReadDir(filepath.Join("testdata", "releases"))
	require.NoError(t, err)
	require.NotEmpty(t, releases)
	for _, release := range releases {
		t.Run(release.Name(), func(t *testing.T) {
			t.Parallel()
			runOnRelease(t, loadRelease(t, release.Name()))
		})
	}
}

// storeRelease makes the database of the release that writeRelease names.
func storeRelease(t *testing.T) {
	t.Helper()
	path := newDatabase(t)
	s := newGoodsShopAt(t, path, 1)
	fillRelease(t, s)
	require.NoError(t, s.db.engine.Close())
	var content []byte
	var err error
	if testsPostgres() {
		pgDump, err := exec.CommandContext(t.Context(), "../../e2e/setup/debian-tool.sh", "pg_dump", "postgresql-client-15",
			"libraries").Output()
		require.NoError(t, err)
		content, err = exec.CommandContext(t.Context(), strings.TrimSpace(string(pgDump)), "--no-owner", "--inserts",
			path).Output()
		require.NoError(t, err)
		// Commands of psql, which protect it from the names in a dump.
		content = regexp.MustCompile(`(?m)^\\(un)?restrict .*\n`).ReplaceAll(content, nil)
	} else {
		content, err = os.ReadFile(path)
		require.NoError(t, err)
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	require.NoError(t, err)
	_, err = w.Write(content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	file := releaseFile(*writeRelease)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, packed.Bytes(), 0o644))
}

// loadRelease returns the path or the URL of a copy of a release's database.
func loadRelease(t *testing.T, release string) string {
	t.Helper()
	file, err := os.Open(releaseFile(release))
	require.NoError(t, err)
	defer file.Close()
	r, err := gzip.NewReader(file)
	require.NoError(t, err)
	content, err := io.ReadAll(r)
	require.NoError(t, err)
	if !testsPostgres() {
		path := newDatabase(t)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		return path
	}
	url := pgtest.New(t, pgtest.Template{})
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	_, err = conn.PgConn().Exec(t.Context(), string(content)).ReadAll()
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
	_, err = postgres.Migrate(t.Context(), url)
	require.NoError(t, err)
	return url
}

// runOnRelease opens the database of fillRelease a minute later. The providers know what they knew then.
func runOnRelease(t *testing.T, path string) {
	t.Helper()
	clock := purchasetest.NewClock()
	s := &shop{clock: clock, source: purchasetest.NewSource(clock), gateway: purchasetest.NewGateway(clock)}
	s.source.AddShow(catalog.Legacy, show, 4*time.Hour, 10, 10, price)
	clock.Advance(31*time.Minute + 10*time.Second)
	s.open(t, path)
	s.verifyBooksAtEnd(t)
	before := map[int64]order.Order{} // by buyer
	rows, err := s.db.engine.Query(t.Context(), `SELECT order_no FROM orders`)
	require.NoError(t, err)
	var numbers []string
	for rows.Next() {
		numbers = append(numbers, "")
		require.NoError(t, rows.Scan(&numbers[len(numbers)-1]))
	}
	require.NoError(t, rows.Close())
	for _, no := range numbers {
		o, err := s.db.Orders().Order(t.Context(), no)
		require.NoError(t, err)
		before[o.UserID] = o
		payments, err := s.db.Orders().Payments(t.Context(), no)
		require.NoError(t, err)
		for _, p := range payments {
			if leg, ok := p.App(); ok && leg.Captured > 0 {
				s.gateway.Remember(order.Trade{OutTradeNo: leg.OutTradeNo, TransactionID: "42" + leg.OutTradeNo,
					State: order.TradePaid, Amount: leg.Amount, AppID: purchasetest.AppID, MchID: purchasetest.MchID})
			}
		}
	}
	require.Len(t, before, 11)
	issuing := before[17]
	_, err = s.source.Lock(t.Context(), order.LockRequest{OrderNo: issuing.No, Show: issuing.Snapshot.Show,
		Seats: []catalog.Seat{{ID: "1-7", Price: issuing.Total}}})
	require.NoError(t, err)

	s.runJobsForMinutes(t, 40)
	for buyer, state := range map[int64]order.State{
		7: order.Refunded, 11: order.Expired, 12: order.Issued, 13: order.Refunded, 14: order.Cancelled, 15: order.Abandoned,
		16: order.Refunded, 17: order.Issued, 18: order.Expired, 19: order.Expired, 20: order.Abandoned,
	} {
		assert.Equal(t, state, s.state(t, before[buyer]), "buyer %d", buyer)
	}
	bought := s.lock(t, 12, "2-1")
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, s.openAppPayment(t, bought))))
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, 3*time.Second)
	assert.Equal(t, order.Issued, s.state(t, bought))
}
