// Package pages is the shop as a buyer handles it: one struct a screen, whose methods are what somebody wants to do
// there. What is on a screen is found by what it is called, never by how it is built.
package pages

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/e2e/phone"
	"marquee/e2e/stage"
)

// patience is how long, in milliseconds, a screen may take to show what is expected of it.
const patience = 60_000

var expect = playwright.NewPlaywrightAssertions(patience)

// Visit is one person's browser in the shop.
type Visit struct {
	T     *testing.T
	Stage *stage.Stage
	Phone *phone.Phone
	inApp bool
	base  string // the shop's address in this browser
	door  string // where the first page is entered through; "" is right at it
}

// Plain opens an ordinary mobile browser.
func Plain(s *stage.Stage, opts phone.Options) *Visit {
	s.T.Helper()
	return &Visit{T: s.T, Stage: s, Phone: phone.New(s.T, opts), base: s.URL}
}

// InApp opens the browser inside the messaging app, in the hands of the person with the identity.
func InApp(s *stage.Stage, openID string, opts phone.Options) *Visit {
	s.T.Helper()
	opts.InApp = true
	sims, err := url.Parse(s.Sims.URL())
	require.NoError(s.T, err)
	return &Visit{
		T: s.T, Stage: s, Phone: phone.New(s.T, opts), inApp: true, base: "http://inapp.localhost:" + sims.Port(),
		door: "/__phone/start?os=ios&openid=" + openID + "&to=",
	}
}

// As opens the shop with the session of a buyer, on its lightest page.
func (v *Visit) As(b *stage.Buyer) *Visit {
	v.T.Helper()
	v.Open("/useexplain?token=" + b.Token)
	v.sees(v.Phone.GetByRole("heading", playwright.PageGetByRoleOptions{Name: "使用说明"}).First())
	return v
}

// Open goes to an address of the shop.
func (v *Visit) Open(path string) {
	v.T.Helper()
	if v.door != "" {
		path, v.door = v.door+url.QueryEscape(path), ""
	}
	_, err := v.Phone.Goto(v.base + path)
	v.must(err)
}

// At waits until the address is a route of the shop.
func (v *Visit) At(route string) {
	v.T.Helper()
	err := expect.Page(v.Phone.Page).ToHaveURL(regexp.MustCompile("^" + regexp.QuoteMeta(v.base+route) + `(\?|$)`))
	v.must(err)
}

// Query is a value of the address.
func (v *Visit) Query(name string) string {
	v.T.Helper()
	at, err := url.Parse(v.Phone.URL())
	v.must(err)
	return at.Query().Get(name)
}

// Hears waits for a short message, which goes by itself. Each is heard once.
func (v *Visit) Hears(message string) { v.T.Helper(); v.message(message) }

// HearsClearOf is Hears, and makes sure that the message does not cover the button it is about.
func (v *Visit) HearsClearOf(button, message string) {
	v.T.Helper()
	shown := v.message(message)
	pressed, err := v.button(button).BoundingBox()
	v.must(err)
	apart := shown.Y >= pressed.Y+pressed.Height || shown.Y+shown.Height <= pressed.Y
	require.True(v.T, apart, "the message at %+v covers %s at %+v", shown, button, pressed)
}

func (v *Visit) message(text string) (m phone.Message) {
	v.T.Helper()
	require.EventuallyWithT(v.T, func(c *assert.CollectT) {
		var err error
		m, err = v.Phone.NextMessage(text)
		assert.NoError(c, err)
	}, patience*time.Millisecond, 20*time.Millisecond)
	return m
}

// Reads waits until a text stands on the page.
func (v *Visit) Reads(text string) {
	v.T.Helper()
	v.sees(v.Phone.GetByText(text).First())
}

// ReadsNot waits until a text no longer stands on the page.
func (v *Visit) ReadsNot(text string) {
	v.T.Helper()
	v.must(expect.Locator(v.Phone.GetByText(text)).ToHaveCount(0))
}

// Back presses the arrow at the top of the page.
func (v *Visit) Back() { v.T.Helper(); v.press("返回") }

// Reload loads the page anew.
func (v *Visit) Reload() {
	v.T.Helper()
	_, err := v.Phone.Reload()
	v.must(err)
}

// IsKeptOnThePhone waits until the phone could start the app without a network.
func (v *Visit) IsKeptOnThePhone() {
	v.T.Helper()
	_, err := v.Phone.WaitForFunction(`() => navigator.serviceWorker.controller?.state === 'activated'`, nil)
	v.must(err)
}

// KeptFiles are the paths of what the phone keeps of the app.
func (v *Visit) KeptFiles() (paths []string) {
	v.T.Helper()
	kept, err := v.Phone.Evaluate(`async () => {
		const found = []
		for (const name of await caches.keys())
			for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname)
		return found
	}`)
	v.must(err)
	for _, path := range kept.([]any) {
		paths = append(paths, path.(string))
	}
	require.NotEmpty(v.T, paths)
	return paths
}

// Confirm agrees to the question that the page asks.
func (v *Visit) Confirm(question, answer string) {
	v.T.Helper()
	dialog := v.Phone.GetByRole("alertdialog", playwright.PageGetByRoleOptions{Name: question})
	v.sees(dialog)
	v.must(dialog.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: answer, Exact: playwright.Bool(true)}).Click())
}

func (v *Visit) must(err error) {
	v.T.Helper()
	require.NoError(v.T, err)
}

func (v *Visit) sees(l playwright.Locator) {
	v.T.Helper()
	v.must(expect.Locator(l).ToBeVisible())
}

func (v *Visit) button(name string) playwright.Locator {
	return v.Phone.GetByRole("button", playwright.PageGetByRoleOptions{Name: name, Exact: playwright.Bool(true)})
}

func (v *Visit) press(name string) {
	v.T.Helper()
	v.must(v.button(name).Click())
}

func (v *Visit) link(name string) playwright.Locator {
	return v.Phone.GetByRole("link", playwright.PageGetByRoleOptions{Name: name, Exact: playwright.Bool(true)})
}

func (v *Visit) dialog(title string) playwright.Locator {
	return v.Phone.GetByRole("dialog", playwright.PageGetByRoleOptions{Name: title, Exact: playwright.Bool(true)})
}

func (v *Visit) fill(label, text string) {
	v.T.Helper()
	v.must(v.Phone.GetByLabel(label, playwright.PageGetByLabelOptions{Exact: playwright.Bool(true)}).Fill(text))
}

// names are the accessible names of elements, as far as they are written down in aria-label.
func (v *Visit) names(l playwright.Locator) (names []string) {
	v.T.Helper()
	all, err := l.All()
	v.must(err)
	for _, one := range all {
		name, err := one.GetAttribute("aria-label")
		v.must(err)
		names = append(names, name)
	}
	return names
}

func startsWith(name string) *regexp.Regexp { return regexp.MustCompile("^" + regexp.QuoteMeta(name)) }

func contains(name string) *regexp.Regexp {
	return regexp.MustCompile(regexp.QuoteMeta(strings.TrimSpace(name)))
}

// WithBridge says how the messaging app's bridge comes, before the first page is opened: ready, late or absent.
func (v *Visit) WithBridge(how string) *Visit {
	v.door = strings.Replace(v.door, "&to=", "&bridge="+how+"&to=", 1)
	return v
}
