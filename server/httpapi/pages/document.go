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

// configOpen and scriptClose are the tags of the element of index.html that holds the configuration.
const configOpen, scriptClose = `<script type="application/json" id="marquee-config">`, `</script>`

// notBuilt is the page of a clone whose web app has not been built.
const notBuilt = `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>网页尚未构建</title></head>
<body><h1>网页尚未构建</h1>
<p>The web app is not part of this build: run "make build" and start again. The API is up.</p></body></html>`

// tooMany is the page for a network that has requested too many pages within a minute.
const tooMany = `<!doctype html><html lang="zh-CN"><head><meta charset="utf-8"><title>访问过于频繁</title></head>
<body><h1>访问过于频繁</h1><p>请稍后再试。</p></body></html>`

// document is an HTML page in the encodings in which it is served. Each encoding is made on first use, so that the
// start does not wait half a second for the compression of all pages.
type document struct {
	plain        []byte
	gzip, brotli func() []byte
	tag          string // identifies the content, as part of an ETag
	script       string // hash of its inline script, a source of its content security policy; "" for none
}

func newDocument(plain []byte) document {
	hash := sha256.Sum256(plain)
	return document{
		plain: plain, tag: base64.RawURLEncoding.EncodeToString(hash[:12]), script: scriptSource(plain),
		gzip: sync.OnceValue(func() []byte {
			return compress(plain, func(to io.Writer) (io.WriteCloser, error) {
				return gzip.NewWriterLevel(to, gzip.BestCompression)
			})
		}),
		brotli: sync.OnceValue(func() []byte {
			return compress(plain, func(to io.Writer) (io.WriteCloser, error) {
				return brotli.NewWriterOptions(to, brotli.WriterOptions{
					Quality: brotli.BestCompression,
					LGWin:   16, // 64 kB, more than a page: with the default of 4 MB, a page takes 35 MB to compress
				}), nil
			})
		}),
	}
}

// permitScript adds the inline script of the document to the content security policy of an answer.
func (d document) permitScript(head http.Header) {
	const scripts = "script-src 'self'"
	allowed := strings.TrimSpace(scripts + " " + d.script)
	head.Set(policyHeader, strings.Replace(head.Get(policyHeader), scripts, allowed, 1))
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
	head.Set("Vary", "Accept-Encoding")
	d.permitScript(head)
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

// inlineScript is the script in index.html, which works even if no file of the build can be loaded.
var inlineScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// scriptSource returns the hash of a page's inline script, a source of its content security policy; "" for none.
func scriptSource(page []byte) string {
	script := inlineScript.FindSubmatch(page)
	if script == nil {
		return ""
	}
	return hashSource(string(script[1]))
}

// hashSource returns the source of a content security policy that permits an inline script or style.
func hashSource(text string) string {
	hash := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) + "'"
}
