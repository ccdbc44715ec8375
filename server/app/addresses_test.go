package app

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Browsers send host names in lower case and in punycode, without the default port.
func TestNormalizeAddresses_AsBrowsersSendThem(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"http://Shop.Example:18386": "http://shop.example:18386",
		"http://shop.example:80":    "http://shop.example",
		"https://SHOP.example:443":  "https://shop.example",
		"https://shop.example:80":   "https://shop.example:80",
		"https://影院.example":        "https://xn--p3ty63j.example",
		"HTTPS://shop.example.":     "https://shop.example",
		"https://[2001:DB8::1]:443": "https://[2001:db8::1]",
		"http://127.0.0.1:8080":     "http://127.0.0.1:8080",
		"https://my_shop.example":   "https://my_shop.example",
	} {
		c := Config{PublicURL: given}
		require.NoError(t, c.normalizeAddresses(), given)
		require.Equal(t, want, c.PublicURL, given)
	}
	for _, given := range []string{
		"https://shop.example/app", "https://shop.example/app/", "https://u:p@shop.example", "https://shop.example?a=1",
		"https://shop.example#a",
	} { // the notify addresses of providers would lead to nothing
		c := Config{PublicURL: given}
		require.ErrorContains(t, c.normalizeAddresses(), "must be https://host", given)
	}
	c := Config{
		PublicURL: "https://shop.example", Hosts: []string{"M.Shop.Example:443", " www.shop.example"},
		TrustedOrigins: []string{"HTTPS://App.Example:443/", "http://App.Example:80", "https://app.example:8443"},
	}
	require.NoError(t, c.normalizeAddresses())
	require.Equal(t, []string{"m.shop.example", "www.shop.example"}, c.Hosts)
	require.Equal(t, []string{"https://app.example", "http://app.example", "https://app.example:8443"}, c.TrustedOrigins)
	for _, host := range []string{"", "a b", "a/b", "u@a", "a:b", "a:0", "a:70000", "-a", "a..b", "a<b"} {
		c := Config{Hosts: []string{host}}
		require.ErrorContains(t, c.normalizeAddresses(), "MARQUEE_HOSTS", host)
	}
}

func TestIsUnverified(t *testing.T) {
	t.Parallel()
	for dsn, want := range map[string]bool{
		"postgres://u:p@db.example/x?sslmode=disable":              true,
		"postgres://u:p@db.example/x?sslmode=allow":                true,
		"postgres://u:p@db.example/x?sslmode=require":              true,
		"postgres://u:p@db.example/x?sslmode=verify-ca":            true,
		"postgres://u:p@db.example/x?sslmode=verify-full":          false,
		"postgres://u:p@db.example/x":                              true, // prefer, the default
		"postgresql://u:p@10.0.0.9:5432/x":                         true,
		"postgres://u:p@db.example/x?sslmode=prefer":               true,
		"postgres://u:p@127.0.0.1/x":                               false,
		"postgres://u:p@a.example,b.example/x?sslmode=require":     true,
		"postgres://u:p@a.example,b.example/x?sslmode=verify-full": false,
		"postgres://u:p@a.example,b.example/x?sslmode=prefer":      true,
		"postgres://u:p@localhost,db.example/x":                    true,
		"postgres:///x?host=db.example":                            true,
		"postgres://u:p@127.0.0.1/x?sslmode=disable":               false,
		"postgres://u:p@[::1]/x?sslmode=disable":                   false,
		"postgres://u:p@localhost/x?sslmode=disable":               false,
		"postgres:///x?host=/run/postgresql&sslmode=disable":       false,
		"postgres://u:p@localhost,db.example/x?sslmode=disable":    true,
	} {
		require.Equal(t, want, isUnverified(dsn), dsn)
	}
}
