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
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
)

// maxPage bounds an HTML answer into which the bridge is put, in bytes.
const maxPage = 16 << 20

// proxy shows the web app as the in-app browser does. The app sees its own Host, Origin and Referer, so that its
// cross-origin protection and host checks hold as they do in front of it; what the browser asked for stands in
// X-Forwarded-Host.
func (s *Simulator) proxy() http.Handler {
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			target := s.target(p.In.Host)
			p.SetURL(target)
			p.SetXForwarded()
			own, real := "http://"+p.In.Host, target.Scheme+"://"+target.Host
			if p.In.Header.Get("Origin") == own {
				p.Out.Header.Set("Origin", real)
			}
			if rest, ok := strings.CutPrefix(p.In.Header.Get("Referer"), own); ok {
				p.Out.Header.Set("Referer", real+rest)
			}
			p.Out.Header.Set("User-Agent", s.phoneOf(p.In).userAgent)
			p.Out.Header.Set("Accept-Encoding", "identity") // a page must be readable to put the bridge into it
			hidePhoneCookies(p.Out)
		},
		ModifyResponse: func(r *http.Response) error {
			forwardedHost := r.Request.Header.Get("X-Forwarded-Host")
			returnHome(r, forwardedHost)
			return inject(r)
		},
		Transport: proxyTransport,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusBadGateway)
			_, _ = fmt.Fprintf(w, noAppPage, html.EscapeString(err.Error()))
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.target(r.Host) == nil {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusBadGateway)
			_, _ = fmt.Fprintf(w, noAppPage, "no web app is configured for "+html.EscapeString(r.Host))
			return
		}
		proxy.ServeHTTP(w, r)
	})
}

const noAppPage = `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>无法打开网页</title>
<body style="font:16px/1.6 system-ui,sans-serif;text-align:center;padding:96px 24px"><p>无法打开网页</p><p style="color:#777;font-size:13px">%s</p></body></html>
`

// target is the web app behind a host of the in-app browser; nil when there is none. A port always means this machine.
func (s *Simulator) target(host string) *url.URL {
	name := hostname(host)
	if name == AppHost || s.Label != "" && name == s.Label+"."+AppHost {
		u, err := url.Parse(s.AppURL())
		if err != nil || u.Host == "" {
			return nil
		}
		return u
	}
	port, err := strconv.ParseUint(strings.TrimSuffix(name, "."+AppHost), 10, 16)
	if err != nil || port == 0 {
		return nil
	}
	return &url.URL{Scheme: "http", Host: net.JoinHostPort("127.0.0.1", strconv.FormatUint(port, 10))}
}

// hidePhoneCookies keeps the phone's own cookies from the app.
func hidePhoneCookies(r *http.Request) {
	kept := []string{}
	for part := range strings.SplitSeq(strings.Join(r.Header.Values("Cookie"), "; "), ";") {
		name, _, _ := strings.Cut(strings.TrimSpace(part), "=")
		if name != "" && name != identityCookie && name != osCookie && name != bridgeCookie && name != WorldCookie {
			kept = append(kept, strings.TrimSpace(part))
		}
	}
	r.Header.Del("Cookie")
	if len(kept) > 0 {
		r.Header.Set("Cookie", strings.Join(kept, "; "))
	}
}

// returnHome keeps redirects and cookies inside the in-app browser: the app's own address and the vendor's login page
// are both served on its host.
func returnHome(r *http.Response, host string) {
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

var cookieDomain = regexp.MustCompile(`(?i);\s*domain=[^;]*`)

var (
	headTag = regexp.MustCompile(`(?i)<head(\s[^>]*)?>`)
	htmlTag = regexp.MustCompile(`(?i)<html(\s[^>]*)?>`)
	doctype = regexp.MustCompile(`(?i)<!doctype[^>]*>`)
)

// inject lets a page be framed by the phone, and puts the bridge's script at the start of its head.
func inject(r *http.Response) error {
	r.Header.Del("X-Frame-Options")
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	if strings.TrimSpace(strings.ToLower(kind)) != "text/html" || r.Request.Method == http.MethodHead ||
		r.StatusCode == http.StatusNoContent || r.StatusCode == http.StatusNotModified {
		return nil
	}
	page, err := readPage(r)
	if err != nil || page == nil {
		return err
	}
	nonce := openPolicies(r.Header)
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

// readPage reads an HTML answer, unpacked; nil for a coding that cannot be, which is passed on as it is.
func readPage(r *http.Response) ([]byte, error) {
	var from io.Reader = r.Body
	switch strings.ToLower(r.Header.Get("Content-Encoding")) {
	case "", "identity":
	case "gzip":
		unpacked, err := gzip.NewReader(r.Body)
		if err != nil {
			return nil, fmt.Errorf("unpack the page: %w", err)
		}
		from = unpacked
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

// insert puts a tag where it runs before everything else of the page.
func insert(page, tag []byte) []byte {
	for _, place := range []*regexp.Regexp{headTag, htmlTag, doctype} {
		if at := place.FindIndex(page); at != nil {
			out := make([]byte, 0, len(page)+len(tag))
			return append(append(append(out, page[:at[1]]...), tag...), page[at[1]:]...)
		}
	}
	return append(append(make([]byte, 0, len(page)+len(tag)), tag...), page...)
}
