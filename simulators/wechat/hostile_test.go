package wechat_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/wechat"
)

// raw makes a correctly signed call of APIv3 with any body. change may alter the call after it was signed. raw returns
// the status and the decoded body of the answer.
func (r *wechatServer) raw(t *testing.T, method, target, body string,
	change ...func(*http.Request)) (int, map[string]any) {
	t.Helper()
	q, err := http.NewRequest(method, "http://"+wechat.PayHost+target, strings.NewReader(body))
	require.NoError(t, err)
	q.Header.Set("Accept", "application/json")
	q.Header.Set("User-Agent", "hostile")
	if body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	require.NoError(t, wechat.Authorize(q, r.keys, []byte(body), time.Now()))
	for _, f := range change {
		f(q)
	}
	answer, err := r.client(t).Do(q)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NotEmpty(t, answer.Header.Get("Request-ID"))
	require.NotEmpty(t, answer.Header.Get("Wechatpay-Signature"), "rejections are signed too")
	decoded := map[string]any{}
	if len(text) > 0 {
		require.NoError(t, json.Unmarshal(text, &decoded), string(text))
	}
	return answer.StatusCode, decoded
}

// announcement is the body of a prepay with some of its fields replaced; the value nil removes a field.
func (r *wechatServer) announcement(t *testing.T, change map[string]any) string {
	t.Helper()
	whole := map[string]any{
		"appid": r.keys.AppID, "mchid": r.keys.MchID, "description": "两张电影票", "out_trade_no": "HOSTILE-1",
		"notify_url": r.shop.URL,
		"amount":     map[string]any{"total": 100, "currency": "CNY"},
		"payer":      map[string]any{"openid": wechat.BoundOpenID},
	}
	for name, value := range change {
		if value == nil {
			delete(whole, name)
			continue
		}
		whole[name] = value
	}
	body, err := json.Marshal(whole)
	require.NoError(t, err)
	return string(body)
}

const prepayPath = "/v3/pay/transactions/jsapi"

func TestPrepay_RejectsWhatTheVendorRejects(t *testing.T) {
	t.Parallel()
	r := start(t)
	for name, row := range map[string]struct {
		change map[string]any
		field  string // of the rejection's detail
	}{
		"zero":                {map[string]any{"amount": map[string]any{"total": 0}}, "/amount/total"},
		"negative":            {map[string]any{"amount": map[string]any{"total": -1}}, "/amount/total"},
		"a part of a fen":     {map[string]any{"amount": map[string]any{"total": 100.5}}, "/amount/total"},
		"an amount as text":   {map[string]any{"amount": map[string]any{"total": "100"}}, "/amount/total"},
		"an amount alone":     {map[string]any{"amount": 100}, "/amount"},
		"no amount":           {map[string]any{"amount": nil}, "/amount/total"},
		"no order number":     {map[string]any{"out_trade_no": nil}, "/out_trade_no"},
		"a long order number": {map[string]any{"out_trade_no": strings.Repeat("1", 33)}, "/out_trade_no"},
		"no description":      {map[string]any{"description": nil}, "/description"},
		"a long attach":       {map[string]any{"attach": strings.Repeat("票", 43)}, "/attach"},
		"another merchant":    {map[string]any{"mchid": "1900000000"}, "/mchid"},
		"notify to a query":   {map[string]any{"notify_url": "https://shop.example/notify?a=1"}, "/notify_url"},
		"an empty query":      {map[string]any{"notify_url": "https://shop.example/notify?"}, "/notify_url"},
		"notify to a part":    {map[string]any{"notify_url": "https://shop.example/notify#a"}, "/notify_url"},
		"notify in clear":     {map[string]any{"notify_url": "http://8.8.8.8/notify"}, "/notify_url"},
		"notify to a name":    {map[string]any{"notify_url": "http://shop.example/notify"}, "/notify_url"},
		"notify to nowhere":   {map[string]any{"notify_url": "/notify"}, "/notify_url"},
		"no notify":           {map[string]any{"notify_url": nil}, "/notify_url"},
		"time without zone":   {map[string]any{"time_expire": "2030-01-01 00:00:00"}, "/time_expire"},
	} {
		status, answer := r.raw(t, http.MethodPost, prepayPath, r.announcement(t, row.change))
		require.Equal(t, http.StatusBadRequest, status, name)
		require.Equal(t, "PARAM_ERROR", answer["code"], name)
		detail, ok := answer["detail"].(map[string]any)
		require.True(t, ok, name)
		require.Equal(t, row.field, detail["field"], name)
	}
	for name, body := range map[string]string{
		"no body": "", "a list": "[]", "half": `{"appid":`, "two": r.announcement(t, nil) + r.announcement(t, nil),
		"text": `"x"`,
	} {
		status, answer := r.raw(t, http.MethodPost, prepayPath, body)
		require.Equal(t, http.StatusBadRequest, status, name)
		require.Equal(t, "PARAM_ERROR", answer["code"], name)
	}
	for _, here := range []string{"http://127.0.0.1:8080/n", "http://[::1]/n", "http://localhost/n",
		"http://shop.localhost:1/n", "http://shop/n", "http://host.docker.internal/n", "http://192.168.1.7/n",
		"https://shop.example/n"} {
		status, answer := r.raw(t, http.MethodPost, prepayPath,
			r.announcement(t, map[string]any{"out_trade_no": "OK-" + strings.Map(letters, here), "notify_url": here}))
		require.Equal(t, http.StatusOK, status, "%s: %v", here, answer)
	}
}

func letters(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return r
	}
	return '-'
}

func TestPay_ContentTypeHasToSayJSON(t *testing.T) {
	t.Parallel()
	r := start(t)
	body := r.announcement(t, nil)
	for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded"} {
		status, answer := r.raw(t, http.MethodPost, prepayPath, body,
			func(q *http.Request) { q.Header.Set("Content-Type", kind) })
		require.Equal(t, http.StatusBadRequest, status, kind)
		require.Equal(t, "PARAM_ERROR", answer["code"], kind)
	}
	status, _ := r.raw(t, http.MethodPost, prepayPath, body,
		func(q *http.Request) { q.Header.Set("Content-Type", "application/json; charset=utf-8") })
	require.Equal(t, http.StatusOK, status)
}

func TestPay_OrderNumbersWithSignsInThePath(t *testing.T) {
	t.Parallel()
	r := start(t)
	const no = "A|B*C_D-1"
	status, _ := r.raw(t, http.MethodPost, prepayPath, r.announcement(t, map[string]any{"out_trade_no": no}))
	require.Equal(t, http.StatusOK, status)
	for _, path := range []string{url.PathEscape(no), "A%7CB*C_D-1", "A%7cB%2AC_D-1"} {
		status, answer := r.raw(t, http.MethodGet, "/v3/pay/transactions/out-trade-no/"+path+"?mchid="+r.keys.MchID, "")
		require.Equal(t, http.StatusOK, status, "%s: %v", path, answer)
		require.Equal(t, no, answer["out_trade_no"])
	}
	status, _ = r.raw(t, http.MethodPost, "/v3/pay/transactions/out-trade-no/"+url.PathEscape(no)+"/close",
		`{"mchid":"`+r.keys.MchID+`"}`)
	require.Equal(t, http.StatusNoContent, status)
}

func TestPay_WhatIsMissingOrWrongOfOtherCalls(t *testing.T) {
	t.Parallel()
	r := start(t)
	for name, row := range map[string]struct {
		method, target, body string
		status               int
		code, location       string
	}{
		"query without mchid": {http.MethodGet, "/v3/pay/transactions/out-trade-no/HOSTILE-1", "", 400,
			"PARAM_ERROR", "query"},
		"query of another": {http.MethodGet, "/v3/pay/transactions/out-trade-no/HOSTILE-1?mchid=1", "", 400,
			"PARAM_ERROR", "query"},
		"query of nothing": {http.MethodGet, "/v3/pay/transactions/id/4200000000?mchid=" + r.keys.MchID, "",
			404, "ORDER_NOT_EXIST", ""},
		"close without a body": {http.MethodPost, "/v3/pay/transactions/out-trade-no/HOSTILE-1/close", "", 400,
			"PARAM_ERROR", ""},
		"close of another": {http.MethodPost, "/v3/pay/transactions/out-trade-no/HOSTILE-1/close",
			`{"mchid":"1"}`, 400, "PARAM_ERROR", "body"},
		"refund of no order": {http.MethodPost, "/v3/refund/domestic/refunds",
			`{"out_refund_no":"R","amount":{"refund":1,"total":1,"currency":"CNY"}}`, 400, "PARAM_ERROR", "body"},
		"refund of zero": {http.MethodPost, "/v3/refund/domestic/refunds",
			`{"out_trade_no":"HOSTILE-1","out_refund_no":"R","amount":{"refund":0,"total":1,"currency":"CNY"}}`, 400,
			"PARAM_ERROR", "body"},
		"refund without currency": {http.MethodPost, "/v3/refund/domestic/refunds",
			`{"out_trade_no":"HOSTILE-1","out_refund_no":"R","amount":{"refund":1,"total":1}}`, 400, "PARAM_ERROR",
			"body"},
		"refund of more than paid": {http.MethodPost, "/v3/refund/domestic/refunds",
			`{"out_trade_no":"HOSTILE-1","out_refund_no":"R","amount":{"refund":2,"total":1,"currency":"CNY"}}`, 400,
			"PARAM_ERROR", "body"},
		"a call that is not simulated": {http.MethodPost, "/v3/profitsharing/orders", "{}", 501, "NOT_SIMULATED", ""},
	} {
		status, answer := r.raw(t, row.method, row.target, row.body)
		require.Equal(t, row.status, status, name)
		require.Equal(t, row.code, answer["code"], name)
		if row.location != "" {
			detail, ok := answer["detail"].(map[string]any)
			require.True(t, ok, name)
			require.Equal(t, row.location, detail["location"], name)
		}
	}
}

func TestRefund_SameNumberOfAnotherOrderOrByItsTransaction(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	for _, no := range []string{"HOSTILE-1", "HOSTILE-2"} {
		require.NoError(t, r.Pay(r.prepay(t, client, no, 1000), "pay"))
	}
	got := r.shop.wait(t, 2)
	transaction := map[any]any{}
	for _, n := range got {
		transaction[n.content["out_trade_no"]] = n.content["transaction_id"]
	}
	ask := func(fields string) (int, map[string]any) {
		return r.raw(t, http.MethodPost, "/v3/refund/domestic/refunds",
			`{"out_refund_no":"R1","amount":{"refund":300,"total":1000,"currency":"CNY"},`+fields+`}`)
	}
	status, first := ask(`"out_trade_no":"HOSTILE-1"`)
	require.Equal(t, http.StatusOK, status)
	id, ok := transaction["HOSTILE-1"].(string)
	require.True(t, ok)
	status, again := ask(`"transaction_id":"` + id + `"`)
	require.Equal(t, http.StatusOK, status, "the same order by its other number")
	require.Equal(t, first["refund_id"], again["refund_id"])
	status, other := ask(`"out_trade_no":"HOSTILE-2"`)
	require.Equal(t, http.StatusBadRequest, status)
	require.Equal(t, "INVALID_REQUEST", other["code"])
	r.clock.Advance(time.Minute)
	status, settled := ask(`"out_trade_no":"HOSTILE-1"`)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "SUCCESS", settled["status"], "a query after the end returns how it ended")
	require.Equal(t, first["refund_id"], settled["refund_id"])
}

func TestLogin_EachMissingParameterHasItsOwnCode(t *testing.T) {
	t.Parallel()
	r := start(t)
	id, secret := "appid="+r.keys.AppID, "secret="+r.keys.AppSecret
	for _, row := range []struct {
		path string
		code float64
	}{
		{"/sns/oauth2/access_token?" + secret + "&code=c&grant_type=authorization_code", 41002},
		{"/sns/oauth2/access_token?" + id + "&code=c&grant_type=authorization_code", 41004},
		{"/sns/oauth2/access_token?" + id + "&" + secret + "&grant_type=authorization_code", 41008},
		{"/sns/oauth2/access_token?" + id + "&" + secret + "&code=c", 40002},
		{"/sns/oauth2/refresh_token?" + id + "&grant_type=refresh_token", 41003},
		{"/sns/oauth2/refresh_token?" + id + "&refresh_token=r", 40002},
		{"/sns/oauth2/refresh_token?" + id + "&refresh_token=r&grant_type=refresh_token", 40030},
		{"/sns/auth?openid=o", 41001},
		{"/sns/userinfo?access_token=t", 41009},
		{"/cgi-bin/token?grant_type=client_credential&" + secret, 41002},
		{"/cgi-bin/token?grant_type=client_credential&" + id, 41004},
		{"/cgi-bin/token?" + id + "&" + secret, 40002},
		{"/cgi-bin/ticket/getticket?type=jsapi", 41001},
		{"/cgi-bin/stable_token", 43002},
	} {
		answer, err := http.Get(r.server.URL + row.path)
		require.NoError(t, err)
		var body map[string]any
		require.NoError(t, json.NewDecoder(answer.Body).Decode(&body), row.path)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, http.StatusOK, answer.StatusCode)
		require.InDelta(t, row.code, body["errcode"], 0, row.path)
		require.NotEmpty(t, body["errmsg"])
	}
}
