package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/httpapi/wire"
)

// clientAddresses finds the addresses of clients. X-Forwarded-For is used only if it comes from a trusted network.
type clientAddresses struct {
	trusted    []netip.Prefix
	log        *slog.Logger
	unreadable func() // called for each request without a readable address; may be nil
	logged     atomic.Int64
}

// newClientAddresses returns an error if a trusted proxy is not a network in CIDR notation.
func newClientAddresses(c Config) (*clientAddresses, error) {
	a := &clientAddresses{log: c.Logger, unreadable: c.ObserveUnreadableAddress}
	for _, text := range c.TrustedProxies {
		network, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, fmt.Errorf("httpapi: trusted proxy %q: %w", text, err)
		}
		a.trusted = append(a.trusted, network.Masked())
	}
	return a, nil
}

type clientAddressKey struct{}

// clientIP returns the IP address of the client, or "" if a trusted proxy did not send a readable one. Rate limits and
// the journal of accounts use it. Rate limits do not apply to requests without an address: otherwise all buyers behind
// that proxy would share one limit.
func clientIP(r *http.Request) string {
	address, _ := r.Context().Value(clientAddressKey{}).(string) // "" before the handler has run
	return address
}

// networkOf returns the network of the client, "" if its address cannot be read.
func networkOf(r *http.Request) string { return account.NetworkOf(clientIP(r)) }

// handler puts the address into the context of each request.
func (a *clientAddresses) handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		address := ""
		if found := a.find(r); found.IsValid() {
			address = found.String()
		} else {
			a.report(r)
		}
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), clientAddressKey{}, address)))
	})
}

// find walks over the chain of proxies from this server to the client, and returns the first address that is not
// trusted. If all are trusted, the client is in the network of the proxies: it is the first of the chain. If an entry
// cannot be read, those to its left may be forged, and no address is returned.
func (a *clientAddresses) find(r *http.Request) netip.Addr {
	peer := readAddress(r.RemoteAddr)
	if !peer.IsValid() || !a.trusts(peer) {
		return peer
	}
	chain := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	var found netip.Addr
	for _, entry := range slices.Backward(chain) {
		found = readAddress(entry)
		if !found.IsValid() || !a.trusts(found) {
			return found
		}
	}
	return found
}

func (a *clientAddresses) trusts(ip netip.Addr) bool {
	return slices.ContainsFunc(a.trusted, func(n netip.Prefix) bool { return n.Contains(ip) })
}

// readAddress reads an address as proxies write it: with a port, with brackets, and with quotes.
func readAddress(text string) netip.Addr {
	text = strings.TrimSpace(strings.Trim(strings.TrimSpace(text), `"`))
	ip, err := netip.ParseAddr(text)
	if err != nil {
		var withPort netip.AddrPort
		withPort, err = netip.ParseAddrPort(text)
		ip = withPort.Addr()
	}
	if err != nil {
		ip, err = netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]"))
	}
	if err != nil {
		return netip.Addr{}
	}
	return ip.Unmap().WithZone("")
}

// report counts a request whose address cannot be read, and logs at most one a minute. It ignores a balancer's health
// checks, which have no X-Forwarded-For.
func (a *clientAddresses) report(r *http.Request) {
	if wire.IsProbe(r) {
		return
	}
	if a.unreadable != nil {
		a.unreadable()
	}
	now, last := time.Now().Unix(), a.logged.Load()
	if now-last < int64(time.Minute/time.Second) || !a.logged.CompareAndSwap(last, now) {
		return
	}
	a.log.ErrorContext(r.Context(), "the address of a client cannot be read: no limit by address applies to it",
		"forwarded_for", fault.Quote(strings.Join(r.Header.Values("X-Forwarded-For"), ", ")))
}
