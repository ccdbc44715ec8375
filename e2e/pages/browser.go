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

	"marquee/e2e/harness"
	"marquee/e2e/phone"
)

var expect = playwright.NewPlaywrightAssertions(*patience)

// Browser has the operations of every screen: addresses, messages, texts and dialogs.
type Browser struct {
	elements
	Stack *harness.Stack

	inApp    bool
	base     string         // the shop's address in this browser
	entrance string         // prefix of the address that opens the first page, to which its path is added; "": none
	bridge   string         // how the messaging app's bridge behaves; "" is ready
	buyer    *harness.Buyer // Open first stores this buyer's session in the browser; nil: none
}

// storeSession puts a session into the browser's storage, as a login by phone does.
func (v *Browser) storeSession(b *harness.Buyer) {
	v.leaveApp()
	_, err := v.Phone.Evaluate(`([token, account]) => {
		localStorage.setItem('own account', account);
		localStorage.setItem('token', token);
	}`, []string{b.Token, b.UID})
	v.must(err)
}

// Open goes to an address of the shop.
func (v *Browser) Open(path string) {
	if v.buyer != nil {
		v.storeSession(v.buyer)
		v.buyer = nil
	}
	if v.entrance != "" {
		start := v.entrance
		if v.bridge != "" {
			start = strings.Replace(start, "&to=", "&bridge="+v.bridge+"&to=", 1)
		}
		path, v.entrance = start+url.QueryEscape(path), ""
	}
	v.must(v.Phone.Open(v.base + path))
}

// StartAgain waits for the message that the app could not be started, and follows its link.
func (v *Browser) StartAgain() { v.click(v.role("link", "重试")) }

// leaveApp opens a file of the shop that is not a page of the app, which stops the app's calls and timers.
func (v *Browser) leaveApp() { v.must(v.Phone.Open(v.base + "/favicon.svg")) }

// Forget leaves the app and clears its storage in the browser, including the session.
func (v *Browser) Forget() {
	v.leaveApp()
	_, err := v.Phone.Evaluate("() => { localStorage.clear(); sessionStorage.clear() }")
	v.must(err)
}

// Reload loads the page again.
func (v *Browser) Reload() {
	v.must(v.Phone.Refresh())
}

// At waits until the address is a route of the shop and its page is shown. To wait for the address is not enough: until
// the file of the page is loaded, the previous page is still shown, and its buttons may have the same names.
func (v *Browser) At(route string) {
	address := regexp.MustCompile("^" + regexp.QuoteMeta(v.base+route) + `(\?|$)`)
	v.must(expect.Page(v.Phone.Page).ToHaveURL(address))
	v.shows(route)
}

// shows waits until the page of a path is shown.
func (v *Browser) shows(path string) {
	v.must(expect.Locator(v.Phone.Locator("main")).ToHaveAttribute("data-page", path))
}

// AtAddress waits until the page's address has exactly this path and query, and its page is shown.
func (v *Browser) AtAddress(address string) {
	v.must(expect.Page(v.Phone.Page).ToHaveURL(v.base + address))
	path, _, _ := strings.Cut(address, "?")
	v.shows(path)
}

// OffersService waits for the link to customer service.
func (v *Browser) OffersService() {
	service := v.role("link", contains("联系客服"))
	v.sees(service)
	v.must(expect.Locator(service).ToHaveAttribute("href", regexp.MustCompile("^https?://")))
}

// Query returns a value of the address.
func (v *Browser) Query(name string) string {
	at, err := url.Parse(v.Phone.URL())
	v.must(err)
	return at.Query().Get(name)
}

// SeesToast waits for a toast. If the page shows the same text again, that is another toast: a toast that was already
// found is not found again.
func (v *Browser) SeesToast(message string) { v.nextMessage(message) }

// RejectsIncompleteForm verifies that a form with a missing entry cannot be sent. Its button is disabled, but reachable
// by keyboard. The button's description says what is missing, and so does a toast when the button is pressed.
func (v *Browser) RejectsIncompleteForm(button, missing string) {
	send := v.button(button)
	v.must(expect.Locator(send).ToHaveAccessibleDescription(missing))
	v.must(expect.Locator(send).ToBeDisabled())
	v.must(send.Focus())
	v.must(expect.Locator(send).ToBeFocused())
	v.must(send.Press("Enter"))
	v.SeesToast(missing)
	v.must(expect.Locator(send).Not().ToBeFocused())
}

// SeesToastClearOf is SeesToast, and also verifies that the toast does not cover a button.
func (v *Browser) SeesToastClearOf(button, message string) {
	shown := v.nextMessage(message)
	pressed, err := v.button(button).BoundingBox()
	v.must(err)
	apart := shown.Y >= pressed.Y+pressed.Height || shown.Y+shown.Height <= pressed.Y
	require.True(v.T, apart, "the message at %+v covers %s at %+v", shown, button, pressed)
}

func (v *Browser) nextMessage(text string) (m phone.Message) {
	require.EventuallyWithT(v.T, func(c *assert.CollectT) {
		var err error
		m, err = v.Phone.NextMessage(text)
		assert.NoError(c, err)
	}, phone.Patience, 20*time.Millisecond)
	return m
}

// SeesFieldMessage waits until the message below a field is this text.
func (v *Browser) SeesFieldMessage(label, text string) {
	v.must(expect.Locator(v.field(label)).ToHaveAccessibleDescription(text))
}

// SeesText waits until a text is on the page.
func (v *Browser) SeesText(text string) { v.sees(v.Phone.GetByText(text).First()) }

// SeesNoText waits until a text is no longer on the page.
func (v *Browser) SeesNoText(text string) {
	v.must(expect.Locator(v.Phone.GetByText(text)).ToHaveCount(0))
}

// HasField waits until a field holds the text.
func (v *Browser) HasField(label, text string) {
	v.must(expect.Locator(v.field(label)).ToHaveValue(text))
}

// CountTaps counts the taps from now on, until the document is left. Those on a number keyboard are not counted.
func (v *Browser) CountTaps() {
	_, err := v.Phone.Evaluate(`() => {
		window.taps = 0
		const count = ({ target, detail }) => {
			if (detail > 0 && !target.closest('[aria-label=数字键盘]')) window.taps += 1
		}
		document.addEventListener('click', count, true)
	}`)
	v.must(err)
}

// Taps is the number of taps since CountTaps.
func (v *Browser) Taps() (taps int) {
	v.Phone.Decode(v.T, `() => window.taps`, &taps)
	return taps
}

// Back presses the arrow at the top of the page. Inside the messaging app that is the arrow of its title bar, except on
// the first page of the visit.
func (v *Browser) Back() {
	if v.inApp {
		var entry int
		v.Phone.Decode(v.T, `() => history.state?.idx ?? 0`, &entry)
		if entry > 0 {
			v.must(v.Phone.Return())
			return
		}
	}
	v.press("返回")
}

// SystemBack goes back as the browser's button and gesture do.
func (v *Browser) SystemBack() { v.must(v.Phone.Return()) }

// SystemForward goes forward as the browser's button does.
func (v *Browser) SystemForward() {
	_, err := v.Phone.Evaluate("() => history.forward()")
	v.must(err)
}

// BackFromLogin is Back on the page to which a login has returned. In the messaging app, the login by OAuth has loaded
// the app again, and the new document has no record of the earlier pages. BackFromLogin then uses the history of the
// browser.
func (v *Browser) BackFromLogin() {
	if !v.inApp {
		v.Back()
		return
	}
	v.must(v.Phone.Return())
}

// TabBar goes to one of 影片, 影院 and 我的.
func (v *Browser) TabBar(name string) {
	v.click(v.Phone.GetByRole("navigation").GetByRole("link", named(contains(name))))
}

// Confirm answers a dialog with the question.
func (v *Browser) Confirm(question, answer string) {
	dialog := v.role("alertdialog", contains(question))
	v.sees(dialog)
	v.click(dialog.GetByRole("button", named(answer)))
}

// AwaitServiceWorker waits until the service worker is active, so that the app could start without a network.
func (v *Browser) AwaitServiceWorker() {
	_, err := v.Phone.WaitForFunction(`() => navigator.serviceWorker.controller?.state === 'activated'`, nil)
	v.must(err)
}

// CachedPaths are the paths of the files that the service worker keeps.
func (v *Browser) CachedPaths() (paths []string) {
	v.Phone.Decode(v.T, `async () => {
		const found = []
		for (const name of await caches.keys())
			for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname)
		return found
	}`, &paths)
	require.NotEmpty(v.T, paths)
	return paths
}

// elements finds elements by their accessible names and operates them.
type elements struct {
	T     *testing.T
	Phone *phone.Phone
}

func (e elements) must(err error) { require.NoError(e.T, err) }

// sees waits until the element is visible.
func (e elements) sees(l playwright.Locator) { e.must(expect.Locator(l).ToBeVisible()) }

// role finds elements by role and name: the full name, or a regular expression.
func (e elements) role(role playwright.AriaRole, name any) playwright.Locator {
	return e.Phone.GetByRole(role, playwright.PageGetByRoleOptions{Name: name, Exact: playwright.Bool(true)})
}

func (e elements) button(name string) playwright.Locator { return e.role("button", name) }

func (e elements) press(name string) { e.click(e.button(name)) }

// patience is passed to each call that operates an element, because the driver's default is 30 seconds.
var patience = playwright.Float(float64(phone.Patience.Milliseconds()))

// click waits until the element can be clicked, and clicks it.
func (e elements) click(l playwright.Locator) {
	e.must(l.Click(playwright.LocatorClickOptions{Timeout: patience}))
}

// clickCorner clicks the corner of a text that contains links, so that it does not click a link.
func (e elements) clickCorner(l playwright.Locator) {
	corner := &playwright.Position{X: 4, Y: 4}
	e.must(l.Click(playwright.LocatorClickOptions{Position: corner, Timeout: patience}))
}

// chooseTab chooses a tab and waits until it is chosen: until then the panel shows the content of the previous tab.
func (e elements) chooseTab(tab playwright.Locator) {
	e.click(tab)
	e.onTab(tab)
}

func (e elements) onTab(tab playwright.Locator) {
	e.must(expect.Locator(tab).ToHaveAttribute("aria-selected", "true"))
}

func (e elements) link(name string) playwright.Locator { return e.role("link", name) }

func (e elements) dialog(title string) playwright.Locator { return e.role("dialog", title) }

// text finds the element with exactly this text.
func (e elements) text(text string) playwright.Locator {
	return e.Phone.GetByText(text, playwright.PageGetByTextOptions{Exact: playwright.Bool(true)})
}

// field finds the form field with exactly this label.
func (e elements) field(label string) playwright.Locator {
	return e.Phone.GetByLabel(label, playwright.PageGetByLabelOptions{Exact: playwright.Bool(true)})
}

func (e elements) fill(label, text string) {
	e.must(e.field(label).Fill(text, playwright.LocatorFillOptions{Timeout: patience}))
}

// names returns the aria-labels of all elements that the locator currently finds.
func (e elements) names(l playwright.Locator) (names []string) {
	found, err := l.EvaluateAll(`(all) => all.map((one) => one.getAttribute('aria-label') ?? '')`)
	e.must(err)
	for _, name := range found.([]any) {
		names = append(names, name.(string))
	}
	return names
}

// named matches elements inside another by name: the full name, or a regular expression.
func named(name any) playwright.LocatorGetByRoleOptions {
	return playwright.LocatorGetByRoleOptions{Name: name, Exact: playwright.Bool(true)}
}

// exactly matches the full text.
var exactly = playwright.LocatorGetByTextOptions{Exact: playwright.Bool(true)}

func startsWith(name string) *regexp.Regexp { return regexp.MustCompile("^" + regexp.QuoteMeta(name)) }

func contains(name string) *regexp.Regexp { return regexp.MustCompile(regexp.QuoteMeta(name)) }

// ShareCard is the card that the messaging app sends when a page is shared with a friend.
type ShareCard struct {
	Title   string
	Text    string `json:"desc"`
	Link    string
	Picture string `json:"imgUrl"`
}

// Shares waits until the title of the card with which the page is shared, with a friend and on the timeline, contains
// the text, and returns the card for a friend.
func (v *Browser) Shares(title string) ShareCard {
	var state struct{ Shares map[string]ShareCard }
	v.Stack.Eventually("the page shares "+title, func() bool {
		answer, err := v.Phone.Context.Request().Get(v.Stack.Sims.URL() + "/phone/state?openid=" + harness.BoundOpenID)
		v.must(err)
		v.must(answer.JSON(&state))
		return strings.Contains(state.Shares["friend"].Title, title) &&
			state.Shares["timeline"].Title == state.Shares["friend"].Title
	})
	return state.Shares["friend"]
}
