package httpapi

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"

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
		"/multiplex?movieId=1":      {hotCityCall, "/movie/route/Movie/yclbt?"},
		"/hotlist":                  {hotCityCall, hotCall},
		"/hotlist?cityid=310100":    {hotCityCall, hotCall},
		"/hotlist?cityid=elsewhere": {hotCityCall},
		"/filmdetail?id=m1":         {"/newmovie/api/movie/movie_detail?movieId=m1"},
		"/filmdetail?id=unknown":    {},
		"/multiplexDetail?id=g1":    {"/movie/route?cinemaid=g1&method=cinema.detail"},
		"/multiplexNewDetail?id=n1": {"/newmovie/api/movie/cinema_shows?cinemaId=n1"},
		"/memberindex":              {"/Kaquan/index?"},
		"/musicmember":              {"/Kaquan/music?pageno=1&pagesize=100"},
		"/readmember":               {"/Kaquan/read?flag=1&pageno=1&pagesize=500"},
		"/movelist":                 {"/Kaquan/lists?flag=2&pageno=1&pagesize=100"},
		"/memberClass?index=0&id=3": {"/Kaquan/classify?", "/Kaquan/lists?fid=3&flag=0&pageno=1&pagesize=100"},
		"/memberClass":              {"/Kaquan/classify?"},
		"/memberClass?id=%3Cb":      {"/Kaquan/classify?"},
		"/couponsDetail?id=7":       {"/Kaquan/show?id=7"},
		"/couponsDetail?id=8":       {},
		"/couponsDetail":            {},
		"/login":                    {"/Login/index?"},
		"/yinsizhengce":             {"/Login/single?id=1"},
		"/useexplain":               {"/Login/single?id=2", "/movie/route/Movie/guide?"},
	} {
		at, answers := firstAnswersOf(t, r.get(t, path).Body)
		require.Equal(t, wireNow.UnixMilli(), at)
		require.Len(t, answers, len(calls), path)
		for _, call := range calls {
			require.Contains(t, answers, call, path)
		}
	}
	for _, path := range []string{"/quickLogin", "/personCenter", "/no-such-screen"} {
		require.NotContains(t, r.get(t, path).Body, answersOpen, path)
	}
}

// A page carries the answers of its calls for any visitor, also if the buyer is logged in.
func TestPage_BringsWhatTheCallsAnswer(t *testing.T) {
	t.Parallel()
	r := newHarness(t, useBuiltWeb)
	req := r.request(t, http.MethodGet, "/index?token="+goodToken, "")
	req.Header.Set("Authorization", "Bearer "+goodToken)
	body := r.do(t, req).Body
	require.Equal(t, r.get(t, "/index").Body, body)
	require.NotContains(t, body, goodToken)
	_, answers := firstAnswersOf(t, body)
	for _, page := range []string{"/memberindex", "/memberClass?id=3", "/couponsDetail?id=7", "/login", "/useexplain"} {
		_, more := firstAnswersOf(t, r.get(t, page).Body)
		maps.Copy(answers, more)
	}
	require.JSONEq(t, r.get(t, filmsCall).Body, string(answers[filmsCall]))
	for _, call := range []string{
		hotCityCall, hotCall, "/movie/route/Movie/sylbt?", "/Kaquan/index?", "/Kaquan/show?id=7",
		"/Kaquan/lists?fid=3&flag=0&pageno=1&pagesize=100", "/Login/single?id=2", "/Login/index?",
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

func TestPage_NamesItsFirstPictureAhead(t *testing.T) {
	t.Parallel()
	r := newHarness(t, useBuiltWeb)
	link := `<link rel="preload" as="image" fetchpriority="high" href="/art/banner.svg?a=&#34;b&#34;&amp;c"></head>`
	require.Contains(t, r.get(t, "/index").Body, link)
	require.Contains(t, r.get(t, "/multiplex").Body, link)
	require.Contains(t, r.get(t, "/memberindex").Body, link)
	goods := strings.Replace(link, "/art/banner.svg?a=&#34;b&#34;&amp;c", "/art/goods/7.svg", 1)
	require.Contains(t, r.get(t, "/couponsDetail?id=7").Body, goods)
	require.Contains(t, r.get(t, "/hotlist").Body, `as="image" fetchpriority="high" href="/art/poster/h1.svg"></head>`)
	for page, poster := range map[string]string{
		"/filmdetail?id=m1":                                "m1",
		"/multiplexDetail?id=g1":                           "a",
		"/multiplexDetail?id=g1&moveName=%E4%B9%99":        "b",
		"/multiplexNewDetail?id=n1":                        "a",
		"/multiplexNewDetail?id=n1&moveId=b":               "b",
		"/multiplexNewDetail?id=n1&moveId=x&movieCode=cb":  "b",
		"/multiplexNewDetail?id=n1&movieCode=cb&day=later": "b",
	} {
		require.Contains(t, r.get(t, page).Body, `as="image" fetchpriority="high" href="/art/poster/`+poster+`.svg"`,
			page)
	}
	for _, page := range []string{
		"/hotlist?cityid=elsewhere", "/musicmember", "/couponsDetail?id=8", "/login", "/filmdetail?id=unknown",
		"/multiplexDetail?id=unknown", "/multiplexDetail?id=g1&moveName=unknown",
		"/multiplexNewDetail?id=n1&moveId=a&movieCode=cx",
	} {
		require.NotContains(t, r.get(t, page).Body, `as="image"`, page)
	}
}

// The first screen is shown before any script runs: its picture, and texts of the answer with the picture.
func TestPage_ShowsTheFirstPictureAndItsTextsBeforeTheApp(t *testing.T) {
	t.Parallel()
	r := newHarness(t, useBuiltWeb)
	const banner = `<img src="/art/banner.svg?a=%22b%22&amp;c" alt="" fetchpriority="high" />`
	for page, shown := range map[string][]string{
		"/index":                    {banner, "搜索影片名称", "演示环境 · 票务与支付均为模拟"},
		"/multiplex":                {banner, "搜索影院"},
		"/memberindex":              {banner, "会员福利"},
		"/filmdetail?id=m1":         {`src="/art/poster/m1.svg"`, `<h2 class="film-top__name">`, "暂无简介"},
		"/multiplexDetail?id=g1":    {`src="/art/poster/a.svg"`, `<div class="cinema-card__text">`},
		"/multiplexNewDetail?id=n1": {`src="/art/poster/a.svg"`, `<div class="cinema-card__text">`},
	} {
		body := r.get(t, page).Body
		_, root, _ := strings.Cut(body, `<div id="root">`)
		root, _, _ = strings.Cut(root, answersOpen)
		for _, part := range shown {
			require.Contains(t, root, part, page)
		}
		require.NotContains(t, body, `class="boot" aria-hidden="true">`+"\n<b>", page)
		require.NotContains(t, root, "<no value>", page)
	}
	for page, title := range map[string]string{
		"/filmdetail?id=unknown": "影片详情", "/multiplexDetail?id=unknown": "影院详情", "/login": "登录",
		"/filmSeat?opiid=1": "选择座位", "/index?q=a": "首页", "/multiplex?movieId=1": "影院",
	} {
		body := r.get(t, page).Body
		require.Contains(t, body, "<div class=\"boot\" aria-hidden=\"true\">\n<b>"+title+"</b>", page)
		require.Contains(t, body, "演示环境 · 票务与支付均为模拟", page)
		require.NotContains(t, body, "<no value>", page)
	}
	require.NotContains(t, r.get(t, "/filmdetail?id=m1").Body, "评分", "the film has no score")
	unsimulated := newHarness(t, func(c *Config) { useBuiltWeb(c); c.App.Simulated = false })
	require.NotContains(t, unsimulated.get(t, "/index").Body, "演示环境")
	require.NotContains(t, unsimulated.get(t, "/login").Body, "演示环境")
}

// The messaging app's title bar takes the place of the page's, from the first paint on.
func TestPage_MarksThePageOfTheMessagingApp(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) {
		useBuiltWeb(c)
		html := strings.Replace(indexHTML, "<head>", `<html lang="zh-CN"><head>`, 1)
		c.Web.(fstest.MapFS)["index.html"] = &fstest.MapFile{Data: []byte(html)}
	})
	const plain, marked = `<html lang="zh-CN">`, `<html class="in-app" lang="zh-CN">`
	require.Contains(t, r.get(t, "/memberindex").Body, plain)
	req := r.request(t, http.MethodGet, "/memberindex", "")
	req.Header.Set("User-Agent", "Mozilla/5.0 MicroMessenger/8.0.49")
	a := r.do(t, req)
	require.Contains(t, a.Body, marked)
	require.Contains(t, a.Header.Get("Vary"), "User-Agent")
	require.Contains(t, r.get(t, "/memberindex").Body, plain, "the page that is kept is the one of other browsers")
}

func TestPage_EscapesTheTextsOfItsPlaceholder(t *testing.T) {
	t.Parallel()
	const routes = `[{"path":"/hotlist","placeholder":` +
		`"{{with .answer}}<h2>{{(index .filmList 0).moviename}}</h2>{{end}}","firstCalls":[` +
		`{"path":"/movie/route","fields":{"method":"film.hot"},"picture":true}]}]`
	r := newHarness(t, func(c *Config) {
		useBuiltWeb(c)
		c.Web.(fstest.MapFS)["routes.json"] = &fstest.MapFile{Data: []byte(routes)}
	})
	body := r.get(t, "/hotlist").Body
	require.Contains(t, body, `<h2>&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;</h2>`)
	require.NotContains(t, body, "<script>alert")
}

// A browser that loads six files at a time begins with what is in front.
func TestPage_NamesItsFirstPictureBeforeItsScripts(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) {
		useBuiltWeb(c)
		script := strings.Replace(indexHTML, "</head>",
			`<script type="module" src="/assets/app-abc.js"></script></head>`, 1)
		c.Web.(fstest.MapFS)["index.html"] = &fstest.MapFile{Data: []byte(script)}
	})
	require.Contains(t, r.get(t, "/hotlist").Body,
		`href="/art/poster/h1.svg"><script type="module" src="/assets/app-abc.js">`)
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
