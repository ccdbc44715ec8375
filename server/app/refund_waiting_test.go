package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/backoffice"
	"marquee/simulators/faults"
)

// A refund that the gateway rejects is listed at once, with the gateway's code and what to do, and the trace of its
// order has the code. Once the cause is removed the shop refunds by itself, and the list is empty.
func TestBackOffice_ARejectedRefundWaitsWithTheGatewaysCode(t *testing.T) {
	t.Parallel()
	b, _ := buyerWithCard(t, "13811110312")
	b.http.ProveIdentity(b.token, openID)
	office, err := b.Shop.BackOffice("alice")
	require.NoError(t, err)
	no := lockLegacy(b, 0)
	b.PlanFaults(faults.Fault{Provider: "gateway", Operation: "*", Do: "issue-refused", Times: 1})
	b.PlanFaults(faults.Fault{Provider: "wechat", Operation: "refund", Do: faults.Error, Code: "NOT_ENOUGH"})
	b.PayInApp(b.prepay(no, "", ""), "pay")
	b.waitForStatus(no, "F")
	var waiting []backoffice.OrderToReview
	require.Eventually(t, func() bool {
		b.runDueJobs()
		waiting, err = office.Orders.ToReview(t.Context(), 100)
		return err != nil || len(waiting) > 0
	}, time.Minute, 20*time.Millisecond, "the clock does not move")
	require.NoError(t, err)
	require.Len(t, waiting, 1)
	require.Contains(t, waiting[0].String(), "refund_rejected (provider_unavailable NOT_ENOUGH): ")
	trace, err := office.Orders.Trace(t.Context(), no)
	require.NoError(t, err)
	require.Contains(t, trace.String(), "call.refund\trefused provider_unavailable NOT_ENOUGH\t")

	b.Sims.Default().Faults().Clear()
	require.Eventually(t, func() bool {
		b.AdvanceClock(time.Hour)
		b.runDueJobs()
		return b.refundState(no) == "done"
	}, time.Minute, 20*time.Millisecond)
	waiting, err = office.Orders.ToReview(t.Context(), 100)
	require.NoError(t, err)
	require.Empty(t, waiting)
}
