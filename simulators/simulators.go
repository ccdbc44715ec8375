// Package simulators runs every provider that the shop depends on, offline: the legacy ticketing gateway, newmovie, the
// SMS provider and the messaging app, on one port, with a control API and a console. It writes nothing to disk.
//
// One port serves many isolated worlds. The credential of a call chooses its world.
package simulators

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"marquee/simulators/control"
	"marquee/simulators/ownname"
	"marquee/simulators/testclock"
)

// Options configures the simulators. The zero value is the demo world on a free loopback port.
type Options struct {
	Addr   string           // where to listen; "" means 127.0.0.1:0
	Seed   uint64           // of the default world; 0 means 1
	Clock  *testclock.Clock // of the default world; nil means a clock of its own
	AppURL string           // the default world's shop; where its in-app browser leads
	Logger *slog.Logger     // nil discards
	// Console is the built console: index.html and assets/. Without it / is a page that names the calls of the control
	// API.
	Console fs.FS

	MaxWorlds int           // besides the default one; 0 means 200
	Idle      time.Duration // real time after which a world without a call is gone; 0 means 30 minutes

	// BodyTimeout is the real time in which a request's body must come; 0 means 30 seconds.
	BodyTimeout time.Duration
}

// Simulators is a running set of providers. It is safe for concurrent use.
type Simulators struct {
	options Options
	stopped chan struct{} // closed by stop
	stop    func()        // ends all worlds; can be called more than once
	base    *World
	worlds  *registry
	handler http.Handler
	server  *http.Server
	addr    string
}

// Start listens and serves until Close.
func Start(o Options) (*Simulators, error) {
	s := build(o)
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", cmp.Or(o.Addr, "127.0.0.1:0"))
	if err != nil {
		s.stop()
		return nil, fmt.Errorf("listen for the simulators on %s: %w", o.Addr, err)
	}
	s.addr = reachable(listener.Addr().String())
	if at, ok := listener.Addr().(*net.TCPAddr); !ok || !at.IP.IsLoopback() {
		s.options.Logger.Warn("THE SIMULATORS LISTEN BEYOND THIS MACHINE: every caller can read all keys, messages and orders, "+
			"and move the clock", "address", listener.Addr().String())
	}
	s.server = &http.Server{Handler: s.handler, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		if err := s.server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
			s.options.Logger.Error("simulators stopped serving", "error", err)
		}
	}()
	go s.worlds.watch(s.stopped)
	return s, nil
}

// reachable returns an address that a client on this machine can use, also if the listener accepts on all addresses.
func reachable(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
}

// build makes simulators that do not listen yet.
func build(o Options) *Simulators {
	o.Seed = cmp.Or(o.Seed, 1)
	o.MaxWorlds, o.Idle = cmp.Or(o.MaxWorlds, 200), cmp.Or(o.Idle, 30*time.Minute)
	if o.Clock == nil {
		o.Clock = testclock.New()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Simulators{options: o, stopped: make(chan struct{})}
	s.stop = sync.OnceFunc(func() {
		close(s.stopped)
		for _, w := range s.worlds.list() {
			w.end()
		}
	})
	s.base = s.newWorld("", WorldOptions{Seed: o.Seed, AppURL: o.AppURL}, o.Clock)
	s.worlds = newRegistry(s)
	s.handler = bodyDeadline{
		cmp.Or(o.BodyTimeout, 30*time.Second),
		newRouter(s, ownHosts{ownname.Of(o.Addr), control.Handler(admin{s}, o.Console)}),
	}
	return s
}

// Close stops serving, and cancels pushes and notifies that are under way.
func (s *Simulators) Close() error {
	s.stop()
	if err := s.server.Close(); err != nil {
		return fmt.Errorf("close the simulators: %w", err)
	}
	return nil
}

// URL is the simulators' address, such as "http://127.0.0.1:9090".
func (s *Simulators) URL() string { return "http://" + s.addr }

// Handler serves everything that the port serves.
func (s *Simulators) Handler() http.Handler { return s.handler }

// Default is the world of calls that name no other.
func (s *Simulators) Default() *World { return s.base }

// Worlds lists every world, the default one first, then by age.
func (s *Simulators) Worlds() []*World { return s.worlds.list() }
