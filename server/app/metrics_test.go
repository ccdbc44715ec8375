package app_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/ops"
	"marquee/server/order"
	"marquee/server/store/sqlite"
)

// adminPage gets a page of the shop's admin address.
func adminPage(t *testing.T, h *testShop, path string) (status int, body string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.Shop.AdminHandler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	text, err := io.ReadAll(w.Body)
	require.NoError(t, err)
	return w.Code, string(text)
}

// sample matches a line of /metrics.
var sample = regexp.MustCompile(`(?m)^(\w+)(\{[^}]*\})? \S+$`)

// metricNames returns the names of the metrics that have a sample.
func metricNames(page string) map[string]bool {
	names := map[string]bool{}
	for _, match := range sample.FindAllStringSubmatch(page, -1) {
		names[match[1]] = true
	}
	return names
}

func TestMetrics_APurchaseMovesThem(t *testing.T) {
	t.Parallel()
	db := harness.NewDatabase(t)
	b, card := buyerWithCardIn(t, db, "13800138321")
	no := lockLegacy(b, 0)
	dataOf[any](t, b.call("/movie/route/Movie/flkpay", params{"oid": no, "ka_ids": card, "pass": password}))
	b.waitForStatus(no, "S")
	requireFault(t, b.call("/Dyorder/show", params{"id": "1"}), "order_not_found")
	_, page := adminPage(t, b.testShop, "/metrics")
	for _, line := range []string{
		`marquee_purchase_steps_total{kind="ticket",outcome="started",step="place"} 1`,
		`marquee_purchase_steps_total{kind="ticket",outcome="held",step="place"} 1`,
		`marquee_purchase_steps_total{kind="ticket",outcome="paid",step="pay"} 1`,
		`marquee_purchase_steps_total{kind="ticket",outcome="issued",step="issue"} 1`,
		`marquee_money_refunded_fen_total{method="card"} 0`,
		`marquee_money_disputed_fen_total 0`,
		`marquee_sms_messages_total{outcome="sent"} 2`,
		`marquee_orders_waiting_for_operator{reason="issue_stuck"} 0`,
		`marquee_http_request_duration_seconds_count{route="/Film/lockseat",status="2xx"} 1`,
		`marquee_http_request_faults_total{code="order_not_found",route="/Dyorder/show"} 1`,
		`marquee_scrape_failures{part="queues"} 0`,
		`marquee_scrape_failures{part="reconciliation"} 0`,
		`marquee_reconciliation_differences{book="trades"} 0`,
	} {
		require.Contains(t, page, line+"\n")
	}
	require.Regexp(t, `marquee_money_captured_fen_total\{method="card"\} [1-9]`, page)
	require.Regexp(t, `provider_call_duration_seconds_count\{operation="lock",outcome="ok",provider="\w+"\} 1`, page)
	require.Regexp(t, `marquee_commit_duration_seconds_count [1-9]`, page)
	require.Regexp(t, `marquee_job_queue_tasks\{queue="local",state="\w+"\} [1-9]`, page)
	require.NotContains(t, page, no, "no label holds an id")
	require.NotContains(t, page, b.phone)

	names := metricNames(page)
	for _, metric := range b.Shop.Metrics().List() {
		if metric.Type == "histogram" {
			metric.Name += "_count"
		}
		// One with labels may have no sample yet. PostgreSQL has its disk on another machine.
		optional := len(metric.Labels) > 0 || metric.Name == "marquee_disk_free_bytes" && isPostgres(db)
		require.True(t, names[metric.Name] || optional, "%s has no sample", metric.Name)
		names[metric.Name] = true
	}
	for _, file := range []string{"../ops/alerts.yaml", "../ops/dashboard.json"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		found := regexp.MustCompile(`(marquee|process|go)_[a-z_]+[a-z]\b`).FindAllString(string(text), -1)
		require.Greater(t, len(found), 10, file)
		for _, name := range found {
			require.True(t, names[name], "%s uses %s, which is not a metric of the shop", file, name)
		}
	}
}

func TestAdmin_ServesProbesAndProfiles(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	for _, path := range []string{"/healthz", "/readyz", "/debug/pprof/", "/debug/pprof/cmdline"} {
		status, body := adminPage(t, h, path)
		require.Equal(t, http.StatusOK, status, path)
		require.NotEmpty(t, strings.TrimSpace(body))
	}
	w := httptest.NewRecorder()
	h.Shop.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.NotContains(t, w.Body.String(), "marquee_", "metrics are not public")
}

// A delivered order that an operator revokes is not a failed delivery, for which there is an alert.
func TestMetrics_ARevokedOrder(t *testing.T) {
	t.Parallel()
	s, m := newIdleShop(t), ops.NewMetrics("test")
	db, err := sqlite.Open(s.db, sqlite.NotServing())
	require.NoError(t, err)
	defer db.Close()
	o, _ := endedOrder(s.now, order.PaymentClosed)
	db.OnCommit(m.CountChanges)
	require.NoError(t, db.Orders().Update(t.Context(), func(tx order.Tx) error {
		return errors.Join(tx.Orders.Insert(&o), o.MarkPaid(s.now), tx.Orders.Save(&o),
			o.MarkIssued(order.ProviderOrder{}, s.now), tx.Orders.Save(&o), o.MarkRevoked("x", s.now), tx.Orders.Save(&o))
	}))
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	require.Contains(t, w.Body.String(), `marquee_purchase_steps_total{kind="recharge",outcome="revoked",step="refund"} 1`)
	require.NotContains(t, w.Body.String(), `outcome="failed",step="issue"`)
}
