package httpapi

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/go-chi/httprate"

	"marquee/server/account"
	"marquee/server/cache"
	"marquee/server/httpapi/admission"
	"marquee/server/httpapi/pages"
	"marquee/server/httpapi/wire"
	"marquee/server/requestid"
)

// Rates are how many requests one network (account.NetworkOf: an IPv4 address or an IPv6 /64) may make in a minute of
// real time. Each process counts for itself; logins are also counted over all processes. Zero means the rate of
// DefaultRates, a negative number no limit.
type Rates struct {
	Calls    int // all calls, and the pages that are not files of the build
	Logins   int // codes sent, logins, payment passwords, card bindings and uploads
	Reads    int // reads of a provider without a session: seat maps, and what is not cached of the catalogue
	Notifies int // notifications that are rejected
}

// DefaultRates let several hundred buyers of a mobile carrier share an IPv4 address: README.md.
var DefaultRates = Rates{Calls: 12_000, Logins: 300, Reads: 900, Notifies: 60}

// WithDefaults returns the rates with those of DefaultRates in place of zeros.
func (r Rates) WithDefaults() Rates {
	return Rates{
		cmp.Or(r.Calls, DefaultRates.Calls), cmp.Or(r.Logins, DefaultRates.Logins), cmp.Or(r.Reads, DefaultRates.Reads),
		cmp.Or(r.Notifies, DefaultRates.Notifies),
	}
}

// rateLimiter answers a network that makes more requests than its rate with wire.ErrRateLimited and Retry-After. All
// handlers of one limiter share its counts. The counts are in memory: they protect this server. Limits that protect
// money, messages or accounts are in the store, for example that of loginLimiter.
type rateLimiter struct {
	counts    *httprate.RateLimiter // nil: no limit
	perMinute int
}

func newRateLimiter(perMinute int) rateLimiter {
	if perMinute < 0 {
		return rateLimiter{}
	}
	return rateLimiter{httprate.NewRateLimiter(perMinute, time.Minute), perMinute}
}

// count counts the request. If the network has used up its rate, count sets Retry-After and returns exceeded = true
// instead.
func (l rateLimiter) count(w http.ResponseWriter, r *http.Request) (exceeded bool) {
	network := account.NetworkOf(clientIP(r))
	return l.counts != nil && network != "" && l.counts.OnLimit(w, r, network)
}

// reached reports whether the rate is reached, without counting the request.
func (l rateLimiter) reached(r *http.Request) bool {
	network := account.NetworkOf(clientIP(r))
	if l.counts == nil || network == "" {
		return false
	}
	_, rate, err := l.counts.Status(network)
	return err != nil || rate >= float64(l.perMinute)
}

// rejects counts a request. If the rate is reached, it answers the request and returns true.
func (l rateLimiter) rejects(w http.ResponseWriter, r *http.Request) bool {
	if !l.count(w, r) {
		return false
	}
	wire.Fail(w, r, wire.ErrRateLimited)
	return true
}

// handler limits all requests of next.
func (l rateLimiter) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !l.rejects(w, r) {
			next.ServeHTTP(w, r)
		}
	})
}

// limitReads returns the request's context, in which the first read of a provider counts against the rate, unless the
// request has a session. Further reads within the request are not counted: they are permitted if the first one was.
func (l rateLimiter) limitReads(w http.ResponseWriter, r *http.Request, hasSession func() bool) context.Context {
	return cache.WithReadLimit(r.Context(), sync.OnceValue(func() error {
		if l.counts != nil && !hasSession() && l.count(w, r) {
			return wire.ErrRateLimited
		}
		return nil
	}))
}

// LoginCounter counts the logins of networks over all processes of the shop.
type LoginCounter interface {
	// CountLogin counts a login of a network unless as many as allowed were counted in the minute before now. It
	// reports whether it did.
	CountLogin(ctx context.Context, network string, now time.Time, allowed int) (counted bool, err error)
}

// loginLimiter limits logins in two steps: first in memory, with one count for logins and payment passwords, and then
// in the database, over all processes. Payment passwords are not counted in the database, because that would add a
// transaction to each payment; the store limits the wrong passwords of each buyer.
type loginLimiter struct {
	here    rateLimiter
	all     LoginCounter // nil: there is one process
	allowed int          // logins of a network in a minute
	now     func() time.Time
}

// handler limits all requests of next.
func (l loginLimiter) handler(next http.Handler) http.Handler {
	if l.all == nil || l.here.counts == nil {
		return l.here.handler(next)
	}
	return l.here.handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		network := account.NetworkOf(clientIP(r))
		if network == "" {
			next.ServeHTTP(w, r)
			return
		}
		counted, err := l.all.CountLogin(r.Context(), network, l.now(), l.allowed)
		switch {
		case err != nil:
			wire.Fail(w, r, err)
		case !counted:
			w.Header().Set("Retry-After", strconv.Itoa(int(time.Minute.Seconds())))
			wire.Fail(w, r, wire.ErrRateLimited)
		default:
			next.ServeHTTP(w, r)
		}
	}))
}

// guards are the middlewares and the limiters that newGuards builds from the configuration.
type guards struct {
	requestID, clientIP, securityHeaders, sameOrigin func(http.Handler) http.Handler

	calls, passwords, reads rateLimiter
	logins                  loginLimiter
	gate                    *admission.Gate
}

// admit returns a middleware for the calls of a class. Under too much load it answers them with wire.ErrBusy.
func (g guards) admit(c admission.Class) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return g.gate.Handler(c, func(w http.ResponseWriter, r *http.Request, retryAfter time.Duration) {
			wire.Fail(w, r, wire.ErrBusy.WithRetryAfter(retryAfter))
		}, next)
	}
}

// newGuards returns an error if a trusted proxy, a trusted origin, a picture host or the captcha's address is
// malformed.
func newGuards(c Config) (g guards, err error) {
	g.calls, g.passwords = newRateLimiter(c.Rates.Calls), newRateLimiter(c.Rates.Logins)
	g.reads = newRateLimiter(c.Rates.Reads)
	g.gate = admission.New(c.InProgress, c.ObserveShed)
	g.logins = loginLimiter{here: g.passwords, all: c.LoginCounter, allowed: c.Rates.Logins, now: c.WireNow}
	addresses, err := newClientAddresses(c)
	if err != nil {
		return g, err
	}
	g.clientIP, g.requestID = addresses.handler, addresses.identifyRequests
	if g.securityHeaders, err = pages.SecurityHeaders(c.PictureHosts, c.App, c.Secure); err != nil {
		return g, err
	}
	g.sameOrigin, err = rejectCrossOrigin(c.TrustedOrigins)
	return g, err
}

// identifyRequests puts an id into the context of every request and into a header of its answer. It keeps an id that a
// trusted proxy sends, and replaces any other.
func (a *clientAddresses) identifyRequests(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get(requestid.Header)
		if !requestid.Valid(id) || !a.trusts(readAddress(r.RemoteAddr)) {
			id = requestid.New()
		}
		w.Header().Set(requestid.Header, id)
		next.ServeHTTP(w, r.WithContext(requestid.With(r.Context(), id)))
	})
}

// rejectCrossOrigin answers calls from pages of another origin, except the trusted ones, with wire.ErrCrossOrigin and
// HTTP status 403.
func rejectCrossOrigin(trusted []string) (func(http.Handler) http.Handler, error) {
	guard := http.NewCrossOriginProtection()
	for _, origin := range trusted {
		if err := guard.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("httpapi: trusted origin %q: %w", origin, err)
		}
	}
	guard.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wire.FailWithStatus(w, r, http.StatusForbidden, wire.ErrCrossOrigin)
	}))
	return guard.Handler, nil
}
