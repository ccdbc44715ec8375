package httpapi

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// AppConfig is what the page tells the web app; all of it is public.
type AppConfig struct {
	ChannelNo    string `json:"channelNo"`
	AppKey       string `json:"appkey"`
	Secret       string `json:"secret"`
	Build        string `json:"build"`
	Simulated    bool   `json:"simulated"`
	SimulatorURL string `json:"simulatorURL"`
	Links        Links  `json:"links"`
}

// Links lead to the sites beside the shop; "" hides an entry.
type Links struct {
	Shop    string `json:"shop"`
	Cake    string `json:"cake"`
	Book    string `json:"book"`
	Service string `json:"service"`
}

const configOpen, scriptClose = `<script type="application/json" id="marquee-config">`, `</script>`

// notBuilt is served on a clone whose web app has not been built.
const notBuilt = `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>网页尚未构建</title></head>
<body><h1>网页尚未构建</h1><p>The web app is not part of this build: run "make build" and start again. The API is up.</p></body></html>`

// pages serves the built web app.
type pages struct {
	files  fs.FS
	index  page
	routes map[string]page // the page of a route that names its files ahead, by its path in lower case
	first  func(*http.Request) *firstAnswers
}

// page is one document in the encodings it is served in. It is packed when somebody first takes it so: two dozen pages packed
// as well as can be are half a second, which a start need not wait for.
type page struct {
	plain        []byte
	gzip, brotli func() []byte
}

func newPages(files fs.FS, config AppConfig, first func(*http.Request) *firstAnswers) (*pages, error) {
	html, err := fs.ReadFile(files, "index.html")
	if err != nil {
		html = []byte(notBuilt)
	} else if html, err = injectConfig(html, config); err != nil {
		return nil, err
	}
	routes, err := routePages(files, html)
	return &pages{files: files, index: newPage(html, brotli.BestCompression), routes: routes, first: first}, err
}

// routePages makes the pages that tell the browser at once which files their screen consists of: without them it learns
// that only when the app has started, a whole trip to the server later. A build without routes.json has none.
func routePages(files fs.FS, html []byte) (map[string]page, error) {
	text, err := fs.ReadFile(files, "routes.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("httpapi: read the build's routes: %w", err)
	}
	var needs map[string][]string
	if err := json.Unmarshal(text, &needs); err != nil {
		return nil, fmt.Errorf("httpapi: routes.json: %w", err)
	}
	routes := map[string]page{}
	for route, names := range needs {
		var links strings.Builder
		for _, name := range names {
			kind := "modulepreload"
			if path.Ext(name) == ".css" {
				kind = "stylesheet"
			}
			fmt.Fprintf(&links, `<link rel="%s" crossorigin href="%s">`, kind, name)
		}
		named := bytes.Replace(html, []byte("</head>"), []byte(links.String()+"</head>"), 1)
		routes[strings.ToLower(strings.TrimPrefix(route, "/"))] = newPage(named, brotli.BestCompression)
	}
	return routes, nil
}

// injectConfig writes the configuration into its block of the page. json.Marshal escapes <, > and &, so nothing in
// it can end the block.
func injectConfig(html []byte, config AppConfig) ([]byte, error) {
	block, err := json.Marshal(config)
	if err != nil {
		return nil, fmt.Errorf("httpapi: encode the app's configuration: %w", err)
	}
	before, rest, found := bytes.Cut(html, []byte(configOpen))
	_, after, closed := bytes.Cut(rest, []byte(scriptClose))
	if !found || !closed {
		return nil, fmt.Errorf("httpapi: index.html has no %s block", configOpen)
	}
	return bytes.Join([][]byte{before, []byte(configOpen), block, []byte(scriptClose), after}, nil), nil
}

func newPage(plain []byte, effort int) page {
	return page{
		plain: plain,
		gzip: sync.OnceValue(func() []byte {
			return packed(plain, func(to io.Writer) (io.WriteCloser, error) {
				return gzip.NewWriterLevel(to, min(effort, gzip.BestCompression))
			})
		}),
		brotli: sync.OnceValue(func() []byte {
			return packed(plain, func(to io.Writer) (io.WriteCloser, error) { return brotli.NewWriterLevel(to, effort), nil })
		}),
	}
}

// packed panics where a writer in memory fails, which none does.
func packed(plain []byte, packer func(io.Writer) (io.WriteCloser, error)) []byte {
	var b bytes.Buffer
	w, err := packer(&b)
	if err == nil {
		_, err = w.Write(plain)
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		panic(fmt.Errorf("httpapi: pack a page: %w", err))
	}
	return b.Bytes()
}

// serve answers a GET that no call takes: a file of the build, or the page for the app's own router. It leaves a
// missing file to the caller, unless a reader opened its address: a browser must not run a page as a script.
func (p *pages) serve(w http.ResponseWriter, r *http.Request) (served bool) {
	name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
	if name != "" && name != "index.html" && fs.ValidPath(name) && p.file(w, r, name) {
		return true
	}
	if path.Ext(name) != "" && name != "index.html" && !opened(r) {
		return false
	}
	status := http.StatusOK
	if !appRoutes[screenOf(r)] {
		status = http.StatusNotFound // the app says so too
	}
	p.document(w, r, status)
	return true
}

// screenOf is the path of the screen that an address opens, in lower case.
func screenOf(r *http.Request) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean(r.URL.Path), "/"))
}

// opened reports whether somebody opened the address, as opposed to a page that asks for a part of itself.
func opened(r *http.Request) bool {
	if dest := r.Header.Get("Sec-Fetch-Dest"); dest != "" {
		return dest == "document"
	}
	return strings.Contains(r.Header.Get("Accept"), "text/html")
}

// document is the page in which the app runs, in the smallest encoding that the reader takes.
func (p *pages) document(w http.ResponseWriter, r *http.Request, status int) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	document, named := p.routes[screenOf(r)]
	if !named {
		document = p.index
	}
	if status == http.StatusOK && r.Method == http.MethodGet {
		document = p.answered(document, r)
	}
	body, encoding := document.plain, ""
	switch accepts := r.Header.Get("Accept-Encoding"); {
	case strings.Contains(accepts, "br"):
		body, encoding = document.brotli(), "br"
	case strings.Contains(accepts, "gzip"):
		body, encoding = document.gzip(), "gzip"
	}
	w.Header().Set("Vary", "Accept-Encoding")
	if encoding != "" {
		w.Header().Set("Content-Encoding", encoding)
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the reader may be gone
	}
}

// quick is the effort of packing a page that is made for one reader.
const quick = 5

// answered is a page with the answers to its screen's first calls, where it has any.
func (p *pages) answered(document page, r *http.Request) page {
	first := p.first(r)
	if first == nil {
		return document
	}
	html, err := first.into(document.plain)
	if err != nil {
		return document // the app asks for itself
	}
	return newPage(html, quick)
}

const artPath = "/art/"

// simulatedArt leads to a picture that the simulators draw, wherever they are now: what shows it was kept with an
// address of the shop's own.
func (h *handler) simulatedArt(w http.ResponseWriter, r *http.Request) {
	name := path.Clean(r.URL.Path)
	if !strings.HasPrefix(name, artPath) {
		h.notFound(w, r)
		return
	}
	w.Header().Set("Cache-Control", "max-age=60")
	http.Redirect(w, r, h.App.SimulatorURL+(&url.URL{Path: name}).EscapedPath(), http.StatusFound)
}

// file serves a file of the build, compressed ahead where the build has it so; false when there is no such file.
func (p *pages) file(w http.ResponseWriter, r *http.Request, name string) bool {
	info, err := fs.Stat(p.files, name)
	if err != nil || info.IsDir() {
		return false
	}
	head := w.Header()
	if kind := mime.TypeByExtension(path.Ext(name)); kind != "" {
		head.Set("Content-Type", kind)
	}
	head.Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") {
		head.Set("Cache-Control", "public, max-age=31536000, immutable") // the name carries a hash of the content
	}
	head.Set("Vary", "Accept-Encoding")
	for _, c := range []struct{ token, ext string }{{"br", ".br"}, {"gzip", ".gz"}} {
		if !strings.Contains(r.Header.Get("Accept-Encoding"), c.token) {
			continue
		}
		if packed, err := fs.ReadFile(p.files, name+c.ext); err == nil {
			head.Set("Content-Encoding", c.token)
			if r.Method != http.MethodHead {
				_, _ = w.Write(packed) // the reader may be gone
			}
			return true
		}
	}
	http.ServeFileFS(w, r, p.files, name)
	return true
}

// appRoutes are the screens of the specification, in lower case.
var appRoutes = map[string]bool{
	"": true, "index": true, "index.html": true, "login": true, "quicklogin": true, "citylist": true, "multiplex": true,
	"multiplexdetail": true, "multiplexnewdetail": true, "filmseat": true, "filmnewseat": true, "paymentpage": true,
	"paypassword": true, "filmdetail": true, "hotlist": true, "personcenter": true, "orderinfo": true, "orderpage": true,
	"cardorderinfo": true, "movelist": true, "memberindex": true, "musicmember": true, "readmember": true, "memberclass": true,
	"couponsdetail": true, "securitycards": true, "cardinfo": true, "consumptionrecords": true, "rechargerecords": true,
	"package": true, "bindingcard": true, "couponcode": true, "yinsizhengce": true, "useexplain": true, "helloword": true,
	"dramalist": true,
}
