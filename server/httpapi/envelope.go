package httpapi

import (
	"encoding/json"
	"net/http"

	"marquee/server/fault"
)

// backend is one of the specification's backends: the same calls are wrapped in an envelope of its own by each.
type backend int

const (
	mainBackend backend = iota
	cardBackend
	newmovieBackend
	gatewayBackend
)

type envelope struct {
	Code  any    `json:"code"`
	Msg   string `json:"msg"`
	Error string `json:"error,omitempty"`
	Data  any    `json:"data"`
}

type gatewayEnvelope struct {
	Success   bool          `json:"success"`
	Error     *gatewayError `json:"error"`
	ErrorCode string        `json:"error_code,omitempty"`
	Data      any           `json:"data"`
}

type gatewayError struct {
	Code string `json:"code"`
	Msg  string `json:"msg"`
}

func (b backend) success(data any) any {
	if data == nil {
		data = struct{}{}
	}
	switch b {
	case gatewayBackend:
		return gatewayEnvelope{Success: true, Data: data}
	case newmovieBackend:
		return envelope{Code: 0, Msg: "ok", Data: data}
	default:
		return envelope{Code: 200, Msg: "ok", Data: data}
	}
}

func (b backend) failure(f *fault.Fault) any {
	login := f.Kind == fault.Unauthenticated
	switch {
	case b == gatewayBackend:
		return gatewayEnvelope{Error: &gatewayError{Code: gatewayCode(f), Msg: f.Message}, ErrorCode: f.Code}
	case login && b == mainBackend:
		return envelope{Code: "-1", Msg: f.Message, Error: f.Code}
	case login:
		return envelope{Code: -1, Msg: f.Message, Error: f.Code}
	default:
		return envelope{Code: 400, Msg: f.Message, Error: f.Code}
	}
}

// gatewayCode is the number the gateway's own protocol has for a failure.
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
}

func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		// Answers are made of plain structs: a failure here is a bug, and the buyer still gets an envelope.
		status, body = http.StatusInternalServerError, []byte(`{"code":400,"msg":"系统繁忙，请稍后再试","error":"internal","data":null}`)
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the reader may be gone
}
