package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
)

// No simulator serves the captcha vendor: a ticket cannot be checked here, and a code is sent then.
func TestCaptcha_StrangersAreAskedAndKnownDevicesAreNot(t *testing.T) {
	t.Parallel()
	h := &testShop{harness.New(t, harness.Options{Configure: func(cfg *app.Config) {
		cfg.Captcha = app.Captcha{
			AppID: 190000001, AppSecretKey: "app secret", SecretID: "id", SecretKey: "key",
			Script: "https://turing.captcha.qcloud.com/TJCaptcha.js",
		}
	}})}
	b := h.newBuyer("13811115001")
	requireFault(t, b.call("/Login/sendcode", params{"phone": b.phone}), "challenge_required")
	require.Nil(t, b.call("/Login/sendcode", params{"phone": b.phone, "ticket": "t03", "randstr": "@r"}).Error)
	code := b.Code(b.phone)
	require.Nil(t, b.call("/Login/phoneLogin", params{"phone": b.phone, "code": code}).Error)
	b.AdvanceClock(time.Minute)
	require.Nil(t, b.call("/Login/sendcode", params{"phone": b.phone}).Error, "the device is known")
	requireFault(t, b.call("/Login/sendcode", params{"phone": "13811115002"}), "challenge_required")
}

func TestCaptcha_AnIncompleteConfigurationIsNamed(t *testing.T) {
	t.Parallel()
	v := realEnvironment(t)
	v["MARQUEE_CAPTCHA_APP_ID"] = "190000001"
	require.ErrorContains(t, startShop(t, v), "MARQUEE_CAPTCHA_*")
}
