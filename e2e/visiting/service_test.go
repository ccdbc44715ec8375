package visiting

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/simulators/faults"
)

// Customer service is one tap away from an order in each of its states, of tickets and of goods.
func TestService_OnEveryOrder(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := visiting(s, harness.WithCard(500_00), harness.WithIdentity(harness.BoundOpenID))
	issued := buyer.LockSomeSeats(harness.Legacy, 1)
	buyer.PayByCards(issued)
	buyer.AwaitState(issued, harness.Legacy.Issued)
	s.PlanFault(harness.NewMovie.Provider, "*", "issue-refused")
	refunded := buyer.LockSomeSeats(harness.NewMovie, 1)
	buyer.PayByCards(refunded)
	buyer.AwaitState(refunded, harness.NewMovie.Refunded)
	cancelled := buyer.LockSomeSeats(harness.Legacy, 1)
	buyer.Cancel(cancelled)
	pending := buyer.LockSomeSeats(harness.Legacy, 1)
	for _, order := range []string{issued, refunded, cancelled, pending} {
		visit.Open("/orderpage?id=" + order)
		visit.Order().OffersService()
	}
	// The shop sends a text with its orders, which can be expanded.
	visit.Order().ReadsTips()

	const music, calls, delivered, refundedGoods = "青鸟音乐豪华会员", "手机话费直充", 4, 7
	unpaid, bought := buyer.OrderGoods(music, ""), buyer.BuyGoods(music, "")
	given := buyer.OrderGoods(music, "")
	buyer.Cancel(given)
	rejected := buyer.BuyGoods(calls, "13800130000")
	buyer.AwaitCardOrder(bought, delivered)
	buyer.AwaitCardOrder(rejected, refundedGoods)
	for order, state := range map[string]string{
		unpaid: "待付款", bought: "已完成", given: "已取消", rejected: "已退款",
	} {
		visit.Open("/cardorderinfo?id=" + order)
		visit.CardOrder().HasState(state)
		visit.OffersService()
	}
	visit.Open("/personCenter")
	visit.Me().OffersService()
}

// Customer service is also offered while the tickets are being issued, and when they are overdue and the staff checks
// the order.
func TestService_WhenStuck(t *testing.T) {
	t.Parallel()
	pages.BothSources(t, func(t *testing.T, source harness.Source) {
		s := pages.NewStack(t)
		buyer, visit := visiting(s, harness.WithCard(500_00))
		order := buyer.LockSomeSeats(source, 1)
		s.FreezeClock()
		buyer.PayByCards(order)
		visit.Open("/orderpage?id=" + order)
		visit.Order().OffersService()
		visit.SeesNoText("系统正在核实")

		if source == harness.Legacy {
			s.PlanFaults(faults.Fault{Provider: source.Provider, Operation: "ticket.push", Do: "push-drop"})
		}
		s.PlanFaults(faults.Fault{
			Provider: source.Provider, Do: faults.Status,
			Operation: map[string]string{"legacy": "order.query", "newmovie": "order/query"}[source.Name],
		})
		buyer.AwaitOverdue(order)
		visit.SeesText("影院尚未确认出票，系统正在核实")
		visit.OffersService()
	})
}

// Every upcoming film has a button to buy, 预 售 in pre-sale and otherwise 购 票, and a button 想看.
func TestHome_ComingFilmsAreSoldAndWished(t *testing.T) {
	t.Parallel()
	h := home(t)
	h.Tab("即将上映")
	films := h.Films()
	var offers []string
	for _, film := range films {
		offers = append(offers, "想看 "+film)
	}
	require.Equal(t, offers, h.Wishes())
}

// A page that needs a login redirects to it, and the login returns to the same address. The login is a form in a
// browser, and the quick login in the messaging app. The web tests verify the redirect of every page.
func TestLogin_LeadsBack(t *testing.T) {
	t.Parallel()
	t.Run("by the form", func(t *testing.T) {
		t.Parallel()
		s := pages.NewStack(t)
		buyer := s.NewBuyer(harness.WithCard(500_00))
		order := buyer.LockSomeSeats(harness.Legacy, 1)
		visit := pages.PlainFor(s, buyer).As(nil)
		leadsBack(visit, "/paymentpage?order="+order, buyer)
		leadsBack(visit, "/cardinfo?cardid="+buyer.CardOf(buyer.Cards[0]).ID, buyer)
	})
	t.Run("by quick login", func(t *testing.T) {
		t.Parallel()
		s := pages.NewStack(t)
		visit := pages.InAppFor(s, s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))).As(nil)
		for _, address := range []string{
			s.Catalog.SeatPage(harness.Legacy), s.Catalog.SeatPage(harness.NewMovie), "/orderInfo?tabIndex=2",
		} {
			leadsBack(visit, address, &harness.Buyer{Phone: s.NewPhone()})
		}
	})
}

// leadsBack opens an address without a session, logs in, and requires that the address is open again.
func leadsBack(visit *pages.Visit, address string, visitor *harness.Buyer) {
	visit.Open(address)
	visit.PassLogin(visitor)
	visit.AtAddress(address)
	visit.Forget()
}
