package cards

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/simulators/faults"
)

// recharge is the page to recharge a buyer's card, in the messaging app.
type recharge struct {
	pages.Recharge
	buyer *harness.Buyer
	card  harness.Card
}

func recharging(s *harness.Stack) recharge {
	buyer, visit := inApp(s, harness.WithCard(10_00))
	card := buyer.Cards[0]
	visit.CardOf(buyer.CardOf(card).ID).Recharge()
	return recharge{visit.Recharge(), buyer, card}
}

// buys chooses the package and presses pay. It returns the messaging app's pay sheet.
func (r recharge) buys(points string) pages.PaymentSheet {
	r.Choose(points)
	r.PayWithoutIdentity()
	return r.PaymentSheet()
}

// holds verifies the points of the card at the shop.
func (r recharge) holds(points string) {
	require.Equal(r.T, points, r.buyer.CardOf(r.card).Points)
}

// credited waits until the page shows the points of the card, and verifies them at the shop.
func (r recharge) credited(points string) {
	r.SeesToast("支付成功！")
	r.CardPage().Shows(r.card, points)
	r.holds(points)
}

func TestRecharge_ByPackage(t *testing.T) {
	t.Parallel()
	page := recharging(pages.NewStack(t))
	page.Choose("100")
	page.ShowsPrice("99.00", "100")
	page.PayWithoutIdentity()
	page.PaymentSheet().ShowsAmount("¥99.00").ApprovePay()
	page.credited("110.00")
	page.CardPage().Records("充值记录").Shows("微信充值", "+100.00")
}

func TestRecharge_ByCustomPoints(t *testing.T) {
	t.Parallel()
	page := recharging(pages.NewStack(t))
	for typed, shown := range map[string]string{"10000": "1000", "9999.01": "9999.0", "12.345": "12.34", "1e3": "13",
		"-5": "5"} {
		require.Equal(t, shown, page.Type(typed), typed)
	}
	page.Type("0.99")
	page.SeesText("充值点数须为1-9999，最多两位小数")
	page.Type("88.55")
	page.ShowsPrice("88.55", "88.55")
	page.PayWithoutIdentity()
	page.PaymentSheet().ShowsAmount("¥88.55").ApprovePay()
	page.credited("98.55")
}

func TestRecharge_ASheetThatWasClosed(t *testing.T) {
	t.Parallel()
	page := recharging(pages.NewStack(t))
	page.buys("50").CancelPay()
	page.SeesToast("支付失败")
	page.At("/package")
	page.holds("10.00")
	// The chosen package and its order are kept: the second try pays the same order, and it is paid only once.
	page.Pay()
	page.PaymentSheet().ShowsAmount("¥50.00").ApprovePay()
	page.credited("60.00")
}

func TestRecharge_Failed(t *testing.T) {
	t.Parallel()
	page := recharging(pages.NewStack(t))
	page.buys("50").FailPay()
	page.SeesToast("支付失败")
	page.holds("10.00")
}

func TestRecharge_NotifyLost_FoundByQuery(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	s.PlanFaults(faults.Fault{Provider: "wechat", Operation: "notify", Do: "notify-drop"})
	page := recharging(s)
	page.buys("200").ApprovePay()
	page.credited("210.00")
	require.NotZero(t, s.FaultHits("notify-drop"), "the notify must have been lost")
	require.NotEmpty(t, s.Calls("wechat", "query"), "the shop must have asked")
}

func TestRecharge_TheBridgeReportsCancelAlthoughTheMoneyMoved(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	s.PlanFault("wechat", "pay", "bridge-cancel-after-pay")
	page := recharging(s)
	page.buys("50").ApprovePay()
	page.credited("60.00")
}

func TestRecharge_OnlyInTheApp(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := plain(s, harness.WithCard(10_00))
	page := visit.RechargeOf(buyer.CardOf(buyer.Cards[0]).ID)
	page.Choose("50")
	page.Pay()
	page.LedToApp()
	require.Empty(t, s.Calls("wechat", "prepay"))
}

// A recharge is paid from a browser. The first payment is cancelled, and the second one pays the same order.
func TestRecharge_InABrowser(t *testing.T) {
	t.Parallel()
	s := pages.NewH5Stack(t)
	buyer, visit := plain(s, harness.WithCard(10_00))
	page := visit.RechargeOf(buyer.CardOf(buyer.Cards[0]).ID)
	page.Choose("50")
	page.Pay()
	visit.H5Page().Cancel()
	page = visit.Recharge()
	visit.SeesText("还没有收到付款")
	order := visit.Query("h5")
	require.NotEmpty(t, order)
	page.Pay()
	visit.H5Page().Pay()
	recharge{page, buyer, buyer.Cards[0]}.credited("60.00")
	page.CardPage().Records("充值记录").Shows("微信充值", "+50.00")
	for _, call := range s.Calls("wechat", "prepay-h5") {
		require.Contains(t, call.Request, order, "both presses pay the same order")
	}
}
