package app_test

import (
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/syncbuffer"
	"marquee/server/app"
	"marquee/server/requestid"
)

// messagesOf returns the messages of the logged lines that have the request id.
func messagesOf(t *testing.T, logged, id string) (messages []string) {
	t.Helper()
	for text := range strings.Lines(logged) {
		var line struct {
			Msg, Operation string
			ID             string `json:"request_id"`
		}
		require.NoError(t, json.Unmarshal([]byte(text), &line))
		if line.ID == id {
			messages = append(messages, strings.TrimSpace(line.Msg+" "+line.Operation))
		}
	}
	return messages
}

func TestRequestID_RunsThroughLogsProviderCallsAndAudit(t *testing.T) {
	t.Parallel()
	log, db := &syncbuffer.Buffer{}, harness.NewDatabase(t)
	h := &testShop{harness.New(t, harness.Options{DB: db, Configure: func(cfg *app.Config) {
		cfg.Logger = slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		cfg.TrustedProxies = []string{"192.0.2.0/24"}
	}})}
	h.issueCard("8010000000000001", 100_00)
	b := h.newBuyer("13800138331").login()
	// post sends the buyer's call through a proxy that gives it an id, and returns the id of the answer.
	post := func(remote, id, path string, fields params) string {
		form := url.Values{"channel_no": {h.Sims.Default().ShopEnvironment()["MARQUEE_CHANNEL_NO"]}, "token": {b.token}}
		for name, value := range fields {
			form.Set(name, value)
		}
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set(requestid.Header, id)
		r.RemoteAddr = remote
		w := httptest.NewRecorder()
		h.Shop.Handler().ServeHTTP(w, r)
		require.Contains(t, w.Body.String(), `"code":200`)
		return w.Header().Get(requestid.Header)
	}
	opiid, seats := b.legacyShowingTomorrow()
	free := slices.IndexFunc(seats, func(s legacySeat) bool { return s.Status == 1 && s.Flag == 0 })
	require.Equal(t, "proxy-id-1",
		post("192.0.2.7:1", "proxy-id-1", "/Film/lockseat", b.legacyLockForm(opiid, seats[free].ID)))
	require.Contains(t, messagesOf(t, log.String(), "proxy-id-1"), "request")
	require.Contains(t, messagesOf(t, log.String(), "proxy-id-1"), "provider call lock")
	story := regexp.MustCompile(`"(operation":"lock|msg":"request)".*"request_id":"proxy-id-1","account":\d+,"order":"\d{24}"`)
	require.Len(t, story.FindAllString(log.String(), -1), 2, "the lines of the lock name its account and order")
	bind := params{"kahao": "8010000000000001", "pass": "12345678"}
	require.Equal(t, "proxy-id-3", post("192.0.2.7:1", "proxy-id-3", "/api/api.php/Card/addbinding", bind))

	var audited int
	require.NoError(t, openSQL(t, db).QueryRow(`SELECT count(*) FROM audit WHERE request_id = 'proxy-id-3'`).Scan(&audited))
	require.Positive(t, audited)

	for _, made := range []struct{ remote, id string }{
		{"203.0.113.9:1", "proxy-id-2"}, // not a proxy
		{"192.0.2.7:1", "two words"}, {"192.0.2.7:1", ""}, {"192.0.2.7:1", strings.Repeat("x", 65)},
	} {
		id := post(made.remote, made.id, "/Member/index", nil)
		require.NotEqual(t, made.id, id)
		require.True(t, requestid.Valid(id), id)
		require.Contains(t, messagesOf(t, log.String(), id), "request")
	}
}

// The log lines of the requests about an order have its number, so that their ids are found for every step of a
// purchase. A sent number that is not that of an order, for example a phone number, is not logged.
func TestRequestLog_HasTheOrder(t *testing.T) {
	t.Parallel()
	log := &syncbuffer.Buffer{}
	h := &testShop{harness.New(t, harness.Options{Configure: func(cfg *app.Config) {
		cfg.Logger = slog.New(slog.NewJSONHandler(log, nil))
	}})}
	b := h.newBuyer("13811110096").login()
	b.http.ProveIdentity(b.token, openID)
	requireFault(t, b.call("/Dyorder/show", params{"id": "13811110097"}), "order_not_found")
	legacy := sources[0]
	no := legacy.lock(b, 0)
	b.PayInApp(b.prepay(no, "", ""), "pay")
	b.waitForStatus(no, legacy.issued)
	routes := map[string]bool{}
	for text := range strings.Lines(log.String()) {
		var line struct {
			Msg, Route, Order string
			ID                string `json:"request_id"`
		}
		require.NoError(t, json.Unmarshal([]byte(text), &line))
		if line.Msg == "request" && line.Order == no {
			require.NotEmpty(t, line.ID)
			routes[line.Route] = true
		}
	}
	for _, route := range []string{"lockseat", "wxpay", "/notify/wechat/pay", "/Dyorder/show"} {
		require.True(t, slices.ContainsFunc(slices.Collect(maps.Keys(routes)), func(r string) bool {
			return strings.HasSuffix(r, route)
		}), "%s is missing in %v", route, routes)
	}
	require.NotContains(t, log.String(), "13811110097")
}
