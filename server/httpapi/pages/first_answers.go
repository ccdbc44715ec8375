package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
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
	// value id in the query of the address, {city.id} and {city.legacyId} for the ids of the first hot city at newmovie
	// and at the legacy gateway. The server does not make the call if a field is empty.
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

// The places of a page where the link to the first picture, the picture and the answers are inserted, in this order.
const (
	beforeLink    = configOpen // the link is inserted in front of it
	picturePlace  = `<!--picture-->`
	beforeAnswers = `</body>`
)

// parts are the four pieces of a page between which the link, the picture and the answers are inserted. Each piece is
// compressed at most once.
type parts struct{ toLink, toPicture, toAnswers, end *wire.Text }

// newParts cuts a page at the three places. A place that the page does not have counts as being at its end.
func newParts(page []byte) parts {
	cut := func(place string, kept int) *wire.Text {
		at := bytes.Index(page, []byte(place))
		if at < 0 {
			at, kept = len(page), 0
		}
		part := wire.NewText(page[:at])
		page = page[at+kept:]
		return part
	}
	return parts{cut(beforeLink, 0), cut(picturePlace, len(picturePlace)), cut(beforeAnswers, 0), wire.NewText(page)}
}

// writeWithAnswers writes a page with the answers to its first calls, and with the picture in its placeholder. The
// answers are at the end of the body, so that the browser reads the links in the head first. Pages and answers are
// texts that are already compressed, because compressing all of a page again would take most of its time.
func (p *Pages) writeWithAnswers(w http.ResponseWriter, r *http.Request, pg page) {
	first := p.answer(r.Context(), pg.first, r.URL.Query())
	pg.permitScript(w.Header())
	link, image := first.pictureElements()
	texts := []*wire.Text{pg.parts.toLink, short(link), pg.parts.toPicture, short(image), pg.parts.toAnswers}
	texts = append(texts, first.element(p.wireNow())...)
	wire.WriteTexts(w, r, append(texts, pg.parts.end)...)
}

func short(text string) *wire.Text { return wire.NewShortText([]byte(text)) }

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
func (f firstAnswers) element(now time.Time) []*wire.Text {
	before := fmt.Sprintf(`%s{"at":%d,"answers":{`, answersOpen, now.UnixMilli())
	var texts []*wire.Text
	for i, call := range f.calls {
		name, _ := json.Marshal(call) // a string has no error
		texts = append(texts, short(before+string(name)+":"), f.envelopes[i])
		before = ","
	}
	if len(f.calls) > 0 {
		before = ""
	}
	return append(texts, short(before+"}}"+scriptClose))
}

// pictureElements returns the link to the first picture and the element that shows it, or the placeholder if there is
// none. The link is in front of the scripts: without HTTP/2 a browser loads six files at a time.
func (f firstAnswers) pictureElements() (link, image string) {
	if f.picture == "" {
		return "", picturePlace
	}
	address := html.EscapeString(f.picture)
	return `<link rel="preload" as="image" fetchpriority="high" href="` + address + `">`,
		fmt.Sprintf(`<span class="mq-boot__picture mq-boot__picture--%s"><img src="%s" alt=""></span>`, f.shape, address)
}
