package phone

import (
	"slices"
	"strings"
	"sync"

	"github.com/mxschmitt/playwright-go"
)

// complaints collects the errors on a page's console, without those about requests that a navigation cancelled. When a
// document is replaced, the browser cancels its requests, and reports some of them as a failed resource, for example
// net::ERR_INCOMPLETE_CHUNKED_ENCODING for an answer that had begun to arrive. Such a report has nothing to do with the
// shop. A report about an address is left out if every failed request of that address was cancelled in this way. That
// is so if a navigation of its frame began after the request, or if the frame no longer exists.
type complaints struct {
	tolerated []string // parts of texts that the test provokes on purpose

	mu         sync.Mutex
	events     int                        // counts requests, to order them
	started    map[playwright.Request]int // the event with which a request began
	navigated  map[playwright.Frame]int   // the event with which the last navigation of a frame began
	reports    []report
	cut, alive map[string]int // failed requests by address: those that a navigation cancelled, and the others
}

// report is an error on the console, or an exception that no script caught.
type report struct {
	text    string
	address string // of the resource that could not be loaded; "" for other errors
}

func (c *complaints) listen(page playwright.Page) {
	c.started, c.navigated = map[playwright.Request]int{}, map[playwright.Frame]int{}
	c.cut, c.alive = map[string]int{}, map[string]int{}
	page.OnConsole(c.onConsole)
	page.OnPageError(func(err error) { c.add(report{text: err.Error()}) })
	page.OnRequest(c.onRequest)
	page.OnRequestFailed(c.onRequestFailed)
	page.OnRequestFinished(func(r playwright.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.started, r)
	})
}

func (c *complaints) onConsole(m playwright.ConsoleMessage) {
	if m.Type() != "error" {
		return
	}
	r := report{text: m.Text()}
	if at := m.Location(); at != nil && at.URL != "" {
		r.text += " (" + at.URL + ")"
		if strings.HasPrefix(m.Text(), "Failed to load resource: net::") {
			r.address = at.URL
		}
	}
	c.add(r)
}

func (c *complaints) add(r report) {
	if slices.ContainsFunc(c.tolerated, func(part string) bool { return strings.Contains(r.text, part) }) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reports = append(c.reports, r)
}

func (c *complaints) onRequest(r playwright.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events++
	c.started[r] = c.events
	if r.IsNavigationRequest() {
		c.navigated[r.Frame()] = c.events
	}
}

func (c *complaints) onRequestFailed(r playwright.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	frame := r.Frame() // nil for a request that belongs to no document
	if frame != nil && (c.navigated[frame] > c.started[r] || frame.IsDetached()) {
		c.cut[r.URL()]++
	} else {
		c.alive[r.URL()]++
	}
	delete(c.started, r)
}

// underWay returns the addresses of the calls without an answer, except those of replaced documents. Requests for files
// do not count, because the driver does not always report the end of one that the page has requested twice.
func (c *complaints) underWay() (addresses []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for r, began := range c.started {
		frame := r.Frame()
		gone := frame == nil || began < c.navigated[frame] || frame.IsDetached()
		if r.ResourceType() == "fetch" && !gone {
			addresses = append(addresses, r.URL())
		}
	}
	return addresses
}

// texts returns the reports so far, without those about requests that a navigation cancelled.
func (c *complaints) texts() (texts []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.reports {
		if r.address != "" && c.cut[r.address] > 0 && c.alive[r.address] == 0 {
			continue
		}
		texts = append(texts, r.text)
	}
	return texts
}
