package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"

	"marquee/server/content"
	"marquee/server/durations"
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

// showcase answers with a banner whose title is the present version.
type showcase struct {
	fakeShowcase
	version *atomic.Int64
}

func (s showcase) Banners(context.Context, content.Place) ([]content.Banner, error) {
	return []content.Banner{{ID: "1", Title: fmt.Sprint(s.version.Load())}}, nil
}

// versionedPages is a shop whose home page carries a version, and whose clock moves by a tick with each version.
func versionedPages(t *testing.T, tick time.Duration) (r *harness, version *atomic.Int64) {
	t.Helper()
	version = &atomic.Int64{}
	return newHarness(t, func(c *Config) {
		useBuiltWeb(c)
		c.Showcase = showcase{version: version}
		c.WireNow = func() time.Time { return wireNow.Add(time.Duration(version.Load()) * tick) }
	}), version
}

// versionOf returns the version that a page carries.
func versionOf(t *testing.T, body string) (version int64) {
	t.Helper()
	_, answers := firstAnswersOf(t, body)
	var home struct {
		Data struct {
			Banners []struct{ Title string }
		}
	}
	require.NoError(t, json.Unmarshal(answers["/movie/route/Movie/sylbt?"], &home))
	require.Len(t, home.Data.Banners, 1)
	_, err := fmt.Sscan(home.Data.Banners[0].Title, &version)
	require.NoError(t, err)
	return version
}

func TestPage_IsKeptForItsLifeAndHasATag(t *testing.T) {
	t.Parallel()
	r, version := versionedPages(t, durations.Page/2)
	get := func(path, tag, encoding string) answer {
		req := r.request(t, http.MethodGet, path, "")
		req.Header.Set("Accept-Encoding", encoding)
		if tag != "" {
			req.Header.Set("If-None-Match", tag)
		}
		return r.do(t, req)
	}
	first := get("/index", "", "identity")
	tag := first.Header.Get("Etag")
	require.Regexp(t, `^"[^"]+"$`, tag)
	require.Equal(t, "Accept-Encoding, User-Agent", first.Header.Get("Vary"))
	same := get("/index?token=x", tag, "identity")
	require.Equal(t, http.StatusNotModified, same.Status, "another field of the address changes nothing")
	require.Empty(t, same.Body)
	require.Equal(t, tag, same.Header.Get("Etag"))
	require.Equal(t, "no-cache", same.Header.Get("Cache-Control"))
	packed := get("/index", tag, "br")
	require.Equal(t, http.StatusOK, packed.Status, "a packed page is another representation")
	require.NotEqual(t, tag, packed.Header.Get("Etag"))

	version.Add(1)
	require.Equal(t, first.Body, get("/index", "", "identity").Body, "half its life has passed")
	version.Add(1)
	later := get("/index", tag, "identity")
	require.Equal(t, http.StatusOK, later.Status)
	require.EqualValues(t, 2, versionOf(t, later.Body))

	plain := get("/personCenter", "", "gzip")
	version.Add(100)
	unchanged := get("/personCenter", plain.Header.Get("Etag"), "gzip")
	require.Equal(t, http.StatusNotModified, unchanged.Status, "a page without answers never changes")
	missing := get("/no-such-screen", "", "identity")
	require.Equal(t, http.StatusNotFound, get("/no-such-screen", missing.Header.Get("Etag"), "identity").Status)
	other := get("/couponsDetail?id=7", "", "identity").Body
	require.NotEqual(t, other, get("/couponsDetail?id=8", "", "identity").Body, "a field that a call uses")
}

// While the content changes, no page is older than its life, whatever its encoding and however it was asked for, and a
// tag identifies only one page.
func TestPage_IsFreshWhileTheContentChanges(t *testing.T) {
	t.Parallel()
	const ticks = 10 // in the life of a page
	r, version := versionedPages(t, durations.Page/ticks)
	done := make(chan struct{})
	var bodies sync.Map // by tag
	var readers sync.WaitGroup
	for _, encoding := range []string{"br", "identity", "br", "identity"} {
		readers.Go(func() {
			tag, kept := "", int64(0)
			for {
				select {
				case <-done:
					return
				default:
				}
				req := r.request(t, http.MethodGet, "/index", "")
				req.Header.Set("Accept-Encoding", encoding)
				if tag != "" {
					req.Header.Set("If-None-Match", tag)
				}
				before := version.Load()
				a := r.do(t, req)
				if a.Status == http.StatusOK {
					tag = a.Header.Get("Etag")
					if was, seen := bodies.LoadOrStore(tag, a.Body); seen && was != a.Body {
						t.Error("one tag, two pages")
					}
					body := []byte(a.Body)
					if encoding == "br" {
						body, _ = io.ReadAll(brotli.NewReader(bytes.NewReader(body)))
					}
					kept = versionOf(t, string(body))
				}
				if kept < before-ticks {
					t.Errorf("version %d when %d was there: status %d", kept, before, a.Status)
				}
			}
		})
	}
	for range 40 {
		version.Add(1)
		for range 5 { // the content changes while pages are made
			r.get(t, "/index")
		}
	}
	close(done)
	readers.Wait()
}

// BenchmarkPage measures the home page with its answers against an answer of a few bytes.
func BenchmarkPage(b *testing.B) {
	c := harnessConfig(&harness{accounts: &fakeAccounts{}, orders: &fakeOrders{}})
	useBuiltWeb(&c)
	c.WireNow = time.Now
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
