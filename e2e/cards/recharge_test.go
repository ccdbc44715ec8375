package cards

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/pages"
	"marquee/e2e/stage"
	"marquee/simulators/script"
)

// recharging is a buyer in the messaging app before the page where their card is recharged.
func recharging(s *stage.Stage) (*stage.Buyer, stage.Card, pages.Recharge) {
	s.T.Helper()
	buyer, visit := inApp(s, stage.WithCard(10_00))
	card := buyer.Cards[0]
	visit.CardOf(buyer.CardOf(card).ID).Recharge()
	return buyer, card, visit.Recharge()
}

func TestRecharge_ByPackage(t *testing.T) {
	t.Parallel()
	s := stage.New(t)
	buyer, card, page := recharging(s)
	page.Choose("100")
	page.Costs("99.00", "100")
	page.PayNamed()
	page.PhoneApp().Asks("¥99.00").ApprovePay()
	page.Hears("支付成功！")
	page.CardPage().Shows(card, "110.00")
	require.Equal(t, "110.00", buyer.CardOf(card).Points)
	page.CardPage().Records("充值记录").Shows("微信充值", "+100.00")
}

func TestRecharge_ByPointsOfOnesOwnChoice(t *testing.T) {
	t.Parallel()
	s := stage.New(t)
	buyer, card, page := recharging(s)
	for typed, stands := range map[string]string{"10000": "1000", "9999.01": "9999.0", "12.345": "12.34", "1e3": "13", "-5": "5"} {
		require.Equal(t, stands, page.Type(typed), typed)
	}
	page.Type("0.99")
	page.Reads("充值点数须为1-9999，最多两位小数")
	page.Type("88.55")
	page.Costs("88.55", "88.55")
	page.PayNamed()
	page.PhoneApp().Asks("¥88.55").ApprovePay()
	page.Hears("支付成功！")
	page.CardPage().Shows(card, "98.55")
	require.Equal(t, "98.55", buyer.CardOf(card).Points)
}

func TestRecharge_ASheetThatWasClosed(t *testing.T) {
	t.Parallel()
	s := stage.New(t)
	buyer, card, page := recharging(s)
	page.Choose("50")
	page.PayNamed()
	page.PhoneApp().CancelPay()
	page.Hears("支付失败")
	page.At("/package")
	require.Equal(t, "10.00", buyer.CardOf(card).Points)
	// The wish still stands, and so does its order: the second try pays it once.
	page.Pay()
	page.PhoneApp().Asks("¥50.00").ApprovePay()
	page.Hears("支付成功！")
	page.CardPage().Shows(card, "60.00")
	require.Equal(t, "60.00", buyer.CardOf(card).Points)
}

func TestRecharge_Failed(t *testing.T) {
	t.Parallel()
	s := stage.New(t)
	buyer, card, page := recharging(s)
	page.Choose("50")
	page.PayNamed()
	page.PhoneApp().FailPay()
	page.Hears("支付失败")
	require.Equal(t, "10.00", buyer.CardOf(card).Points)
}

func TestRecharge_NotifyLost_FoundByQuery(t *testing.T) {
	t.Parallel()
	s := stage.New(t)
	s.PlanFaults(script.Fault{Provider: "wechat", Operation: "notify", Do: "notify-drop"})
	buyer, card, page := recharging(s)
	page.Choose("200")
	page.PayNamed()
	page.PhoneApp().ApprovePay()
	page.Hears("支付成功！")
	page.CardPage().Shows(card, "210.00")
	require.Equal(t, "210.00", buyer.CardOf(card).Points)
	require.NotZero(t, s.FaultHits("notify-drop"), "the notify must have been lost")
	require.NotEmpty(t, s.Calls("wechat", "query"), "the shop must have asked")
}

func TestRecharge_TheBridgeSaysCancelThoughTheMoneyMoved(t *testing.T) {
	t.Parallel()
	s := stage.New(t)
	s.PlanFault("wechat", "pay", "bridge-cancel-after-pay")
	buyer, card, page := recharging(s)
	page.Choose("50")
	page.PayNamed()
	page.PhoneApp().ApprovePay()
	page.Hears("支付成功！")
	page.CardPage().Shows(card, "60.00")
	require.Equal(t, "60.00", buyer.CardOf(card).Points)
}

func TestRecharge_OnlyInTheApp(t *testing.T) {
	t.Parallel()
	s := stage.New(t)
	buyer, visit := plain(s, stage.WithCard(10_00))
	page := visit.RechargeOf(buyer.CardOf(buyer.Cards[0]).ID)
	page.Choose("50")
	page.Pay()
	page.Hears("请使用微信打开进行支付")
	require.Empty(t, s.Calls("wechat", "prepay"))
}
