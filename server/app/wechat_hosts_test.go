package app_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/simulators/faults"
	"marquee/simulators/wechat"
)

// The main host of the payment provider fails from before the announcement of the payment on. Where it acts and does
// not answer, the backup host has the same trade.
func TestWeChatHosts_APurchaseWithoutTheMainHost(t *testing.T) {
	t.Parallel()
	for _, do := range []string{faults.Reset, faults.ActThenReset, faults.HTML, faults.Hang} {
		t.Run(do, func(t *testing.T) {
			t.Parallel()
			b := newShopWithKeys(t, bothKeys)
			b.PlanFaults(
				faults.Fault{Provider: "wechat", Operation: "*", Do: do, Host: wechat.PayHost},
				faults.Fault{Provider: "wechat", Operation: "notify", Do: "notify-drop"})
			no := sources[0].lock(b, 0)
			prepay := b.prepay(no, "", "")
			b.PayInApp(prepay, "pay")
			b.call("/movie/route/Movie/pay_success", params{"order_no": no})
			b.waitForStatus(no, sources[0].issued)
			require.Positive(t, b.FaultHits(do))
			require.Len(t, b.announcedTrades(), 1, "the announcement at both hosts is one trade")
		})
	}
}

// announcedTrades lists the numbers of the trades that were announced to the payment provider.
func (h *testShop) announcedTrades() (list []string) {
	h.T.Helper()
	var answer struct {
		Orders []struct {
			Kind, No string
		}
	}
	resp, err := h.HTTP.Get(h.Sims.URL() + "/sim/v1/orders?provider=wechat&kind=payment")
	require.NoError(h.T, err)
	defer func() { _ = resp.Body.Close() }()
	require.NoError(h.T, json.NewDecoder(resp.Body).Decode(&answer))
	for _, o := range answer.Orders {
		list = append(list, o.No)
	}
	return list
}
