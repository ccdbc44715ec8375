package app_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/app"
	"marquee/server/store/postgres/pgtest"
)

// Replicas count the logins of a network together: a login that is rejected by one is rejected by the others too.
func TestLoginRate_IsSharedByReplicas(t *testing.T) {
	t.Parallel()
	db := pgtest.Shop(t)
	var replicas []http.Handler
	var channel string
	for range 3 {
		shop := newIdleShop(t, func(cfg *app.Config) {
			cfg.DB, cfg.Rates, channel = db, app.Rates{Calls: -1, Logins: 5}, cfg.Channel.No
		})
		replicas = append(replicas, shop.Handler())
	}
	login := func(replica http.Handler, address string) string {
		form := url.Values{"channel_no": {channel}, "code": {"x"}, "state": {"y"}}
		r := httptest.NewRequestWithContext(context.Background(), http.MethodPost, "/Login/getopenid",
			strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.RemoteAddr = address
		w := httptest.NewRecorder()
		replica.ServeHTTP(w, r)
		return w.Body.String()
	}
	for n := range 5 {
		require.Contains(t, login(replicas[n%3], "203.0.113.7:1"), "oauth_state")
	}
	for _, replica := range replicas {
		require.Contains(t, login(replica, "203.0.113.7:1"), "rate_limited")
	}
	require.Contains(t, login(replicas[0], "203.0.113.8:1"), "oauth_state", "another network")
}
