package httpapi

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5/middleware"
	"github.com/go-chi/httprate"
)

// Rates bound what one address may ask in a minute of wire time; zero is the default, a negative number no bound.
type Rates struct {
	Calls  int // all calls; 1200
	Logins int // codes sent, logins, card bindings; 60
}

func (r Rates) withDefaults() Rates {
	if r.Calls == 0 {
		r.Calls = 1200
	}
	if r.Logins == 0 {
		r.Logins = 60
	}
	return r
}

func (h *handler) limited(perMinute int) func(http.Handler) http.Handler {
	if perMinute < 0 {
		return func(next http.Handler) http.Handler { return next }
	}
	return httprate.LimitBy(perMinute, time.Minute,
		func(r *http.Request) (string, error) { return httprate.CanonicalizeIP(clientIP(r)), nil },
		httprate.WithLimitHandler(func(w http.ResponseWriter, r *http.Request) {
			h.fail(w, r, backendOf(r.URL.Path), ErrRateLimited)
		}))
}

// addressed finds the client's address. Forwarding headers count only from the proxies that are named.
func addressed(trusted []string) func(http.Handler) http.Handler {
	if len(trusted) == 0 {
		return middleware.ClientIPFromRemoteAddr
	}
	return middleware.ClientIPFromXFF(trusted...)
}

// sameOrigin refuses writes that another site's page makes with the buyer's browser.
func (h *handler) sameOrigin() (func(http.Handler) http.Handler, error) {
	guard := http.NewCrossOriginProtection()
	for _, origin := range h.TrustedOrigins {
		if err := guard.AddTrustedOrigin(origin); err != nil {
			return nil, fmt.Errorf("httpapi: trusted origin %q: %w", origin, err)
		}
	}
	guard.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		note(r.Context(), ErrCrossOrigin.Code, nil)
		writeJSON(w, http.StatusForbidden, backendOf(r.URL.Path).failure(ErrCrossOrigin))
	}))
	return guard.Handler, nil
}

// hardened sets the headers that every answer carries.
func (h *handler) hardened(next http.Handler) http.Handler {
	policy := strings.Join([]string{
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		strings.TrimSpace("img-src 'self' data: blob: " + strings.Join(h.PictureHosts, " ")),
		"font-src 'self'",
		"connect-src 'self'",
		"manifest-src 'self'",
		"worker-src 'self'",
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
	}, "; ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		head := w.Header()
		head.Set("Content-Security-Policy", policy)
		head.Set("X-Content-Type-Options", "nosniff")
		head.Set("X-Frame-Options", "DENY")
		head.Set("Referrer-Policy", "no-referrer")
		head.Set("Cross-Origin-Opener-Policy", "same-origin")
		head.Set("Cross-Origin-Resource-Policy", "same-origin")
		head.Set("Permissions-Policy", "geolocation=(self), camera=(self), microphone=(), payment=()")
		if h.Secure {
			head.Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}

// backendOf is the backend whose envelope a path's failures take.
func backendOf(path string) backend {
	switch {
	case path == "/movie/route":
		return gatewayBackend
	case strings.HasPrefix(path, "/newmovie/"):
		return newmovieBackend
	case strings.HasPrefix(path, "/api/api.php/"):
		return cardBackend
	default:
		return mainBackend
	}
}

// apiPath reports whether a path belongs to the calls, so that an unknown one is answered as a call.
func apiPath(path string) bool {
	for _, prefix := range []string{"/movie/", "/newmovie/", "/api/", "/notify/", "/Login/", "/Member/", "/Film/", "/Dyorder/", "/Kaquan/"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}
