package wechat_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"

	"marquee/simulators/wechat"
)

// app starts a web app and makes it the one that the in-app browser shows.
func (r *wechatServer) app(t *testing.T, h http.HandlerFunc) {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	r.appURL.Store(&server.URL)
}

// browse makes a call as the in-app browser does. It does not follow redirects.
func (r *wechatServer) browse(t *testing.T, method, target string,
	change func(*http.Request)) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequest(method, target, http.NoBody)
	require.NoError(t, err)
	request.Header.Set("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0")
	if change != nil {
		change(request)
	}
	client := r.client(t)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := client.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer, string(body)
}

const inApp = "http://inapp.localhost:9090"

func TestPhone_ShowsTheAppAsTheMessagingAppDoes(t *testing.T) {
	t.Parallel()
	r := start(t)
	var seen *http.Request
	protected := http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		seen = q
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("X-Frame-Options", "DENY")
		w.Header().Set("Set-Cookie", "session=1; Path=/; Domain=shop.example; HttpOnly")
		w.Header().Set("Content-Security-Policy", "default-src 'self'; script-src 'self'; frame-ancestors 'none'")
		_, _ = io.WriteString(w, "<!doctype html><html><head><title>x</title></head><body></body></html>")
	}))
	r.app(t, protected.ServeHTTP)

	answer, page := r.browse(t, http.MethodPost, inApp+"/index?x=1", func(q *http.Request) {
		q.Header.Set("Origin", inApp)
		q.Header.Set("Referer", inApp+"/before")
		q.Header.Set("Cookie", "phone_openid="+wechat.PoorOpenID+"; token=abc; phone_os=android")
	})
	require.Equal(t, http.StatusOK, answer.StatusCode, "cross-origin protection of the app passes")
	require.Equal(t,
		`<!doctype html><html><head><script src="/__phone/bridge.js"></script><title>x</title></head><body></body></html>`, page)
	require.Equal(t, []string{"default-src 'self'; script-src 'self'",
		"frame-ancestors 'self' phone.inapp.localhost:9090"}, answer.Header.Values("Content-Security-Policy"))
	require.Empty(t, answer.Header.Get("X-Frame-Options"))
	require.Equal(t, "session=1; Path=/; HttpOnly", answer.Header.Get("Set-Cookie"))

	app := *r.appURL.Load()
	require.Equal(t, wechat.UserAgentAndroid, seen.UserAgent())
	require.Equal(t, app, "http://"+seen.Host)
	require.Equal(t, app, seen.Header.Get("Origin"))
	require.Equal(t, app+"/before", seen.Header.Get("Referer"))
	require.Equal(t, "inapp.localhost:9090", seen.Header.Get("X-Forwarded-Host"))
	require.Equal(t, "token=abc", seen.Header.Get("Cookie"), "the phone's cookies are its own")
	require.Equal(t, "/index?x=1", seen.URL.RequestURI())

	answer, _ = r.browse(t, http.MethodPost, inApp+"/index",
		func(q *http.Request) { q.Header.Set("Origin", "http://evil.example") })
	require.Equal(t, http.StatusForbidden, answer.StatusCode, "and is not weakened")

	_, _ = r.browse(t, http.MethodGet, inApp+"/",
		func(q *http.Request) { q.Header.Set("User-Agent", "MicroMessenger/8.0 Android mine") })
	require.Equal(t, "MicroMessenger/8.0 Android mine", seen.UserAgent())
}

func TestPhone_PutsTheBridgeIntoEveryKindOfPage(t *testing.T) {
	t.Parallel()
	r := start(t)
	const plain = "<html><head lang=a></head></html>"
	r.app(t, func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch q.URL.Path {
		case "/gzip":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, plain)
			_ = z.Close()
		case "/br":
			w.Header().Set("Content-Encoding", "br")
			var b bytes.Buffer
			z := brotli.NewWriter(&b)
			_, _ = io.WriteString(z, plain)
			_ = z.Close()
			_, _ = w.Write(b.Bytes())
		case "/bare":
			_, _ = io.WriteString(w, "<p>header</p>")
		case "/header":
			_, _ = io.WriteString(w, "<!DOCTYPE html><body><header>h</header>")
		case "/script":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = io.WriteString(w, "const page = '<head>'")
		default:
			_, _ = io.WriteString(w, q.Header.Get("Accept-Encoding")+plain)
		}
	})
	const tag = `<script src="/__phone/bridge.js"></script>`
	for path, want := range map[string]string{
		"/gzip": "<html><head lang=a>" + tag + "</head></html>", "/br": "<html><head lang=a>" + tag + "</head></html>",
		"/plain": "identity<html><head lang=a>" + tag + "</head></html>", "/bare": tag + "<p>header</p>",
		"/header": "<!DOCTYPE html>" + tag + "<body><header>h</header>", "/script": "const page = '<head>'",
	} {
		answer, page := r.browse(t, http.MethodGet, inApp+path, nil)
		require.Equal(t, want, page, path)
		require.Empty(t, answer.Header.Get("Content-Encoding"))
	}
	answer, _ := r.browse(t, http.MethodHead, inApp+"/plain", nil)
	require.Equal(t, http.StatusOK, answer.StatusCode)
}

func TestPhone_RedirectsStayInTheApp(t *testing.T) {
	t.Parallel()
	r := start(t)
	r.app(t, func(w http.ResponseWriter, q *http.Request) {
		http.Redirect(w, q, map[string]string{
			"/own": *r.appURL.Load() + "/next", "/relative": "/next",
			"/login": "https://open.weixin.qq.com/connect/oauth2/authorize?appid=1#wechat_redirect",
			"/away":  "https://shop.example/",
		}[q.URL.Path], http.StatusFound)
	})
	for path, want := range map[string]string{
		"/own": inApp + "/next", "/relative": "/next", "/login": inApp +
			"/connect/oauth2/authorize?appid=1#wechat_redirect", "/away": "https://shop.example/",
	} {
		answer, _ := r.browse(t, http.MethodGet, inApp+path, nil)
		require.Equal(t, want, answer.Header.Get("Location"), path)
	}
}

// localApp is a web app on a port of this machine. It forbids framing.
func localApp(t *testing.T, text string) (url, port string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Frame-Options", "DENY")
		w.Header().Set("Content-Security-Policy", "frame-ancestors 'none'")
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(strings.TrimPrefix(server.URL, "http://"))
	require.NoError(t, err)
	return server.URL, port
}

func TestPhone_ShowsTheAppsThatWorldsAndTheAllowlistNameAndNoOtherPort(t *testing.T) {
	t.Parallel()
	own, ownPort := localApp(t, "the shop")
	ofAnotherWorld, worldPort := localApp(t, "the shop of another world")
	_, listedPort := localApp(t, "an app of the allowlist")
	_, secretPort := localApp(t, "the profiles of the shop")
	listed, err := strconv.Atoi(listedPort)
	require.NoError(t, err)
	elsewhere := "http://shop.example:" + secretPort // the same port of another machine
	r := startWith(t, func(c *wechat.Config) {
		c.AllowedApps = func() []int { return []int{listed} }
		c.NamedApps = func() []string { return []string{ofAnotherWorld, elsewhere, "", "%"} }
	})
	r.appURL.Store(&own)
	for port, want := range map[string]string{ownPort: "the shop", worldPort: "the shop of another world",
		listedPort: "an app of the allowlist"} {
		answer, page := r.browse(t, http.MethodGet, "http://"+port+".inapp.localhost:9090/", nil)
		require.Equal(t, http.StatusOK, answer.StatusCode, want)
		require.Contains(t, page, want)
		if port == listedPort {
			require.Equal(t, "DENY", answer.Header.Get("X-Frame-Options"), "it is not the app of a world")
			require.Equal(t, []string{"frame-ancestors 'none'"}, answer.Header.Values("Content-Security-Policy"))
		} else {
			require.Empty(t, answer.Header.Get("X-Frame-Options"))
			require.Equal(t, []string{"frame-ancestors 'self' phone.inapp.localhost:9090"},
				answer.Header.Values("Content-Security-Policy"))
		}
	}
	for _, host := range []string{secretPort + ".inapp.localhost", "0.inapp.localhost", "99999.inapp.localhost",
		"evil.inapp.localhost", "1.inapp.localhost", "0" + ownPort + "0.inapp.localhost"} {
		answer, page := r.browse(t, http.MethodGet, "http://"+host+"/", nil)
		require.Equal(t, http.StatusBadGateway, answer.StatusCode, host)
		require.NotContains(t, page, "profiles")
	}
	other := "http://127.0.0.1:1"
	r.appURL.Store(&other)
	answer, _ := r.browse(t, http.MethodGet, "http://"+ownPort+".inapp.localhost:9090/", nil)
	require.Equal(t, http.StatusBadGateway, answer.StatusCode, "it is not the app of a world any longer")
}

// Pages of other sites can neither read from an app, nor write to it, nor frame it. They can link to it.
func TestPhone_PagesOfOtherSitesOnlyLinkToTheApp(t *testing.T) {
	t.Parallel()
	r := start(t)
	calls := 0
	r.app(t, func(http.ResponseWriter, *http.Request) { calls++ })
	browse := func(method, path string, header ...string) int {
		answer, _ := r.browse(t, method, inApp+path, func(q *http.Request) {
			for i := 0; i < len(header); i += 2 {
				q.Header.Set(header[i], header[i+1])
			}
		})
		return answer.StatusCode
	}
	const site, mode, dest = "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest"
	for name, header := range map[string][]string{
		"a script":       {site, "cross-site", mode, "no-cors", dest, "script"},
		"a picture":      {site, "cross-site", mode, "no-cors", dest, "image"},
		"a fetch":        {site, "cross-site", mode, "cors", dest, "empty"},
		"a frame":        {site, "cross-site", mode, "navigate", dest, "iframe"},
		"an object":      {site, "cross-site", mode, "navigate", dest, "object"},
		"an old browser": {"Origin", "http://evil.example"},
		"a sandbox":      {"Origin", "null"},
		"a lookalike":    {"Origin", "http://evilinapp.localhost"},
	} {
		require.Equal(t, http.StatusForbidden, browse(http.MethodGet, "/", header...), name)
		require.Equal(t, http.StatusForbidden, browse(http.MethodPost, "/pay", header...), name)
		require.Equal(t, http.StatusForbidden, browse(http.MethodGet, "/__phone/bridge.js", header...), name)
	}
	form := []string{site, "cross-site", mode, "navigate", dest, "document"}
	require.Equal(t, http.StatusForbidden, browse(http.MethodPost, "/pay", form...), "a form of another site")
	require.Zero(t, calls)
	for name, header := range map[string][]string{
		"a link of another site": form,
		"the address bar":        {site, "none", mode, "navigate", dest, "document"},
		"the phone page's frame": {site, "same-site", mode, "navigate", dest, "iframe"},
		"the app's own call":     {site, "same-origin", mode, "cors", dest, "empty", "Origin", inApp},
		"an old browser":         {"Origin", "http://phone.inapp.localhost:9090"},
		"no browser":             {},
	} {
		before := calls
		require.Equal(t, http.StatusOK, browse(http.MethodGet, "/", header...), name)
		require.Equal(t, before+1, calls, name)
	}
}

func TestPhone_StartPicksUpThePhone(t *testing.T) {
	t.Parallel()
	r := start(t)
	answer, _ := r.browse(t, http.MethodGet,
		inApp+"/__phone/start?openid="+wechat.UnboundOpenID+"&os=android&bridge=late&to=/mine%3Fa=1", nil)
	require.Equal(t, http.StatusFound, answer.StatusCode)
	require.Equal(t, "/mine?a=1", answer.Header.Get("Location"))
	cookies := map[string]string{}
	for _, c := range answer.Cookies() {
		cookies[c.Name] = c.Value
	}
	require.Equal(t, map[string]string{"phone_openid": wechat.UnboundOpenID, "phone_os": "android",
		"phone_bridge": "late"}, cookies)

	_, script := r.browse(t, http.MethodGet, inApp+"/__phone/bridge.js", func(q *http.Request) {
		for name, value := range cookies {
			q.AddCookie(&http.Cookie{Name: name, Value: value})
		}
	})
	require.Contains(t, script, `"bridge":"late"`)
	require.Contains(t, script, `"os":"android"`)

	for _, query := range []string{
		"openid=a", "os=symbian", "bridge=broken", "to=https://evil.example/", "to=//evil.example/", "to=evil",
		"to=/\\evil.example",
	} {
		answer, _ := r.browse(t, http.MethodGet, inApp+"/__phone/start?"+query, nil)
		require.Equal(t, http.StatusBadRequest, answer.StatusCode, query)
	}
	answer, _ = r.browse(t, http.MethodPost, inApp+"/__phone/pay",
		func(q *http.Request) { q.Header.Set("Sec-Fetch-Site", "cross-site") })
	require.Equal(t, http.StatusForbidden, answer.StatusCode, "only the page itself may pay")
}

func TestPhone_PageShowsRecordsOnTheSiteOfTheApp(t *testing.T) {
	t.Parallel()
	r := start(t)
	require.NoError(t, r.Pay(r.prepay(t, r.sdk(t), "ORDER-000001", 8400), "pay"))
	answer, _ := r.browse(t, http.MethodGet, "http://127.0.0.1:9090/phone?to=/index", nil)
	require.Equal(t, "http://phone.inapp.localhost:9090/phone?to=/index", answer.Header.Get("Location"))
	answer, page := r.browse(t, http.MethodGet, "http://phone.inapp.localhost:9090/phone", nil)
	require.Equal(t, http.StatusOK, answer.StatusCode)
	require.Contains(t, page, "模拟手机")
	for _, path := range []string{"/phone/page.js", "/phone/page.css"} {
		answer, _ = r.browse(t, http.MethodGet, "http://phone.inapp.localhost:9090"+path, nil)
		require.Equal(t, http.StatusOK, answer.StatusCode)
	}
	_, state := r.browse(t, http.MethodGet,
		"http://phone.inapp.localhost:9090/phone/state?openid="+wechat.BoundOpenID, nil)
	require.Contains(t, state, `"total":8400,"state":"SUCCESS"`)
	_, state = r.browse(t, http.MethodGet, "http://phone.inapp.localhost:9090/phone/state?openid="+wechat.PoorOpenID,
		nil)
	require.Contains(t, state, `"records":[]`)
}

func TestPhone_AnswersAboutThePolicyAreNarrow(t *testing.T) {
	t.Parallel()
	r := start(t)
	policy := ""
	r.app(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Security-Policy", policy)
		_, _ = io.WriteString(w, "<head>")
	})
	open := func(p string) (string, string) {
		policy = p
		answer, page := r.browse(t, http.MethodGet, inApp+"/", nil)
		return answer.Header.Get("Content-Security-Policy"), page
	}
	for given, want := range map[string]string{
		"img-src 'self'": "img-src 'self'",
		"default-src 'self'; upgrade-insecure-requests": "default-src 'self'",
		"default-src *": "default-src *",
		"script-src 'self' https://cdn; connect-src https://api": "script-src 'self' https://cdn; connect-src " +
			"https://api 'self'",
		"frame-ancestors 'none'": "frame-ancestors 'self' phone.inapp.localhost:9090",
	} {
		got, page := open(given)
		require.Equal(t, want, got)
		require.NotContains(t, page, "nonce")
	}
	got, page := open("default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; style-src 'self'")
	_, nonce, _ := strings.Cut(page, `nonce="`)
	nonce, _, _ = strings.Cut(nonce, `"`)
	require.Len(t, nonce, 32)
	require.Equal(t, "default-src 'none'; script-src 'nonce-abc' 'strict-dynamic' 'nonce-"+nonce+
		"'; style-src 'self'; connect-src 'self'", got)
	got, page = open("default-src 'none'")
	require.Contains(t, page, "nonce=")
	require.Regexp(t, `^default-src 'none'; script-src 'nonce-[0-9a-f]+'; connect-src 'self'$`, got)
}
