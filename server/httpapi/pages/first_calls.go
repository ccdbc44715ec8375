package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"time"

	"marquee/server/catalog"
	"marquee/server/httpapi/wire"
)

// firstAnswersTimeout is how long a page waits for the answers that it carries. The app asks for the others itself.
const firstAnswersTimeout = 150 * time.Millisecond

// The element that holds the answers; it ends with scriptClose.
const answersOpen = `<script type="application/json" id="marquee-answers">`

// everything is the page size with which the app asks for all films.
const everything = "99999999"

// firstCall is a call that a screen makes as soon as it opens, with the fields as the app writes them.
type firstCall struct {
	path    string
	fields  url.Values
	picture bool // the screen first shows the picture that the answer names
}

// firstCalls returns the first calls of a screen that need no city. Of those, calls that need no provider come first.
func firstCalls(screen string, query url.Values) []firstCall {
	list := func(path string, fields url.Values) firstCall {
		fields.Set("pageno", "1")
		return firstCall{path: path, fields: fields}
	}
	hotCities := firstCall{path: "/movie/route/Movie/hotcity"}
	switch screen {
	case "", "index":
		return []firstCall{{path: "/movie/route/Movie/sylbt", picture: true}, hotCities}
	case "multiplex":
		return []firstCall{{path: "/movie/route/Movie/yclbt", picture: true}, hotCities}
	case "hotlist":
		return []firstCall{hotCities}
	case "memberindex":
		return []firstCall{{path: "/Kaquan/index", picture: true}}
	case "musicmember":
		return []firstCall{list("/Kaquan/music", url.Values{"pagesize": {"100"}})}
	case "readmember":
		return []firstCall{list("/Kaquan/read", url.Values{"flag": {"1"}, "pagesize": {"500"}})}
	case "movelist":
		return []firstCall{list("/Kaquan/lists", url.Values{"flag": {"2"}, "pagesize": {"100"}})}
	case "memberclass":
		calls := []firstCall{{path: "/Kaquan/classify"}}
		if id := query.Get("id"); id != "" {
			calls = append(calls, list("/Kaquan/lists", url.Values{"fid": {id}, "flag": {"0"}, "pagesize": {"100"}}))
		}
		return calls
	case "couponsdetail":
		return []firstCall{{path: "/Kaquan/show", fields: url.Values{"id": {query.Get("id")}}, picture: true}}
	case "login":
		return []firstCall{{path: "/Login/index"}}
	case "yinsizhengce":
		return []firstCall{{path: "/Login/single", fields: url.Values{"id": {"1"}}}}
	case "useexplain":
		return []firstCall{
			{path: "/Login/single", fields: url.Values{"id": {"2"}}},
			{path: "/movie/route/Movie/guide"},
		}
	}
	return nil
}

// hasCityCalls reports whether cityCalls has calls for a screen.
func hasCityCalls(screen string) bool {
	return screen == "" || screen == "index" || screen == "multiplex" || screen == "hotlist"
}

// cityCalls returns the first calls of a screen that depend on the city.
func cityCalls(screen string, query url.Values, city catalog.City) []firstCall {
	hotFilms := firstCall{path: "/movie/route", fields: url.Values{
		"method": {"film.hot"}, "cityid": {city.LegacyID}, "pageNo": {"1"}, "pageSize": {everything},
	}}
	switch screen {
	case "", "index":
		films := url.Values{"cityId": {city.ID}, "pageSize": {everything}}
		return []firstCall{hotFilms, {path: "/newmovie/api/movie/movies", fields: films}}
	case "hotlist":
		if id := query.Get("cityid"); id == "" || id == city.LegacyID {
			hotFilms.picture = true
			return []firstCall{hotFilms}
		}
	case "multiplex":
		if query.Get("movieId") == "" && query.Get("movieCode") == "" {
			return []firstCall{{path: "/movie/route/Movie/cinema", fields: url.Values{"cityid": {city.ID}}}}
		}
	}
	return nil
}

// firstAnswers are the answers to a screen's first calls at the time of its page, so that the app needs no round trip
// for them. They are the same for every visitor.
type firstAnswers struct {
	At      int64          `json:"at"`      // wire time in unix milliseconds: the app ignores old answers
	Answers map[string]any `json:"answers"` // envelopes by path, "?" and the encoded fields
	picture string
}

// firstPicture is implemented by answers whose screen shows a picture of theirs first.
type firstPicture interface {
	FirstPicture() string // "" for none
}

// withFirstAnswers returns the document with the answers to the first calls of the screen that r opens. A call that
// fails or does not answer in time is left out: the app makes it again and handles its failure.
func (p *Pages) withFirstAnswers(doc document, r *http.Request) document {
	screen, query := screenOf(r), r.URL.Query()
	calls := firstCalls(screen, query)
	if len(calls) == 0 {
		return doc
	}
	ctx, cancel := context.WithTimeout(r.Context(), firstAnswersTimeout)
	defer cancel()
	a := &firstAnswers{At: p.wireNow().UnixMilli(), Answers: map[string]any{}}
	p.collect(a, r.WithContext(ctx), calls)
	if hasCityCalls(screen) {
		if cities, err := p.cities.HotCities(ctx); err == nil && len(cities) > 0 {
			p.collect(a, r.WithContext(ctx), cityCalls(screen, query, cities[0]))
		}
	}
	page, err := a.insertInto(doc.plain)
	if err != nil {
		return doc
	}
	return newDocument(page, quick)
}

func (p *Pages) collect(a *firstAnswers, r *http.Request, calls []firstCall) {
	for _, c := range calls {
		if r.Context().Err() != nil {
			return
		}
		data, err := p.answer(r, c.path, c.fields)
		if err != nil {
			continue
		}
		a.Answers[c.path+"?"+c.fields.Encode()] = wire.BackendOf(c.path).Success(data)
		if shown, ok := data.(firstPicture); ok && c.picture {
			a.picture = shown.FirstPicture()
		}
	}
}

// insertInto writes the answers into a page, and a preload link for the first picture. json.Marshal escapes <, > and
// &, so the answers cannot end their element.
func (a *firstAnswers) insertInto(page []byte) ([]byte, error) {
	block, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("httpapi: encode a page's first answers: %w", err)
	}
	if a.picture != "" {
		const preload = `<link rel="preload" as="image" fetchpriority="high" href="%s"></head>`
		link := fmt.Sprintf(preload, html.EscapeString(a.picture))
		page = bytes.Replace(page, []byte("</head>"), []byte(link), 1)
	}
	// At the end of the body: the browser requests the files in the head before it reads the answers.
	element := fmt.Appendf(nil, "%s%s%s</body>", answersOpen, block, scriptClose)
	return bytes.Replace(page, []byte("</body>"), element, 1), nil
}
