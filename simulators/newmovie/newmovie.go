// Package newmovie simulates the newmovie ticketing provider: JSON requests and answers, a bearer token that expires,
// and locks that are sometimes decided only after the answer (DOING). README.md has the protocol.
package newmovie

import (
	"cmp"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
	"marquee/simulators/ticketing"
)

// Name is the provider's name in faults and the journal.
const Name = "newmovie"

// prefix is the start of every path of the provider.
const prefix = "/newmovie"

// Config configures a provider.
type Config struct {
	Country     *dataset.Country
	Clock       *testclock.Clock
	Plan        *faults.Plan
	Journal     *journal.Journal
	Credentials dataset.NewMovieCredentials
	BaseURL     func() string // where the pictures are served, "http://127.0.0.1:9090"
}

// NewMovie is a simulated provider. It is safe for concurrent use.
type NewMovie struct {
	c       Config
	tokens  *tokens
	catalog catalog
	orders  orders
	routes  map[string]route // by "GET /newmovie/api/movie/cities"
}

// route is one call. Its operation in faults and the journal is the path without /newmovie/api/.
type route struct {
	method, operation string
	answer            func(call) ([]byte, *journal.Rejection)
}

// call is a call whose token was checked and whose query was decoded.
type call struct {
	query url.Values
	note  *journal.Note // contains the body
}

// opToken is the operation that needs no bearer token.
const opToken = "oauth/token"

// New returns a provider whose only sold seats are those that the seed sells to other buyers, and declares its faults
// to the plan.
func New(c Config) *NewMovie {
	office := boxoffice.New(c.Country, dataset.NewMovie)
	n := &NewMovie{
		c: c, routes: map[string]route{},
		tokens: &tokens{seed: c.Country.Seed(), clock: c.Clock, plan: c.Plan, credentials: c.Credentials,
			expiry: map[string]time.Time{}},
		catalog: catalog{country: c.Country, office: office, plan: c.Plan, baseURL: c.BaseURL},
	}
	n.orders = orders{
		sales: ticketing.Orders{Office: office, Plan: c.Plan, Provider: Name}, country: c.Country, clock: c.Clock,
		baseURL: c.BaseURL,
	}
	operations := []string{}
	for _, r := range []route{
		{http.MethodPost, opToken, n.tokens.issue},
		{http.MethodGet, "movie/cities", n.catalog.cities},
		{http.MethodGet, "movie/movies", n.catalog.movies},
		{http.MethodGet, "movie/coming_movies", n.catalog.comingMovies},
		{http.MethodGet, "movie/movie_detail", n.catalog.movieDetail},
		{http.MethodGet, "movie/cinemas", n.catalog.cinemas},
		{http.MethodGet, "movie/cinema_shows", n.catalog.cinemaShows},
		{http.MethodGet, opSession, n.catalog.session},
		{http.MethodGet, "seat/map", n.catalog.seatMap},
		{http.MethodPost, opLock, n.orders.lock},
		{http.MethodGet, "order/query", n.orders.query},
		{http.MethodGet, opOrderList, n.orders.list},
		{http.MethodPost, opSubmit, n.orders.submit},
		{http.MethodPost, "order/cancel", n.orders.cancel},
		{http.MethodPost, "ticket/token", n.orders.ticketToken},
	} {
		n.routes[r.method+" "+prefix+"/api/"+r.operation] = r
		operations = append(operations, r.operation)
	}
	withToken := operations[1:]
	declared := faults.NewProvider(Name, operations,
		append(domainFaults(withToken), ticketing.ListFaults(opOrderList)...)...)
	declared.Numeric = true
	declared.Simulated = append(declared.Simulated, n.Handler().Operation)
	c.Plan.Declare(declared)
	return n
}

// Office is the box office behind the provider.
func (n *NewMovie) Office() *boxoffice.Office { return n.orders.sales.Office }

// Handler serves everything under /newmovie.
func (n *NewMovie) Handler() *faults.Endpoint {
	return &faults.Endpoint{
		Provider: Name, Plan: n.c.Plan, Journal: n.c.Journal, Next: http.HandlerFunc(n.serve), BadBody: "400001",
		Operation: func(r *http.Request, _ []byte) string { return n.routes[r.Method+" "+r.URL.Path].operation },
		Authenticate: func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
			note := journal.From(r.Context())
			rejected := n.tokens.check(note, r.Header.Get("Authorization"), "")
			if rejected != nil {
				rejected.Record(note)
				writeRejection(w, rejected)
			}
			return rejected == nil
		},
		Error: func(w http.ResponseWriter, _ *http.Request, code, message string) {
			rejected := *busy
			if _, err := strconv.Atoi(code); err == nil {
				rejected.Code = code
			} else if code == faults.CodeNotSimulated {
				rejected.Code = codeNotSimulated
			}
			rejected.Message = cmp.Or(message, rejections.Text(rejected.Code, otherRejections...))
			writeRejection(w, &rejected)
		},
	}
}

// serve answers a known call with HTTP status 200, whether it succeeds or is rejected.
func (n *NewMovie) serve(w http.ResponseWriter, r *http.Request) {
	found := n.routes[r.Method+" "+r.URL.Path]
	note := journal.From(r.Context())
	data, rejected := n.answer(found, r, note)
	if rejected != nil {
		rejected.Record(note)
		writeRejection(w, rejected)
		return
	}
	ticketing.Write(w, data)
}

// answer checks token, content type and query, and runs the call.
func (n *NewMovie) answer(found route, r *http.Request, note *journal.Note) ([]byte, *journal.Rejection) {
	if found.operation != opToken {
		if rejected := n.tokens.check(note, r.Header.Get("Authorization"), found.operation); rejected != nil {
			return nil, rejected
		}
	}
	if r.Method == http.MethodPost {
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
			return nil, journal.NewRejection("400001", "请使用application/json")
		}
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, malformed("query")
	}
	return found.answer(call{query, note})
}

// envelope wraps every answer. Code 0 is success.
type envelope struct {
	Code int    `json:"code"`
	Msg  string `json:"msg"`
	Data any    `json:"data"`
}

// success wraps data in the answer's envelope.
func success(data any) []byte { return ticketing.Encode(envelope{Msg: "ok", Data: data}) }

// writeRejection sends a rejection in the envelope.
func writeRejection(w http.ResponseWriter, r *journal.Rejection) {
	code, err := strconv.Atoi(r.Code)
	if err != nil {
		panic(err) // this package's codes are numbers
	}
	ticketing.Write(w, ticketing.Encode(envelope{Code: code, Msg: r.Message}))
}

// malformed is the rejection of a parameter that is missing or malformed.
func malformed(name string) *journal.Rejection {
	return journal.NewRejection("400001", "参数错误："+name)
}

// codeNotSimulated is the code of a call that is not simulated. The real provider does not have it.
const codeNotSimulated = "501001"

var (
	busy     = journal.NewRejection("500001", "系统繁忙")
	noFilm   = journal.NewRejection("404001", "影片不存在")
	noCinema = journal.NewRejection("404002", "影院不存在")
	noCity   = journal.NewRejection("404005", "城市不存在")
)

// otherRejections are the texts of the provider's other codes, for planned errors.
var otherRejections = []*journal.Rejection{
	busy, noFilm, noCinema, noCity, journal.NewRejection("400001", "参数错误"), journal.NewRejection("401001", "缺少token"),
	journal.NewRejection("401002", "token已过期"), journal.NewRejection("401003", "token无效"),
	journal.NewRejection("401004", "entId或appSecret错误"),
}

// rejections are the provider's codes for errors of the box office.
var rejections = ticketing.Rejections{
	boxoffice.ErrNoShow:      journal.NewRejection("404003", "场次不存在"),
	boxoffice.ErrNoOrder:     journal.NewRejection("404004", "订单不存在"),
	boxoffice.ErrClosed:      journal.NewRejection("410001", "场次已停止售票"),
	boxoffice.ErrSeatTaken:   journal.NewRejection("409001", "座位已被占用"),
	boxoffice.ErrNoSeat:      journal.NewRejection("422001", "座位不在座位图中"),
	boxoffice.ErrTwoAreas:    journal.NewRejection("422002", "不可同时选择两个区域的座位"),
	boxoffice.ErrHalfPair:    journal.NewRejection("422003", "情侣座必须成对购买"),
	boxoffice.ErrTooMany:     journal.NewRejection("422004", "最多选择4个座位"),
	boxoffice.ErrState:       journal.NewRejection("409002", "订单状态不允许该操作"),
	boxoffice.ErrOtherAmount: journal.NewRejection("409003", "订单金额不符"),
	boxoffice.ErrOtherSeats:  journal.NewRejection("409004", "订单号已用于其他座位"),
}

// rejectionOf is the provider's rejection for an error of the box office.
func rejectionOf(err error) *journal.Rejection { return rejections.Of(err, busy) }

// decode reads the JSON body of a call.
func decode(c call, into any) *journal.Rejection {
	if err := json.Unmarshal(c.note.Body, into); err != nil {
		return &journal.Rejection{Code: "400001", Message: "请求体不是合法的JSON", Reason: "the body cannot be decoded: " +
			err.Error()}
	}
	return nil
}

// State is the provider's part of a snapshot.
type State struct {
	Office boxoffice.Snapshot   `json:"office"`
	Tokens map[string]time.Time `json:"tokens"` // to their expiry, in business time
	Issued int                  `json:"given"`  // how many tokens were issued so far
}

// Save returns the current state of the provider.
func (n *NewMovie) Save() State {
	saved := State{Office: n.Office().Save()}
	n.tokens.save(&saved)
	return saved
}

// Load fills a new provider from the saved state of another with the same seed and day. Tokens are loaded only if they
// belong to the same entId. The error describes the inconsistent part.
func (n *NewMovie) Load(saved State) error {
	if err := n.Office().Load(saved.Office); err != nil {
		return fmt.Errorf("newmovie: %w", err)
	}
	n.tokens.load(saved)
	return nil
}
