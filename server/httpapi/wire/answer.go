// Package wire reads forms and writes answers in the formats of the specification's section 7: form fields, the
// channel signature, one envelope per backend, and the answer to an error. contracts/shop.md is the reference.
package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"

	"marquee/server/fault"
)

// Errors that are not specific to one call.
var (
	ErrChannel     = fault.New(fault.Invalid, "channel_unknown", "渠道号有误")
	ErrPathUnknown = fault.New(fault.NotFound, "path_unknown", "请求的接口不存在")
	ErrHTTPMethod  = fault.New(fault.Invalid, "http_method_not_allowed", "请求方式不支持")
	ErrRateLimited = fault.New(fault.Limited, "rate_limited", "操作过于频繁，请稍后再试")
	// ErrBusy means that the shop did not begin the request, because it is overloaded.
	ErrBusy        = fault.New(fault.Limited, "shop_busy", "当前访问人数过多，请稍后再试")
	ErrCrossOrigin = fault.New(fault.Forbidden, "cross_origin", "请求来源不被允许")
)

// WriteJSON writes v as the answer. Answers are never cached.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		// Answers are plain structs: a failure here is a bug, and the buyer still gets an envelope.
		status = http.StatusInternalServerError
		body = []byte(`{"code":400,"msg":"系统繁忙，请稍后再试","error":"internal","data":null}`)
	}
	setAnswerHeaders(w.Header())
	w.WriteHeader(status)
	_, _ = w.Write(body) // an error means that the client has disconnected
}

// setAnswerHeaders sets the headers of an envelope.
func setAnswerHeaders(head http.Header) {
	head.Set("Content-Type", "application/json; charset=utf-8")
	head.Set("Cache-Control", "no-store")
}

type outcomeKey struct{}

// outcome is what a handler reports for the single log line of its request.
type outcome struct {
	code  string
	cause error
}

// Note records why a request failed. LogRequests writes it to the log line of the request.
func Note(ctx context.Context, code string, cause error) {
	if o, ok := ctx.Value(outcomeKey{}).(*outcome); ok {
		o.code, o.cause = code, cause
	}
}

// FailWithStatus answers with f in the envelope of the request's path, under the given HTTP status, and logs the code.
func FailWithStatus(w http.ResponseWriter, r *http.Request, status int, f *fault.Fault) {
	Note(r.Context(), f.Code, nil)
	WriteJSON(w, status, BackendOf(r.URL.Path).Failure(f))
}

// Fail answers with the fault in err, in the envelope of the request's path. The HTTP status is 200, because the app's
// other versions treat any other status as a missing answer. It is 503 for ErrBusy and for fault.ErrService, which
// means that the database is unavailable or the time limit has passed. Unclassified errors are bugs and have status
// 500: their text is logged and never shown. Fail writes nothing if the client has disconnected.
func Fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		Note(r.Context(), "client_gone", nil)
		return
	}
	f := fault.Of(err)
	// If a time limit has passed and no client of a provider has classified the error, the limit was that of the
	// request.
	if f.Kind == fault.Internal && (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, fault.ErrService)) {
		f = fault.ErrService
	}
	Note(r.Context(), f.Code, err)
	status := http.StatusOK
	switch {
	case f.Kind == fault.Internal:
		status, f = http.StatusInternalServerError, fault.ErrInternal
	case errors.Is(f, fault.ErrService), errors.Is(f, ErrBusy):
		status = http.StatusServiceUnavailable
	}
	if f.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(NewWait(f.RetryAfter).Seconds))
	}
	if f.Kind != fault.Limited { // don't drain the body of a rate-limited request
		drain(r)
	}
	WriteJSON(w, status, BackendOf(r.URL.Path).Failure(f))
}

// maxDrained is how many bytes of a rejected request's body drain reads at most. A photo from a phone is smaller.
const maxDrained = 32 << 20

// drain reads the rest of the body, so that its sender receives the answer. Most clients read an answer only after they
// have sent the entire body, and see a reset connection if the server closes it earlier. The body of a client that sent
// "Expect: 100-continue" is not read: the client has not sent it, and waits for the answer.
func drain(r *http.Request) {
	if r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.Body, maxDrained) // the answer is written whatever the result
	}
}
