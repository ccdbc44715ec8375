package httpapi

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/httpapi/pages"
	"marquee/web"
)

// The elements of the page that hold the configuration and the first answers.
const (
	configOpen  = `<script type="application/json" id="marquee-config">`
	answersOpen = `<script type="application/json" id="marquee-answers">`
	scriptClose = `</script>`
)

// routesJSON is the table of routes of the built web app. It is empty if the web app has not been built.
var routesJSON, _ = fs.ReadFile(web.Dist(), "routes.json")

func useBuiltWeb(c *Config) {
	c.Web = fstest.MapFS{
		"index.html":             {Data: []byte(indexHTML)},
		"routes.json":            {Data: routesJSON},
		"favicon.svg":            {Data: []byte("<svg/>")},
		"assets/app-abc.js":      {Data: []byte("plain")},
		"assets/app-abc.js.br":   {Data: []byte("brotli")},
		"assets/app-abc.js.gz":   {Data: []byte("gzipped")},
		"assets/only-plain-1.js": {Data: []byte("plain")},
		"sw.js":                  {Data: []byte("worker")},
	}
	c.App = pages.AppConfig{
		Build: "b1", Simulated: true, Links: pages.Links{Shop: "https://x.example/?a=</script><b>&c"},
	}
}

func TestPage_CarriesTheConfiguration(t *testing.T) {
	t.Parallel()
	r := newHarness(t, useBuiltWeb)
	a := r.get(t, "/index?token=x")
	require.Equal(t, http.StatusOK, a.Status)
	_, rest, _ := strings.Cut(a.Body, configOpen)
	block, _, _ := strings.Cut(rest, scriptClose)
	require.NotContains(t, block, "<", "nothing in it can end the block")
	var c pages.AppConfig
	require.NoError(t, json.Unmarshal([]byte(block), &c))
	require.Equal(t, pages.AppConfig{
		ChannelNo: testChannel.No, AppKey: testChannel.AppKey, Secret: testChannel.Secret, Build: "b1", Simulated: true,
		Links: pages.Links{Shop: "https://x.example/?a=</script><b>&c"},
	}, c)
	require.Equal(t, "no-cache", a.Header.Get("Cache-Control"))
}

func TestPage_NamesTheFilesOfItsScreenAhead(t *testing.T) {
	t.Parallel()
	const routes = `[{"path":"/bindingCard","files":["/assets/hot-1.css","/assets/hot-2.js"]},{"path":"/quickLogin"}]`
	r := newHarness(t, func(c *Config) {
		useBuiltWeb(c)
		c.Web.(fstest.MapFS)["routes.json"] = &fstest.MapFile{Data: []byte(routes)}
	})
	const links = `<link rel="stylesheet" crossorigin href="/assets/hot-1.css">` +
		`<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/hot-2.js"></head>`
	require.Contains(t, r.get(t, "/bindingCard?id=1").Body, links)
	require.NotContains(t, r.get(t, "/quickLogin").Body, "modulepreload")
	linked := strings.Replace(r.get(t, "/quickLogin").Body, "</head>", links, 1)
	require.Equal(t, linked, r.get(t, "/bindingcard").Body, "nothing else differs")
}

// The inline script reloads the page if a file that the app needs to start cannot be loaded. The policy permits no
// other inline script.
func TestPage_ItsOwnScriptIsPermitted(t *testing.T) {
	t.Parallel()
	const script = "\n  addEventListener('error', reload, true)\n"
	r := newHarness(t, func(c *Config) {
		useBuiltWeb(c)
		html := strings.Replace(indexHTML, "</head>", "</head><script>"+script+"</script>", 1)
		c.Web.(fstest.MapFS)["index.html"] = &fstest.MapFile{Data: []byte(html)}
	})
	hash := sha256.Sum256([]byte(script))
	source := "script-src 'self' 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "';"
	for _, path := range []string{"/index", "/", "/bindingCard", "/no-such-page"} {
		require.Contains(t, r.get(t, path).Header.Get("Content-Security-Policy"), source, path)
	}
	require.Contains(t, r.get(t, "/favicon.svg").Header.Get("Content-Security-Policy"), "script-src 'self';")
}

func TestNew_RejectsUnusableRoutes(t *testing.T) {
	t.Parallel()
	for routes, message := range map[string]string{
		`{`: "routes.json",
		`[{"path":"/index","first":[{"path":"/Kaquan/gone"}]}]`:   "/Kaquan/gone",
		`[{"path":"/index","first":[{"path":"/Dyorder/order"}]}]`: "/Dyorder/order", // needs a session
	} {
		_, err := New(Config{Channel: testChannel, Web: fstest.MapFS{
			"index.html": {Data: []byte(indexHTML)}, "routes.json": {Data: []byte(routes)},
		}})
		require.ErrorContains(t, err, message)
	}
	_, err := New(Config{Channel: testChannel, Web: fstest.MapFS{"index.html": {Data: []byte(indexHTML)}}})
	require.ErrorContains(t, err, "routes.json")
}

func TestPage_ForEveryScreenAndA404ForOthers(t *testing.T) {
	t.Parallel()
	r := newHarness(t, useBuiltWeb)
	for _, path := range []string{
		"/", "/index", "/couponsDetail?id=1", "/couponsdetail", "/filmNewSeat?sessionId=1", "/helloWord", "/login",
		"/paymentpage/",
	} {
		require.Equal(t, http.StatusOK, r.get(t, path).Status, path)
	}
	a := r.get(t, "/no-such-screen")
	require.Equal(t, http.StatusNotFound, a.Status)
	require.Contains(t, a.Body, "marquee-config", "the app shows that the screen does not exist")
	for _, path := range []string{"/assets/gone.js", "/no/such.css", "/../../etc/passwd.txt", "/.env"} {
		a := r.get(t, path)
		require.Equal(t, http.StatusNotFound, a.Status, path)
		require.NotContains(t, a.Body, "marquee-config", path)
		require.Equal(t, "path_unknown", a.Error, "%s: a program gets an error code", path)
	}
	for header, value := range map[string]string{"Accept": "text/html,*/*;q=0.8", "Sec-Fetch-Dest": "document"} {
		for _, path := range []string{"/assets/gone.js", "/uploads/x.jpg", "/avatars/gone.jpg"} {
			req := r.request(t, http.MethodGet, path, "")
			req.Header.Set(header, value)
			a := r.do(t, req)
			require.Equal(t, http.StatusNotFound, a.Status, path)
			require.Contains(t, a.Body, "marquee-config", "%s: a reader sees the app's own page", path)
		}
	}
	script := r.request(t, http.MethodGet, "/assets/gone.js", "")
	script.Header.Set("Sec-Fetch-Dest", "script")
	script.Header.Set("Accept", "text/html")
	require.Equal(t, "path_unknown", r.do(t, script).Error, "a page must not look like a script")
}

func TestArt_IsTheSimulatorsPicturesAndNothingElse(t *testing.T) {
	t.Parallel()
	const policy = "default-src 'none'; style-src 'unsafe-inline'"
	simulators := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		assert.True(t, strings.HasPrefix(strings.TrimPrefix(r.URL.Path, "/worlds/a"), "/art/"), r.URL.Path)
		assert.Empty(t, r.URL.RawQuery)
		assert.Empty(t, r.Header.Get("Authorization"))
		w.Header().Set("Content-Type", "image/svg+xml")
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Set-Cookie", "a=b")
		_, _ = io.WriteString(w, "picture of "+r.URL.Path)
	}))
	t.Cleanup(simulators.Close)
	r := newHarness(t, func(c *Config) { c.App.SimulatorURL = simulators.URL + "/worlds/a" })
	req := r.request(t, http.MethodGet, "/art/goods/cake.svg?next=//evil.example", "")
	req.Header.Set("Authorization", "Bearer t")
	a := r.do(t, req)
	require.Equal(t, http.StatusOK, a.Status)
	require.Equal(t, "picture of /worlds/a/art/goods/cake.svg", a.Body)
	require.Equal(t, []string{policy}, a.Header.Values("Content-Security-Policy"))
	require.Equal(t, "image/svg+xml", a.Header.Get("Content-Type"))
	require.Empty(t, a.Header.Get("Set-Cookie"))
	withoutPath := newHarness(t, func(c *Config) { c.App.SimulatorURL = simulators.URL })
	require.Equal(t, "picture of /art/goods/cake.svg", withoutPath.get(t, "/art/goods/cake.svg").Body)
	for _, path := range []string{
		"/art/../sim/v1/clock", "/art/%2e%2e/sim/v1/clock", "/art/..%2fsim", "/art/%0d%0aSet-Cookie:%20a=b",
		"/art//evil.example/x",
	} {
		require.Empty(t, r.get(t, path).Header.Get("Set-Cookie"), path)
	}
	require.Equal(t, "path_unknown", newHarness(t, nil).get(t, "/art/goods/cake.svg").Error, "a real shop has none")

	simulators.Close()
	require.Equal(t, http.StatusBadGateway, r.get(t, "/art/goods/cake.svg").Status)
}

func TestPage_IsCompressed(t *testing.T) {
	t.Parallel()
	r := newHarness(t, useBuiltWeb)
	plain := r.get(t, "/login").Body
	for encoding, open := range map[string]func(io.Reader) (io.Reader, error){
		"gzip": func(b io.Reader) (io.Reader, error) { return gzip.NewReader(b) },
		"br":   func(b io.Reader) (io.Reader, error) { return brotli.NewReader(b), nil },
	} {
		req := r.request(t, http.MethodGet, "/login", "")
		req.Header.Set("Accept-Encoding", encoding)
		a := r.do(t, req)
		require.Equal(t, encoding, a.Header.Get("Content-Encoding"))
		reader, err := open(bytes.NewReader([]byte(a.Body)))
		require.NoError(t, err)
		body, err := io.ReadAll(reader)
		require.NoError(t, err)
		require.Equal(t, plain, string(body))
	}
}

// A client excludes an encoding by the weight 0 (RFC 9110, section 12.4.2).
func TestAnswers_AreNotCompressedAsTheClientExcludes(t *testing.T) {
	t.Parallel()
	r := newHarness(t, useBuiltWeb)
	for accept, want := range map[string]string{
		"gzip": "gzip", "gzip;q=0.5": "gzip", "GZIP ; Q=0": "", "gzip;q=0.000, br;q=0": "", "identity, gzip;q=0": "",
	} {
		for _, path := range []string{"/index", filmsCall} {
			req := r.request(t, http.MethodGet, path, "")
			req.Header.Set("Accept-Encoding", accept)
			resp, err := r.Client().Do(req)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, want, resp.Header.Get("Content-Encoding"), "%s %s", path, accept)
		}
	}
}

func TestAssets_HashedOnesAreKeptForGoodAndServedCompressed(t *testing.T) {
	t.Parallel()
	r := newHarness(t, useBuiltWeb)
	for _, c := range []struct{ path, accept, want, encoding string }{
		{"/assets/app-abc.js", "identity", "plain", ""},
		{"/assets/app-abc.js", "gzip", "gzipped", "gzip"},
		{"/assets/app-abc.js", "gzip, br", "brotli", "br"},
		{"/assets/app-abc.js", "gzip;q=0.5, br; q=0", "gzipped", "gzip"},
		{"/assets/only-plain-1.js", "gzip, br", "plain", ""},
	} {
		req := r.request(t, http.MethodGet, c.path, "")
		req.Header.Set("Accept-Encoding", c.accept)
		a := r.do(t, req)
		require.Equal(t, c.want, a.Body)
		require.Equal(t, c.encoding, a.Header.Get("Content-Encoding"))
		require.Contains(t, a.Header.Get("Content-Type"), "javascript")
		require.Contains(t, a.Header.Get("Cache-Control"), "immutable")
		require.Equal(t, "Accept-Encoding", a.Header.Get("Vary"))
	}
	a := r.get(t, "/favicon.svg")
	require.Equal(t, "no-cache", a.Header.Get("Cache-Control"))
	require.Equal(t, "image/svg+xml", a.Header.Get("Content-Type"))
}

// A service worker controls only the paths below its own, so it is served at the root. It is revalidated, so that
// browsers find the worker of the next build at once.
func TestServiceWorker_IsAtTheRootAndIsRevalidated(t *testing.T) {
	t.Parallel()
	a := newHarness(t, useBuiltWeb).get(t, "/sw.js")
	require.Equal(t, "worker", a.Body)
	require.Contains(t, a.Header.Get("Content-Type"), "javascript")
	require.Equal(t, "no-cache", a.Header.Get("Cache-Control"))
	require.Contains(t, a.Header.Get("Content-Security-Policy"), "worker-src 'self'")
}

func TestPage_ReportsAMissingBuild(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) { c.Web = fstest.MapFS{".keep": {}} })
	a := r.get(t, "/index")
	require.Contains(t, a.Body, "网页尚未构建")
	require.Contains(t, a.Body, "make build")
}

func TestPage_WithoutAConfigurationBlockIsAnError(t *testing.T) {
	t.Parallel()
	_, err := New(Config{Channel: testChannel, Web: fstest.MapFS{"index.html": {Data: []byte("<html></html>")}}})
	require.ErrorContains(t, err, "marquee-config")
}

func TestPage_LoadsTheChallengeOnlyWhereThereIsOne(t *testing.T) {
	t.Parallel()
	none := newHarness(t, useBuiltWeb).get(t, "/login")
	require.NotContains(t, none.Body, "captcha")
	require.NotContains(t, none.Header.Get("Content-Security-Policy"), "http")
	for script, source := range map[string]string{
		"https://turing.captcha.qcloud.com/TJCaptcha.js": "https://*.captcha.qcloud.com https://*.captcha.gtimg.com",
		"http://127.0.0.1:9090/captcha.js":               "http://127.0.0.1:9090",
	} {
		a := newHarness(t, func(c *Config) {
			useBuiltWeb(c)
			c.App.Captcha = &pages.Captcha{AppID: "190000001", Script: script}
		}).get(t, "/login")
		require.Contains(t, a.Body, `"captcha":{"appId":"190000001","script":"`+script+`"}`)
		policy := a.Header.Get("Content-Security-Policy")
		require.Contains(t, policy, "script-src 'self' "+source+";")
		require.Contains(t, policy, "connect-src 'self' "+source+";")
	}
	_, err := New(Config{Channel: testChannel, App: pages.AppConfig{Captcha: &pages.Captcha{Script: "x"}}})
	require.ErrorContains(t, err, "captcha script")
}
