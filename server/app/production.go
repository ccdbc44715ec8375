package app

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"marquee/server/account"
	"marquee/server/durations"
	"marquee/server/httpapi/pages"
	"marquee/server/pepper"
	"marquee/server/store"
)

// noProxies is the value of MARQUEE_TRUSTED_PROXIES for a shop whose buyers connect to it directly.
const noProxies = "none"

// checkProduction returns an error, which is one sentence, for each setting that is not allowed in production. It
// returns nil if MARQUEE_ENV is not production.
func (c *Config) checkProduction() error {
	if c.Env != Production {
		return nil
	}
	var errs []error
	report := func(broken bool, format string, args ...any) {
		if broken {
			errs = append(errs, fmt.Errorf("app: "+format+" when MARQUEE_ENV is production", args...))
		}
	}
	report(c.SimulatorURL != "", "MARQUEE_SIMULATOR_URL must be empty, because simulated payments are not real money,")
	public, err := url.Parse(c.PublicURL)
	report(err == nil && public.Host != "" && public.Scheme != "https", "MARQUEE_PUBLIC_URL must be https")
	report(c.Pepper == simulatedPepper, "MARQUEE_PEPPER must not be the public pepper of simulated shops")
	report(c.OldPepper == simulatedPepper, "MARQUEE_PEPPER_PREVIOUS must not be the public pepper of simulated shops")
	cost := c.PasswordCost
	cheap := cost != (account.Cost{}) &&
		(cost.MemoryKiB < account.DefaultCost.MemoryKiB || cost.Passes < account.DefaultCost.Passes)
	report(cheap, "PasswordCost must not be below the default")
	c.reportExposed(report)
	for _, v := range Variables() {
		if address := reflect.ValueOf(*c).FieldByIndex(v.index); v.Provider && address.String() != "" {
			why := notARealProvider(address.String())
			report(why != "", "%s %s", v.Name, why)
		}
	}
	return errors.Join(append(errs, CheckDatabase(c.Env, c.DB))...)
}

// CheckDatabase returns an error with the code db_tls_required if a production shop would connect to a database on
// another machine without verifying its certificate and host name. Otherwise any program that answers at the address
// would get the password and the data. The rule also applies in a private network. A database on this machine, or a
// proxy on it such as that of a service mesh, needs no TLS.
func CheckDatabase(env, db string) error {
	if env == Production && IsPostgres(db) && isUnverified(db) {
		return store.Fail(store.Unverified, nil)
	}
	return nil
}

const (
	// leastLetters is the minimum number of different bytes in a pepper. A random one of 16 bytes almost certainly has
	// more.
	leastLetters = 8
	// The shortest prefixes of the networks of trusted proxies. A wider network would include strangers, who could then
	// choose the client address that the shop sees.
	widestIPv4, widestIPv6 = 8, 16
)

// reportExposed reports settings that let strangers attack the shop: too wide networks and lists, plain http, weak
// peppers.
func (c *Config) reportExposed(report func(broken bool, format string, args ...any)) {
	for _, text := range c.TrustedProxies {
		network, err := netip.ParsePrefix(text)
		widest := widestIPv6
		if network.Addr().Is4() {
			widest = widestIPv4
		}
		report(err == nil && network.Bits() < widest, "MARQUEE_TRUSTED_PROXIES must not have %q, which is too wide,",
			text)
	}
	for _, origin := range c.TrustedOrigins {
		report(strings.HasPrefix(origin, "http://"), "MARQUEE_TRUSTED_ORIGINS must not have %q without https", origin)
	}
	for _, host := range c.PictureHosts {
		_, name, _ := strings.Cut(host, "://")
		report(host == "*" || name == "*" || strings.HasSuffix(host, ":"),
			"MARQUEE_PICTURE_HOSTS must not have %q, which is every host,", host)
	}
	script, err := url.Parse(c.Captcha.Script)
	report(c.Captcha.Script != "" && (err != nil || script.Scheme != "https"), "MARQUEE_CAPTCHA_SCRIPT must be https")
	report(c.Gateway.Window > durations.LongestPushAge,
		"MARQUEE_GATEWAY_WINDOW must be at most %s", durations.LongestPushAge)
	report(len(c.Pepper) >= pepper.MinBytes && differentBytes(c.Pepper) < leastLetters,
		"MARQUEE_PEPPER must be random, with at least %d different characters,", leastLetters)
	report(len(c.OldPepper) >= pepper.MinBytes && differentBytes(c.OldPepper) < leastLetters,
		"MARQUEE_PEPPER_PREVIOUS must be random, with at least %d different characters,", leastLetters)
}

func differentBytes(text string) int {
	different := map[byte]bool{}
	for i := range len(text) {
		different[text[i]] = true
	}
	return len(different)
}

// isUnverified reports whether the connection settings allow a connection to another machine without verifying the
// certificate and the name of the server. This is so for every sslmode except verify-full. Without sslmode, prefer
// applies.
func isUnverified(dsn string) bool {
	cfg, err := pgconn.ParseConfig(dsn)
	if err != nil {
		return false // opening the database reports it
	}
	unverified := func(host string, encryption *tls.Config) bool {
		ip, err := netip.ParseAddr(host)
		here := strings.HasPrefix(host, "/") || strings.HasPrefix(host, "@") || host == "localhost" ||
			err == nil && ip.IsLoopback()
		return !here && (encryption == nil || encryption.InsecureSkipVerify)
	}
	return unverified(cfg.Host, cfg.TLSConfig) ||
		slices.ContainsFunc(cfg.Fallbacks, func(f *pgconn.FallbackConfig) bool {
			return unverified(f.Host, f.TLSConfig)
		})
}

// notARealProvider returns why an address cannot be that of a real provider, or "". A real provider is called over
// https, which encrypts calls and verifies the host. A loopback or private address is that of a simulator.
func notARealProvider(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Host == "" {
		return fmt.Sprintf("%q must be an https address", address)
	}
	host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
	ip, err := netip.ParseAddr(host)
	ip = ip.Unmap()
	private := err == nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsUnspecified() || ip.IsLinkLocalUnicast() ||
		carrierNetwork.Contains(ip))
	if private || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return fmt.Sprintf("%q must not be a loopback or private address, where only a simulator answers,", address)
	}
	return ""
}

// checkNetwork returns an error for each unusable entry in the lists of proxies, origins and picture hosts. It replaces
// the explicit value "none" of the proxies by an empty list.
func (c *Config) checkNetwork() error {
	var errs []error
	if slices.Equal(c.TrustedProxies, []string{noProxies}) {
		c.TrustedProxies = nil
	}
	for _, network := range c.TrustedProxies {
		if _, err := netip.ParsePrefix(network); err != nil {
			errs = append(errs,
				fmt.Errorf("app: MARQUEE_TRUSTED_PROXIES has %q, which is not a network like 10.0.0.0/8",
					network))
		}
	}
	for _, origin := range c.TrustedOrigins {
		if err := http.NewCrossOriginProtection().AddTrustedOrigin(origin); err != nil {
			errs = append(errs, fmt.Errorf("app: MARQUEE_TRUSTED_ORIGINS has %q: %w", origin, err))
		}
	}
	if _, err := pages.SecurityHeaders(c.PictureHosts, pages.AppConfig{}, false); err != nil {
		errs = append(errs, fmt.Errorf("app: MARQUEE_PICTURE_HOSTS: %w", err))
	}
	return errors.Join(errs...)
}
