package wechat_test

import (
	"context"
	"crypto/rsa"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/go-pay/gopay"
	"github.com/go-pay/gopay/pkg/xhttp"
	gopayv3 "github.com/go-pay/gopay/wechat/v3"
	"github.com/stretchr/testify/require"

	"marquee/simulators/faults"
	"marquee/simulators/wechat"
)

// gopay returns a client of the community's library gopay, with a transport that dials the simulator. The client
// verifies every answer with the certificate that it downloads first.
func (r *wechatServer) gopay(t *testing.T, mchID, serial, apiV3Key, key string) (*gopayv3.ClientV3, error) {
	t.Helper()
	target, err := url.Parse(r.server.URL)
	require.NoError(t, err)
	client, err := gopayv3.NewClientV3(mchID, serial, apiV3Key, key)
	require.NoError(t, err)
	client.SetHttpClient(xhttp.NewClient().SetTransport(vendor{target}).SetTimeout(5 * time.Second))
	newest, certificates, err := client.GetAndSelectNewestCertRSA()
	if err != nil {
		return nil, err
	}
	return client, client.AutoVerifySignByCert([]byte(certificates[newest]), newest)
}

func (r *wechatServer) rightGopay(t *testing.T) *gopayv3.ClientV3 {
	t.Helper()
	client, err := r.gopay(t, r.keys.MchID, r.keys.MchSerial, r.keys.APIv3Key, r.keys.MchPrivateKeyPEM)
	require.NoError(t, err)
	return client
}

func (r *wechatServer) gopayOrder(no string, fen int64, notify string) gopay.BodyMap {
	order := gopay.BodyMap{}
	order.Set("appid", r.keys.AppID).Set("mchid", r.keys.MchID).Set("description", "两张电影票").Set("out_trade_no",
		no).Set("notify_url", notify).
		SetBodyMap("amount", func(b gopay.BodyMap) { b.Set("total", fen).Set("currency", "CNY") }).
		SetBodyMap("payer", func(b gopay.BodyMap) { b.Set("openid", wechat.BoundOpenID) })
	return order
}

// gopayNotifies receives notifications, which gopay parses.
type gopayNotifies struct {
	*httptest.Server
	came chan *gopayv3.V3NotifyReq
}

func newGopayNotifies(t *testing.T) gopayNotifies {
	t.Helper()
	n := gopayNotifies{came: make(chan *gopayv3.V3NotifyReq, 10)}
	n.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		parsed, err := gopayv3.V3ParseNotify(r)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		n.came <- parsed
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(n.Close)
	return n
}

func (n gopayNotifies) next(t *testing.T) *gopayv3.V3NotifyReq {
	t.Helper()
	select {
	case parsed := <-n.came:
		return parsed
	case <-time.After(5 * time.Second):
		t.Fatal("no notify came")
		return nil
	}
}

func TestGopay_PrepayPayNotifyQueryRefundClose(t *testing.T) {
	t.Parallel()
	r := start(t)
	client, ctx, shop := r.rightGopay(t), context.Background(), newGopayNotifies(t)
	announced, err := client.V3TransactionJsapi(ctx, r.gopayOrder("GOPAY-0001", 8400, shop.URL))
	require.NoError(t, err, "the answer's signature holds")
	require.Equal(t, gopayv3.Success, announced.Code, announced.Error)
	sheet, err := client.PaySignOfJSAPI(r.keys.AppID, announced.Response.PrepayId)
	require.NoError(t, err)
	require.Equal(t, "RSA", sheet.SignType)
	require.NoError(t, r.Pay(announced.Response.PrepayId, "pay"))

	paid := shop.next(t)
	require.Equal(t, "TRANSACTION.SUCCESS", paid.EventType)
	require.NoError(t, paid.VerifySignByPKMap(client.WxPublicKeyMap()))
	trade, err := paid.DecryptPayCipherText(r.keys.APIv3Key)
	require.NoError(t, err)
	require.Equal(t, "GOPAY-0001", trade.OutTradeNo)
	require.Equal(t, 8400, trade.Amount.Total)
	require.Equal(t, wechat.BoundOpenID, trade.Payer.Openid)
	_, err = paid.DecryptPayCipherText("00000000000000000000000000000000")
	require.Error(t, err, "another APIv3 key opens nothing")

	for kind, no := range map[gopayv3.OrderNoType]string{gopayv3.OutTradeNo: "GOPAY-0001",
		gopayv3.TransactionId: trade.TransactionId} {
		found, err := client.V3TransactionQueryOrder(ctx, kind, no)
		require.NoError(t, err)
		require.Equal(t, gopayv3.Success, found.Code, found.Error)
		require.Equal(t, "SUCCESS", found.Response.TradeState)
		require.Equal(t, trade.TransactionId, found.Response.TransactionId)
	}

	refund := gopay.BodyMap{}
	refund.Set("transaction_id", trade.TransactionId).Set("out_refund_no", "GOPAY-R1").Set("reason",
		"出票失败").Set("notify_url", shop.URL).
		SetBodyMap("amount", func(b gopay.BodyMap) { b.Set("refund", 8400).Set("total", 8400).Set("currency", "CNY") })
	asked, err := client.V3Refund(ctx, refund)
	require.NoError(t, err)
	require.Equal(t, gopayv3.Success, asked.Code, asked.Error)
	require.Equal(t, "PROCESSING", asked.Response.Status)
	r.clock.Advance(6 * time.Second)
	back := shop.next(t)
	require.Equal(t, "REFUND.SUCCESS", back.EventType)
	require.NoError(t, back.VerifySignByPKMap(client.WxPublicKeyMap()))
	settled, err := back.DecryptRefundCipherText(r.keys.APIv3Key)
	require.NoError(t, err)
	require.Equal(t, "SUCCESS", settled.RefundStatus)
	require.Equal(t, 8400, settled.Amount.Refund)
	found, err := client.V3RefundQuery(ctx, "GOPAY-R1", nil)
	require.NoError(t, err)
	require.Equal(t, "SUCCESS", found.Response.Status)

	_, err = client.V3TransactionJsapi(ctx, r.gopayOrder("GOPAY-0002", 100, shop.URL))
	require.NoError(t, err)
	closed, err := client.V3TransactionCloseOrder(ctx, "GOPAY-0002")
	require.NoError(t, err, "a 204 is signed too")
	require.Equal(t, gopayv3.Success, closed.Code, closed.Error)
}

func TestGopay_RejectionsHaveTheVendorsCodes(t *testing.T) {
	t.Parallel()
	r := start(t)
	client, ctx := r.rightGopay(t), context.Background()
	no := func(code int, answered gopayv3.ErrResponse, status int, want string) {
		t.Helper()
		require.Equal(t, status, code)
		require.Equal(t, want, answered.Code)
		require.NotEmpty(t, answered.Message)
	}
	unknown, err := client.V3TransactionQueryOrder(ctx, gopayv3.OutTradeNo, "GOPAY-NONE")
	require.NoError(t, err)
	no(unknown.Code, unknown.ErrResponse, http.StatusNotFound, "ORDER_NOT_EXIST")
	zero, err := client.V3TransactionJsapi(ctx, r.gopayOrder("GOPAY-0001", 0, r.shop.URL))
	require.NoError(t, err)
	no(zero.Code, zero.ErrResponse, http.StatusBadRequest, "PARAM_ERROR")
	require.NotEmpty(t, zero.ErrResponse.Detail.Field)
	_, err = client.V3TransactionJsapi(ctx, r.gopayOrder("GOPAY-0001", 100, r.shop.URL))
	require.NoError(t, err)
	other, err := client.V3TransactionJsapi(ctx, r.gopayOrder("GOPAY-0001", 101, r.shop.URL))
	require.NoError(t, err)
	no(other.Code, other.ErrResponse, http.StatusForbidden, "OUT_TRADE_NO_USED")
	refund := gopay.BodyMap{}
	refund.Set("out_trade_no", "GOPAY-0001").Set("out_refund_no", "R1").
		SetBodyMap("amount", func(b gopay.BodyMap) { b.Set("refund", 100).Set("total", 100).Set("currency", "CNY") })
	unpaid, err := client.V3Refund(ctx, refund)
	require.NoError(t, err)
	no(unpaid.Code, unpaid.ErrResponse, http.StatusNotFound, "RESOURCE_NOT_EXISTS")
	r.fault(t, faults.Fault{Operation: "query", Do: "error", Code: "FREQUENCY_LIMITED", Message: "planned", Times: 1})
	busy, err := client.V3TransactionQueryOrder(ctx, gopayv3.OutTradeNo, "GOPAY-0001")
	require.NoError(t, err)
	no(busy.Code, busy.ErrResponse, http.StatusTooManyRequests, "FREQUENCY_LIMITED")
}

func TestGopay_WrongKeysAndBadSignatures(t *testing.T) {
	t.Parallel()
	r := start(t)
	_, err := r.gopay(t, r.keys.MchID, r.keys.MchSerial, r.keys.APIv3Key, wechat.OtherKeyPEM())
	require.ErrorContains(t, err, "SIGN_ERROR")
	_, err = r.gopay(t, r.keys.MchID, "00FF", r.keys.APIv3Key, r.keys.MchPrivateKeyPEM)
	require.ErrorContains(t, err, "SIGN_ERROR")
	_, err = r.gopay(t, "1900000000", r.keys.MchSerial, r.keys.APIv3Key, r.keys.MchPrivateKeyPEM)
	require.ErrorContains(t, err, "MCH_NOT_EXISTS")
	_, err = r.gopay(t, r.keys.MchID, r.keys.MchSerial, "00000000000000000000000000000000", r.keys.MchPrivateKeyPEM)
	require.Error(t, err, "the certificates are encrypted with the right APIv3 key")

	client, ctx, shop := r.rightGopay(t), context.Background(), newGopayNotifies(t)
	announced, err := client.V3TransactionJsapi(ctx, r.gopayOrder("GOPAY-0001", 100, shop.URL))
	require.NoError(t, err)
	r.fault(t, faults.Fault{Operation: "query", Do: "answer-bad-signature", Times: 1})
	_, err = client.V3TransactionQueryOrder(ctx, gopayv3.OutTradeNo, "GOPAY-0001")
	require.ErrorIs(t, err, gopay.VerifySignatureErr)

	r.fault(t, faults.Fault{Operation: "notify", Do: "notify-bad-signature", Times: 1})
	r.fault(t, faults.Fault{Operation: "notify", Do: "notify-wrong-key", Times: 1})
	require.NoError(t, r.Pay(announced.Response.PrepayId, "pay"))
	keys := map[string]*rsa.PublicKey{}
	for serial, key := range client.WxPublicKeyMap() {
		keys[serial] = key
	}
	for range 2 {
		require.ErrorIs(t, shop.next(t).VerifySignByPKMap(keys), gopay.VerifySignatureErr)
		r.clock.Advance(time.Minute)
	}
	require.NoError(t, shop.next(t).VerifySignByPKMap(keys), "then the good one comes")
}
