// Package art draws the simulated world's pictures as SVG: posters of films and stage projects, portraits of their
// casts, banners and tiles. A picture follows from the seed and its name; nothing is kept on disk.
package art

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"marquee/simulators/dataset"
)

// Artist draws the pictures of a world.
type Artist struct {
	country *dataset.Country

	mu    sync.Mutex
	drawn map[string][]byte // by path; pictures are small, but a crawl must not keep them all
}

// New returns the artist of a world.
func New(w *dataset.Country) *Artist { return &Artist{country: w, drawn: map[string][]byte{}} }

const keepPictures = 150

// Handler serves GET /art/{kind}/{name}.svg.
func (a *Artist) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "GET only", http.StatusMethodNotAllowed)
			return
		}
		picture, ok := a.picture(r.URL.Path)
		if !ok {
			http.NotFound(w, r)
			return
		}
		tag := `"` + strconv.FormatUint(a.country.Seed(), 36) + `-1"`
		w.Header().Set("Content-Type", "image/svg+xml; charset=utf-8")
		w.Header().Set("Cache-Control", "public, max-age=3600")
		w.Header().Set("Access-Control-Allow-Origin", "*") // pictures are public, and a canvas may want to read them
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = w.Write(picture)
	})
}

func (a *Artist) picture(path string) ([]byte, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if p, ok := a.drawn[path]; ok {
		return p, true
	}
	text, ok := a.draw(path)
	if !ok {
		return nil, false
	}
	if len(a.drawn) >= keepPictures {
		clear(a.drawn)
	}
	a.drawn[path] = []byte(text)
	return a.drawn[path], true
}

// draw makes the picture of a path.
func (a *Artist) draw(path string) (string, bool) {
	rest, ok := strings.CutSuffix(strings.TrimPrefix(path, "/art/"), ".svg")
	if !ok {
		return "", false
	}
	kind, name, _ := strings.Cut(rest, "/")
	r := dataset.RandOf(a.country.Seed(), "art", kind, name)
	switch kind {
	case "poster":
		film, ok := a.country.Film(name)
		if !ok {
			return "", false
		}
		return filmPoster(r, film), true
	case "drama":
		for _, d := range a.country.Dramas() {
			if d.ID == name {
				return dramaPoster(r, d), true
			}
		}
	case "avatar":
		id, index, _ := strings.Cut(name, "-")
		film, ok := a.country.Film(id)
		if n, err := strconv.Atoi(index); ok && err == nil && n >= 0 && n <= len(film.Cast) {
			return avatar(r), true
		}
	case "banner":
		return a.banner(r, name)
	case "tile":
		return tile(r, name)
	case "goods":
		return ware(r, name)
	case "category":
		return category(r, name)
	}
	return "", false
}

// canvas collects the parts of a picture.
type canvas struct {
	strings.Builder
	r    *dataset.Rand
	p    palette
	w, h int
}

func newCanvas(r *dataset.Rand, p palette, w, h int) *canvas {
	c := &canvas{r: r, p: p, w: w, h: h}
	c.add(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" preserveAspectRatio="xMidYMid slice">`, w, h, w, h)
	return c
}

func (c *canvas) add(format string, args ...any) { fmt.Fprintf(c, format, args...) }

func (c *canvas) end() string {
	c.WriteString("</svg>")
	return c.String()
}

// gradient defines a vertical gradient of colours spread evenly; a colour may carry an opacity: "#000/0.5".
func (c *canvas) gradient(id string, colours ...string) {
	c.add(`<linearGradient id="%s" x1="0" y1="0" x2="0" y2="1">`, id)
	c.stops(colours)
	c.add(`</linearGradient>`)
}

// glow defines a gradient from the middle outwards.
func (c *canvas) glow(id string, colours ...string) {
	c.add(`<radialGradient id="%s">`, id)
	c.stops(colours)
	c.add(`</radialGradient>`)
}

func (c *canvas) stops(colours []string) {
	for i, colour := range colours {
		value, opacity, some := strings.Cut(colour, "/")
		c.add(`<stop offset="%d%%" stop-color="%s"`, 100*i/(len(colours)-1), value)
		if some {
			c.add(` stop-opacity="%s"`, opacity)
		}
		c.add(`/>`)
	}
}

func (c *canvas) rect(x, y, w, h int, fill string) {
	c.add(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, x, y, w, h, fill)
}

func (c *canvas) circle(x, y, r int, fill string) {
	c.add(`<circle cx="%d" cy="%d" r="%d" fill="%s"/>`, x, y, r, fill)
}

func (c *canvas) path(fill, format string, args ...any) {
	c.add(`<path fill="%s" d="%s"/>`, fill, fmt.Sprintf(format, args...))
}

// fill paints the whole canvas.
func (c *canvas) fill(colour string) { c.rect(0, 0, c.w, c.h, colour) }

// person is a standing figure, its feet at x, y and size high.
func (c *canvas) person(x, y, size int, fill string) {
	s := float64(size) / 100
	c.add(`<g transform="translate(%d %d) scale(%.2f)" fill="%s"><circle cx="0" cy="-91" r="9"/>`, x, y, s, fill)
	c.add(`<path d="M-14-76q14-9 28 0l5 38-6 2-4-22 3 58h-9l-3-34-3 34h-9l3-58-4 22-6-2z"/></g>`)
}

func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text)
}
