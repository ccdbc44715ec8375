// Package simulators runs every provider the shop depends on, offline: the legacy ticketing gateway, newmovie, the
// SMS provider and the messaging app, on one port, with a control API and a console. Nothing is kept on disk.
package simulators

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"marquee/simulators/journal"
	"marquee/simulators/script"
	"marquee/simulators/world"
)

// Options says how the simulators run. The zero value is the demo world on a free loopback port.
type Options struct {
	Addr   string       // where to listen; "" means 127.0.0.1:0
	Seed   uint64       // 0 means 1
	Clock  *world.Clock // nil means a clock of its own
	AppURL string       // the shop's address; where the in-app browser leads and pushes go
	Logger *slog.Logger // nil discards
}

// Simulators is a running set of providers. It is safe for concurrent use.
type Simulators struct {
	env    Env
	router *router
	server *http.Server
	addr   string
	push   atomic.Pointer[string]
	appURL atomic.Pointer[string]
}

// Start listens and serves until Close.
func Start(o Options) (*Simulators, error) {
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	s := build(o)
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", o.Addr)
	if err != nil {
		s.env.stop()
		return nil, fmt.Errorf("listen for the simulators on %s: %w", o.Addr, err)
	}
	s.addr = reachable(listener.Addr().String())
	s.server = &http.Server{Handler: s.router, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := s.server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
			s.env.Logger.Error("simulators stopped serving", "error", err)
		}
	}()
	return s, nil
}

// reachable is an address a client of this machine can use for one that listens on all of them.
func reachable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
}

func build(o Options) *Simulators {
	if o.Seed == 0 {
		o.Seed = 1
	}
	if o.Clock == nil {
		o.Clock = world.NewClock()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Simulators{}
	s.SetAppURL(o.AppURL)
	ctx, stop := context.WithCancel(context.Background())
	s.env = Env{
		Seed: o.Seed, Clock: o.Clock, Plan: script.NewPlan(), Journal: journal.New(1000, o.Clock.Now),
		Credentials: world.NewCredentials(o.Seed), World: world.New(o.Seed, o.Clock), Logger: o.Logger, Context: ctx, stop: stop,
		URL: s.URL, AppURL: s.AppURL, PushURL: s.pushURL,
	}
	s.router = newRouter(mounts(s.env))
	return s
}

// Close stops serving and every push that is under way.
func (s *Simulators) Close() error {
	s.env.stop()
	if err := s.server.Close(); err != nil {
		return fmt.Errorf("close the simulators: %w", err)
	}
	return nil
}

// URL is the simulators' address, such as "http://127.0.0.1:9090".
func (s *Simulators) URL() string { return "http://" + s.addr }

// Handler serves everything that the port serves.
func (s *Simulators) Handler() http.Handler { return s.router }

// Clock is the business clock.
func (s *Simulators) Clock() *world.Clock { return s.env.Clock }

// Credentials are those of the demo world.
func (s *Simulators) Credentials() world.Credentials { return s.env.Credentials }

// World is the seeded country of cities, films and cinemas.
func (s *Simulators) World() *world.World { return s.env.World }

// Faults is the plan of what goes wrong.
func (s *Simulators) Faults() *script.Plan { return s.env.Plan }

// Journal is what the providers have seen.
func (s *Simulators) Journal() *journal.Journal { return s.env.Journal }

// SetAppURL says where the shop is, once it is known.
func (s *Simulators) SetAppURL(url string) { s.appURL.Store(&url) }

// AppURL is the shop's address, "" until it is known.
func (s *Simulators) AppURL() string { return *s.appURL.Load() }

// SetPush sets where the legacy gateway pushes tickets; "" switches pushes off.
func (s *Simulators) SetPush(gatewayURL string) { s.push.Store(&gatewayURL) }

func (s *Simulators) pushURL() string {
	if url := s.push.Load(); url != nil {
		return *url
	}
	return ""
}
