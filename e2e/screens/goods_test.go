package screens

import (
	"testing"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
)

// Goods: lists, the detail page, and the payment sheet.
func TestScreens_Goods(t *testing.T) {
	look(t, pages.Plain, func(s *harness.Stack, v *pages.Visit) []scene {
		for _, sku := range []string{"sing-1", "sing-2", "sing-3", "phone-2"} {
			s.Backoffice.CountStock(sku, 0)
		}
		s.Backoffice.CountStock("phone-3", 6)
		buyer := s.NewBuyer(harness.WithCard(300_00), harness.WithCard(10_00))
		v.As(buyer)
		var list pages.GoodsList
		var goods pages.Goods
		var pay pages.Payment
		return []scene{
			{"memberindex", func(v *pages.Visit) { v.Open("/memberindex"); v.Members() }},
			{"musicmember", func(v *pages.Visit) { v.Open("/musicmember"); v.GoodsList("音乐会员") }},
			{"readmember", func(v *pages.Visit) { v.Open("/readmember"); list = v.GoodsList("阅读会员") }},
			{"readmember-tools", func(*pages.Visit) { list.Tab("网络工具"); list.Has("云上网盘超级会员") }},
			{"memberClass", func(v *pages.Visit) { v.Open("/memberClass?index=2"); list = v.GoodsList("会员分类") }},
			{"memberClass-more", func(*pages.Visit) { list.More() }},
			{"movelist", func(v *pages.Visit) { v.Open("/movelist"); v.GoodsList("充值中心") }},
			{"couponsDetail", func(v *pages.Visit) { v.OpenGoods("青鸟音乐豪华会员") }},
			{"couponsDetail-sold-out", func(v *pages.Visit) { v.OpenGoods("全民欢唱超级会员").SoldOut() }},
			opens("couponsDetail-gone", "/couponsDetail?id=99999", "商品不存在或已下架"),
			{"couponsDetail-sku", func(v *pages.Visit) {
				goods = v.OpenGoods("手机话费直充")
				goods.Buy()
				goods.Specification("100 元")
				goods.Account("1380013800")
				goods.ToPayment()
				v.SeesText("请输入正确的手机号")
			}},
			{"couponsDetail-pay", func(*pages.Visit) { goods.Account("13800138000"); pay = goods.Pay() }},
			{"couponsDetail-pay-combined", func(*pages.Visit) { pay.UseCards(buyer.Cards[1]); pay.UsesApp() }},
			{"couponsDetail-password", func(v *pages.Visit) {
				v.Reload()
				goods.Buy()
				pay = goods.Pay()
				pay.UseCards(buyer.Cards[0])
				pay.Pay()
				pay.TypePassword("135790")
				v.SeesText("支付密码错误")
			}},
		}
	})
}

// Orders of goods in their states.
func TestScreens_GoodsOrders(t *testing.T) {
	look(t, pages.Plain, func(s *harness.Stack, v *pages.Visit) []scene {
		buyer := s.NewBuyer(harness.WithCard(1000_00), harness.WithIdentity(harness.BoundOpenID))
		recharged := buyer.BuyGoods("手机话费直充", "13800138000")
		buyer.AwaitCardOrder(recharged, 4)
		refunded := buyer.BuyGoods("手机话费直充", "13800130000")
		buyer.AwaitCardOrder(refunded, 7)
		password := buyer.BuyGoods("青鸟音乐豪华会员", "")
		buyer.BuyGoods("青鸟音乐豪华会员", "")
		link := buyer.BuyGoods("青鸟音乐豪华会员", "") // every third code of the demo has a link
		cancelled := buyer.OrderGoods("晨光咖啡中杯券", "")
		buyer.Cancel(cancelled)
		pending := buyer.OrderGoods("手机话费直充", "13800138000")
		v.As(buyer)
		order := func(name, id string) scene {
			return scene{
				"cardorderinfo-" + name,
				func(v *pages.Visit) { v.Open("/cardorderinfo?id=" + id); v.CardOrder() },
			}
		}
		return []scene{
			order("password", password),
			order("link", link),
			order("recharged", recharged),
			order("refunded", refunded),
			order("cancelled", cancelled),
			order("pending", pending),
			{"cardorderinfo-pay", func(v *pages.Visit) { pages.CardOrder{Visit: v}.Pay() }},
			{"orderInfo-goods", func(v *pages.Visit) { v.Open("/orderInfo?tabIndex=0"); v.Orders().Count(7) }},
			{"orderInfo-kind", func(v *pages.Visit) { v.Open("/orderInfo?tabIndex=0&kind=goods"); v.Orders().Count(7) }},
		}
	})
}

// A buyer without a card looks at goods.
func TestScreens_GoodsWithoutACard(t *testing.T) {
	look(t, pages.Plain, func(s *harness.Stack, v *pages.Visit) []scene {
		v.As(s.NewBuyer())
		return []scene{
			{"couponsDetail-no-cards", func(v *pages.Visit) {
				goods := v.OpenGoods("青鸟音乐豪华会员")
				goods.Buy()
				goods.Pay()
				v.SeesText("暂无可用福利卡")
			}},
		}
	})
}
