package httpapi

import (
	"context"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"marquee/server/fault"
)

type noteKey struct{}

// noted is what a call leaves for the one line that is logged about it.
type noted struct {
	code  string
	cause error
}

// note remembers how the call failed; the request is logged once, at its end.
func note(ctx context.Context, code string, cause error) {
	if n, ok := ctx.Value(noteKey{}).(*noted); ok {
		n.code, n.cause = code, cause
	}
}

// logged writes one line for each request: never its body or its query, where tokens, phones and card numbers are.
func (h *handler) logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := &noted{}
		start := time.Now()
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		next.ServeHTTP(ww, r.WithContext(context.WithValue(r.Context(), noteKey{}, n)))
		attrs := []slog.Attr{
			slog.String("method", r.Method), slog.String("route", route(r)), slog.Int("status", ww.Status()),
			slog.Int("bytes", ww.BytesWritten()), slog.Duration("took", time.Since(start).Round(time.Microsecond)),
		}
		level := slog.LevelInfo
		if n.code != "" {
			attrs = append(attrs, slog.String("error", n.code))
		}
		if ww.Status() >= http.StatusInternalServerError {
			level = slog.LevelError
		}
		if n.cause != nil && fault.KindOf(n.cause) != fault.Unauthenticated {
			attrs = append(attrs, slog.String("cause", n.cause.Error()))
		}
		h.Logger.LogAttrs(r.Context(), level, "request", attrs...)
	})
}

// route is the pattern that matched, so that whatever stands in an unknown path stays out of the log.
func route(r *http.Request) string {
	if p := chi.RouteContext(r.Context()).RoutePattern(); p != "" {
		return p
	}
	return "(none)"
}

// recovered turns a panic into a 500 with the envelope; the stack goes to the log only.
func (h *handler) recovered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler { //nolint:errorlint // the sentinel net/http itself compares
				panic(p)
			}
			h.Logger.ErrorContext(r.Context(), "panic", "route", route(r), "panic", p, "stack", string(debug.Stack()))
			note(r.Context(), fault.ErrInternal.Code, nil)
			writeJSON(w, http.StatusInternalServerError, mainBackend.failure(fault.ErrInternal))
		}()
		next.ServeHTTP(w, r)
	})
}
