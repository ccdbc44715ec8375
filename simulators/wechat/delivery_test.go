package wechat_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/wechat"
)

func TestNotify_ReorderedOnesOvertake(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.fault(t, faults.Fault{Operation: "notify", Do: "notify-reorder", Times: 1})
	r.paid(t, "ORDER-000001")
	r.paid(t, "ORDER-000002")
	list := r.shop.wait(t, 2)
	require.Equal(t, "ORDER-000002", list[0].content["out_trade_no"])
	require.Equal(t, "ORDER-000001", list[1].content["out_trade_no"])
	require.Eventually(t, func() bool {
		entries := r.journal.Entries(journal.Filter{Operation: "notify", Verdict: journal.Sent})
		return len(entries) == 2 && entries[0].Fault == "1 notify-reorder" && entries[1].Fault == ""
	}, 5*time.Second, time.Millisecond, "the journal says why")
	r.clock.Advance(time.Hour)
	r.shop.wait(t, 2)
}

func TestNotify_NothingToOvertakeItComesInTheEnd(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.fault(t, faults.Fault{Operation: "notify", Do: "notify-reorder", Times: 1, DelayS: 30})
	r.paid(t, "ORDER-000001")
	r.clock.Advance(29 * time.Second)
	r.shop.wait(t, 0)
	r.clock.Advance(time.Second)
	require.NoError(t, r.shop.wait(t, 1)[0].err)
}

func TestRotation_ANotifyUnderANewCertificateIsReadOnceItIsDownloaded(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.fault(t, faults.Fault{Operation: "notify", Do: "certificate-rotated", Times: 1})
	r.paid(t, "ORDER-000001")
	require.ErrorContains(t, r.shop.wait(t, 1)[0].err, "serial", "the merchant does not have the certificate")
	require.Eventually(t, func() bool {
		return len(r.journal.Entries(journal.Filter{Operation: "notify", Verdict: journal.Failed})) == 1
	}, 5*time.Second, time.Millisecond)
	r.sdk(t) // downloads the certificates again
	r.clock.Advance(15 * time.Second)
	require.NoError(t, r.shop.wait(t, 2)[1].err)
}

func TestRotation_AnAnswerUnderANewCertificate(t *testing.T) {
	t.Parallel()
	r := start(t)
	before := r.sdk(t)
	r.prepay(t, before, "ORDER-000001", 100)
	r.fault(t, faults.Fault{Operation: "query", Do: "certificate-rotated", Times: 1})
	query := jsapi.QueryOrderByOutTradeNoRequest{OutTradeNo: core.String("ORDER-000001"),
		Mchid: core.String(r.keys.MchID)}
	_, result, err := (&jsapi.JsapiApiService{Client: before}).QueryOrderByOutTradeNo(context.Background(), query)
	require.ErrorContains(t, err, "serial")
	require.Equal(t, http.StatusOK, result.Response.StatusCode)
	require.Equal(t, "NOTPAY", r.state(t, r.sdk(t), "ORDER-000001"),
		"a client that downloads the certificates again goes on")
}

func TestState_AnotherMerchantGetsTheTradesAndNoTokens(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	r.prepay(t, client, "ORDER-000001", 100)
	saved, err := json.Marshal(r.Save())
	require.NoError(t, err)
	var state wechat.State
	require.NoError(t, json.Unmarshal(saved, &state))
	own := func(c dataset.WeChatCredentials) *wechat.Simulator {
		return wechat.New(wechat.Config{Seed: 1, Clock: r.clock, Plan: faults.NewPlan(),
			Journal: journal.New(1, r.clock.Now), Credentials: c, PlatformKey: dataset.PlatformKeyPEM(),
			PublicKey: dataset.PublicKeyPairPEM()})
	}
	other := own(dataset.CredentialsOf(1, "other").WeChat)
	state.Tokens = map[string]time.Time{"87_" + wechat.TokenKey(r.keys.AppID) + "aaaa": time.Now().Add(time.Hour)}
	require.NoError(t, other.Load(state))
	require.Empty(t, other.Save().Tokens)
	require.Equal(t, dataset.CredentialsOf(1, "other").WeChat.MchID, other.Save().Trades[0].Order.MchID)
	same := own(r.keys)
	require.NoError(t, same.Load(state))
	require.Len(t, same.Save().Tokens, 1)
	again, err := json.Marshal(same.Save().Trades)
	require.NoError(t, err)
	before, err := json.Marshal(state.Trades)
	require.NoError(t, err)
	require.JSONEq(t, string(before), string(again))
}
