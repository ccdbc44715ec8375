package app_test

import (
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/app"
	"marquee/server/httpapi"
	"marquee/simulators"
)

// realEnvironment is the environment of a production shop with real providers.
func realEnvironment(t *testing.T) map[string]string {
	t.Helper()
	sims := simulators.StartForTest(t)
	v := sims.Default().ShopEnvironment() // credentials have the formats of the vendors
	delete(v, "MARQUEE_SIMULATOR_URL")
	maps.Copy(v, map[string]string{
		"MARQUEE_ENV": "production", "MARQUEE_PUBLIC_URL": "https://shop.example",
		"MARQUEE_PEPPER":      "sixteen bytes or more",
		"MARQUEE_GATEWAY_URL": "https://gateway.example/gateway", "MARQUEE_NEWMOVIE_URL": "https://newmovie.example",
		"MARQUEE_DB": filepath.Join(t.TempDir(), "shop.db"), "MARQUEE_TRUSTED_PROXIES": "10.0.0.0/8",
		"MARQUEE_PICTURE_HOSTS": "https://img.example",
	})
	return v
}

// startShop makes a shop from the variables, closes it, and returns the error of New.
func startShop(t *testing.T, variables map[string]string) error {
	t.Helper()
	cfg, err := app.FromEnvironment(variables)
	if err != nil {
		return err
	}
	cfg.Logger = slog.New(slog.DiscardHandler)
	shop, err := app.New(t.Context(), cfg)
	if err == nil {
		require.NoError(t, shop.Close())
	}
	return err
}

func TestConfig_AProductionShopStarts(t *testing.T) {
	t.Parallel()
	require.NoError(t, startShop(t, realEnvironment(t)))
}

func TestConfig_AMistypedEnvironmentIsAnError(t *testing.T) {
	t.Parallel()
	v := realEnvironment(t)
	for _, mistyped := range []string{"prod", "Production", " production"} {
		v["MARQUEE_ENV"] = mistyped
		require.ErrorContains(t, startShop(t, v), "MARQUEE_ENV", mistyped)
	}
}

func TestConfig_EachMissingSecretIsNamed(t *testing.T) {
	t.Parallel()
	complete := realEnvironment(t)
	optional := map[string]bool{"MARQUEE_ENV": true, "MARQUEE_DB": true}
	for name := range complete {
		if optional[name] || strings.HasPrefix(name, "MARQUEE_LINK_") ||
			strings.HasPrefix(name, "MARQUEE_SMS_TEMPLATE_NEW_") {
			continue
		}
		v := maps.Clone(complete)
		delete(v, name)
		require.ErrorContains(t, startShop(t, v), name)
	}
}

func TestConfig_WhatAProductionShopRejects(t *testing.T) {
	t.Parallel()
	complete := realEnvironment(t)
	for name, c := range map[string]struct{ variable, value, want string }{
		"simulated providers":        {"MARQUEE_SIMULATOR_URL", "http://127.0.0.1:9090", "MARQUEE_SIMULATOR_URL"},
		"a plain http provider":      {"MARQUEE_GATEWAY_URL", "http://gateway.example/gateway", "MARQUEE_GATEWAY_URL"},
		"a provider on this machine": {"MARQUEE_GATEWAY_URL", "https://127.0.0.1:9090/gateway", "MARQUEE_GATEWAY_URL"},
		"a provider on localhost": {"MARQUEE_NEWMOVIE_URL", "https://sim.LOCALHOST./newmovie",
			"MARQUEE_NEWMOVIE_URL"},
		"a provider on no address":    {"MARQUEE_NEWMOVIE_URL", "https://[::]:9090/newmovie", "MARQUEE_NEWMOVIE_URL"},
		"a provider in a private net": {"MARQUEE_NEWMOVIE_URL", "https://10.0.0.7/newmovie", "MARQUEE_NEWMOVIE_URL"},
		"a mapped private address":    {"MARQUEE_NEWMOVIE_URL", "https://[::ffff:10.0.0.7]/", "MARQUEE_NEWMOVIE_URL"},
		"none and a proxy":            {"MARQUEE_TRUSTED_PROXIES", "none,10.0.0.0/8", `"none"`},
		"plain HTTP":                  {"MARQUEE_PUBLIC_URL", "http://shop.example", "MARQUEE_PUBLIC_URL"},
		"no address":                  {"MARQUEE_PUBLIC_URL", "shop.example", "MARQUEE_PUBLIC_URL"},
		"a short pepper":              {"MARQUEE_PEPPER", "short", "MARQUEE_PEPPER"},
		"the simulated pepper":        {"MARQUEE_PEPPER", "marquee: providers are simulated", "MARQUEE_PEPPER"},
		"a short second pepper":       {"MARQUEE_PEPPER_PREVIOUS", "short", "MARQUEE_PEPPER_PREVIOUS must have"},
		"the same pepper twice": {
			"MARQUEE_PEPPER_PREVIOUS", "sixteen bytes or more", "MARQUEE_PEPPER_PREVIOUS must differ",
		},
		"the simulated pepper as the second": {
			"MARQUEE_PEPPER_PREVIOUS", "marquee: providers are simulated", "MARQUEE_PEPPER_PREVIOUS must not be",
		},
		"a key file not there": {"MARQUEE_WECHAT_MCH_PRIVATE_KEY", "/no/such/key.pem",
			"MARQUEE_WECHAT_MCH_PRIVATE_KEY"},
		"every proxy":              {"MARQUEE_TRUSTED_PROXIES", "10.0.0.0/8,0.0.0.0/0", "0.0.0.0/0"},
		"half of all proxies":      {"MARQUEE_TRUSTED_PROXIES", "128.0.0.0/1", "128.0.0.0/1"},
		"every IPv6 proxy":         {"MARQUEE_TRUSTED_PROXIES", "::/0", "::/0"},
		"an unverified database":   {"MARQUEE_DB", "postgres://u:p@db.example/x?sslmode=require", "db_tls_required"},
		"a plain script":           {"MARQUEE_CAPTCHA_SCRIPT", "http://captcha.example/x.js", "MARQUEE_CAPTCHA_SCRIPT"},
		"every picture host":       {"MARQUEE_PICTURE_HOSTS", "https://img.example,*", "MARQUEE_PICTURE_HOSTS"},
		"every https picture host": {"MARQUEE_PICTURE_HOSTS", "https://*", "MARQUEE_PICTURE_HOSTS"},
		"a pepper of one letter":   {"MARQUEE_PEPPER", "aaaaaaaaaaaaaaaaaaaaaaaa", "MARQUEE_PEPPER"},
		"a pepper of two letters":  {"MARQUEE_PEPPER_PREVIOUS", "abababababababab", "MARQUEE_PEPPER_PREVIOUS"},
		"a window of a day":        {"MARQUEE_GATEWAY_WINDOW", "24h", "MARQUEE_GATEWAY_WINDOW"},
		"a plain origin":           {"MARQUEE_TRUSTED_ORIGINS", "http://evil.example", "MARQUEE_TRUSTED_ORIGINS"},
		"a link that is a script":  {"MARQUEE_LINK_SERVICE", "javascript:alert(1)", "MARQUEE_LINK_SERVICE"},
		"a host with a path":       {"MARQUEE_HOSTS", "shop.example/x", "MARQUEE_HOSTS"},
		"a host that is none":      {"MARQUEE_HOSTS", "shop..example", "MARQUEE_HOSTS"},
		"a port that is none":      {"MARQUEE_PUBLIC_URL", "https://shop.example:99999", "MARQUEE_PUBLIC_URL"},
		"an address with a query":  {"MARQUEE_PUBLIC_URL", "https://shop.example/?a=b", "MARQUEE_PUBLIC_URL"},
		"a proxy not a network":    {"MARQUEE_TRUSTED_PROXIES", "everyone", "everyone"},
		"a picture host with more": {"MARQUEE_PICTURE_HOSTS", "https://cdn.example; script-src *", "script-src"},
		"an origin not a URL":      {"MARQUEE_TRUSTED_ORIGINS", "evil", "evil"},
	} {
		v := maps.Clone(complete)
		v[c.variable] = c.value
		require.ErrorContains(t, startShop(t, v), c.want, name)
	}
}

func TestConfig_ProviderAddressesHaveEveryCalledProvider(t *testing.T) {
	t.Parallel()
	cfg, err := app.FromEnvironment(realEnvironment(t))
	require.NoError(t, err)
	cfg.Captcha.AppID = 0
	want := map[string]string{
		"gateway": "https://gateway.example/gateway", "newmovie": "https://newmovie.example",
		"sms":            "https://dysmsapi.aliyuncs.com",
		"wechat_account": "https://api.weixin.qq.com", "wechat_pay": "https://api.mch.weixin.qq.com",
	}
	require.Equal(t, want, cfg.ProviderAddresses())
	cfg.Captcha.AppID = 1
	want["captcha"] = "https://captcha.tencentcloudapi.com"
	require.Equal(t, want, cfg.ProviderAddresses())
	cfg.SimulatorURL = "http://127.0.0.1:9090"
	require.Equal(t, map[string]string{"simulators": "http://127.0.0.1:9090"}, cfg.ProviderAddresses())
}

func TestConfig_TheGatewaysDialectHasVariables(t *testing.T) {
	t.Parallel()
	v := realEnvironment(t)
	v["MARQUEE_GATEWAY_DIGEST"], v["MARQUEE_GATEWAY_LOWERCASE"], v["MARQUEE_GATEWAY_WINDOW"] = "hmac-sha256", "true",
		"5m"
	cfg, err := app.FromEnvironment(v)
	require.NoError(t, err)
	require.Equal(t, "hmac-sha256", cfg.Gateway.Digest)
	require.True(t, cfg.Gateway.LowerCase)
	require.Equal(t, 5*time.Minute, cfg.Gateway.Window)
	require.NoError(t, startShop(t, v))
	for name, bad := range map[string][2]string{
		"digest": {"MARQUEE_GATEWAY_DIGEST", "sha1"}, "case": {"MARQUEE_GATEWAY_LOWERCASE",
			"perhaps"}, "window": {"MARQUEE_GATEWAY_WINDOW", "-1m"},
	} {
		v := maps.Clone(v)
		v[bad[0]] = bad[1]
		require.ErrorContains(t, startShop(t, v), "MARQUEE_GATEWAY_", name)
	}
}

func TestConfig_RatesOfANetworkHaveVariables(t *testing.T) {
	t.Parallel()
	v := realEnvironment(t)
	v["MARQUEE_RATE_CALLS"], v["MARQUEE_RATE_READS"], v["MARQUEE_RATE_NOTIFIES"] = "5", "-1", "7"
	v["MARQUEE_RATE_LOGINS"] = "2"
	cfg, err := app.FromEnvironment(v)
	require.NoError(t, err)
	require.Equal(t, app.Rates{Calls: 5, Logins: 2, Reads: -1, Notifies: 7}, cfg.Rates)
	cfg.Logger = slog.New(slog.DiscardHandler)
	shop, err := app.New(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, shop.Close()) })
	rejected := 0
	for range 8 {
		w := httptest.NewRecorder()
		shop.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/index", nil))
		if w.Code == http.StatusTooManyRequests {
			rejected++
		}
	}
	require.Equal(t, 3, rejected)

	for name, bad := range map[string]struct{ variable, value, want string }{
		"negative":               {"MARQUEE_RATE_READS", "-2", "MARQUEE_RATE_"},
		"not a number":           {"MARQUEE_RATE_CALLS", "many", "MARQUEE_RATE_CALLS is invalid"},
		"calls below logins":     {"MARQUEE_RATE_CALLS", "1", "MARQUEE_RATE_CALLS is below"},
		"no limit of the logins": {"MARQUEE_RATE_LOGINS", "-1", "MARQUEE_RATE_LOGINS must limit"},
	} {
		v := maps.Clone(v)
		v["MARQUEE_ENV"] = app.Production
		v[bad.variable] = bad.value
		require.ErrorContains(t, startShop(t, v), bad.want, name)
	}
}

// The descriptions of the variables have the values of httpapi.DefaultRates.
func TestConfig_RatesAreDescribedWithTheirDefaults(t *testing.T) {
	t.Parallel()
	for _, v := range app.Variables() {
		want, ok := map[string]int{
			"MARQUEE_RATE_CALLS": httpapi.DefaultRates.Calls, "MARQUEE_RATE_LOGINS": httpapi.DefaultRates.Logins,
			"MARQUEE_RATE_READS": httpapi.DefaultRates.Reads, "MARQUEE_RATE_NOTIFIES": httpapi.DefaultRates.Notifies,
		}[v.Name]
		if ok {
			require.Contains(t, v.Help, fmt.Sprint("empty: ", want))
		}
	}
}

func TestConfig_EveryProblemIsReportedAtOnce(t *testing.T) {
	t.Parallel()
	v := realEnvironment(t)
	v["MARQUEE_GATEWAY_LOWERCASE"], v["MARQUEE_GATEWAY_WINDOW"] = "perhaps", "soon"
	err := startShop(t, v)
	require.ErrorContains(t, err, "MARQUEE_GATEWAY_LOWERCASE is invalid")
	require.ErrorContains(t, err, "MARQUEE_GATEWAY_WINDOW is invalid")

	v = realEnvironment(t)
	delete(v, "MARQUEE_GATEWAY_URL")
	v["MARQUEE_SMS_SIGN_NAME"], v["MARQUEE_PUBLIC_URL"] = "", "shop.example"
	key := "a key without its armour"
	v["MARQUEE_WECHAT_MCH_PRIVATE_KEY"] = key
	err = startShop(t, v)
	for _, name := range []string{"MARQUEE_GATEWAY_URL", "MARQUEE_SMS_SIGN_NAME", "MARQUEE_PUBLIC_URL",
		"MARQUEE_WECHAT_MCH_PRIVATE_KEY"} {
		require.ErrorContains(t, err, name)
	}
	require.NotContains(t, err.Error(), key, "an error must not print a secret")
}

func TestConfig_AProductionShopNamesEveryProblemInOneSentence(t *testing.T) {
	t.Parallel()
	v := realEnvironment(t)
	delete(v, "MARQUEE_TRUSTED_PROXIES")
	delete(v, "MARQUEE_PICTURE_HOSTS")
	v["MARQUEE_SIMULATOR_URL"] = "http://127.0.0.1:9090"
	v["MARQUEE_GATEWAY_URL"], v["MARQUEE_NEWMOVIE_URL"] = "http://127.0.0.1:9090/gateway", "https://localhost/newmovie"
	v["MARQUEE_TRUSTED_ORIGINS"], v["MARQUEE_ADMIN_ADDR"] = "evil", ":8081"
	err := startShop(t, v)
	require.Error(t, err)
	sentences := strings.Split(err.Error(), "\n")
	for _, name := range []string{
		"MARQUEE_TRUSTED_PROXIES is required", "MARQUEE_PICTURE_HOSTS is required",
		"MARQUEE_SIMULATOR_URL must be empty",
		"MARQUEE_GATEWAY_URL", "MARQUEE_NEWMOVIE_URL", "MARQUEE_TRUSTED_ORIGINS", "MARQUEE_ADMIN_ADDR",
	} {
		about := 0
		for _, sentence := range sentences {
			about += strings.Count(sentence, name)
		}
		require.Equal(t, 1, about, "%s in %q", name, sentences)
	}
	require.Len(t, sentences, 7)
}

// Behind a trusted proxy, each buyer is limited by the address in the header X-Forwarded-For. Without a trusted proxy,
// the header is ignored.
func TestConfig_TrustedProxiesDecideWhoseAddressIsLimited(t *testing.T) {
	t.Parallel()
	for proxies, limited := range map[string]int{"127.0.0.0/8": 0, "none": 40} {
		v := realEnvironment(t)
		v["MARQUEE_TRUSTED_PROXIES"], v["MARQUEE_RATE_LOGINS"] = proxies, "60"
		cfg, err := app.FromEnvironment(v)
		require.NoError(t, err)
		cfg.Logger = slog.New(slog.DiscardHandler)
		shop, err := app.New(t.Context(), cfg)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, shop.Close()) })
		rejected := 0
		for i := range 100 {
			form := url.Values{"channel_no": {v["MARQUEE_CHANNEL_NO"]}, "code": {"x"}, "state": {"y"}}
			r := httptest.NewRequest(http.MethodPost, "/Login/getopenid", strings.NewReader(form.Encode()))
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			r.Header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))
			r.RemoteAddr = "127.0.0.1:4000"
			w := httptest.NewRecorder()
			shop.Handler().ServeHTTP(w, r)
			if strings.Contains(w.Body.String(), "rate_limited") {
				rejected++
			}
		}
		require.Equal(t, limited, rejected, "of 100 buyers behind proxies %q", proxies)
		w := httptest.NewRecorder()
		shop.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		require.Contains(t, w.Header().Get("Content-Security-Policy"), "https://img.example")
	}
}

func TestConfig_CheapPasswordHashesAreForMeasuringOnly(t *testing.T) {
	t.Parallel()
	cfg, err := app.FromEnvironment(realEnvironment(t))
	require.NoError(t, err)
	cfg.Logger, cfg.PasswordCost = slog.New(slog.DiscardHandler), account.Cost{MemoryKiB: 8, Passes: 1}
	_, err = app.New(t.Context(), cfg)
	require.ErrorContains(t, err, "PasswordCost")
}

func TestConfig_ASimulatedShopLogsAWarning(t *testing.T) {
	t.Parallel()
	sims := simulators.StartForTest(t)
	cfg, err := app.FromEnvironment(sims.Default().ShopEnvironment())
	require.NoError(t, err)
	var log strings.Builder
	cfg.Logger = slog.New(slog.NewTextHandler(&log, nil))
	cfg.DB, cfg.PublicURL = filepath.Join(t.TempDir(), "shop.db"), "http://127.0.0.1:8080"
	shop, err := app.New(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, shop.Close()) })
	require.Contains(t, log.String(), "PROVIDERS ARE SIMULATED")
	w := httptest.NewRecorder()
	shop.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/healthz", nil))
	require.Contains(t, w.Body.String(), `"simulated":true`)
	require.Contains(t, w.Header().Get("Content-Security-Policy"), sims.URL())
}

func TestConfig_TheAdminAddressIsPrivate(t *testing.T) {
	t.Parallel()
	v := realEnvironment(t)
	for _, addr := range []string{"none", "127.0.0.1:8081", "[::1]:8081", "localhost:8081", "10.1.2.3:8081",
		"100.64.0.7:9"} {
		v["MARQUEE_ADMIN_ADDR"] = addr
		require.NoError(t, startShop(t, v), addr)
	}
	for _, addr := range []string{":8081", "0.0.0.0:8081", "[::]:8081", "203.0.113.7:8081", "shop.example:8081",
		"8081"} {
		v["MARQUEE_ADMIN_ADDR"] = addr
		require.ErrorContains(t, startShop(t, v), "MARQUEE_ADMIN_ADDR", addr)
	}
}
