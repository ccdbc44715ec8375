package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
)

func TestHeaders_EveryAnswerIsHardened(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) { c.PictureHosts = []string{"https://pictures.example"} })
	for _, path := range []string{
		"/", "/index", "/healthz", "/nothing.js", "/newmovie/api/nothing", "/avatars/default.svg",
	} {
		a := r.get(t, path)
		policy := a.Header.Get("Content-Security-Policy")
		require.Contains(t, policy, "default-src 'none'", path)
		require.Contains(t, policy, "img-src 'self' data: blob: https://pictures.example;", path)
		require.Contains(t, policy, "frame-src weixin: weixinping: weixinpreinject:;", path)
		require.NotContains(t, policy, "unsafe", path)
		require.Equal(t, "no-referrer", a.Header.Get("Referrer-Policy"), path)
		require.Equal(t, "nosniff", a.Header.Get("X-Content-Type-Options"), path)
		require.Equal(t, "DENY", a.Header.Get("X-Frame-Options"), path)
		require.Empty(t, a.Header.Get("Strict-Transport-Security"), "not over TLS")
	}
}

// The vendor's H5 payment page opens only for the sites of the merchant, which it recognizes by the referrer.
func TestHeaders_H5PaymentSendsTheOrigin(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) { c.App.H5 = true })
	require.Equal(t, "strict-origin", r.get(t, "/index").Header.Get("Referrer-Policy"))
}

func TestCrossOrigin_WritesOfOtherSitesAreRejected(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) { c.TrustedOrigins = []string{"http://inapp.localhost:9090"} })
	from := func(site, origin string) map[string]string {
		return map[string]string{"Sec-Fetch-Site": site, "Origin": origin}
	}
	for name, c := range map[string]struct {
		headers  map[string]string
		rejected bool
	}{
		"no browser":            {nil, false},
		"same origin":           {map[string]string{"Sec-Fetch-Site": "same-origin"}, false},
		"another site":          {from("cross-site", "https://evil.example"), true},
		"a sibling site":        {from("same-site", "https://evil.example"), true},
		"an old browser":        {map[string]string{"Origin": "https://evil.example"}, true},
		"the in-app browser":    {from("cross-site", "http://inapp.localhost:9090"), false},
		"another in-app origin": {from("cross-site", "http://inapp.localhost:9091"), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := r.request(t, http.MethodPost, "/Login/sendcode", "channel_no=ch1&phone=13800000001")
			for k, v := range c.headers {
				req.Header.Set(k, v)
			}
			a := r.do(t, req)
			if c.rejected {
				require.Equal(t, http.StatusForbidden, a.Status)
				require.Equal(t, "cross_origin", a.Error)
			} else {
				require.EqualValues(t, 200, a.Code, a.Body)
			}
		})
	}
}

func TestRates_LimitLoginsMoreThanReads(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) { c.Rates = Rates{Calls: 12, Logins: 3} })
	send := func() answer { return r.post(t, "/Login/sendcode", "channel_no=ch1&phone=13800000001") }
	for range 3 {
		require.EqualValues(t, 200, send().Code)
	}
	a := send()
	require.Equal(t, "rate_limited", a.Error)
	require.Equal(t, http.StatusOK, a.Status)
	require.NotEmpty(t, a.Header.Get("Retry-After"))
	require.True(t, hasChinese(a.Msg))
	var last answer
	for range 12 {
		last = r.get(t, "/newmovie/api/movie/movies?cityId=310100")
	}
	require.Equal(t, "rate_limited", last.Error)
	require.EqualValues(t, 400, last.Code)
	require.Equal(t, http.StatusOK, r.get(t, "/healthz").Status, "health is not counted")
}

func TestRates_CountPaymentPasswordsAsLogins(t *testing.T) {
	t.Parallel()
	pay := map[string]string{"token": goodToken, "oid": "77712345", "ka_ids": "1", "pass": "135791"}
	for _, path := range []string{"/Film/flkpay", "/movie/route/Movie/wxpay", "/Kaquan/flkpay",
		"/Member/editpassword"} {
		r := newHarness(t, func(c *Config) { c.Rates = Rates{Calls: -1, Logins: 2} })
		for range 2 {
			require.NotEqual(t, "rate_limited", errorOf(r.form(t, path, pay)), path)
		}
		require.Equal(t, "rate_limited", errorOf(r.form(t, path, pay)), path)
		require.Equal(t, "rate_limited", r.form(t, "/Login/sendcode", map[string]string{"phone": "13800000001"}).Error)
	}
	r := newHarness(t, func(c *Config) { c.Rates = Rates{Calls: -1, Logins: 2} })
	delete(pay, "pass")
	for range 5 {
		require.NotEqual(t, "rate_limited", r.form(t, "/Film/wxpay", pay).Error, "without a password")
	}
}

// countedLogins counts logins for several servers.
type countedLogins struct {
	mu sync.Mutex
	n  int
}

func (c *countedLogins) CountLogin(_ context.Context, network string, now time.Time, allowed int) (bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if network == "" || !now.Equal(wireNow) {
		return false, fmt.Errorf("network %q at %s", network, now)
	}
	c.n++
	return c.n <= allowed, nil
}

func TestRates_LimitLoginsOverAllServers(t *testing.T) {
	t.Parallel()
	var counted countedLogins
	server := func() *harness {
		return newHarness(t, func(c *Config) { c.Rates, c.LoginCounter = Rates{Calls: -1, Logins: 3}, &counted })
	}
	one, other := server(), server()
	send := func(r *harness) answer {
		return r.form(t, "/Login/sendcode", map[string]string{"phone": "13800000001"})
	}
	for _, r := range []*harness{one, other, one} {
		require.Empty(t, send(r).Error)
	}
	rejected := send(other)
	require.Equal(t, "rate_limited", rejected.Error, "the second at this server, the fourth of all")
	require.Equal(t, "60", rejected.Header.Get("Retry-After"))
	pay := map[string]string{"token": goodToken, "oid": "77712345", "ka_ids": "1", "pass": "135791"}
	require.NotEqual(t, "rate_limited", one.form(t, "/Film/flkpay", pay).Error, "the third at this server")
	require.Equal(t, 4, counted.n, "a payment password is counted at its server")
	require.Equal(t, "rate_limited", send(one).Error)
	require.Equal(t, 4, counted.n, "a login that this server rejects is not counted in the store")
}

func TestRates_LimitSeatMapsWithoutASession(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) {
		c.Rates = Rates{Calls: -1, Logins: -1, Reads: 2}
		c.SeatMaps = noHalls{}
	})
	newMovie := func(token string) any {
		return r.form(t, "/newmovie/seat/map", map[string]string{"sessionId": "1", "token": token}).Error
	}
	legacy := func(token string) any {
		return r.form(t, "/movie/route", map[string]string{"method": "opi.seat", "opiid": "1",
			"token": token}).ErrorCode
	}
	require.EqualValues(t, "show_not_found", newMovie(""))
	require.EqualValues(t, "show_not_found", legacy("expired"))
	require.EqualValues(t, "rate_limited", newMovie(""))
	require.EqualValues(t, "rate_limited", legacy(""))
	require.EqualValues(t, "show_not_found", newMovie(goodToken), "a buyer who is logged in")
	require.EqualValues(t, "show_not_found", legacy(goodToken))
	require.Empty(t, r.form(t, "/movie/route", map[string]string{"method": "city.list"}).ErrorCode, "other methods")
}

// A page and a call without a session share one limit for what reaches a provider.
func TestRates_LimitReadsWithoutASession(t *testing.T) {
	t.Parallel()
	source := &countedSource{}
	films := catalog.New(catalog.Config{NewMovie: source, Now: func() time.Time { return testNow }})
	r := newHarness(t, func(c *Config) {
		c.Rates = Rates{Calls: -1, Logins: -1, Reads: 3}
		c.Films, c.Showings = films, films
	})
	ask := func(id int, header ...string) any {
		req := r.request(t, http.MethodGet, fmt.Sprintf("/newmovie/api/movie/session?sessionId=%d", id), "")
		for i := 0; i < len(header); i += 2 {
			req.Header.Set(header[i], header[i+1])
		}
		return r.do(t, req).Error
	}
	require.EqualValues(t, "show_not_found", ask(1))
	for range 10 {
		require.EqualValues(t, "show_not_found", ask(1), "what the source does not know is kept")
	}
	require.Equal(t, 1, source.asked())
	require.EqualValues(t, "show_not_found", ask(2))
	require.EqualValues(t, "show_not_found", ask(3))
	require.EqualValues(t, "rate_limited", ask(4))
	require.EqualValues(t, "rate_limited", r.get(t, "/newmovie/api/movie/movie_detail?movieId=5").Error, "another call")
	require.Equal(t, 3, source.asked())
	require.EqualValues(t, "show_not_found", ask(1), "what is kept is not counted")
	require.EqualValues(t, "show_not_found", ask(6, "Authorization", "Bearer "+goodToken), "a buyer who is logged in")
	require.EqualValues(t, "rate_limited", ask(7, "Authorization", "Bearer old"))
}

// countedSource has no sessions and no films, and counts its calls.
type countedSource struct {
	catalog.NewMovieCatalog // nil: no other call is made
	calls                   atomic.Int64
}

func (s *countedSource) asked() int { return int(s.calls.Load()) }

func (s *countedSource) Session(context.Context, string) (catalog.Show, error) {
	s.calls.Add(1)
	return catalog.Show{}, catalog.ErrShowNotFound
}

func (s *countedSource) Film(context.Context, string) (catalog.FilmDetail, error) {
	s.calls.Add(1)
	return catalog.FilmDetail{}, catalog.ErrFilmNotFound
}

// noHalls has no showings.
type noHalls struct{}

func (noHalls) SeatMap(context.Context, int64, catalog.Source, string) (catalog.SeatMap, error) {
	return catalog.SeatMap{}, catalog.ErrShowNotFound
}

// errorOf returns the code of a failure in any envelope.
func errorOf(a answer) any {
	if a.ErrorCode != "" {
		return a.ErrorCode
	}
	return a.Error
}

func TestClientIP_ForwardingHeadersCountFromNamedProxiesOnly(t *testing.T) {
	t.Parallel()
	forged := func(t *testing.T, trusted []string) string {
		t.Helper()
		r := newHarness(t, func(c *Config) { c.TrustedProxies = trusted })
		req := r.request(t, http.MethodPost, "/Login/sendcode", "channel_no=ch1&phone=13800000001")
		req.Header.Set("X-Forwarded-For", "203.0.113.7")
		req.Header.Set("X-Real-IP", "203.0.113.8")
		require.EqualValues(t, 200, r.do(t, req).Code)
		return r.accounts.from.Address
	}
	require.Equal(t, "127.0.0.1", forged(t, nil))
	require.Equal(t, "127.0.0.1", forged(t, nil))
	require.Equal(t, "203.0.113.7", forged(t, []string{"127.0.0.0/8"}))
	_, err := New(Config{Channel: testChannel, TrustedProxies: []string{"everyone"}})
	require.ErrorContains(t, err, "everyone")
}

func TestLog_HoldsNothingPersonal(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	r.post(t, "/Login/sendcode", "channel_no=ch1&phone=13800000001")
	r.form(t, "/Film/unlockseat", map[string]string{"token": goodToken, "oid": "77712345"})
	r.get(t, "/newmovie/api/movie/movies?cityId=310100&token=secret-token")
	r.get(t, "/index?token=secret-token")
	r.get(t, "/unknown/13800000001/secret-token")
	r.form(t, "/Film/unlockseat", map[string]string{"token": goodToken, "oid": "260314120000123456789012"})
	r.form(t, "/api/api.php/Card/addbinding", map[string]string{"token": goodToken, "kahao": "8010000000000001"})
	log := r.log.String()
	require.Equal(t, 7, strings.Count(log, `"msg":"request"`), "one line for each request")
	for _, secret := range []string{"13800000001", goodToken, "secret-token", "77712345", "8010000000000001", "ch1"} {
		require.NotContains(t, log, secret)
	}
	require.Contains(t, log, `"route":"/Film/unlockseat"`)
}

func TestNew_NamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	_, err := New(Config{})
	require.ErrorContains(t, err, "Channel")
}
