package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
)

// newCaptchaShop returns a shop with a captcha.
func newCaptchaShop(t *testing.T) *testShop {
	return &testShop{harness.New(t, harness.Options{Configure: func(cfg *app.Config) {
		cfg.Captcha = app.Captcha{
			AppID: 190000001, AppSecretKey: "app secret", SecretID: "id", SecretKey: "key",
			Script: "https://turing.captcha.qcloud.com/TJCaptcha.js",
		}
	}})}
}

// No simulator serves the captcha vendor: a ticket cannot be checked here, and a code is sent then.
func TestCaptcha_StrangersAreAskedAndKnownDevicesAreNot(t *testing.T) {
	t.Parallel()
	h := newCaptchaShop(t)
	b := h.newBuyer("13811115001")
	requireFault(t, b.call("/Login/sendcode", params{"phone": b.phone}), "challenge_required")
	require.Nil(t, b.call("/Login/sendcode", params{"phone": b.phone, "ticket": "t03", "randstr": "@r"}).Error)
	code := b.Code(b.phone)
	require.Nil(t, b.call("/Login/phoneLogin", params{"phone": b.phone, "code": code}).Error)
	b.AdvanceClock(time.Minute)
	require.Nil(t, b.call("/Login/sendcode", params{"phone": b.phone}).Error, "the device is known")
	requireFault(t, b.call("/Login/sendcode", params{"phone": "13811115002"}), "challenge_required")
}

// A session does not spare the challenge before a code to another phone, which is a stranger's.
func TestCaptcha_APhoneCanBeChanged(t *testing.T) {
	t.Parallel()
	b := newCaptchaShop(t).newBuyer("13811115003")
	const next = "13811115004"
	answer := func(phone string) params { return params{"phone": phone, "ticket": "t03", "randstr": "@r"} }
	require.Nil(t, b.call("/Login/sendcode", answer(b.phone)).Error)
	b.token = dataOf[struct{ Token string }](t,
		b.call("/Login/phoneLogin", params{"phone": b.phone, "code": b.Code(b.phone)})).Token
	requireFault(t, b.call("/Member/newphonecode", params{"phone": next}), "challenge_required")
	dataOf[any](t, b.call("/Member/newphonecode", answer(next)))
	dataOf[any](t, b.call("/Member/changephone", params{
		"phone": next, "newcode": b.Code(next), "code": b.ownCode("safety"),
	}))
}

func TestCaptcha_AnIncompleteConfigurationIsNamed(t *testing.T) {
	t.Parallel()
	v := realEnvironment(t)
	v["MARQUEE_CAPTCHA_APP_ID"] = "190000001"
	require.ErrorContains(t, startShop(t, v), "MARQUEE_CAPTCHA_*")
}
