package wechat_test

import (
	"context"
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/providers/providertest"
	"marquee/server/providers/transport"
	"marquee/server/providers/wechat"
)

const (
	host        = "api.mch.weixin.qq.com"
	prepayRoute = "POST " + host + "/v3/pay/transactions/jsapi"
	h5Route     = "POST " + host + "/v3/pay/transactions/h5"
	queryRoute  = "GET " + host + "/v3/pay/transactions/out-trade-no/n1-1"
	closeRoute  = "POST " + host + "/v3/pay/transactions/out-trade-no/n1-1/close"
	refundRoute = "POST " + host + "/v3/refund/domestic/refunds"
	refundQuery = "GET " + host + "/v3/refund/domestic/refunds/r1"

	h5Answer  = `{"h5_url":"https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx2&package=9"}`
	paidTrade = `{"appid":"wx1","mchid":"1900000001","out_trade_no":"n1-1","transaction_id":"42","trade_type":"JSAPI",
		"trade_state":"SUCCESS",
		"trade_state_desc":"支付成功","success_time":"2026-11-20T18:00:00+08:00","payer":{"openid":"o1"},
		"amount":{"total":8400,"payer_total":8400,"currency":"CNY"}}`
	unpaidTrade = `{"appid":"wx1","mchid":"1900000001","out_trade_no":"n1-1","trade_state":"NOTPAY",
		"trade_state_desc":"未支付","amount":{"total":8400}}`
	refunded = `{"refund_id":"R1","out_refund_no":"r1","transaction_id":"42","out_trade_no":"n1-1",
		"channel":"ORIGINAL","user_received_account":"零钱",
		"create_time":"2026-11-20T18:00:00+08:00","status":"PROCESSING","amount":{"total":8400,"refund":4200,
		"payer_total":8400,"payer_refund":4200,
		"settlement_refund":4200,"settlement_total":8400,"discount_refund":0,"currency":"CNY"}}`
)

func prepayRequest() order.PrepayRequest {
	return order.PrepayRequest{OutTradeNo: "n1-1", Description: "长夜", Amount: 8400, OpenID: "o1",
		ExpiresAt: time.Date(2026, 11, 20, 2, 15, 0, 0, time.UTC)}
}

func calls() map[string]providertest.Call[*wechat.Pay] {
	return map[string]providertest.Call[*wechat.Pay]{
		"prepay": {Route: prepayRoute, Kind: transport.Command, Do: func(ctx context.Context, p *wechat.Pay) error {
			_, err := p.Prepay(ctx, prepayRequest())
			return err
		}},
		"prepay h5": {Route: h5Route, Kind: transport.Command, Do: func(ctx context.Context, p *wechat.Pay) error {
			_, err := p.PrepayH5(ctx, prepayRequest())
			return err
		}},
		"query": {Route: queryRoute, Kind: transport.Query, Do: func(ctx context.Context, p *wechat.Pay) error {
			_, err := p.Query(ctx, "n1-1")
			return err
		}},
		"close": {Route: closeRoute, Kind: transport.Command, Do: func(ctx context.Context, p *wechat.Pay) error {
			return p.Close(ctx, "n1-1")
		}},
		"refund": {Route: refundRoute, Kind: transport.Command, Do: func(ctx context.Context, p *wechat.Pay) error {
			_, err := p.Refund(ctx, order.RefundRequest{
				OutTradeNo: "n1-1", OutRefundNo: "r1", Amount: 4200, Total: 8400, Reason: "出票失败",
			})
			return err
		}},
		"query refund": {Route: refundQuery, Kind: transport.Query, Do: func(ctx context.Context, p *wechat.Pay) error {
			_, err := p.QueryRefund(ctx, "r1")
			return err
		}},
	}
}

func TestPrepay_AnnouncesInWireTimeAndSignsTheBridge(t *testing.T) {
	t.Parallel()
	v := newVendor(t).on(prepayRoute, answers(200, `{"prepay_id":"wx2011"}`))
	wire := time.Date(2026, 11, 20, 2, 0, 0, 400_000_000, time.UTC)
	p := payAt(t, v.server.URL, func(c *wechat.PayConfig) {
		c.Wire = func() time.Time { return wire }
		// Business time is three days ahead.
		c.Now = func() time.Time { return wire.Add(72*time.Hour - time.Millisecond) }
	})
	req := prepayRequest()
	req.ExpiresAt = req.ExpiresAt.Add(72 * time.Hour)
	params, err := p.Prepay(t.Context(), req)
	require.NoError(t, err)
	assert.JSONEq(t, `{"appid":"wx1","mchid":"1900000001","description":"长夜","out_trade_no":"n1-1",
		"time_expire":"2026-11-20T10:15:00+08:00",
		"notify_url":"https://shop.example/notify/wechat/pay","amount":{"total":8400,"currency":"CNY"},
		"payer":{"openid":"o1"}}`, v.bodies[1])
	assert.Equal(t, "wx1", params.AppID)
	assert.Equal(t, "prepay_id=wx2011", params.Package)
	assert.Equal(t, "RSA", params.SignType)
	seconds, err := strconv.ParseInt(params.TimeStamp, 10, 64)
	require.NoError(t, err)
	assert.InDelta(t, time.Now().Unix(), seconds, 600, "the vendor's SDK reads the clock of the machine")
	block, _ := pem.Decode([]byte(merchantPEM()))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	require.NoError(t, err)
	signature, err := base64.StdEncoding.DecodeString(params.PaySign)
	require.NoError(t, err)
	signed := strings.Join([]string{params.AppID, params.TimeStamp, params.NonceStr, params.Package, ""}, "\n")
	sum := sha256.Sum256([]byte(signed))
	assert.NoError(t, rsa.VerifyPKCS1v15(&key.(*rsa.PrivateKey).PublicKey, crypto.SHA256, sum[:], signature))
}

func TestPrepayH5_AnnouncesTheBrowsersTrade(t *testing.T) {
	t.Parallel()
	v := newVendor(t).on(h5Route, answers(200, h5Answer))
	wire := time.Date(2026, 11, 20, 2, 0, 0, 0, time.UTC)
	clocks := func(c *wechat.PayConfig) {
		c.Wire, c.Now = func() time.Time { return wire }, func() time.Time { return wire }
	}
	req := prepayRequest()
	req.OpenID, req.ClientIP = "", "192.0.2.7"
	page, err := payAt(t, v.server.URL, clocks).PrepayH5(t.Context(), req)
	require.NoError(t, err)
	assert.JSONEq(t, `{"appid":"wx1","mchid":"1900000001","description":"长夜","out_trade_no":"n1-1",
		"time_expire":"2026-11-20T10:15:00+08:00",
		"notify_url":"https://shop.example/notify/wechat/pay","amount":{"total":8400,"currency":"CNY"},
		"scene_info":{"payer_client_ip":"192.0.2.7","h5_info":{"type":"Wap"}}}`, v.bodies[1])
	assert.Equal(t, v.server.URL+"/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx2&package=9", page,
		"the browser opens the simulator's page")

	for _, answer := range []string{`{}`, `{"h5_url":"javascript:alert(1)"}`, `{"h5_url":"http://wx.tenpay.com/x"}`} {
		_, err := newVendor(t).on(h5Route, answers(200, answer)).pay().PrepayH5(t.Context(), req)
		require.Equal(t, fault.Unknown, fault.KindOf(err), answer)
	}
	used := answers(403, `{"code":"OUT_TRADE_NO_USED","message":"商户订单号重复"}`)
	_, err = newVendor(t).on(h5Route, used).on(queryRoute, answers(200, paidTrade)).pay().PrepayH5(t.Context(), req)
	require.ErrorIs(t, err, order.ErrAlreadyPaid)
}

func TestPrepay_NumberUsedUp(t *testing.T) {
	t.Parallel()
	used := answers(403, `{"code":"OUT_TRADE_NO_USED","message":"商户订单号重复"}`)
	for query, want := range map[string]*fault.Fault{paidTrade: order.ErrAlreadyPaid,
		unpaidTrade: order.ErrTradeClosed, `{}`: fault.ErrUnknown} {
		_, err := newVendor(t).on(prepayRoute, used).on(queryRoute, answers(200, query)).pay().
			Prepay(t.Context(), prepayRequest())
		require.ErrorIs(t, err, want)
		assert.Equal(t, want.Kind, fault.KindOf(err))
	}
	_, err := newVendor(t).on(prepayRoute, answers(400, `{"code":"ORDERPAID","message":"已支付"}`)).pay().
		Prepay(t.Context(), prepayRequest())
	require.ErrorIs(t, err, order.ErrAlreadyPaid)
}

func TestQuery_EveryState(t *testing.T) {
	t.Parallel()
	trade, err := newVendor(t).on(queryRoute, answers(200, paidTrade)).pay().Query(t.Context(), "n1-1")
	require.NoError(t, err)
	assert.Equal(t, order.Trade{
		OutTradeNo: "n1-1", TransactionID: "42", State: order.TradePaid, Amount: 8400, AppID: "wx1",
		MchID: "1900000001", OpenID: "o1",
		PaidAt: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC),
	}, trade)
	trade, err = newVendor(t).on(queryRoute, answers(200, unpaidTrade)).pay().Query(t.Context(), "n1-1")
	require.NoError(t, err)
	assert.Equal(t, order.Trade{OutTradeNo: "n1-1", State: order.TradeUnpaid, Amount: 8400, AppID: "wx1",
		MchID: "1900000001"}, trade)

	for state, want := range map[string]order.TradeState{"CLOSED": order.TradeClosed,
		"REVOKED": order.TradeClosed, "PAYERROR": order.TradeUnpaid} {
		body := `{"appid":"wx1","mchid":"1900000001","out_trade_no":"n1-1","trade_state":"` + state + `"}`
		trade, err := newVendor(t).on(queryRoute, answers(200, body)).pay().Query(t.Context(), "n1-1")
		require.NoError(t, err)
		assert.Equal(t, want, trade.State)
	}
	_, err = newVendor(t).pay().Query(t.Context(), "n1-1")
	require.ErrorIs(t, err, order.ErrTradeNotFound)
}

func TestQuery_RejectsInconsistentAnswers(t *testing.T) {
	t.Parallel()
	for name, body := range map[string]string{
		"another trade":    `{"appid":"wx1","mchid":"1900000001","out_trade_no":"n2-1","trade_state":"NOTPAY"}`,
		"another merchant": `{"appid":"wx1","mchid":"1900000002","out_trade_no":"n1-1","trade_state":"NOTPAY"}`,
		"another state":    `{"appid":"wx1","mchid":"1900000001","out_trade_no":"n1-1","trade_state":"ACCEPT"}`,
		"paid without payer": `{"appid":"wx1","mchid":"1900000001","out_trade_no":"n1-1","trade_state":"SUCCESS",
			"transaction_id":"42","amount":{"total":1},"success_time":"2026-11-20T18:00:00+08:00"}`,
		"paid without amount": `{"appid":"wx1","mchid":"1900000001","out_trade_no":"n1-1","trade_state":"SUCCESS",
			"transaction_id":"42","payer":{"openid":"o1"},"success_time":"2026-11-20T18:00:00+08:00"}`,
		"paid without time": `{"appid":"wx1","mchid":"1900000001","out_trade_no":"n1-1","trade_state":"SUCCESS",
			"transaction_id":"42","payer":{"openid":"o1"},"amount":{"total":1},"success_time":"yesterday"}`,
	} {
		_, err := newVendor(t).on(queryRoute, answers(200, body)).pay().Query(t.Context(), "n1-1")
		assert.ErrorIs(t, err, fault.ErrBadAnswer, name)
	}
}

func TestClose_Outcomes(t *testing.T) {
	t.Parallel()
	closing := func(status int, body string) error {
		return newVendor(t).on(closeRoute, answers(status, body)).pay().Close(t.Context(), "n1-1")
	}
	require.NoError(t, closing(204, ""))
	require.NoError(t, closing(400, `{"code":"ORDER_CLOSED","message":"已关闭"}`), "the trade is closed already")
	require.ErrorIs(t, closing(400, `{"code":"ORDERPAID","message":"已支付"}`), order.ErrAlreadyPaid)
	require.ErrorIs(t, closing(404, `{"code":"ORDER_NOT_EXIST","message":"不存在"}`), order.ErrTradeNotFound)
}

func TestRefund_SendsAndReads(t *testing.T) {
	t.Parallel()
	v := newVendor(t).on(refundRoute, answers(200, refunded)).on(refundQuery, answers(200, refunded))
	want := order.RefundResult{OutRefundNo: "r1", RefundID: "R1", State: order.RefundProcessing, Amount: 4200,
		OutTradeNo: "n1-1", TransactionID: "42"}
	p := v.pay()
	got, err := p.Refund(t.Context(), order.RefundRequest{OutTradeNo: "n1-1", OutRefundNo: "r1", Amount: 4200,
		Total: 8400, Reason: "出票失败"})
	require.NoError(t, err)
	assert.Equal(t, want, got)
	assert.JSONEq(t, `{"out_trade_no":"n1-1","out_refund_no":"r1","reason":"出票失败",
		"notify_url":"https://shop.example/notify/wechat/refund",
		"amount":{"refund":4200,"total":8400,"currency":"CNY"}}`, v.bodies[1])
	got, err = p.QueryRefund(t.Context(), "r1")
	require.NoError(t, err)
	assert.Equal(t, want, got)
	_, err = newVendor(t).on(refundQuery, answers(404, `{"code":"RESOURCE_NOT_EXISTS","message":"退款单不存在"}`)).
		pay().QueryRefund(t.Context(), "r1")
	require.ErrorIs(t, err, order.ErrRefundNotFound)
	assert.Equal(t, fault.NotFound, fault.KindOf(err))
}

func TestRejections_BecomeTheShopsFaults(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]*fault.Fault{
		"PARAM_ERROR": fault.ErrInvalidInput, "INVALID_REQUEST": fault.ErrInvalidInput,
		"APPID_MCHID_NOT_MATCH": fault.ErrUnavailable,
		"MCH_NOT_EXISTS":        fault.ErrUnavailable, "SIGN_ERROR": fault.ErrUnavailable,
		"NO_AUTH":           fault.ErrUnavailable,
		"FREQUENCY_LIMITED": fault.ErrUnavailable,
		"SYSTEM_ERROR":      fault.ErrUnknown, "SOMETHING_NEW": fault.ErrUnknown,
	} {
		_, err := newVendor(t).on(prepayRoute, answers(400, `{"code":"`+code+`","message":"m"}`)).pay().
			Prepay(t.Context(), prepayRequest())
		require.ErrorIs(t, err, want, code)
		assert.ErrorContains(t, err, code)
	}
}

func TestBrokenAnswer_IsUnknownForCommandsAndUnavailableForQueries(t *testing.T) {
	t.Parallel()
	signedWith := func(header, value string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			first().signHeaders(w.Header(), `{}`, 0)
			w.Header().Set(header, value)
			answers(200, `{}`)(w, r)
		}
	}
	broken := providertest.BrokenAnswers(t)
	maps.Copy(broken, map[string]http.HandlerFunc{
		"HTML with status 502": answers(502, "<html>"),
		"system error":         answers(500, `{"code":"SYSTEM_ERROR","message":"m"}`),
		"probe":                signedWith("Wechatpay-Signature", "WECHATPAY/SIGNTEST/abcd"),
		"wrong signature":      signedWith("Wechatpay-Signature", first().sign("1", "2", "3")),
		"unknown certificate":  signedWith("Wechatpay-Serial", "FFFF"),
		"unsigned":             signedWith("Wechatpay-Nonce", ""),
		"signed ten minutes ago": func(w http.ResponseWriter, r *http.Request) {
			first().signHeaders(w.Header(), `{}`, 10*time.Minute)
			answers(200, `{}`)(w, r)
		},
	})
	connect := func(t *testing.T, route string, answer http.HandlerFunc) *wechat.Pay {
		return newVendor(t).on(route, answer).pay()
	}
	providertest.TestBrokenAnswers(t, calls(), broken, apiv3Key, connect)
}

func TestNothingSent_IsUnavailableForAll(t *testing.T) {
	t.Parallel()
	notConnected := payAt(t, "http://"+providertest.ClosedAddress(t), nil)
	providertest.RequireUnavailable(t.Context(), t, calls(), notConnected)
	certificates := "GET " + host + "/v3/certificates"
	withoutCertificates := newVendor(t).on(certificates, answers(500, `{"code":"SYSTEM_ERROR","message":"m"}`)).pay()
	providertest.RequireUnavailable(t.Context(), t, calls(), withoutCertificates)
	providertest.RequireUnavailable(providertest.EndedContext(t), t, calls(), newVendor(t).pay())

	v := newVendor(t).on(closeRoute, answers(204, ""))
	// Without kept connections: a request written to a closing connection may have arrived, and is Unknown.
	withCertificates := payAt(t, v.server.URL, func(c *wechat.PayConfig) {
		c.HTTPClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	})
	require.NoError(t, withCertificates.Close(t.Context(), "n1-1"))
	v.server.Close()
	providertest.RequireUnavailable(t.Context(), t, calls(), withCertificates)
}

func TestCertificates_AreFetchedOnceAndAgainAfterARotation(t *testing.T) {
	t.Parallel()
	v := newVendor(t).on(closeRoute, answers(204, ""))
	p := v.pay()
	for range 3 {
		require.NoError(t, p.Close(t.Context(), "n1-1"))
	}
	assert.EqualValues(t, 1, v.downloads.Load())
	v.rotate(second(), first(), second())
	require.NoError(t, p.Close(t.Context(), "n1-1"))
	assert.EqualValues(t, 2, v.downloads.Load())
}

func TestNewPay_NamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	good := wechat.PayConfig{AppID: "a", MchID: "m", MchSerial: "s", NotifyURL: "u", APIv3Key: apiv3Key,
		MchPrivateKeyPEM: merchantPEM()}
	for name, change := range map[string]func(*wechat.PayConfig){
		"AppID": func(c *wechat.PayConfig) { c.AppID = "" }, "MchID": func(c *wechat.PayConfig) { c.MchID = "" },
		"MchSerial":        func(c *wechat.PayConfig) { c.MchSerial = "" },
		"NotifyURL":        func(c *wechat.PayConfig) { c.NotifyURL = "" },
		"APIv3Key":         func(c *wechat.PayConfig) { c.APIv3Key = "short" },
		"MchPrivateKeyPEM": func(c *wechat.PayConfig) { c.MchPrivateKeyPEM = "x" },
		"SimulatorURL":     func(c *wechat.PayConfig) { c.SimulatorURL = "127.0.0.1:9090" },
	} {
		cfg := good
		change(&cfg)
		_, err := wechat.NewPay(cfg)
		assert.ErrorContains(t, err, name)
	}
}
