package simulators_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/wechat"
)

// receivers is a world whose shop and a second receiver count the webhooks they receive.
type receivers struct {
	visitor
	sims *simulators.Simulators
	in   string // query that names the world
	shop *merchant
	at   string
}

// newReceivers makes a world in which webhooks to /copies are targeted at a second receiver.
func newReceivers(t *testing.T) *receivers {
	t.Helper()
	r := &receivers{sims: start(t, simulators.Options{}),
		shop: &merchant{seen: map[string]int{}, deny: map[string]bool{}}}
	r.at = serve(t, r.shop)
	made, v := create(t, r.sims, `{"seed":4,"now":"2030-06-01T09:00:00+08:00","frozen":true,"push_url":"`+r.at+
		`/push"}`)
	r.visitor, r.in = v, "?world="+made.ID
	r.add("/webhooks/targets", `{"url":"`+r.at+`/copies"}`)
	return r
}

// call makes a call of the control API in the world.
func (r *receivers) call(method, path, body string, wanted int) map[string]any {
	r.Helper()
	status, answer := control(r.T, r.sims, method, path+r.in, body)
	require.Equal(r, wanted, status, answer)
	return answer
}

// add adds a fault, a stub or a target.
func (r *receivers) add(path, body string) { r.call(http.MethodPost, path, body, http.StatusCreated) }

// resend sends a webhook again and returns the answer.
func (r *receivers) resend(body string) map[string]any {
	r.Helper()
	return r.call(http.MethodPost, "/webhooks/resend", body, http.StatusOK)
}

// denying makes the receiver at a path reject webhooks.
func (r *receivers) denying(path string) {
	r.shop.mu.Lock()
	defer r.shop.mu.Unlock()
	r.shop.deny[path] = true
}

// paid announces a trade and pays it.
func (r *receivers) paid(no string) {
	r.Helper()
	prepay := r.announce(no, r.at+"/paid")
	r.call(http.MethodPost, "/wechat/pay", `{"prepay_id":"`+prepay+`","outcome":"pay"}`, http.StatusOK)
}

// got waits until a path was called a number of times, and until the journal has every one of these calls.
func (r *receivers) got(path string, times int) {
	r.Helper()
	require.Eventually(r, func() bool {
		recorded := 0.0
		for _, verdict := range []string{"sent", "failed"} {
			_, counted := control(r.T, r.sims, http.MethodGet,
				"/journal/count"+r.in+"&contains="+path+"&verdict="+verdict, "")
			recorded += counted["count"].(float64)
		}
		return r.shop.times(path) == times && recorded == float64(times)
	}, 10*time.Second, 5*time.Millisecond, "%s was called %d times", path, r.shop.times(path))
}

// advance moves the world's clock.
func (r *receivers) advance(seconds int) {
	r.Helper()
	r.call(http.MethodPost, "/clock/advance", fmt.Sprintf(`{"seconds":%d}`, seconds), http.StatusOK)
}

func TestTargets_GetEveryWebhookWithSeparateRetries(t *testing.T) {
	t.Parallel()
	r := newReceivers(t)
	r.denying("/copies")
	r.paid("TWO-RECEIVERS")
	r.got("/paid", 1)
	r.got("/copies", 1)
	r.advance(15)
	r.got("/copies", 2)
	r.shop.accept("/copies")
	r.advance(15)
	r.got("/copies", 3)
	r.advance(24 * 60 * 60)
	r.got("/copies", 3)
	r.got("/paid", 1)

	entries := r.call(http.MethodGet, "/journal", "", http.StatusOK)["entries"].([]any)
	newest := entries[0].(map[string]any)
	assert.Equal(t, "TWO-RECEIVERS", newest["subject"])
	assert.Equal(t, "1", newest["target"])
}

func TestTargets_OnlyTheShopsAnswerCounts(t *testing.T) {
	t.Parallel()
	r := newReceivers(t)
	r.denying("/paid")
	r.paid("NOT-ACCEPTED")
	r.got("/copies", 1)
	r.got("/paid", 1)
	r.shop.accept("/paid")
	r.advance(15)
	r.got("/paid", 2)
	r.got("/copies", 1)
}

func TestTargets_ARefundWithoutANotifyURLReachesOnlyThem(t *testing.T) {
	t.Parallel()
	r := newReceivers(t)
	r.paid("REFUNDED")
	r.got("/copies", 1)
	r.refund("REFUNDED", r.at+"/refunded")
	r.advance(60)
	r.got("/refunded", 1)
	r.got("/copies", 2)
	r.call(http.MethodDelete, "/webhooks/targets/1", "", http.StatusOK)
	r.add("/webhooks/targets", `{"url":"`+r.at+`/refunds","operation":"refund-notify"}`)
	r.resend(`{"operation":"notify","subject":"REFUNDED"}`)
	r.resend(`{"operation":"refund-notify","subject":"R-REFUNDED"}`)
	r.got("/paid", 2)
	r.got("/refunds", 1)
	r.got("/copies", 2)
}

func TestTargets_ARemovedOneGetsNoRetry(t *testing.T) {
	t.Parallel()
	r := newReceivers(t)
	r.denying("/copies")
	r.paid("REMOVED-TARGET")
	r.got("/copies", 1)
	r.call(http.MethodDelete, "/webhooks/targets", "", http.StatusOK)
	r.advance(24 * 60 * 60)
	r.got("/copies", 1)
}

func TestTargets_AndStubsAreInASnapshotAndWaitingCopiesGoOn(t *testing.T) {
	t.Parallel()
	r := newReceivers(t)
	r.denying("/copies")
	r.add("/stubs", `{"provider":"wechat","path":"/v3/x","answer":{"status":204},"times":3}`)
	r.add("/faults", `{"provider":"wechat","operation":"query","do":"error","host":"api.mch.weixin.qq.com"}`)
	r.paid("IN-A-SNAPSHOT")
	r.got("/copies", 1)
	_, file := get(t, r.url+"/sim/v1/worlds/"+strings.TrimPrefix(r.in, "?world=")+"/snapshot")
	r.call(http.MethodDelete, "/webhooks/targets", "", http.StatusOK)

	made, _ := madeBy(t, r.sims, "/worlds/restore", file)
	status, targets := control(t, r.sims, http.MethodGet, "/webhooks/targets?world="+made.ID, "")
	require.Equal(t, http.StatusOK, status)
	assert.Contains(t, fmt.Sprint(targets["targets"]), r.at+"/copies")
	_, stubs := control(t, r.sims, http.MethodGet, "/stubs?world="+made.ID, "")
	assert.Contains(t, fmt.Sprint(stubs["stubs"]), "/v3/x")
	r.shop.accept("/copies")
	control(t, r.sims, http.MethodPost, "/clock/advance?world="+made.ID, `{"seconds":15}`)
	require.Eventually(t, func() bool { return r.shop.times("/copies") == 2 }, 10*time.Second, 5*time.Millisecond)

	control(t, r.sims, http.MethodPost, "/worlds/"+made.ID+"/reset", "{}")
	_, targets = control(t, r.sims, http.MethodGet, "/webhooks/targets?world="+made.ID, "")
	assert.Empty(t, targets["targets"])
	_, stubs = control(t, r.sims, http.MethodGet, "/stubs?world="+made.ID, "")
	assert.Empty(t, stubs["stubs"])
}

func TestResend_ByEntryAndByTrade(t *testing.T) {
	t.Parallel()
	r := newReceivers(t)
	r.paid("SENT-AGAIN")
	r.got("/paid", 1)
	r.got("/copies", 1)
	entries := r.call(http.MethodGet, "/journal", "", http.StatusOK)["entries"].([]any)
	var entry map[string]any
	for _, e := range entries {
		if one := e.(map[string]any); strings.HasSuffix(fmt.Sprint(one["path"]), "/paid") {
			entry = one
		}
	}
	resent := r.resend(fmt.Sprintf(`{"entry":%v}`, entry["id"]))
	again := resent["deliveries"].([]any)[0].(map[string]any)
	assert.Equal(t, entry["request"], again["request"], "the same content")
	assert.Equal(t, "sent", again["verdict"])
	r.got("/paid", 2)
	r.got("/copies", 1)

	r.add("/faults", `{"provider":"wechat","operation":"notify","do":"notify-bad-signature","times":1}`)
	resent = r.resend(`{"operation":"notify","subject":"SENT-AGAIN"}`)
	assert.Contains(t, fmt.Sprint(resent), "wrong on purpose", "a planned fault alters it")
	r.got("/paid", 3)
	r.got("/copies", 2)
	r.resend(`{"operation":"notify","subject":"SENT-AGAIN","url":"` + r.at + `/elsewhere"}`)
	r.got("/elsewhere", 1)
}

func TestResend_APushOfTheGateway(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	b := newBusy(t, s)
	r := &receivers{visitor: b.visitor, sims: s, in: b.in, shop: b.shop, at: b.at}
	r.add("/webhooks/targets", `{"url":"`+r.at+`/copies","operation":"ticket.push"}`)
	r.call(http.MethodPost, "/webhooks/resend", `{"operation":"ticket.push","subject":"ISSUING"}`, http.StatusNotFound)
	r.advance(60)
	r.got("/push", 1)
	r.got("/copies", 1)
	r.resend(`{"operation":"ticket.push","subject":"ISSUING"}`)
	r.got("/push", 2)
	r.got("/copies", 2)
}

func TestStubs_AnswerWhatIsNotSimulatedSignedAsTheProviderSigns(t *testing.T) {
	t.Parallel()
	r := newReceivers(t)
	r.add("/stubs", `{"provider":"wechat","method":"POST","path":"/v3/profitsharing/*","body":"*\"out_order_no\"*",
		"answer":{"body":"{\"out_order_no\":{{quote json out_order_no}},\"first\":{{quote json receivers.0.type}}}",
		"headers":{"X-Stub":"yes"}},"times":2}`)
	r.call(http.MethodPatch, "/wechat/merchant", `{"signs_with":"public-key"}`, http.StatusOK)
	client := r.verifyingPayments()
	share := func(no string) (*http.Response, map[string]any, error) {
		var answer map[string]any
		result, err := client.Post(t.Context(), "https://api.mch.weixin.qq.com/v3/profitsharing/orders",
			map[string]any{"out_order_no": no, "receivers": []map[string]string{{"type": "MERCHANT_ID"}}})
		if err == nil {
			require.NoError(t, json.NewDecoder(result.Response.Body).Decode(&answer))
		}
		if result == nil {
			return nil, answer, err
		}
		return result.Response, answer, err
	}
	for _, no := range []string{"A1", `"中文` + "\n"} {
		response, answer, err := share(no)
		require.NoError(t, err, "the SDK verifies the signature")
		assert.Equal(t, map[string]any{"out_order_no": no, "first": "MERCHANT_ID"}, answer)
		assert.Equal(t, "yes", response.Header.Get("X-Stub"))
	}
	_, _, err := share("used up")
	require.ErrorContains(t, err, "NOT_SIMULATED")
	counted := r.call(http.MethodGet, "/journal/count", "", http.StatusOK)
	assert.InDelta(t, 3, counted["count"], 0)
	stubbed := r.call(http.MethodGet, "/journal", "", http.StatusOK)["entries"].([]any)[1].(map[string]any)
	assert.Equal(t, "stubbed", stubbed["verdict"])
	assert.Equal(t, "stub 1", stubbed["reason"])
}

func TestStubs_ACallWithAWrongSignatureIsRejected(t *testing.T) {
	t.Parallel()
	r := newReceivers(t)
	r.add("/stubs", `{"provider":"gateway","path":"*","answer":{"body":"reached"}}`)
	r.add("/stubs", `{"provider":"newmovie","path":"*","answer":{"body":"reached"}}`)
	const kind = "application/x-www-form-urlencoded"
	form := gatewayForm(r, r, "member.query")
	_, text := post(t, r.url+"/gateway", kind, form.Encode(), nil)
	assert.Equal(t, "reached", text)
	form.Set("sign", "00")
	_, text = post(t, r.url+"/gateway", kind, form.Encode(), nil)
	assert.Contains(t, text, "1003")
	at := r.url + "/worlds/" + strings.TrimPrefix(r.in, "?world=") + "/newmovie/api/member"
	_, text = post(t, at, "application/json", "{}", nil)
	assert.Contains(t, text, "401001")
}

func TestStubs_TheNewestFitsFirstAndASimulatedCallIsNeverStubbed(t *testing.T) {
	t.Parallel()
	r := newReceivers(t)
	for _, level := range []string{"1", "2"} {
		r.add("/stubs", `{"provider":"gateway","body":"*","answer":{"body":"{\"success\":true,\"level\":`+level+`}"}}`)
	}
	assert.InDelta(t, 2, r.gateway("member.query")["level"], 0)
	r.call(http.MethodDelete, "/stubs/2", "", http.StatusOK)
	assert.InDelta(t, 1, r.gateway("member.query")["level"], 0)
	assert.Nil(t, r.gateway("city.list")["level"])
	stubs := r.call(http.MethodGet, "/stubs", "", http.StatusOK)["stubs"].([]any)
	assert.InDelta(t, 1, stubs[0].(map[string]any)["hits"], 0)
	r.call(http.MethodDelete, "/stubs", "", http.StatusOK)
	assert.Contains(t, fmt.Sprint(r.gateway("member.query")["error"]), "1005", "the gateway refuses it as before")
}

func TestStubs_AStubOfASimulatedCallIsRejectedWithItsOperation(t *testing.T) {
	t.Parallel()
	r := newReceivers(t)
	for stub, want := range map[string]string{
		`"provider":"wechat","path":"/v3/certificates"`: "GET /v3/certificates is " +
			"simulated as certificates",
		`"provider":"wechat","method":"POST","path":"/v3/pay/transactions/jsapi"`: "simulated as prepay,",
		`"provider":"wechat","path":"/sns/oauth2/access_token"`:                   "simulated as oauth-token",
		`"provider":"newmovie","path":"/newmovie/api/order/lock"`: "POST /newmovie/api/order/lock is " +
			"simulated as order/lock",
		`"provider":"sms","headers":{"x-acs-action":"SendSms"}`:            "simulated as send,",
		`"provider":"sms","headers":{"X-TC-Action":"SendSms"}`:             "simulated as tencent-send,",
		`"provider":"gateway","path":"/gateway","body":"method=city.list"`: "simulated as city.list",
	} {
		rejected := r.call(http.MethodPost, "/stubs", `{`+stub+`,"answer":{}}`,
			http.StatusBadRequest)["error"].(map[string]any)
		assert.Equal(t, "invalid_stub", rejected["code"])
		assert.Contains(t, rejected["message"], want)
		assert.Contains(t, rejected["message"], "plan a fault")
	}
	r.add("/stubs", `{"provider":"wechat","method":"POST","path":"/v3/certificates","answer":{}}`)
	r.add("/stubs", `{"provider":"wechat","path":"/v3/*","answer":{}}`)
	r.add("/stubs", `{"provider":"sms","headers":{"x-acs-action":"QuerySmsSign"},"answer":{}}`)
}

func TestStubs_OfTheAccountsAPINeedAnAccessToken(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	control(t, s, http.MethodPost, "/stubs", `{"provider":"wechat","path":"/cgi-bin/foo","answer":{"body":"{\"ok\":true}"}}`)
	call := func(path string) string {
		request, err := http.NewRequest(http.MethodPost, s.URL()+path, strings.NewReader("{}"))
		require.NoError(t, err)
		request.Host = wechat.APIHost
		_, text := do(t, request)
		return text
	}
	assert.Contains(t, call("/cgi-bin/foo"), "41001")
	assert.Contains(t, call("/cgi-bin/foo?access_token=bad"), "40001")
	keys := s.Default().Credentials().WeChat
	request, err := http.NewRequest(http.MethodGet,
		s.URL()+"/cgi-bin/token?grant_type=client_credential&appid="+keys.AppID+"&secret="+keys.AppSecret, nil)
	require.NoError(t, err)
	request.Host = wechat.APIHost
	_, text := do(t, request)
	var token struct {
		AccessToken string `json:"access_token"`
	}
	require.NoError(t, json.Unmarshal([]byte(text), &token), text)
	assert.JSONEq(t, `{"ok":true}`, call("/cgi-bin/foo?access_token="+token.AccessToken))
}
