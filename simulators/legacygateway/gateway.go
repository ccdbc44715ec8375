// Package legacygateway simulates the legacy ticketing gateway: one signed form call for everything, answers that
// are always HTTP 200, and a signed push when tickets are issued. README.md has the protocol.
package legacygateway

import (
	"bytes"
	"cmp"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
	"marquee/simulators/ticketing"
	"marquee/simulators/webhook"
)

// Name is the provider's name in faults and the journal.
const Name = "gateway"

// zone is the time zone of every time written as text.
var zone = dataset.Zone

// Config configures a gateway.
type Config struct {
	Country     *dataset.Country
	Clock       *testclock.Clock
	Plan        *faults.Plan
	Journal     *journal.Journal
	Credentials dataset.GatewayCredentials
	Dialect     Dialect
	BaseURL     func() string    // where the pictures are served, "http://127.0.0.1:9090"
	PushURL     func() string    // where tickets are pushed; "": no push
	Targets     *webhook.Targets // additional receivers of pushes; nil: none
}

// Gateway is a simulated gateway. It is safe for concurrent use.
type Gateway struct {
	c       Config
	orders  orders
	catalog catalog
	pusher  *pusher
	methods map[string]func(call) ([]byte, *journal.Rejection) // by name, such as "seat.lock"
}

// call is a call whose signature was verified: the fields of its form, and its journal note.
type call struct {
	url.Values
	note *journal.Note
}

// New returns a gateway whose only sold seats are those that the seed sells to other buyers, and declares its faults to
// the plan.
func New(c Config) *Gateway {
	office := boxoffice.New(c.Country, dataset.Gateway)
	g := &Gateway{
		c: c, catalog: catalog{country: c.Country, office: office, baseURL: c.BaseURL},
		methods: map[string]func(call) ([]byte, *journal.Rejection){},
	}
	g.pusher = &pusher{c: c, office: office, sender: webhook.Sender{Timeout: pushTimeout},
		pending: map[*PushState]struct{}{}}
	g.orders = orders{sales: ticketing.Orders{Office: office, Plan: c.Plan, Provider: Name}, pusher: g.pusher}
	operations := []string{}
	for _, m := range []struct {
		name   string
		answer func(call) ([]byte, *journal.Rejection)
	}{
		{"city.list", g.catalog.cities},
		{"film.hot", g.catalog.hotFilms},
		{"drama.list", g.catalog.dramas},
		{"film.detail", g.catalog.filmDetail},
		{"cinema.list", g.catalog.cinemas},
		{"cinema.detail", g.catalog.cinemaDetail},
		{"opi.list.v2", g.catalog.shows},
		{"opi.seat", g.catalog.seatMap},
		{opLock, g.orders.lock},
		{"seat.unlock", g.orders.unlock},
		{opCreate, g.orders.create},
		{"order.query", g.orders.query},
		{opOrderList, g.orders.list},
		{opIssue, g.orders.issue},
	} {
		g.methods[m.name] = m.answer
		operations = append(operations, m.name)
	}
	operations = append(operations, pushOperation)
	declared := faults.NewProvider(Name, operations, slices.Concat(domainFaults, ticketing.ListFaults(opOrderList))...)
	declared.Simulated = append(declared.Simulated, g.Handler().Operation)
	c.Plan.Declare(declared)
	return g
}

// Office is the box office behind the gateway.
func (g *Gateway) Office() *boxoffice.Office { return g.orders.sales.Office }

// Handler serves POST /gateway. A call of an unknown method is rejected with 1005, as by the real gateway. A call at
// another path is answered as not simulated.
func (g *Gateway) Handler() *faults.Endpoint {
	return &faults.Endpoint{
		Provider: Name, Plan: g.c.Plan, Journal: g.c.Journal, Next: http.HandlerFunc(g.serve), BadBody: "1006",
		Rejects: atGateway,
		Hint:    func(*http.Request) string { return "the gateway has one path, /gateway" },
		Operation: func(r *http.Request, body []byte) string {
			name := methodOf(body)
			if g.methods[name] == nil || !atGateway(r) {
				return ""
			}
			return name
		},
		Authenticate: func(w http.ResponseWriter, r *http.Request, body []byte) bool {
			form, err := url.ParseQuery(string(body))
			rejected := journal.NewRejection("1006", "参数格式错误")
			if err == nil {
				rejected = verify(form, g.c.Credentials, g.c.Dialect)
			}
			if rejected != nil {
				rejected.Record(journal.From(r.Context()))
				writeRejection(w, rejected)
			}
			return rejected == nil
		},
		Error: func(w http.ResponseWriter, _ *http.Request, code, message string) {
			writeRejection(w, journal.NewRejection(cmp.Or(code, busy.Code),
				cmp.Or(message, rejections.Text(code, otherRejections...))))
		},
	}
}

// atGateway reports whether a call is for the gateway's only path.
func atGateway(r *http.Request) bool { return strings.TrimSuffix(r.URL.Path, "/") == "/gateway" }

// serve answers a call with HTTP status 200, whether it succeeds or is rejected.
func (g *Gateway) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "POST only", http.StatusMethodNotAllowed)
		return
	}
	note := journal.From(r.Context())
	data, rejected := g.answer(r.Header.Get("Content-Type"), note)
	if rejected != nil {
		rejected.Record(note)
		writeRejection(w, rejected)
		return
	}
	ticketing.Write(w, data)
}

// answer verifies a call and runs its method.
func (g *Gateway) answer(contentType string, note *journal.Note) ([]byte, *journal.Rejection) {
	if kind, _, err := mime.ParseMediaType(contentType); err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, journal.NewRejection("1006", "请使用application/x-www-form-urlencoded")
	}
	form, err := url.ParseQuery(string(note.Body))
	if err != nil {
		return nil, &journal.Rejection{Code: "1006", Message: "参数格式错误", Reason: "the form cannot be decoded: " +
			err.Error()}
	}
	if note.Operation == "" { // the method is unknown: journal it as the caller wrote it
		note.Operation = shorten(form.Get("method"))
	}
	if rejected := verify(form, g.c.Credentials, g.c.Dialect); rejected != nil {
		return nil, rejected
	}
	method := g.methods[form.Get("method")]
	if method == nil {
		return nil, journal.NewRejection("1005", "method不存在")
	}
	return method(call{form, note})
}

// shorten limits the name of an unknown method in the journal.
func shorten(name string) string {
	const most = 64 // bytes
	if len(name) <= most {
		return name
	}
	return strings.ToValidUTF8(name[:most], "") + "…"
}

// methodOf finds the method in a form without decoding the rest. The names of methods need no escaping.
func methodOf(body []byte) string {
	for pair := range bytes.SplitSeq(body, []byte("&")) {
		if name, ok := bytes.CutPrefix(pair, []byte("method=")); ok {
			return string(name)
		}
	}
	return ""
}

// envelope wraps every answer: the data of a success, or the error of a rejection.
type envelope struct {
	Success bool       `json:"success"`
	Error   *errorJSON `json:"error"`
	Data    any        `json:"data"`
}

// errorJSON is the error of a rejected call.
type errorJSON struct {
	Code string `json:"code"`
	Msg  string `json:"msg"`
}

// success wraps data in the answer's envelope.
func success(data any) []byte { return ticketing.Encode(envelope{Success: true, Data: data}) }

// writeRejection sends a rejection in the envelope.
func writeRejection(w http.ResponseWriter, r *journal.Rejection) {
	ticketing.Write(w, ticketing.Encode(envelope{Error: &errorJSON{r.Code, r.Message}}))
}

// busy is the rejection for planned errors without a code, and for errors for which the gateway has no code.
var busy = journal.NewRejection("5001", "系统繁忙，请稍后再试")

// rejections are the gateway's codes for errors of the box office.
var rejections = ticketing.Rejections{
	boxoffice.ErrNoShow:      journal.NewRejection("2004", "场次不存在"),
	boxoffice.ErrNoOrder:     journal.NewRejection("4001", "订单不存在"),
	boxoffice.ErrClosed:      journal.NewRejection("3005", "场次已停售"),
	boxoffice.ErrSeatTaken:   journal.NewRejection("3001", "座位已被占用"),
	boxoffice.ErrNoSeat:      journal.NewRejection("3002", "座位不存在"),
	boxoffice.ErrHalfPair:    journal.NewRejection("3003", "情侣座必须成对购买"),
	boxoffice.ErrTooMany:     journal.NewRejection("3004", "最多选择4个座位"),
	boxoffice.ErrOtherSeats:  journal.NewRejection("4004", "订单号已用于其他座位"),
	boxoffice.ErrState:       journal.NewRejection("4003", "订单状态不允许该操作"),
	boxoffice.ErrOtherAmount: journal.NewRejection("4002", "订单金额不符"),
}

// otherRejections are the texts of the gateway's other codes, for planned errors.
var otherRejections = []*journal.Rejection{
	busy, journal.NewRejection("1001", "缺少参数"), journal.NewRejection("1002", "appkey不存在"), journal.NewRejection("1003", "签名错误"),
	journal.NewRejection("1004", "timestamp已过期"), journal.NewRejection("1005", "method不存在"),
	journal.NewRejection("1006", "参数格式错误"), journal.NewRejection("1007", "不支持的版本"),
}

// rejectionOf is the gateway's rejection for an error of the box office.
func rejectionOf(err error) *journal.Rejection { return rejections.Of(err, busy) }

// State is the gateway's part of a snapshot.
type State struct {
	Office boxoffice.Snapshot `json:"office"`
	Pushes []PushState        `json:"pushes"` // still to be sent, by time
}

// Save returns the current state of the gateway.
func (g *Gateway) Save() State {
	office := g.Office().Save()
	return State{Office: office, Pushes: g.pusher.save(office.Orders)}
}

// Load fills a new gateway from the saved state of another with the same seed and day. The error describes the
// inconsistent part.
func (g *Gateway) Load(saved State) error {
	if err := g.Office().Load(saved.Office); err != nil {
		return fmt.Errorf("gateway: %w", err)
	}
	return g.pusher.load(saved.Pushes)
}
