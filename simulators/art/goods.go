package art

import "marquee/simulators/dataset"

// wares are the goods that a demo shop shows: a brand of our own making, what it sells, and a shape.
var wares = map[string]struct{ brand, line, shape string }{
	"melody": {"青鸟音乐", "豪华绿钻会员", "waves"}, "tune": {"云雀音乐", "畅听会员", "disc"}, "radio": {"耳畔电台", "有声会员", "waves"}, "sing": {"全民欢唱", "超级会员", "disc"},
	"novel": {"书海阅读", "畅读会员", "pages"}, "paper": {"墨香文库", "电子书会员", "pages"}, "class": {"知行学堂", "名师课会员", "grid"}, "word": {"百词记", "背词会员", "grid"},
	"cloud": {"云上网盘", "超级会员", "cloud"}, "speed": {"极速下载", "白金会员", "cloud"}, "office": {"轻办公", "协作会员", "grid"},
	"phone": {"手机话费", "全国通用", "bars"}, "data": {"流量直充", "当月有效", "bars"}, "game": {"畅玩点券", "账号直充", "disc"}, "fuel": {"加油卡", "全国油站", "bars"},
	"cake": {"麦香蛋糕", "电子兑换券", "tiers"}, "coffee": {"晨光咖啡", "中杯兑换券", "tiers"}, "book": {"新知书店", "购书代金券", "pages"}, "cinema": {"星幕影城", "电影兑换券", "disc"},
	"video": {"光影视频", "黄金会员", "disc"},
}

var categories = map[string]string{
	"music": "音", "reading": "阅", "learning": "学", "tools": "网", "recharge": "充", "food": "食", "video": "影",
}

// ware is 400 by 400.
func ware(r *dataset.Rand, name string) (string, bool) {
	w, ok := wares[name]
	if !ok {
		return "", false
	}
	p := dataset.Pick(r, bright)
	c := newCanvas(r, p, 400, 400)
	c.add(`<linearGradient id="bg" x2="1" y2="1"><stop stop-color="%s"/><stop offset="1" stop-color="%s"/></linearGradient>`, p.dark, p.deep)
	c.fill("url(#bg)")
	c.add(`<g fill="none" stroke="%s" stroke-width="10" stroke-linecap="round" opacity="0.9">%s</g>`, p.accent, shapes[w.shape])
	c.rect(40, 286, 44, 7, p.accent)
	c.text(w.brand, 40, 270, 46, p.light, sans, "start", 2, 700)
	c.text(w.line, 40, 340, 27, p.light, sans, "start", 2, 400)
	return c.end(), true
}

var shapes = map[string]string{
	"waves": `<path d="M110 150v-40M150 180v-100M190 160v-60M230 190v-120M270 160v-60M310 145v-30"/>`,
	"disc":  `<circle cx="210" cy="130" r="78"/><circle cx="210" cy="130" r="26"/><path d="M210 52a78 78 0 0 1 78 78"/>`,
	"pages": `<path d="M200 80q-50-30-100-10v110q50-20 100 10 50-30 100-10v-110q-50-20-100 10zM200 80v110"/>`,
	"grid":  `<rect x="120" y="60" width="160" height="130" rx="14"/><path d="M150 100h100M150 130h100M150 160h56"/>`,
	"cloud": `<path d="M140 180h130a42 42 0 0 0 4-84 62 62 0 0 0-118-10 48 48 0 0 0-16 94z"/>`,
	"bars":  `<path d="M120 190v-40M170 190v-70M220 190v-100M270 190v-130"/>`,
	"tiers": `<path d="M120 190h160v-50h-160zM150 140h100v-40h-100zM200 100v-32"/><circle cx="200" cy="56" r="8"/>`,
}

// category is 120 by 120: a sign in a circle.
func category(r *dataset.Rand, name string) (string, bool) {
	sign, ok := categories[name]
	if !ok {
		return "", false
	}
	p := dataset.Pick(r, bright)
	c := newCanvas(r, p, 120, 120)
	c.add(`<linearGradient id="bg" x2="1" y2="1"><stop stop-color="%s"/><stop offset="1" stop-color="%s"/></linearGradient>`, p.mid, p.dark)
	c.circle(60, 60, 60, "url(#bg)")
	c.add(`<text x="60" y="80" font-size="56" font-family="%s" font-weight="700" fill="%s" text-anchor="middle">%s</text>`, sans, p.light, sign)
	return c.end(), true
}
