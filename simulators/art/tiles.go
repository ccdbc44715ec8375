package art

import (
	"fmt"

	"marquee/simulators/dataset"
)

// avatar draws a portrait of a cast member, 200 by 200.
func avatar(r *dataset.Rand) string {
	p := dataset.Pick(r, append(append([]palette{}, day...), bright...))
	skin := dataset.Pick(r, []string{"#f6d3b8", "#eec1a0", "#e3ad86", "#fadfc9"})
	hair := dataset.Pick(r, []string{"#1d1a1a", "#2e211b", "#4a3527", "#6b6460", "#23252e"})
	c := newCanvas(r, p, 200, 200)
	c.sky(p.light, p.mid)
	c.circle(r.Between(20, 180), r.Between(20, 90), r.Between(30, 70), p.mid)
	c.circle(r.Between(20, 180), r.Between(20, 160), r.Between(10, 30), p.accent)
	long := r.Chance(0.5)
	if long {
		c.path(hair, "M56 90q0-56 44-56t44 56v70h-88z")
	}
	c.path(dataset.Pick(r, []string{p.dark, p.deep, p.accent}), "M24 200q6-54 60-60h32q54 6 60 60z") // shoulders
	c.path(p.light, "M84 140l16 26 16-26 6 4-22 40-22-40z")                                          // collar
	c.path(skin, "M86 118h28v24l-14 14-14-14z")                                                      // neck
	c.path(skin, "M66 92a34 40 0 1 0 68 0a34 40 0 1 0-68 0z")                                        // face
	if long {
		c.path(hair, "M64 96q-2-52 36-52t36 52q-6-26-26-36-22 18-46 36z")
	} else {
		c.path(hair, "%s", dataset.Pick(r, []string{
			"M64 88q-4-46 36-46t36 46q-8-22-22-26-20 8-40 4-8 6-10 22z",
			"M64 84q2-44 40-42 36 2 32 42-6-18-14-22l-42-4q-14 8-16 26z",
			"M62 92q-6-54 38-54t38 54q-4-20-10-28-30 10-56-4-8 10-10 32z",
		}))
	}
	const ink = "#2a2220"
	eyes := r.Between(92, 97)
	c.circle(87, eyes, 3, ink)
	c.circle(113, eyes, 3, ink)
	c.line(ink, 2, "M80 %dq7-5 13 0M107 %dq6-5 13 0", eyes-10, eyes-10) // brows
	c.line(ink, 2, "M91 116q9 %d 18 0", r.Between(2, 9))                // mouth
	switch {
	case r.Chance(0.25): // glasses
		c.line(p.deep, 2, "M77 %da10 10 0 1 0 20 0a10 10 0 1 0-20 0M103 %da10 10 0 1 0 20 0a10 10 0 1 0-20 0M97 %dh6",
			eyes, eyes, eyes)
	case !long && r.Chance(0.2): // beard
		c.path(hair, "M82 112q18-10 36 0-4 22-18 22t-18-22z")
		c.path(skin, "M90 116h20q-4 8-10 8t-10-8z")
	}
	return c.end()
}

// banners are the banners of the demo shop, by name.
var banners = map[string]struct{ composition, line, small string }{
	"welcome": {"city", "今晚，去看一场电影", "选座 · 出票 · 入场，一分钟"},
	"cards":   {"geometry", "福利卡抵扣", "一点抵一元，组合支付"},
	"presale": {"mountain", "新片预售进行中", "提前锁定好座位"},
	"cinema":  {"lantern", "附近的影院", "离你最近，马上开场"},
	"imax":    {"space", "巨幕场次", "好座先选"},
	"members": {"geometry", "会员福利社", "音乐 · 阅读 · 生活，点数可抵"},
	"reading": {"mountain", "读一本好书", "畅读会员，随时开始"},
	"drama":   {"lantern", "走进剧场", "话剧 · 舞剧 · 音乐会"},
}

// banner draws a banner by its name, or the banner of a film by the film's id, 750 by 320.
func (a *Artist) banner(r *dataset.Rand, name string) (string, bool) {
	b, ok := banners[name]
	if film, found := a.country.Film(name); found {
		b.composition, b.line, b.small, ok = film.Composition, film.Name, film.English, true
	}
	if !ok {
		return "", false
	}
	s, p := sceneOf(r, b.composition)
	c := newCanvas(r, p, 750, 320)
	c.h = 800 // the scene is drawn higher than the banner, which shows its middle
	c.add(`<g transform="translate(0 -240)">`)
	s.draw(c)
	c.add(`</g><linearGradient id="side">%s</linearGradient>`,
		stops([]string{faint(p.deep, 96), faint(p.deep, 92), faint(p.deep, 60), faint(p.deep, 0)}))
	c.rect(0, 0, 750, 320, "url(#side)")
	c.rect(48, 92, 48, 6, p.accent)
	c.text(b.line, 46, 168, style{min(58, 460/len([]rune(b.line))+8), p.light, serif, "start", 2, 700})
	c.text(b.small, 48, 214, style{24, p.light, sans, "start", 2, 400})
	return c.end(), true
}

// newTile returns a canvas with a gradient from corner to corner.
func newTile(r *dataset.Rand, w, h int) *canvas {
	p := dataset.Pick(r, bright)
	c := newCanvas(r, p, w, h)
	c.add(`<linearGradient id="bg" x2="1" y2="1">%s</linearGradient>`, stops([]string{p.dark, p.deep}))
	return c
}

// tiles are the card types of the demo shop, by name.
var tiles = map[string]struct{ char, label string }{
	"super": {"超", "超级卡"}, "movie": {"影", "电影卡"}, "voucher": {"券", "电影券"}, "cake": {"糕", "蛋糕卡"}, "book": {"书", "图书卡"},
	"enjoy": {"享", "悦享卡"}, "premium": {"尊", "尊享券"}, "music": {"音", "音乐会员"}, "read": {"读", "阅读会员"},
	"member": {"会", "会员"},
}

// tile draws a card with its name, 300 by 200.
func tile(r *dataset.Rand, name string) (string, bool) {
	t, ok := tiles[name]
	if !ok {
		return "", false
	}
	c := newTile(r, 300, 200)
	c.rect(0, 0, 300, 200, "url(#bg)")
	for i := range 4 {
		c.circle(300-r.N(120), r.N(200), 30+24*i, faint([]string{c.p.mid, c.p.accent}[i%2], 34-6*i))
	}
	c.text(t.char, 214, 150, style{132, faint(c.p.light, 22), serif, "middle", 0, 700})
	c.text(t.label, 26, 66, style{34, c.p.light, sans, "start", 2, 700})
	c.rect(26, 84, 34, 5, c.p.accent)
	c.text(fmt.Sprintf("NO. %s", r.Text("0123456789", 8)), 26, 174, style{16, c.p.light, sans, "start", 2, 400})
	return c.end(), true
}
