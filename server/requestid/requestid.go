// Package requestid carries the id of a request through contexts, so that its log lines, its calls to providers and its
// audit records can be found together. Each run of a job also has an id. The context also carries the account and the
// order of the request after they are known, so that the log can be searched for what happened to a buyer.
package requestid

import (
	"context"
	"crypto/rand"
	"log/slog"
	"regexp"
	"sync/atomic"
)

// Header is the name of the HTTP header field with the id: in requests of trusted proxies, in answers, and in calls to
// providers.
const Header = "X-Request-Id"

// New returns a random id of 26 letters and digits.
func New() string { return rand.Text() }

var shape = regexp.MustCompile(`^[A-Za-z0-9._-]+$`)

// Valid reports whether an id from outside the shop may be used: it is short, and safe in a log and in a header.
func Valid(id string) bool { return len(id) >= 8 && len(id) <= 64 && shape.MatchString(id) }

type key struct{}

// request is the value that a context carries.
type request struct {
	id      string
	account atomic.Int64           // 0: not known
	order   atomic.Pointer[string] // nil: not known
}

// With returns a context with the id.
func With(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, key{}, &request{id: id})
}

// Of returns the request id that the context carries, or "".
func Of(ctx context.Context) string {
	if r, ok := ctx.Value(key{}).(*request); ok {
		return r.id
	}
	return ""
}

// NoteAccount adds the account to all later log lines of the request, whichever of its contexts they are logged with.
func NoteAccount(ctx context.Context, id int64) {
	if r, ok := ctx.Value(key{}).(*request); ok {
		r.account.Store(id)
	}
}

// orderNo matches a text that begins with an order number of the shop: 24 digits, unlike phones, cards and codes.
var orderNo = regexp.MustCompile(`^([0-9]{24})(-|$)`)

// NoteOrder adds the order to all later log lines of the request, as NoteAccount does. text is the number of the order,
// or of a trade or refund, which begins with the order's number. Any other text is ignored.
func NoteOrder(ctx context.Context, text string) {
	r, ok := ctx.Value(key{}).(*request)
	if !ok {
		return
	}
	if m := orderNo.FindStringSubmatch(text); m != nil {
		r.order.Store(&m[1])
	}
}

// Ensure returns ctx if it has an id, and otherwise a context with a new id.
func Ensure(ctx context.Context) context.Context {
	if Of(ctx) != "" {
		return ctx
	}
	return With(ctx, New())
}

// LogHandler returns a handler that adds the attributes request_id, account and order to each record whose context has
// them.
func LogHandler(next slog.Handler) slog.Handler { return logHandler{next} }

type logHandler struct{ slog.Handler }

// Handle implements slog.Handler.
func (h logHandler) Handle(ctx context.Context, r slog.Record) error {
	if about, ok := ctx.Value(key{}).(*request); ok {
		r = r.Clone()
		r.AddAttrs(slog.String("request_id", about.id))
		if account := about.account.Load(); account != 0 {
			r.AddAttrs(slog.Int64("account", account))
		}
		if no := about.order.Load(); no != nil && !hasOrder(r) {
			r.AddAttrs(slog.String("order", *no))
		}
	}
	return h.Handler.Handle(ctx, r)
}

// hasOrder reports whether the log line already has an attribute "order".
func hasOrder(r slog.Record) (found bool) {
	r.Attrs(func(a slog.Attr) bool {
		found = a.Key == "order"
		return !found
	})
	return found
}

// WithAttrs implements slog.Handler.
func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return logHandler{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h logHandler) WithGroup(name string) slog.Handler { return logHandler{h.Handler.WithGroup(name)} }
