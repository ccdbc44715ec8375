package httpapi

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
)

// firstAnswersOf returns the answers that a page carries and their time.
func firstAnswersOf(t *testing.T, body string) (at int64, answers map[string]json.RawMessage) {
	t.Helper()
	require.Equal(t, 1, strings.Count(body, answersOpen))
	_, rest, _ := strings.Cut(body, answersOpen)
	block, _, _ := strings.Cut(rest, scriptClose)
	require.NotContains(t, block, "<", "nothing in it can end the block")
	var all struct {
		At      int64
		Answers map[string]json.RawMessage
	}
	require.NoError(t, json.Unmarshal([]byte(block), &all))
	return all.At, all.Answers
}

const (
	hotCityCall = "/movie/route/Movie/hotcity?"
	filmsCall   = "/newmovie/api/movie/movies?cityId=310100&pageSize=99999999"
	hotCall     = "/movie/route?cityid=310100&method=film.hot&pageNo=1&pageSize=99999999"
	cinemasCall = "/movie/route/Movie/cinema?cityid=310100"
)

func TestPage_BringsTheAnswersOfItsFirstCalls(t *testing.T) {
	t.Parallel()
	r := newHarness(t, useBuiltWeb)
	for path, calls := range map[string][]string{
		"/":                         {hotCityCall, hotCall, filmsCall, "/movie/route/Movie/sylbt?"},
		"/index?token=x":            {hotCityCall, hotCall, filmsCall, "/movie/route/Movie/sylbt?"},
		"/multiplex":                {hotCityCall, cinemasCall, "/movie/route/Movie/yclbt?"},
		"/filmdetail?id=m1":         {"/newmovie/api/movie/movie_detail?movieId=m1"},
		"/filmdetail?id=unknown":    {},
		"/multiplexDetail?id=g1":    {"/movie/route?cinemaid=g1&method=cinema.detail"},
		"/multiplexNewDetail?id=n1": {"/newmovie/api/movie/cinema_shows?cinemaId=n1"},
		"/memberindex":              {"/Kaquan/index?"},
		"/couponsDetail?id=7":       {"/Kaquan/show?id=7"},
		"/couponsdetail?id=7":       {"/Kaquan/show?id=7"},
		"/couponsDetail?id=8":       {},
		"/couponsDetail?id=%3Cb":    {},
		"/couponsDetail":            {},
	} {
		at, answers := firstAnswersOf(t, r.get(t, path).Body)
		require.Equal(t, wireNow.UnixMilli(), at)
		require.Len(t, answers, len(calls), path)
		for _, call := range calls {
			require.Contains(t, answers, call, path)
		}
	}
	for _, path := range []string{"/quickLogin", "/login", "/personCenter", "/no-such-screen"} {
		require.NotContains(t, r.get(t, path).Body, answersOpen, path)
	}
}

// A page carries the answers that a visitor without a session gets, even if the request contains a token.
func TestPage_BringsWhatTheCallsAnswer(t *testing.T) {
	t.Parallel()
	r := newHarness(t, useBuiltWeb)
	req := r.request(t, http.MethodGet, "/index?token="+goodToken, "")
	req.Header.Set("Authorization", "Bearer "+goodToken)
	body := r.do(t, req).Body
	require.Equal(t, r.get(t, "/index").Body, body)
	require.NotContains(t, body, goodToken)
	_, answers := firstAnswersOf(t, body)
	for _, page := range []string{"/memberindex", "/couponsDetail?id=7"} {
		_, more := firstAnswersOf(t, r.get(t, page).Body)
		maps.Copy(answers, more)
	}
	require.JSONEq(t, r.get(t, filmsCall).Body, string(answers[filmsCall]))
	for _, call := range []string{
		hotCityCall, hotCall, "/movie/route/Movie/sylbt?", "/Kaquan/index?", "/Kaquan/show?id=7",
	} {
		path, query, _ := strings.Cut(call, "?")
		fields := map[string]string{"channel_no": testChannel.No}
		asked, err := url.ParseQuery(query)
		require.NoError(t, err)
		for name := range asked {
			fields[name] = asked.Get(name)
		}
		signFields(fields, wireNow)
		form := url.Values{}
		for name, value := range fields {
			form.Set(name, value)
		}
		require.JSONEq(t, r.post(t, path, form.Encode()).Body, string(answers[call]), call)
	}
}

// The placeholder shows the first picture of the screen before any script runs. The browser loads it with the scripts.
func TestPage_ShowsItsFirstPicture(t *testing.T) {
	t.Parallel()
	r := newHarness(t, useBuiltWeb)
	const link = `<link rel="preload" as="image" fetchpriority="high" href="%s">` + configOpen
	const image = `<b>电影</b><span class="mq-boot__picture mq-boot__picture--%s"><img src="%s" alt=""></span></div>`
	const banner = `/art/banner.svg?a=&#34;b&#34;&amp;c`
	for page, shown := range map[string]struct{ picture, shape string }{
		"/index":                    {banner, "banner"},
		"/multiplex":                {banner, "banner"},
		"/memberindex":              {banner, "wide"},
		"/couponsDetail?id=7":       {"/art/goods/7.svg", "tint"},
		"/filmdetail?id=m1":         {"/art/poster/m1.svg", "stage"},
		"/multiplexDetail?id=g1":    {"/art/poster/a.svg", "stage"},
		"/multiplexNewDetail?id=n1": {"/art/poster/a.svg", "stage"},
	} {
		body := r.get(t, page).Body
		require.Contains(t, body, fmt.Sprintf(link, shown.picture), page)
		require.Contains(t, body, fmt.Sprintf(image, shown.shape, shown.picture), page)
	}
	for _, page := range []string{
		"/hotlist", "/couponsDetail?id=8", "/login", "/filmdetail?id=unknown", "/multiplexDetail?id=unknown",
	} {
		body := r.get(t, page).Body
		require.NotContains(t, body, `as="image"`, page)
		require.NotContains(t, body, "<img", page)
	}
}

// A page with answers is compressed when it is made, and has no ETag, because the answers contain a time.
func TestPage_WithAnswersIsPacked(t *testing.T) {
	t.Parallel()
	r := newHarness(t, useBuiltWeb)
	plain := r.get(t, "/couponsDetail?id=7")
	require.Empty(t, plain.Header.Get("ETag"))
	req := r.request(t, http.MethodGet, "/couponsDetail?id=7", "")
	req.Header.Set("Accept-Encoding", "gzip, br")
	packed := r.do(t, req)
	require.Equal(t, "gzip", packed.Header.Get("Content-Encoding"))
	require.Equal(t, "text/html; charset=utf-8", packed.Header.Get("Content-Type"))
	require.Equal(t, "Accept-Encoding", packed.Header.Get("Vary"))
	text, err := gzip.NewReader(strings.NewReader(packed.Body))
	require.NoError(t, err)
	unpacked, err := io.ReadAll(text)
	require.NoError(t, err)
	require.Equal(t, plain.Body, string(unpacked))
	head := r.do(t, r.request(t, http.MethodHead, "/couponsDetail?id=7", ""))
	require.Equal(t, http.StatusOK, head.Status)
	require.Empty(t, head.Body)
}

type failingCatalog struct{ fakeCatalog }

func (failingCatalog) Films(context.Context, string) ([]catalog.Film, error) {
	return nil, fault.ErrUnavailable
}

func (failingCatalog) HotFilms(ctx context.Context, _ string) ([]catalog.Film, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

type noCities struct{ fakeCatalog }

func (noCities) HotCities(context.Context) ([]catalog.City, error) { return nil, fault.ErrUnavailable }

func TestPage_LeavesOutWhatFailsOrTakesTooLong(t *testing.T) {
	t.Parallel()
	failing := newHarness(t, func(c *Config) { useBuiltWeb(c); useCatalog(c, failingCatalog{}) })
	a := failing.get(t, "/index")
	require.Equal(t, http.StatusOK, a.Status)
	_, answers := firstAnswersOf(t, a.Body)
	require.Contains(t, answers, hotCityCall)
	require.Contains(t, answers, "/movie/route/Movie/sylbt?", "what is at hand waits for no provider")
	require.NotContains(t, answers, hotCall)
	require.NotContains(t, answers, filmsCall)
	withoutCities := newHarness(t, func(c *Config) { useBuiltWeb(c); useCatalog(c, noCities{}) })
	_, answers = firstAnswersOf(t, withoutCities.get(t, "/index").Body)
	require.Len(t, answers, 1)
	require.Contains(t, answers, "/movie/route/Movie/sylbt?")
}

// A page without an answer, because its call failed, is not shared with later requests.
func TestPage_WithoutAnAnswerIsNotSharedWithOthers(t *testing.T) {
	t.Parallel()
	source := &hotCatalog{}
	r := newHarness(t, func(c *Config) { useBuiltWeb(c); useCatalog(c, source) })
	answers := func() int {
		_, all := firstAnswersOf(t, r.get(t, "/multiplexNewDetail?id=n1").Body)
		return len(all)
	}
	var down error = fault.ErrUnavailable
	source.err.Store(&down)
	require.Zero(t, answers())
	source.err.Store(nil)
	require.Equal(t, 1, answers())
	require.Equal(t, 1, answers())
	require.Equal(t, int32(2), source.calls.Load(), "the last two share an answer")
}
