package visiting

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// Customer service is one tap away from an order in each of its states, of tickets and of goods.
func TestService_OnEveryOrder(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := visiting(s, harness.WithCard(500_00), harness.WithIdentity(harness.BoundOpenID))
	issued := buyer.LockSomeSeats(harness.Legacy, 1)
	buyer.PayByCards(issued)
	buyer.Reaches(issued, harness.Legacy.Issued)
	s.PlanFault(harness.NewMovie.Provider, "*", "issue-refused")
	refunded := buyer.LockSomeSeats(harness.NewMovie, 1)
	buyer.PayByCards(refunded)
	buyer.Reaches(refunded, harness.NewMovie.Refunded)
	cancelled := buyer.LockSomeSeats(harness.Legacy, 1)
	buyer.Cancel(cancelled)
	pending := buyer.LockSomeSeats(harness.Legacy, 1)
	for _, order := range []string{issued, refunded, cancelled, pending} {
		visit.Open("/orderpage?id=" + order)
		visit.Order().OffersService()
	}
	// The shop sends a text with its orders, which can be unfolded.
	visit.Order().ReadsTips()

	visit.Open("/cardorderinfo?id=" + buyer.OrderGoods("青鸟音乐豪华会员", ""))
	visit.CardOrder().OffersService()
	visit.Open("/personCenter")
	visit.Me().OffersService()
}

// It is also offered while the tickets are not there yet.
func TestService_WhenStuck(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := visiting(s, harness.WithCard(500_00))
	order := buyer.LockSomeSeats(harness.Legacy, 1)
	s.FreezeClock()
	buyer.PayByCards(order)
	visit.Open("/orderpage?id=" + order)
	visit.Order().HasState("通知处理中")
	visit.OffersService()
}

// Tickets of a coming film are not sold: it has 预售 or 想看.
func TestHome_ComingFilmsAreNotSold(t *testing.T) {
	t.Parallel()
	h := home(t)
	h.Tab("即将上映")
	for _, film := range h.Offers() {
		require.Regexp(t, "^(预 售|想看) ", film)
	}
}

// A page that needs a login leads to it, and the login leads back to the page and what its address says.
func TestLogin_LeadsBackToEveryPage(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	for _, address := range []string{
		"/personCenter", "/orderInfo?tabIndex=2", "/securitycards?filter=3", "/payPassword", "/couponCode",
		s.Catalog.SeatPage(harness.NewMovie),
	} {
		visit := pages.Plain(s, phone.Options{Lean: true})
		visit.Open(address)
		visit.Login().LogIn(s.NewPhone())
		visit.SeesToast("登录成功")
		visit.AtAddress(address)
	}
}
