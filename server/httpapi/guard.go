package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/httprate"

	"marquee/server/account"
	"marquee/server/httpapi/pages"
	"marquee/server/httpapi/wire"
	"marquee/server/requestid"
)

// Rates are how many requests one network (account.NetworkOf) may make in a minute of wire time: at one process, and
// logins also at all processes together. Zero is the default; a negative number switches the limit off.
type Rates struct {
	Calls  int // all calls, and the pages that are not files of the build; 1200 by default
	Logins int // codes sent, logins, payment passwords, card bindings and uploads; 60 by default
	// SeatMaps is seat maps without a session; 240 by default.
	SeatMaps int
	// Notifies is notifications that are rejected; 60 by default.
	Notifies int
}

func (r Rates) withDefaults() Rates {
	if r.SeatMaps == 0 {
		r.SeatMaps = 240
	}
	if r.Notifies == 0 {
		r.Notifies = 60
	}
	if r.Calls == 0 {
		r.Calls = 1200
	}
	if r.Logins == 0 {
		r.Logins = 60
	}
	return r
}

// rateLimiter refuses a network that makes more requests than its rate with wire.ErrRateLimited; Retry-After is set.
// All handlers of one limiter share its counts. The counts are in memory: they protect this server. Limits that protect
// money, messages or accounts are in the store, as that of loginLimiter.
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

// exceeded counts a request, and reports whether the rate is reached.
func (l rateLimiter) exceeded(w http.ResponseWriter, r *http.Request) bool {
	return l.counts != nil && l.counts.OnLimit(w, r, account.NetworkOf(clientIP(r)))
}

// reached reports whether the rate is reached, without counting the request.
func (l rateLimiter) reached(r *http.Request) bool {
	if l.counts == nil {
		return false
	}
	_, rate, err := l.counts.Status(account.NetworkOf(clientIP(r)))
	return err != nil || rate >= float64(l.perMinute)
}

// refuses counts a request, and answers it if the rate is reached.
func (l rateLimiter) refuses(w http.ResponseWriter, r *http.Request) bool {
	if !l.exceeded(w, r) {
		return false
	}
	wire.Fail(w, r, wire.ErrRateLimited)
	return true
}

// handler limits all requests of next.
func (l rateLimiter) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !l.refuses(w, r) {
			next.ServeHTTP(w, r)
		}
	})
}

// LoginCounter counts the logins of networks over all processes of the shop.
type LoginCounter interface {
	// CountLogin counts a login of a network unless as many as allowed were counted in the minute before now. It
	// reports whether it did.
	CountLogin(ctx context.Context, network string, now time.Time, allowed int) (counted bool, err error)
}

// loginLimiter limits logins in two steps: in this process with the payment passwords, which costs nothing, and then
// over all processes. Payment passwords are not in the second step, because it is a transaction more for each payment;
// the store counts the wrong ones of each buyer.
type loginLimiter struct {
	here    rateLimiter
	all     LoginCounter // nil: there is one process
	allowed int          // in a minute
	now     func() time.Time
}

// handler limits all requests of next.
func (l loginLimiter) handler(next http.Handler) http.Handler {
	if l.all == nil || l.here.counts == nil {
		return l.here.handler(next)
	}
	return l.here.handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		counted, err := l.all.CountLogin(r.Context(), account.NetworkOf(clientIP(r)), l.now(), l.allowed)
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

// guards are the middlewares that a configuration can make unusable, and the limiters.
type guards struct {
	requestID, clientIP, securityHeaders, sameOrigin func(http.Handler) http.Handler

	calls, passwords rateLimiter
	logins           loginLimiter
}

// newGuards returns an error that names the unusable part of the configuration.
func newGuards(c Config) (g guards, err error) {
	g.calls, g.passwords = newRateLimiter(c.Rates.Calls), newRateLimiter(c.Rates.Logins)
	g.logins = loginLimiter{here: g.passwords, all: c.LoginCounter, allowed: c.Rates.Logins, now: c.WireNow}
	if g.clientIP, err = findClientIP(c.TrustedProxies); err != nil {
		return g, err
	}
	g.requestID = identifyRequests(c.TrustedProxies)
	if g.securityHeaders, err = pages.SecurityHeaders(c.PictureHosts, c.App, c.Secure); err != nil {
		return g, err
	}
	g.sameOrigin, err = refuseCrossOrigin(c.TrustedOrigins)
	return g, err
}

// findClientIP finds the client's address. X-Forwarded-For is used only if it comes from a trusted network.
func findClientIP(trusted []string) (func(http.Handler) http.Handler, error) {
	for _, network := range trusted {
		if _, err := netip.ParsePrefix(network); err != nil {
			return nil, fmt.Errorf("httpapi: trusted proxy %q: %w", network, err)
		}
	}
	if len(trusted) == 0 {
		return middleware.ClientIPFromRemoteAddr, nil
	}
	return middleware.ClientIPFromXFF(trusted...), nil
}

// identifyRequests gives every request an id, and answers it as a header. The id of a trusted proxy is kept.
func identifyRequests(trusted []string) func(http.Handler) http.Handler {
	var networks []netip.Prefix
	for _, network := range trusted {
		networks = append(networks, netip.MustParsePrefix(network)) // findClientIP has parsed it
	}
	fromProxy := func(r *http.Request) bool {
		peer, err := netip.ParseAddrPort(r.RemoteAddr)
		return err == nil && slices.ContainsFunc(networks, func(n netip.Prefix) bool {
			return n.Contains(peer.Addr().Unmap())
		})
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id := r.Header.Get(requestid.Header)
			if !requestid.Valid(id) || !fromProxy(r) {
				id = requestid.New()
			}
			w.Header().Set(requestid.Header, id)
			next.ServeHTTP(w, r.WithContext(requestid.With(r.Context(), id)))
		})
	}
}

// refuseCrossOrigin refuses calls that a page of another origin makes with the buyer's browser, except the trusted
// origins, with wire.ErrCrossOrigin and HTTP status 403.
func refuseCrossOrigin(trusted []string) (func(http.Handler) http.Handler, error) {
	guard := http.NewCrossOriginProtection()
	for _, origin := range trusted {
		if err := guard.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("httpapi: trusted origin %q: %w", origin, err)
		}
	}
	guard.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wire.Refuse(w, r, http.StatusForbidden, wire.ErrCrossOrigin)
	}))
	return guard.Handler, nil
}
