// Package pages serves everything except calls: the web app's pages and files, the answers that a page carries to the
// app's first calls, the headers of every answer, and, in a shop with simulated providers, their pictures.
package pages

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/vearutop/statigz"
	"github.com/vearutop/statigz/brotli"

	"marquee/server/httpapi/admission"
	"marquee/server/httpapi/wire"
)

// AppConfig is the configuration that the page gives to the web app. All of it is public.
type AppConfig struct {
	ChannelNo    string `json:"channelNo"`    // sent with every call
	AppKey       string `json:"appkey"`       // sent with every signed call
	Secret       string `json:"secret"`       // keys the signature of signed calls
	Build        string `json:"build"`        // hash of the built web app
	Simulated    bool   `json:"simulated"`    // every provider is simulated
	SimulatorURL string `json:"simulatorURL"` // "" unless Simulated
	Links        Links  `json:"links"`
	// Captcha is set if the login page must show a captcha before a code is sent; nil: no captcha.
	Captcha *Captcha `json:"captcha,omitempty"`
	// H5 is set if browsers outside the messaging app can pay with it, too.
	H5 bool `json:"h5,omitempty"`
}

// Captcha is what the login page needs to show the vendor's challenge.
type Captcha struct {
	AppID  string `json:"appId"`  // the id of the captcha application
	Script string `json:"script"` // address
}

// captchaHosts are the hosts that the vendor's script uses.
const captchaHosts = "https://*.captcha.qcloud.com https://*.captcha.gtimg.com"

// sources returns what the challenge adds to the content security policy: the vendor's hosts, or the origin of the
// script if that is elsewhere, as with a simulator. It returns an error if the address of the script is not absolute.
func (c *Captcha) sources() (string, error) {
	if c == nil {
		return "", nil
	}
	script, err := url.Parse(c.Script)
	if err != nil || script.Host == "" || strings.ContainsAny(script.Host, ";, ") {
		return "", fmt.Errorf("httpapi: captcha script %q is not an address", c.Script)
	}
	if strings.HasSuffix(script.Host, ".captcha.qcloud.com") {
		return " " + captchaHosts, nil
	}
	return " " + script.Scheme + "://" + script.Host, nil
}

// Links are the addresses of the sites that the shop links to. An empty one hides its entry.
type Links struct {
	Shop    string `json:"shop"`
	Cake    string `json:"cake"`
	Book    string `json:"book"`
	Service string `json:"service"`
}

// Config has no optional fields.
type Config struct {
	Files   fs.FS // the built web app; without index.html the page reports that it is not built
	App     AppConfig
	Cities  Cities
	Answers func(path string) (Answer, bool) // the public calls by path
	Shared  *wire.SharedTexts                // the pages that requests share
	WireNow func() time.Time                 // real time
	// Limited counts a request for a page, and reports whether its client has made too many. If so, it sets
	// Retry-After.
	Limited func(w http.ResponseWriter, r *http.Request) bool
	Gate    *admission.Gate // sheds requests for pages under too much load
}

// Pages serves the built web app.
type Pages struct {
	files   *statigz.Server
	index   page            // for an address without a screen
	pages   map[string]page // by screen; nil if the web app has not been built
	cities  Cities
	shared  *wire.SharedTexts
	wireNow func() time.Time
	limited func(w http.ResponseWriter, r *http.Request) bool
	gate    *admission.Gate
}

// New reads the page and the routes of the build. It returns an error if either is malformed.
func New(c Config) (*Pages, error) {
	html, err := readIndex(c.Files, c.App)
	if err != nil {
		return nil, err
	}
	pages, err := readRoutes(c.Files, html, c.Answers)
	if err != nil {
		return nil, err
	}
	p := &Pages{
		files: statigz.FileServer(readDirFS{c.Files}, brotli.AddEncoding), pages: pages,
		index: page{document: newDocument(html)}, cities: c.Cities, shared: c.Shared, wireNow: c.WireNow,
		limited: c.Limited, gate: c.Gate,
	}
	return p, nil
}

// ServeHTTP answers a GET or HEAD that is not a call: with a file of the build, or with the page for the app's router.
// The status of the page is 404 if the app has no such screen.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	isIndex := name == "" || strings.EqualFold(name, "index.html")
	page, found := p.pages[screenAt(r.URL.Path)]
	switch {
	case !isIndex && p.isFile(r):
		p.serveFile(w, r)
	case !isIndex && path.Ext(name) != "":
		p.NotFound(w, r)
	case found:
		p.servePage(w, r, http.StatusOK, page)
	case isIndex || p.pages == nil:
		p.servePage(w, r, http.StatusOK, p.index)
	default:
		p.servePage(w, r, http.StatusNotFound, p.index)
	}
}

// NotFound answers for a file that does not exist. A navigation gets the app's page with status 404; everything else
// gets wire.ErrPathUnknown, because a browser must not run a page as a script.
func (p *Pages) NotFound(w http.ResponseWriter, r *http.Request) {
	if isNavigation(r) {
		p.servePage(w, r, http.StatusNotFound, p.index)
		return
	}
	wire.FailWithStatus(w, r, http.StatusNotFound, wire.ErrPathUnknown)
}

// isNavigation reports whether the browser opens the address itself, as opposed to a page requesting one of its parts.
func isNavigation(r *http.Request) bool {
	if dest := r.Header.Get("Sec-Fetch-Dest"); dest != "" {
		return dest == "document"
	}
	return strings.Contains(r.Header.Get("Accept"), "text/html")
}

// screenAt returns the screen at a path of the app: the path in lower case, without slashes at its ends.
func screenAt(urlPath string) string {
	screen := strings.ToLower(strings.TrimPrefix(path.Clean(urlPath), "/"))
	if screen == "" {
		return "index"
	}
	return screen
}

// servePage writes a page, with the answers to its first calls if the status is 200. A client that has requested too
// many pages gets the page tooMany, with status 429. Under too much load the answer is the page of an overloaded shop,
// with status 503.
func (p *Pages) servePage(w http.ResponseWriter, r *http.Request, status int, page page) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	if p.limited(w, r) {
		wire.Note(r.Context(), wire.ErrRateLimited.Code, nil)
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, tooMany) // an error means that the client has disconnected
		return
	}
	class := admission.Browsing
	if page.pays {
		class = admission.Paying
	}
	p.gate.Handler(class, serveOverloaded, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet && status == http.StatusOK && len(page.first) > 0 {
			p.writeWithAnswers(w, r, page)
			return
		}
		page.write(w, r, status)
	})).ServeHTTP(w, r)
}

// isFile reports whether the build has the requested file, compressed or not. Its folders are not files.
func (p *Pages) isFile(r *http.Request) bool {
	return path.Ext(r.URL.Path) != "" && p.files.Found(r)
}

// serveFile serves a file of the build, in the smallest compressed form that the client accepts.
func (p *Pages) serveFile(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-cache")
	if strings.HasPrefix(r.URL.Path, "/assets/") {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable") // the name holds a hash of the content
	}
	p.files.ServeHTTP(w, r)
}

// readDirFS lets statigz list a file system that does not implement fs.ReadDirFS itself.
type readDirFS struct{ fs.FS }

// ReadDir implements fs.ReadDirFS.
func (f readDirFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(f.FS, name) }

// ArtPath is the prefix of the pictures that the simulators draw.
const ArtPath = "/art/"

// artHeaders are the headers of the simulators' pictures that clients get.
var artHeaders = []string{
	"Cache-Control", "Content-Encoding", "Content-Length", "Content-Security-Policy", "Content-Type", "Etag", "Vary",
}

// ForwardArt serves the simulators' pictures at addresses of the shop. The database holds these addresses, because the
// simulators' address changes between runs. A redirect to the simulators would cost a phone a connection and a round
// trip. Only the path and the header Accept-Encoding of a request are forwarded. Of the headers of the simulators'
// answer, only artHeaders are returned. The answer has status 502 if the simulators cannot be reached.
func (p *Pages) ForwardArt(simulatorURL *url.URL) http.HandlerFunc {
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			encoding := r.In.Header.Get("Accept-Encoding")
			r.Out.URL = &url.URL{Path: path.Clean(r.In.URL.Path)}
			r.SetURL(simulatorURL)
			r.Out.Header = http.Header{"Accept-Encoding": {encoding}}
		},
		ModifyResponse: func(r *http.Response) error {
			maps.DeleteFunc(r.Header, func(name string, _ []string) bool { return !slices.Contains(artHeaders, name) })
			return nil
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	return func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(path.Clean(r.URL.Path), ArtPath) {
			p.ServeHTTP(w, r)
			return
		}
		w.Header().Del(policyHeader) // the picture has the simulators' policy, which permits its styles
		proxy.ServeHTTP(w, r)
	}
}

// policyHeader is the header with the sources from which a browser may load parts of a page.
const policyHeader = "Content-Security-Policy"

// SecurityHeaders sets the security headers of every answer. Pictures may also come from pictureHosts, and the captcha
// from its vendor. secure is set if the shop is served over TLS. It returns an error if a host is not a source of a
// content security policy. Other sites get no referrer; with H5 payment they get the origin, because the vendor's
// payment page opens only for the merchant's sites. The frames weixin:, weixinping: and weixinpreinject: are permitted
// because the messaging app's Android client injects its JavaScript bridge through them; they load nothing.
func SecurityHeaders(pictureHosts []string, app AppConfig, secure bool) (func(http.Handler) http.Handler, error) {
	vendor, err := app.Captcha.sources()
	if err != nil {
		return nil, err
	}
	for _, host := range pictureHosts {
		if host == "" || strings.ContainsAny(host, "; ,'\"\r\n\t") {
			return nil, fmt.Errorf("httpapi: picture host %q is not a source of a content security policy", host)
		}
	}
	referrer := "no-referrer"
	if app.H5 {
		referrer = "strict-origin"
	}
	policy := strings.Join([]string{
		"default-src 'none'",
		"script-src 'self'" + vendor,
		"style-src 'self'" + vendor,
		strings.TrimSpace("img-src 'self' data: blob: "+strings.Join(pictureHosts, " ")) + vendor,
		"font-src 'self'",
		"connect-src 'self'" + vendor,
		"manifest-src 'self'",
		"worker-src 'self'",
		"frame-src weixin: weixinping: weixinpreinject:" + vendor,
		"base-uri 'none'",
		"form-action 'self'",
		"frame-ancestors 'none'",
	}, "; ")
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			head := w.Header()
			head.Set(policyHeader, policy)
			head.Set("X-Content-Type-Options", "nosniff")
			head.Set("X-Frame-Options", "DENY")
			head.Set("Referrer-Policy", referrer)
			head.Set("Cross-Origin-Opener-Policy", "same-origin")
			head.Set("Cross-Origin-Resource-Policy", "same-origin")
			head.Set("Permissions-Policy", "geolocation=(self), camera=(self), microphone=(), payment=()")
			if secure {
				// Without includeSubDomains, because the shop does not control the other hosts of its domain.
				head.Set("Strict-Transport-Security", "max-age=31536000")
			}
			next.ServeHTTP(w, r)
		})
	}, nil
}
