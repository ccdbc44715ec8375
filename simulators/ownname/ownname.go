// Package ownname recognizes the host names of this machine, against DNS rebinding: the owner of a web page can make
// the page's name resolve to 127.0.0.1. To a browser, the page then has the same origin as a server on this machine,
// and may call it. Only the Host header of the calls shows the foreign name.
package ownname

import (
	"net"
	"net/netip"
	"slices"
	"strings"
)

// Is reports whether a Host header is an IP address, localhost, a subdomain of it, or one of the names in also. It
// accepts an empty header, which browsers never send.
func Is(host string, also ...string) bool {
	if host == "" { // a browser always sends it
		return true
	}
	name := Of(host)
	_, err := netip.ParseAddr(name) // an IP address does not resolve to another one
	return err == nil || name == "localhost" || strings.HasSuffix(name, ".localhost") || slices.Contains(also, name)
}

// Names are additional names that Is accepts.
type Names []string

// NamesOf returns the names in a list of hosts, such as "sim" or "sim:9090". A host without a name, such as ":9090", is
// left out.
func NamesOf(hosts ...string) Names {
	var names Names
	for _, host := range hosts {
		if name := Of(host); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Is reports whether a Host header is an IP address, localhost, a subdomain of it, or one of the names.
func (n Names) Is(host string) bool { return Is(host, n...) }

// Of returns the name in a host with or without port, normalized for Is: lower case, without brackets.
func Of(host string) string {
	return strings.ToLower(strings.TrimSuffix(strings.Trim(WithoutPort(host), "[]"), "."))
}

// WithoutPort returns a host without its port, otherwise unchanged.
func WithoutPort(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		return name
	}
	return host
}
