package simulators

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"marquee/simulators/control"
	"marquee/simulators/ownname"
	"marquee/simulators/wechat"
)

// forwardProxy serves clients that use HTTP_PROXY or HTTPS_PROXY: CONNECT, and requests with an absolute URI. It serves
// the vendors' hosts itself and never connects to another machine.
type forwardProxy struct {
	sims *Simulators
	next *router
}

// ServeHTTP opens a tunnel for CONNECT, and answers a request with an absolute URI by that URI. Any other request does
// not use the proxy and is passed on.
func (p forwardProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodConnect:
		p.connect(w, r)
	case !r.URL.IsAbs():
		p.next.ServeHTTP(w, r)
	case p.answers(r.URL.Host, "80") || p.isOwn(r.URL.Host):
		url := *r.URL
		url.Scheme, url.Host = "", ""
		r = r.WithContext(r.Context())
		r.URL, r.RequestURI = &url, url.RequestURI() // a client signs the URI without scheme and host
		p.next.ServeHTTP(w, r)
	default:
		p.reject(w, r.URL.Host)
	}
}

// connect passes the connection of a CONNECT to the server, as a connection to the vendor's host.
func (p forwardProxy) connect(w http.ResponseWriter, r *http.Request) {
	if !p.answers(r.Host, "443") && !p.isOwn(r.Host) {
		p.reject(w, r.Host)
		return
	}
	connection, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		control.WriteError(w, errProxyHTTP2)
		return
	}
	if _, err := fmt.Fprint(connection, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		_ = connection.Close()
		return
	}
	p.sims.tunnels.push(&tunnel{connection, buffered.Reader}, p.sims.tlsConfig())
}

// answers reports whether an address is a vendor's: its host at port 80 or 443, or the in-app browser's host at any
// port. usual is the port of an address without one.
func (p forwardProxy) answers(address, usual string) bool {
	port := usual
	if _, given, err := net.SplitHostPort(address); err == nil {
		port = given
	}
	name := ownname.Of(address)
	return p.next.simulates(name) && (port == "80" || port == "443" || name == wechat.AppHost ||
		strings.HasSuffix(name, "."+wechat.AppHost))
}

// isOwn reports whether an address is that of the simulators: their main port, with a loopback IP address, the host of
// the listen address or one of the simulators' names.
func (p forwardProxy) isOwn(address string) bool {
	host, port, err := net.SplitHostPort(address)
	_, own, ownErr := net.SplitHostPort(p.sims.addr)
	if err != nil || ownErr != nil || port != own {
		return false
	}
	ip := net.ParseIP(host)
	return address == p.sims.addr || ip != nil && ip.IsLoopback() || ip == nil && p.sims.own.Is(host)
}

// Errors of the proxy.
var (
	errProxyHTTP2 = &control.Error{Status: http.StatusNotImplemented, Code: "not_found",
		Message: "CONNECT needs HTTP/1.1"}
	errNotSimulated = &control.Error{Status: http.StatusForbidden, Code: "host_not_simulated"}
)

func (p forwardProxy) reject(w http.ResponseWriter, host string) {
	p.sims.options.Logger.Warn("forward proxy rejected a host that is not simulated", "host", host)
	control.WriteError(w, errNotSimulated.With(
		"%s is not simulated, and this proxy reaches no other machine; simulated at the ports 80 and 443: %s; "+
			"set NO_PROXY for the rest",
		host, strings.Join(slices.Sorted(maps.Keys(p.next.hosts)), ", ")))
}

// simulates reports whether a host name is a vendor's, or one of the in-app browser.
func (r *router) simulates(host string) bool {
	if _, ok := r.hosts[host]; ok {
		return true
	}
	for parent := range r.subdomains {
		if strings.HasSuffix(host, parent) {
			return true
		}
	}
	return false
}

// tlsConfig issues a certificate for every vendor's host and every name of this machine, by SNI. HTTP/2 is not offered,
// because a planned fault such as a reset must end the connection of one call only.
func (s *Simulators) tlsConfig() *tls.Config {
	return &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		GetCertificate: func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
			name := strings.ToLower(hello.ServerName)
			if name == "" { // the client used an IP address
				name = ownname.Of(hello.Conn.LocalAddr().String())
			}
			if !s.router.simulates(name) && !s.own.Is(name) {
				s.options.Logger.Warn("HTTPS rejected a host that is not simulated", "host", name)
				return nil, nil // the client gets unrecognized_name and not internal_error
			}
			authority, err := s.authority()
			if err != nil {
				return nil, err
			}
			return authority.For(name)
		},
	}
}

// names lists the host names for which the certificate authority may issue certificates, without IP addresses.
func (s *Simulators) names() []string {
	names := []string{"localhost"} // with its subdomains
	for host := range s.router.hosts {
		names = append(names, host)
	}
	for parent := range s.router.subdomains {
		names = append(names, strings.TrimPrefix(parent, "."))
	}
	for _, name := range s.own {
		if net.ParseIP(name) == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// CertificatePEM is the certificate of the authority that clients of the HTTPS addresses have to trust.
func (s *Simulators) CertificatePEM() ([]byte, error) {
	authority, err := s.authority()
	if err != nil {
		return nil, err
	}
	return authority.PEM(), nil
}

// tunnel is the connection of a CONNECT, with the bytes already read from it.
type tunnel struct {
	net.Conn
	reader *bufio.Reader
}

// Read first returns the bytes already read.
func (t *tunnel) Read(p []byte) (int, error) { return t.reader.Read(p) }

// SetLinger sets the linger time of the TCP connection, so that the client of a tunnel also gets a planned reset.
func (t *tunnel) SetLinger(sec int) error {
	if tcp, ok := t.Conn.(*net.TCPConn); ok {
		return tcp.SetLinger(sec)
	}
	return nil
}

// tunnels is a net.Listener that accepts the connections of CONNECT, so that the HTTP server serves them like others.
type tunnels struct {
	come   chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func newTunnels() *tunnels { return &tunnels{come: make(chan net.Conn), closed: make(chan struct{})} }

// push passes a tunnel to Accept, with TLS or as plain HTTP. To distinguish these, it waits up to ten seconds for the
// client's first byte.
func (l *tunnels) push(t *tunnel, config *tls.Config) {
	const handshake = 0x16                                  // the type of a TLS record
	_ = t.SetReadDeadline(time.Now().Add(10 * time.Second)) // the same limit as for the header of a request
	first, err := t.reader.Peek(1)
	if errors.Join(err, t.SetReadDeadline(time.Time{})) != nil {
		_ = t.Close()
		return
	}
	var connection net.Conn = t
	if first[0] == handshake {
		connection = tls.Server(t, config)
	}
	select {
	case l.come <- connection:
	case <-l.closed:
		_ = t.Close()
	}
}

// Accept waits for the next tunnel. It returns net.ErrClosed after Close.
func (l *tunnels) Accept() (net.Conn, error) {
	select {
	case connection := <-l.come:
		return connection, nil
	case <-l.closed:
		return nil, errors.Join(net.ErrClosed, http.ErrServerClosed)
	}
}

// Close makes Accept return an error. It may be called more than once.
func (l *tunnels) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr is a placeholder: tunnels do not have an address.
func (l *tunnels) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }
