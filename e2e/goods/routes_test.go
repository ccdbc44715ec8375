package goods

import (
	"testing"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// Every route of goods by its address, in both browsers.
func TestRoutes(t *testing.T) {
	t.Parallel()
	pages.BothBrowsers(t, func(t *testing.T, open pages.Opener) {
		s := pages.NewStack(t)
		buyer := s.NewBuyer(harness.WithCard(plenty))
		visit := open(s, buyer)
		visit.Open("/memberindex")
		members := visit.Members()
		members.SeesText("会员福利")
		class := members.Category("教育学习")
		class.Has("知行学堂名师课会员")
		class.MoreTo("充值中心")
		class.Has(calls)
		visit.Open("/musicmember")
		visit.GoodsList("音乐会员").Has(music)
		visit.Open("/readmember")
		reading := visit.GoodsList("阅读会员")
		reading.Has("书海阅读畅读会员")
		reading.Tab("网络工具")
		reading.Has("云上网盘超级会员")
		visit.Open("/movelist")
		visit.GoodsList("充值中心").Has("加油卡充值码")
		visit.Open("/couponsdetail?id=" + s.Catalog.GoodsOf(music))
		visit.SeesText("商品说明")
		id := buyer.BuyGoods(music, "")
		visit.Open("/cardorderinfo?id=" + id)
		visit.CardOrder().HasState("已完成")
	})
}

// Home leads to goods by its tiles, and to the member area.
func TestFromHome(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	visit := pages.Plain(s, phone.Options{}).As(s.NewBuyer())
	visit.Open("/index")
	visit.Home().Tile("电影兑换券")
	visit.Goods("星幕影城电影兑换券")
	visit.Back()
	visit.Home().Members()
	visit.Members()
	visit.Open("/personCenter")
	visit.Me().Open("会员福利")
	visit.Members()
}
