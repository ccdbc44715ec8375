package buying

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
)

func TestSeats_TakenByAnotherBuyer(t *testing.T) {
	bySource(t, func(t *testing.T, s *harness.Stack, source harness.Source) {
		buyer := s.NewBuyer(harness.WithCard(plenty))
		visit := pages.PlainFor(s, buyer)
		hall := visit.HallOf(source)
		seats := hall.Free(2)
		hall.Pick(seats...)
		require.ElementsMatch(t, seats, hall.Picked())
		s.NewBuyer().Lock(hall.Showing(), seats[0])

		hall.TrySubmit()
		rescue := hall.LostSeats()
		rescue.SeesText(seats[0] + " 已被其他人选走，" + seats[1] + "仍可购买，请尽快锁定。")
		rescue.KeepOnly(seats[1])
		hall.HasSold(seats[0])
		require.Equal(t, seats[1:], hall.Picked())

		pay := hall.Lock()
		require.Equal(t, seats[1], buyer.Order(pay.Order()).Seats)
	})
}

func TestSeats_LostSeatsOfferTheNearest(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer()
	visit := pages.PlainFor(s, buyer)
	hall := visit.HallOf(harness.NewMovie)
	seats := hall.Best(2)
	s.NewBuyer().Lock(hall.Showing(), seats...)

	hall.TrySubmit()
	offered := hall.LostSeats().AcceptOffer()
	require.Len(t, offered, 2)
	require.NotContains(t, offered, seats[0])
	require.ElementsMatch(t, offered, hall.Picked())
	pay := hall.Lock()
	require.Equal(t, harness.NewMovie.Pending, buyer.Order(pay.Order()).State)
}

// Seats that other buyers lock during the choice turn gray without a reload.
func TestSeats_RefreshThemselves(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	visit := pages.PlainFor(s, s.NewBuyer())
	hall := visit.HallOf(harness.NewMovie)
	free := hall.Free(1)
	s.NewBuyer().Lock(hall.Showing(), free...)
	hall.HasSold(free[0])
}

func TestSeats_FourAtMost(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	visit := pages.PlainFor(s, s.NewBuyer())
	hall := visit.HallOf(harness.Legacy)
	seats := hall.Free(5)
	hall.Pick(seats...)
	visit.SeesToast("每组订单最多选择四个座位")
	require.ElementsMatch(t, seats[:4], hall.Picked())
	hall.Pick(seats[0])
	require.ElementsMatch(t, seats[1:4], hall.Picked())
}

func TestSeats_StoppedWhileChoosing(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	visit := pages.PlainFor(s, s.NewBuyer())
	hall := visit.HallOf(harness.Legacy)
	hall.Best(1)
	s.AdvanceClock(48 * time.Hour)
	hall.TrySubmit()
	hall.Stopped()
}

// A showing stops selling a quarter of an hour before it starts.
func TestShowings_Stopped(t *testing.T) {
	bySource(t, func(t *testing.T, s *harness.Stack, source harness.Source) {
		visit := pages.Plain(s, lean)
		show := s.Catalog.ShowingToday(source)
		cinema := visit.Cinema(source).Film(show.Film).Day("今天")
		cinema.Sells(show)
		s.AdvanceClock(s.Catalog.UntilStart(show) - 14*time.Minute)
		cinema.Reload()
		cinema.Film(show.Film).Day("今天").ShowsSaleStopped(show)
	})
}

func TestUnpaidOrder_Paid(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(plenty))
	order := buyer.LockSomeSeats(harness.Legacy, 1)
	visit := pages.PlainFor(s, buyer)
	visit.Cinema(harness.Legacy).Buy(s.Catalog.ShowingOf(harness.Legacy))
	visit.Confirm("未支付订单", "去支付")
	pay := visit.Payment()
	require.Equal(t, order, pay.Order())
	pay.PayByCards(harness.PaymentPassword, buyer.Cards...)
	visit.SeesToast("支付成功！")
	buyer.AwaitState(order, harness.Legacy.Issued)
}

func TestUnpaidOrder_Cancelled(t *testing.T) {
	bySource(t, func(t *testing.T, s *harness.Stack, source harness.Source) {
		buyer := s.NewBuyer()
		show := s.Catalog.ShowingOf(source)
		order := buyer.LockSeatsOf(show.Showing, 1)
		seat := buyer.Order(order).Seats
		visit := pages.PlainFor(s, buyer)
		visit.Cinema(source).Buy(show)
		visit.Confirm("未支付订单", "取消订单")
		visit.Confirm("取消订单", "取消订单")
		require.Equal(t, source.Cancelled, buyer.AwaitState(order, source.Cancelled).State)
		hall := visit.SeatMap()
		hall.HasFree(seat)
		hall.Pick(seat)
		pay := hall.Lock()
		require.Equal(t, seat, buyer.Order(pay.Order()).Seats)
	})
}

// The dialog describes the unpaid order. A buyer who postpones the decision sees the hall, and is asked again before
// the next lock.
func TestUnpaidOrder_LeftForLater(t *testing.T) {
	bySource(t, func(t *testing.T, s *harness.Stack, source harness.Source) {
		buyer := s.NewBuyer()
		show := s.Catalog.ShowingOf(source)
		order := buyer.Order(buyer.LockSeatsOf(show.Showing, 1))
		visit := pages.PlainFor(s, buyer)
		visit.Cinema(source).Buy(show)
		hall := visit.SeatMap()
		hall.UnpaidOrder(show, order.Seats)
		hall.LeaveUnpaidOrder()
		hall.Best(1)
		hall.Submit()
		hall.UnpaidOrder(show, order.Seats)
		visit.Confirm("未支付订单", "取消订单")
		visit.Confirm("取消订单", "再想想")
		hall.UnpaidOrder(show, order.Seats)
		require.Equal(t, source.Pending, buyer.Order(order.ID).State)
	})
}

func TestNotLoggedIn_LogsInAndGoesOn(t *testing.T) {
	t.Parallel()
	pages.InPairs(t, func(t *testing.T, open pages.Opener, source harness.Source) {
		s := pages.NewStack(t)
		buyer := s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))
		visit := open(s, buyer).As(nil)
		show := s.Catalog.ShowingOf(source)
		cinema := visit.Cinema(source)
		cinema.Buy(show)
		visit.PassLogin(buyer)
		// The login continues to the chosen showing, from which back leads to the cinema.
		hall := visit.SeatMap()
		require.Equal(t, show.Opiid+show.SessionID, hall.Showing().Opiid+hall.Showing().SessionID)
		hall.BackFromLogin()
		cinema.ShowsDay(show, "明天")
	})
}

func TestSeats_CouplesGoTogether(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer()
	visit := pages.PlainFor(s, buyer)
	hall := visit.HallLike(harness.CouplesHall, harness.Legacy)
	half := hall.FreeCouple()
	hall.Pick(half)
	both := hall.Picked()
	require.Len(t, both, 2)
	require.Contains(t, both, half)
	hall.Pick(half)
	require.Empty(t, hall.Picked())
	hall.Pick(half)
	pay := hall.Lock()
	require.ElementsMatch(t, both, strings.Split(buyer.Order(pay.Order()).Seats, ","))
}

func TestSeats_OneAreaAnOrder(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	visit := pages.PlainFor(s, s.NewBuyer())
	hall := visit.HallLike(harness.AreasHall, harness.NewMovie)
	cheap, dear := hall.FreeOfTwoAreas()
	hall.Pick(cheap)
	hall.Pick(dear)
	visit.SeesToast("请选择相同区域座位，不同区域请分开下单")
	require.Equal(t, []string{cheap}, hall.Picked())
}

// Seats can be chosen and locked with only the keyboard.
func TestSeats_ByKeyboard(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer()
	visit := pages.PlainFor(s, buyer)
	hall := visit.HallOf(harness.Legacy)
	seat := hall.FocusBest()
	hall.PressKeys("Space")
	require.Equal(t, []string{seat}, hall.Picked())
	hall.PressKeys("ArrowDown", "ArrowUp", "Space")
	require.Empty(t, hall.Picked())
	hall.PressKeys("Enter")
	pay := hall.Lock()
	require.Equal(t, seat, buyer.Order(pay.Order()).Seats)
}

// A provider locks the seats but does not answer. The buyer sees an error, the shop releases the seats, and they can be
// locked again.
func TestSeats_LockedByASilentProvider(t *testing.T) {
	bySource(t, func(t *testing.T, s *harness.Stack, source harness.Source) {
		operation := map[string]string{"legacy": "seat.lock", "newmovie": "order/lock"}[source.Name]
		s.PlanFault(source.Provider, operation, "act-then-reset")
		buyer := s.NewBuyer()
		visit := pages.PlainFor(s, buyer)
		hall := visit.HallOf(source)
		seats := hall.Best(2)
		hall.Submit()
		visit.SeesToast("锁座失败，请重试")
		require.Equal(t, 1, s.FaultHits("act-then-reset"))
		s.AdvanceClock(sweep)
		s.Eventually(
			"the provider gives the seats back",
			func() bool { return s.Catalog.IsFree(hall.Showing(), seats...) },
		)

		pay := hall.Lock()
		require.Equal(t, strings.Join(seats, ","), buyer.Order(pay.Order()).Seats)
	})
}

// sweep is longer than the shop waits before it unlocks the seats of a lock without an answer.
const sweep = 10 * time.Second

// The chosen film and day are part of the address: they survive going to the hall and back, and a reload. After the
// lock, back leads to the showings, and after the payment to the home page.
func TestPlace_Kept(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(plenty))
	visit := pages.PlainFor(s, buyer)
	show := s.Catalog.ShowingOf(harness.NewMovie)
	cinema := visit.Cinema(harness.NewMovie)
	cinema.Buy(show)
	hall := visit.SeatMap()
	hall.Back()
	cinema.ShowsDay(show, "明天")
	visit.Reload()
	cinema.ShowsDay(show, "明天")
	cinema.Buy(show)
	hall = visit.SeatMap()
	hall.Best(1)
	order := hall.Lock().Order()
	visit.Back()
	cinema.ShowsDay(show, "明天")

	visit.Open("/paymentpage?order=" + order)
	visit.Payment().PayByCards(harness.PaymentPassword, buyer.Cards...)
	visit.Orders().Tab("待使用")
	visit.Back()
	visit.Home()
}
