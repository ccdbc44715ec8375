package art

import (
	"fmt"
	"strings"

	"marquee/simulators/dataset"
)

const (
	posterWidth  = 600
	posterHeight = 900
)

// posterText is the text of a poster. second is the smaller title, such as the English one.
type posterText struct {
	title, second, line, credits, when string
}

// filmPoster draws the poster of a film.
func filmPoster(r *dataset.Rand, f dataset.Film) string {
	stars := f.Stars()
	return poster(r, f.Composition, posterText{
		title: f.Name, second: strings.ToUpper(f.English), line: strings.Join(f.Categories, " · "),
		credits: "导演 " + f.Director.Name + "　主演 " + strings.Join(stars[:min(3, len(stars))], " "),
		when:    fmt.Sprintf("%d月%d日　%s", f.Released.Month(), f.Released.Day(), f.Edition),
	})
}

// dramaPoster draws the poster of a stage project.
func dramaPoster(r *dataset.Rand, d dataset.Drama) string {
	return poster(r, d.Composition, posterText{
		title: d.Name, second: d.Kind, line: d.Line, credits: d.Venue,
		when: fmt.Sprintf("%d月%d日 %s", d.Starts.Month(), d.Starts.Day(), d.Starts.Format("15:04")),
	})
}

// poster draws a scene under one of four layouts of the title.
func poster(r *dataset.Rand, composition string, t posterText) string {
	s, p := sceneOf(r, composition)
	c := newCanvas(r, p, posterWidth, posterHeight)
	s.draw(c)
	c.gradient("shade", faint(p.deep, 0), faint(p.deep, 55), faint(p.deep, 95))
	c.rect(0, posterHeight*62/100, posterWidth, posterHeight*38/100, "url(#shade)")
	top, cover := p.deep, p.light
	if s.dark {
		top, cover = p.light, p.deep
	}
	middle := func(text string, y, size int, fill, family string, spacing, weight int) {
		c.text(text, posterWidth/2, y, style{size, fill, family, "middle", spacing, weight})
	}
	length := len([]rune(t.title))
	layout := r.N(4)
	if s.busy && layout < 3 {
		layout = 0
	}
	switch layout {
	case 0: // large at the foot
		size := min(150, 540/length)
		middle(t.title, 748, size*94/100, p.light, serif, size/12, 700)
		middle(t.second, 786, 17, p.accent, sans, 5, 500)
	case 1: // upright at one side
		uprightTitle(c, t, top)
	case 2: // heavy across the top
		size := min(150, 550/length)
		c.gradient("roof", faint(cover, 80), faint(cover, 0))
		c.rect(0, 0, posterWidth, 300, "url(#roof)")
		middle(t.second, 42, 15, top, sans, 6, 500)
		middle(t.title, 178, size*94/100, top, sans, size/12, 900)
	default: // at the foot, to the left
		size := min(128, 520/length)
		c.rect(40, 660, 64, 6, p.accent)
		c.text(t.title, 40, 752, style{size * 94 / 100, p.light, brush, "start", size / 16, 700})
		c.text(t.second, 42, 790, style{17, p.light, sans, "start", 3, 400})
	}
	middle(t.line, 822, 15, p.light, sans, 4, 400)
	middle(t.credits, 848, 15, p.light, sans, 1, 400)
	middle(t.when, 878, 17, p.accent, sans, 3, 700)
	return c.end()
}

// uprightTitle sets the title from top to bottom, with the second line next to it and a seal below.
func uprightTitle(c *canvas, t posterText, fill string) {
	title := []rune(t.title)
	size := min(104, 560/len(title))
	x, side := c.w-size*7/10-24, c.w-size*15/10-24
	if c.r.Chance(0.5) {
		x, side = size*7/10+24, size*13/10+24
	}
	for i, char := range title {
		c.text(string(char), x, 70+size/2+i*size*108/100, style{size, fill, serif, "middle", 0, 700})
	}
	c.add(`<text transform="translate(%d 62) rotate(90)" font-size="15" fill="%s" font-family="%s" `+
		`letter-spacing="4">%s</text>`, side, fill, sans, escape(t.second))
	foot := 60 + len(title)*size*108/100 + size/4
	c.rect(x-17, foot, 34, 34, c.p.accent)
	c.text("影", x, foot+25, style{22, c.p.light, serif, "middle", 0, 700})
}
