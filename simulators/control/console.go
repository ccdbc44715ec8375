package control

import (
	"bytes"
	_ "embed"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"
)

// policy lets a page load only resources of this port. It forbids inline code.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

//go:embed plain/plain.css
var plainCSS []byte

// plainStyle is the path of the style sheet of the pages that do not belong to the console.
const plainStyle = "/plain.css"

// pages serves the landing pages, and the console or, without one, a page that lists the calls.
func pages(console fs.FS) http.Handler {
	front := plainFront()
	if console != nil {
		front = consolePages(console)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Cache-Control", "no-cache")
		switch {
		case r.URL.Path == plainStyle:
			http.ServeContent(w, r, "plain.css", time.Time{}, bytes.NewReader(plainCSS))
		case strings.HasPrefix(r.URL.Path, landingPath):
			landing(w, r)
		default:
			front.ServeHTTP(w, r)
		}
	})
}

// consolePages serves the console's files, and index.html at every other address that a browser requests as a page: the
// console has routes in the browser. It also answers HEAD, by which a page that could not load a file checks whether
// the server runs.
func consolePages(console fs.FS) http.Handler {
	files := http.FileServerFS(console)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(path.Clean(r.URL.Path), "/")
		if name == "" {
			name = "."
		}
		if info, err := fs.Stat(console, name); err == nil && !info.IsDir() && name != "index.html" {
			if strings.HasPrefix(name, "assets/") { // these names contain a hash of the contents
				w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
			}
			files.ServeHTTP(w, r)
			return
		}
		wantsHTML := path.Ext(name) == "" && (r.Method == http.MethodHead || strings.Contains(r.Header.Get("Accept"), "text/html"))
		if name != "." && name != "index.html" && !wantsHTML || r.Method != http.MethodGet &&
			r.Method != http.MethodHead {
			http.NotFound(w, r)
			return
		}
		page, err := fs.ReadFile(console, "index.html")
		if err != nil {
			http.Error(w, "the console has no index.html", http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		http.ServeContent(w, r, "index.html", time.Time{}, bytes.NewReader(page))
	})
}

var plainPage = template.Must(template.New("plain").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulators</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="` + plainStyle + `">
</head>
<body>
<h1>Simulators</h1>
<p class="lead">Every provider is simulated. <a href="/phone">Phone</a> · <a href="/sim/v1/catalogue">Catalogue</a></p>
<ul>
{{range .}}<li><code>{{.}}</code></li>
{{end}}</ul>
</body>
</html>
`))

// plainFront lists the calls of the control API, by path.
func plainFront() http.Handler {
	routes := Routes()
	slices.SortStableFunc(routes, func(a, b string) int {
		_, first, _ := strings.Cut(a, " ")
		_, second, _ := strings.Cut(b, " ")
		return strings.Compare(first, second)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_ = plainPage.Execute(w, routes) // fails only if the client is gone
	})
}
