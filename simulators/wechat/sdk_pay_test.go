package wechat_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/option"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/simulators/control"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/wechat"
)

// rejected asserts that the vendor's SDK got an error answer with a valid signature.
func rejected(t *testing.T, err error, status int, code string) *core.APIError {
	t.Helper()
	var api *core.APIError
	require.ErrorAs(t, err, &api)
	require.Equal(t, code, api.Code)
	require.Equal(t, status, api.StatusCode)
	require.NotEmpty(t, api.Message)
	return api
}

func TestSDK_PrepayPayNotifyQuery(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	id := r.prepay(t, client, "ORDER-000001", 8400)
	require.Equal(t, "NOTPAY", r.state(t, client, "ORDER-000001"))
	require.NoError(t, r.Pay(id, "pay"))

	got := r.shop.wait(t, 1)[0]
	require.NoError(t, got.err)
	require.Equal(t, "TRANSACTION.SUCCESS", got.event)
	require.Equal(t, "ORDER-000001", got.content["out_trade_no"])
	require.Equal(t, wechat.BoundOpenID, got.content["payer"].(map[string]any)["openid"])
	require.InDelta(t, 8400, got.content["amount"].(map[string]any)["total"], 0)

	service := &jsapi.JsapiApiService{Client: client}
	trade, _, err := service.QueryOrderById(context.Background(), jsapi.QueryOrderByIdRequest{
		TransactionId: core.String(got.content["transaction_id"].(string)), Mchid: core.String(r.keys.MchID),
	})
	require.NoError(t, err)
	require.Equal(t, "SUCCESS", *trade.TradeState)
	require.Equal(t, "attached", *trade.Attach)
	require.Equal(t, int64(8400), *trade.Amount.PayerTotal)
	_, err = time.Parse(time.RFC3339, *trade.SuccessTime)
	require.NoError(t, err)
}

func TestSDK_PrepayIsIdempotentAndStrict(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	service := &jsapi.JsapiApiService{Client: client}
	first := r.prepay(t, client, "ORDER-000001", 100)
	require.Equal(t, first, r.prepay(t, client, "ORDER-000001", 100))

	_, _, err := service.Prepay(context.Background(), r.order("ORDER-000001", 101))
	rejected(t, err, http.StatusForbidden, "OUT_TRADE_NO_USED")

	r.clock.Advance(2 * time.Hour)
	err = r.Pay(first, "pay")
	var end *control.Error
	require.ErrorAs(t, err, &end)
	require.Equal(t, "prepay_expired", end.Code)
	second := r.prepay(t, client, "ORDER-000001", 100)
	require.NotEqual(t, first, second, "a new prepay_id after two hours")
	require.NoError(t, r.Pay(second, "pay"))
	_, _, err = service.Prepay(context.Background(), r.order("ORDER-000001", 100))
	rejected(t, err, http.StatusBadRequest, "ORDERPAID")
	require.ErrorAs(t, r.Pay(second, "pay"), &end)
	require.Equal(t, "already_paid", end.Code)

	for name, row := range map[string]struct {
		change func(*jsapi.PrepayRequest)
		status int
		code   string
	}{
		"another app": {func(q *jsapi.PrepayRequest) { q.Appid = core.String("wx0000000000000000") }, 400,
			"APPID_MCHID_NOT_MATCH"},
		"another mchid": {func(q *jsapi.PrepayRequest) { q.Mchid = core.String("1900000000") }, 400, "PARAM_ERROR"},
		"no amount":     {func(q *jsapi.PrepayRequest) { q.Amount.Total = core.Int64(0) }, 400, "PARAM_ERROR"},
		"dollars": {func(q *jsapi.PrepayRequest) { q.Amount.Currency = core.String("USD") }, 400,
			"PARAM_ERROR"},
		"short number": {func(q *jsapi.PrepayRequest) { q.OutTradeNo = core.String("1") }, 400, "PARAM_ERROR"},
		"no openid":    {func(q *jsapi.PrepayRequest) { q.Payer.Openid = core.String("") }, 400, "PARAM_ERROR"},
		"notify to query": {func(q *jsapi.PrepayRequest) { q.NotifyUrl = core.String("https://shop/notify?a=1") },
			400, "PARAM_ERROR"},
		"expired": {func(q *jsapi.PrepayRequest) {
			q.TimeExpire = core.Time(time.Now().Add(-time.Second))
		}, 400, "INVALID_REQUEST"},
	} {
		q := r.order("ORDER-000002", 100)
		row.change(&q)
		_, _, err := service.Prepay(context.Background(), q)
		require.Error(t, err, name)
		rejected(t, err, row.status, row.code)
	}
}

func TestSDK_TimeExpireEndsPaymentAndNotTheOrder(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	r.clock.Advance(30 * 24 * time.Hour) // wire time stays real
	q := r.order("ORDER-000001", 100)
	q.TimeExpire = core.Time(time.Now().Add(15 * time.Minute))
	answer, _, err := (&jsapi.JsapiApiService{Client: client}).Prepay(context.Background(), q)
	require.NoError(t, err)
	r.clock.Advance(16 * time.Minute)
	var end *control.Error
	require.ErrorAs(t, r.Pay(*answer.PrepayId, "pay"), &end)
	require.Equal(t, "time_expired", end.Code)
	require.Equal(t, "NOTPAY", r.state(t, client, "ORDER-000001"))
}

func TestSDK_Close(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	service := &jsapi.JsapiApiService{Client: client}
	closing := func(no string) error {
		result, err := service.CloseOrder(context.Background(),
			jsapi.CloseOrderRequest{OutTradeNo: core.String(no), Mchid: core.String(r.keys.MchID)})
		if err == nil {
			require.Equal(t, http.StatusNoContent, result.Response.StatusCode)
		}
		return err
	}
	open := r.prepay(t, client, "ORDER-OPEN", 100)
	require.NoError(t, closing("ORDER-OPEN"))
	require.NoError(t, closing("ORDER-OPEN"), "closing twice")
	require.Equal(t, "CLOSED", r.state(t, client, "ORDER-OPEN"))
	var end *control.Error
	require.ErrorAs(t, r.Pay(open, "pay"), &end)
	require.Equal(t, "trade_closed", end.Code)
	_, _, err := service.Prepay(context.Background(), r.order("ORDER-OPEN", 100))
	rejected(t, err, http.StatusBadRequest, "ORDER_CLOSED")

	require.NoError(t, r.Pay(r.prepay(t, client, "ORDER-PAID", 100), "pay"))
	rejected(t, closing("ORDER-PAID"), http.StatusBadRequest, "ORDERPAID")
	rejected(t, closing("ORDER-UNKNOWN"), http.StatusNotFound, "ORDER_NOT_EXIST")
	_, _, err = service.QueryOrderByOutTradeNo(context.Background(), jsapi.QueryOrderByOutTradeNoRequest{
		OutTradeNo: core.String("ORDER-UNKNOWN"), Mchid: core.String(r.keys.MchID),
	})
	rejected(t, err, http.StatusNotFound, "ORDER_NOT_EXIST")
}

func TestSDK_WrongKeySerialAndMerchantAreRejected(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.sdk(t)
	right, err := utils.LoadPrivateKey(r.keys.MchPrivateKeyPEM)
	require.NoError(t, err)
	wrong, err := utils.LoadPrivateKey(wechat.OtherKeyPEM())
	require.NoError(t, err)
	call := func(o core.ClientOption) error {
		client, err := core.NewClient(context.Background(), o, option.WithoutValidator(),
			option.WithHTTPClient(r.client(t)))
		require.NoError(t, err)
		_, _, err = (&jsapi.JsapiApiService{Client: client}).Prepay(context.Background(), r.order("ORDER-000001", 100))
		return err
	}
	api := rejected(t, call(option.WithMerchantCredential(r.keys.MchID, r.keys.MchSerial, wrong)),
		http.StatusUnauthorized, "SIGN_ERROR")
	require.Contains(t, api.Body, "truncated_sign_message")
	entry := r.journal.Entries(journal.Filter{Verdict: journal.Rejected})[0]
	require.Contains(t, entry.Reason, "expected a signature over")
	require.Contains(t, entry.Reason, "POST\n/v3/pay/transactions/jsapi\n")

	rejected(t, call(option.WithMerchantCredential(r.keys.MchID, "00FF", right)), http.StatusUnauthorized, "SIGN_ERROR")
	rejected(t, call(option.WithMerchantCredential("1900000000", r.keys.MchSerial, right)), http.StatusNotFound,
		"MCH_NOT_EXISTS")
}

func TestSDK_RejectsAnAnswerWithABadSignature(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	r.fault(t, faults.Fault{Operation: "query", Do: "answer-bad-signature", Times: 1})
	r.prepay(t, client, "ORDER-000001", 100)
	query := func() error {
		_, _, err := (&jsapi.JsapiApiService{Client: client}).QueryOrderByOutTradeNo(context.Background(),
			jsapi.QueryOrderByOutTradeNoRequest{OutTradeNo: core.String("ORDER-000001"),
				Mchid: core.String(r.keys.MchID)})
		return err
	}
	err := query()
	require.Error(t, err)
	var api *core.APIError
	require.False(t, errors.As(err, &api), "the SDK refuses the signature and not the call")
	require.NoError(t, query())
}

func TestSDK_PlannedErrorsAreTheVendorsOwn(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	service := &jsapi.JsapiApiService{Client: client}
	for code, status := range map[string]int{"SYSTEM_ERROR": 500, "FREQUENCY_LIMITED": 429, "NO_AUTH": 403} {
		r.fault(t, faults.Fault{Operation: "prepay", Do: "error", Code: code, Message: "planned", Times: 1})
		_, _, err := service.Prepay(context.Background(), r.order("ORDER-000001", 100))
		rejected(t, err, status, code)
	}
	r.fault(t, faults.Fault{Operation: "prepay", Do: "act-then-reset", Times: 1})
	_, _, err := service.Prepay(context.Background(), r.order("ORDER-000001", 100))
	require.Error(t, err)
	require.Equal(t, "NOTPAY", r.state(t, client, "ORDER-000001"), "the vendor had acted")
}
