// Package requestid carries the id of a request through contexts, so that its log lines, its calls to providers and its
// audit records can be found together. Each run of a job has its own id.
package requestid

import (
	"context"
	"crypto/rand"
	"log/slog"
	"regexp"
)

// Header is the header field of the id, in requests of trusted proxies, in answers, and in calls to providers.
const Header = "X-Request-Id"

// New returns a random id of 26 letters and digits.
func New() string { return rand.Text() }

var shape = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// Valid reports whether an id that came from outside may be used: it is short and safe in a log and in a header.
func Valid(id string) bool { return len(id) >= 8 && len(id) <= 64 && shape.MatchString(id) }

type key struct{}

// With returns a context with the id.
func With(ctx context.Context, id string) context.Context { return context.WithValue(ctx, key{}, id) }

// Of returns the id of the context, "" without one.
func Of(ctx context.Context) string {
	id, _ := ctx.Value(key{}).(string) // "" for a context without an id
	return id
}

// Ensure returns a context that has an id: the present one, or a new one.
func Ensure(ctx context.Context) context.Context {
	if Of(ctx) != "" {
		return ctx
	}
	return With(ctx, New())
}

// LogHandler returns a handler that adds the attribute request_id to each record whose context has an id.
func LogHandler(next slog.Handler) slog.Handler { return logHandler{next} }

type logHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h logHandler) Handle(ctx context.Context, r slog.Record) error {
	if id := Of(ctx); id != "" {
		r = r.Clone()
		r.AddAttrs(slog.String("request_id", id))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return logHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h logHandler) WithGroup(name string) slog.Handler { return logHandler{h.Handler.WithGroup(name)} }
