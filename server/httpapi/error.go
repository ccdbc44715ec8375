package httpapi

import (
	"context"
	"errors"
	"io"
	"math"
	"net/http"

	"marquee/server/fault"
)

// Failures of this layer's own.
var (
	ErrChannel       = fault.New(fault.Invalid, "channel_unknown", "渠道号有误")
	ErrPathUnknown   = fault.New(fault.NotFound, "path_unknown", "请求的接口不存在")
	ErrMethodUnknown = fault.New(fault.Invalid, "http_method_not_allowed", "请求方式不支持")
	ErrRateLimited   = fault.New(fault.Limited, "rate_limited", "操作过于频繁，请稍后再试")
	ErrCrossOrigin   = fault.New(fault.Forbidden, "cross_origin", "请求来源不被允许")
)

// fail answers with the envelope of the backend. A failure is HTTP 200, since the app's other versions take every
// other status for "no answer"; only our own bugs and a lost database are a 500.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, b backend, err error) {
	if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
		note(r.Context(), "client_gone", nil) // nobody reads the answer
		return
	}
	f := fault.Of(err)
	if f.Kind == fault.Internal && errors.Is(err, context.DeadlineExceeded) {
		f = fault.ErrUnavailable // a wait of our own ended; where a provider kept silent, its client has said so
	}
	note(r.Context(), f.Code, err)
	status := http.StatusOK
	if f.Kind == fault.Internal {
		status = http.StatusInternalServerError
		f = fault.ErrInternal // whatever it is, it is not for the buyer
	}
	if f.Kind != fault.Limited { // who asks too much is not given more
		drain(r)
	}
	answer := b.failure(f)
	if refused, ok := answer.(envelope); ok && f.RetryAfter > 0 {
		// The app shows a countdown of the remaining seconds.
		refused.Data = waitAnswer{Wait: int(math.Ceil(f.RetryAfter.Seconds()))}
		answer = refused
	}
	writeJSON(w, status, answer)
}

// mostDrained is how much of a body that is refused is taken in, more than a phone's camera makes.
const mostDrained = 32 << 20

// drain takes in what is left of the body, so that its sender hears the answer: most clients look for one when they have sent
// everything, and find the connection reset when it closes before. Who waits for leave to send has not sent anything.
func drain(r *http.Request) {
	if r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, r.Body, mostDrained) // the answer is tried whatever comes of it
	}
}
