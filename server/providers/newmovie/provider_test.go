package newmovie_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/providers/newmovie"
)

// provider answers paths with handlers that a test gives it. It hands out the tokens t1, t2, … and accepts the last.
type provider struct {
	t      *testing.T
	server *httptest.Server

	mu     sync.Mutex
	routes map[string]http.HandlerFunc
	bodies []string // of the calls other than for a token
	calls  map[string]int
	tokens int
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	p := &provider{t: t, routes: map[string]http.HandlerFunc{}, calls: map[string]int{}}
	p.server = httptest.NewServer(p)
	t.Cleanup(p.server.Close)
	return p
}

func (p *provider) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	assert.NoError(p.t, err)
	p.mu.Lock()
	p.calls[r.URL.Path]++
	h := p.routes[r.URL.Path]
	current := fmt.Sprintf("Bearer t%d", p.tokens)
	if r.URL.Path == "/newmovie/api/oauth/token" {
		if h == nil {
			p.tokens++
			h = ok(fmt.Sprintf(`{"token_type":"Bearer","access_token":"t%d","expires_in":7200}`, p.tokens))
		}
		assert.JSONEq(p.t, `{"entId":"ent1","appSecret":"s3cret"}`, string(body))
	} else {
		if r.Header.Get("Authorization") != current {
			h = refuses(401003)
		} else {
			p.bodies = append(p.bodies, string(body))
		}
	}
	p.mu.Unlock()
	if h == nil {
		http.NotFound(w, r)
		return
	}
	h(w, r)
}

func (p *provider) on(path string, h http.HandlerFunc) *provider {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.routes["/newmovie"+path] = h
	return p
}

// called is how often a path was called.
func (p *provider) called(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls["/newmovie"+path]
}

// revoke makes every token given so far unknown.
func (p *provider) revoke() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tokens += 100
}

func (p *provider) client() *newmovie.Client {
	p.t.Helper()
	return clientOf(p.t, newmovie.Config{BaseURL: p.server.URL + "/newmovie/"})
}

func clientOf(t *testing.T, cfg newmovie.Config) *newmovie.Client {
	t.Helper()
	cfg.EntID, cfg.AppSecret, cfg.Poll = "ent1", "s3cret", time.Millisecond
	if cfg.Timeout == 0 {
		cfg.Timeout = time.Second
	}
	c, err := newmovie.New(cfg)
	require.NoError(t, err)
	return c
}

func answers(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}
}

func ok(data string) http.HandlerFunc { return answers(`{"code":0,"msg":"ok","data":` + data + `}`) }

func refuses(code int) http.HandlerFunc {
	return answers(fmt.Sprintf(`{"code":%d,"msg":"不行","data":null}`, code))
}

// orderAnswer answers with an order.
func orderAnswer(state, more string) http.HandlerFunc {
	return ok(`{"outOrderNo":"n1","orderNo":"P1","state":"` + state + `","amount":"84.00","expireAt":1795141800` + more + `}`)
}

// inTurn answers with each handler once, and with the last for ever.
func inTurn(hs ...http.HandlerFunc) http.HandlerFunc {
	var mu sync.Mutex
	return func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		h := hs[0]
		if len(hs) > 1 {
			hs = hs[1:]
		}
		mu.Unlock()
		h(w, r)
	}
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
			_, _ = io.WriteString(w, `{"code":0,"msg":"ok","da`)
		},
		"HTML":       answers("<html><body>502 Bad Gateway</body></html>"),
		"status 502": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
		"empty":           answers(""),
		"no code":         answers(`{"msg":"ok","data":{}}`),
		"code as text":    answers(`{"code":"0","msg":"ok","data":{}}`),
		"no data":         answers(`{"code":0,"msg":"ok"}`),
		"null data":       ok(`null`),
		"another shape":   ok(`[1,2]`),
		"empty object":    ok(`{}`),
		"an unknown code": refuses(777777),
		"busy":            refuses(500001),
	}
}
