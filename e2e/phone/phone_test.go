package phone

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { os.Exit(Run(m)) }

// cutSite serves pages that fetch /data. The answer begins at once, and its connection is closed when cut is closed.
type cutSite struct {
	*httptest.Server
	cut    chan struct{} // closing it cuts the answers
	before func()        // runs before /next is answered
}

func newCutSite(t *testing.T) *cutSite {
	t.Helper()
	s := &cutSite{cut: make(chan struct{}), before: func() {}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><link rel="icon" href="data:,"><a href="/next">next</a>
			<script>fetch('/data').then((answer) => answer.text()).catch(() => document.body.append('failed'))</script>`)
	})
	mux.HandleFunc("GET /next", func(w http.ResponseWriter, _ *http.Request) {
		s.before()
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><link rel="icon" href="data:,"><h1>next page</h1>`)
	})
	mux.HandleFunc("GET /data", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "begun")
		w.(http.Flusher).Flush()
		select {
		case <-s.cut:
		case <-r.Context().Done():
		}
		panic(http.ErrAbortHandler)
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// fetching opens the first page and waits until its request is being answered. The returned channel receives every
// request of the page that fails.
func fetching(t *testing.T, s *cutSite) (*Phone, chan playwright.Request) {
	t.Helper()
	p := open(t, Options{})
	t.Cleanup(func() { _ = p.Context.Close() })
	failed := make(chan playwright.Request, 8)
	p.OnRequestFailed(func(r playwright.Request) { failed <- r })
	_, err := p.ExpectResponse("**/data", func() error {
		_, err := p.Goto(s.URL)
		return err
	})
	require.NoError(t, err)
	return p, failed
}

func awaitFailure(t *testing.T, failed chan playwright.Request) {
	t.Helper()
	select {
	case <-failed:
	case <-time.After(Patience):
		require.Fail(t, "no request failed")
	}
}

// awaitReport waits until the console has the report of the cut answer.
func awaitReport(t *testing.T, p *Phone) {
	t.Helper()
	require.Eventually(t, func() bool {
		p.complaints.mu.Lock()
		defer p.complaints.mu.Unlock()
		return len(p.complaints.reports) > 0
	}, Patience, 10*time.Millisecond, "the browser reports the cut answer")
}

// cutFetch cuts the answer that the first page waits for, and waits until the console has the report.
func cutFetch(t *testing.T) *Phone {
	t.Helper()
	site := newCutSite(t)
	p, failed := fetching(t, site)
	close(site.cut)
	awaitFailure(t, failed)
	awaitReport(t, p)
	return p
}

func TestComplaints_ARequestThatFailsOnAPageThatStays(t *testing.T) {
	t.Parallel()
	p := cutFetch(t)
	require.Len(t, p.complaints.texts(), 1)
	require.Contains(t, p.complaints.texts()[0], "net::ERR_INCOMPLETE_CHUNKED_ENCODING")
}

func TestComplaints_ARequestThatFailedBeforeItsPageWasLeft(t *testing.T) {
	t.Parallel()
	p := cutFetch(t)
	require.NoError(t, p.GetByRole("link").Click())
	require.NoError(t, p.GetByRole("heading").WaitFor())
	require.Len(t, p.complaints.texts(), 1)
}

func TestComplaints_ARequestThatNavigationCutOff(t *testing.T) {
	t.Parallel()
	site := newCutSite(t)
	p, failed := fetching(t, site)
	site.before = func() { // the navigation is under way, and its document has not come yet
		close(site.cut)
		awaitFailure(t, failed)
		awaitReport(t, p)
	}
	require.NoError(t, p.GetByRole("link").Click())
	require.NoError(t, p.GetByRole("heading").WaitFor())
	require.Empty(t, p.complaints.texts())
}
