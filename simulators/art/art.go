// Package art draws the generated country's pictures as SVG: posters of films and stage projects, portraits of their
// casts, banners and tiles. A picture is derived from the seed and its name; no picture is stored.
package art

import (
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5/middleware"

	"marquee/simulators/dataset"
)

// Artist draws the pictures of a country. It is safe for concurrent use.
type Artist struct {
	country *dataset.Country
}

// New returns an Artist that draws the pictures of a country.
func New(country *dataset.Country) *Artist { return &Artist{country: country} }

// gzipLevel compresses a picture in less than a millisecond, to about a quarter.
const gzipLevel = 6

// pack compresses pictures. The worlds (isolated sets of simulated providers) share it, because it needs hundreds of
// kilobytes.
var pack = middleware.Compress(gzipLevel, "image/svg+xml")

// Handler serves GET /art/{kind}/{name}.svg, compressed if the client accepts gzip.
func (a *Artist) Handler() http.Handler {
	return pack(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "GET only", http.StatusMethodNotAllowed)
			return
		}
		picture, ok := a.draw(r.URL.Path)
		if !ok {
			http.NotFound(w, r)
			return
		}
		// The ETag is weak, because a compressed picture has the same one as the uncompressed picture.
		tag := `W/"` + strconv.FormatUint(a.country.Seed(), 36) + `-4"`
		w.Header().Set("Content-Type", "image/svg+xml; charset=utf-8")
		w.Header().Set("Cache-Control", "public, max-age=3600")
		w.Header().Set("Access-Control-Allow-Origin", "*") // pictures are public, and a canvas may read them
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("ETag", tag)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		_, _ = io.WriteString(w, picture)
	}))
}

// draw returns the picture of a path; ok is false for an unknown one.
func (a *Artist) draw(path string) (picture string, ok bool) {
	rest, ok := strings.CutSuffix(strings.TrimPrefix(path, "/art/"), ".svg")
	if !ok {
		return "", false
	}
	kind, name, _ := strings.Cut(rest, "/")
	r := dataset.RandOf(a.country.Seed(), "art", kind, name)
	switch kind {
	case "poster":
		if film, ok := a.country.Film(name); ok {
			return filmPoster(r, film), true
		}
	case "drama":
		for _, d := range a.country.Dramas() {
			if d.ID == name {
				return dramaPoster(r, d), true
			}
		}
	case "avatar": // {film}-{index}: 0 is the director
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
