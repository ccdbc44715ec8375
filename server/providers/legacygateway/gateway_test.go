package legacygateway_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/providers/legacygateway"
)

const (
	appKey = "10000001"
	secret = "s3cret"
)

// gateway answers methods with handlers that a test gives it, and remembers the forms it was sent.
type gateway struct {
	t      *testing.T
	server *httptest.Server
	mu     sync.Mutex
	routes map[string]http.HandlerFunc
	forms  []url.Values
}

func newGateway(t *testing.T) *gateway {
	t.Helper()
	g := &gateway{t: t, routes: map[string]http.HandlerFunc{}}
	g.server = httptest.NewServer(g)
	t.Cleanup(g.server.Close)
	return g
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	assert.NoError(g.t, r.ParseForm())
	assert.Equal(g.t, http.MethodPost, r.Method)
	assert.Equal(g.t, "/gateway", r.URL.Path)
	g.mu.Lock()
	g.forms = append(g.forms, r.PostForm)
	h := g.routes[r.PostForm.Get("method")]
	g.mu.Unlock()
	if h == nil {
		h = answers(`{"success":false,"error":{"code":"1005","msg":"未知方法"},"data":null}`)
	}
	h(w, r)
}

// on sets what a method answers.
func (g *gateway) on(method string, h http.HandlerFunc) *gateway {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.routes[method] = h
	return g
}

// asked are the methods called so far.
func (g *gateway) asked() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	var methods []string
	for _, f := range g.forms {
		methods = append(methods, f.Get("method"))
	}
	return methods
}

func (g *gateway) client() *legacygateway.Client {
	g.t.Helper()
	return clientOf(g.t, g.server.URL+"/gateway")
}

func clientOf(t *testing.T, base string) *legacygateway.Client {
	t.Helper()
	c, err := legacygateway.New(legacygateway.Config{
		BaseURL: base, AppKey: appKey, Secret: secret, Timeout: time.Second,
		Now: func() time.Time { return time.Date(2026, 11, 20, 2, 0, 0, 0, time.UTC) },
	})
	require.NoError(t, err)
	return c
}

func answers(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}
}

func ok(data string) http.HandlerFunc {
	return answers(`{"success":true,"error":null,"data":` + data + `}`)
}

func refuses(code string) http.HandlerFunc {
	return answers(`{"success":false,"error":{"code":"` + code + `","msg":"不行"},"data":null}`)
}

// silences are the ways in which an answer can fail to be one, after the request has arrived.
func silences(t *testing.T) map[string]http.HandlerFunc {
	t.Helper()
	gone := make(chan struct{})
	t.Cleanup(func() { close(gone) })
	return map[string]http.HandlerFunc{
		"reset": func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if assert.NoError(t, err) {
				assert.NoError(t, conn.(*net.TCPConn).SetLinger(0))
				assert.NoError(t, conn.Close())
			}
		},
		"hangs": func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-gone:
			}
		},
		"truncated": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"success":true,"error":null,"da`)
		},
		"HTML":       answers("<html><body>502 Bad Gateway</body></html>"),
		"status 502": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
		"empty":           answers(""),
		"two values":      answers(`{"success":true,"error":null,"data":{}}{}`),
		"neither nor":     answers(`{"data":{}}`),
		"both":            answers(`{"success":true,"error":{"code":"1","msg":""},"data":{}}`),
		"refused by none": answers(`{"success":false,"error":null,"data":null}`),
		"no data":         answers(`{"success":true,"error":null}`),
		"null data":       ok(`null`),
		"another shape":   ok(`[1,2]`),
		"empty object":    ok(`{}`),
		"an unknown code": refuses("7777"),
		"busy":            refuses("5001"),
		"reload":          refuses("9999"),
		"too large": func(w http.ResponseWriter, _ *http.Request) {
			chunk := make([]byte, 1<<20)
			for range 9 {
				_, _ = w.Write(chunk)
			}
		},
	}
}
