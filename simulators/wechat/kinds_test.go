package wechat_test

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/core"
	partner "github.com/wechatpay-apiv3/wechatpay-go/services/partnerpayments/jsapi"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/app"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/h5"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/native"
	"github.com/wechatpay-apiv3/wechatpay-go/services/refunddomestic"

	"marquee/simulators/control"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/wechat"
)

func TestSDK_NativeIsPaidByTheContentOfItsCode(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	service := native.NativeApiService{Client: client}
	answer, _, err := service.Prepay(t.Context(), native.PrepayRequest{
		Appid: &r.keys.AppID, Mchid: &r.keys.MchID, Description: core.String("扫码"),
		OutTradeNo: core.String("NATIVE-01"), NotifyUrl: &r.shop.URL, Amount: &native.Amount{Total: core.Int64(500)},
	})
	require.NoError(t, err)
	require.Regexp(t, `^weixin://wxpay/bizpayurl\?pr=\w+$`, *answer.CodeUrl)
	require.NoError(t, r.Pay(*answer.CodeUrl, "pay"))
	got := r.shop.wait(t, 1)[0]
	require.Equal(t, "NATIVE", got.content["trade_type"])
	trade, _, err := service.QueryOrderByOutTradeNo(t.Context(), native.QueryOrderByOutTradeNoRequest{
		OutTradeNo: core.String("NATIVE-01"), Mchid: &r.keys.MchID})
	require.NoError(t, err)
	require.Equal(t, "SUCCESS", *trade.TradeState)
	require.Equal(t, wechat.BoundOpenID, *trade.Payer.Openid, "the person who scanned it")
}

func TestSDK_AppIsPaidByAnyPerson(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	answer, _, err := (&app.AppApiService{Client: client}).Prepay(t.Context(), app.PrepayRequest{
		Appid: &r.keys.AppID, Mchid: &r.keys.MchID, Description: core.String("应用"), OutTradeNo: core.String("APP-01"),
		NotifyUrl: &r.shop.URL, Amount: &app.Amount{Total: core.Int64(500)},
	})
	require.NoError(t, err)
	require.NoError(t, r.Pay(*answer.PrepayId, "pay"))
	require.Equal(t, "APP", r.shop.wait(t, 1)[0].content["trade_type"])
}

func TestSDK_H5IsPaidOnThePageThatItOpens(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	service := h5.H5ApiService{Client: client}
	request := h5.PrepayRequest{
		Appid: &r.keys.AppID, Mchid: &r.keys.MchID, Description: core.String("网页"),
		OutTradeNo: core.String("H5-000001"), NotifyUrl: &r.shop.URL, Amount: &h5.Amount{Total: core.Int64(512)},
		SceneInfo: &h5.SceneInfo{PayerClientIp: core.String("203.0.113.7"),
			H5Info: &h5.H5Info{Type: core.String("Wap")}},
	}
	answer, _, err := service.Prepay(t.Context(), request)
	require.NoError(t, err)
	request.SceneInfo.PayerClientIp = core.String("nowhere")
	request.OutTradeNo = core.String("H5-000002")
	_, _, err = service.Prepay(t.Context(), request)
	rejected(t, err, http.StatusBadRequest, "PARAM_ERROR")

	address, err := url.Parse(*answer.H5Url)
	require.NoError(t, err)
	require.Equal(t, wechat.H5Host, address.Host)
	handler := r.mount(t, wechat.H5Host)
	page := r.openPage(t, handler, http.MethodGet, address.String()+"&redirect_url=https%3A%2F%2Fshop.example%2Fdone",
		nil)
	require.Contains(t, page.text, "¥5.12")
	require.Contains(t, page.text, "https://shop.example/done")
	page = r.openPage(t, handler, http.MethodPost, address.String(),
		url.Values{"code": {*answer.H5Url}, "back": {"https://shop.example/done"}, "outcome": {"pay"}})
	require.Equal(t, http.StatusSeeOther, page.status)
	require.Equal(t, "https://shop.example/done", page.location)
	require.Equal(t, "MWEB", r.shop.wait(t, 1)[0].content["trade_type"])
	page = r.openPage(t, handler, http.MethodGet, address.String(), nil)
	require.Contains(t, page.text, "该订单已支付")
}

func TestSDK_AServiceProviderPaysForItsSubMerchant(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	service := partner.JsapiApiService{Client: client}
	request := partner.PrepayRequest{
		SpAppid: &r.keys.AppID, SpMchid: &r.keys.MchID, SubMchid: core.String("1900000109"),
		Description: core.String("子商户"),
		OutTradeNo:  core.String("PARTNER-1"), NotifyUrl: &r.shop.URL, Amount: &partner.Amount{Total: core.Int64(700)},
		Payer: &partner.Payer{SpOpenid: core.String(wechat.BoundOpenID)},
	}
	answer, _, err := service.Prepay(t.Context(), request)
	require.NoError(t, err)
	require.NoError(t, r.Pay(*answer.PrepayId, "pay"))
	content := r.shop.wait(t, 1)[0].content
	require.Equal(t, r.keys.MchID, content["sp_mchid"])
	require.Equal(t, "1900000109", content["sub_mchid"])
	require.NotContains(t, content, "mchid")
	query := partner.QueryOrderByOutTradeNoRequest{
		OutTradeNo: core.String("PARTNER-1"), SpMchid: &r.keys.MchID, SubMchid: core.String("1900000109")}
	trade, _, err := service.QueryOrderByOutTradeNo(t.Context(), query)
	require.NoError(t, err)
	require.Equal(t, wechat.BoundOpenID, *trade.Payer.SpOpenid)
	query.SubMchid = core.String("1900000110")
	_, _, err = service.QueryOrderByOutTradeNo(t.Context(), query)
	rejected(t, err, http.StatusNotFound, "ORDER_NOT_EXIST")

	refunds := refunddomestic.RefundsApiService{Client: client}
	_, _, err = refunds.Create(t.Context(), refunddomestic.CreateRequest{
		SubMchid: core.String("1900000109"), OutTradeNo: core.String("PARTNER-1"), OutRefundNo: core.String("R1"),
		NotifyUrl: &r.shop.URL,
		Amount: &refunddomestic.AmountReq{
			Refund: core.Int64(700), Total: core.Int64(700), Currency: core.String("CNY"),
		},
	})
	require.NoError(t, err)
	found, _, err := refunds.QueryByOutRefundNo(t.Context(), refunddomestic.QueryByOutRefundNoRequest{
		OutRefundNo: core.String("R1"), SubMchid: core.String("1900000109")})
	require.NoError(t, err)
	require.Equal(t, "PARTNER-1", *found.OutTradeNo)
	for _, other := range []*string{nil, core.String("1900000110")} {
		_, _, err = refunds.QueryByOutRefundNo(t.Context(), refunddomestic.QueryByOutRefundNoRequest{
			OutRefundNo: core.String("R1"), SubMchid: other})
		rejected(t, err, http.StatusNotFound, "RESOURCE_NOT_EXISTS")
	}
	r.clock.Advance(5 * time.Second)
	content = r.shop.wait(t, 2)[1].content
	require.Equal(t, "SUCCESS", content["refund_status"])
	require.Equal(t, r.keys.MchID, content["sp_mchid"])
	require.Equal(t, "1900000109", content["sub_mchid"])
	require.NotContains(t, content, "mchid")
}

func TestMiniProgram_ACodeIsASessionAndAnotherAPhoneNumber(t *testing.T) {
	t.Parallel()
	r := start(t)
	login := r.MiniProgramCode(wechat.BoundOpenID, "login")
	session := r.ask(t, "/sns/jscode2session?grant_type=authorization_code&appid="+r.keys.AppID+"&secret="+
		r.keys.AppSecret+
		"&js_code="+login, "")
	require.Equal(t, wechat.BoundOpenID, session["openid"])
	require.Len(t, session["session_key"], 24)
	again := r.ask(t, "/sns/jscode2session?grant_type=authorization_code&appid="+r.keys.AppID+"&secret="+
		r.keys.AppSecret+
		"&js_code="+login, "")
	require.InDelta(t, 40163, again["errcode"], 0)

	token := r.ask(t, "/cgi-bin/token?grant_type=client_credential&appid="+r.keys.AppID+"&secret="+r.keys.AppSecret, "")
	phone := r.MiniProgramCode(wechat.UnboundOpenID, "phone")
	at := "/wxa/business/getuserphonenumber?access_token=" + token["access_token"].(string)
	require.InDelta(t, 40029, r.ask(t, at, `{"code":"`+login+`x"}`)["errcode"], 0)
	number := r.ask(t, at, `{"code":"`+phone+`"}`)
	require.Equal(t, "13900000002", number["phone_info"].(map[string]any)["purePhoneNumber"])
}

func TestPayAPI_WhatIsNotSimulatedSaysSoAndUsesUpNoPlannedFault(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.fault(t, faults.Fault{Operation: "query", Do: faults.Error, Code: "SYSTEM_ERROR", Times: 1})
	r.fault(t, faults.Fault{Operation: "*", Do: faults.Status, Status: 503, Times: 1})
	r.fault(t, faults.Fault{Operation: "*", Do: "answer-bad-signature"})
	for _, target := range []string{"/v3/pay/transactions/native/other", "/v3/profitsharing/orders"} {
		status, answer := r.raw(t, http.MethodPost, target, "{}")
		require.Equal(t, http.StatusNotImplemented, status)
		require.Equal(t, "NOT_SIMULATED", answer["code"])
		require.Equal(t, "wechat: POST "+target+" is not simulated", answer["message"])
	}
	for _, target := range []string{"/pay/unifiedorder", "/secapi/pay/refund", "/pay/]]%3E%00"} {
		q, err := http.NewRequest(http.MethodPost, "http://"+wechat.PayHost+target, strings.NewReader("<xml></xml>"))
		require.NoError(t, err)
		answer, err := r.client(t).Do(q)
		require.NoError(t, err)
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, http.StatusNotImplemented, answer.StatusCode)
		require.True(t, strings.HasPrefix(string(text), "<xml><return_code><![CDATA[FAIL]]></return_code>"), string(text))
		var failure struct {
			XMLName xml.Name `xml:"xml"`
			Code    string   `xml:"return_code"`
			Message string   `xml:"return_msg"`
		}
		require.NoError(t, xml.Unmarshal(text, &failure), string(text))
		require.Equal(t, "FAIL", failure.Code)
		require.Contains(t, failure.Message, "NOT_SIMULATED: wechat: POST "+target)
	}
	for _, planned := range r.plan.Faults() {
		require.Zero(t, planned.Hits)
	}
	entries := r.journal.Entries(journal.Filter{Verdict: journal.NotSimulated})
	require.Len(t, entries, 5)
	require.Contains(t, entries[0].Reason, "V2 with its XML and MD5 signatures is out of scope")
	require.Empty(t, entries[0].Operation)
}

func TestMiniProgram_CodesOfALoginLinkAndOfAMiniProgramAreNotInterchangeable(t *testing.T) {
	t.Parallel()
	r := start(t)
	account := "?grant_type=authorization_code&appid=" + r.keys.AppID + "&secret=" + r.keys.AppSecret
	for _, purpose := range []control.Purpose{control.ForLogin, control.ForPhone} {
		code := r.MiniProgramCode(wechat.BoundOpenID, purpose)
		answer := r.ask(t, "/sns/oauth2/access_token"+account+"&code="+code, "")
		require.InDelta(t, 40029, answer["errcode"], 0, "a code for %s: %v", purpose, answer)
	}
	back, _ := r.authorize(t, "https://"+wechat.OpenHost+"/connect/oauth2/authorize?"+url.Values{
		"appid": {r.keys.AppID}, "redirect_uri": {"http://127.0.0.1:8080/"}, "response_type": {"code"},
		"scope": {"snsapi_base"},
	}.Encode())
	code := back.Query().Get("code")
	require.InDelta(t, 40029, r.ask(t, "/sns/jscode2session"+account+"&js_code="+code, "")["errcode"], 0)
	answer := r.ask(t, "/sns/oauth2/access_token"+account+"&code="+code, "")
	require.Equal(t, wechat.BoundOpenID, answer["openid"], "a rejection does not use up the code")
}

// mount is the handler that the port serves for a vendor's host.
func (r *wechatServer) mount(t *testing.T, host string) http.Handler {
	t.Helper()
	for _, m := range r.Mounts() {
		for _, name := range m.Hosts {
			if name == host {
				return m.Handler
			}
		}
	}
	t.Fatal("no mount for " + host)
	return nil
}

// page is what a browser received.
type page struct {
	status         int
	text, location string
}

// openPage makes a browser's call; a form is posted.
func (r *wechatServer) openPage(t *testing.T, handler http.Handler, method, address string, form url.Values) page {
	t.Helper()
	request := httptest.NewRequest(method, address, strings.NewReader(form.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request)
	return page{answer.Code, html.UnescapeString(answer.Body.String()), answer.Header().Get("Location")}
}

// ask makes a call of api.weixin.qq.com; one with a body is a POST.
func (r *wechatServer) ask(t *testing.T, target, body string) (answer map[string]any) {
	t.Helper()
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	request, err := http.NewRequestWithContext(context.Background(), method, "http://"+wechat.APIHost+target,
		strings.NewReader(body))
	require.NoError(t, err)
	response, err := r.client(t).Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &answer), "%s", text)
	return answer
}
