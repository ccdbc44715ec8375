package art

import (
	"fmt"
	"math"
	"strings"

	"marquee/simulators/dataset"
)

// palette is five colors that go together: from the darkest to the light, and one that stands out.
type palette struct{ deep, dark, mid, light, accent string }

var (
	night = []palette{
		{"#0a1128", "#14274e", "#31507f", "#c9d8f0", "#ffb454"},
		{"#101018", "#2a1f3d", "#5b3a6e", "#f1d9ee", "#ff5d73"},
		{"#06141b", "#0f3443", "#2d6a7a", "#cfeeea", "#ffd166"},
		{"#14080e", "#49111c", "#8c2f39", "#f6d8c6", "#f2b134"},
		{"#0b0f14", "#1c2b36", "#4a6572", "#e3ecef", "#ff7f50"},
	}
	day = []palette{
		{"#16324f", "#2a628f", "#6aa9c9", "#fbe8cf", "#f26b4e"},
		{"#2b2118", "#7a4a2b", "#d08c4f", "#fbe5c0", "#c8442b"},
		{"#1f2f2a", "#3c6e57", "#8fb996", "#f4efd9", "#e07a3f"},
		{"#2d1e2f", "#8a4f7d", "#d58bab", "#ffe9de", "#ef6351"},
		{"#1d2b38", "#47688b", "#a3bccf", "#f8eddd", "#e9b44c"},
	}
	bright = []palette{
		{"#1d3557", "#e63946", "#f4a261", "#fff6e5", "#2a9d8f"},
		{"#22223b", "#3a86ff", "#ffbe0b", "#fff8f0", "#fb5607"},
		{"#2b2d42", "#ef476f", "#06d6a0", "#fefae8", "#ffd166"},
		{"#3d2645", "#f05d5e", "#7cc6b8", "#fdf1dc", "#f7b32b"},
	}
)

// canvas collects the elements of an SVG picture. A color may contain an opacity: "#000000/0.5".
type canvas struct {
	strings.Builder
	r    *dataset.Rand
	p    palette
	w, h int
}

// newCanvas begins a picture of w by h units.
func newCanvas(r *dataset.Rand, p palette, w, h int) *canvas {
	c := &canvas{r: r, p: p, w: w, h: h}
	c.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" `+
		`preserveAspectRatio="xMidYMid slice">`, w, h, w, h)
	return c
}

// end closes the picture and returns its text.
func (c *canvas) end() string {
	c.WriteString("</svg>")
	return c.String()
}

// add appends SVG text as it is. Colors in it must be those of SVG, without an opacity.
func (c *canvas) add(format string, args ...any) { fmt.Fprintf(c, format, args...) }

// faint returns a color with an opacity in per cent.
func faint(color string, percent int) string {
	return fmt.Sprintf("%s/%.2f", color, float64(percent)/100)
}

// paint returns the attributes of a color: fill, stop-color or stroke.
func paint(attribute, color string) string {
	value, opacity, some := strings.Cut(color, "/")
	text := fmt.Sprintf(` %s="%s"`, attribute, value)
	if some {
		text += fmt.Sprintf(` %s-opacity="%s"`, strings.TrimSuffix(attribute, "-color"), opacity)
	}
	return text
}

// gradient defines a vertical gradient of colors at even distances.
func (c *canvas) gradient(id string, colors ...string) {
	c.add(`<linearGradient id="%s" x1="0" y1="0" x2="0" y2="1">%s</linearGradient>`, id, stops(colors))
}

// glow defines a gradient from the middle outwards.
func (c *canvas) glow(id string, colors ...string) {
	c.add(`<radialGradient id="%s">%s</radialGradient>`, id, stops(colors))
}

// stops are the elements of a gradient.
func stops(colors []string) (text string) {
	for i, color := range colors {
		text += fmt.Sprintf(`<stop offset="%d%%"%s/>`, 100*i/(len(colors)-1), paint("stop-color", color))
	}
	return text
}

// rect fills a rectangle; x and y are its upper left corner.
func (c *canvas) rect(x, y, w, h int, fill string) {
	c.add(`<rect x="%d" y="%d" width="%d" height="%d"%s/>`, x, y, w, h, paint("fill", fill))
}

// circle fills a circle around x, y.
func (c *canvas) circle(x, y, r int, fill string) {
	c.add(`<circle cx="%d" cy="%d" r="%d"%s/>`, x, y, r, paint("fill", fill))
}

// path fills the outline that the format describes.
func (c *canvas) path(fill, format string, args ...any) {
	c.add(`<path%s d="%s"/>`, paint("fill", fill), fmt.Sprintf(format, args...))
}

// line draws the outline that the format describes.
func (c *canvas) line(stroke string, width int, format string, args ...any) {
	c.add(`<path%s stroke-width="%d" fill="none" d="%s"/>`, paint("stroke", stroke), width,
		fmt.Sprintf(format, args...))
}

// scatter collects small shapes and draws all of one color as one path, because a browser lays out and paints every
// element separately: hundreds of lit windows would block a slow phone.
type scatter struct {
	colors   []string // in the order of their first shape
	outlines map[string]string
}

// add adds a shape with the outline that the format describes. The opacity is a multiple of a tenth, so that many
// shapes have the same.
func (s *scatter) add(color string, percent int, format string, args ...any) {
	key := faint(color, percent/10*10)
	if s.outlines == nil {
		s.outlines = map[string]string{}
	}
	if s.outlines[key] == "" {
		s.colors = append(s.colors, key)
	}
	s.outlines[key] += fmt.Sprintf(format, args...)
}

// fill fills the shapes.
func (s *scatter) fill(c *canvas) {
	for _, color := range s.colors {
		c.path(color, "%s", s.outlines[color])
	}
}

// line draws the outlines of the shapes.
func (s *scatter) line(c *canvas, width int) {
	for _, color := range s.colors {
		c.line(color, width, "%s", s.outlines[color])
	}
}

// sky paints the canvas with a vertical gradient.
func (c *canvas) sky(colors ...string) {
	c.gradient("sky", colors...)
	c.rect(0, 0, c.w, c.h, "url(#sky)")
}

// ground paints the canvas from y down with a vertical gradient.
func (c *canvas) ground(y int, colors ...string) {
	c.gradient("ground", colors...)
	c.rect(0, y, c.w, c.h-y, "url(#ground)")
}

// person draws a standing figure, its feet at x, y and size high.
func (c *canvas) person(x, y, size int) {
	c.add(`<g transform="translate(%d %d) scale(%.2f)" fill="%s"><circle cx="0" cy="-91" r="9"/>`, x, y,
		float64(size)/100, c.p.deep)
	c.add(`<path d="M-14-76q14-9 28 0l5 38-6 2-4-22 3 58h-9l-3-34-3 34h-9l3-58-4 22-6-2z"/></g>`)
}

// wave paints a closed shape from a wavy line at y down to the bottom.
func (c *canvas) wave(fill string, y, height int) {
	var b strings.Builder
	phase := c.r.Float() * 6
	for x := 0; x <= c.w; x += c.w / 24 {
		fmt.Fprintf(&b, "L%d %d", x, y+int(float64(height)*math.Sin(phase+float64(x)/float64(c.w)*9)))
	}
	c.path(fill, "M0 %d%sL%d %dz", c.h, b.String(), c.w, c.h)
}

// ridge paints a closed shape from a mountain line at y down to the bottom. The line comes from midpoint displacement.
func (c *canvas) ridge(fill string, y, height int) {
	points := []float64{c.r.Float(), c.r.Float()}
	for rough := 0.55; len(points) < 40; rough *= 0.6 {
		next := []float64{points[0]}
		for i := 1; i < len(points); i++ {
			next = append(next, (points[i-1]+points[i])/2+(c.r.Float()-0.5)*rough*2, points[i])
		}
		points = next
	}
	var b strings.Builder
	for i, p := range points {
		fmt.Fprintf(&b, "L%d %d", i*c.w/(len(points)-1), y-int(p*float64(height)))
	}
	c.path(fill, "M0 %d%sL%d %dz", c.h, b.String(), c.w, c.h)
}

// The fonts of the texts.
const (
	serif = `'Noto Serif CJK SC','Source Han Serif SC','Songti SC',STSong,SimSun,serif`
	sans  = `'Noto Sans CJK SC','PingFang SC','Microsoft YaHei',sans-serif`
	brush = `KaiTi,STKaiti,'Kaiti SC','Noto Serif CJK SC','Songti SC',serif`
)

// style is the style of a text. anchor is the SVG text-anchor: "start" or "middle".
type style struct {
	size    int
	fill    string
	family  string
	anchor  string
	spacing int
	weight  int
}

// text writes one line at x, y.
func (c *canvas) text(text string, x, y int, s style) {
	c.add(`<text x="%d" y="%d" font-size="%d"%s font-family="%s" text-anchor="%s" letter-spacing="%d" `+
		`font-weight="%d">%s</text>`,
		x, y, s.size, paint("fill", s.fill), s.family, s.anchor, s.spacing, s.weight, escape(text))
}

// escape makes a text safe inside an element.
func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text)
}
