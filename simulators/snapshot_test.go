package simulators_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/option"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/simulators"
	"marquee/simulators/dataset"
	"marquee/simulators/testclock"
)

// merchant answers notifications and pushes and counts them by path.
type merchant struct {
	mu   sync.Mutex
	seen map[string]int
	deny map[string]bool
}

func (m *merchant) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen[r.URL.Path]++
	if m.deny[r.URL.Path] {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	_, _ = w.Write([]byte("success"))
}

func (m *merchant) times(path string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen[path]
}

func (m *merchant) accept(path string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.deny[path] = false
}

// busy is a world with something pending of every kind.
type busy struct {
	visitor
	id, in   string
	shop     *merchant
	at       string // the shop's address
	show     dataset.Show
	seats    []string
	held     string // seats
	ticketed string
}

func newBusy(t *testing.T, s *simulators.Simulators) *busy {
	t.Helper()
	b := &busy{shop: &merchant{seen: map[string]int{}, deny: map[string]bool{"/paid": true}}}
	b.at = serve(t, b.shop)
	made, v := create(t, s, `{"seed":4,"now":"2030-06-01T09:00:00+08:00","frozen":true,"push_url":"`+b.at+`/push"}`)
	b.visitor, b.id, b.in = v, made.ID, "?world="+made.ID
	b.show, b.seats = plainShow(t, dataset.NewCountry(4, testclock.NewAt(made.Now)), dataset.Gateway)

	b.held = b.hold("HELD", b.show.ID, b.seats)
	b.ticketed = b.hold("ISSUING", b.show.ID, b.seats)
	amount := fmt.Sprint(int64(b.data(b.gateway("order.query", "orderno", "ISSUING"))["amount"].(float64)))
	require.Equal(t, true, b.gateway("order.create", "orderno", "ISSUING", "amount", amount, "mobile",
		"13900000001")["success"])
	require.Equal(t, true, b.gateway("ticket.issue", "orderno", "ISSUING")["success"])
	b.pay(t, s, "REFUNDED")
	require.Equal(t, "PROCESSING", b.refund("REFUNDED", b.at+"/refunded"))
	b.pay(t, s, "PAID-FOR")
	b.announce("ANNOUNCED", b.at+"/paid")
	require.Eventually(t, func() bool { return b.shop.times("/paid") == 2 }, 10*time.Second, time.Millisecond,
		"both were tried and denied")
	require.Equal(t, "OK", b.text("13900000011", "424242"))
	status, _ := control(t, s, http.MethodPost, "/faults"+b.in,
		`{"provider":"gateway","operation":"film.hot","do":"error","skip":1,"times":1,"code":"9999"}`)
	require.Equal(t, http.StatusCreated, status)
	require.Equal(t, true, b.gateway("film.hot")["success"], "skipped")
	control(t, s, http.MethodPost, "/faults"+b.in,
		`{"provider":"newmovie","operation":"ticket/token","do":"error","probability":0.5,"seed":9}`)
	return b
}

func (b *busy) pay(t *testing.T, s *simulators.Simulators, no string) {
	t.Helper()
	id := b.announce(no, b.at+"/paid")
	status, answer := control(t, s, http.MethodPost, "/wechat/pay"+b.in, `{"prepay_id":"`+id+`","outcome":"pay"}`)
	require.Equal(t, http.StatusOK, status, answer)
}

// expectAll checks that everything pending in a busy world is also in a world restored from its snapshot.
func (b *busy) expectAll(t *testing.T, s *simulators.Simulators, made madeWorld, v visitor) {
	t.Helper()
	in := "?world=" + made.ID
	_, clock := control(t, s, http.MethodGet, "/clock"+in, "")
	assert.Equal(t, "2030-06-01T09:00:00+08:00", clock["now"])
	assert.Equal(t, true, clock["frozen"])
	assert.Equal(t, "LOCKED", v.state("HELD"))
	assert.Equal(t, "ISSUING", v.state("ISSUING"))
	for _, seat := range []string{b.held, b.ticketed} {
		taken := v.gateway("seat.lock", "orderno", "OTHER", "opiid", b.show.ID, "seatids", seat, "mobile",
			"13900000001")
		assert.Contains(t, fmt.Sprint(taken["error"]), "3001", "the seats are still taken")
	}
	assert.Equal(t, "REFUND", v.trade("REFUNDED"))
	assert.Equal(t, "SUCCESS", v.trade("PAID-FOR"))
	assert.Equal(t, "NOTPAY", v.trade("ANNOUNCED"))
	assert.Equal(t, "PROCESSING", v.refunded("REFUNDED"))
	_, inbox := control(t, s, http.MethodGet, "/sms/messages"+in, "")
	assert.Contains(t, fmt.Sprint(inbox["messages"]), "424242")
	assert.Equal(t, "isv.BUSINESS_LIMIT_CONTROL", v.text("13900000011", "1"), "limits remember")
	assert.Equal(t, false, v.gateway("film.hot")["success"], "the fault has skipped its one call")
	assert.Equal(t, true, v.gateway("film.hot")["success"], "and is used up")

	before := b.shop.times("/paid")
	b.shop.accept("/paid")
	control(t, s, http.MethodPost, "/clock/advance"+in, `{"seconds":15}`)
	assert.Equal(t, "ISSUED", v.state("ISSUING"))
	require.Eventually(t, func() bool { return v.refunded("REFUNDED") == "SUCCESS" }, 10*time.Second,
		10*time.Millisecond)
	require.Eventually(t, func() bool {
		return b.shop.times("/push") > 0 && b.shop.times("/refunded") > 0 && b.shop.times("/paid") >= before+2
	},
		10*time.Second, 10*time.Millisecond, "timers go on in their order")
	control(t, s, http.MethodPost, "/clock/advance"+in, `{"seconds":900}`)
	assert.Equal(t, "EXPIRED", v.state("HELD"), "a hold still runs out")
}

func TestSnapshot_EverythingPendingContinuesInTheRestoredWorld(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	b := newBusy(t, s)
	status, file := get(t, s.URL()+"/sim/v1/worlds/"+b.id+"/snapshot")
	require.Equal(t, http.StatusOK, status)
	assert.NotContains(t, file, b.keys.WeChat.APIv3Key, "no credentials are in it")
	control(t, s, http.MethodDelete, "/worlds/"+b.id, "")

	other := start(t, simulators.Options{}) // another process, later
	made, v := madeBy(t, other, "/worlds/restore?id=kept", file)
	assert.Equal(t, "kept", made.ID)
	b.expectAll(t, other, made, v)
}

func TestSnapshot_AForkIsIndependent(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	b := newBusy(t, s)
	made, v := madeBy(t, s, "/worlds/"+b.id+"/fork", "")
	assert.NotEqual(t, b.keys.Gateway.AppKey, v.keys.Gateway.AppKey)
	assert.Equal(t, true, v.gateway("seat.unlock", "orderno", "HELD")["success"])
	assert.Equal(t, "LOCKED", b.state("HELD"), "the original stays")
	again, w := madeBy(t, s, "/worlds/"+b.id+"/fork", `{"id":"second-fork"}`)
	b.expectAll(t, s, again, w)
	assert.Equal(t, "UNLOCKED", v.state("HELD"))
	_, clock := control(t, s, http.MethodGet, "/clock?world="+made.ID, "")
	assert.Equal(t, "2030-06-01T09:00:00+08:00", clock["now"])
}

func TestSnapshot_RestoredInPlaceAndReset(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	b := newBusy(t, s)
	token := b.token()
	_, file := get(t, s.URL()+"/sim/v1/worlds/"+b.id+"/snapshot")
	control(t, s, http.MethodPost, "/clock/advance"+b.in, `{"seconds":86400}`)
	assert.Equal(t, "EXPIRED", b.state("HELD"))
	control(t, s, http.MethodDelete, "/faults"+b.in, "")
	assert.InDelta(t, 401002, b.newmovie(token, "movie/cities")["code"], 0)

	status, text := post(t, s.URL()+"/sim/v1/worlds/"+b.id+"/restore", "application/json", file, nil)
	require.Equal(t, http.StatusOK, status, text)
	assert.InDelta(t, 0, b.newmovie(token, "movie/cities")["code"], 0, "tokens are back too")
	b.expectAll(t, s, madeWorld{ID: b.id}, b.visitor)

	_, reset := control(t, s, http.MethodPost, "/worlds/"+b.id+"/reset", "")
	assert.Equal(t, "2030-06-01T09:00:00+08:00", reset["now"])
	assert.Equal(t, true, reset["frozen"])
	_, counted := control(t, s, http.MethodGet, "/journal/count"+b.in, "")
	assert.InDelta(t, 0, counted["count"], 0)
	_, faults := control(t, s, http.MethodGet, "/faults"+b.in, "")
	assert.Empty(t, faults["faults"])
	assert.Contains(t, fmt.Sprint(b.gateway("order.query", "orderno", "HELD")["error"]), "4001")
	assert.Empty(t, b.trade("PAID-FOR"))
	assert.Equal(t, "OK", b.text("13900000011", "1"))
	assert.Equal(t, b.held, b.hold("AGAIN", b.show.ID, b.seats), "the same seat is free as at first")
}

func TestReset_WebhooksUnderWayLeaveNoTraceInTheJournal(t *testing.T) {
	t.Parallel()
	const count = 20
	s := start(t, simulators.Options{})
	var received, cancelled sync.WaitGroup
	received.Add(count)
	cancelled.Add(count)
	shop := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does the server notice that the caller is gone
		received.Done()
		<-r.Context().Done()
		cancelled.Done()
	}))
	made, v := create(t, s, `{"frozen":true}`)
	in := "?world=" + made.ID
	for i := range count {
		prepay := v.announce(fmt.Sprint("TRADE-", i), shop+"/paid")
		status, answer := control(t, s, http.MethodPost, "/wechat/pay"+in, `{"prepay_id":"`+prepay+`","outcome":"pay"}`)
		require.Equal(t, http.StatusOK, status, answer)
	}
	received.Wait()
	status, _ := control(t, s, http.MethodPost, "/worlds/"+made.ID+"/reset", "")
	require.Equal(t, http.StatusOK, status)
	cancelled.Wait()
	_, counted := control(t, s, http.MethodGet, "/journal/count"+in, "")
	assert.InDelta(t, 0, counted["count"], 0)
}

// lastCall keeps the last call of a client, to be made again.
type lastCall struct {
	keepHost
	call **http.Request
}

func (l lastCall) RoundTrip(r *http.Request) (*http.Response, error) {
	*l.call = r.Clone(r.Context())
	return l.keepHost.RoundTrip(r)
}

func TestSnapshot_NoncesStayUsedAndANotifyStillWaitsForAnother(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	b := newBusy(t, s)
	transport := keepHost{strings.TrimPrefix(s.URL(), "http://")}
	var asked *http.Request
	key, err := utils.LoadPrivateKey(b.keys.WeChat.MchPrivateKeyPEM)
	require.NoError(t, err)
	client, err := core.NewClient(t.Context(), option.WithMerchantCredential(b.keys.WeChat.MchID,
		b.keys.WeChat.MchSerial, key), option.WithoutValidator(),
		option.WithHTTPClient(&http.Client{Transport: lastCall{transport, &asked}}))
	require.NoError(t, err)
	_, _, err = (&jsapi.JsapiApiService{Client: client}).QueryOrderByOutTradeNo(t.Context(),
		jsapi.QueryOrderByOutTradeNoRequest{OutTradeNo: core.String("PAID-FOR"), Mchid: &b.keys.WeChat.MchID})
	require.NoError(t, err)

	b.shop.accept("/paid")
	control(t, s, http.MethodPost, "/faults"+b.in,
		`{"provider":"wechat","operation":"notify","do":"notify-reorder","times":1}`)
	b.pay(t, s, "OVERTAKEN")
	_, file := get(t, s.URL()+"/sim/v1/worlds/"+b.id+"/snapshot")
	status, text := post(t, s.URL()+"/sim/v1/worlds/"+b.id+"/restore", "application/json", file, nil)
	require.Equal(t, http.StatusOK, status, text)

	again, err := transport.RoundTrip(asked)
	require.NoError(t, err)
	require.Contains(t, body(t, again), "nonce_str重复", "the call was made before the snapshot")
	before := b.shop.times("/paid")
	b.pay(t, s, "OVERTAKING") // the clock is stopped, so that only this notification releases the other one
	require.Eventually(t, func() bool { return b.shop.times("/paid") == before+2 }, 10*time.Second, time.Millisecond)
}

func TestSnapshot_TheDefaultWorldToo(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	v := visitor{t, s.URL(), s.Default().Credentials()}
	require.Equal(t, "OK", v.text("13900000012", "1"))
	clock := s.Default().Clock()
	file := s.Default().Snapshot()
	clock.Advance(time.Hour)
	require.NoError(t, s.Default().Restore(file))
	assert.InDelta(t, 0, clock.Offset(), float64(30*time.Second), "the clock is the same one, put back")
	assert.Equal(t, "isv.BUSINESS_LIMIT_CONTROL", v.text("13900000012", "2"))
	s.Default().Reset()
	assert.Equal(t, "OK", v.text("13900000012", "3"))
}

func TestSnapshot_WhatCannotBeRestoredIsRejectedAndChangesNothing(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	b := newBusy(t, s)
	_, file := get(t, s.URL()+"/sim/v1/worlds/"+b.id+"/snapshot")
	change := func(old, replacement string) string {
		require.Contains(t, file, old)
		return strings.Replace(file, old, replacement, 1)
	}
	prepaid := regexp.MustCompile(`"prepay_ids":\["[^"]+"`).FindAllString(file, 2)
	require.Len(t, prepaid, 2)
	for about, row := range map[string]struct{ file, code, says string }{
		"a prepay_id of two trades": {change(prepaid[0], prepaid[1]), "bad_snapshot", "has the prepay_id"},
		"held seats of no order": {change(`"state":"held"`, `"state":"released"`), "bad_snapshot",
			"is held, but does not belong to an order"},
		"cut short":          {file[:len(file)/2], "bad_snapshot", "cut short"},
		"cut at the end":     {file[:len(file)-3], "bad_snapshot", "cut short"},
		"empty":              {"", "bad_snapshot", "cut short"},
		"another version":    {change(`"version":1`, `"version":7`), "snapshot_version", "version 7"},
		"another format":     {change(`"marquee-world"`, `"wiremock"`), "bad_snapshot", "wiremock"},
		"no snapshot":        {`[]`, "bad_snapshot", "object"},
		"no JSON":            {"seats: all", "bad_snapshot", "JSON"},
		"an unknown field":   {change(`"faults":`, `"flaws":{},"faults":`), "bad_snapshot", "flaws"},
		"more after it":      {file + "{}", "bad_snapshot", ""},
		"a wrong type":       {change(`"seed":4`, `"seed":"4"`), "bad_snapshot", "seed"},
		"an unknown seat":    {change(`"seats":["`+b.held+`"]`, `"seats":["none"]`), "bad_snapshot", "seat"},
		"an unknown showing": {change(`"show":"`+b.show.ID+`"`, `"show":"42"`), "bad_snapshot", "42"},
		"an unknown state":   {change(`"state":"held"`, `"state":"hold"`), "bad_snapshot", "hold"},
		"an unknown trade": {change(`"out_trade_no":"REFUNDED","refund_id"`,
			`"out_trade_no":"NOBODYS","refund_id"`), "bad_snapshot", "NOBODYS"},
		"more refunded than refunds": {change(`"refunded":100`, `"refunded":0`), "bad_snapshot",
			"REFUNDED has 0 fen refunded"},
		"a negative refund": {change(`"refund":100,`, `"refund":-100,`), "bad_snapshot", "REFUNDED"},
		"a negative total":  {change(`"amount":{"total":`, `"amount":{"total":-`), "bad_snapshot", "total"},
		"a free order":      {amountOf(t, file, "0"), "bad_snapshot", "amount"},
		"an unpaid trade that is paid": {change(`"state":"NOTPAY"`, `"state":"SUCCESS"`), "bad_snapshot",
			"does not fit its transaction_id"},
		"an unknown fault": {change(`"do":"error"`, `"do":"flood"`), "bad_snapshot", "flood"},
	} {
		for _, path := range []string{"/worlds/restore", "/worlds/" + b.id + "/restore"} {
			status, text := post(t, s.URL()+"/sim/v1"+path, "application/json", row.file, nil)
			assert.Equal(t, http.StatusBadRequest, status, about)
			assert.Contains(t, text, `"code":"`+row.code+`"`, about)
			assert.Contains(t, text, row.says, about)
		}
	}
	_, list := control(t, s, http.MethodGet, "/worlds", "")
	assert.Len(t, list["worlds"], 2, "nothing was left over")
	assert.Equal(t, "LOCKED", b.state("HELD"), "and the world goes on")
	assert.Equal(t, 2, b.shop.times("/paid"), "nothing was sent on trial")
	for path, code := range map[string]string{
		"/worlds/none/restore": "world_unknown", "/worlds/none/fork": "world_unknown",
		"/worlds/none/reset": "world_unknown",
	} {
		status, text := post(t, s.URL()+"/sim/v1"+path, "application/json", "", nil)
		assert.Equal(t, http.StatusNotFound, status, path)
		assert.Contains(t, text, code)
	}
	status, text := post(t, s.URL()+"/sim/v1/worlds/restore?id="+b.id, "application/json", file, nil)
	assert.Equal(t, http.StatusConflict, status)
	assert.Contains(t, text, "world_exists")
	status, text = hundredMegabytes(t, s.URL()+"/sim/v1/worlds/restore")
	assert.Equal(t, http.StatusRequestEntityTooLarge, status)
	assert.Contains(t, text, "body_too_large")
}

func TestSnapshot_AMissingOrEmptyPartIsRejectedByItsName(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	b := newBusy(t, s)
	_, file := get(t, s.URL()+"/sim/v1/worlds/"+b.id+"/snapshot")
	rows := map[string]string{} // the damaged file, by a part of the error that it must cause
	damage := func(says string, part []string, value any) {
		var whole map[string]any
		require.NoError(t, json.Unmarshal([]byte(file), &whole))
		in := whole
		for _, name := range part[:len(part)-1] {
			inner, ok := in[name].(map[string]any)
			require.True(t, ok, part)
			in = inner
		}
		last := part[len(part)-1]
		require.Contains(t, in, last)
		if in[last] = value; value == nil {
			delete(in, last)
		}
		text, err := json.Marshal(whole)
		require.NoError(t, err)
		rows[says] = string(text)
	}
	for _, part := range []string{"gateway", "newmovie", "sms", "wechat", "faults", "world", "taken", "clock",
		"founded", "seed", "app_url"} {
		damage("it has no "+part, []string{part}, nil)
		damage("its "+part+" is null", []string{part}, json.RawMessage("null"))
	}
	for part, inside := range map[string]string{"gateway": "office", "newmovie": "office", "sms": "messages",
		"wechat": "serial", "faults": "faults", "clock": "now"} {
		damage("it has no "+part+"."+inside, []string{part}, map[string]any{})
		damage("its "+part+" is not an object", []string{part}, "x")
	}
	damage("its taken cannot be read", []string{"taken"}, "x")
	damage("its world is", []string{"world"}, "x")
	damage("snapshot.world", []string{"world"}, map[string]any{})
	damage("it has no gateway.office.orders", []string{"gateway", "office", "orders"}, nil)
	damage("its wechat.trades is null", []string{"wechat", "trades"}, json.RawMessage("null"))
	damage("its wechat.trades is not a list", []string{"wechat", "trades"}, map[string]any{})
	damage("its newmovie.tokens is not an object", []string{"newmovie", "tokens"}, []any{})
	damage("it has no wechat.trades[0].order", []string{"wechat", "trades"}, []any{map[string]any{}})
	damage("it has no faults.faults[0].id", []string{"faults", "faults"}, []any{map[string]any{}})
	for says, damaged := range rows {
		for _, path := range []string{"/worlds/restore", "/worlds/" + b.id + "/restore", "/worlds/default/restore"} {
			status, text := post(t, s.URL()+"/sim/v1"+path, "application/json", damaged, nil)
			assert.Equal(t, http.StatusBadRequest, status, says)
			assert.Contains(t, text, `"code":"bad_snapshot"`, says)
			assert.Contains(t, text, says)
		}
	}
	_, list := control(t, s, http.MethodGet, "/worlds", "")
	assert.Len(t, list["worlds"], 2, "nothing was left over")
	assert.Equal(t, "LOCKED", b.state("HELD"), "and the world goes on")
}

func TestSnapshot_AddressesAreThoseThatAWorldMayHave(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, _ := create(t, s, `{"app_url":"http://127.0.0.1:8081","push_url":"http://127.0.0.1:8082"}`)
	_, file := get(t, s.URL()+"/sim/v1/worlds/"+made.ID+"/snapshot")
	for from, to := range map[string]string{
		`"app_url":"http://127.0.0.1:8081"`:  `"app_url":"javascript:alert(1)"`,
		`"push_url":"http://127.0.0.1:8082"`: `"push_url":"file:///etc/passwd"`,
	} {
		require.Contains(t, file, from)
		for _, path := range []string{"/worlds/restore", "/worlds/" + made.ID + "/restore"} {
			status, text := post(t, s.URL()+"/sim/v1"+path, "application/json", strings.Replace(file, from, to, 1), nil)
			assert.Equal(t, http.StatusBadRequest, status, to)
			assert.Contains(t, text, `"code":"bad_address"`, to)
		}
	}
	_, list := control(t, s, http.MethodGet, "/worlds", "")
	assert.Len(t, list["worlds"], 2, "nothing was left over")
}

// amountOf returns a snapshot whose first order of a box office has another amount.
func amountOf(t *testing.T, file, fen string) string {
	t.Helper()
	amount := regexp.MustCompile(`"amount":[0-9]+,"state"`)
	require.Regexp(t, amount, file)
	at := amount.FindStringIndex(file)
	return file[:at[0]] + `"amount":` + fen + `,"state"` + file[at[1]:]
}
