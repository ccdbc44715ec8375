package legacygateway_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/providers/legacygateway"
	"marquee/server/providers/providertest"
	"marquee/server/providers/transport"
)

const (
	appKey = "10000001"
	secret = "s3cret"
)

// gateway is a server that answers each method with a handler of the test, and records the forms that it receives.
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
		h = answer(`{"success":false,"error":{"code":"1005","msg":"未知方法"},"data":null}`)
	}
	h(w, r)
}

// on sets the handler of a method.
func (g *gateway) on(method string, h http.HandlerFunc) *gateway {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.routes[method] = h
	return g
}

// methods returns the methods of the recorded forms.
func (g *gateway) methods() []string {
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
		BaseURL: base, AppKey: appKey, Secret: secret, Operations: transport.Operations{Limit: time.Second},
		Now: func() time.Time { return time.Date(2026, 11, 20, 2, 0, 0, 0, time.UTC) },
	})
	require.NoError(t, err)
	return c
}

func answer(body string) http.HandlerFunc { return providertest.Answer(body) }

func success(data string) http.HandlerFunc {
	return answer(`{"success":true,"error":null,"data":` + data + `}`)
}

func rejection(code string) http.HandlerFunc {
	return answer(`{"success":false,"error":{"code":"` + code + `","msg":"不行"},"data":null}`)
}
