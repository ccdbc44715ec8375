// Package newmovie simulates the newmovie ticketing provider: JSON both ways, a bearer token that expires, locks
// that are sometimes settled only after the answer. README.md has the protocol.
package newmovie

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/script"
	"marquee/simulators/testclock"
)

// Name is the provider's name in faults and the journal.
const Name = "newmovie"

const prefix = "/newmovie"

// Config is what a provider is made of.
type Config struct {
	Country     *dataset.Country
	Clock       *testclock.Clock
	Plan        *script.Plan
	Journal     *journal.Journal
	Credentials dataset.NewMovieCredentials
	BaseURL     func() string // where the pictures are served, "http://127.0.0.1:9090"
}

// NewMovie is a simulated provider.
type NewMovie struct {
	c      Config
	office *boxoffice.Office
	routes map[string]route // by "GET /api/movie/cities"
	cities func() []byte    // the city list, encoded once

	mu     sync.Mutex
	tokens map[string]time.Time // to their expiry, in business time
	given  int                  // tokens so far
}

// route is one call: its operation is the path without /api/.
type route struct {
	operation string
	open      bool // needs no token
	answer    func(call) ([]byte, *refusal)
}

// call is a decoded call.
type call struct {
	query url.Values
	body  []byte
	note  *journal.Note // what the journal will say of it
}

// New returns a provider whose seats nobody has bought but the seed's other buyers, and declares what can be
// planned for it.
func New(c Config) *NewMovie {
	n := &NewMovie{c: c, office: boxoffice.New(c.Country, dataset.NewMovie), tokens: map[string]time.Time{}}
	n.cities = sync.OnceValue(n.cityList)
	n.routes = map[string]route{}
	for path, r := range map[string]route{
		"POST oauth/token":        {open: true, answer: n.giveToken},
		"GET movie/cities":        {answer: func(call) ([]byte, *refusal) { return n.cities(), nil }},
		"GET movie/movies":        {answer: n.movies},
		"GET movie/coming_movies": {answer: n.comingMovies},
		"GET movie/movie_detail":  {answer: n.movieDetail},
		"GET movie/cinemas":       {answer: n.cinemas},
		"GET movie/cinema_shows":  {answer: n.cinemaShows},
		"GET movie/session":       {answer: n.session},
		"GET seat/map":            {answer: n.seatMap},
		"POST order/lock":         {answer: n.lock},
		"GET order/query":         {answer: n.query},
		"POST order/submit":       {answer: n.submit},
		"POST order/cancel":       {answer: n.cancel},
		"POST ticket/token":       {answer: n.ticketToken},
	} {
		method, rest, _ := strings.Cut(path, " ")
		r.operation = rest
		n.routes[method+" "+prefix+"/api/"+rest] = r
	}
	c.Plan.Declare(script.Provider{Name: Name, Operations: operations, Words: words, Effects: effects, Numeric: true})
	return n
}

var operations = []string{
	"oauth/token", "movie/cities", "movie/movies", "movie/coming_movies", "movie/movie_detail", "movie/cinemas", "movie/cinema_shows",
	"movie/session", "seat/map", "order/lock", "order/query", "order/submit", "order/cancel", "ticket/token",
}

// Office is the box office behind it.
func (n *NewMovie) Office() *boxoffice.Office { return n.office }

// Handler serves everything under /newmovie.
func (n *NewMovie) Handler() http.Handler {
	return &script.Endpoint{
		Provider: Name, Plan: n.c.Plan, Journal: n.c.Journal, Next: http.HandlerFunc(n.serve),
		Operation: func(r *http.Request, _ []byte) string { return n.routes[r.Method+" "+r.URL.Path].operation },
		Error: func(w http.ResponseWriter, _ *http.Request, code, message string) {
			refused := refusal{code: 500001, msg: message}
			if planned, err := strconv.Atoi(code); err == nil { // the plan knows that its codes are numbers
				refused.code = planned
			}
			if message == "" {
				refused.msg = "系统繁忙"
			}
			writeRefusal(w, &refused)
		},
	}
}

func (n *NewMovie) serve(w http.ResponseWriter, r *http.Request) {
	note := journal.From(r.Context())
	found, ok := n.routes[r.Method+" "+r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	data, refused := n.answer(found, r, note)
	if refused != nil {
		reason := refused.reason
		if reason == "" {
			reason = refused.Error()
		}
		note.Refuse(reason)
		writeRefusal(w, refused)
		return
	}
	w.Header()["Content-Type"] = jsonType
	w.Header()["Content-Length"] = []string{strconv.Itoa(len(data))}
	_, _ = w.Write(data)
}

func (n *NewMovie) answer(found route, r *http.Request, note *journal.Note) ([]byte, *refusal) {
	if !found.open {
		if refused := n.admit(note, r.Header.Get("Authorization"), found.operation); refused != nil {
			return nil, refused
		}
	}
	if r.Method == http.MethodPost {
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
			return nil, &refusal{code: 400001, msg: "请使用application/json"}
		}
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, parameter("query")
	}
	return found.answer(call{query: query, body: note.Body, note: note})
}

var jsonType = []string{"application/json;charset=UTF-8"}

// refusal is an error answer.
type refusal struct {
	code   int
	msg    string
	reason string // for the journal; "" means msg
}

func (r *refusal) Error() string { return fmt.Sprintf("%d %s", r.code, r.msg) }

func parameter(name string) *refusal { return &refusal{code: 400001, msg: "参数错误：" + name} }

type envelope struct {
	Code int    `json:"code"`
	Msg  string `json:"msg"`
	Data any    `json:"data"`
}

func success(data any) []byte { return encode(envelope{Msg: "ok", Data: data}) }

func encode(e envelope) []byte {
	encoded, err := json.Marshal(e)
	if err != nil {
		panic(err) // our own types always encode
	}
	return encoded
}

func writeRefusal(w http.ResponseWriter, r *refusal) {
	w.Header()["Content-Type"] = jsonType
	_, _ = w.Write(encode(envelope{Code: r.code, Msg: r.msg}))
}

// refusals are the provider's words for what the box office refuses.
var refusals = []struct {
	err  error
	code int
	msg  string
}{
	{boxoffice.ErrNoShow, 404003, "场次不存在"},
	{boxoffice.ErrNoOrder, 404004, "订单不存在"},
	{boxoffice.ErrClosed, 410001, "场次已停止售票"},
	{boxoffice.ErrSeatTaken, 409001, "座位已被占用"},
	{boxoffice.ErrNoSeat, 422001, "座位不在座位图中"},
	{boxoffice.ErrTwoAreas, 422002, "不可同时选择两个区域的座位"},
	{boxoffice.ErrHalfPair, 422003, "情侣座必须成对购买"},
	{boxoffice.ErrTooMany, 422004, "最多选择4个座位"},
	{boxoffice.ErrState, 409002, "订单状态不允许该操作"},
	{boxoffice.ErrOtherAmount, 409003, "订单金额不符"},
	{boxoffice.ErrOtherSeats, 409004, "订单号已用于其他座位"},
}

func refusalOf(err error) *refusal {
	for _, r := range refusals {
		if errors.Is(err, r.err) {
			return &refusal{code: r.code, msg: r.msg}
		}
	}
	return &refusal{code: 500001, msg: "系统繁忙", reason: err.Error()}
}

// decode reads a JSON body strictly enough to notice a client that sends something else.
func decode(body []byte, into any) *refusal {
	if err := json.Unmarshal(body, into); err != nil {
		return &refusal{code: 400001, msg: "请求体不是合法的JSON", reason: "the body cannot be decoded: " + err.Error()}
	}
	return nil
}
