package wire

import (
	"context"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"marquee/server/fault"
	"marquee/server/requestid"
)

// ObserveRequest receives each answered request: the pattern of its route, the HTTP status (0: nothing was answered),
// the code of the fault that was answered ("": none), and how long it took. Probes are not reported: they come every
// few seconds, and would hide what buyers get.
type ObserveRequest func(route string, status int, code string, took time.Duration)

// LogRequests writes one line for each request, and reports the request to observe, which may be nil. network returns
// the network of the client. It never logs a body or a query: they hold tokens, phone numbers and card numbers.
func LogRequests(
	log *slog.Logger, observe ObserveRequest, network func(*http.Request) string,
) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			o := &outcome{}
			start := time.Now()
			ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
			next.ServeHTTP(ww, r.WithContext(context.WithValue(r.Context(), outcomeKey{}, o)))
			took := time.Since(start)
			if span := trace.SpanFromContext(r.Context()); span.IsRecording() {
				span.SetName(routePattern(r))
				span.SetAttributes(attribute.String("request_id", requestid.Of(r.Context())),
					attribute.String("error_code", o.code))
			}
			if observe != nil && !IsProbe(r) {
				observe(routePattern(r), ww.Status(), o.code, took)
			}
			attrs := []slog.Attr{
				slog.String("method", method(r)), slog.String("route", routePattern(r)), slog.Int("status", ww.Status()),
				slog.Int("bytes", ww.BytesWritten()), slog.Duration("took", took.Round(time.Microsecond)),
				slog.String("client", network(r)),
			}
			level := slog.LevelInfo
			if o.code != "" {
				attrs = append(attrs, slog.String("error", o.code))
			}
			if ww.Status() >= http.StatusInternalServerError && o.code != ErrBusy.Code { // not ErrBusy: shed on purpose
				level = slog.LevelError
			}
			if IsProbe(r) {
				level = slog.LevelDebug // expected while a replica drains; other causes are logged where they arise
			}
			if o.cause != nil && fault.KindOf(o.cause) != fault.Unauthenticated {
				attrs = append(attrs, slog.String("cause", o.cause.Error()))
			}
			log.LogAttrs(r.Context(), level, "request", attrs...)
		})
	}
}

// IsProbe reports whether the request is a probe of a balancer or an orchestrator, which come every few seconds.
func IsProbe(r *http.Request) bool { return r.URL.Path == "/healthz" || r.URL.Path == "/readyz" }

// method returns the method of the request, cut to the length of the longest standard one, because a client may send
// any text.
func method(r *http.Request) string {
	const longest = len(http.MethodConnect)
	return r.Method[:min(len(r.Method), longest)]
}

// routePattern returns the pattern that matched, never the path: an unknown path may hold anything.
func routePattern(r *http.Request) string {
	if p := chi.RouteContext(r.Context()).RoutePattern(); p != "" {
		return p
	}
	return "(none)"
}

// Recover answers a panic with HTTP 500 and the main envelope. The stack is logged, never shown.
func Recover(log *slog.Logger) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer func() {
				p := recover()
				if p == nil {
					return
				}
				if p == http.ErrAbortHandler { // the sentinel that net/http compares with == itself
					panic(p)
				}
				log.ErrorContext(r.Context(), "request handler panicked",
					"route", routePattern(r), "panic", p, "stack", string(debug.Stack()))
				Note(r.Context(), fault.ErrInternal.Code, nil)
				WriteJSON(w, http.StatusInternalServerError, Main.Failure(fault.ErrInternal))
			}()
			next.ServeHTTP(w, r)
		})
	}
}
