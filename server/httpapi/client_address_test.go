package httpapi

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// Proxies write addresses with ports, brackets and quotes.
func TestClientAddress_IsReadAsProxiesWriteIt(t *testing.T) {
	t.Parallel()
	a, err := newClientAddresses(Config{TrustedProxies: []string{"10.0.0.0/8", "2001:db8:ffff::/48"}})
	require.NoError(t, err)
	for forwarded, want := range map[string]string{
		"203.0.113.7":                         "203.0.113.7",
		"203.0.113.7:40123":                   "203.0.113.7",
		" 203.0.113.7 ":                       "203.0.113.7",
		`"203.0.113.7"`:                       "203.0.113.7",
		`"203.0.113.7:40123"`:                 "203.0.113.7",
		"2001:db8::1":                         "2001:db8::1",
		"[2001:db8::1]":                       "2001:db8::1",
		"[2001:db8::1]:443":                   "2001:db8::1",
		`"[2001:db8::1]:443"`:                 "2001:db8::1",
		"::ffff:203.0.113.7":                  "203.0.113.7",
		"fe80::1%eth0":                        "fe80::1",
		"198.51.100.1, 203.0.113.7:1":         "203.0.113.7",
		"203.0.113.7:1, 10.1.2.3:80":          "203.0.113.7",
		"203.0.113.7, [2001:db8:ffff::1]:443": "203.0.113.7",
		"forged, 203.0.113.7":                 "203.0.113.7",
		"10.9.9.9":                            "10.9.9.9",
		"10.9.9.9, 10.1.2.3":                  "10.9.9.9",
		"203.0.113.7, unknown":                "",
		"unknown":                             "",
		"_hidden":                             "",
		"":                                    "",
		"203.0.113.7:port":                    "",
		"203.0.113.7, 10.1.2.3, <script>, 10.1.2.3": "",
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = "10.0.0.1:4000"
		r.Header.Set("X-Forwarded-For", forwarded)
		found := a.find(r)
		require.Equal(t, want != "", found.IsValid(), forwarded)
		if want != "" {
			require.Equal(t, want, found.String(), forwarded)
		}
		r.RemoteAddr = "198.51.100.9:4000"
		require.Equal(t, "198.51.100.9", a.find(r).String(), "a peer that is not a proxy: %s", forwarded)
	}
}

// Buyers whose address cannot be read do not share a limit. They are counted, and logged once a minute.
func TestClientAddress_UnreadableOnesShareNoLimit(t *testing.T) {
	t.Parallel()
	var unreadable atomic.Int64
	r := newHarness(t, func(c *Config) {
		c.TrustedProxies, c.Rates = []string{"127.0.0.0/8"}, Rates{Calls: 3, Logins: 3, Reads: 3}
		c.ObserveUnreadableAddress = func() { unreadable.Add(1) }
	})
	send := func(from string) any {
		req := r.request(t, http.MethodPost, "/Login/sendcode", "channel_no=ch1&phone=13800000001")
		req.Header.Set("X-Forwarded-For", from)
		return r.do(t, req).Error
	}
	secret := "unknown-" + strings.Repeat("x", 100)
	for range 10 {
		require.Nil(t, send(secret))
	}
	require.EqualValues(t, 10, unreadable.Load())
	require.Equal(t, 1, strings.Count(r.log.String(), "cannot be read"))
	require.NotContains(t, r.log.String(), secret)
	for range 3 {
		require.Nil(t, send("203.0.113.7:1"))
	}
	require.EqualValues(t, "rate_limited", send("203.0.113.7:2"), "one that can be read has its limit")
	require.Nil(t, send("203.0.113.8:2"))
	for _, probe := range []string{"/healthz", "/readyz"} { // from the balancer itself, without a forwarded address
		require.Equal(t, http.StatusOK, r.get(t, probe).Status)
	}
	require.EqualValues(t, 10, unreadable.Load())
	require.Equal(t, http.StatusOK, r.get(t, "/login").Status)
	require.EqualValues(t, 11, unreadable.Load(), "a request for a page without the header is counted")
}
