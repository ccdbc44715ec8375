package app_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
)

// newCaptchaShop returns a shop with a captcha.
func newCaptchaShop(t *testing.T) *testShop {
	return &testShop{harness.New(t, harness.Options{Captcha: true})}
}

var (
	challengeID = regexp.MustCompile(`data-id="(\w+)"`)
	askedWord   = regexp.MustCompile(`<b>(.)</b>`)
)

// passChallenge solves a challenge of the simulated vendor, and returns the fields of its answer with the phone.
func (h *testShop) passChallenge(phone string) params {
	h.T.Helper()
	at := h.Sims.URL() + "/captcha"
	page, err := h.HTTP.Get(at + "/challenge")
	require.NoError(h.T, err)
	defer page.Body.Close()
	text, err := io.ReadAll(page.Body)
	require.NoError(h.T, err)
	solved, err := h.HTTP.PostForm(at+"/solve", url.Values{
		"id":   {challengeID.FindStringSubmatch(string(text))[1]},
		"word": {askedWord.FindStringSubmatch(string(text))[1]},
	})
	require.NoError(h.T, err)
	defer solved.Body.Close()
	var answer struct{ Ticket, Randstr string }
	require.NoError(h.T, json.NewDecoder(solved.Body).Decode(&answer))
	require.NotEmpty(h.T, answer.Ticket)
	return params{"phone": phone, "ticket": answer.Ticket, "randstr": answer.Randstr}
}

// A ticket is valid once, a page cannot make one, and an outage of the vendor does not block codes.
func TestCaptcha_TheVendorDecides(t *testing.T) {
	t.Parallel()
	h := newCaptchaShop(t)
	ask := func(p params) harness.Answer { return h.newBuyer(p["phone"]).call("/Login/sendcode", p) }
	const outage = "terror_1001_190000001_1700000000"
	requireFault(t, ask(params{"phone": "13811115011", "ticket": outage, "randstr": "@terror"}), "challenge_failed")
	passed := h.passChallenge("13811115011")
	require.Nil(t, ask(passed).Error)
	passed["phone"] = "13811115012"
	requireFault(t, ask(passed), "challenge_failed")
	h.PlanFault("captcha", "check", "refuse-ticket")
	requireFault(t, ask(h.passChallenge("13811115013")), "challenge_failed")
	for i, do := range []string{"system-error", "error", "reset", "malformed", "html"} {
		h.PlanFault("captcha", "check", do)
		phone := fmt.Sprint("1381111502", i)
		require.Nil(t, ask(params{"phone": phone, "ticket": outage, "randstr": "@terror"}).Error, do)
		require.NotEmpty(t, h.Code(phone))
	}
}

func TestCaptcha_StrangersAreAskedAndKnownDevicesAreNot(t *testing.T) {
	t.Parallel()
	h := newCaptchaShop(t)
	b := h.newBuyer("13811115001")
	requireFault(t, b.call("/Login/sendcode", params{"phone": b.phone}), "challenge_required")
	require.Nil(t, b.call("/Login/sendcode", h.passChallenge(b.phone)).Error)
	code := b.Code(b.phone)
	require.Nil(t, b.call("/Login/phoneLogin", params{"phone": b.phone, "code": code}).Error)
	b.AdvanceClock(time.Minute)
	require.Nil(t, b.call("/Login/sendcode", params{"phone": b.phone}).Error, "the device is known")
	requireFault(t, b.call("/Login/sendcode", params{"phone": "13811115002"}), "challenge_required")
}

// A session does not replace the challenge before a code to another phone, which may be a stranger's.
func TestCaptcha_APhoneCanBeChanged(t *testing.T) {
	t.Parallel()
	h := newCaptchaShop(t)
	b := h.newBuyer("13811115003")
	const next = "13811115004"
	require.Nil(t, b.call("/Login/sendcode", h.passChallenge(b.phone)).Error)
	b.token = dataOf[struct{ Token string }](t,
		b.call("/Login/phoneLogin", params{"phone": b.phone, "code": b.Code(b.phone)})).Token
	requireFault(t, b.call("/Member/newphonecode", params{"phone": next}), "challenge_required")
	dataOf[any](t, b.call("/Member/newphonecode", h.passChallenge(next)))
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
