package app_test

import (
	"crypto"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/simulators/wechat"
)

// signWith changes what the simulated payment provider signs with from now on.
func (h *testShop) signWith(keys string) {
	h.T.Helper()
	req, err := http.NewRequestWithContext(h.T.Context(), http.MethodPatch, h.Sims.URL()+"/sim/v1/wechat/merchant",
		strings.NewReader(`{"signs_with":"`+keys+`"}`))
	require.NoError(h.T, err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := h.HTTP.Do(req)
	require.NoError(h.T, err)
	require.NoError(h.T, resp.Body.Close())
	require.Equal(h.T, http.StatusOK, resp.StatusCode)
}

// The configurations of a shop for the vendor's three kinds of merchants.
var (
	certificatesOnly = func(c *app.WeChat) { c.PublicKey, c.PublicKeyID = "", "" }
	publicKeyOnly    = func(c *app.WeChat) { c.PublicKeyOnly = true }
	bothKeys         = func(*app.WeChat) {} // what the simulators' environment configures
)

// newShopWithKeys starts a shop with a configuration of the messaging app, and a buyer who can pay there.
func newShopWithKeys(t *testing.T, configure func(*app.WeChat)) *buyer {
	t.Helper()
	h := &testShop{harness.New(t, harness.Options{Configure: func(cfg *app.Config) {
		cfg.CallLimit = 2 * time.Second
		configure(&cfg.WeChat)
	}})}
	b := h.newBuyer("13811110071").loginInApp()
	return b
}

func TestWeChatKeys_CompletePurchases(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		configure func(*app.WeChat)
		signWith  []string // one purchase each
	}{
		"only certificates": {certificatesOnly, []string{wechat.Certificates}},
		"only a public key": {publicKeyOnly, []string{wechat.PublicKey, wechat.PublicKey}},
		"both":              {bothKeys, []string{wechat.Certificates, wechat.Moving, wechat.Moving, wechat.PublicKey}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newShopWithKeys(t, c.configure)
			for _, keys := range c.signWith {
				b.signWith(keys)
				no := sources[0].lock(b, 0)
				b.PayInApp(b.prepay(no, "", ""), "pay")
				b.waitForStatus(no, sources[0].issued)
			}
			require.Empty(t, rejectedNotifies(b), "every notify is accepted at once")
			if name == "only a public key" {
				require.Empty(t, b.Calls("wechat", "certificates"))
			}
		})
	}
}

// The provider changes its keys after the payment was announced: the notify and the shop's own query are signed with
// others than the answer to the announcement was.
func TestWeChatKeys_ChangeBetweenPrepayAndNotify(t *testing.T) {
	t.Parallel()
	b := newShopWithKeys(t, bothKeys)
	modes := []string{wechat.Certificates, wechat.Moving, wechat.PublicKey}
	for _, before := range modes {
		for _, after := range modes {
			b.signWith(before)
			no := sources[0].lock(b, 0)
			prepay := b.prepay(no, "", "")
			b.signWith(after)
			b.PayInApp(prepay, "pay")
			b.waitForStatus(no, sources[0].issued)
		}
	}
	b.signWith(wechat.Certificates)
	no := sources[0].lock(b, 0)
	prepay := b.prepay(no, "", "")
	b.signWith(wechat.PublicKey)
	b.PlanFault("wechat", "notify", "notify-drop")
	b.PayInApp(prepay, "pay")
	b.call("/movie/route/Movie/pay_success", params{"order_no": no})
	b.waitForStatus(no, sources[0].issued)
}

// rejectedNotifies lists the attempts of payment notifies that the shop did not accept.
func rejectedNotifies(b *buyer) (list []string) {
	for _, e := range b.Calls("wechat", "notify") {
		if e.Verdict == "failed" {
			list = append(list, e.Reason)
		}
	}
	return list
}

func TestConfig_WrongCombinationsOfTheMessagingAppsKeys(t *testing.T) {
	t.Parallel()
	merchantKey := realEnvironment(t)["MARQUEE_WECHAT_MCH_PRIVATE_KEY"]
	for want, change := range map[string]map[string]string{
		"MARQUEE_WECHAT_PUBLIC_KEY is set without MARQUEE_WECHAT_PUBLIC_KEY_ID": {"MARQUEE_WECHAT_PUBLIC_KEY_ID": ""},
		"MARQUEE_WECHAT_PUBLIC_KEY_ID is set without MARQUEE_WECHAT_PUBLIC_KEY": {"MARQUEE_WECHAT_PUBLIC_KEY": ""},
		"MARQUEE_WECHAT_PUBLIC_KEY_ID must start with PUB_KEY_ID_":              {"MARQUEE_WECHAT_PUBLIC_KEY_ID": "5157F0"},
		"MARQUEE_WECHAT_PUBLIC_KEY is a PRIVATE KEY":                            {"MARQUEE_WECHAT_PUBLIC_KEY": merchantKey},
		"MARQUEE_WECHAT_PUBLIC_KEY is neither PEM nor the path":                 {"MARQUEE_WECHAT_PUBLIC_KEY": "/no/pub_key.pem"},
		"MARQUEE_WECHAT_PUBLIC_KEY is not an RSA public key": {
			"MARQUEE_WECHAT_PUBLIC_KEY": "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n"},
		"MARQUEE_WECHAT_PUBLIC_KEY is the merchant's own key": {"MARQUEE_WECHAT_PUBLIC_KEY": publicHalf(t,
			merchantKey)},
		"MARQUEE_WECHAT_PUBLIC_KEY_ONLY is true without MARQUEE_WECHAT_PUBLIC_KEY": {
			"MARQUEE_WECHAT_PUBLIC_KEY": "", "MARQUEE_WECHAT_PUBLIC_KEY_ID": "",
			"MARQUEE_WECHAT_PUBLIC_KEY_ONLY": "true"},
		"MARQUEE_WECHAT_PUBLIC_KEY_ONLY is invalid": {"MARQUEE_WECHAT_PUBLIC_KEY_ONLY": "perhaps"},
	} {
		v := realEnvironment(t)
		for name, value := range change {
			v[name] = value
		}
		require.ErrorContains(t, startShop(t, v), want)
	}
	for _, change := range []map[string]string{
		{"MARQUEE_WECHAT_PUBLIC_KEY": "", "MARQUEE_WECHAT_PUBLIC_KEY_ID": ""},
		{"MARQUEE_WECHAT_PUBLIC_KEY_ONLY": "true"},
	} {
		v := realEnvironment(t)
		for name, value := range change {
			v[name] = value
		}
		require.NoError(t, startShop(t, v))
	}
}

func TestConfig_ThePublicKeyMayBeAFile(t *testing.T) {
	t.Parallel()
	v := realEnvironment(t)
	v["MARQUEE_WECHAT_PUBLIC_KEY"] = writeFile(t, "pub_key.pem", v["MARQUEE_WECHAT_PUBLIC_KEY"])
	require.NoError(t, startShop(t, v))
}

// publicHalf returns the public key of a private key, both as PEM.
func publicHalf(t *testing.T, privatePEM string) string {
	t.Helper()
	block, _ := pem.Decode([]byte(privatePEM))
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	require.NoError(t, err)
	der, err := x509.MarshalPKIXPublicKey(key.(crypto.Signer).Public())
	require.NoError(t, err)
	return string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
}

// writeFile writes a file into a folder of the test and returns its path.
func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}
