package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"time"

	"marquee/server/content"
)

// firstCallsLimit is how long a page waits for the answers that it carries. What comes later the app asks for itself,
// and finds the catalogue's read of it under way.
const firstCallsLimit = 150 * time.Millisecond

const answersOpen = `<script type="application/json" id="marquee-answers">`

// everything is the page size with which the app asks for all films.
const everything = "99999999"

// firstAnswers are what the first calls of a screen are answered at the moment of its page, so that the app needs no
// trip of its own for them. They hold nothing that depends on who asks.
type firstAnswers struct {
	At      int64          `json:"at"`      // wire time in unix milliseconds: the app takes no old ones
	Answers map[string]any `json:"answers"` // envelopes by the call's path and fields
	picture string         // the picture that the screen shows first
}

// firstCalls answers the first calls of the screen that r opens; nil when it has none. A call that fails or takes too
// long is left out: the app makes it and deals with its failure.
func (h *handler) firstCalls(r *http.Request) *firstAnswers {
	ctx, cancel := context.WithTimeout(r.Context(), firstCallsLimit)
	defer cancel()
	a := &firstAnswers{At: h.WireNow().UnixMilli(), Answers: map[string]any{}}
	ask := func(b backend, do run, path string, fields url.Values) {
		if ctx.Err() != nil {
			return
		}
		f := &form{fields: map[string]string{}}
		for name := range fields {
			f.fields[name] = fields.Get(name)
		}
		if data, err := do(ctx, &request{Request: r, form: f}); err == nil && f.err == nil {
			a.Answers[path+"?"+fields.Encode()] = b.success(data)
		}
	}
	banners := func(place content.Place, path string) {
		ask(mainBackend, h.showcase(place), path, nil)
		if list, err := h.Showcase.Banners(ctx, place); err == nil && len(list) > 0 {
			a.picture = list[0].ImageURL
		}
	}
	screen := screenOf(r)
	switch screen { // what asks no provider comes first
	case "", "index":
		banners(content.Home, "/movie/route/Movie/sylbt")
	case "multiplex":
		banners(content.Cinemas, "/movie/route/Movie/yclbt")
	case "hotlist":
	default:
		own := h.ownFirstCalls(screen, r.URL.Query())
		if len(own) == 0 {
			return nil
		}
		for _, c := range own {
			ask(mainBackend, c.do, c.path, c.fields)
		}
		a.picture = h.ownFirstPicture(ctx, screen, r.URL.Query())
		return a
	}
	ask(mainBackend, h.hotCities, "/movie/route/Movie/hotcity", nil)
	cities, err := h.Catalog.HotCities(ctx)
	if err != nil || len(cities) == 0 {
		return a
	}
	city := cities[0] // the one that the app shows to those who have chosen none
	films := url.Values{"method": {"film.hot"}, "cityid": {city.LegacyID}, "pageNo": {"1"}, "pageSize": {everything}}
	switch asked := r.URL.Query(); screen {
	case "hotlist":
		if id := asked.Get("cityid"); id == "" || id == city.LegacyID {
			ask(gatewayBackend, h.gatewayFilms, "/movie/route", films)
			if list, err := h.Catalog.HotFilms(ctx, city.LegacyID); err == nil && len(list) > 0 {
				a.picture = list[0].PosterURL
			}
		}
	case "multiplex":
		if asked.Get("movieId") == "" && asked.Get("movieCode") == "" {
			ask(mainBackend, h.cinemas, "/movie/route/Movie/cinema", url.Values{"cityid": {city.ID}})
		}
	default:
		ask(gatewayBackend, h.gatewayFilms, "/movie/route", films)
		ask(newmovieBackend, h.films, "/newmovie/api/movie/movies", url.Values{"cityId": {city.ID}, "pageSize": {everything}})
	}
	return a
}

// into writes the answers into a page. json.Marshal escapes <, > and &, so nothing in them can end their block.
func (a *firstAnswers) into(page []byte) ([]byte, error) {
	block, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("httpapi: encode a page's first answers: %w", err)
	}
	if a.picture != "" {
		link := fmt.Sprintf(`<link rel="preload" as="image" fetchpriority="high" href="%s"></head>`, html.EscapeString(a.picture))
		page = bytes.Replace(page, []byte("</head>"), []byte(link), 1)
	}
	// At the end: what the head names is under way before the answers are read.
	return bytes.Replace(page, []byte("</body>"), fmt.Appendf(nil, "%s%s%s</body>", answersOpen, block, scriptClose), 1), nil
}
