// Package ownname tells by what names this machine is called. A web page whose name its owner makes lead to 127.0.0.1 is of
// the same origin to a browser, which then lets it call whatever listens there: the Host header alone gives it away.
package ownname

import (
	"net"
	"net/netip"
	"slices"
	"strings"
)

// Is reports whether a Host header is an IP address, localhost, a subdomain of it, or one of also.
func Is(host string, also ...string) bool {
	if host == "" { // no browser leaves it out
		return true
	}
	name := Of(host)
	_, err := netip.ParseAddr(name) // nobody else can make an address lead here
	return err == nil || name == "localhost" || strings.HasSuffix(name, ".localhost") || slices.Contains(also, name)
}

// Of is the name in a host and port, as Is wants it.
func Of(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}
