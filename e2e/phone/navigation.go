package phone

import (
	"strings"

	"github.com/mxschmitt/playwright-go"
)

// Open goes to an address and waits until the document is loaded, or the one to which its page leads at once.
func (p *Phone) Open(address string) error {
	return navigate(p.Page, func() error {
		_, err := p.Goto(address, playwright.PageGotoOptions{WaitUntil: arrival, Timeout: patience})
		return err
	})
}

// Refresh loads the page again, as Open.
func (p *Phone) Refresh() error {
	return navigate(p.Page, func() error {
		_, err := p.Reload(playwright.PageReloadOptions{WaitUntil: arrival, Timeout: patience})
		return err
	})
}

// Return goes back in the history, as Open.
func (p *Phone) Return() error {
	return navigate(p.Page, func() error {
		_, err := p.GoBack(playwright.PageGoBackOptions{WaitUntil: arrival, Timeout: patience})
		return err
	})
}

var (
	// arrival is the moment at which the browser has the new document. A navigation that waits for more fails when the
	// page of the document goes elsewhere.
	arrival = playwright.WaitUntilStateCommit
	// patience is named in each call: with options the driver does not take the time-out of the context.
	patience = playwright.Float(float64(Patience.Milliseconds()))
)

// attempts bounds how often a navigation begins again after the page has replaced it.
const attempts = 5

// navigate begins a navigation and waits until a document is loaded. Once the document of the navigation is there, its
// page may go elsewhere. If the page before it goes elsewhere first, the navigation begins again.
func navigate(page playwright.Page, begin func() error) (err error) {
	for range attempts {
		if err = begin(); err == nil {
			return page.WaitForLoadState(playwright.PageWaitForLoadStateOptions{Timeout: patience})
		}
		if !replaced(err) {
			return err
		}
	}
	return err
}

// replaced reports whether another navigation ended the one that failed with err.
func replaced(err error) bool {
	return strings.Contains(err.Error(), "net::ERR_ABORTED") ||
		strings.Contains(err.Error(), "interrupted by another navigation")
}
