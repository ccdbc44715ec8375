package wechat_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/order"
)

const refundNotify = `{"mchid":"1900000001","out_trade_no":"n1-1","transaction_id":"42","out_refund_no":"r1",
	"refund_id":"R1","refund_status":"SUCCESS",
	"success_time":"2026-11-20T18:00:00+08:00","user_received_account":"零钱","amount":{"total":8400,"refund":4200,
	"payer_total":8400,"payer_refund":4200}}`

// notified returns the body of a notify with plain encrypted in it.
func notified(t *testing.T, event, key, plain string) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{
		"id": "e1", "create_time": time.Now().Format(time.RFC3339), "event_type": event,
		"resource_type": "encrypt-resource", "summary": "s",
		"resource": encrypted(key, "transaction", plain),
	})
	require.NoError(t, err)
	return string(body)
}

func post(body string, sealedBy platform, ago time.Duration) *http.Request {
	r := httptest.NewRequest(http.MethodPost, "/notify/wechat/pay", strings.NewReader(body))
	sealedBy.signHeaders(r.Header, body, ago)
	return r
}

func TestParseNotify_PaymentAndRefund(t *testing.T) {
	t.Parallel()
	p := newVendor(t).pay()
	trade, err := p.ParseNotify(t.Context(), post(notified(t, "TRANSACTION.SUCCESS", apiv3Key, paidTrade), first(), 0))
	require.NoError(t, err)
	assert.Equal(t, order.Trade{
		OutTradeNo: "n1-1", TransactionID: "42", State: order.TradePaid, Amount: 8400, AppID: "wx1",
		MchID: "1900000001", OpenID: "o1",
		PaidAt: time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC),
	}, trade)
	dollars := strings.Replace(paidTrade, "CNY", "USD", 1)
	foreign, err := p.ParseNotify(t.Context(), post(notified(t, "TRANSACTION.SUCCESS", apiv3Key, dollars), first(), 0))
	require.NoError(t, err)
	assert.Equal(t, "USD", foreign.Currency, "the shop must see that it is not paid in yuan")
	refund, err := p.ParseRefundNotify(t.Context(), post(notified(t, "REFUND.SUCCESS", apiv3Key, refundNotify),
		first(), 0))
	require.NoError(t, err)
	assert.Equal(t, order.RefundNotice{
		RefundResult: order.RefundResult{OutRefundNo: "r1", RefundID: "R1", State: order.RefundDone, Amount: 4200,
			OutTradeNo: "n1-1", TransactionID: "42"},
		MchID: "1900000001",
	}, refund)
}

func TestParseNotify_RejectsWhatIsNotTheVendors(t *testing.T) {
	t.Parallel()
	good := notified(t, "TRANSACTION.SUCCESS", apiv3Key, paidTrade)
	with := func(change func(*http.Request)) *http.Request {
		r := post(good, first(), 0)
		change(r)
		return r
	}
	nonce := strings.Replace(good, "123456789012", "1", 1)
	for name, r := range map[string]*http.Request{
		"probe": with(func(r *http.Request) {
			r.Header.Set("Wechatpay-Signature", "WECHATPAY/SIGNTEST/"+r.Header.Get("Wechatpay-Signature"))
		}),
		"six minutes old":   post(good, first(), 6*time.Minute),
		"six minutes early": post(good, first(), -6*time.Minute),
		"another key": with(func(r *http.Request) {
			second().signHeaders(r.Header, good, 0)
			r.Header.Set("Wechatpay-Serial", first().serial)
		}),
		"unknown serial":     post(good, second(), 0),
		"another nonce":      with(func(r *http.Request) { r.Header.Set("Wechatpay-Nonce", "other") }),
		"no signature":       with(func(r *http.Request) { r.Header.Del("Wechatpay-Signature") }),
		"no timestamp":       with(func(r *http.Request) { r.Header.Del("Wechatpay-Timestamp") }),
		"changed body":       with(func(r *http.Request) { r.Body = http.NoBody }),
		"another APIv3 key":  post(notified(t, "TRANSACTION.SUCCESS", strings.Repeat("x", 32), paidTrade), first(), 0),
		"another event":      post(notified(t, "REFUND.SUCCESS", apiv3Key, paidTrade), first(), 0),
		"not a trade":        post(notified(t, "TRANSACTION.SUCCESS", apiv3Key, `{}`), first(), 0),
		"not JSON inside":    post(notified(t, "TRANSACTION.SUCCESS", apiv3Key, `x`), first(), 0),
		"not JSON":           post("x", first(), 0),
		"without resource":   post(`{"event_type":"TRANSACTION.SUCCESS"}`, first(), 0),
		"nonce of one byte":  post(nonce, first(), 0),
		"larger than 64 KiB": post(good+strings.Repeat(" ", 64<<10), first(), 0),
	} {
		_, err := newVendor(t).pay().ParseNotify(t.Context(), r)
		require.ErrorIs(t, err, order.ErrNotifyRejected, name)
		assert.Equal(t, fault.Forbidden, fault.KindOf(err), name)
	}
	for name, plain := range map[string]string{"another status": strings.Replace(refundNotify, "SUCCESS", "WHAT", 1),
		"no amount": strings.Replace(refundNotify, `"refund":4200`, `"refund":0`, 1)} {
		_, err := newVendor(t).pay().ParseRefundNotify(t.Context(), post(notified(t, "REFUND.SUCCESS", apiv3Key,
			plain), first(), 0))
		require.ErrorIs(t, err, order.ErrNotifyRejected, name)
	}
}

// Without certificates a notify cannot be verified. It is not rejected, so that the vendor sends it again.
func TestParseNotify_WithoutCertificatesIsUnavailable(t *testing.T) {
	t.Parallel()
	v := newVendor(t).on("GET "+host+"/v3/certificates", answers(503, ""))
	_, err := v.pay().ParseNotify(t.Context(), post(notified(t, "TRANSACTION.SUCCESS", apiv3Key, paidTrade), first(),
		0))
	require.ErrorIs(t, err, fault.ErrUnavailable)
}

func TestParseNotify_ForgedSerialsDoNotMakeUsDownloadWithoutEnd(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	p := v.pay()
	for range 5 {
		r := post(notified(t, "TRANSACTION.SUCCESS", apiv3Key, paidTrade), second(), 0)
		_, err := p.ParseNotify(t.Context(), r)
		require.ErrorIs(t, err, order.ErrNotifyRejected)
	}
	assert.EqualValues(t, 2, v.downloads.Load())
}
