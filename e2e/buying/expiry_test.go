package buying

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
)

// holdEnds is longer than any source holds seats.
const holdEnds = 16 * time.Minute

func TestExpired_PaidTooLate(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(plenty))
	visit := pages.PlainFor(s, buyer)
	pay := visit.PayFor(buyer.LockSomeSeats(harness.Legacy, 1))
	id := pay.Order()
	pay.UseCards(buyer.Cards...)
	pay.Pay()
	s.AdvanceClock(holdEnds)
	pay.TypePassword(harness.PaymentPassword)
	visit.SeesToast("订单过期")
	visit.At("/index")
	require.Equal(t, harness.Legacy.Expired, buyer.AwaitState(id, harness.Legacy.Expired).State)
	require.EqualValues(t, plenty, buyer.Points())
}

func TestExpired_TheCountdownEnds(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer()
	visit := pages.PlainFor(s, buyer)
	order := buyer.LockSomeSeats(harness.Legacy, 1)
	s.FreezeClock() // so that a few seconds are left, however long the page takes to load
	s.AdvanceClock(buyer.Order(order).Expires.Sub(s.Now()) - 6*time.Second)
	visit.PayFor(order)
	s.AdvanceClock(10 * time.Second)
	visit.SeesToast("订单过期")
	visit.At("/index")
	buyer.AwaitState(order, harness.Legacy.Expired)
}

// If seats are locked shortly before the sale stops, the payment page counts down to the stop of the sale. A page that
// is opened after it redirects.
func TestExpired_WithTheSale(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	show := s.Catalog.ShowingToday(harness.NewMovie)
	s.AdvanceClock(s.Catalog.UntilStart(show) - 19*time.Minute)
	buyer := s.NewBuyer(harness.WithCard(plenty))
	order := buyer.LockSeatsOf(show.Showing, 1)
	s.FreezeClock() // only after the lock, because a source may take a second of business time for it
	left := buyer.Order(order).Expires.Sub(s.Now())
	require.LessOrEqual(t, left, 4*time.Minute)
	s.AdvanceClock(left - 6*time.Second)
	visit := pages.PlainFor(s, buyer)
	visit.PayFor(order)
	s.AdvanceClock(6 * time.Second)
	visit.SeesToast("订单过期")
	visit.At("/index")
	visit.Open("/paymentpage?order=" + order)
	visit.SeesToast("订单过期")
	visit.At("/index")
}

func TestExpired_OpenedLater(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer()
	visit := pages.PlainFor(s, buyer)
	order := buyer.LockSomeSeats(harness.Legacy, 1)
	s.AdvanceClock(holdEnds)
	buyer.AwaitState(order, harness.Legacy.Expired)
	visit.Open("/paymentpage?order=" + order)
	visit.SeesToast("订单过期")
	visit.At("/index")
}

// For a buyer, the order of another buyer does not exist.
func TestPayment_ForeignOrder(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	order := s.NewBuyer().LockSomeSeats(harness.Legacy, 1)
	visit := pages.PlainFor(s, s.NewBuyer())
	visit.Open("/paymentpage?order=" + order)
	visit.SeesToast("订单已失效")
	visit.At("/index")
}

// After the seats are released, a payment on a pay sheet that is still open fails.
func TestExpired_WhileThePaySheetIsOpen(t *testing.T) {
	bySource(t, func(t *testing.T, s *harness.Stack, source harness.Source) {
		buyer, pay, sheet := atThePaySheet(s, source, harness.WithCard(little))
		id := pay.Order()
		s.AdvanceClock(holdEnds)
		sheet.ApprovePay()
		pay.SeesToast(map[string]string{"legacy": "订单已过期", "newmovie": "超时未付"}[source.Name])
		order := pay.Orders().Open()
		require.Equal(t, id, order.ID())
		buyer.AwaitState(id, source.Expired)
		require.EqualValues(t, little, buyer.Points())
	})
}
