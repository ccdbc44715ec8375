package app_test

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"marquee/e2e/harness"
	"marquee/server/account"
	"marquee/server/app"
	"marquee/server/ops"
	"marquee/server/order"
	"marquee/server/store"
	"marquee/server/store/postgres/pgtest"
	"marquee/server/store/sqlite"
	"marquee/simulators"
	"marquee/simulators/faults"
)

// situation brings a shop into a state and returns its metrics.
type situation func(t *testing.T) (metrics string)

// situations raise the metric of each alert: the metrics afterwards match the pattern. The rules themselves are tested
// by promtool in server/ops.
var situations = map[string]struct {
	raise situation
	match string
}{
	"ShopDown": {shopThatEnded,
		`^$`},
	"ShopNotReady": {shopThatDrains,
		`(?m)^marquee_ready 0$`},
	"NoReplicaReady": {shopThatDrains,
		`(?m)^marquee_ready 0$`},
	"RequestsFail": {requestWithoutTable,
		`request_duration_seconds_count\{route="/Login/sendcode",status="5xx"\} 1`},
	"RequestsSlow": {slowRequest,
		`request_duration_seconds_bucket\{route="/newmovie/api/movie/movies",status="2xx",le="0.25"\} 0`},
	"RequestsShed": {observed(func(m *ops.Metrics) { m.CountShed("browsing") }),
		`requests_shed_total\{class="browsing"\} 1`},
	"AddressesUnreadable": {observed((*ops.Metrics).CountUnreadableAddress),
		`unreadable_addresses_total 1`},
	"ProviderFails": {providerThatHangsUp,
		`call_duration_seconds_count\{operation="\w+",outcome="unavailable",provider="newmovie"\} 1`},
	"OperationFails": {providerThatHangsUp,
		`call_duration_seconds_count\{operation="\w+",outcome="unavailable",provider="newmovie"\} 1`},
	"NobodyPays": {rejectedIssue,
		`purchase_steps_total\{kind="ticket",outcome="paid",step="pay"\} 1`},
	"RefundsStuck": {refundWithoutFunds,
		`(?m)^marquee_refund_oldest_open_seconds 9\d\d\.\d+\n(.*\n)*marquee_refunds_open 1\n(.*\n)*marquee_refunds_open_fen [1-9]`},
	"DiskNearlyFull": {shopWithoutWorkers(0),
		`marquee_disk_free_bytes [1-9]`},
	"TicketsNotIssued": {rejectedIssue,
		`purchase_steps_total\{kind="ticket",outcome="failed",step="issue"\} 1`},
	"MoneyDisputed": {disputedPayment,
		`marquee_money_disputed_fen_total 100\n`},
	"PaymentsUnknown": {unknownPayment,
		`waiting_for_operator\{reason="payment_unknown"\} 1`},
	"OrdersWaitForOperator": {waitingOrder,
		`waiting_for_operator\{reason="payment_disputed"\} 1`},
	"JobsLate": {shopWithoutWorkers(time.Hour),
		`oldest_due_seconds\{queue="local"\} [1-9]\d{3}`},
	"RecordsContradict": {falsifiedRecord,
		`marquee_verification_discrepancies [1-9]`},
	"VerificationStale": {shopWithoutWorkers(27 * time.Hour),
		`clean_age_seconds 9\d{4}`},
	"CommitsSlow": {observed(func(m *ops.Metrics) { m.ObserveCommit(1, time.Second) }),
		`commit_duration_seconds_bucket\{le="0.25"\} 0`},
	"MessagesRejected": {rejectedMessage,
		`sms_messages_total\{outcome="(refused|failed)"\} 1`},
	"MessagesAtCeiling": {messagesAtTheCeiling,
		`sms_messages_total\{outcome="ceiling"\} 1`},
	"MessagesLimited": {limitedMessage,
		`sms_messages_total\{outcome="limited"\} 1`},
	"MetricsIncomplete": {scrapeWithoutTable,
		`scrape_failures\{part="backups"\} 1`},
	"BooksDiffer": {unknownTicket,
		`reconciliation_differences\{book="tickets-1"\} 1`},
	"NotReconciled": {shopWithoutWorkers(40 * time.Hour),
		`reconciliation_age_seconds\{book="funds"\} [1-9]\d{5}`},
	"ChallengesUnchecked": {captchaThatHangsUp,
		`marquee_challenges_total\{outcome="unchecked"\} 1`},
	"MessagesNearCeiling": {messagesAtTheCeiling,
		`marquee_sms_hourly_ceiling 1\n(.*\n)*marquee_sms_sent_last_hour 1\n`},
	"BackupStale": {shopWithoutWorkers(27 * time.Hour),
		`backup_age_seconds 9\d{4}`},
	"RowsLeftOut": {unreadableRow,
		`rows_left_out_total\{list="/api/movie/movies",provider="newmovie"\} 1`},
	"PoolExhausted": {exhaustedPool,
		`db_connection_wait_seconds_total [0-9.e-]*[1-9]`},
	"TransactionsRetried": {conflictingTransactions,
		`marquee_transaction_retries_total [1-9]`},
	"CertificateEnds": {certificateOfTheShop,
		`certificate_end_timestamp_seconds\{host="127\.0\.0\.1:\d+"\} 3\.\d+e\+09\n`},
	"ClockSkewed": {databaseOnAnotherMachine,
		`(?m)^marquee_clock_skew_seconds -?[0-9.]*[1-9]`},
}

func TestAlerts_ASituationRaisesTheMetricOfEach(t *testing.T) {
	t.Parallel()
	rules, err := os.ReadFile("../ops/alerts.yaml")
	require.NoError(t, err)
	alerts := regexp.MustCompile(`- alert: (\w+)`).FindAllStringSubmatch(string(rules), -1)
	require.Len(t, situations, len(alerts), "a situation for each alert, and no other")
	for _, alert := range alerts {
		s, found := situations[alert[1]]
		require.True(t, found, "no situation raises the metric of %s", alert[1])
		t.Run(alert[1], func(t *testing.T) {
			t.Parallel()
			metrics := s.raise(t)
			if !regexp.MustCompile(s.match).MatchString(metrics) {
				ours := regexp.MustCompile(`(?m)^marquee_.*[1-9].*$`).FindAllString(metrics, -1)
				t.Errorf("no metric matches %s:\n%s", s.match, strings.Join(ours, "\n"))
			}
		})
	}
}

// idleShop is a shop whose jobs do not run. Its clock shows now.
type idleShop struct {
	*app.App
	db  string
	now time.Time
}

func newIdleShop(t *testing.T, configure ...func(*app.Config)) *idleShop {
	t.Helper()
	sims := simulators.StartForTest(t)
	cfg, err := app.FromEnvironment(sims.Default().ShopEnvironment())
	require.NoError(t, err)
	s := &idleShop{db: filepath.Join(t.TempDir(), "shop.db"), now: time.Now()}
	cfg.DB, cfg.Now, cfg.Logger = s.db, func() time.Time { return s.now }, slog.New(slog.DiscardHandler)
	for _, change := range configure {
		change(&cfg)
	}
	s.App, err = app.New(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

// metricsOf scrapes a shop.
func metricsOf(shop *app.App) string {
	w := httptest.NewRecorder()
	shop.AdminHandler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return w.Body.String()
}

// execute changes a database without the shop.
func execute(t *testing.T, db, statement string) {
	t.Helper()
	_, err := openSQL(t, db).ExecContext(t.Context(), statement)
	require.NoError(t, err)
}

// observed scrapes metrics after a direct observation, for what a test cannot cause in a reasonable time.
func observed(observe func(*ops.Metrics)) situation {
	return func(t *testing.T) string {
		m := ops.NewMetrics("test")
		observe(m)
		w := httptest.NewRecorder()
		m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
		return w.Body.String()
	}
}

// shopWithoutWorkers declares the periodic jobs, and then runs none of them for a time.
func shopWithoutWorkers(silent time.Duration) situation {
	return func(t *testing.T) string {
		s := newIdleShop(t)
		require.NoError(t, s.Purchase().Jobs.RunDue(t.Context()))
		s.now = s.now.Add(silent)
		return metricsOf(s.App)
	}
}

func shopThatEnded(t *testing.T) string {
	s := newIdleShop(t)
	listener, err := app.ListenAdmin(t.Context(), "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.NoError(t, s.ServeAdmin(ctx, listener))
	_, err = http.Get("http://" + listener.Addr().String() + "/metrics")
	require.Error(t, err, "Prometheus cannot scrape the shop, and sets up to 0")
	return ""
}

func shopThatDrains(t *testing.T) string {
	s := newIdleShop(t)
	require.Contains(t, metricsOf(s.App), "marquee_ready 1\n")
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.NoError(t, s.Serve(ctx, listener))
	return metricsOf(s.App)
}

func requestWithoutTable(t *testing.T) string {
	db := harness.NewDatabase(t)
	s := startTestShop(t, db)
	execute(t, db, `ALTER TABLE sms_codes RENAME TO gone`)
	s.newBuyer("").http.Post("", "/Login/sendcode", params{"phone": "13811110306"})
	return metricsOf(s.Shop)
}

func scrapeWithoutTable(t *testing.T) string {
	s := newIdleShop(t)
	require.Contains(t, metricsOf(s.App), `scrape_failures{part="backups"} 0`)
	execute(t, s.db, `ALTER TABLE backups RENAME TO gone`)
	return metricsOf(s.App)
}

func slowRequest(t *testing.T) string {
	h := newTestShop(t)
	h.PlanFaults(faults.Fault{Provider: "newmovie", Operation: "*", Do: faults.Latency, LatencyMS: 400, Times: 1})
	h.newBuyer("").get("/newmovie/api/movie/movies?cityId=" + shanghai)
	return metricsOf(h.Shop)
}

func providerThatHangsUp(t *testing.T) string {
	h := newTestShop(t)
	h.PlanFaults(faults.Fault{Provider: "newmovie", Operation: "*", Do: faults.Reset})
	h.newBuyer("").get("/newmovie/api/movie/movies?cityId=" + shanghai)
	return metricsOf(h.Shop)
}

func captchaThatHangsUp(t *testing.T) string {
	h := newCaptchaShop(t)
	h.PlanFault("captcha", "check", "reset")
	h.newBuyer("").call("/Login/sendcode", h.passChallenge("13811110310"))
	return metricsOf(h.Shop)
}

func unreadableRow(t *testing.T) string {
	h := newTestShop(t)
	h.PlanFaults(faults.Fault{Provider: "newmovie", Operation: "movie/movies", Do: faults.Malformed, Times: 1,
		Body: `{"code":0,"msg":"ok","data":{"total":2,"list":[{"movieId":17},` +
			`{"movieId":"1","movieCode":"1","name":"流浪地球","duration":120,"showSt":1,"openDay":"2026-01-01"}]}}`})
	h.newBuyer("").get("/newmovie/api/movie/movies?cityId=" + shanghai)
	return metricsOf(h.Shop)
}

func rejectedIssue(t *testing.T) string {
	b, card := buyerWithCard(t, "13811110301")
	no := lockLegacy(b, 0)
	b.PlanFaults(faults.Fault{Provider: "gateway", Operation: "*", Do: "issue-refused", Times: 1})
	dataOf[any](t, b.call("/movie/route/Movie/flkpay", params{"oid": no, "ka_ids": card, "pass": password}))
	b.waitForStatus(no, sources[0].failed)
	return metricsOf(b.Shop)
}

// refundWithoutFunds is 15 minutes after the issue of a paid order was rejected. The merchant's balance is too low for
// the refund.
func refundWithoutFunds(t *testing.T) string {
	b, _ := buyerWithCard(t, "13811110311")
	b.http.ProveIdentity(b.token, openID)
	no := lockLegacy(b, 0)
	b.PlanFaults(faults.Fault{Provider: "gateway", Operation: "*", Do: "issue-refused", Times: 1})
	b.PlanFaults(faults.Fault{Provider: "wechat", Operation: "refund", Do: faults.Error, Code: "NOT_ENOUGH"})
	b.PayInApp(b.prepay(no, "", ""), "pay")
	b.waitForStatus(no, "F")
	b.AdvanceClock(15 * time.Minute)
	metrics := metricsOf(b.Shop)
	b.Sims.Default().Faults().Clear() // the books are verified when the test ends
	require.Eventually(t, func() bool {
		b.AdvanceClock(time.Hour)
		b.runDueJobs()
		return b.refundState(no) == "done"
	}, time.Minute, 50*time.Millisecond)
	return metrics
}

// endedOrder is an order that has expired, and a payment of it in the messaging app with a state.
func endedOrder(now time.Time, state order.PaymentState) (order.Order, order.Payment) {
	return order.Order{No: "1", Kind: order.Recharge, State: order.Pending, Version: 1, UserID: 7, Total: 100,
			CreatedAt: now, UpdatedAt: now},
		order.Payment{OrderNo: "1", Attempt: 1, State: state, Total: 100, CreatedAt: now,
			Legs: []order.Leg{{Kind: order.ByApp, Amount: 100, OutTradeNo: "1-1", OpenID: "o-1"}}}
}

func disputedPayment(t *testing.T) string {
	s, m := newIdleShop(t), ops.NewMetrics("test")
	db, err := sqlite.Open(s.db, sqlite.NotServing())
	require.NoError(t, err)
	defer db.Close()
	db.OnCommit(m.CountChanges)
	require.NoError(t, db.Orders().Update(t.Context(), func(tx order.Tx) error {
		o, p := endedOrder(s.now, order.PaymentClosed)
		err := errors.Join(tx.Orders.Insert(&o), o.MarkExpired(s.now), tx.Orders.Save(&o), tx.Payments.Insert(&p))
		if err != nil {
			return err
		}
		p, err = tx.Payments.ByTrade("1-1")
		return errors.Join(err, tx.Payments.Move(p.ID, order.PaymentClosed, order.PaymentDisputed))
	}))
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return w.Body.String()
}

func waitingOrder(t *testing.T) string {
	s := newIdleShop(t)
	db, err := sqlite.Open(s.db, sqlite.NotServing())
	require.NoError(t, err)
	defer db.Close()
	require.NoError(t, db.Orders().Update(t.Context(), func(tx order.Tx) error {
		o, p := endedOrder(s.now, order.PaymentDisputed)
		return errors.Join(tx.Orders.Insert(&o), o.MarkExpired(s.now), tx.Orders.Save(&o), tx.Payments.Insert(&p))
	}))
	return metricsOf(s.App)
}

func unknownPayment(t *testing.T) string {
	b, _ := buyerWithCard(t, "13811110302")
	b.http.ProveIdentity(b.token, openID)
	no := lockNewMovie(b, 0)
	prepay := b.prepay(no, "", "")
	for _, operation := range []string{"query", "close"} {
		b.PlanFaults(faults.Fault{Provider: "wechat", Operation: operation, Do: "answer-bad-signature"})
	}
	b.PlanFaults(faults.Fault{Provider: "wechat", Operation: "notify", Do: "notify-drop"})
	b.PayInApp(prepay, "pay")
	b.AdvanceClock(18 * time.Minute)
	b.runDueJobs()
	b.waitForStatus(no, float64(8))
	metrics := metricsOf(b.Shop)
	b.Sims.Default().Faults().Clear() // the books are verified when the test ends
	require.Eventually(t, func() bool {
		b.AdvanceClock(time.Minute)
		b.runDueJobs()
		return b.refundState(no) == "done"
	}, time.Minute, 50*time.Millisecond)
	return metrics
}

func falsifiedRecord(t *testing.T) string {
	s := newIdleShop(t)
	execute(t, s.db, `INSERT INTO ledger_txs (key, event, actor, at) VALUES ('issue:1', 'issue', 'test', 1)`)
	require.NoError(t, s.Purchase().Jobs.RunDue(t.Context()))
	s.now = s.now.Add(2 * time.Hour)
	require.NoError(t, s.Purchase().Jobs.RunDue(t.Context()))
	return metricsOf(s.App)
}

func rejectedMessage(t *testing.T) string {
	h := newTestShop(t)
	h.PlanFaults(faults.Fault{Provider: "sms", Operation: "*", Do: faults.Error, Code: "isv.OUT_OF_SERVICE", Times: 1})
	h.newBuyer("13811110303").call("/Login/sendcode", params{"phone": "13811110303"})
	return metricsOf(h.Shop)
}

func limitedMessage(t *testing.T) string {
	h := newTestShop(t)
	b := h.newBuyer("13811110304")
	dataOf[any](t, b.call("/Login/sendcode", params{"phone": b.phone}))
	requireFault(t, b.call("/Login/sendcode", params{"phone": b.phone}), "sms_limited")
	return metricsOf(h.Shop)
}

func messagesAtTheCeiling(t *testing.T) string {
	h := &testShop{harness.New(t, harness.Options{Configure: func(cfg *app.Config) {
		cfg.SMSLimits = account.Limits{PhoneHour: 5, PhoneDay: 10, ShopHour: 1}
	}})}
	db := h.newBuyer("13811110305")
	for range 2 {
		db.call("/Login/sendcode", params{"phone": db.phone})
		h.AdvanceClock(2 * time.Minute)
	}
	return metricsOf(h.Shop)
}

func unknownTicket(t *testing.T) string {
	h := newTestShop(t)
	// The job reconciles the day too, and a list without the row would end the difference. So every list has the row.
	h.PlanFaults(faults.Fault{Provider: "gateway", Operation: "order.list", Do: "list-extra-row"})
	day := h.nextMorning()
	_, err := h.Shop.Reconcile(t.Context(), day)
	require.NoError(t, err)
	return metricsOf(h.Shop)
}

// exhaustedPool lets a second call wait for the only connection of a pool.
func exhaustedPool(t *testing.T) string {
	pool, err := sql.Open("sqlite", filepath.Join(t.TempDir(), "pool.db"))
	require.NoError(t, err)
	defer pool.Close()
	pool.SetMaxOpenConns(1)
	taken, err := pool.Conn(t.Context())
	require.NoError(t, err)
	short, stop := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer stop()
	require.ErrorIs(t, pool.PingContext(short), context.DeadlineExceeded)
	require.NoError(t, taken.Close())
	require.NoError(t, pool.PingContext(t.Context()))
	return observed(func(m *ops.Metrics) {
		m.WatchPool(func() ops.Pool {
			s := pool.Stats()
			return ops.Pool{InUse: s.InUse, Idle: s.Idle, Max: s.MaxOpenConnections, Waits: s.WaitCount,
				Waited: s.WaitDuration}
		})
	})(t)
}

// conflictingTransactions lets two transactions lock two rows in opposite orders: PostgreSQL ends one of them.
func conflictingTransactions(t *testing.T) string {
	db := pgtest.OpenShop(t)
	require.NoError(t, db.Write(t.Context(), func(c store.Conn) error {
		_, err := c.Exec(`INSERT INTO texts (key, title, html) VALUES ('a', '', ''), ('b', '', '')`)
		return err
	}))
	first := make(chan struct{}, 2)
	both := make(chan struct{})
	lock := func(keys ...string) error {
		runs := 0
		return db.Write(t.Context(), func(c store.Conn) error {
			if _, err := c.Exec(`UPDATE texts SET title = 'x' WHERE key = $1`, keys[0]); err != nil {
				return err
			}
			if runs++; runs == 1 {
				first <- struct{}{}
				<-both
			}
			_, err := c.Exec(`UPDATE texts SET title = 'x' WHERE key = $1`, keys[1])
			return err
		})
	}
	var writers errgroup.Group
	writers.Go(func() error { return lock("a", "b") })
	writers.Go(func() error { return lock("b", "a") })
	<-first
	<-first
	close(both)
	require.NoError(t, writers.Wait())
	return observed(func(m *ops.Metrics) { m.WatchPool(func() ops.Pool { return ops.Pool{Retries: db.Retries()} }) })(t)
}

// certificateOfTheShop runs a shop whose public address has a certificate, of an authority that it does not accept.
func certificateOfTheShop(t *testing.T) string {
	proxy := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(proxy.Close)
	proxy.Config.ErrorLog = log.New(io.Discard, "", 0)
	s := newIdleShop(t, func(cfg *app.Config) { cfg.PublicURL = proxy.URL })
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); s.Run(ctx) }()
	var metrics string
	assert.Eventually(t, func() bool {
		metrics = metricsOf(s.App)
		return strings.Contains(metrics, "certificate_end_timestamp_seconds{")
	}, time.Minute, 10*time.Millisecond)
	stop()
	<-ended
	return metrics
}

// databaseOnAnotherMachine is a shop whose database has another clock, which differs by microseconds at least.
func databaseOnAnotherMachine(t *testing.T) string {
	return metricsOf(newIdleShop(t, func(cfg *app.Config) { cfg.DB, cfg.DBConnections = pgtest.Shop(t), 4 }).App)
}
