//go:build pact

package provider_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/dataset"
)

// target is a provider's address and the shop's credentials there.
type target struct {
	url   string // the base URL that the shop would be configured with
	keys  dataset.Credentials
	now   func() time.Time    // the provider's business clock
	hurry func(time.Duration) // moves that clock; nil at a real provider
}

// verifiers has a verifier for each provider of the shop.
var verifiers = map[string]func(*testing.T, target) subject{
	"legacygateway": legacyGateway,
	"newmovie":      newMovie,
	"sms":           smsVendor,
	"wechat":        weChat,
}

// base is the path of a provider below the simulators' address.
var base = map[string]string{"legacygateway": "/gateway", "newmovie": "/newmovie"}

func simulated(t *testing.T, provider string) target {
	t.Helper()
	s := simulators.StartForTest(t)
	return target{
		url:   s.URL() + base[provider],
		keys:  s.Default().Credentials(),
		now:   s.Default().Clock().Now,
		hurry: func(d time.Duration) { s.Default().Clock().Advance(d) },
	}
}

func TestSimulators(t *testing.T) {
	for name, subject := range verifiers {
		t.Run(name, func(t *testing.T) { verify(t, subject(t, simulated(t, name))) })
	}
}

// TestVerifyAtAddress verifies the same pacts against a real address, MARQUEE_VERIFY_PROVIDER at MARQUEE_VERIFY_URL.
// The credentials are the shop's settings (MARQUEE_GATEWAY_APPKEY…), by default those of the demo world. Without
// provider and address, the test verifies simulators that it reaches only by their address, which tests this procedure.
func TestVerifyAtAddress(t *testing.T) {
	name, address := os.Getenv("MARQUEE_VERIFY_PROVIDER"), strings.TrimSuffix(os.Getenv("MARQUEE_VERIFY_URL"), "/")
	if name == "" && address == "" {
		name = "newmovie"
		address = simulated(t, name).url
	}
	require.Contains(t, verifiers, name, "MARQUEE_VERIFY_PROVIDER")
	require.NotEmpty(t, address, "MARQUEE_VERIFY_URL")
	keys := dataset.NewCredentials(1)
	for env, field := range map[string]*string{
		"MARQUEE_GATEWAY_APPKEY": &keys.Gateway.AppKey, "MARQUEE_GATEWAY_SECRET": &keys.Gateway.Secret,
		"MARQUEE_NEWMOVIE_ENT_ID": &keys.NewMovie.EntID, "MARQUEE_NEWMOVIE_APP_SECRET": &keys.NewMovie.AppSecret,
		"MARQUEE_SMS_ACCESS_KEY_ID": &keys.SMS.AccessKeyID, "MARQUEE_SMS_ACCESS_KEY_SECRET": &keys.SMS.AccessKeySecret,
		"MARQUEE_SMS_SIGN_NAME": &keys.SMS.SignName, "MARQUEE_SMS_TEMPLATE_CODE": &keys.SMS.TemplateCode,
		"MARQUEE_WECHAT_APP_ID": &keys.WeChat.AppID, "MARQUEE_WECHAT_APP_SECRET": &keys.WeChat.AppSecret,
		"MARQUEE_WECHAT_MCH_ID": &keys.WeChat.MchID, "MARQUEE_WECHAT_MCH_SERIAL": &keys.WeChat.MchSerial,
		"MARQUEE_WECHAT_MCH_PRIVATE_KEY": &keys.WeChat.MchPrivateKeyPEM,
		"MARQUEE_WECHAT_APIV3_KEY":       &keys.WeChat.APIv3Key,
	} {
		if v := os.Getenv(env); v != "" {
			*field = v
		}
	}
	at := target{url: address, keys: keys, now: time.Now}
	if clock := clockOf(address); clock != nil {
		at.now, at.hurry = clock.now, clock.advance
	}
	verify(t, verifiers[name](t, at))
}

// remoteClock is the business clock of simulators that run elsewhere.
type remoteClock struct{ url string }

// clockOf is the clock of the simulators at a provider's address; nil for a real provider.
func clockOf(address string) *remoteClock {
	u, err := url.Parse(address)
	if err != nil {
		return nil
	}
	c := &remoteClock{u.Scheme + "://" + u.Host + "/sim/v1/clock"}
	if _, err := c.read(http.Get(c.url)); err != nil {
		return nil
	}
	return c
}

func (c *remoteClock) read(resp *http.Response, err error) (time.Time, error) {
	if err != nil {
		return time.Time{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	var state struct{ Now time.Time }
	if err := json.NewDecoder(resp.Body).Decode(&state); err != nil || state.Now.IsZero() {
		return time.Time{}, fmt.Errorf("status %d, not a clock: %w", resp.StatusCode, err)
	}
	return state.Now, nil
}

func (c *remoteClock) now() time.Time {
	now, err := c.read(http.Get(c.url))
	if err != nil {
		fmt.Fprintf(os.Stderr, "read the simulators' clock: %v\n", err)
	}
	return now
}

func (c *remoteClock) advance(by time.Duration) {
	body := fmt.Sprintf(`{"seconds":%d}`, int(by.Seconds())+1)
	if _, err := c.read(http.Post(c.url+"/advance", "application/json", strings.NewReader(body))); err != nil {
		fmt.Fprintf(os.Stderr, "move the simulators' clock: %v\n", err)
	}
}

// orderNo returns an order number that earlier runs have not used.
func orderNo() string { return fmt.Sprintf("PACT%d", time.Now().UnixNano()) }
