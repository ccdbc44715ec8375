// Package legacygateway simulates the legacy ticketing gateway: one signed form call for everything, answers that
// are always HTTP 200, and a signed push when tickets are issued. README.md has the protocol.
package legacygateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/provider"
	"marquee/simulators/script"
	"marquee/simulators/testclock"
)

// Name is the provider's name in faults and the journal.
const Name = "gateway"

var zone = dataset.Zone

// Config is what a gateway is made of.
type Config struct {
	Country     *dataset.Country
	Clock       *testclock.Clock
	Plan        *script.Plan
	Journal     *journal.Journal
	Credentials dataset.GatewayCredentials
	Dialect     Dialect
	BaseURL     func() string // where the pictures are served, "http://127.0.0.1:9090"
	PushURL     func() string // where tickets are pushed; "" for nowhere
	Logger      *slog.Logger
}

// Gateway is a simulated gateway.
type Gateway struct {
	c       Config
	office  *boxoffice.Office
	methods map[string]func(call) ([]byte, *refusal)
	reads   reads
	halls   halls
	pushes  pushes
	pusher  http.Client
	life    provider.Lifetime // of the pushes
}

// New returns a gateway whose seats nobody has bought but the seed's other buyers, and declares what can be
// planned for it.
func New(c Config) *Gateway {
	g := &Gateway{c: c, office: boxoffice.New(c.Country, dataset.Gateway), pushes: pushes{pending: map[*PushState]struct{}{}}}
	g.pusher.Timeout = pushTimeout
	g.pusher.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // not the text success
	g.methods = map[string]func(call) ([]byte, *refusal){
		"city.list": plain(g.listCities), "film.hot": plain(g.hotFilms), "drama.list": plain(g.listDramas), "film.detail": plain(g.filmDetail),
		"cinema.list": plain(g.listCinemas), "cinema.detail": plain(g.cinemaDetail), "opi.list.v2": plain(g.listShows), "opi.seat": plain(g.seatMap),
		"seat.lock": g.lock, "seat.unlock": plain(g.unlock), "order.create": g.create, "order.query": plain(g.query), "ticket.issue": g.issue,
	}
	c.Plan.Declare(script.Provider{Name: Name, Operations: operations, Words: words, Effects: effects})
	return g
}

var operations = []string{
	"city.list", "film.hot", "drama.list", "film.detail", "cinema.list", "cinema.detail", "opi.list.v2", "opi.seat",
	"seat.lock", "seat.unlock", "order.create", "order.query", "ticket.issue", pushOperation,
}

// Office is the box office behind it.
func (g *Gateway) Office() *boxoffice.Office { return g.office }

// Handler serves POST /gateway.
func (g *Gateway) Handler() http.Handler {
	return &script.Endpoint{
		Provider: Name, Plan: g.c.Plan, Journal: g.c.Journal, Next: http.HandlerFunc(g.serve),
		Operation: func(_ *http.Request, body []byte) string {
			method := methodOf(body)
			if _, known := g.methods[method]; !known {
				return ""
			}
			return method
		},
		Error: func(w http.ResponseWriter, _ *http.Request, code, message string) {
			if code == "" {
				code = "5001"
			}
			if message == "" {
				message = "系统繁忙，请稍后再试"
			}
			writeRefusal(w, refuse(code, message))
		},
	}
}

func (g *Gateway) serve(w http.ResponseWriter, r *http.Request) {
	note := journal.From(r.Context())
	switch {
	case r.URL.Path != "/gateway" && r.URL.Path != "/gateway/":
		http.NotFound(w, r)
		return
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "POST only", http.StatusMethodNotAllowed)
		return
	}
	data, refused := g.answer(r, note)
	if refused != nil {
		reason := refused.reason
		if reason == "" {
			reason = refused.Error()
		}
		note.Refuse(reason)
		note.Signature = refused.signature
		writeRefusal(w, refused)
		return
	}
	w.Header()["Content-Type"] = jsonType
	w.Header()["Content-Length"] = []string{strconv.Itoa(len(data))}
	_, _ = w.Write(data)
}

// answer is the whole encoded answer of a call.
func (g *Gateway) answer(r *http.Request, note *journal.Note) ([]byte, *refusal) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, refuse("1006", "请使用application/x-www-form-urlencoded")
	}
	form, err := url.ParseQuery(string(note.Body))
	if err != nil {
		return nil, &refusal{code: "1006", msg: "参数格式错误", reason: "the form cannot be decoded: " + err.Error()}
	}
	if note.Operation == "" { // a method that there is not, in the caller's spelling
		note.Operation = cut(form.Get("method"))
	}
	if refused := g.verify(form); refused != nil {
		return nil, refused
	}
	method, ok := g.methods[form.Get("method")]
	if !ok {
		return nil, refuse("1005", "method不存在")
	}
	return method(call{form, note})
}

const maxMethod = 64

// cut is as much of a method's name as the journal shows.
func cut(method string) string {
	if len(method) <= maxMethod {
		return method
	}
	return strings.ToValidUTF8(method[:maxMethod], "") + "…"
}

// call is a verified call.
type call struct {
	url.Values
	note *journal.Note // what the journal will say of it
}

// plain is a method that suffers nothing by itself.
func plain(method func(url.Values) ([]byte, *refusal)) func(call) ([]byte, *refusal) {
	return func(c call) ([]byte, *refusal) { return method(c.Values) }
}

var jsonType = []string{"application/json;charset=UTF-8"}

// methodOf finds the method in a form without decoding the rest; the names of methods need no escaping.
func methodOf(body []byte) string {
	for pair := range bytes.SplitSeq(body, []byte("&")) {
		if method, ok := bytes.CutPrefix(pair, []byte("method=")); ok {
			return string(method)
		}
	}
	return ""
}

type envelope struct {
	Success bool       `json:"success"`
	Error   *errorJSON `json:"error"`
	Data    any        `json:"data"`
}

type errorJSON struct {
	Code string `json:"code"`
	Msg  string `json:"msg"`
}

// success wraps data in the answer's envelope.
func success(data any) []byte {
	encoded, err := json.Marshal(envelope{Success: true, Data: data})
	if err != nil {
		panic(err) // our own types always encode
	}
	return encoded
}

func writeRefusal(w http.ResponseWriter, r *refusal) {
	encoded, err := json.Marshal(envelope{Error: &errorJSON{r.code, r.msg}})
	if err != nil {
		panic(err)
	}
	w.Header()["Content-Type"] = jsonType
	_, _ = w.Write(encoded)
}

// refusals are the gateway's words for what the box office refuses.
var refusals = []struct {
	err       error
	code, msg string
}{
	{boxoffice.ErrNoShow, "2004", "场次不存在"},
	{boxoffice.ErrNoOrder, "4001", "订单不存在"},
	{boxoffice.ErrClosed, "3005", "场次已停售"},
	{boxoffice.ErrSeatTaken, "3001", "座位已被占用"},
	{boxoffice.ErrNoSeat, "3002", "座位不存在"},
	{boxoffice.ErrHalfPair, "3003", "情侣座必须成对购买"},
	{boxoffice.ErrTooMany, "3004", "最多选择4个座位"},
	{boxoffice.ErrOtherSeats, "4004", "订单号已用于其他座位"},
	{boxoffice.ErrState, "4003", "订单状态不允许该操作"},
	{boxoffice.ErrOtherAmount, "4002", "订单金额不符"},
}

func refusalOf(err error) *refusal {
	for _, r := range refusals {
		if errors.Is(err, r.err) {
			return refuse(r.code, r.msg)
		}
	}
	return &refusal{code: "5001", msg: "系统繁忙，请稍后再试", reason: err.Error()}
}
