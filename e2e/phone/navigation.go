package phone

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// Open goes to an address and waits until the document is loaded, or the one to which its page leads at once.
func (p *Phone) Open(address string) error {
	before := p.URL()
	return navigate(p.Page, func() error {
		_, err := p.Goto(address, playwright.PageGotoOptions{WaitUntil: arrival, Timeout: attempt})
		if err != nil && p.URL() == address && before != address {
			return nil // the driver has missed that it came, or takes it for the navigation of another attempt
		}
		return err
	}, replaced, late)
}

// Refresh loads the page again, as Open.
func (p *Phone) Refresh() error {
	return navigate(p.Page, func() error {
		_, err := p.Reload(playwright.PageReloadOptions{WaitUntil: arrival, Timeout: attempt})
		return err
	}, replaced, late)
}

// Return goes back in the history, as Open.
func (p *Phone) Return() error {
	return navigate(p.Page, func() error {
		_, err := p.GoBack(playwright.PageGoBackOptions{WaitUntil: arrival, Timeout: patience})
		return err
	}, replaced)
}

var (
	// arrival is the moment at which the browser has the new document. A navigation that waits for more fails when the
	// page of the document goes elsewhere.
	arrival = playwright.WaitUntilStateCommit
	// patience is named in each call: with options the driver does not take the time-out of the context.
	patience = playwright.Float(float64(Patience.Milliseconds()))
	// attempt is how long one attempt takes that can be repeated. When the page before goes elsewhere at the same
	// moment, the driver may miss that the document has come, and would wait for it until the end.
	attempt = playwright.Float(float64(Patience.Milliseconds()) / attempts)
)

// attempts bounds how often a navigation begins, or a wait for a state of the document.
const attempts = 5

// AwaitAnswers waits until the page waits for no answer, and has sent no further request after the last one.
func (p *Phone) AwaitAnswers() error {
	end := time.Now().Add(Patience)
	for still := 0; still < 2; {
		_, err := p.Evaluate(`() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))`)
		if err != nil && !replaced(err) {
			return err
		}
		waiting := p.complaints.underWay()
		if still++; err != nil || len(waiting) > 0 {
			still = 0
		}
		if time.Now().After(end) {
			return fmt.Errorf("the page still waits for %v", waiting)
		}
	}
	return nil
}

// reach waits for a state of the document. The driver's client looks whether the state is reached, and then listens for
// it: a state that is reached between the two is missed, and seen only by who asks again.
func reach(page playwright.Page, state *playwright.LoadState) (err error) {
	for range attempts {
		err = page.WaitForLoadState(playwright.PageWaitForLoadStateOptions{State: state, Timeout: attempt})
		if err == nil || !late(err) {
			return err
		}
	}
	return err
}

// navigate begins a navigation and waits until a document is loaded. Once the document of the navigation is there, its
// page may go elsewhere. The navigation begins again after an error that one of the conditions reports.
func navigate(page playwright.Page, begin func() error, again ...func(error) bool) (err error) {
	for range attempts {
		if err = begin(); err == nil {
			return reach(page, playwright.LoadStateLoad)
		}
		if !slices.ContainsFunc(again, func(holds func(error) bool) bool { return holds(err) }) {
			return err
		}
	}
	return err
}

// replaced reports whether another navigation ended what failed with err.
func replaced(err error) bool {
	return strings.Contains(err.Error(), "net::ERR_ABORTED") ||
		strings.Contains(err.Error(), "interrupted by another navigation") ||
		strings.Contains(err.Error(), "context was destroyed")
}

// late reports whether a navigation ended because its time was up.
func late(err error) bool { return errors.Is(err, playwright.ErrTimeout) }
