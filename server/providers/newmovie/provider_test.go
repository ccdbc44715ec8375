package newmovie_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/providers/newmovie"
	"marquee/server/providers/providertest"
)

// provider is a server that answers each path with a handler of the test. It issues the tokens t1, t2, … and
// accepts the last one.
type provider struct {
	t      *testing.T
	server *httptest.Server

	mu     sync.Mutex
	routes map[string]http.HandlerFunc
	bodies []string // of the calls other than for a token
	reads  []string // paths and queries of the GET requests
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
			h = success(fmt.Sprintf(`{"token_type":"Bearer","access_token":"t%d","expires_in":7200}`, p.tokens))
		}
		assert.JSONEq(p.t, `{"entId":"ent1","appSecret":"s3cret"}`, string(body))
	} else {
		if r.Header.Get("Authorization") != current {
			h = rejection(401003)
		} else {
			p.bodies = append(p.bodies, string(body))
			if r.Method == http.MethodGet {
				p.reads = append(p.reads, r.URL.RequestURI())
			}
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

// called returns how often a path was called.
func (p *provider) called(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.calls["/newmovie"+path]
}

// revoke invalidates all issued tokens.
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
	if cfg.Operations.Limit == 0 {
		cfg.Operations.Limit = time.Second
	}
	c, err := newmovie.New(cfg)
	require.NoError(t, err)
	return c
}

func answer(body string) http.HandlerFunc { return providertest.Answer(body) }

func success(data string) http.HandlerFunc {
	return answer(`{"code":0,"msg":"ok","data":` + data + `}`)
}

func rejection(code int) http.HandlerFunc {
	return answer(fmt.Sprintf(`{"code":%d,"msg":"不行","data":null}`, code))
}

// orderAnswer answers with an order in a state; more is JSON with further fields.
func orderAnswer(state, more string) http.HandlerFunc {
	return success(`{"outOrderNo":"n1","orderNo":"P1","state":"` + state +
		`","amount":"84.00","expireAt":1795141800` + more + `}`)
}

// inTurn answers the first request with the first handler and so on, and all further requests with the last.
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
