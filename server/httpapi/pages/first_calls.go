package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"time"

	"marquee/server/httpapi/wire"
)

// firstAnswersTimeout is how long a page waits for the answers that it carries. The app asks for the others itself.
const firstAnswersTimeout = 150 * time.Millisecond

// The element that holds the answers; it ends with scriptClose.
const answersOpen = `<script type="application/json" id="marquee-answers">`

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

// withFirstAnswers returns the document of a route with the answers to its first calls. A call that
// fails or does not answer in time is left out: the app makes it again and handles its failure.
func (p *Pages) withFirstAnswers(rt route, r *http.Request) document {
	if len(rt.FirstCalls) == 0 {
		return rt.document
	}
	ctx, cancel := context.WithTimeout(r.Context(), firstAnswersTimeout)
	defer cancel()
	r = r.WithContext(ctx)
	v := newVisit(r, p.cities)
	a := &firstAnswers{At: p.wireNow().UnixMilli(), Answers: map[string]any{}}
	for _, c := range rt.FirstCalls {
		if ctx.Err() != nil {
			break
		}
		fields, made := v.fields(c)
		if !made {
			continue
		}
		data, err := c.answer(r, fields)
		if err != nil {
			continue
		}
		a.Answers[c.Path+"?"+fields.Encode()] = wire.BackendOf(c.Path).Success(data)
		if shown, ok := data.(firstPicture); ok && c.Picture {
			a.picture = shown.FirstPicture()
		}
	}
	page, err := a.insertInto(rt.document.plain)
	if err != nil {
		return rt.document
	}
	return newDocument(page, quick)
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
