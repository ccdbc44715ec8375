package wechat_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/journal"
	"marquee/simulators/wechat"
)

// announced creates a trade over HTTP and returns the status, the code and the prepay_id of the answer.
func (r *wechatServer) announced(t *testing.T, no string) (status int, code any, prepayID string) {
	t.Helper()
	status, answer := r.raw(t, http.MethodPost, "/v3/pay/transactions/jsapi",
		r.announcement(t, map[string]any{"out_trade_no": no}))
	prepayID, _ = answer["prepay_id"].(string)
	return status, answer["code"], prepayID
}

func (r *wechatServer) status(t *testing.T, target string) int {
	t.Helper()
	status, _ := r.raw(t, http.MethodGet, target, "")
	return status
}

func (r *wechatServer) tradeStatus(t *testing.T, no string) int {
	t.Helper()
	return r.status(t, "/v3/pay/transactions/out-trade-no/"+no+"?mchid="+r.keys.MchID)
}

// Unpaid trades are dropped to make room: first the closed ones, then those that can no longer be paid, then the
// others. Paid trades are kept with their refunds and bills; when only they remain, a prepay fails with SYSTEM_ERROR.
func TestPayments_APaidTradeIsNeverDropped(t *testing.T) {
	t.Parallel()
	r := startWith(t, func(c *wechat.Config) { c.MaxTrades = 20 })
	client := r.sdk(t)
	day := r.clock.Now().In(time.FixedZone("CST", 8*60*60)).Format(time.DateOnly)
	require.NoError(t, r.Pay(r.prepay(t, client, "PAID-000001", 100), "pay"))
	status, _ := r.raw(t, http.MethodPost, "/v3/refund/domestic/refunds", `{"out_trade_no":"PAID-000001",
		"out_refund_no":"REFUND-1","amount":{"refund":40,"total":100,"currency":"CNY"}}`)
	require.Equal(t, http.StatusOK, status)

	_, _, _ = r.announced(t, "OLD-000001")
	r.clock.Advance(3 * time.Hour) // OLD-000001 can no longer be paid
	_, _, open := r.announced(t, "OPEN-00001")
	for i := range 17 {
		_, _, _ = r.announced(t, fmt.Sprintf("CLOSED-%03d", i))
	}
	status, _ = r.raw(t, http.MethodPost, "/v3/pay/transactions/out-trade-no/CLOSED-016/close",
		`{"mchid":"`+r.keys.MchID+`"}`)
	require.Equal(t, http.StatusNoContent, status)
	status, _ = r.raw(t, http.MethodPost, "/v3/pay/transactions/out-trade-no/CLOSED-015/close",
		`{"mchid":"`+r.keys.MchID+`"}`)
	require.Equal(t, http.StatusNoContent, status)

	status, code, _ := r.announced(t, "NEXT-00001")
	require.Equal(t, http.StatusOK, status, code)
	for no, want := range map[string]int{"CLOSED-016": 404, "CLOSED-015": 404, "OLD-000001": 404, "OPEN-00001": 200,
		"CLOSED-000": 200, "PAID-000001": 200} {
		require.Equal(t, want, r.tradeStatus(t, no), no)
	}
	entry := r.journal.Entries(journal.Filter{Operation: "prepay", Limit: 1})[0]
	require.Equal(t, journal.OK, entry.Verdict)
	require.Contains(t, entry.Reason, "dropped 3 unpaid and closed trades, the first of them CLOSED-015: "+
		"the world keeps 20 trades (-max-trades)")
	require.NoError(t, r.Pay(open, "pay"), "a trade that was kept can be paid")

	// Ten times as many trades as the world keeps are created and not paid.
	for i := range 200 {
		status, code, _ = r.announced(t, fmt.Sprintf("MANY-%05d", i))
		require.Equal(t, http.StatusOK, status, code)
	}
	// Then others are paid until there is no room.
	paid := 2
	for i := 0; ; i++ {
		var id string
		no := fmt.Sprintf("FULL-%05d", i)
		if status, code, id = r.announced(t, no); status != http.StatusOK {
			break
		}
		require.NoError(t, r.Pay(id, "pay"))
		paid++
	}
	require.Equal(t, http.StatusInternalServerError, status)
	require.Equal(t, "SYSTEM_ERROR", code)
	require.Equal(t, 20, paid)
	entry = r.journal.Entries(journal.Filter{Operation: "prepay", Limit: 1})[0]
	require.Equal(t, journal.Rejected, entry.Verdict)
	require.Contains(t, entry.Reason, "the world keeps 20 paid trades, which is its limit (-max-trades)")

	for _, no := range []string{"PAID-000001", "OPEN-00001", "FULL-00000", "FULL-00017"} {
		require.Equal(t, http.StatusOK, r.tradeStatus(t, no), no)
	}
	require.Equal(t, http.StatusOK, r.status(t, "/v3/refund/domestic/refunds/REFUND-1"))
	r.clock.Advance(48 * time.Hour)
	require.Equal(t, http.StatusOK, r.status(t, "/v3/bill/tradebill?bill_date="+day))
	require.Equal(t, http.StatusOK, r.status(t, "/v3/bill/fundflowbill?bill_date="+day))
	_, answer := r.raw(t, http.MethodPost, "/v3/refund/domestic/refunds", `{"out_trade_no":"PAID-000001",
		"out_refund_no":"REFUND-2","amount":{"refund":60,"total":100,"currency":"CNY"}}`)
	require.Equal(t, "PROCESSING", answer["status"])
}
