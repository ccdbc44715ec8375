package art

import "marquee/simulators/dataset"

// drawing is a picture of a thing in a square of 400 units, with its middle at x 200 and y 158. Each field is the data
// of an SVG path, or "".
type drawing struct {
	body          string // white
	lines, shapes string // on the body, in the color of the ground
	rays, parts   string // next to the body, lines and shapes of the accent's color
}

// handset is the outline of a mobile phone.
const handset = "M154 58h92a18 18 0 0 1 18 18v164a18 18 0 0 1-18 18h-92a18 18 0 0 1-18-18v-164a18 18 0 0 1 18-18z"

var drawings = map[string]drawing{
	"note": {body: "M158 92l116-26v134a31 27 0 1 1-24-26v-72l-68 15v96a31 27 0 1 1-24-26z",
		rays: "M112 110v44M92 124v16"},
	"disc": {
		body:  "M112 158a88 88 0 1 0 176 0a88 88 0 1 0-176 0z",
		lines: "M142 158a58 58 0 0 1 58-58M258 158a58 58 0 0 1-58 58", shapes: "M200 128a30 30 0 1 0 1 0z",
	},
	"headphones": {
		body: "M104 168a96 96 0 0 1 192 0v50h-26v-50a70 70 0 0 0-140 0v50h-26z",
		parts: "M106 176h30a10 10 0 0 1 10 10v54a10 10 0 0 1-10 10h-16a16 16 0 0 1-16-16z" +
			"M294 176h-30a10 10 0 0 0-10 10v54a10 10 0 0 0 10 10h16a16 16 0 0 0 16-16z",
	},
	"microphone": {
		body: "M164 94a36 36 0 0 1 72 0v62a36 36 0 0 1-72 0z", lines: "M186 96h28M186 122h28",
		rays: "M138 148a62 62 0 0 0 124 0M200 212v36M162 250h76",
	},
	"book": {
		body:  "M194 100c-30-22-64-26-98-18v140c34-8 68-4 98 18zM206 100c30-22 64-26 98-18v140c-34-8-68-4-98 18z",
		lines: "M118 118c20-3 38 0 54 8M118 150c20-3 38 0 54 8M282 118c-20-3-38 0-54 8M282 150c-20-3-38 0-54 8",
	},
	"reader": {
		body:  "M146 66h108a16 16 0 0 1 16 16v156a16 16 0 0 1-16 16h-108a16 16 0 0 1-16-16v-156a16 16 0 0 1 16-16z",
		lines: "M158 104h84M158 136h84M158 168h50M190 230h20",
	},
	"cap": {
		body: "M200 78l112 50-112 50-112-50zM138 162v46c20 30 104 30 124 0v-46l-62 28z", rays: "M302 144v52M302 220v4",
	},
	"cards": {
		body: "M126 90l96-20a14 14 0 0 1 17 11l28 132a14 14 0 0 1-11 17l-96 20a14 14 0 0 1-17-11l-28-132" +
			"a14 14 0 0 1 11-17z",
		lines: "M160 198l26-84 52 68M172 172l48-10", rays: "M270 102l24 110",
	},
	"cloud": {
		body:  "M150 226h112a50 50 0 0 0 6-100 74 74 0 0 0-142-12 56 56 0 0 0 24 112z",
		lines: "M200 204v-70M170 160l30-30 30 30",
	},
	"bolt": {body: "M222 58l-98 116h62l-18 88 110-132h-68z", rays: "M98 118h36M84 154h22M98 206h22"},
	"chart": {
		body:  "M128 66h100l48 48v126a14 14 0 0 1-14 14h-134a14 14 0 0 1-14-14v-160a14 14 0 0 1 14-14z",
		lines: "M156 218v-40M194 218v-80M232 218v-56",
	},
	"smartphone": {
		body: handset, lines: "M166 196v-24M189 196v-48M212 196v-72M235 196v-96M192 234h16",
	},
	"signal": {
		body: handset, lines: "M182 190v-86l-18 20M218 106v86l18-20M192 234h16",
	},
	"gamepad": {
		body: "M150 98h100c34 0 54 24 60 60l10 58c4 28-30 40-48 18l-28-34h-88l-28 34c-18 22-52 10-48-18l10-58" +
			"c6-36 26-60 60-60z",
		lines: "M156 128v40M136 148h40M244 134v1M264 160v1",
	},
	"pump": {
		body: "M134 62h84a14 14 0 0 1 14 14v178h-112v-178a14 14 0 0 1 14-14z", shapes: "M146 90h60v46h-60z",
		rays: "M238 156h8a16 16 0 0 1 16 16v40a17 17 0 0 0 34 0v-90l-32-30",
	},
	"play": {
		body:   "M116 82h168a20 20 0 0 1 20 20v112a20 20 0 0 1-20 20h-168a20 20 0 0 1-20-20v-112a20 20 0 0 1 20-20z",
		shapes: "M178 118l66 40-66 40z", rays: "M160 258h80",
	},
	"stub": {
		body: "M104 92h192a14 14 0 0 1 14 14v30a22 22 0 0 0 0 44v30a14 14 0 0 1-14 14h-192a14 14 0 0 1-14-14v-30" +
			"a22 22 0 0 0 0-44v-30a14 14 0 0 1 14-14z",
		shapes: "M200 112l14 30 33 4-24 23 6 33-29-16-29 16 6-33-24-23 33-4z",
	},
	"cake": {
		body:  "M112 176h176v58a14 14 0 0 1-14 14h-148a14 14 0 0 1-14-14zM138 118h124v48h-124z",
		lines: "M124 198c26 24 50 24 76 0 26 24 50 24 76 0", rays: "M200 104v-24M200 62v-2",
	},
	"cup": {
		body:   "M136 84h128v-8a14 14 0 0 0-14-14h-100a14 14 0 0 0-14 14zM144 98h112l-16 156h-80z",
		shapes: "M150 140h100l-6 62h-88z",
	},
	"volume": {
		body:  "M112 214h176v34h-176zM128 172h152v34h-152zM116 130h152v34h-152zM132 88h140v34h-140z",
		lines: "M152 105h22M136 147h22M148 189h22M132 231h22",
	},
}

// The colors of goods by their category. White text is legible on the first two colors of each.
var shades = map[string]palette{
	"music":    {"#7b1440", "#d6335f", "#f58fa8", "#ffffff", "#ffd166"},
	"reading":  {"#0d4f45", "#1c8a6e", "#7fd1b4", "#ffffff", "#ffd97a"},
	"learning": {"#16327a", "#3466d6", "#93b4f5", "#ffffff", "#ffd166"},
	"tools":    {"#0b4a66", "#1583a8", "#86cfe6", "#ffffff", "#ffe08a"},
	"video":    {"#3a1b78", "#7446d1", "#bda3f2", "#ffffff", "#ffcf5c"},
	"food":     {"#7a3413", "#c9622a", "#f5b98a", "#ffffff", "#ffe3a3"},
	"recharge": {"#7a1d16", "#d24a2f", "#f7a58d", "#ffffff", "#ffe08a"},
}

// categories are the goods categories of the demo shop, by name, with their drawings.
var categories = map[string]string{
	"music": "note", "reading": "book", "learning": "cap", "tools": "cloud", "recharge": "smartphone", "food": "cake",
	"video": "play",
}

// wares are the goods that a demo shop shows: an invented brand, the category and the drawing.
var wares = map[string]struct{ brand, category, drawing string }{
	"melody": {"青鸟音乐", "music", "note"}, "tune": {"云雀音乐", "music", "disc"},
	"radio": {"耳畔电台", "music", "headphones"}, "sing": {"全民欢唱", "music", "microphone"},
	"novel": {"书海阅读", "reading", "book"}, "paper": {"墨香文库", "reading", "reader"},
	"class": {"知行学堂", "learning", "cap"}, "word": {"百词记", "learning", "cards"},
	"cloud": {"云上网盘", "tools", "cloud"}, "speed": {"极速下载", "tools", "bolt"}, "office": {"轻办公", "tools", "chart"},
	"phone": {"手机话费", "recharge", "smartphone"}, "data": {"流量直充", "recharge", "signal"},
	"game": {"畅玩点券", "recharge", "gamepad"}, "fuel": {"加油卡", "recharge", "pump"},
	"cake": {"麦香蛋糕", "food", "cake"}, "coffee": {"晨光咖啡", "food", "cup"}, "book": {"新知书店", "food", "volume"},
	"cinema": {"星幕影城", "video", "stub"}, "video": {"光影视频", "video", "play"},
}

// shaded returns a square canvas of a size in the colors of a category.
func shaded(r *dataset.Rand, category string, size int) *canvas {
	c := newCanvas(r, shades[category], size, size)
	c.add(`<linearGradient id="bg" x2="1" y2="1">%s</linearGradient>`, stops([]string{c.p.dark, c.p.deep}))
	return c
}

// draw adds the drawing with a name in drawings.
func (c *canvas) draw(name string) {
	const width = 12 // of a line
	d := drawings[name]
	c.add(`<g stroke-linecap="round" stroke-linejoin="round">`)
	c.path(c.p.light, "%s", d.body)
	c.path(c.p.dark, "%s", d.shapes)
	c.path(c.p.accent, "%s", d.parts)
	c.line(c.p.dark, width, "%s", d.lines)
	c.line(c.p.accent, width, "%s", d.rays)
	c.add(`</g>`)
}

// ware draws a product of a demo shop, 400 by 400. Pages show it as a square, or its middle at 5:4.
func ware(r *dataset.Rand, name string) (string, bool) {
	w, ok := wares[name]
	if !ok {
		return "", false
	}
	c := shaded(r, w.category, 400)
	c.rect(0, 0, 400, 400, "url(#bg)")
	c.circle(r.Between(300, 360), r.Between(20, 80), r.Between(90, 130), faint(c.p.mid, 30))
	c.circle(r.Between(20, 90), r.Between(320, 390), r.Between(80, 120), faint(c.p.deep, 45))
	c.add(`<g transform="translate(0 6)">`)
	c.draw(w.drawing)
	c.add(`</g>`)
	c.text(w.brand, 200, 336, style{52, c.p.light, sans, "middle", 2, 700})
	return c.end(), true
}

// category draws the drawing of a category in a circle, 120 by 120.
func category(r *dataset.Rand, name string) (string, bool) {
	drawn, ok := categories[name]
	if !ok {
		return "", false
	}
	c := shaded(r, name, 120)
	c.circle(60, 60, 60, "url(#bg)")
	c.add(`<g transform="translate(-4 9) scale(.32)">`)
	c.draw(drawn)
	c.add(`</g>`)
	return c.end(), true
}
