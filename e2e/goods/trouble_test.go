package goods

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
)

// If an account cannot be recharged, the part of the messaging app and the part of the card are refunded to where they
// came from, and the page of the order shows it.
func TestRecharge_RejectedIsRefunded(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(little), harness.WithIdentity(harness.BoundOpenID))
	visit := pages.InAppFor(s, buyer)
	goods := visit.OpenGoods(calls)
	goods.Buy()
	goods.Account("13800130000")
	pay := goods.Pay()
	pay.UseCards(buyer.Cards...)
	pay.Pay()
	pay.TypePassword(harness.PaymentPassword)
	visit.PaymentSheet().ApprovePay()
	order := visit.Orders().OpenGoods()
	require.Len(t, buyer.AwaitCardOrder(order.ID(), refunded).Refunds, 2)
	require.EqualValues(t, little, buyer.Points())
	order.SeesText("款项已按原支付方式退回")
	order.SeesText("退款进度")
	order.Refunded("微信支付")
	order.Refunded("超级卡")
}

// Another buyer takes the last piece while this buyer types the password.
func TestSoldOut_WhilePaying(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	for _, sku := range []string{"phone-2", "phone-3"} {
		s.Backoffice.CountStock(sku, 0)
	}
	s.Backoffice.CountStock("phone-1", 1)
	other := s.NewBuyer(harness.WithCard(plenty))
	buyer := s.NewBuyer(harness.WithCard(plenty))
	visit := pages.PlainFor(s, buyer)
	goods := visit.OpenGoods(calls)
	goods.Buy()
	goods.Account("13800138000")
	pay := goods.Pay()
	pay.UseCards(buyer.Cards...)
	pay.Pay()
	other.BuyGoods(calls, "13900139000")
	pay.TypePassword(harness.PaymentPassword)
	visit.SeesToast("商品已售罄")
	goods.SoldOut()
	require.Empty(t, buyer.CardOrders())
	require.EqualValues(t, plenty, buyer.Points())
}

func TestPlainBrowserIsSentToTheMessagingApp(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer()
	visit := pages.PlainFor(s, buyer)
	pay := buyMusic(visit)
	pay.UsesApp()
	pay.Pay()
	visit.LedToApp()
	visit.Phone.Keyboard().Press("Escape")
	pay.DeselectApp()
	pay.SeesText("请选择支付方式")
	pay.Pay()
	visit.SeesToast("请选择支付方式")
	require.Empty(t, buyer.CardOrders())
}

// For a visitor without a session, the login returns to the open sheet.
func TestNotLoggedIn_GoesOnWithThePurchase(t *testing.T) {
	t.Parallel()
	pages.BothBrowsers(t, func(t *testing.T, open pages.Opener) {
		s := pages.NewStack(t)
		buyer := s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))
		visit := open(s, buyer).As(nil)
		visit.OpenGoods(music).BuyWithoutSession()
		visit.PassLogin(buyer)
		visit.Goods(music).Pay()
	})
}

func TestPaymentPassword_NotSetYet(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer()
	buyer.Bind(s.Backoffice.NewCard(plenty))
	visit := pages.PlainFor(s, buyer)
	pay := buyMusic(visit)
	pay.UseCards(buyer.Cards...)
	pay.Pay()
	visit.Confirm("尚未设置支付密码", "去设置")
	s.AdvanceClock(time.Minute)
	visit.PayPassword().Set(harness.PaymentPassword, buyer)
	// Back at the goods, with the sheet open and the choice kept.
	pay = visit.PaySheet()
	pay.Pay()
	pay.TypePassword(harness.PaymentPassword)
	visit.SeesToast("支付成功！")
	require.Len(t, buyer.CardOrders(), 1)
}

// The provider fails once, and the shop repeats the call. The payer has no money, so the order stays unpaid.
func TestMessagingApp_NoMoney(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	s.PlanFault("wechat", "prepay", "error")
	buyer := s.NewBuyer(harness.WithIdentity(harness.PoorOpenID))
	visit := pages.InAppFor(s, buyer)
	pay := buyMusic(visit)
	pay.PayAgain()
	visit.PaymentSheet().ApprovePay() // has no money
	visit.SeesToast("支付失败")
	require.Equal(t, 1, s.FaultHits("error"))
	require.Len(t, buyer.CardOrders(), 1)
	require.Equal(t, unpaid, buyer.CardOrder(buyer.CardOrders()[0]).State)
}

func TestOrder_PaidAgain(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(plenty), harness.WithIdentity(harness.BoundOpenID))
	visit := pages.PlainFor(s, buyer)
	id := buyer.OrderGoods(music, "")
	visit.Open("/orderInfo?tabIndex=1")
	order := visit.Orders().OpenGoods()
	require.Equal(t, id, order.ID())
	order.HasState("待付款")
	order.Pay().PayByCards(harness.PaymentPassword, buyer.Cards...)
	visit.SeesToast("支付成功！")
	require.Equal(t, delivered, buyer.AwaitCardOrder(id, delivered).State)
}

// The button in the list of orders opens the payment sheet without another page.
func TestOrder_PaidFromTheList(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(plenty), harness.WithIdentity(harness.BoundOpenID))
	visit := pages.PlainFor(s, buyer)
	id := buyer.OrderGoods(music, "")
	visit.Open("/orderInfo?tabIndex=1")
	orders := visit.Orders()
	orders.FirstCountsDown()
	orders.PayFirstGoods().PayByCards(harness.PaymentPassword, buyer.Cards...)
	visit.SeesToast("支付成功！")
	require.Equal(t, delivered, buyer.AwaitCardOrder(id, delivered).State)
	visit.Orders().BuyAgain()
	visit.Goods(music)
}

func TestOrder_Cancelled(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))
	visit := pages.PlainFor(s, buyer)
	id := buyer.OrderGoods(music, "")
	visit.Open("/cardorderinfo?id=" + id)
	order := visit.CardOrder()
	order.Cancel()
	visit.SeesToast("订单已取消")
	order.HasState("已取消")
	require.Equal(t, cancelled, buyer.CardOrder(id).State)
	order.BuyAgain()
	visit.Goods(music)
}

func TestOrder_Expires(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))
	visit := pages.PlainFor(s, buyer)
	id := buyer.OrderGoods(music, "")
	s.AdvanceClock(16 * time.Minute)
	visit.Open("/cardorderinfo?id=" + id)
	visit.CardOrder().HasState("超时未付")
}
