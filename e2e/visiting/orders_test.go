package visiting

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

func TestOrders_Tabs(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := visiting(s, harness.WithCard(500_00))
	issued := buyer.LockSomeSeats(harness.Legacy, 2)
	buyer.PayByCards(issued)
	buyer.AwaitState(issued, harness.Legacy.Issued)
	cancelled := buyer.LockSomeSeats(harness.NewMovie, 1)
	buyer.Cancel(cancelled)
	pending := buyer.LockSomeSeats(harness.NewMovie, 1)

	visit.Open("/personCenter")
	me := visit.Me()
	me.HasOrders("待付款", 1)
	me.HasOrders("待使用", 1)
	visit.Open("/orderInfo?tabIndex=0")
	orders := visit.Orders()
	orders.Count(3)
	orders.Tab("待使用").Count(1)
	order := orders.Open()
	require.Equal(t, issued, order.ID())
	order.ShowsTicket()
	visit.Back()
	visit.Orders().OnTab("待使用")

	orders = visit.Orders().Tab("待付款")
	orders.Count(1)
	orders.FirstCountsDown()
	require.Equal(t, pending, orders.PayFirst().Order())
	visit.Back()
	orders = visit.Orders()
	orders.CancelFirst()
	visit.SeesToast("订单已取消")
	visit.SeesText("没有待付款的订单")
	require.Equal(t, harness.NewMovie.Cancelled, buyer.Order(pending).State)
}

// An ended order links to the seats of its showing, in the list and on its page.
func TestOrders_BoughtAgain(t *testing.T) {
	t.Parallel()
	pages.BothSources(t, func(t *testing.T, source harness.Source) {
		s := pages.NewStack(t)
		buyer, visit := visiting(s)
		show := s.Catalog.ShowingOf(source)
		ended := buyer.LockSeatsOf(show.Showing, 1)
		seat := buyer.Order(ended).Seats
		buyer.Cancel(ended)
		for _, again := range []func() pages.SeatMap{
			func() pages.SeatMap { visit.Open("/orderInfo"); return visit.Orders().BookAgain() },
			func() pages.SeatMap { visit.Open("/orderpage?id=" + ended); return visit.Order().BookAgain() },
		} {
			hall := again()
			require.Equal(t, show.Opiid+show.SessionID, hall.Showing().Opiid+hall.Showing().SessionID)
			hall.HasFree(seat)
		}
	})
}

func TestOrders_Empty(t *testing.T) {
	t.Parallel()
	_, visit := visiting(pages.NewStack(t))
	visit.Open("/orderInfo")
	orders := visit.Orders()
	visit.SeesText("暂无订单")
	orders.Tab("待使用")
	visit.SeesText("没有待使用的订单")
}

func TestOrder_CancelledOnItsPage(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := visiting(s)
	id := buyer.LockSomeSeats(harness.NewMovie, 1)
	visit.Open("/orderpage?id=" + id)
	order := visit.Order()
	order.HasState("待付款")
	order.Cancel()
	visit.SeesToast("订单已取消")
	order.HasState("已取消")
	require.Equal(t, harness.NewMovie.Cancelled, buyer.Order(id).State)
}

// offlineAtTicket opens the ticket of an issued order and cuts the network. It returns the seats of the ticket.
func offlineAtTicket(t *testing.T) (visit *pages.Visit, seats string) {
	t.Helper()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(500_00))
	// Requests that run while the network is cut, such as prefetched screens, fail.
	visit = pages.Plain(s, phone.Options{Tolerate: []string{"ERR_INTERNET_DISCONNECTED"}}).As(buyer)
	id := buyer.LockSomeSeats(harness.Legacy, 1)
	buyer.PayByCards(id)
	seats = buyer.AwaitState(id, harness.Legacy.Issued).Seats
	visit.Open("/orderpage?id=" + id)
	visit.Order().ShowsTicket(seats)
	visit.AwaitServiceWorker() // an interrupted registration would be an error of the page
	require.NoError(t, visit.Phone.Context.SetOffline(true))
	return visit, seats
}

// A ticket on the screen stays when the network is lost.
func TestOrder_TicketOffline(t *testing.T) {
	t.Parallel()
	visit, seats := offlineAtTicket(t)
	visit.SeesText("网络已断开")
	pages.Order{Visit: visit}.ShowsTicket(seats)
}

// A ticket that was shown once is available when the app starts without a network. Answers of the shop are not stored.
func TestOrder_TicketAfterAStartOffline(t *testing.T) {
	t.Parallel()
	visit, seats := offlineAtTicket(t)
	visit.Reload()
	pages.Order{Visit: visit}.ShowsKeptTicket(seats)
	visit.SeesText("以下是保存在本机的电子票")

	for _, kept := range visit.CachedPaths() {
		require.Regexp(t, `^/(index\.html$|assets/)`, kept, "nothing but the app")
	}
	require.NoError(t, visit.Phone.Context.SetOffline(false))
	visit.Reload()
	visit.Order().HasState("已出票")
	visit.SeesNoText("以下是保存在本机的电子票")
}

// Without a network, another user of the phone cannot see what was viewed on it.
func TestOffline_StartsWithAPageThatShowsNoVisitedScreen(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	visit := pages.Plain(s, phone.Options{Tolerate: []string{"ERR_INTERNET_DISCONNECTED"}})
	film, _ := s.Catalog.Films()
	visit.Open("/filmdetail?id=" + film)
	visit.AwaitServiceWorker()
	visit.Reload() // through the worker
	require.NoError(t, visit.Phone.Context.SetOffline(true))
	started, err := visit.Phone.Page.Goto(s.URL + "/index")
	require.NoError(t, err)
	page, err := started.Text()
	require.NoError(t, err)
	require.Contains(t, page, `id="placeholder"`)
	require.NotContains(t, page, "marquee-answers")
}
