package wechat

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"marquee/simulators/journal"
	"marquee/simulators/script"
)

// apiError is a refusal in the vendor's form.
type apiError struct {
	status  int
	Code    string `json:"code"`
	Message string `json:"message"`
	Detail  any    `json:"detail,omitempty"`
}

func refuse(status int, code, message string) *apiError {
	return &apiError{status: status, Code: code, Message: message}
}

var orderNotExist = refuse(http.StatusNotFound, "ORDER_NOT_EXIST", "订单不存在")

// statuses are the HTTP statuses of the vendor's codes, for planned errors.
var statuses = map[string]int{
	"PARAM_ERROR": 400, "INVALID_REQUEST": 400, "APPID_MCHID_NOT_MATCH": 400, "MCH_NOT_EXISTS": 400, "ORDERPAID": 400, "ORDER_CLOSED": 400,
	"SIGN_ERROR": 401, "NO_AUTH": 403, "OUT_TRADE_NO_USED": 403, "NOT_ENOUGH": 403, "USER_ACCOUNT_ABNORMAL": 403, "RULE_LIMIT": 403, "TRADE_ERROR": 403,
	"ORDER_NOT_EXIST": 404, "RESOURCE_NOT_EXISTS": 404, "FREQUENCY_LIMITED": 429, "SYSTEM_ERROR": 500, "BANK_ERROR": 500, "OPENID_MISMATCH": 500,
}

// PayHandler answers Pay APIv3, on the vendor's host and under /wechatpay of any other.
func (s *Simulator) PayHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v3/pay/transactions/jsapi", s.answered(s.servePrepay))
	mux.HandleFunc("GET /v3/pay/transactions/out-trade-no/{no}", s.answered(s.serveQuery))
	mux.HandleFunc("GET /v3/pay/transactions/id/{id}", s.answered(s.serveQuery))
	mux.HandleFunc("POST /v3/pay/transactions/out-trade-no/{no}/close", s.answered(s.serveClose))
	mux.HandleFunc("POST /v3/refund/domestic/refunds", s.answered(s.serveRefund))
	mux.HandleFunc("GET /v3/refund/domestic/refunds/{no}", s.answered(s.serveRefundQuery))
	mux.HandleFunc("GET /v3/certificates", s.answered(s.serveCertificates))
	mux.HandleFunc("/", s.answered(func(*http.Request, []byte) (any, *apiError) {
		return nil, refuse(http.StatusNotFound, "RESOURCE_NOT_EXISTS", "请求的资源不存在")
	}))
	return &script.Endpoint{
		Provider: Name, Plan: s.Plan, Journal: s.Journal,
		Operation: func(r *http.Request, _ []byte) string { return payOperation(r.Method, r.URL.Path) },
		Error: func(w http.ResponseWriter, r *http.Request, code, message string) {
			if code == "" {
				code, message = "SYSTEM_ERROR", "系统异常，请稍后重试"
			}
			status := statuses[code]
			if status == 0 {
				status = http.StatusBadRequest
			}
			s.write(w, r, nil, &apiError{status: status, Code: code, Message: message})
		},
		Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			route := r.WithContext(r.Context())
			route.RequestURI = r.URL.RequestURI() // what the caller signed, with the prefix
			url := *r.URL
			url.Path, url.RawPath = strings.TrimPrefix(url.Path, pathPrefix), strings.TrimPrefix(url.RawPath, pathPrefix)
			route.URL = &url
			mux.ServeHTTP(w, route)
		}),
	}
}

// payOperation names a call for faults and the journal.
func payOperation(method, path string) string {
	path = strings.TrimPrefix(path, pathPrefix)
	switch {
	case path == "/v3/pay/transactions/jsapi":
		return opPrepay
	case strings.HasPrefix(path, "/v3/pay/transactions/") && strings.HasSuffix(path, "/close"):
		return opClose
	case strings.HasPrefix(path, "/v3/pay/transactions/"):
		return opQuery
	case path == "/v3/refund/domestic/refunds" && method == http.MethodPost:
		return opRefund
	case strings.HasPrefix(path, "/v3/refund/domestic/refunds/"):
		return opRefundQuery
	case path == "/v3/certificates":
		return opCertificates
	}
	return ""
}

// answered checks the caller, runs a call and signs its answer. A nil result with no refusal is 204.
func (s *Simulator) answered(call func(r *http.Request, body []byte) (any, *apiError)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			s.write(w, r, nil, refuse(http.StatusBadRequest, "PARAM_ERROR", "请求体不完整"))
			return
		}
		if r.Header.Get("Accept") == "" || r.Header.Get("User-Agent") == "" {
			s.write(w, r, nil, refuse(http.StatusBadRequest, "PARAM_ERROR", "Http头缺少Accept或User-Agent"))
			return
		}
		if refusal, why := s.verify(r, body, time.Now()); refusal != nil {
			journal.From(r.Context()).Refuse(why)
			s.write(w, r, nil, refusal)
			return
		}
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); len(body) > 0 && (err != nil || kind != "application/json") {
			s.write(w, r, nil, refuse(http.StatusBadRequest, "PARAM_ERROR", "Http头Content-Type应为application/json"))
			return
		}
		result, refusal := call(r, body)
		s.write(w, r, result, refusal)
	}
}

// write answers, signed with the platform's key as every answer is.
func (s *Simulator) write(w http.ResponseWriter, r *http.Request, result any, refusal *apiError) {
	status, body := http.StatusOK, []byte(nil)
	switch {
	case refusal != nil:
		status, body = refusal.status, encode(refusal)
		if note := journal.From(r.Context()); note.Verdict == "" {
			note.Refuse(refusal.Code + ": " + refusal.Message)
		}
	case result == nil:
		status = http.StatusNoContent
	default:
		body = encode(result)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Request-ID", "08"+strings.ToUpper(randomHex(15))+"-0")
	note := journal.From(r.Context())
	if _, hit := s.take(note, note.Operation, doRotate); hit {
		s.rotate()
	}
	s.platform().signHeader(w.Header(), body, time.Now())
	if _, hit := s.take(note, note.Operation, doAnswerBadSignature); hit {
		spoil(w.Header())
	}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

func encode(v any) []byte {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err) // our own types always encode
	}
	return body
}

// decode reads a call's JSON body; the refusal names the field that does not fit.
func decode(body []byte, into any) *apiError {
	err := json.Unmarshal(body, into)
	if err == nil {
		return nil
	}
	refusal := refuse(http.StatusBadRequest, "PARAM_ERROR", "请求体不是合法的JSON")
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return paramError("/"+strings.ReplaceAll(wrong.Field, ".", "/"), "类型不正确")
	}
	return refusal
}

// paramError says which field of a body is wrong, and how.
func paramError(field, issue string) *apiError { return wrongParameter("body", field, issue) }

// wrongParameter says so of a field of the body or the query.
func wrongParameter(location, field, issue string) *apiError {
	return &apiError{
		status: http.StatusBadRequest, Code: "PARAM_ERROR", Message: "输入源“" + field + "”" + issue,
		Detail: map[string]string{"location": location, "field": field, "issue": issue},
	}
}
