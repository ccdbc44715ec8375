//go:build pact

package consumer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pact-foundation/pact-go/v2/matchers"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/providers/wechat"
	"marquee/server/reconcile"
)

// pays is a successful call of Pay APIv3, rejectsPay one that is rejected.
func pays(state, what, method, path string, q query, body any, answer any) exchange {
	return exchange{
		state:         state,
		what:          what,
		method:        method,
		path:          path,
		query:         q,
		headers:       merchant(),
		json:          body,
		answerHeaders: vouched(),
		answer:        answer,
	}
}

func rejectsPay(state, what, method, path string, q query, body any, status int, code string) exchange {
	x := pays(state, what, method, path, q, body, fields{"code": code, "message": like("不行")})
	x.status, x.answerHeaders = status, nil
	return x
}

const prepayPath, refundPath = "/v3/pay/transactions/jsapi", "/v3/refund/domestic/refunds"

// of replaces the trade or refund in the path by the one that the state returns.
func of(x exchange) exchange {
	x.pathAs = strings.NewReplacer("n00001-1", "${outTradeNo}", "r00001", "${outRefundNo}").Replace(x.path)
	return x
}

func ourMerchant() query { return query{"mchid": fromState("mchid", "1900000001")} }

func prepayBody() fields {
	return fields{
		"appid": fromState("appid", "wx1"), "mchid": fromState("mchid", "1900000001"), "description": "长夜",
		"out_trade_no": fromState("outTradeNo", "n00001-1"),
		"time_expire":  fromState("expires", "2126-11-20T10:15:00+08:00"),
		"notify_url":   text("https://shop.example/notify/wechat/pay", `https?://.+`),
		"amount": fields{
			"total":    8400,
			"currency": "CNY",
		}, "payer": fields{"openid": fromState("openid", "oBuyer1")},
	}
}

func prepayRequest() order.PrepayRequest {
	return order.PrepayRequest{
		OutTradeNo: "n00001-1", Description: "长夜", Amount: 8400, OpenID: "oBuyer1",
		ExpiresAt: time.Date(2126, 11, 20, 2, 15, 0, 0, time.UTC),
	}
}

func TestWeChatPay_Prepay(t *testing.T) {
	p := newPlatform(t)
	prepaid := fields{"prepay_id": text("wx2011", `wx.+`)}
	for _, tt := range []struct{ state, what string }{{"a new payment", "a prepay"},
		{"an announced payment", "the same prepay again"}} {
		with(t, weChatName, func(base string) {
			params, err := p.pay(base).Prepay(t.Context(), prepayRequest())
			require.NoError(t, err)
			assert.Equal(t, "prepay_id=wx2011", params.Package)
		}, p.certificates(), pays(tt.state, tt.what, "POST", prepayPath, nil, prepayBody(), prepaid))
	}
	for _, tt := range []struct {
		state, what, code string
		status            int
		want              *fault.Fault
	}{
		{"a paid payment", "a prepay of what is paid", "ORDERPAID", 400, order.ErrAlreadyPaid},
		{"a closed payment", "a prepay of what is closed", "ORDER_CLOSED", 400, order.ErrTradeClosed},
		{"an appid of another merchant", "a prepay for another merchant's appid", "APPID_MCHID_NOT_MATCH", 400,
			fault.ErrUnavailable},
		{"a wrong signature", "a prepay with a wrong signature", "SIGN_ERROR", 401, fault.ErrUnavailable},
	} {
		with(t, weChatName, func(base string) {
			_, err := p.pay(base).Prepay(t.Context(), prepayRequest())
			assert.ErrorIs(t, err, tt.want)
		}, p.certificates(), rejectsPay(tt.state, tt.what, "POST", prepayPath, nil, prepayBody(), tt.status, tt.code))
	}
	const tradePath = "/v3/pay/transactions/out-trade-no/n00001-1"
	with(
		t,
		weChatName,
		func(base string) {
			_, err := p.pay(base).Prepay(t.Context(), prepayRequest())
			assert.ErrorIs(t, err, order.ErrTradeClosed)
		},
		p.certificates(),
		rejectsPay(
			"a payment of another amount",
			"a prepay under a used number",
			"POST",
			prepayPath,
			nil,
			prepayBody(),
			403,
			"OUT_TRADE_NO_USED",
		),
		of(
			pays(
				"a payment of another amount",
				"a query of a payment of another amount",
				"GET",
				tradePath,
				ourMerchant(),
				nil,
				trade("NOTPAY"),
			),
		),
	)
}

func trade(state string) fields {
	t := fields{
		"appid": like("wx1"), "mchid": like("1900000001"), "out_trade_no": fromState("outTradeNo", "n00001-1"),
		"trade_state": state, "trade_state_desc": like("状态"),
	}
	if state == "SUCCESS" {
		t["transaction_id"], t["trade_type"], t["success_time"] = text(
			"42",
			`\d+`,
		), "JSAPI", text(
			"2026-11-20T18:00:00+08:00",
			rfc3339,
		)
		t["payer"], t["amount"] = fields{"openid": like("oBuyer1")}, fields{"total": 8400}
	}
	return t
}

func TestWeChatPay_QueryAndClose(t *testing.T) {
	p := newPlatform(t)
	const path = "/v3/pay/transactions/out-trade-no/n00001-1"
	for state, tt := range map[string]struct {
		wire string
		want order.TradeState
	}{
		"an announced payment": {"NOTPAY", order.TradeUnpaid}, "a paid payment": {"SUCCESS", order.TradePaid},
		"a closed payment": {"CLOSED", order.TradeClosed},
	} {
		what := map[string]string{
			"NOTPAY": "a query of an unpaid payment", "SUCCESS": "a query of a paid payment",
			"CLOSED": "a query of a closed payment",
		}[tt.wire]
		with(t, weChatName, func(base string) {
			got, err := p.pay(base).Query(t.Context(), "n00001-1")
			require.NoError(t, err)
			assert.Equal(t, tt.want, got.State)
		}, p.certificates(), of(pays(state, what, "GET", path, ourMerchant(), nil, trade(tt.wire))))
	}
	const unknown = "/v3/pay/transactions/out-trade-no/unknown-1"
	with(t, weChatName, func(base string) {
		_, err := p.pay(base).Query(t.Context(), "unknown-1")
		assert.ErrorIs(t, err, order.ErrTradeNotFound)
	}, p.certificates(), rejectsPay(
		"no such thing", "a query of an unknown payment", "GET", unknown, ourMerchant(), nil, 404, "ORDER_NOT_EXIST"))

	body := fields{"mchid": fromState("mchid", "1900000001")}
	closed := of(pays("an announced payment", "a close", "POST", path+"/close", nil, body, nil))
	closed.status = 204
	with(
		t,
		weChatName,
		func(base string) { assert.NoError(t, p.pay(base).Close(t.Context(), "n00001-1")) },
		p.certificates(),
		closed,
	)
	with(t, weChatName, func(base string) {
		assert.ErrorIs(t, p.pay(base).Close(t.Context(), "n00001-1"), order.ErrAlreadyPaid)
	}, p.certificates(), of(rejectsPay(
		"a paid payment", "a close of what is paid", "POST", path+"/close", nil, body, 400, "ORDERPAID")))
	with(t, weChatName, func(base string) {
		assert.ErrorIs(t, p.pay(base).Close(t.Context(), "unknown-1"), order.ErrTradeNotFound)
	}, p.certificates(), rejectsPay(
		"no such thing", "a close of an unknown payment", "POST", unknown+"/close", nil, body, 404, "ORDER_NOT_EXIST"))
}

func refundAnswer(status any) fields {
	return fields{
		"refund_id":     text("50000000000000000000000000001", `\d+`),
		"out_refund_no": fromState("outRefundNo", "r00001"), "transaction_id": text("42", `\d+`),
		"out_trade_no": fromState("outTradeNo", "n00001-1"), "channel": like("ORIGINAL"),
		"user_received_account": like("支付用户零钱"),
		"create_time":           text("2026-11-20T18:00:00+08:00", rfc3339), "status": status,
		"amount": fields{
			"total": 8400, "refund": 4200, "payer_total": matchers.Integer(8400),
			"payer_refund": matchers.Integer(4200), "settlement_refund": matchers.Integer(4200),
			"settlement_total": matchers.Integer(8400), "discount_refund": matchers.Integer(0), "currency": "CNY",
		},
	}
}

func TestWeChatPay_Refund(t *testing.T) {
	p := newPlatform(t)
	request := order.RefundRequest{
		OutTradeNo:  "n00001-1",
		OutRefundNo: "r00001",
		Amount:      4200,
		Total:       8400,
		Reason:      "出票失败",
	}
	body := fields{
		"out_trade_no": fromState("outTradeNo", "n00001-1"), "out_refund_no": fromState("outRefundNo", "r00001"),
		"reason":     "出票失败",
		"notify_url": text("https://shop.example/notify/wechat/refund", `https?://.+`),
		"amount":     fields{"refund": 4200, "total": 8400, "currency": "CNY"},
	}
	for _, tt := range []struct{ state, what string }{
		{"a paid payment", "a refund"}, {"a refunded payment", "the same refund again"},
	} {
		with(t, weChatName, func(base string) {
			r, err := p.pay(base).Refund(t.Context(), request)
			require.NoError(t, err)
			assert.Equal(t, order.RefundProcessing, r.State)
			assert.EqualValues(t, 4200, r.Amount)
		}, p.certificates(), pays(
			tt.state, tt.what, "POST", refundPath, nil, body, refundAnswer(text("PROCESSING", "PROCESSING|SUCCESS"))))
	}
	with(t, weChatName, func(base string) {
		_, err := p.pay(base).Refund(t.Context(), request)
		assert.ErrorIs(t, err, fault.ErrInvalidInput)
	}, p.certificates(), rejectsPay("a payment refunded in part", "a refund of more than is left",
		"POST", refundPath, nil, body, 400, "INVALID_REQUEST"))
	with(t, weChatName, func(base string) {
		_, err := p.pay(base).Refund(t.Context(), request)
		assert.ErrorIs(t, err, order.ErrTradeNotFound)
	}, p.certificates(), rejectsPay("an announced payment", "a refund of what is unpaid",
		"POST", refundPath, nil, body, 404, "RESOURCE_NOT_EXISTS"))

	with(t, weChatName, func(base string) {
		r, err := p.pay(base).QueryRefund(t.Context(), "r00001")
		require.NoError(t, err)
		assert.Equal(t, order.RefundDone, r.State)
	}, p.certificates(), of(pays(
		"a refund that is done", "a query of a refund", "GET", refundPath+"/r00001", nil, nil,
		refundAnswer("SUCCESS"))))
	with(t, weChatName, func(base string) {
		_, err := p.pay(base).QueryRefund(t.Context(), "unknown")
		assert.ErrorIs(t, err, order.ErrRefundNotFound)
	}, p.certificates(), rejectsPay("no such thing", "a query of an unknown refund",
		"GET", refundPath+"/unknown", nil, nil, 404, "RESOURCE_NOT_EXISTS"))
}

// The answer to a request for a bill contains the address of the file, which is downloaded by a second call. The mock's
// file no longer exists.
func TestWeChatPay_Bills(t *testing.T) {
	p := newPlatform(t)
	const tradeBill, fundFlowBill = "/v3/bill/tradebill", "/v3/bill/fundflowbill"
	billQuery := func(key, value string) query {
		return query{
			"bill_date": fromState("billDate", "2026-11-20"), key: matchers.String(value),
			"tar_type": matchers.String("GZIP"),
		}
	}
	announced := fields{
		"hash_type": "SHA1", "hash_value": text("79bb0dac3f2a4c9a7bcf2a1ad92a9c2cbc8a1f65", `[0-9a-f]{40}`),
		"download_url": text(
			"https://api.mch.weixin.qq.com/v3/billdownload/file?token=ended",
			`https://[a-z0-9]+\.mch\.weixin\.qq\.com/v3/billdownload/file\?token=.+`,
		),
	}
	for _, bill := range []struct {
		name, path string
		query      query
		read       func(*wechat.Pay) reconcile.Statement
	}{
		{"trade bill", tradeBill, billQuery("bill_type", "ALL"),
			func(p *wechat.Pay) reconcile.Statement { return p.TradeBill }},
		{
			"fund flow bill", fundFlowBill, billQuery("account_type", "BASIC"),
			func(p *wechat.Pay) reconcile.Statement { return p.FundFlowBill },
		},
	} {
		read := func(base string) error {
			return bill.read(p.pay(base))(t.Context(), "2026-11-20", func(reconcile.Row) error { return nil })
		}
		with(t, weChatName, func(base string) {
			assert.ErrorIs(t, read(base), fault.ErrInvalidInput, "the file cannot be downloaded")
		}, p.certificates(),
			pays("a day with a payment", "the "+bill.name+" of a day", "GET", bill.path, bill.query, nil, announced),
			rejectsPay("no such thing", "the file of a "+bill.name+" whose link has ended", "GET",
				"/v3/billdownload/file", query{"token": matchers.String("ended")}, nil, 400, "INVALID_REQUEST"))
		with(t, weChatName, func(base string) {
			assert.ErrorIs(t, read(base), reconcile.ErrNone)
		}, p.certificates(), rejectsPay("a day without payments", "the "+bill.name+" of a day without payments", "GET",
			bill.path, bill.query, nil, 400, "NO_STATEMENT_EXIST"))
		with(t, weChatName, func(base string) {
			assert.ErrorIs(t, read(base), reconcile.ErrNotReady)
		}, p.certificates(),
			rejectsPay("a day whose bills are not made yet", "the "+bill.name+" of the day before", "GET",
				bill.path, bill.query, nil, 400, "STATEMENT_CREATING"))
	}
}
