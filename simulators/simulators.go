// Package simulators runs every provider that the shop depends on, offline and on one port: the ticketing sources
// (legacy gateway and newmovie), the SMS vendors, the messaging app with its payments, and the captcha vendor, with a
// control API and a console. It writes nothing to disk.
//
// One port serves many isolated worlds, such as one for each test. The credential in a call, such as an appkey, selects
// its world.
package simulators

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"marquee/simulators/certs"
	"marquee/simulators/control"
	"marquee/simulators/ownname"
	"marquee/simulators/testclock"
)

// Options configures the simulators. The zero value is the demo world on a free loopback port.
type Options struct {
	Addr    string           // listen address; "" means 127.0.0.1:0
	TLSAddr string           // listen address for HTTPS; "" means no HTTPS
	Hosts   []string         // additional host names of the simulators, such as a container's
	Seed    uint64           // of the default world; 0 means 1
	Clock   *testclock.Clock // of the default world; nil means a new one
	AppURL  string           // the default world's shop, shown in its in-app browser
	Apps    []int            // ports whose web apps the default world's in-app browser may show
	Logger  *slog.Logger     // nil discards
	// Console is the built console: index.html and assets/. Without it, / is a page that lists the calls of the control
	// API.
	Console fs.FS

	MaxWorlds int           // limit of worlds in addition to the default one; 0 means 200
	MaxTrades int           // limit of trades in each world; 0 means 50,000
	MaxOrders int           // limit of orders in each box office; 0 means 10,000
	Idle      time.Duration // real time without a call after which a world expires; 0 means 30 minutes

	// Authority returns the certificate authority that issues the HTTPS certificates for the given host names. Nil
	// means that the simulators create a new one.
	Authority func(names []string) (*certs.Authority, error)

	// BodyTimeout is the real time in which a request's body must arrive; 0 means 30 seconds.
	BodyTimeout time.Duration

	// ObserveUndeclared is called when an operation of the control API answers an error code that it does not declare,
	// so that a test can fail. It may be nil.
	ObserveUndeclared func(route, code string)
}

// Simulators is a running set of providers. It is safe for concurrent use.
type Simulators struct {
	options Options
	stopped chan struct{} // closed by stop
	stop    func()        // ends all worlds; can be called more than once
	abandon func()        // cancels running calls
	base    *World        // the default world
	worlds  *registry
	router  *router
	handler http.Handler
	server  *http.Server
	addr    string
	tlsAddr string // "" without HTTPS
	newID   func() string
	own     ownname.Names

	authority func() (*certs.Authority, error)
	tunnels   *tunnels
}

// Start listens and serves until Close.
func Start(o Options) (*Simulators, error) {
	s := build(o, randomID)
	listener, err := s.listen(cmp.Or(o.Addr, "127.0.0.1:0"))
	if err != nil {
		s.stop()
		return nil, err
	}
	s.addr = dialableAddress(listener.Addr().String())
	listeners := []net.Listener{listener, s.tunnels}
	if o.TLSAddr != "" {
		if _, err := s.authority(); err != nil {
			s.stop()
			return nil, errors.Join(err, listener.Close())
		}
		secure, err := s.listen(o.TLSAddr)
		if err != nil {
			s.stop()
			return nil, errors.Join(err, listener.Close())
		}
		s.tlsAddr = dialableAddress(secure.Addr().String())
		listeners = append(listeners, tls.NewListener(secure, s.tlsConfig()))
	}
	var calls context.Context
	calls, s.abandon = context.WithCancel(context.Background())
	s.server = &http.Server{
		BaseContext: func(net.Listener) context.Context { return calls },
		Handler:     s.handler, ReadHeaderTimeout: 15 * time.Second,
		// Most of these errors have their cause in a client, such as one that does not trust the certificate authority.
		ErrorLog: slog.NewLogLogger(s.options.Logger.Handler(), slog.LevelWarn),
	}
	for _, l := range listeners {
		go func() {
			if err := s.server.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) {
				s.options.Logger.Error("simulators stopped serving", "error", err)
			}
		}()
	}
	go s.worlds.watch(s.stopped)
	return s, nil
}

// listen listens on an address, and logs a warning if other machines can reach it.
func (s *Simulators) listen(addr string) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("listen for the simulators on %s: %w", addr, err)
	}
	if at, ok := listener.Addr().(*net.TCPAddr); !ok || !at.IP.IsLoopback() {
		s.options.Logger.Warn(
			"THE SIMULATORS LISTEN BEYOND THIS MACHINE: every caller can read all keys, messages and orders, "+
				"and move the clock", "address", listener.Addr().String())
	}
	return listener, nil
}

// dialableAddress returns an address that a client on this machine can use, even if the listener accepts on all
// addresses.
func dialableAddress(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err == nil && ip != nil && ip.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return addr
}

// build creates simulators that do not listen yet. Worlds without an id get one from newID.
func build(o Options, newID func() string) *Simulators {
	o.Seed = cmp.Or(o.Seed, 1)
	o.MaxWorlds, o.Idle = cmp.Or(o.MaxWorlds, 200), cmp.Or(o.Idle, 30*time.Minute)
	if o.Clock == nil {
		o.Clock = testclock.New()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Simulators{options: o, stopped: make(chan struct{}), newID: newID}
	s.stop = sync.OnceFunc(func() {
		close(s.stopped)
		for _, w := range s.worlds.list() {
			w.end()
		}
	})
	s.base = s.newWorld("", control.NewWorld{Seed: o.Seed, AppURL: o.AppURL, Apps: o.Apps}, o.Clock)
	s.worlds = newRegistry(s)
	s.own = ownname.NamesOf(append([]string{o.Addr, o.TLSAddr}, o.Hosts...)...)
	s.tunnels = newTunnels()
	s.router = newRouter(s, ownHosts{s.own, control.Handler(s.worlds, o.Console, o.ObserveUndeclared)})
	s.authority = sync.OnceValues(func() (*certs.Authority, error) {
		if o.Authority != nil {
			return o.Authority(s.names())
		}
		return certs.New(s.names())
	})
	s.handler = bodyDeadline{cmp.Or(o.BodyTimeout, 30*time.Second), forwardProxy{s, s.router}}
	return s
}

// closeWithin is how long, in real time, Close waits for running calls. After half of it, the contexts of the calls
// that still run are cancelled, which ends those that hang by a planned fault.
const closeWithin = 2 * time.Second

// Close stops serving, and cancels pushes and notifications that are being sent. Long polls and event streams get their
// last answer, and other calls are answered. A call that takes longer than one second is cancelled; a connection that
// is still open after two seconds is closed.
func (s *Simulators) Close() error {
	s.stop()
	ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
	defer cancel()
	defer s.abandon()
	defer time.AfterFunc(closeWithin/2, s.abandon).Stop()
	if err := s.server.Shutdown(ctx); err == nil {
		return nil
	}
	if err := s.server.Close(); err != nil { // closes the remaining connections
		return fmt.Errorf("close the simulators: %w", err)
	}
	return nil
}

// URL is the simulators' address, such as "http://127.0.0.1:9090".
func (s *Simulators) URL() string { return "http://" + s.addr }

// TLSURL is the simulators' HTTPS address, such as "https://127.0.0.1:9443"; "" if they have none.
func (s *Simulators) TLSURL() string {
	if s.tlsAddr == "" {
		return ""
	}
	return "https://" + s.tlsAddr
}

// Handler serves everything that the port serves.
func (s *Simulators) Handler() http.Handler { return s.handler }

// Default returns the default world, which answers every call that has no credential of another world.
func (s *Simulators) Default() *World { return s.base }

// allowedApps lists the ports whose web apps the in-app browsers may show, of all worlds; see World.Apps.
func (s *Simulators) allowedApps() (ports []int) {
	for _, w := range s.worlds.list() {
		ports = append(ports, w.Apps()...)
	}
	return ports
}

// namedApps lists the addresses of the shops of all worlds that have one; see World.AppURL.
func (s *Simulators) namedApps() (urls []string) {
	for _, w := range s.worlds.list() {
		if url := w.AppURL(); url != "" {
			urls = append(urls, url)
		}
	}
	return urls
}

// ByID is the world with an id, or nil. "" and "default" are the default world.
func (s *Simulators) ByID(id string) *World { return s.worlds.byID(id) }

// Worlds lists every world, the default one first, then by age.
func (s *Simulators) Worlds() []*World { return s.worlds.list() }
