package app

import (
	"context"
	"fmt"
	"slices"

	"marquee/server/goods"
	"marquee/server/money"
)

// demoCategory is a category of a simulated shop with its goods.
type demoCategory struct {
	code, name string
	wares      []ware
}

// ware is one of the demo goods; art names its picture.
type ware struct {
	art            string
	shelf          goods.Shelf
	typ            goods.Type
	scope          goods.Scope
	title, product string
	about          string
	specs          []spec
}

type spec struct {
	name  string
	price money.Fen
	days  int
}

func monthly(month, season, year money.Fen) []spec {
	return []spec{{"月卡", month, 31}, {"季卡", season, 92}, {"年卡", year, 366}}
}

var demoGoods = []demoCategory{
	{"music", "音乐会员", []ware{
		{"melody", goods.Music, goods.VirtualCode, "any", "青鸟音乐豪华会员", "无损音质，全曲库畅听", "兑换码到账后在青鸟音乐 App「我的—兑换」中使用。", monthly(1500, 4200, 14800)},
		{"tune", goods.Music, goods.VirtualCode, "any", "云雀音乐畅听会员", "每月 500 首付费歌曲下载", "兑换码自购买之日起有效，逾期作废。", monthly(1200, 3400, 11800)},
		{"radio", goods.Music, goods.AccountRecharge, "any", "耳畔电台有声会员", "十万小时有声书", "请填写注册耳畔电台的手机号，充值成功后立即生效。", monthly(1800, 4900, 16800)},
		{"sing", goods.Music, goods.AccountRecharge, "any", "全民欢唱超级会员", "去广告、高清伴奏", "请填写全民欢唱账号。", monthly(900, 2500, 8800)},
	}},
	{"reading", "阅读会员", []ware{
		{"novel", goods.Reading, goods.VirtualCode, "book", "书海阅读畅读会员", "百万册图书免费读", "图书卡可用。兑换码在书海阅读 App 中使用。", monthly(1900, 5400, 18800)},
		{"paper", goods.Reading, goods.VirtualCode, "book", "墨香文库电子书会员", "新书首发，三端同步", "图书卡可用。", monthly(2500, 6800, 22800)},
	}},
	{"learning", "教育学习", []ware{
		{"class", goods.Reading, goods.AccountRecharge, "book", "知行学堂名师课会员", "名师直播与回放", "图书卡可用。请填写知行学堂账号。", monthly(3900, 9900, 36800)},
		{"word", goods.Reading, goods.VirtualCode, "any", "百词记背词会员", "科学记忆曲线", "兑换码在百词记 App「设置—兑换」中使用。", monthly(600, 1600, 5800)},
	}},
	{"tools", "网络工具", []ware{
		{"cloud", goods.Tools, goods.AccountRecharge, "any", "云上网盘超级会员", "5T 空间，极速下载", "请填写网盘账号绑定的手机号。", monthly(2500, 6800, 24800)},
		{"speed", goods.Tools, goods.VirtualCode, "any", "极速下载白金会员", "离线空间翻倍", "兑换码一次有效。", monthly(1500, 4200, 14900)},
		{"office", goods.Tools, goods.VirtualCode, "any", "轻办公协作会员", "海量模板，多人协作", "兑换码一次有效。", monthly(1990, 5490, 17900)},
	}},
	{"video", "视频会员", []ware{
		{"video", goods.Other, goods.AccountRecharge, "movie", "光影视频黄金会员", "院线新片抢先看", "电影卡可用。请填写光影视频账号。", monthly(2500, 6800, 24800)},
		{"cinema", goods.Other, goods.VirtualCode, "movie", "星幕影城电影兑换券", "2D/3D 通兑一张", "电影卡可用。到店出示券码，特殊场次除外。", []spec{{"单人券", 3990, 90}, {"双人券", 7680, 90}}},
	}},
	{"food", "美食优惠", []ware{
		{"cake", goods.Other, goods.VirtualCode, "cake", "麦香蛋糕 2 磅兑换券", "奶油水果蛋糕一只", "蛋糕卡可用。请提前一天预约。", []spec{{"2 磅", 16800, 180}, {"3 磅", 23800, 180}}},
		{"coffee", goods.Other, goods.VirtualCode, "any", "晨光咖啡中杯券", "拿铁、美式任选", "门店核销，外带亦可。", []spec{{"1 张", 1690, 60}, {"5 张", 7900, 60}}},
		{"book", goods.Other, goods.VirtualCode, "book", "新知书店购书代金券", "全场图书可用", "图书卡可用。", []spec{{"50 元", 4750, 365}, {"100 元", 9400, 365}}},
	}},
	{"recharge", "充值中心", []ware{
		{"phone", goods.Recharge, goods.AccountRecharge, "any", "手机话费直充", "全国通用，即时到账", "请填写要充值的手机号。", []spec{{"30 元", 2985, 0}, {"50 元", 4975, 0}, {"100 元", 9940, 0}}},
		{"data", goods.Recharge, goods.AccountRecharge, "any", "手机流量直充", "当月有效", "请填写要充值的手机号。", []spec{{"1 GB", 990, 31}, {"5 GB", 3900, 31}}},
		{"game", goods.Recharge, goods.AccountRecharge, "any", "畅玩点券直充", "游戏点券", "请填写游戏账号。", []spec{{"60 点", 600, 0}, {"300 点", 2980, 0}}},
		{"fuel", goods.Recharge, goods.VirtualCode, "any", "加油卡充值码", "全国油站", "在油站 App 中使用充值码。", []spec{{"100 元", 9850, 365}, {"200 元", 19700, 365}}},
	}},
}

// What each specification of the demo goods has to sell.
const (
	demoStock = 500
	demoCodes = 60
)

const seeder = "seed"

// seedGoods takes in the demo goods as the back office would, and returns their ids by name. What is there stays.
func (a *App) seedGoods(ctx context.Context) (map[string]int64, error) {
	have, ids := map[string]bool{}, map[string]int64{}
	offers, err := a.goods.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("seed goods: %w", err)
	}
	for _, o := range offers {
		have[o.SKU.Code], ids[o.Goods.Code] = true, o.Goods.ID
	}
	for i, c := range demoGoods {
		if !slices.ContainsFunc(c.wares, func(w ware) bool { return w.missing(have) }) {
			continue
		}
		if _, err := a.goods.PutCategory(ctx, goods.Category{Code: c.code, Name: c.name, ImageURL: a.art("category/" + c.code), Position: i}, seeder); err != nil {
			return nil, fmt.Errorf("seed category %s: %w", c.code, err)
		}
		for j, w := range c.wares {
			if !w.missing(have) {
				continue
			}
			id, err := a.seedWare(ctx, c.code, w, j, have)
			if err != nil {
				return nil, fmt.Errorf("seed goods %s: %w", w.art, err)
			}
			ids[w.art] = id
		}
	}
	return ids, nil
}

func (a *App) seedWare(ctx context.Context, category string, w ware, position int, have map[string]bool) (int64, error) {
	id, err := a.goods.PutGoods(ctx, category, goods.Goods{
		Code: w.art, Shelf: w.shelf, Type: w.typ, Scope: w.scope, Title: w.title, ImageURL: a.art("goods/" + w.art), Product: w.product,
		Spec: w.specs[0].name, HTML: about(w), Position: position, OnSale: true,
	}, seeder)
	if err != nil {
		return 0, err
	}
	for i, k := range w.specs {
		sku := w.sku(i)
		if have[sku] {
			continue
		}
		if _, err := a.goods.PutSKU(ctx, w.art, goods.SKU{
			Code: sku, Name: k.name, Spec: k.name, Price: k.price, ValidDays: k.days, Position: i, OnSale: true,
		}, seeder); err != nil {
			return 0, err
		}
		if w.typ == goods.AccountRecharge {
			err = a.goods.SetStock(ctx, sku, demoStock, seeder)
		} else {
			err = a.goods.AddCodes(ctx, sku, demoCodesOf(sku), seeder)
		}
		if err != nil {
			return 0, err
		}
	}
	return id, nil
}

func (w ware) sku(i int) string { return fmt.Sprintf("%s-%d", w.art, i+1) }

// missing reports whether not everything of the ware is there.
func (w ware) missing(have map[string]bool) bool {
	for i := range w.specs {
		if !have[w.sku(i)] {
			return true
		}
	}
	return false
}

func about(w ware) string {
	how := "<li>付款后立即获得兑换码，可在订单详情中复制。</li>"
	if w.typ == goods.AccountRecharge {
		how = "<li>付款后自动充值到您填写的账号，请仔细核对，充错不退。</li>"
	}
	return "<h3>商品说明</h3><p>" + w.product + "。" + w.about + "</p><h3>使用须知</h3><ul>" + how +
		"<li>虚拟商品一经售出，不支持退换。</li><li>客服时间：全年 9:00-21:00。</li></ul>"
}

func demoCodesOf(sku string) []goods.Code {
	list := make([]goods.Code, 0, demoCodes)
	for n := range demoCodes {
		c := goods.Code{Num: fmt.Sprintf("DEMO%s%04d", sku, n), Pass: fmt.Sprintf("%08d", (n+1)*7919%100_000_000)}
		if n%3 == 2 {
			c.Pass = "https://redeem.example/" + c.Num
		}
		list = append(list, c)
	}
	return list
}
