package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"marquee/server/durations"
	"marquee/server/httpapi/wire"
)

const (
	// firstAnswersTimeout is how long a page waits for the answers that it carries. The app requests late ones itself.
	firstAnswersTimeout = 150 * time.Millisecond
	// keptPages bounds the memory for pages, each of about 150 KB in all encodings.
	keptPages = 256
	// maxKeptValue is the longest value of an address, in bytes, with which a page is made and kept. The ids of the
	// catalogues are shorter.
	maxKeptValue = 64
)

// The element that holds the answers; it ends with scriptClose.
const answersOpen = `<script type="application/json" id="marquee-answers">`

// firstAnswers are the answers to a screen's first calls at the time of its page, so that the app needs no round trip
// for them. They are the same for every visitor.
type firstAnswers struct {
	At       int64          `json:"at"`      // wire time in unix milliseconds: the app ignores old answers
	Answers  map[string]any `json:"answers"` // envelopes by path, "?" and the encoded fields
	picture  string         // that the screen shows first; "" for none
	pictured any            // the answer that contains the picture
}

// firstPicture is implemented by answers with the picture that their screen shows first.
type firstPicture interface {
	// FirstPicture returns the address of the picture, or "" if there is none.
	FirstPicture() string
}

// chosenPicture is implemented by answers whose screen first shows the picture of the item that the address selects.
type chosenPicture interface {
	// PictureOf returns the address of the picture of the chosen item, or of the first one if chosen is "". It returns
	// "" if there is none.
	PictureOf(chosen string) string
}

// keptPage is a page with its answers, and when the answers were read.
type keptPage struct {
	document document
	at       time.Time // wire time
}

// pageCache keeps the latest pages with answers, by the values that they depend on. Concurrent requests for a page
// share one that is being made.
type pageCache struct {
	pages  *lru.Cache[string, keptPage]
	flight singleflight.Group
}

func newPageCache() *pageCache {
	pages, err := lru.New[string, keptPage](keptPages)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	return &pageCache{pages: pages}
}

// withFirstAnswers returns the document of a route with the answers to its first calls, at most durations.Page old. It
// returns the document without answers if r ends before they are there.
func (p *Pages) withFirstAnswers(rt route, r *http.Request) document {
	if len(rt.FirstCalls) == 0 {
		return rt.document
	}
	query, key := rt.usedQuery(r.URL.Query())
	if len(key) > maxKeptValue*len(rt.queryNames) {
		return rt.document
	}
	inApp := isInApp(r)
	key = fmt.Sprint(rt.Path, "?", key, " ", inApp)
	if kept, ok := p.cache.pages.Get(key); ok {
		// A page with a later time does not count: a clock may be set back.
		if age := p.wireNow().Sub(kept.at); age >= 0 && age < durations.Page {
			return kept.document
		}
	}
	made := p.cache.flight.DoChan(key, func() (any, error) {
		page := p.makePage(context.WithoutCancel(r.Context()), rt, query, inApp) // others wait for it too
		p.cache.pages.Add(key, page)
		return page.document, nil
	})
	select {
	case <-r.Context().Done():
		return rt.document
	case result := <-made:
		return result.Val.(document)
	}
}

// makePage makes the first calls of a route and writes their answers into its document. A call that fails or does not
// answer in time is left out: the app makes it again and handles its failure.
func (p *Pages) makePage(ctx context.Context, rt route, query url.Values, inApp bool) keptPage {
	ctx, cancel := context.WithTimeout(ctx, firstAnswersTimeout)
	defer cancel()
	page := keptPage{rt.document, p.wireNow()}
	v := newVisit(ctx, query, p.cities)
	a := &firstAnswers{At: page.at.UnixMilli(), Answers: map[string]any{}}
	for _, c := range rt.FirstCalls {
		if ctx.Err() != nil {
			break
		}
		fields, made := v.fields(c)
		if !made {
			continue
		}
		data, err := c.answer(ctx, fields)
		if err != nil {
			continue
		}
		a.Answers[c.Path+"?"+fields.Encode()] = wire.BackendOf(c.Path).Success(data)
		if !c.Picture || v.hidesPicture(c) {
			continue
		}
		a.pictured = data
		switch answer := data.(type) {
		case firstPicture:
			a.picture = answer.FirstPicture()
		case chosenPicture:
			a.picture = answer.PictureOf(v.chosen(c))
		}
	}
	text := rt.document.plain
	if rt.placeholder != nil && a.picture != "" {
		filled, err := p.fillPicture(rt, a, inApp)
		if err == nil {
			text = filled
		} else { // the page keeps the placeholder without the picture
			slog.ErrorContext(ctx, "placeholder failed", "screen", rt.Path, "err", err)
		}
	}
	if inApp {
		text = markInApp(text)
	}
	if text, err := a.insertInto(text); err == nil {
		page.document = newDocument(text, quick)
		page.document.inlined = rt.document.inlined
	}
	return page
}

// fillPicture returns the page of a route with its first picture.
func (p *Pages) fillPicture(rt route, a *firstAnswers, inApp bool) ([]byte, error) {
	values, err := a.values(p.simulated, inApp)
	if err != nil {
		return nil, err
	}
	return rt.fillPlaceholder(rt.page, values)
}

// values returns the values for the template of a placeholder with the first picture. Fields of the answer have the
// names of the wire.
func (a *firstAnswers) values(simulated, inApp bool) (map[string]any, error) {
	text, err := json.Marshal(a.pictured)
	if err != nil {
		return nil, fmt.Errorf("httpapi: encode the answer of a placeholder: %w", err)
	}
	var answer any
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, fmt.Errorf("httpapi: decode the answer of a placeholder: %w", err)
	}
	return map[string]any{"picture": a.picture, "answer": answer, "simulated": simulated, "inApp": inApp}, nil
}

// firstScript is the beginning of a page's first script element.
const firstScript = `<script type="module"`

// insertInto writes the answers into a page, and a preload link for the first picture. json.Marshal escapes <, > and
// &, so the answers cannot end their element.
func (a *firstAnswers) insertInto(page []byte) ([]byte, error) {
	block, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("httpapi: encode a page's first answers: %w", err)
	}
	if a.picture != "" {
		const preload = `<link rel="preload" as="image" fetchpriority="high" href="%s">`
		link := fmt.Sprintf(preload, html.EscapeString(a.picture))
		// Before the scripts: a browser without HTTP/2 loads six files at a time.
		at := bytes.Index(page, []byte(firstScript))
		if at < 0 {
			at = bytes.Index(page, []byte("</head>"))
		}
		page = slices.Insert(slices.Clone(page), max(at, 0), []byte(link)...)
	}
	// At the end of the body: the browser requests the files in the head before it reads the answers.
	element := fmt.Appendf(nil, "%s%s%s</body>", answersOpen, block, scriptClose)
	return bytes.Replace(page, []byte("</body>"), element, 1), nil
}
