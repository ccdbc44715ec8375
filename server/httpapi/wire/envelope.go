package wire

import (
	"math"
	"strings"
	"time"

	"marquee/server/fault"
)

// Backend is one of the groups of calls that the specification calls backends (section 7). Each backend wraps the same
// answers in its own envelope.
type Backend int

// The backends, with the paths that they serve.
const (
	Main     Backend = iota // /movie/route/…, /Login, /Member, /Film, /Dyorder, /Kaquan and everything else
	Card                    // /api/api.php/…
	NewMovie                // /newmovie/…
	Gateway                 // POST /movie/route: the signed gateway's protocol
)

// BackendOf returns the backend whose envelope is used at a path, for known and for unknown paths.
func BackendOf(path string) Backend {
	switch {
	case path == "/movie/route":
		return Gateway
	case strings.HasPrefix(path, "/newmovie/"):
		return NewMovie
	case strings.HasPrefix(path, "/api/api.php/"):
		return Card
	default:
		return Main
	}
}

// envelope is the answer of every backend except the gateway.
type envelope struct {
	Code  any    `json:"code"` // 200, or 0 for newmovie; a failure is 400, or -1 if a login is required
	Msg   string `json:"msg"`
	Error string `json:"error,omitempty"` // stable code of the fault
	Data  any    `json:"data"`
}

// gatewayEnvelope is the answer of the legacy gateway's own protocol.
type gatewayEnvelope struct {
	Success   bool          `json:"success"`
	Error     *gatewayError `json:"error"`
	ErrorCode string        `json:"error_code,omitempty"` // stable code of the fault
	Data      any           `json:"data"`
}

type gatewayError struct {
	Code string `json:"code"`
	Msg  string `json:"msg"`
}

// Success returns the envelope of an answer. Nil data becomes an empty object.
func (b Backend) Success(data any) any {
	if data == nil {
		data = struct{}{}
	}
	switch b {
	case Gateway:
		return gatewayEnvelope{Success: true, Data: data}
	case NewMovie:
		return envelope{Code: 0, Msg: "ok", Data: data}
	default:
		return envelope{Code: 200, Msg: "ok", Data: data}
	}
}

// Wait is the data of the answer to a request for a code: how long to wait before the next one. The app shows a
// countdown.
type Wait struct {
	Seconds int `json:"wait"` // until the next code may be sent
}

// NewWait rounds up to whole seconds.
func NewWait(d time.Duration) Wait { return Wait{int(math.Ceil(d.Seconds()))} }

// Details is the data of a failure. A field that the fault does not have is left out.
type Details struct {
	Wait  int    `json:"wait,omitempty"`       // how long to wait until the request can succeed, in seconds
	Until int64  `json:"until,omitempty"`      // when the lock ends, in unix seconds of business time
	Tries int    `json:"tries_left,omitempty"` // how many more wrong tries are allowed before a lock
	Field string `json:"field,omitempty"`      // the form field that is wrong, if the error code does not identify it
	Total int64  `json:"total,omitempty"`      // what the request would cost now, in fen
}

// Failure returns the envelope of a fault. Its data has the fault's fields other than code and message, and is null if
// there are none; the gateway's envelope never has data.
func (b Backend) Failure(f *fault.Fault) any {
	said := Details{Wait: NewWait(f.RetryAfter).Seconds, Tries: f.TriesLeft, Field: f.Field, Total: f.Total}
	if !f.Until.IsZero() {
		said.Until = f.Until.Unix()
	}
	var data any
	if said != (Details{}) {
		data = said
	}
	login := f.Kind == fault.Unauthenticated
	switch {
	case b == Gateway:
		return gatewayEnvelope{Error: &gatewayError{Code: gatewayCode(f), Msg: f.Message}, ErrorCode: f.Code}
	case login && b == Main:
		return envelope{Code: "-1", Msg: f.Message, Error: f.Code, Data: data} // a string only in this backend
	case login:
		return envelope{Code: -1, Msg: f.Message, Error: f.Code, Data: data}
	default:
		return envelope{Code: 400, Msg: f.Message, Error: f.Code, Data: data}
	}
}

// gatewayCode returns the number that the gateway's protocol uses for a fault.
func gatewayCode(f *fault.Fault) string {
	if code, ok := gatewayCodes[f.Code]; ok {
		return code
	}
	switch f.Kind {
	case fault.Invalid:
		return "1006"
	case fault.Conflict:
		return "4003"
	case fault.NotFound:
		return "4001"
	default:
		return "5001"
	}
}

var gatewayCodes = map[string]string{
	"sign_missing":       "1001",
	"appkey_unknown":     "1002",
	"sign_wrong":         "1003",
	"sign_stale":         "1004",
	"method_not_allowed": "1005",
	"city_not_found":     "2001",
	"film_not_found":     "2002",
	"cinema_not_found":   "2003",
	"show_not_found":     "2004",
	"sale_stopped":       "3005",
	"too_late_to_pay":    "3005",
	"gateway_reload":     "9999",
}
