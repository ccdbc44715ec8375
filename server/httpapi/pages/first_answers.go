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

// firstCall is a call that a screen makes as soon as it opens. The page carries its answer, so that the app needs no
// round trip for it.
type firstCall struct {
	Path string `json:"path"`
	// Fields are as the app sends them. {query.id} stands for a value of the address, {city.id} and {city.legacyId} for
	// the first hot city. A call with an empty field is left out.
	Fields  map[string]string `json:"fields"`
	Picture struct {
		At    string `json:"at"`    // where the data has the screen's first picture, such as banners.0.img; "" for none
		Shape string `json:"shape"` // of the picture in the placeholder, as in web/src/ui/skeleton.css
	} `json:"picture"`
	answer Answer
}

// Cities lists the hot cities. The app shows the first one until the visitor chooses a city.
type Cities interface {
	// HotCities returns the cities that a source marks as popular.
	HotCities(ctx context.Context) ([]catalog.City, error)
}

// Answer makes a public call inside the server. Its data is the same for every visitor.
type Answer func(ctx context.Context, fields url.Values) (data any, err error)

// firstAnswers are the answers to the first calls of a screen.
type firstAnswers struct {
	At      int64                      `json:"at"`      // wire time in unix milliseconds: the app ignores old answers
	Answers map[string]json.RawMessage `json:"answers"` // envelopes by path, "?" and the encoded fields

	picture, shape string // the screen's first picture; "" for none
}

// The element that holds the answers; it ends with scriptClose.
const answersOpen = `<script type="application/json" id="marquee-answers">`

// writeWithAnswers writes the page of an address with the answers to its first calls.
func (p *Pages) writeWithAnswers(w http.ResponseWriter, r *http.Request) {
	pg := p.pages[screenAt(r.URL.Path)]
	first := p.answer(r.Context(), pg.first, r.URL.Query())
	pg.permitScript(w.Header())
	_, _ = w.Write(first.putInto(pg.plain)) // an error means that the client has disconnected
}

// answer makes the first calls of a screen, for the query of its address. A call that fails or does not answer in time
// is left out: the app makes it again and handles its failure.
func (p *Pages) answer(ctx context.Context, calls []firstCall, query url.Values) firstAnswers {
	ctx, cancel := context.WithTimeout(ctx, firstAnswersTimeout)
	defer cancel()
	firstCity := sync.OnceValue(func() (city catalog.City) {
		if list, err := p.cities.HotCities(ctx); err == nil && len(list) > 0 {
			city = list[0]
		}
		return city
	})
	first := firstAnswers{At: p.wireNow().UnixMilli(), Answers: map[string]json.RawMessage{}}
	for _, call := range calls {
		fields, filled := call.fill(query, firstCity)
		if !filled {
			continue
		}
		data, err := call.answer(ctx, fields)
		if err != nil {
			continue
		}
		envelope, err := json.Marshal(wire.BackendOf(call.Path).Success(data))
		if err != nil {
			continue
		}
		first.Answers[call.Path+"?"+fields.Encode()] = envelope
		if at := call.Picture.At; at != "" {
			first.picture, first.shape = gjson.GetBytes(envelope, "data."+at).String(), call.Picture.Shape
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

// putInto returns a page with the answers at the end of its body, so that the browser reads the links in the head first,
// and with the picture in its placeholder. json.Marshal escapes <, > and &, so that an answer cannot end its element.
func (f firstAnswers) putInto(page []byte) []byte {
	if block, err := json.Marshal(f); err == nil {
		element := slices.Concat([]byte(answersOpen), block, []byte(scriptClose+"</body>"))
		page = bytes.Replace(page, []byte("</body>"), element, 1)
	}
	if f.picture == "" {
		return page
	}
	// The link is in front of the scripts: without HTTP/2 a browser loads six files at a time.
	address := html.EscapeString(f.picture)
	link := `<link rel="preload" as="image" fetchpriority="high" href="` + address + `">`
	page = bytes.Replace(page, []byte(configOpen), []byte(link+configOpen), 1)
	image := fmt.Sprintf(
		`<span class="mq-boot__picture mq-boot__picture--%s"><img src="%s" alt=""></span>`, f.shape, address)
	return bytes.Replace(page, []byte("<!--picture-->"), []byte(image), 1)
}
