//go:build pact

package provider_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/app"
	"marquee/server/providers/legacygateway"
	"marquee/simulators"
)

// shop is the shop over the simulators, on sockets of its own. Its states are set over HTTP, as its buyers would.
type shop struct {
	t      *testing.T
	sims   *simulators.Simulators
	app    *app.App
	url    string
	client *http.Client
	last   atomic.Int64 // numbers phones and cards
	bound  values       // what the state returned
}

// TestShop verifies what the web app expects of the shop.
func TestShop(t *testing.T) {
	s := openShop(t)
	verify(t, subject{
		consumer: "marquee-web", name: "marquee-shop", states: s.states(),
		reset: s.reset, bind: func(v values) { s.bound = v }, front: resign(s.client, s.sign),
	})
}

// reset forgets what the state before has bound and planned.
func (s *shop) reset() {
	s.bound = nil
	s.sims.Default().Faults().Clear()
}

func openShop(t *testing.T) *shop {
	t.Helper()
	sims, err := simulators.Start(simulators.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, sims.Close()) })
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &shop{t: t, sims: sims, url: "http://" + listener.Addr().String()}
	sims.Default().SetAppURL(s.url)
	sims.Default().SetPush(s.url + "/notify/gateway")
	cfg, err := app.FromEnvironment(sims.Default().ShopEnvironment())
	require.NoError(t, err)
	cfg.DB, cfg.PublicURL = filepath.Join(t.TempDir(), "shop.db"), s.url
	cfg.Now, cfg.Logger = sims.Default().Clock().Now, slog.New(slog.DiscardHandler)
	s.app, err = app.New(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.app.Close()) })
	require.NoError(t, s.app.SeedDemo(t.Context(), nil))
	sims.Default().Clock().OnAdvance(s.app.Wake)
	s.serve(listener)

	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	sim := strings.TrimPrefix(sims.URL(), "http://")
	s.client = &http.Client{
		Jar: jar, Timeout: 30 * time.Second,
		Transport: &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if strings.Contains(addr, "inapp.localhost") { // a name that only browsers resolve
				addr = sim
			}
			return (&net.Dialer{}).DialContext(ctx, network, addr)
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	t.Cleanup(s.client.CloseIdleConnections)
	return s
}

func (s *shop) serve(listener net.Listener) {
	server := s.app.Server()
	served, worked := make(chan error, 1), make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	ctx, stop := context.WithCancel(context.Background())
	go func() { worked <- s.app.Run(ctx) }()
	s.t.Cleanup(func() {
		assert.NoError(s.t, server.Close())
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			assert.NoError(s.t, err)
		}
		stop()
		assert.NoError(s.t, <-worked)
	})
}

// sign fills the values of the state into the fields of their names, and stamps and signs what has to be signed. A
// field whose value the state does not know stays as the pact has it.
func (s *shop) sign(r *http.Request, body []byte) ([]byte, error) {
	u, err := url.Parse(s.url)
	if err != nil {
		return nil, err
	}
	query := r.URL.Query()
	s.fill(query)
	u.Path, u.RawQuery = r.URL.Path, query.Encode()
	r.URL, r.Host = u, u.Host
	if cookie, ok := s.bound["cookie"].(string); ok {
		r.Header.Set("Cookie", cookie)
	}
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		return body, nil
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, err
	}
	s.fill(form)
	s.seal(u.Path, form)
	return []byte(form.Encode()), nil
}

func (s *shop) fill(fields url.Values) {
	for name, v := range s.bound {
		if text, ok := v.(string); ok && fields.Has(name) {
			fields.Set(name, text)
		}
	}
	if fields.Has("channel_no") {
		fields.Set("channel_no", s.sims.Default().Credentials().Shop.ChannelNo)
	}
}

// seal signs a form for the paths that want it, unless the state wants the signature of the pact to stay.
func (s *shop) seal(path string, form url.Values) {
	if !strings.HasPrefix(path, "/movie/route") || s.bound["unsigned"] == true {
		return
	}
	channel := s.sims.Default().Credentials().Shop
	form.Set("appkey", channel.AppKey)
	form.Set("v", "2.0")
	legacygateway.Dialect{}.Stamp(form, channel.Secret, time.Now()) // the channel signs as the gateway does
}

// TestShop_EveryStateCanBeSet proves the states that no pact uses yet, and names the one that is broken.
func TestShop_EveryStateCanBeSet(t *testing.T) {
	s := openShop(t)
	for name, set := range s.states() {
		s.reset()
		_, err := set()
		assert.NoError(t, err, name)
	}
}
