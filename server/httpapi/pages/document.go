package pages

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
)

// The element of index.html that holds the configuration.
const configOpen, scriptClose = `<script type="application/json" id="marquee-config">`, `</script>`

// The element of index.html in whose place the page shows a screen's own placeholder.
const placeholderOpen, placeholderClose = `<div class="boot" aria-hidden="true" id="placeholder">`, `</div>`

// cutPlaceholder returns the parts of a page before and after its placeholder.
func cutPlaceholder(page []byte) (before, after []byte, found bool) {
	before, rest, found := bytes.Cut(page, []byte(placeholderOpen))
	_, after, closed := bytes.Cut(rest, []byte(placeholderClose))
	return before, after, found && closed
}

// isInApp reports whether the request comes from the messaging app's browser, as web/src/session/in-app.ts does.
func isInApp(r *http.Request) bool {
	return strings.Contains(strings.ToLower(r.UserAgent()), "micromessenger")
}

// markInApp gives a page the class with which the web app marks its document inside the messaging app, which shows its
// own title bar. Without the class, the placeholder would move up when the web app starts. Placeholders have the back
// button of a visit's first page; a later page that is reloaded has none in the app.
func markInApp(page []byte) []byte {
	return bytes.Replace(page, []byte("<html "), []byte(`<html class="in-app" `), 1)
}

// notBuilt is the page of a clone whose web app has not been built.
const notBuilt = `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>网页尚未构建</title></head>
<body><h1>网页尚未构建</h1>
<p>The web app is not part of this build: run "make build" and start again. The API is up.</p></body></html>`

// tooMany is the page for a network that has requested too many.
const tooMany = `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>访问过于频繁</title></head>
<body><h1>访问过于频繁</h1><p>请稍后再试。</p></body></html>`

// Compression levels of brotli and, up to its maximum, gzip.
const (
	best  = brotli.BestCompression // for documents that are compressed once
	quick = 5                      // for a document that is kept for durations.Page
)

// document is an HTML page in the encodings in which it is served. Each encoding is made on first use, so that the
// start does not wait half a second for the compression of all pages.
type document struct {
	plain        []byte
	gzip, brotli func() []byte
	tag          string // identifies the content, as part of an ETag
	inlined      inlined
}

// inlined are the hashes of a page's inline styles and scripts, for its content security policy; "" for none.
type inlined struct{ styles, script string }

// permit returns the policy with the sources.
func (i inlined) permit(policy string) string {
	const styles, scripts = "style-src 'self'", "script-src 'self'"
	return strings.NewReplacer(
		styles, strings.TrimSpace(styles+" "+i.styles), scripts, strings.TrimSpace(scripts+" "+i.script),
	).Replace(policy)
}

func newDocument(plain []byte, level int) document {
	hash := sha256.Sum256(plain)
	return document{
		plain: plain, tag: base64.RawURLEncoding.EncodeToString(hash[:12]),
		gzip: sync.OnceValue(func() []byte {
			return compress(plain, func(to io.Writer) (io.WriteCloser, error) {
				return gzip.NewWriterLevel(to, min(level, gzip.BestCompression))
			})
		}),
		brotli: sync.OnceValue(func() []byte {
			return compress(plain, func(to io.Writer) (io.WriteCloser, error) {
				return brotli.NewWriterLevel(to, level), nil
			})
		}),
	}
}

// compress panics if the writer fails, which a writer in memory with a valid level never does.
func compress(plain []byte, open func(io.Writer) (io.WriteCloser, error)) []byte {
	var b bytes.Buffer
	w, err := open(&b)
	if err == nil {
		_, err = w.Write(plain)
		err = errors.Join(err, w.Close())
	}
	if err != nil {
		panic(fmt.Errorf("httpapi: compress a page: %w", err))
	}
	return b.Bytes()
}

// write sends the document in the best encoding that the client accepts. A client that has it already, by
// If-None-Match, gets status 304 instead of 200.
func (d document) write(w http.ResponseWriter, r *http.Request, status int) {
	body, encoding := d.plain, ""
	switch accepts := r.Header.Get("Accept-Encoding"); {
	case strings.Contains(accepts, "br"):
		body, encoding = d.brotli(), "br"
	case strings.Contains(accepts, "gzip"):
		body, encoding = d.gzip(), "gzip"
	}
	head := w.Header()
	head.Set("Vary", "Accept-Encoding, User-Agent")
	head.Set(policyHeader, d.inlined.permit(head.Get(policyHeader)))
	if encoding != "" {
		head.Set("Content-Encoding", encoding)
	}
	if status == http.StatusOK {
		head.Set("ETag", `"`+d.tag+encoding+`"`) // each encoding is a separate representation
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
		return
	}
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // an error means that the client has disconnected
	}
}

// readIndex returns index.html with the app's configuration in its script element. json.Marshal escapes <, > and &,
// so the configuration cannot end the element.
func readIndex(files fs.FS, config AppConfig) ([]byte, error) {
	html, err := fs.ReadFile(files, "index.html")
	if err != nil {
		return []byte(notBuilt), nil
	}
	block, err := json.Marshal(config)
	if err != nil {
		return nil, fmt.Errorf("httpapi: encode the app's configuration: %w", err)
	}
	before, rest, found := bytes.Cut(html, []byte(configOpen))
	_, after, closed := bytes.Cut(rest, []byte(scriptClose))
	if !found || !closed {
		return nil, fmt.Errorf("httpapi: index.html has no %s element", configOpen)
	}
	return bytes.Join([][]byte{before, []byte(configOpen), block, []byte(scriptClose), after}, nil), nil
}

// stylesheet is a link to a style sheet of the build.
var stylesheet = regexp.MustCompile(`<link rel="stylesheet" crossorigin href="/(assets/[^"]+\.css)">`)

// inlineStyles writes the style sheets that a page links into the page, so that the first paint waits for no other
// file. It returns the page and the hash of the styles, a source of its content security policy, or "" if there are
// none. The links stay, because the app's loader does not load a style sheet that is linked. They are disabled and have
// the media "not all", because a browser's preload scanner would request a link that is only disabled. A sheet that is
// not in the build stays a link. It returns an error for a sheet that would end the style element.
func inlineStyles(files fs.FS, page []byte) (inlined []byte, source string, err error) {
	var styles bytes.Buffer
	inlined = stylesheet.ReplaceAllFunc(page, func(link []byte) []byte {
		name := string(stylesheet.FindSubmatch(link)[1])
		text, missing := fs.ReadFile(files, name)
		if missing != nil {
			return link
		}
		if bytes.Contains(text, []byte("</")) {
			err = fmt.Errorf("the style sheet %s contains \"</\", which would end the element that holds it", name)
		}
		styles.Write(text)
		return bytes.Replace(link, []byte("<link "), []byte(`<link disabled media="not all" `), 1)
	})
	if err != nil || styles.Len() == 0 {
		return page, "", err
	}
	element := fmt.Appendf(nil, "<style>%s</style></head>", styles.Bytes())
	return bytes.Replace(inlined, []byte("</head>"), element, 1),
		hashSource(styles.Bytes()), nil
}

// hashSource returns the hash of a content as a source of a content security policy.
func hashSource(content []byte) string {
	hash := sha256.Sum256(content)
	return "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}

// inlineScript is the script in index.html, which works even if no file of the build can be loaded.
var inlineScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// scriptSource returns the hash of a page's inline script, a source of its content security policy; "" for none.
func scriptSource(page []byte) string {
	script := inlineScript.FindSubmatch(page)
	if script == nil {
		return ""
	}
	return hashSource(script[1])
}
