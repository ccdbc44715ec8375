package provider_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/providers/sms"
	"marquee/server/providers/transport"
	"marquee/server/providers/wechat"
	"marquee/simulators"
)

func payOf(t *testing.T, sims *simulators.Simulators, notifyURL string) *wechat.Pay {
	t.Helper()
	k := sims.Default().Credentials().WeChat
	p, err := wechat.NewPay(wechat.PayConfig{
		AppID: k.AppID, MchID: k.MchID, MchSerial: k.MchSerial, MchPrivateKeyPEM: k.MchPrivateKeyPEM,
		APIv3Key:  k.APIv3Key,
		NotifyURL: notifyURL + "/pay", RefundNotifyURL: notifyURL + "/refund", SimulatorURL: sims.URL(),
		Now: sims.Default().Clock().Now, Operations: transport.Operations{Limit: patience},
	})
	require.NoError(t, err)
	t.Cleanup(p.Stop)
	return p
}

// payOnPhone pays the trade that the parameters for the bridge contain, as a person does on the simulated phone.
func payOnPhone(t *testing.T, sims *simulators.Simulators, params order.BridgeParams) {
	t.Helper()
	body := fmt.Sprintf(`{"prepay_id":%q,"outcome":"pay"}`, strings.TrimPrefix(params.Package, "prepay_id="))
	resp, err := http.Post(sims.URL()+"/sim/v1/wechat/pay", "application/json", strings.NewReader(body))
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusOK, resp.StatusCode)
}

func TestAdapters_WeChatPay_FromPrepayToRefund(t *testing.T) {
	t.Parallel()
	sims := simulators.StartForTest(t)
	var pay *wechat.Pay
	var trade order.Trade
	var refund order.RefundNotice
	box, outcomes := newInbox(t, func(r *http.Request) (err error) {
		if r.URL.Path == "/pay" {
			trade, err = pay.ParseNotify(r.Context(), r)
		} else {
			refund, err = pay.ParseRefundNotify(r.Context(), r)
		}
		return err
	})
	pay = payOf(t, sims, box.URL)
	sims.Default().Clock().Advance(72 * time.Hour) // business time runs ahead; signatures remain valid
	announce := func(no string) order.BridgeParams {
		params, err := pay.Prepay(t.Context(), order.PrepayRequest{
			OutTradeNo: no, Description: "长夜", Amount: 8400, OpenID: "oMarqueeDemo_bound_0001",
			ExpiresAt: sims.Default().Clock().Now().Add(10 * time.Minute),
		})
		require.NoError(t, err)
		return params
	}
	params := announce("adapters-1")
	payOnPhone(t, sims, params)
	require.NoError(t, next(t, outcomes))
	assert.Equal(t, order.TradePaid, trade.State)
	assert.EqualValues(t, 8400, trade.Amount)
	queried, err := pay.Query(t.Context(), "adapters-1")
	require.NoError(t, err)
	assert.Equal(t, queried, trade)
	require.ErrorIs(t, pay.Close(t.Context(), "adapters-1"), order.ErrAlreadyPaid)

	failing(t, sims, "wechat", "refund", "act-then-reset")
	failing(t, sims, "wechat", "refund", "act-then-reset") // the same when the client repeats it at the backup host
	request := order.RefundRequest{
		OutTradeNo:  "adapters-1",
		OutRefundNo: "refund-1",
		Amount:      4200,
		Total:       8400,
		Reason:      "出票失败",
	}
	_, err = pay.Refund(t.Context(), request)
	require.Equal(t, fault.Unknown, fault.KindOf(err))
	again, err := pay.Refund(t.Context(), request)
	require.NoError(t, err)
	sims.Default().Clock().Advance(time.Minute)
	require.NoError(t, next(t, outcomes))
	assert.Equal(t, again.RefundID, refund.RefundID)
	assert.Equal(t, order.RefundDone, refund.State)
	assert.Equal(t, []string{trade.MchID, "adapters-1", trade.TransactionID},
		[]string{refund.MchID, refund.OutTradeNo, refund.TransactionID})

	announce("adapters-2")
	require.NoError(t, pay.Close(t.Context(), "adapters-2"))
	_, err = pay.Prepay(t.Context(), order.PrepayRequest{
		OutTradeNo: "adapters-2", Description: "长夜", Amount: 8400, OpenID: "oMarqueeDemo_bound_0001",
		ExpiresAt: sims.Default().Clock().Now().Add(10 * time.Minute),
	})
	require.ErrorIs(t, err, order.ErrTradeClosed)
}

func TestAdapters_WeChatPay_NotifiesThatAreNotToBeBelieved(t *testing.T) {
	t.Parallel()
	for _, do := range []string{"notify-bad-signature", "notify-wrong-key", "notify-stale"} {
		t.Run(do, func(t *testing.T) {
			t.Parallel()
			sims := simulators.StartForTest(t)
			var pay *wechat.Pay
			box, outcomes := newInbox(t, func(r *http.Request) error {
				_, err := pay.ParseNotify(r.Context(), r)
				return err
			})
			pay = payOf(t, sims, box.URL)
			failing(t, sims, "wechat", "notify", do)
			params, err := pay.Prepay(t.Context(), order.PrepayRequest{
				OutTradeNo: "adapters-1", Description: "长夜", Amount: 8400, OpenID: "oMarqueeDemo_bound_0001",
				ExpiresAt: sims.Default().Clock().Now().Add(10 * time.Minute),
			})
			require.NoError(t, err)
			payOnPhone(t, sims, params)
			require.ErrorIs(t, next(t, outcomes), order.ErrNotifyRejected)
			sims.Default().Clock().Advance(20 * time.Second)
			require.NoError(t, next(t, outcomes), "the vendor sends it again, properly signed")
		})
	}
}

func TestAdapters_WeChatPay_AnswersThatAreNotToBeBelieved(t *testing.T) {
	t.Parallel()
	sims := simulators.StartForTest(t)
	pay := payOf(t, sims, "https://shop.example")
	request := order.PrepayRequest{
		OutTradeNo: "adapters-1", Description: "长夜", Amount: 8400, OpenID: "oMarqueeDemo_bound_0001",
		ExpiresAt: sims.Default().Clock().Now().Add(10 * time.Minute),
	}
	failing(t, sims, "wechat", "prepay", "answer-bad-signature")
	_, err := pay.Prepay(t.Context(), request)
	require.Equal(t, fault.Unknown, fault.KindOf(err))
	_, err = pay.Prepay(t.Context(), request)
	require.NoError(t, err)
	failing(t, sims, "wechat", "query", "answer-bad-signature")
	_, err = pay.Query(t.Context(), "adapters-1")
	require.ErrorIs(t, err, fault.ErrBadAnswer)
}

func TestAdapters_SMS_AndLogin(t *testing.T) {
	t.Parallel()
	sims := simulators.StartForTest(t)
	k := sims.Default().Credentials()
	c, err := sms.New(sms.Config{
		AccessKeyID: k.SMS.AccessKeyID, AccessKeySecret: k.SMS.AccessKeySecret, SignName: k.SMS.SignName,
		TemplateCode: k.SMS.TemplateCode,
		SimulatorURL: sims.URL(), Operations: transport.Operations{Limit: patience},
	})
	require.NoError(t, err)
	require.NoError(t, c.SendCode(t.Context(), "13900000009", "482913"))
	require.ErrorIs(t, c.SendCode(t.Context(), "13900000009", "482913"), account.ErrSMSLimited)
	failing(t, sims, "sms", "send", "act-then-reset")
	require.Equal(t, fault.Unknown, fault.KindOf(c.SendCode(t.Context(), "13900000008", "482913")))

	a, err := wechat.NewAccount(
		wechat.AccountConfig{
			AppID:        k.WeChat.AppID,
			AppSecret:    k.WeChat.AppSecret,
			SimulatorURL: sims.URL(),
			Operations:   transport.Operations{Limit: patience},
		},
	)
	require.NoError(t, err)
	_, err = a.Exchange(t.Context(), "never-issued")
	require.ErrorIs(t, err, account.ErrOAuthCode)
	config, err := a.SignJS(t.Context(), "http://localhost/index#top")
	require.NoError(t, err)
	assert.Len(t, config.Signature, 40)
}
