package app_test

import (
	"bytes"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/app"
)

// strangers send requests to a production shop; the test reads its log.
type strangers struct {
	shop    *app.App
	channel string
	log     bytes.Buffer
}

func newStrangers(t *testing.T, change func(v map[string]string)) *strangers {
	t.Helper()
	v := realEnvironment(t)
	if change != nil {
		change(v)
	}
	cfg, err := app.FromEnvironment(v)
	require.NoError(t, err)
	s := &strangers{channel: v["MARQUEE_CHANNEL_NO"]}
	cfg.Logger = slog.New(slog.NewJSONHandler(&s.log, nil))
	s.shop, err = app.New(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.shop.Close()) })
	return s
}

// send makes a request from an address.
func (s *strangers) send(method, path, from, body string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Method, r.RemoteAddr = method, from+":4000"
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.shop.Handler().ServeHTTP(w, r)
	return w
}

// The log never quotes more than 64 bytes of what a stranger sent, in any part of the request.
func TestStrangers_DoNotFillTheLog(t *testing.T) {
	t.Parallel()
	s := newStrangers(t, nil)
	const size = 20_000
	long := strings.Repeat("A", size)
	form := func(fields ...string) string {
		v := url.Values{"channel_no": {s.channel}}
		for i := 0; i < len(fields); i += 2 {
			v.Set(fields[i], fields[i+1])
		}
		return v.Encode()
	}
	for name, c := range map[string]struct {
		method, path, body string
		headers            []string
	}{
		"a time of a push":           {"POST", "/notify/gateway", "timestamp=" + long, nil},
		"control characters":         {"POST", "/notify/gateway", "timestamp=" + strings.Repeat("\x01", size), nil},
		"quotes":                     {"POST", "/notify/gateway", "timestamp=" + strings.Repeat(`"`, size), nil},
		"a repeated key":             {"POST", "/notify/gateway", long + "=1&" + long + "=1", nil},
		"a broken form":              {"POST", "/notify/gateway", "timestamp=%" + long, nil},
		"a serial":                   {"POST", "/notify/wechat/pay", "{}", []string{"Wechatpay-Serial", long}},
		"an id of a request":         {"POST", "/notify/wechat/pay", "{}", []string{"Request-Id", long}},
		"a time of a notify":         {"POST", "/notify/wechat/refund", "{}", signedHeaders("Wechatpay-Timestamp", long)},
		"a nonce":                    {"POST", "/notify/wechat/refund", "{}", signedHeaders("Wechatpay-Nonce", long)},
		"a signature":                {"POST", "/notify/wechat/pay", "{}", signedHeaders("Wechatpay-Signature", long)},
		"an id with a valid length":  {"POST", "/notify/wechat/pay", "{}", signedHeaders("Request-Id", long)},
		"a method":                   {strings.Repeat("A", 500), "/index", "", nil},
		"a path":                     {"GET", "/" + long, "", nil},
		"a token":                    {"POST", "/Member/index", form("token", long), nil},
		"an id of a film":            {"GET", "/newmovie/api/movie/movie_detail?movieId=" + long[:512], "", nil},
		"an id of a cinema":          {"POST", "/newmovie/seat/cinemaDetail", form("cinemaId", long[:512]), nil},
		"an id of a request by hand": {"GET", "/healthz", "", []string{"X-Request-Id", long}},
		"an agent":                   {"GET", "/healthz", "", []string{"User-Agent", long, "Traceparent", long}},
		"an origin":                  {"POST", "/Login/sendcode", form(), []string{"Origin", long, "Sec-Fetch-Site", long}},
		"a code of the vendor":       {"POST", "/Login/getopenid", form("code", long[:512], "state", long[:512]), nil},
		"an answer of a challenge":   {"POST", "/Login/sendcode", form("phone", long[:512], "ticket", long[:512]), nil},
	} {
		before := s.log.Len()
		s.send(c.method, c.path, "203.0.113.1", c.body, c.headers...)
		line := s.log.String()[before:]
		require.False(t, strings.Contains(line, long[:65]), name)
		require.Less(t, len(line), 1024, name)
	}
}

// signedHeaders are the headers of a notification. The header with the name has the value.
func signedHeaders(name, value string) []string {
	headers := map[string]string{
		"Wechatpay-Serial": "PUB_KEY_ID_1", "Wechatpay-Nonce": "n", "Wechatpay-Timestamp": "1", "Wechatpay-Signature": "c2ln",
		name: value,
	}
	var list []string
	for name, value := range headers {
		list = append(list, name, value)
	}
	return list
}

// The notifications of a network are not read for a while after 60 of them were rejected in a minute. Those of another
// network are.
func TestStrangers_RejectedNotificationsAreLimited(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/notify/gateway", "/notify/wechat/pay", "/notify/wechat/refund"} {
		s := newStrangers(t, nil)
		push := func(from string) *httptest.ResponseRecorder {
			return s.send("POST", path, from, "timestamp=x", signedHeaders("Wechatpay-Serial", "PUB_KEY_ID_1")...)
		}
		for range 60 {
			require.Equal(t, http.StatusUnauthorized, push("203.0.113.9").Code, path)
		}
		for range 100 {
			w := push("203.0.113.9")
			require.Equal(t, http.StatusTooManyRequests, w.Code, path)
			require.NotContains(t, strings.ToLower(w.Body.String()), "success", path)
		}
		require.Equal(t, http.StatusUnauthorized, push("203.0.113.10").Code, path)
	}
}

// Requests that read the database are limited. Probes are not: a balancer does not share its network, and they are
// cheap.
func TestStrangers_PicturesAndPagesShareTheRateOfCalls(t *testing.T) {
	t.Parallel()
	s := newStrangers(t, func(v map[string]string) { v["MARQUEE_RATE_CALLS"] = "1200" })
	limited := func(path string) (n int) {
		for range 1300 {
			w := s.send("GET", path, "203.0.113.11", "")
			body, err := io.ReadAll(w.Body)
			require.NoError(t, err)
			if strings.Contains(string(body), "rate_limited") {
				n++
			}
		}
		return n
	}
	require.Equal(t, 100, limited("/avatars/00000000000000000000000000000000.jpg"))
	require.Zero(t, limited("/readyz"))
}
