package app

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/idna"
)

// hostName matches a host name in the form in which browsers send it: lower case, and punycode for other letters.
var hostName = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$`)

// lookup maps host names as browsers do. It allows underscores, which private networks use.
var lookup = idna.New(idna.MapForLookup(), idna.BidiRule(), idna.StrictDomainName(false))

// browserHost returns host[:port] in the form in which browsers send it: lower case, punycode, without the default port
// of the scheme.
func browserHost(scheme, host string) (string, error) {
	if strings.ContainsAny(host, "/@?#\\ ") {
		return "", errors.New("it is not host or host:port")
	}
	u := url.URL{Host: host}
	name, port := strings.TrimSuffix(u.Hostname(), "."), u.Port()
	if ip, err := netip.ParseAddr(name); err == nil {
		name = ip.String()
	} else {
		ascii, err := lookup.ToASCII(name)
		if err != nil || !hostName.MatchString(ascii) {
			return "", errors.New("it is not the name of a host")
		}
		name = ascii
	}
	if n, err := strconv.ParseUint(port, 10, 16); port != "" && (err != nil || n == 0) {
		return "", errors.New("its port is not a number from 1 to 65535")
	}
	if port == "" || scheme == "http" && port == "80" || scheme == "https" && port == "443" {
		if strings.Contains(name, ":") {
			return "[" + name + "]", nil
		}
		return name, nil
	}
	return net.JoinHostPort(name, port), nil
}

// normalizeAddresses rewrites the shop's addresses to the form in which browsers send them, because they are compared
// with what browsers send. It returns an error for each address that no browser can send.
func (c *Config) normalizeAddresses() error {
	var errs []error
	scheme := "http"
	public, err := url.Parse(c.PublicURL)
	// A public URL with port 0 comes from MARQUEE_ADDR; it is left as it is until the listener has chosen the port.
	if err == nil && public.Port() != "0" && (public.Scheme == "http" || public.Scheme == "https") && public.Hostname() != "" {
		scheme = public.Scheme
		host, err := browserHost(scheme, public.Host)
		switch {
		case err != nil:
			errs = append(errs, fmt.Errorf("app: the host of MARQUEE_PUBLIC_URL %q: %w", c.PublicURL, err))
		case public.User != nil || public.Path != "" || public.RawQuery != "" || public.Fragment != "":
			errs = append(errs, fmt.Errorf("app: MARQUEE_PUBLIC_URL %q must be https://host", public.Redacted()))
		default:
			public.Host = host
			c.PublicURL = public.String()
		}
	}
	hosts := make([]string, 0, len(c.Hosts))
	for _, entry := range c.Hosts {
		host, err := browserHost(scheme, strings.TrimSpace(entry))
		if err != nil {
			errs = append(errs, fmt.Errorf("app: MARQUEE_HOSTS has %q: %w", entry, err))
		}
		hosts = append(hosts, host)
	}
	origins := make([]string, 0, len(c.TrustedOrigins))
	for _, entry := range c.TrustedOrigins {
		origin, err := url.Parse(strings.TrimSpace(entry))
		if err == nil && origin.Host != "" {
			origin.Path = strings.TrimSuffix(origin.Path, "/")
			if host, err := browserHost(origin.Scheme, origin.Host); err == nil {
				origin.Host = host
				entry = origin.String()
			} else {
				errs = append(errs, fmt.Errorf("app: MARQUEE_TRUSTED_ORIGINS has %q: %w", entry, err))
			}
		}
		origins = append(origins, entry) // checkNetwork reports it if it is not an origin
	}
	c.Hosts, c.TrustedOrigins = hosts, origins
	return errors.Join(errs...)
}
