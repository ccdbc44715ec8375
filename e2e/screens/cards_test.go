package screens

import (
	"net/url"
	"testing"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/simulators/faults"
)

// A buyer's welfare cards: every type, records and actions.
func TestScreens_Cards(t *testing.T) {
	look(t, pages.Plain, func(s *harness.Stack, v *pages.Visit) []scene {
		buyer := s.NewBuyer(harness.WithCard(1000_00), harness.WithCard(10_00))
		buyer.PayByCards(buyer.LockSomeSeats(harness.NewMovie, 2))
		for _, card := range s.Backoffice.DemoCards() {
			buyer.Bind(card)
		}
		full, poor := buyer.Cards[0], buyer.Cards[1]
		for _, points := range []string{"100.00", "66.60", "12.34"} {
			s.Backoffice.Credit(full, points, "节日礼遇")
		}
		s.Backoffice.Deduct(full, "8.88", "重复发放")
		s.Backoffice.Credit(poor, "0.01", "测试")
		s.Backoffice.Deduct(poor, buyer.CardOf(poor).Points, "卡片回收")
		lost, ending := s.Backoffice.NewCard(20_00), s.Backoffice.NewCardOf(harness.SuperCard, 50_00, 10)
		buyer.Bind(lost)
		buyer.Bind(ending)
		s.Backoffice.Freeze(lost, "挂失")
		id, empty, frozen := buyer.CardOf(full).ID, buyer.CardOf(poor).ID, buyer.CardOf(lost).ID
		expired := buyer.CardOf(s.Backoffice.DemoCards()[15]).ID
		v.As(buyer)
		merge := func(v *pages.Visit) pages.WelfareCards {
			v.Open("/securitycards?active=2")
			return v.WelfareCards()
		}
		return []scene{
			{
				"securitycards-merge",
				func(v *pages.Visit) { merge(v).Pick(s.Backoffice.DemoCards()[0], s.Backoffice.DemoCards()[1]) },
			},
			{"securitycards-merge-check", func(v *pages.Visit) {
				cards := merge(v)
				cards.Pick(s.Backoffice.DemoCards()[0], s.Backoffice.DemoCards()[1], s.Backoffice.DemoCards()[2])
				cards.AskMerge()
				cards.Preview()
			}},
			{"cardinfo", func(v *pages.Visit) { v.CardOf(id).HasCode() }},
			{"cardinfo-fullscreen", func(v *pages.Visit) { pages.CardPage{Visit: v}.ShowToStaff() }},
			{"cardinfo-menu", func(v *pages.Visit) { v.CardOf(id).OpenMenu() }},
			{"cardinfo-frozen", func(v *pages.Visit) { v.CardOf(frozen).SeesText("此卡已冻结") }},
			{"securitycards-ending",
				func(v *pages.Visit) { v.Cards().Tab("即将过期"); v.WelfareCards().Shows(ending) }},
			{"cardinfo-expired", func(v *pages.Visit) { v.CardOf(expired).HasNoCode() }},
			{"cardinfo-delete", func(v *pages.Visit) { v.CardOf(empty).AskDelete(); v.SeesText("确定删除这张卡？") }},
			opens("cardinfo-missing", "/cardinfo?cardid=999999", "未找到这张卡"),
			opens("cardinfo-hostile", "/cardinfo?cardid="+id+"&backImg=javascript:alert(1)&cardName="+
				url.QueryEscape(
					"<img src=x onerror=alert(1)>",
				)+"&data="+url.QueryEscape(`{"id":"`+id+`","pid":99}`), "消费记录"),
			opens("consumptionRecords", "/consumptionRecords?cardId="+id, "平台扣减"),
			opens("consumptionRecords-empty", "/consumptionRecords?cardId="+expired, "暂无消费记录..."),
			opens("rechargeRecords", "/rechargeRecords?cardId="+id, "平台充值"),
			opens("rechargeRecords-empty", "/rechargeRecords?cardId="+expired, "暂无充值记录..."),
			{"package", func(v *pages.Visit) { v.RechargeOf(id).Choose("200") }},
			{"package-custom", func(v *pages.Visit) { v.RechargeOf(id).Type("88.5") }},
			{"couponCode", func(v *pages.Visit) { v.Open("/couponCode"); v.CouponCode() }},
		}
	})
}

// Inside the messaging app: recharging with its pay sheet, and its scanner.
func TestScreens_CardsInApp(t *testing.T) {
	look(t, inApp, func(s *harness.Stack, v *pages.Visit) []scene {
		buyer := s.NewBuyer(harness.WithCard(100_00), harness.WithIdentity(harness.BoundOpenID))
		v.As(buyer)
		id := buyer.CardOf(buyer.Cards[0]).ID
		return []scene{
			{"inapp-personCenter", func(v *pages.Visit) { v.Open("/personCenter"); v.Me() }},
			{"inapp-securitycards", func(v *pages.Visit) { v.Cards().Shows(buyer.Cards[0]) }},
			{"inapp-cardinfo", func(v *pages.Visit) { v.CardOf(id).HasCode() }},
			opens("inapp-consumptionRecords", "/consumptionRecords?cardId="+id, "暂无消费记录..."),
			opens("inapp-rechargeRecords", "/rechargeRecords?cardId="+id, "暂无充值记录..."),
			opens("inapp-couponCode", "/couponCode", "立即绑定"),
			{
				"inapp-securitycards-merge-none",
				func(v *pages.Visit) { v.Open("/securitycards?active=2"); v.SeesText("暂无可合并卡") },
			},
			{"inapp-bindingCard", func(v *pages.Visit) { v.Open("/bindingCard"); v.BindCard(); v.SeesText("绑定须知") }},
			{"inapp-bindingCard-scanner", func(v *pages.Visit) { v.BindCard().Scan(); v.SeesText("二维码或条形码内容") }},
			{"inapp-package", func(v *pages.Visit) { v.RechargeOf(id).Choose("100") }},
			{"inapp-package-paysheet",
				func(v *pages.Visit) { v.Recharge().PayWithoutIdentity(); v.PaymentSheet().ShowsAmount("¥99.00") }},
		}
	})
}

// When the payment provider does not answer.
func TestScreens_CardsFailing(t *testing.T) {
	look(t, inApp, func(s *harness.Stack, v *pages.Visit) []scene {
		buyer := s.NewBuyer(harness.WithCard(100_00), harness.WithIdentity(harness.BoundOpenID))
		v.As(buyer)
		s.PlanFaults(faults.Fault{Provider: "wechat", Operation: "prepay", Do: faults.Status, Status: 500})
		return []scene{
			{"package-failing", func(v *pages.Visit) {
				recharge := v.RechargeOf(buyer.CardOf(buyer.Cards[0]).ID)
				recharge.Choose("100")
				recharge.PayWithoutIdentity()
				v.SeesText("正在确认结果，请稍候")
			}},
		}
	})
}
