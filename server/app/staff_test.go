package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestStaff_RefundsAnIssuedOrder finds an order of each source by its ticket code and refunds it. Like the real
// sources, the simulated ones have no API to cancel issued tickets.
func TestStaff_RefundsAnIssuedOrder(t *testing.T) {
	t.Parallel()
	b, _, poor := buyerWithCards(t, "13811110095")
	office, err := b.Shop.BackOffice("alice")
	require.NoError(t, err)
	for _, s := range sources {
		no := s.lock(b, 0)
		b.PayInApp(b.prepay(no, poor, ""), "pay")
		b.waitForStatus(no, s.issued)
		traced, err := office.Orders.Trace(t.Context(), no)
		require.NoError(t, err)
		for _, query := range []string{traced.Order.Tickets[0].Code, "13811110095"} {
			found, err := office.Orders.Find(t.Context(), query)
			require.NoError(t, err)
			require.Equal(t, no, found.Orders[0].No, query)
		}
		require.ErrorContains(t, office.Orders.Refund(t.Context(), no, "停映", false), "delivery_not_voided", s.name)
		require.NoError(t, office.Orders.Refund(t.Context(), no, "停映", true))
		b.Eventually("the refunds are done", func() bool {
			b.AdvanceClock(5 * time.Second)
			require.NoError(t, b.Shop.Purchase().Jobs.RunDue(t.Context()))
			return b.refundState(no) == "done,done"
		})
		status, body := b.order(no).Status, b.call("/Dyorder/show", params{"id": no})
		require.Equal(t, s.failed, status)
		for _, code := range traced.Order.Tickets {
			require.NotContains(t, string(body.Data), code.Code, "the page shows no code that is void")
		}
		traced, err = office.Orders.Trace(t.Context(), no)
		require.NoError(t, err)
		require.Regexp(t, `\torder\.revoked\tISSUED, void by the operator → 停映\tadmin:alice\t`, traced.String())
	}
	b.Verify()
}
