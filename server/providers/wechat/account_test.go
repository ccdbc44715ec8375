package wechat_test

import (
	"crypto/sha1" // prescribed by the JS-SDK
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/providers/providertest"
	"marquee/server/providers/transport"
	"marquee/server/providers/wechat"
)

const (
	exchangeRoute = "GET api.weixin.qq.com/sns/oauth2/access_token"
	tokenRoute    = "POST api.weixin.qq.com/cgi-bin/stable_token"
	ticketRoute   = "GET api.weixin.qq.com/cgi-bin/ticket/getticket"
)

func (v *vendor) account() *wechat.Account { return v.accountAt(time.Now) }

func (v *vendor) accountAt(wire func() time.Time) *wechat.Account {
	v.t.Helper()
	a, err := wechat.NewAccount(wechat.AccountConfig{AppID: "wx1", AppSecret: "s3cret", SimulatorURL: v.server.URL,
		Wire: wire, Operations: transport.Operations{Limit: time.Second}})
	require.NoError(v.t, err)
	return a
}

func TestAuthorizeURL_OfTheVendorAndOfTheSimulator(t *testing.T) {
	t.Parallel()
	a, err := wechat.NewAccount(wechat.AccountConfig{AppID: "wx1", AppSecret: "s"})
	require.NoError(t, err)
	assert.Equal(t, "https://open.weixin.qq.com/connect/oauth2/authorize?appid=wx1"+
		"&redirect_uri=https%3A%2F%2Fshop.example%2FquickLogin%3Fa%3D1"+
		"&response_type=code&scope=snsapi_base&state=st#wechat_redirect",
		a.AuthorizeURL("https://shop.example/quickLogin?a=1", "st"))
	a, err = wechat.NewAccount(wechat.AccountConfig{AppID: "wx1", AppSecret: "s",
		SimulatorURL: "http://127.0.0.1:9090"})
	require.NoError(t, err)
	assert.Regexp(t, `^http://inapp\.localhost:9090/connect/oauth2/authorize\?appid=wx1&`,
		a.AuthorizeURL("http://x", "st"))
	_, err = wechat.NewAccount(wechat.AccountConfig{AppID: "wx1"})
	require.ErrorContains(t, err, "AppSecret")
}

func TestExchange_CodeForOpenID(t *testing.T) {
	t.Parallel()
	v := newVendor(t).on(exchangeRoute, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, url.Values{"appid": {"wx1"}, "secret": {"s3cret"}, "code": {"c1"},
			"grant_type": {"authorization_code"}}, r.URL.Query())
		answers(200, `{"access_token":"t","expires_in":7200,"refresh_token":"r","openid":"o1",
			"scope":"snsapi_base"}`)(w, r)
	})
	openID, err := v.account().Exchange(t.Context(), "c1")
	require.NoError(t, err)
	assert.Equal(t, "o1", openID)
}

func TestExchange_Rejections(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		answer http.HandlerFunc
		want   *fault.Fault
	}{
		"invalid code": {answers(200, `{"errcode":40029,"errmsg":"invalid code"}`), account.ErrOAuthCode},
		"used code":    {answers(200, `{"errcode":40163,"errmsg":"code been used"}`), account.ErrOAuthCode},
		"wrong secret": {answers(200, `{"errcode":40125,"errmsg":"invalid appsecret"}`), fault.ErrUnavailable},
		"busy":         {answers(200, `{"errcode":-1,"errmsg":"system error"}`), fault.ErrUnavailable},
		"no openid":    {answers(200, `{"access_token":"t"}`), fault.ErrBadAnswer},
		"HTML":         {answers(200, `<html>`), fault.ErrBadAnswer},
		"null":         {answers(200, `null`), fault.ErrBadAnswer},
		"status 502":   {answers(502, ``), fault.ErrUnavailable},
		"too large":    {answers(200, `{"openid":"`+string(make([]byte, 2<<20))+`"}`), fault.ErrBadAnswer},
	} {
		_, err := newVendor(t).on(exchangeRoute, tt.answer).account().Exchange(t.Context(), "c1")
		assert.ErrorIs(t, err, tt.want, name)
	}
	_, err := newVendor(t).account().Exchange(t.Context(), "")
	require.ErrorIs(t, err, account.ErrOAuthCode)
}

// The URL contains the app secret, and errors of the HTTP client quote the URL.
func TestExchange_ErrorsDoNotTellTheSecret(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	a := v.account()
	v.server.Close()
	_, err := a.Exchange(t.Context(), "c1")
	require.ErrorIs(t, err, fault.ErrUnavailable)
	assert.NotContains(t, err.Error(), "s3cret")
}

// ticketing makes the vendor issue numbered tokens and tickets, and returns how many of each.
func (v *vendor) ticketing() (tokens, tickets *atomic.Int32) {
	tokens, tickets = new(atomic.Int32), new(atomic.Int32)
	v.on(tokenRoute, func(w http.ResponseWriter, r *http.Request) {
		answers(200, fmt.Sprintf(`{"access_token":"t%d","expires_in":7200}`, tokens.Add(1)))(w, r)
	})
	v.on(ticketRoute, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(v.t, "jsapi", r.URL.Query().Get("type"))
		answers(200, fmt.Sprintf(`{"errcode":0,"errmsg":"ok","ticket":"k%d","expires_in":7200}`, tickets.Add(1)))(w, r)
	})
	return tokens, tickets
}

func TestSignJS_SignsThePageWithoutItsFragment(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	v.ticketing()
	c, err := v.accountAt(func() time.Time { return time.Unix(1795141800, 0) }).
		SignJS(t.Context(), "https://shop.example/index?a=1#/top")
	require.NoError(t, err)
	assert.Equal(t, "wx1", c.AppID)
	assert.EqualValues(t, 1795141800, c.Timestamp)
	assert.Len(t, c.NonceStr, 16)
	sum := sha1.Sum([]byte("jsapi_ticket=k1&noncestr=" + c.NonceStr +
		"&timestamp=1795141800&url=https://shop.example/index?a=1"))
	assert.Equal(t, hex.EncodeToString(sum[:]), c.Signature)
}

func TestSignJS_TicketIsSharedUntilItIsAboutToEnd(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	tokens, tickets := v.ticketing()
	var elapsed atomic.Int64 // seconds
	a := v.accountAt(func() time.Time { return time.Unix(elapsed.Load(), 0) })
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() { _, err := a.SignJS(t.Context(), "https://shop.example/"); assert.NoError(t, err) })
	}
	wg.Wait()
	elapsed.Store(7200 - 301)
	_, err := a.SignJS(t.Context(), "https://shop.example/")
	require.NoError(t, err)
	assert.EqualValues(t, 1, tickets.Load())
	elapsed.Store(7200 - 300)
	_, err = a.SignJS(t.Context(), "https://shop.example/")
	require.NoError(t, err)
	assert.EqualValues(t, 2, tickets.Load())
	assert.EqualValues(t, 2, tokens.Load())
}

func TestSignJS_StaleTokenIsRenewedOnce(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	tokens, _ := v.ticketing()
	v.on(ticketRoute, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("access_token") == "t1" {
			answers(200, `{"errcode":42001,"errmsg":"access_token expired"}`)(w, r)
			return
		}
		answers(200, `{"errcode":0,"errmsg":"ok","ticket":"k","expires_in":7200}`)(w, r)
	})
	_, err := v.account().SignJS(t.Context(), "https://shop.example/")
	require.NoError(t, err)
	assert.EqualValues(t, 2, tokens.Load())

	v.on(ticketRoute, answers(200, `{"errcode":40001,"errmsg":"invalid credential"}`))
	_, err = v.account().SignJS(t.Context(), "https://shop.example/")
	require.ErrorIs(t, err, fault.ErrUnavailable)
	assert.EqualValues(t, 4, tokens.Load(), "the token is renewed once")
	v.on(ticketRoute, answers(200, `{"errcode":0,"errmsg":"ok"}`))
	_, err = v.account().SignJS(t.Context(), "https://shop.example/")
	require.ErrorIs(t, err, fault.ErrBadAnswer)
}

// The stable token stays the same until shortly before its end. If the vendor answers with the token that it has just
// rejected, the token is replaced, once.
func TestSignJS_RejectedStableTokenIsReplaced(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	var asked []string
	value := "t1"
	v.on(tokenRoute, func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		asked = append(asked, string(body))
		if strings.Contains(string(body), `"force_refresh":true`) {
			value = "t2"
		}
		answers(200, `{"access_token":"`+value+`","expires_in":7200}`)(w, r)
	})
	v.on(ticketRoute, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("access_token") == "t1" {
			answers(200, `{"errcode":40001,"errmsg":"invalid credential"}`)(w, r)
			return
		}
		answers(200, `{"errcode":0,"errmsg":"ok","ticket":"k","expires_in":7200}`)(w, r)
	})
	_, err := v.account().SignJS(t.Context(), "https://shop.example/")
	require.NoError(t, err)
	require.Len(t, asked, 3)
	for i, force := range []string{"false", "false", "true"} {
		assert.JSONEq(t, `{"grant_type":"client_credential","appid":"wx1","secret":"s3cret","force_refresh":`+force+`}`,
			asked[i])
	}
}

// Login, tokens and tickets are served by the backup host while the main host does not answer.
func TestAccount_EveryCallFailsOverToTheBackup(t *testing.T) {
	t.Parallel()
	good := map[string]http.HandlerFunc{
		exchangeRoute: answers(200, `{"openid":"o1"}`),
		tokenRoute:    answers(200, `{"access_token":"t1","expires_in":7200}`),
		ticketRoute:   answers(200, `{"errcode":0,"ticket":"k1","expires_in":7200}`),
	}
	for name, broken := range map[string]http.HandlerFunc{
		"reset": providertest.BrokenAnswers(t)["reset"], "hang": providertest.BrokenAnswers(t)[providertest.Hangs],
		"502": answers(502, "<html>"),
	} {
		v := newVendor(t)
		for route, answer := range good {
			v.on(route, broken).on(strings.Replace(route, "api.", "api2.", 1), answer)
		}
		a := v.account()
		openID, err := a.Exchange(t.Context(), "code")
		require.NoError(t, err, name)
		require.Equal(t, "o1", openID)
		tried := v.called(exchangeRoute)
		_, err = a.SignJS(t.Context(), "https://shop.example/")
		require.NoError(t, err, name)
		_, err = a.Exchange(t.Context(), "code")
		require.NoError(t, err, name)
		assert.Equal(t, tried, v.called(exchangeRoute), "%s: the host is not tried for a minute", name)
		assert.Zero(t, v.called(tokenRoute), name)
	}
	rejecting := newVendor(t).on(exchangeRoute, answers(200, `{"errcode":40029,"errmsg":"invalid code"}`))
	_, err := rejecting.account().Exchange(t.Context(), "code")
	require.ErrorIs(t, err, account.ErrOAuthCode)
	assert.Equal(t, 1, rejecting.called(exchangeRoute), "an error code is an answer")
}
