package wechat

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/andybalholm/brotli"

	"marquee/simulators/ownname"
)

const (
	// maxPage is the size, in bytes, of the largest HTML answer into which the bridge is inserted.
	maxPage = 16 << 20
	// maxUpload is the size, in bytes, of the largest body that a page may send.
	maxUpload = 64 << 20
)

// proxyTransport is shared by all worlds, because there may be many short-lived ones.
var proxyTransport = &http.Transport{MaxIdleConnsPerHost: 32, IdleConnTimeout: time.Minute, DisableCompression: true}

// proxy returns the handler through which the in-app browser shows the web app. The app receives requests with the
// Host, Origin and Referer that it would have without the proxy, so that its cross-origin protection and host checks
// work. The host that the browser requested is in X-Forwarded-Host.
func (p *phone) proxy() http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite: func(q *httputil.ProxyRequest) {
			target := p.target(q.In.Host)
			q.SetURL(target)
			q.SetXForwarded()
			own, real := "http://"+q.In.Host, target.Scheme+"://"+target.Host
			if q.In.Header.Get("Origin") == own {
				q.Out.Header.Set("Origin", real)
			}
			if rest, ok := strings.CutPrefix(q.In.Header.Get("Referer"), own); ok {
				q.Out.Header.Set("Referer", real+rest)
			}
			q.Out.Header.Set("User-Agent", p.deviceOf(q.In).userAgent)
			q.Out.Header.Set("Accept-Encoding", "identity") // the bridge is inserted into the page's text
			dropPhoneCookies(q.Out)
		},
		ModifyResponse: func(r *http.Response) error {
			shownAt := r.Request.Header.Get("X-Forwarded-Host")
			keepInApp(r, shownAt)
			if p.isNamed(r.Request.URL.Host) {
				allowFraming(r.Header, shownAt)
			}
			return insertBridge(r)
		},
		Transport:    proxyTransport,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) { showUnreachable(w, err.Error()) },
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p.target(r.Host) == nil {
			showUnreachable(w, "no world and no allowlist names a web app for "+r.Host)
			return
		}
		// Read the entire body before forwarding the request. Go's server closes the body when it writes the first byte
		// of the answer. If the transport has not read the body to its end by then, it closes the connection to the web
		// app, and the page gets half an answer.
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxUpload))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		proxy.ServeHTTP(w, r)
	})
}

// unreachablePage is the in-app browser's page for an address that does not answer.
const unreachablePage = `<!doctype html><html lang="zh-CN"><meta charset="utf-8">` +
	`<meta name="viewport" content="width=device-width"><title>无法打开网页</title>
<body style="font:16px/1.6 system-ui,sans-serif;text-align:center;padding:96px 24px"><p>无法打开网页</p>` +
	`<p style="color:#777;font-size:13px">%s</p></body></html>
`

// showUnreachable answers 502 with unreachablePage and the reason.
func showUnreachable(w http.ResponseWriter, reason string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusBadGateway)
	_, _ = fmt.Fprintf(w, unreachablePage, html.EscapeString(reason))
}

// target is the web app behind a host of the in-app browser. A host such as 5173.inapp.localhost means a port of this
// machine. The result is nil if no app is configured, or if the port belongs to no world's app and is not in the
// allowlist.
func (p *phone) target(host string) *url.URL {
	name := ownname.WithoutPort(host)
	if name == AppHost || p.Label != "" && name == p.Label+"."+AppHost {
		u, err := url.Parse(p.AppURL())
		if err != nil || u.Host == "" {
			return nil
		}
		return u
	}
	port, err := strconv.ParseUint(strings.TrimSuffix(name, "."+AppHost), 10, 16)
	if err != nil || port == 0 {
		return nil
	}
	at := net.JoinHostPort("127.0.0.1", strconv.FormatUint(port, 10))
	if !slices.Contains(p.AllowedApps(), int(port)) && !p.isNamed(at) {
		return nil
	}
	return &url.URL{Scheme: "http", Host: at}
}

// isNamed reports whether the web app at an address belongs to a world.
func (p *phone) isNamed(host string) bool {
	for _, named := range append(p.NamedApps(), p.AppURL()) {
		u, err := url.Parse(named)
		if err != nil || u.Host == "" {
			continue
		}
		if u.Host == host || isLoopback(u.Hostname()) && isLoopback(ownname.WithoutPort(host)) && portOf(u.Host) == portOf(host) {
			return true
		}
	}
	return false
}

// isLoopback reports whether a host name is a loopback name.
func isLoopback(name string) bool {
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback()
}

// portOf is the port of a host, "80" without one.
func portOf(host string) string {
	if _, port, err := net.SplitHostPort(host); err == nil {
		return port
	}
	return "80"
}

// dropPhoneCookies removes the cookies of the simulated phone from a request to the app.
func dropPhoneCookies(r *http.Request) {
	kept := []string{}
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Cookie"), "; "), ";") {
		name, _, _ := strings.Cut(strings.TrimSpace(part), "=")
		if name != "" && name != identityCookie && name != osCookie && name != bridgeCookie && name != worldCookie {
			kept = append(kept, strings.TrimSpace(part))
		}
	}
	r.Header.Del("Cookie")
	if len(kept) > 0 {
		r.Header.Set("Cookie", strings.Join(kept, "; "))
	}
}

// keepInApp rewrites redirects and cookies so that they stay in the in-app browser, whose host serves both the app and
// the vendor's login page.
func keepInApp(r *http.Response, host string) {
	if location, err := url.Parse(r.Header.Get("Location")); err == nil && location.Host != "" {
		login := location.Hostname() == OpenHost && strings.HasPrefix(location.Path, "/connect/")
		if login || location.Host == r.Request.URL.Host {
			location.Scheme, location.Host = "http", host
			r.Header.Set("Location", location.String())
		}
	}
	if cookies := r.Header.Values("Set-Cookie"); len(cookies) > 0 {
		r.Header.Del("Set-Cookie")
		for _, c := range cookies {
			r.Header.Add("Set-Cookie", cookieDomain.ReplaceAllString(c, ""))
		}
	}
}

// cookieDomain matches the Domain attribute, which would keep a cookie from the in-app browser's host.
var cookieDomain = regexp.MustCompile(`(?i);\s*domain=[^;]*`)

var (
	headTag = regexp.MustCompile(`(?i)<head(\s[^>]*)?>`)
	htmlTag = regexp.MustCompile(`(?i)<html(\s[^>]*)?>`)
	doctype = regexp.MustCompile(`(?i)<!doctype[^>]*>`)
)

// insertBridge inserts the bridge's script at the start of a page's head.
func insertBridge(r *http.Response) error {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if strings.TrimSpace(strings.ToLower(kind)) != "text/html" || r.Request.Method == http.MethodHead ||
		r.StatusCode == http.StatusNoContent || r.StatusCode == http.StatusNotModified {
		return nil
	}
	page, err := readPage(r)
	if err != nil || page == nil {
		return err
	}
	nonce := relaxPolicies(r.Header)
	tag := `<script src="/__phone/bridge.js"`
	if nonce != "" {
		tag += ` nonce="` + nonce + `"`
	}
	page = insert(page, []byte(tag+`></script>`))
	r.Body = io.NopCloser(bytes.NewReader(page))
	r.ContentLength = int64(len(page))
	r.Header.Set("Content-Length", strconv.Itoa(len(page)))
	r.Header.Del("Content-Encoding")
	r.Header.Del("ETag")
	return nil
}

// readPage reads and decompresses an HTML answer. It returns nil for an unknown coding: the bridge is not inserted into
// such a page.
func readPage(r *http.Response) ([]byte, error) {
	var from io.Reader = r.Body
	switch strings.ToLower(r.Header.Get("Content-Encoding")) {
	case "", "identity":
	case "gzip":
		decompressed, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, fmt.Errorf("decompress the page: %w", err)
		}
		from = decompressed
	case "br":
		from = brotli.NewReader(r.Body)
	default:
		return nil, nil
	}
	defer r.Body.Close()
	page, err := io.ReadAll(io.LimitReader(from, maxPage+1))
	if err != nil {
		return nil, fmt.Errorf("read the page: %w", err)
	}
	if len(page) > maxPage {
		return nil, fmt.Errorf("the page is larger than %d bytes", maxPage)
	}
	return page, nil
}

// insert returns the page with a tag inserted where it runs before any other script.
func insert(page, tag []byte) []byte {
	for _, place := range []*regexp.Regexp{headTag, htmlTag, doctype} {
		if at := place.FindIndex(page); at != nil {
			return slices.Insert(page, at[1], tag...)
		}
	}
	return slices.Insert(page, 0, tag...)
}
