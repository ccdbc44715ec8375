package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tidwall/gjson"

	"marquee/server/catalog"
	"marquee/server/httpapi/wire"
)

// firstAnswersTimeout is how long a page waits for the answers that it carries. The app requests late ones itself.
const firstAnswersTimeout = 150 * time.Millisecond

// firstCall is a call that a screen makes as soon as it opens. The server puts its answer into the page, so that the
// app needs no round trip for it.
type firstCall struct {
	Path string `json:"path"`
	// Fields are exactly those that the app sends: the app ignores an answer to other fields. {query.id} stands for the
	// value id in the query of the address, {city.id} for the id of the first hot city, and {city.legacyId} for the id of
	// that city at the legacy gateway. The server does not make the call if a field is empty.
	Fields map[string]string `json:"fields"`
	// Picture is the first picture of the screen. The placeholder of the page shows it before the app has started.
	Picture struct {
		At    string `json:"at"`    // path of its address in the data of the answer, such as banners.0.img; "" for none
		Shape string `json:"shape"` // how the placeholder shows it, as in web/src/ui/skeleton.css
	} `json:"picture"`
	answer Answer
}

// Cities lists the hot cities. The app shows the first one until the visitor chooses a city.
type Cities interface {
	// HotCities returns the cities that a source marks as popular.
	HotCities(ctx context.Context) ([]catalog.City, error)
}

// Answer makes a public call inside the server and returns the envelope of its answer, which is the same for every
// visitor.
type Answer func(ctx context.Context, fields url.Values) (*wire.Text, error)

// firstAnswers are the answers to the first calls of a screen.
type firstAnswers struct {
	calls     []string // paths, "?" and the encoded fields
	envelopes []*wire.Text

	picture, shape string // the screen's first picture; "" for none
}

// answersOpen begins the element that holds the answers; scriptClose ends it.
const answersOpen = `<script type="application/json" id="marquee-answers">`

// mostFirstCalls is how many first calls a screen may have.
const mostFirstCalls = 4

// writeWithAnswers writes a page with the answers to its first calls. Requests that get the same answers in the same
// second share the page, because most of the time goes into compressing it.
func (p *Pages) writeWithAnswers(w http.ResponseWriter, r *http.Request, pg page) {
	first := p.answer(r.Context(), pg.first, r.URL.Query())
	text, err := p.shared.Get(r.Context(), first.key(pg), func() (*wire.Text, error) {
		page, err := first.insert(pg.plain, p.wireNow())
		return wire.NewText(page), err
	})
	if err != nil {
		pg.write(w, r, http.StatusOK) // the app makes the calls
		return
	}
	pg.permitScript(w.Header())
	wire.WriteText(w, r, text)
}

// key is equal for requests that get the same page with the same answers.
func (f firstAnswers) key(pg page) any {
	key := struct {
		page, calls string
		envelopes   [mostFirstCalls]*wire.Text
	}{page: pg.tag, calls: strings.Join(f.calls, " ")}
	copy(key.envelopes[:], f.envelopes)
	return key
}

// picturePlace is where index.html shows the first picture.
const picturePlace = `<!--picture-->`

// insert returns a page with the answers and with the first picture. The link to the picture is in front of the
// scripts, because without HTTP/2 a browser loads six files at a time. The answers are at the end of the body, so that
// the browser reads the links in the head first.
func (f firstAnswers) insert(page []byte, now time.Time) ([]byte, error) {
	const bodyClose = "</body>"
	link, image := f.pictureElements()
	answers, err := f.element(now)
	page = bytes.Replace(page, []byte(configOpen), []byte(link+configOpen), 1)
	page = bytes.Replace(page, []byte(picturePlace), []byte(image), 1)
	return bytes.Replace(page, []byte(bodyClose), append(answers, bodyClose...), 1), err
}

// answer makes the first calls of a screen, for the query of its address. The page does not carry the answer of a call
// that fails or does not answer in time: the app makes the call again and handles its failure.
func (p *Pages) answer(ctx context.Context, calls []firstCall, query url.Values) (first firstAnswers) {
	ctx, cancel := context.WithTimeout(ctx, firstAnswersTimeout)
	defer cancel()
	firstCity := sync.OnceValue(func() (city catalog.City) {
		if list, err := p.cities.HotCities(ctx); err == nil && len(list) > 0 {
			city = list[0]
		}
		return city
	})
	for _, call := range calls {
		fields, filled := call.fill(query, firstCity)
		if !filled {
			continue
		}
		envelope, err := call.answer(ctx, fields)
		if err != nil {
			continue
		}
		first.calls = append(first.calls, call.Path+"?"+fields.Encode())
		first.envelopes = append(first.envelopes, envelope)
		if at := call.Picture.At; at != "" {
			first.picture, first.shape = gjson.GetBytes(envelope.Plain(), "data."+at).String(), call.Picture.Shape
		}
	}
	return first
}

// fill returns the fields of a call for the query of an address. It returns false if one of them has no value.
func (c firstCall) fill(query url.Values, firstCity func() catalog.City) (url.Values, bool) {
	fields := url.Values{}
	for name, value := range c.Fields {
		switch {
		case value == "{city.id}":
			value = firstCity().ID
		case value == "{city.legacyId}":
			value = firstCity().LegacyID
		case strings.HasPrefix(value, "{query."):
			value = query.Get(strings.TrimSuffix(strings.TrimPrefix(value, "{query."), "}"))
		}
		if value == "" {
			return nil, false
		}
		fields.Set(name, value)
	}
	return fields, true
}

// element returns the element with the answers: {"at":…,"answers":{"call":envelope,…}}. at is wire time in unix
// milliseconds: the app ignores old answers. json.Marshal escapes <, > and &, so that an answer cannot end its element.
func (f firstAnswers) element(now time.Time) ([]byte, error) {
	answers := map[string]json.RawMessage{}
	for i, call := range f.calls {
		answers[call] = f.envelopes[i].Plain()
	}
	block, err := json.Marshal(struct {
		At      int64                      `json:"at"`
		Answers map[string]json.RawMessage `json:"answers"`
	}{now.UnixMilli(), answers})
	return slices.Concat([]byte(answersOpen), block, []byte(scriptClose)), err
}

// pictureElements returns the link to the first picture and the element that shows it. Without a picture, image is
// picturePlace, so that the page does not change.
func (f firstAnswers) pictureElements() (link, image string) {
	if f.picture == "" {
		return "", picturePlace
	}
	address := html.EscapeString(f.picture)
	return `<link rel="preload" as="image" fetchpriority="high" href="` + address + `">`,
		fmt.Sprintf(`<span class="mq-boot__picture mq-boot__picture--%s"><img src="%s" alt=""></span>`, f.shape, address)
}
