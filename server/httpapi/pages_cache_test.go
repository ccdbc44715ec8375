package httpapi

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPage_CountsAsACall(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) { useBuiltWeb(c); c.Rates = Rates{Calls: 3, Logins: -1} })
	for _, path := range []string{"/index", "/no-such-screen", "/couponsDetail?id=7"} {
		require.NotEqual(t, http.StatusTooManyRequests, r.get(t, path).Status, path)
	}
	a := r.get(t, "/index")
	require.Equal(t, http.StatusTooManyRequests, a.Status)
	require.NotEmpty(t, a.Header.Get("Retry-After"))
	require.Contains(t, a.Header.Get("Content-Type"), "text/html")
	require.True(t, hasChinese(a.Body))
	require.Equal(t, "rate_limited", r.get(t, "/newmovie/api/movie/movies?cityId=310100").Error, "one count for both")
	require.Equal(t, http.StatusOK, r.get(t, "/favicon.svg").Status, "a file of the build is in memory")
}

func TestPage_HasATag(t *testing.T) {
	t.Parallel()
	r := newHarness(t, useBuiltWeb)
	get := func(path, tag, encoding string) answer {
		req := r.request(t, http.MethodGet, path, "")
		req.Header.Set("Accept-Encoding", encoding)
		if tag != "" {
			req.Header.Set("If-None-Match", tag)
		}
		return r.do(t, req)
	}
	first := get("/login", "", "identity")
	tag := first.Header.Get("Etag")
	require.Regexp(t, `^"[^"]+"$`, tag)
	require.Equal(t, "Accept-Encoding", first.Header.Get("Vary"))
	same := get("/login?token=x", tag, "identity")
	require.Equal(t, http.StatusNotModified, same.Status, "the query of the address changes nothing")
	require.Empty(t, same.Body)
	require.Equal(t, tag, same.Header.Get("Etag"))
	require.Equal(t, "no-cache", same.Header.Get("Cache-Control"))
	packed := get("/login", tag, "br")
	require.Equal(t, http.StatusOK, packed.Status, "a packed page is another representation")
	require.NotEqual(t, tag, packed.Header.Get("Etag"))
	require.NotEqual(t, tag, get("/personCenter", "", "identity").Header.Get("Etag"))
	missing := get("/no-such-screen", "", "identity")
	require.Equal(t, http.StatusNotFound, get("/no-such-screen", missing.Header.Get("Etag"), "identity").Status)
}

// BenchmarkPage measures the home page against an answer of a few bytes.
func BenchmarkPage(b *testing.B) {
	c := harnessConfig(&harness{accounts: &fakeAccounts{}, orders: &fakeOrders{}})
	useBuiltWeb(&c)
	handler, err := New(c)
	require.NoError(b, err)
	for name, path := range map[string]string{"home": "/index", "small": "/healthz"} {
		b.Run(name, func(b *testing.B) {
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					r := httptest.NewRequest(http.MethodGet, path, nil)
					r.Header.Set("Accept-Encoding", "gzip, deflate, br")
					w := httptest.NewRecorder()
					handler.ServeHTTP(w, r)
					if w.Code != http.StatusOK {
						b.Error(w.Code)
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
		})
	}
}
