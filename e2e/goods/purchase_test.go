package goods

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
)

// A buyer goes from the home page to goods, pays with points and gets the codes.
func TestCodesByPoints(t *testing.T) {
	t.Parallel()
	pages.BothBrowsers(t, func(t *testing.T, open pages.Opener) {
		s := pages.NewStack(t)
		buyer := s.NewBuyer(harness.WithCard(plenty))
		visit := open(s, buyer)
		visit.Open("/memberindex")
		goods := visit.Members().Enter("音乐会员").Open(music)
		goods.Buy()
		goods.Specification("季卡")
		goods.Pay().PayByCards(harness.PaymentPassword, buyer.Cards...)
		visit.SeesToast("支付成功！")
		order := visit.Orders().OpenGoods()
		bought := buyer.AwaitCardOrder(order.ID(), delivered)
		require.Len(t, bought.Codes, 1)
		order.HasState("已完成")
		order.ShowsCode(bought.Codes[0].Num, bought.Codes[0].Pass)
		order.SeesText("季卡")
		require.EqualValues(t, plenty-42_00, buyer.Points())
		visit.Open("/personCenter")
		visit.Me().HasOrders("待使用", 1)
	})
}

func TestCodesAreCopied(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(plenty))
	visit := pages.PlainFor(s, buyer)
	require.NoError(t, visit.Phone.Context.GrantPermissions([]string{"clipboard-read", "clipboard-write"}))
	id := buyer.BuyGoods(music, "")
	visit.Open("/cardorderinfo?id=" + id)
	order := visit.CardOrder()
	order.Copy("卡号")
	visit.SeesToast("已复制到剪贴板")
	text, err := visit.Phone.Evaluate("navigator.clipboard.readText()")
	require.NoError(t, err)
	require.Equal(t, buyer.CardOrder(id).Codes[0].Num, text)
}

func TestMessagingApp(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))
	visit := pages.InAppFor(s, buyer)
	buyMusic(visit).Pay()
	visit.PaymentSheet().ShowsAmount("¥15.00").ApprovePay()
	order := visit.Orders().OpenGoods()
	bought := buyer.AwaitCardOrder(order.ID(), delivered)
	order.ShowsCode(bought.Codes[0].Num, bought.Codes[0].Pass)
	require.Contains(t, bought.Paid, `"wx"`)
}

// A buyer without an identity is redirected to the messaging app and back, and the payment continues automatically.
func TestMessagingApp_RequestsTheIdentity(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer()
	visit := pages.InAppFor(s, buyer)
	buyMusic(visit).Pay()
	visit.PaymentSheet().ApprovePay()
	order := visit.Orders().OpenGoods()
	require.NotContains(t, visit.Phone.URL(), "code=")
	buyer.AwaitCardOrder(order.ID(), delivered)
	require.Len(t, buyer.CardOrders(), 1)
}

func TestCombined(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(little), harness.WithIdentity(harness.BoundOpenID))
	visit := pages.InAppFor(s, buyer)
	pay := buyMusic(visit)
	pay.UseCards(buyer.Cards...)
	pay.ShowsLegs("10.00", regexp.MustCompile(`¥5\.00$`))
	pay.Pay()
	pay.TypePassword(harness.PaymentPassword)
	visit.PaymentSheet().ShowsAmount("¥5.00").ApprovePay()
	order := visit.Orders().OpenGoods()
	buyer.AwaitCardOrder(order.ID(), delivered)
	order.SeesText("微信支付")
	require.Zero(t, buyer.Points())
}

// A payment that is interrupted and then continued on the sheet pays one order of one piece.
func TestMessagingApp_LeftAndTakenUpAgain(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))
	visit := pages.InAppFor(s, buyer)
	pay := buyMusic(visit)
	pay.Pay()
	visit.PaymentSheet().CancelPay()
	visit.SeesToast("支付失败")
	pay.PayAgain()
	visit.PaymentSheet().ApprovePay()
	order := visit.Orders().OpenGoods()
	buyer.AwaitCardOrder(order.ID(), delivered)
	require.Len(t, buyer.CardOrders(), 1)
}

// The typed account is normalized, checked against the format of the goods, and recharged.
func TestRecharge_AccountIsStrippedThenChecked(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(plenty))
	visit := pages.PlainFor(s, buyer)
	goods := visit.OpenGoods(calls)
	goods.Buy()
	for typed, message := range map[string]string{
		" -- ": "请输入充值账号", "a-b.c": "请输入正确的手机号", "1380013800": "请输入正确的手机号",
	} {
		goods.Account(typed)
		goods.ToPayment()
		visit.SeesText(message)
	}
	goods.Account("+86 138#0013-8001")
	pay := goods.Pay()
	pay.SeesText("138 0013 8001")
	pay.PayByCards(harness.PaymentPassword, buyer.Cards...)
	visit.SeesToast("支付成功！")
	order := visit.Orders().OpenGoods()
	require.Equal(t, "13800138001", buyer.AwaitCardOrder(order.ID(), delivered).Account)
}

func TestRecharge(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(plenty))
	visit := pages.PlainFor(s, buyer)
	visit.Open("/movelist")
	goods := visit.GoodsList("充值中心").Open(calls)
	goods.Buy()
	goods.HasField("充值账号", buyer.Phone)
	goods.Account("13800138000")
	pay := goods.Pay()
	pay.SeesText("138 0013 8000")
	pay.PayByCards(harness.PaymentPassword, buyer.Cards...)
	visit.SeesToast("支付成功！")
	order := visit.Orders().OpenGoods()
	require.Equal(t, "13800138000", buyer.AwaitCardOrder(order.ID(), delivered).Account)
	order.HasState("已完成")
	order.SeesText("138****8000")

	// Back leads to the orders and from there home, not to the payment.
	order.Back()
	visit.Orders().Back()
	visit.Home()
}
