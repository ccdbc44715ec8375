package legacygateway_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/order"
	"marquee/server/providers/legacygateway"
)

// pushed returns a signed push of ten in the morning. change edits it before it is signed.
func pushed(change func(url.Values)) url.Values {
	form := url.Values{
		"method": {"ticket.push"}, "appkey": {appKey}, "v": {"2.0"}, "timestamp": {"2026-11-20 10:00:00"},
		"orderno": {"n1"}, "orderid": {"G1"},
		"state": {"ISSUED"}, "ticketcodes": {`[{"name":"取票码","code":"123456"}]`}, "smscontent": {"sms"},
		"failreason": {""},
	}
	if change != nil {
		change(form)
	}
	form.Set("sign", legacygateway.Dialect{}.Sign(form, secret))
	return form
}

func pushClient(t *testing.T) *legacygateway.Client {
	t.Helper()
	return clientOf(t, "http://127.0.0.1:1/gateway")
}

func TestVerifyPush_IssuedAndFailed(t *testing.T) {
	t.Parallel()
	o, err := pushClient(t).VerifyPush(pushed(nil))
	require.NoError(t, err)
	assert.Equal(t, order.ProviderOrder{
		OrderNo: "n1", ProviderNo: "G1", State: order.ProviderIssued, Tickets: []order.TicketCode{{Name: "取票码",
			Code: "123456"}}, SMS: "sms",
	}, o)

	o, err = pushClient(t).VerifyPush(pushed(func(f url.Values) {
		f.Set("state", "FAILED")
		f.Set("ticketcodes", "")
		f.Set("failreason", "影院停业")
	}))
	require.NoError(t, err)
	assert.Equal(t, order.ProviderOrder{OrderNo: "n1", ProviderNo: "G1", State: order.ProviderIssueRejected,
		SMS: "sms", Reason: "影院停业"}, o)
}

// An invalid text of the gateway is repaired and does not fail the push: the signature covers the original.
func TestVerifyPush_RepairsTexts(t *testing.T) {
	t.Parallel()
	o, err := pushClient(t).VerifyPush(pushed(func(f url.Values) {
		f.Set("state", "FAILED")
		f.Set("ticketcodes", `[{"name":"取\u0000票","code":"12`+"\xff"+`34"}]`)
		f.Set("smscontent", "\xd2\xfe")
		f.Set("failreason", "影院\x00停业")
	}))
	require.NoError(t, err)
	assert.Equal(t, order.ProviderOrder{
		OrderNo: "n1", ProviderNo: "G1", State: order.ProviderIssueRejected, SMS: "\uFFFD", Reason: "影院\uFFFD停业",
		Tickets: []order.TicketCode{{Name: "取\uFFFD票", Code: "12\uFFFD34"}},
	}, o)
}

func TestVerifyPush_RejectsWhatIsNotTheGateways(t *testing.T) {
	t.Parallel()
	at := func(d time.Duration) func(url.Values) {
		return func(f url.Values) {
			f.Set("timestamp", time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC).Add(d).Format(time.DateTime))
		}
	}
	for name, form := range map[string]url.Values{
		"11 minutes old":   pushed(at(-11 * time.Minute)),
		"11 minutes early": pushed(at(11 * time.Minute)),
		"no timestamp":     pushed(func(f url.Values) { f.Del("timestamp") }),
		"another appkey":   pushed(func(f url.Values) { f.Set("appkey", "2") }),
		"another version":  pushed(func(f url.Values) { f.Set("v", "1.0") }),
		"tampered":         func() url.Values { f := pushed(nil); f.Set("orderno", "n2"); return f }(),
		"unsigned field":   func() url.Values { f := pushed(nil); f.Set("extra", "1"); return f }(),
		"a second value":   func() url.Values { f := pushed(nil); f.Add("state", "FAILED"); return f }(),
		"no signature":     func() url.Values { f := pushed(nil); f.Del("sign"); return f }(),
		"lower case": func() url.Values {
			f := pushed(nil)
			f.Set("sign", legacygateway.Dialect{LowerCase: true}.Sign(f, secret))
			return f
		}(),
		"another secret": func() url.Values {
			f := pushed(nil)
			f.Set("sign",
				legacygateway.Dialect{}.Sign(f, "x"))
			return f
		}(),
	} {
		_, err := pushClient(t).VerifyPush(form)
		assert.ErrorIs(t, err, legacygateway.ErrPushRejected, name)
	}
	for _, d := range []time.Duration{-10 * time.Minute, 10 * time.Minute} {
		_, err := pushClient(t).VerifyPush(pushed(at(d)))
		assert.NoError(t, err, "the edge of the window is inside")
	}
}

func TestVerifyPush_RejectsWhatItCannotRead(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(url.Values){
		"another method":        func(f url.Values) { f.Set("method", "order.push") },
		"another state":         func(f url.Values) { f.Set("state", "LOCKED") },
		"no order":              func(f url.Values) { f.Del("orderno") },
		"codes not JSON":        func(f url.Values) { f.Set("ticketcodes", "123456") },
		"issued without a code": func(f url.Values) { f.Set("ticketcodes", "[]") },
	} {
		_, err := pushClient(t).VerifyPush(pushed(change))
		assert.ErrorIs(t, err, legacygateway.ErrPushInvalid, name)
	}
}

// The expected digests were computed with openssl.
func TestSign_Dialects(t *testing.T) {
	t.Parallel()
	form := url.Values{"method": {"opi.seat"}, "appkey": {"10000001"}, "opiid": {"o1"}, "empty": {""}, "sign": {"x"}}
	for name, tt := range map[string]struct {
		dialect legacygateway.Dialect
		want    string
	}{
		"md5":             {legacygateway.Dialect{}, "BEBC87A10BF992345059F5E7A86A01E3"},
		"md5, lower case": {legacygateway.Dialect{LowerCase: true}, "bebc87a10bf992345059f5e7a86a01e3"},
		"hmac-md5":        {legacygateway.Dialect{Digest: legacygateway.HMACMD5}, "3639A6025D55F4A1C3793AE3F8BA45DF"},
		"hmac-sha256": {legacygateway.Dialect{Digest: legacygateway.HMACSHA256},
			"948542EF526D73E992E28A8F7F8329258F2033BAA0C7EA1DDE7AC920ECB9CE38"},
	} {
		assert.Equal(t, tt.want, tt.dialect.Sign(form, secret), name)
	}
	_, err := legacygateway.New(legacygateway.Config{BaseURL: "http://x", AppKey: "a", Secret: "b",
		Dialect: legacygateway.Dialect{Digest: "crc"}})
	require.ErrorContains(t, err, "Digest")
}

// VerifyPush accepts only forms that were signed with the secret, and a signature is valid for only one form.
func FuzzVerifyPush(f *testing.F) {
	good := pushed(nil)
	f.Add(good.Encode())
	f.Add("method=ticket.push&state=ISSUED&ticketcodes=[{}]")
	f.Add("a=1&a=2&sign=")
	f.Add(good.Encode() + "&x=")
	c, err := legacygateway.New(legacygateway.Config{
		BaseURL: "http://127.0.0.1:1", AppKey: appKey, Secret: secret, Now: func() time.Time {
			return time.Date(2026,
				11, 20, 2, 0, 0, 0, time.UTC)
		},
	})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, text string) {
		form, err := url.ParseQuery(text)
		if err != nil {
			return
		}
		if _, err := c.VerifyPush(form); err == nil {
			require.Equal(t, (legacygateway.Dialect{}).Sign(form, secret), form.Get("sign"))
			require.Equal(t, good.Get("orderno"), form.Get("orderno"), "only the gateway can sign another order")
		}
		form.Set("appkey", appKey)
		form.Set("sign", legacygateway.Dialect{}.Sign(form, secret+"x"))
		_, err = c.VerifyPush(form)
		require.Error(t, err)
	})
}
