package wechat_test

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/simulators/control"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/wechat"
)

// paid announces and pays one order.
func (r *wechatServer) paid(t *testing.T, no string) {
	t.Helper()
	require.NoError(t, r.Pay(r.prepay(t, r.sdk(t), no, 100), "pay"))
}

func TestNotify_FollowsTheLadderOnTheBusinessClock(t *testing.T) {
	t.Parallel()
	r := start(t)
	rejections := make([]int, 15)
	for i := range rejections {
		rejections[i] = http.StatusInternalServerError
	}
	r.shop.answers(rejections...)
	r.paid(t, "ORDER-000001")
	steps := []time.Duration{
		15 * time.Second, 15 * time.Second, 30 * time.Second, 3 * time.Minute, 10 * time.Minute, 20 * time.Minute,
		30 * time.Minute, 30 * time.Minute,
		30 * time.Minute, time.Hour, 3 * time.Hour, 3 * time.Hour, 3 * time.Hour, 6 * time.Hour, 6 * time.Hour,
	}
	for i, step := range steps {
		r.shop.wait(t, i+1)
		r.clock.Advance(step - 2*time.Second)
		require.Len(t, r.shop.wait(t, i+1), i+1, "not before its time")
		r.clock.Advance(2 * time.Second)
	}
	for _, n := range r.shop.wait(t, 16) {
		require.NoError(t, n.err, "every attempt is fresh on the wire")
		require.Equal(t, "ORDER-000001", n.content["out_trade_no"])
	}
	r.clock.Advance(48 * time.Hour)
	r.shop.wait(t, 16)
}

func TestNotify_CatchesUpWhenTheClockJumps(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.shop.answers(500, 500, 500)
	r.paid(t, "ORDER-000001")
	r.shop.wait(t, 1)
	require.Eventually(t, func() bool { // the attempt must be recorded before the clock jumps over the next
		return len(r.journal.Entries(journal.Filter{Operation: "notify", Verdict: journal.Failed})) == 1
	}, time.Second, time.Millisecond)
	r.clock.Advance(time.Hour)
	r.shop.wait(t, 4)
}

func TestNotify_StopsWhenReceived(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusOK, http.StatusNoContent} {
		r := start(t)
		r.shop.answers(status)
		r.paid(t, "ORDER-000001")
		r.shop.wait(t, 1)
		require.Eventually(t, func() bool {
			return len(r.journal.Entries(journal.Filter{Operation: "notify", Verdict: journal.Sent})) == 1
		}, time.Second, time.Millisecond)
		r.clock.Advance(24 * time.Hour)
		r.shop.wait(t, 1)
	}
}

func TestNotify_Faults(t *testing.T) {
	t.Parallel()
	for do, problem := range map[string]string{
		"notify-bad-signature": "verif",
		"notify-wrong-key":     "verif",
		"notify-stale":         "expires",
	} {
		t.Run(do, func(t *testing.T) {
			t.Parallel()
			r := start(t)
			r.fault(t, faults.Fault{Operation: "notify", Do: do, Times: 1})
			r.paid(t, "ORDER-000001")
			first := r.shop.wait(t, 1)[0]
			require.ErrorContains(t, first.err, problem, "the vendor's SDK refuses it")
			require.Eventually(t,
				func() bool {
					return len(r.journal.Entries(journal.Filter{Operation: "notify"})) == 1
				}, time.Second, time.Millisecond)
			r.clock.Advance(15 * time.Second)
			require.NoError(t, r.shop.wait(t, 2)[1].err, "the good one follows")
		})
	}
}

// A journal entry has all the data that a receiver needs to verify a notification.
func TestNotify_TheJournalHasWhatWasSentAndWhatIsSigned(t *testing.T) {
	t.Parallel()
	for do, fits := range map[string]bool{"": true, "notify-stale": true, "notify-wrong-key": false,
		"notify-bad-signature": false} {
		t.Run(do, func(t *testing.T) {
			t.Parallel()
			r := start(t)
			if do != "" {
				r.fault(t, faults.Fault{Operation: "notify", Do: do, Times: 1})
			}
			r.paid(t, "ORDER-000001")
			r.shop.wait(t, 1)
			entries := []journal.Entry{}
			require.Eventually(t, func() bool {
				entries = r.journal.Entries(journal.Filter{Operation: "notify"})
				return len(entries) == 1
			}, 5*time.Second, time.Millisecond)
			sent := entries[0].Delivery
			require.NotNil(t, sent)
			require.Equal(t, sent.KeyID, sent.Headers["Wechatpay-Serial"])
			require.Equal(t, sent.Headers["Wechatpay-Timestamp"]+"\n"+sent.Headers["Wechatpay-Nonce"]+"\n"+sent.Body+"\n",
				sent.Over)
			require.Equal(t, "application/json", sent.Headers["Content-Type"])
			list, _, _ := r.download(t, "")
			require.Equal(t, list[0].serial, sent.KeyID)
			signature, err := base64.StdEncoding.DecodeString(sent.Headers["Wechatpay-Signature"])
			verified := false
			if err == nil {
				sum := sha256.Sum256([]byte(sent.Over))
				key, ok := list[0].opened.PublicKey.(*rsa.PublicKey)
				require.True(t, ok)
				verified = rsa.VerifyPKCS1v15(key, crypto.SHA256, sum[:], signature) == nil
			}
			require.Equal(t, fits, verified)
			var event struct {
				Resource struct {
					Ciphertext string `json:"ciphertext"`
					Nonce      string `json:"nonce"`
					Associated string `json:"associated_data"`
				} `json:"resource"`
			}
			require.NoError(t, json.Unmarshal([]byte(sent.Body), &event))
			plain, err := utils.DecryptAES256GCM(r.keys.APIv3Key, event.Resource.Associated, event.Resource.Nonce,
				event.Resource.Ciphertext)
			require.NoError(t, err)
			require.JSONEq(t, entries[0].Request, plain, "the entry's request is the content in clear")
		})
	}
	r := start(t)
	r.fault(t, faults.Fault{Operation: "notify", Do: "notify-drop", Times: 1})
	client := r.sdk(t)
	require.NoError(t, r.Pay(r.prepay(t, client, "ORDER-000001", 100), "pay"))
	require.Eventually(t, func() bool { return len(r.journal.Entries(journal.Filter{Operation: "notify"})) == 1 },
		5*time.Second, time.Millisecond)
	require.Nil(t, r.journal.Entries(journal.Filter{Operation: "notify"})[0].Delivery, "nothing was sent")
}

func TestNotify_WrongAmountIsSignedAndTheTruthFollows(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.fault(t, faults.Fault{Operation: "notify", Do: "notify-wrong-amount", Times: 1})
	r.paid(t, "ORDER-000001")
	first := r.shop.wait(t, 1)[0]
	require.NoError(t, first.err)
	require.InDelta(t, 101, first.content["amount"].(map[string]any)["total"], 0)
	require.Eventually(t, func() bool { return len(r.journal.Entries(journal.Filter{Operation: "notify"})) == 1 },
		time.Second, time.Millisecond)
	r.clock.Advance(15 * time.Second)
	require.InDelta(t, 100, r.shop.wait(t, 2)[1].content["amount"].(map[string]any)["total"], 0)
}

func TestNotify_DropDelayDuplicate(t *testing.T) {
	t.Parallel()
	t.Run("dropped for good", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		client := r.sdk(t)
		r.fault(t, faults.Fault{Operation: "notify", Do: "notify-drop"})
		require.NoError(t, r.Pay(r.prepay(t, client, "ORDER-000001", 100), "pay"))
		require.Eventually(t, func() bool {
			r.clock.Advance(6 * time.Hour)
			return len(r.journal.Entries(journal.Filter{Operation: "notify"})) == 16
		}, 5*time.Second, time.Millisecond)
		r.shop.wait(t, 0)
		require.Equal(t, "SUCCESS", r.state(t, client, "ORDER-000001"), "found by query")
	})
	t.Run("delayed", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		r.fault(t, faults.Fault{Operation: "notify", Do: "notify-delay", DelayS: 600, Times: 1})
		r.paid(t, "ORDER-000001")
		r.clock.Advance(9 * time.Minute)
		r.shop.wait(t, 0)
		r.clock.Advance(time.Minute)
		require.NoError(t, r.shop.wait(t, 1)[0].err)
	})
	t.Run("doubled", func(t *testing.T) {
		t.Parallel()
		r := start(t)
		r.fault(t, faults.Fault{Operation: "notify", Do: "notify-duplicate", Times: 1})
		r.paid(t, "ORDER-000001")
		for _, n := range r.shop.wait(t, 2) {
			require.NoError(t, n.err)
		}
	})
}

func TestPay_OutcomesAndBridgeFaults(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	id := r.prepay(t, client, "ORDER-000001", 100)
	require.NoError(t, r.Pay(id, "cancel"))
	require.NoError(t, r.Pay(id, "fail"))
	for _, do := range []string{"bridge-fail", "bridge-ok-unpaid"} {
		r.fault(t, faults.Fault{Operation: "pay", Do: do, Times: 1})
		require.NoError(t, r.Pay(id, "pay"))
		require.Equal(t, "NOTPAY", r.state(t, client, "ORDER-000001"), do)
	}
	r.fault(t, faults.Fault{Operation: "pay", Do: "bridge-cancel-after-pay", Times: 1})
	require.NoError(t, r.Pay(id, "pay"))
	require.Equal(t, "SUCCESS", r.state(t, client, "ORDER-000001"))
	require.Equal(t, "get_brand_wcpay_request:cancel", r.journal.Entries(journal.Filter{Operation: "pay"})[0].Answer)

	var end *control.Error
	require.ErrorAs(t, r.Pay("wx0", "pay"), &end)
	require.Equal(t, http.StatusNotFound, end.Status)
	require.ErrorAs(t, r.Pay(id, "steal"), &end)
	require.Equal(t, http.StatusBadRequest, end.Status)
}

func TestPay_MagicAmountsAndTheBuyerWithoutMoney(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	require.NoError(t, r.Pay(r.prepay(t, client, "ORDER-CANCEL", wechat.AmountCancelAfterPay), "pay"))
	require.Equal(t, "SUCCESS", r.state(t, client, "ORDER-CANCEL"))
	require.Equal(t, "get_brand_wcpay_request:cancel", r.journal.Entries(journal.Filter{Operation: "pay"})[0].Answer)

	poor := r.order("ORDER-POOR", 100)
	poor.Payer.Openid = ptr(wechat.PoorOpenID)
	id := r.prepayOrder(t, client, poor)
	var end *control.Error
	require.ErrorAs(t, r.Pay(id, "pay"), &end)
	require.Equal(t, "balance_insufficient", end.Code)
}

func ptr[T any](v T) *T { return &v }

func TestNotify_AnotherAPIv3KeyOpensNothing(t *testing.T) {
	t.Parallel()
	r := start(t)
	client := r.sdk(t)
	right := r.keys.APIv3Key
	r.keys.APIv3Key = strings.Repeat("0", 32)
	r.shop.rearm(r.keys.APIv3Key)
	require.NoError(t, r.Pay(r.prepay(t, client, "ORDER-000001", 100), "pay"))
	first := r.shop.wait(t, 1)[0]
	require.Error(t, first.err, "the signature holds, the content stays shut")
	require.ErrorContains(t, first.err, "decrypt")
	r.shop.rearm(right)
	r.clock.Advance(15 * time.Second)
	second := r.shop.wait(t, 2)[1]
	require.NoError(t, second.err, "what was rejected comes again")
	require.Equal(t, "ORDER-000001", second.content["out_trade_no"])
}
