package art

import (
	"fmt"
	"strings"

	"marquee/simulators/dataset"
)

const (
	posterWidth  = 600
	posterHeight = 900

	serif = `'Noto Serif CJK SC','Source Han Serif SC','Songti SC',STSong,SimSun,serif`
	sans  = `'Noto Sans CJK SC','PingFang SC','Microsoft YaHei',sans-serif`
	brush = `KaiTi,STKaiti,'Kaiti SC','Noto Serif CJK SC','Songti SC',serif`
)

// words is what stands on a poster.
type words struct {
	title, second, line, credits, when string
}

func filmPoster(r *dataset.Rand, f dataset.Film) string {
	stars := f.Stars()
	return poster(r, f.Composition, words{
		title: f.Name, second: strings.ToUpper(f.English), line: strings.Join(f.Categories, " · "),
		credits: "导演 " + f.Director.Name + "　主演 " + strings.Join(stars[:min(3, len(stars))], " "),
		when:    fmt.Sprintf("%d月%d日　%s", f.Released.Month(), f.Released.Day(), f.Edition),
	})
}

func dramaPoster(r *dataset.Rand, d dataset.Drama) string {
	return poster(r, d.Composition, words{
		title: d.Name, second: d.Kind, line: d.Line, credits: d.Venue, when: fmt.Sprintf("%d月%d日 %s", d.Starts.Month(), d.Starts.Day(), d.Starts.Format("15:04")),
	})
}

// poster is a scene under one of four settings of the title.
func poster(r *dataset.Rand, composition string, t words) string {
	s, p := sceneOf(r, composition)
	c := newCanvas(r, p, posterWidth, posterHeight)
	s.draw(c)
	c.gradient("shade", p.deep+"/0", p.deep+"/0.55", p.deep+"/0.95")
	c.rect(0, posterHeight*62/100, posterWidth, posterHeight*38/100, "url(#shade)")
	top := p.deep
	if s.dark {
		top = p.light
	}
	setting := r.N(4)
	if s.busy && setting < 3 {
		setting = 0
	}
	switch setting {
	case 0: // large at the foot
		c.title(t.title, posterWidth/2, 748, 540, p.light, serif, 700)
		c.text(t.second, posterWidth/2, 786, 17, p.accent, sans, "middle", 5, 500)
	case 1: // upright at one side
		c.upright(t, top, p.accent)
	case 2: // heavy across the top
		c.gradient("roof", coverOf(s, p)+"/0.8", coverOf(s, p)+"/0")
		c.rect(0, 0, posterWidth, 300, "url(#roof)")
		c.text(t.second, posterWidth/2, 42, 15, top, sans, "middle", 6, 500)
		c.title(t.title, posterWidth/2, 178, 550, top, sans, 900)
	default: // at the foot between two lines, to the left
		c.rect(40, 660, 64, 6, p.accent)
		c.leftTitle(t.title, 40, 752, 520, p.light, brush)
		c.text(t.second, 42, 790, 17, p.light, sans, "start", 3, 400)
	}
	c.text(t.line, posterWidth/2, 822, 15, p.light, sans, "middle", 4, 400)
	c.text(t.credits, posterWidth/2, 848, 15, p.light, sans, "middle", 1, 400)
	c.text(t.when, posterWidth/2, 878, 17, p.accent, sans, "middle", 3, 700)
	return c.end()
}

// coverOf is the colour that lifts a title at the top off the picture.
func coverOf(s scene, p palette) string {
	if s.dark {
		return p.deep
	}
	return p.light
}

// text writes one line.
func (c *canvas) text(text string, x, y, size int, fill, family, anchor string, spacing, weight int) {
	c.add(`<text x="%d" y="%d" font-size="%d" fill="%s" font-family="%s" text-anchor="%s" letter-spacing="%d" font-weight="%d">%s</text>`,
		x, y, size, fill, family, anchor, spacing, weight, escape(text))
}

// title writes a line as large as fits the width.
func (c *canvas) title(text string, x, y, width int, fill, family string, weight int) {
	n := len([]rune(text))
	size := min(150, width/n)
	c.text(text, x+size/24, y, size*94/100, fill, family, "middle", size/12, weight)
}

func (c *canvas) leftTitle(text string, x, y, width int, fill, family string) {
	n := len([]rune(text))
	size := min(128, width/n)
	c.text(text, x, y, size*94/100, fill, family, "start", size/16, 700)
}

// upright sets the title from top to bottom with the second line beside it.
func (c *canvas) upright(t words, fill, accent string) {
	title := []rune(t.title)
	size := min(104, 560/len(title))
	x := c.w - size*7/10 - 24
	if c.r.Chance(0.5) {
		x = size*7/10 + 24
	}
	for i, char := range title {
		c.add(`<text x="%d" y="%d" font-size="%d" fill="%s" stroke="%s" stroke-opacity="0.25" stroke-width="6" paint-order="stroke" font-family="%s" text-anchor="middle" font-weight="700">%c</text>`,
			x, 70+size/2+i*size*108/100, size, fill, c.p.mid, serif, char)
	}
	side := x + size*6/10
	if x > c.w/2 {
		side = x - size*8/10
	}
	c.add(`<text transform="translate(%d 62) rotate(90)" font-size="15" fill="%s" font-family="%s" letter-spacing="4">%s</text>`, side, fill, sans, escape(t.second))
	c.add(`<rect x="%d" y="%d" width="34" height="34" rx="4" fill="%s"/>`, x-17, 60+len(title)*size*108/100+size/4, accent)
	c.text("影", x, 60+len(title)*size*108/100+size/4+25, 22, c.p.light, serif, "middle", 0, 700)
}
