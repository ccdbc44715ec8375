package buying

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// buysByCards buys the two best seats of the hall with the buyer's cards and waits for the tickets.
func buysByCards(t *testing.T, hall pages.SeatMap, buyer *harness.Buyer) pages.Order {
	seats := hall.Best(2)
	pay := hall.Lock()
	id := pay.Order()
	pay.PayByCards(harness.PaymentPassword, buyer.Cards...)
	hall.SeesToast("支付成功！")
	order := hall.Orders().Open()
	require.Equal(t, id, order.ID())
	hall.Stack.AdvanceClock(ticketDelay)
	order.ShowsTicket(seats...)
	return order
}

func TestPoints(t *testing.T) {
	t.Parallel()
	pages.InPairs(t, func(t *testing.T, open pages.Opener, source harness.Source) {
		s := pages.NewStack(t)
		buyer := s.NewBuyer(harness.WithCard(plenty))
		visit := open(s, buyer)

		order := buysByCards(t, visit.SeatsOf(source), buyer)
		require.Equal(t, "card", buyer.Order(order.ID()).Legs[0].Kind)
	})
}

// A ticket by card takes eight taps in addition to the password, because the app suggests the cards.
func TestPoints_ChosenForTheBuyer(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(plenty), harness.WithCard(little))
	visit := pages.PlainFor(s, buyer)
	show := s.Catalog.ShowingOf(harness.Legacy)
	visit.Open("/index")
	home := visit.Home()
	home.CountTaps()
	home.Buy(show.Film).Enter(s.Catalog.CinemaOf(harness.Legacy)).Buy(show)
	hall := visit.SeatMap()
	hall.Best(1)
	pay := hall.Lock()
	pay.Pay()
	pay.TypePassword(harness.PaymentPassword)
	visit.SeesToast("支付成功！")
	order := visit.Orders().OpenTicket()
	require.Equal(t, 8+1, visit.Taps(), "eight, and one for the day of the showing")
	require.NotEmpty(t, buyer.Order(order.ID()).Legs)
}

// The cards that expire soonest are suggested until the price is covered. The page explains why, and shows what they
// pay. If the buyer chooses others, these come first the next time.
func TestPoints_SoonestToExpireThenTheLastChoice(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(little))
	s.AdvanceClock(15 * time.Hour) // a card of the next day expires a day later
	later := s.Backoffice.NewCard(plenty)
	buyer.Bind(later)
	s.AdvanceClock(24 * time.Hour)
	buyer.Bind(s.Backoffice.NewCard(plenty)) // expires last, so that the order matters
	visit := pages.PlainFor(s, buyer)
	order := buyer.LockSomeSeats(harness.Legacy, 1)
	pay := visit.PayFor(order)
	pay.HasChosenCards(2, buyer.Order(order).Total)
	pay.ShowsSuggestion(buyer.Order(order).Total)
	pay.PayByCards(harness.PaymentPassword, later)
	visit.SeesToast("支付成功！")
	require.Len(t, buyer.Order(order).Legs, 1)

	order = buyer.LockSomeSeats(harness.NewMovie, 1)
	visit.PayFor(order).HasChosenCards(1, buyer.Order(order).Total)
}

func TestMessagingApp(t *testing.T) {
	bySource(t, func(t *testing.T, s *harness.Stack, source harness.Source) {
		buyer := s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))
		visit := pages.InApp(s, buyer.OpenID, phone.Options{}).As(buyer)

		hall := visit.SeatsOf(source)
		seats := hall.Best(1)
		pay := hall.Lock()
		total := buyer.Order(pay.Order()).Total
		pay.Pay()
		visit.PaymentSheet().ShowsAmount("¥" + total).ApprovePay()
		order := visit.Orders().Open()
		s.AdvanceClock(ticketDelay)
		order.ShowsTicket(seats...)
		legs := buyer.Order(order.ID()).Legs
		require.Len(t, legs, 1)
		require.Equal(t, [2]string{"wx", total}, [2]string{legs[0].Kind, legs[0].Amount})
		require.True(t, legs[0].Captured)
	})
}

// A buyer without an identity is redirected to the messaging app and back before the first payment, which then
// continues automatically.
func TestMessagingApp_RequestsTheIdentity(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer()
	visit := pages.InAppFor(s, buyer)

	payInApp(visit, buyer)
}

func TestCombined(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(little), harness.WithIdentity(harness.BoundOpenID))
	visit := pages.InAppFor(s, buyer)

	hall := visit.SeatsOf(harness.NewMovie)
	seats := hall.Best(2)
	pay := hall.Lock()
	pay.UseCards(buyer.Cards...)
	pay.ShowsLegs("10.00", regexp.MustCompile(`¥\d+\.\d\d$`))
	pay.Pay()
	pay.TypePassword(harness.PaymentPassword)
	visit.PaymentSheet().ApprovePay()
	order := visit.Orders().Open()
	s.AdvanceClock(ticketDelay)
	order.ShowsTicket(seats...)
	require.Len(t, buyer.Order(order.ID()).Legs, 2)
	require.Zero(t, buyer.Points())
}

func TestMessagingApp_PlainBrowserIsSentThere(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(little))
	visit := pages.PlainFor(s, buyer)

	pay := visit.PayFor(buyer.LockSomeSeats(harness.NewMovie, 1))
	pay.UsesApp()
	pay.NeedsApp()
	link := pay.CopyLink()
	order := pay.Order()
	require.Equal(t, harness.NewMovie.Pending, buyer.Order(order).State)
	require.Empty(t, s.Calls("wechat", "prepay"))

	// The copied link opens the same order inside the messaging app; on a phone without a session, after the login.
	stranger := pages.Plain(s, lean)
	stranger.Open(link)
	s.AdvanceClock(resendWait)
	stranger.Login().LogIn(buyer.Phone)
	require.Equal(t, order, stranger.Payment().Order())
	app := pages.InApp(s, harness.BoundOpenID, lean).As(buyer)
	app.Open(link)
	again := app.Payment()
	require.Equal(t, order, again.Order())
	again.UseCards()
	again.Pay()
	app.PaymentSheet().ApprovePay()
	app.Orders()
	buyer.AwaitState(order, harness.NewMovie.Issued)
}

// If the points are not enough, the notice that precedes the lock says that payment needs the messaging app.
func TestPlainBrowser_NoticeRequiresTheMessagingApp(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	visit := pages.PlainFor(s, s.NewBuyer(harness.WithCard(little)))
	hall := visit.HallOf(harness.Legacy)
	hall.Best(2)
	hall.OpenNotice()
	visit.SeesText("需在微信中打开支付")
}

func TestNothingChosenToPayWith(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer()
	visit := pages.PlainFor(s, buyer)
	pay := visit.PayFor(buyer.LockSomeSeats(harness.Legacy, 1))
	pay.DeselectApp()
	pay.SeesText("请选择支付方式")
	pay.Pay()
	visit.SeesToast("请选择支付方式")
}
