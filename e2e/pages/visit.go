// Package pages operates the shop as a buyer does: one struct for a screen, one method for something that a buyer wants
// to do there. Elements are found by their accessible names, not by the structure of the page. A step that does not
// succeed within phone.Patience ends the test. Methods need no t.Helper, because testify prints the call stack.
package pages

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/phone"
	"marquee/server/app"
	"marquee/web"
)

// NewStack starts a shop with the web app and the demo data, at the morning of harness.Morning.
func NewStack(t *testing.T) *harness.Stack {
	t.Helper()
	return newStack(t, harness.Options{})
}

// NewCaptchaStack starts a shop in which an unknown device must pass a captcha before a code is sent.
func NewCaptchaStack(t *testing.T) *harness.Stack {
	t.Helper()
	return newStack(t, harness.Options{Captcha: true})
}

// NewH5Stack starts a shop whose merchant has H5 payment, so that buyers can pay in an ordinary browser.
func NewH5Stack(t *testing.T) *harness.Stack {
	t.Helper()
	return newStack(t, harness.Options{Configure: func(c *app.Config) { c.WeChat.H5 = true }})
}

func newStack(t *testing.T, opts harness.Options) *harness.Stack {
	t.Helper()
	_, err := fs.Stat(web.Dist(), "index.html")
	require.NoError(t, err, "the web app is not built: run `npm run build`")
	opts.Web, opts.Demo, opts.Begin, opts.Reconcile = web.Dist(), true, harness.Morning(t), true
	return harness.New(t, opts)
}

// Visit is a browser in which a buyer visits the shop. A method with the name of a page waits until the page is shown,
// or opens it, and returns it.
type Visit struct {
	*Browser
	homePages
	bookingPages
	accountPages
	cardPages
	goodsPages
}

// Plain opens an ordinary mobile browser.
func Plain(s *harness.Stack, opts phone.Options) *Visit {
	return newVisit(&Browser{Stack: s, elements: elements{s.T, phone.New(s.T, opts)}, base: s.URL})
}

// InApp opens the browser inside the messaging app, for the person with the identity.
func InApp(s *harness.Stack, openID string, opts phone.Options) *Visit {
	opts.InApp = true
	system := "ios"
	if opts.Android {
		system = "android"
	}
	return newVisit(&Browser{
		Stack: s, elements: elements{s.T, phone.New(s.T, opts)}, inApp: true, base: s.InAppURL(),
		entrance: "/__phone/start?os=" + system + "&openid=" + openID + "&to=",
	})
}

func newVisit(b *Browser) *Visit {
	v := &Visit{Browser: b}
	v.homePages, v.bookingPages, v.accountPages = homePages{v}, bookingPages{v}, accountPages{v}
	v.cardPages, v.goodsPages = cardPages{v}, goodsPages{v}
	return v
}

// As makes the next page open with the session of a buyer.
func (v *Visit) As(b *harness.Buyer) *Visit {
	v.buyer = b
	return v
}

// WithBridge sets how the messaging app's bridge, through which a page calls the app, behaves: "ready", "late" or
// "absent". It takes effect with the first page.
func (v *Visit) WithBridge(behavior string) *Visit {
	v.bridge = behavior
	return v
}
