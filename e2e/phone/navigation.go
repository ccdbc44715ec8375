package phone

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// Open goes to an address and waits until its document is loaded or, if that redirects at once, the next document.
func (p *Phone) Open(address string) error {
	before := p.URL()
	return navigate(p.Page, func() error {
		_, err := p.Goto(address, playwright.PageGotoOptions{WaitUntil: arrival, Timeout: attempt})
		if err != nil && p.URL() == address && before != address {
			return nil // the document has arrived, but the driver has not assigned it to this navigation
		}
		return err
	}, replaced, late)
}

// Refresh reloads the page, and waits like Open.
func (p *Phone) Refresh() error {
	return navigate(p.Page, func() error {
		_, err := p.Reload(playwright.PageReloadOptions{WaitUntil: arrival, Timeout: attempt})
		return err
	}, replaced, late)
}

// Return goes back in the history, and waits like Open.
func (p *Phone) Return() error {
	return navigate(p.Page, func() error {
		_, err := p.GoBack(playwright.PageGoBackOptions{WaitUntil: arrival, Timeout: patience})
		return err
	}, replaced)
}

var (
	// arrival is the event for which a navigation waits: the browser has received the start of the new document. A
	// navigation that waits for a later event fails if the document itself starts another navigation.
	arrival = playwright.WaitUntilStateCommit
	// patience is passed to each call, because with options the driver ignores the time-out of the context.
	patience = playwright.Float(float64(Patience.Milliseconds()))
	// attempt is the time-out of an attempt that can be repeated. If the previous page navigates at the same moment,
	// the driver may miss the new document, and would wait until the time-out.
	attempt = playwright.Float(float64(Patience.Milliseconds()) / attempts)
)

// attempts is the maximum number of attempts of a navigation, or of a wait for a state of the document.
const attempts = 5

// AwaitAnswers waits until all calls of the page are answered and no further one has begun two frames later.
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

// reach waits for a state of the document. The driver's client first checks whether the state is reached, and then
// starts to listen for it. A state that is reached in between is missed, so the wait is repeated.
func reach(page playwright.Page, state *playwright.LoadState) (err error) {
	for range attempts {
		err = page.WaitForLoadState(playwright.PageWaitForLoadStateOptions{State: state, Timeout: attempt})
		if err == nil || !late(err) {
			return err
		}
	}
	return err
}

// navigate starts a navigation and waits until a document is loaded: that of the navigation, or one to which it
// redirects. After an error for which one of the conditions in again is true, the navigation is repeated.
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

// replaced reports whether err means that another navigation replaced this one.
func replaced(err error) bool {
	return strings.Contains(err.Error(), "net::ERR_ABORTED") ||
		strings.Contains(err.Error(), "interrupted by another navigation") ||
		strings.Contains(err.Error(), "context was destroyed")
}

// late reports whether err is a time-out.
func late(err error) bool { return errors.Is(err, playwright.ErrTimeout) }
