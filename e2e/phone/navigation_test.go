package phone

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"
)

// leavingSite serves /leaving, whose script goes to /next at once, and /slow, whose first request is not answered. When
// that first request arrives, a page at /waiting whose button was pressed goes to /next.
func leavingSite(t *testing.T) string {
	t.Helper()
	next := make(chan struct{})
	var slow atomic.Int32
	mux := http.NewServeMux()
	serve := func(path, body string) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<!doctype html><link rel="icon" href="data:,">`+body)
		})
	}
	serve("/leaving", `<img src="/never"><script>location.replace('/next')</script>`)
	serve("/waiting", `<button onclick="fetch('/asked').then(() => location.replace('/next'))">leave</button>`)
	serve("/next", `<h1>next</h1>`)
	mux.HandleFunc("GET /never", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("GET /asked", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-next:
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("GET /slow", func(w http.ResponseWriter, r *http.Request) {
		if slow.Add(1) > 1 {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, `<h1>slow</h1>`)
			return
		}
		close(next)
		<-r.Context().Done()
	})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return site.URL
}

func TestOpen_APageThatLeadsElsewhereBeforeItIsLoaded(t *testing.T) {
	t.Parallel()
	site := leavingSite(t)
	p := New(t, Options{})
	require.NoError(t, p.Open(site+"/leaving"))
	require.NoError(t, p.GetByText("next").WaitFor())
}

func TestOpen_WhileThePageBeforeGoesElsewhere(t *testing.T) {
	t.Parallel()
	site := leavingSite(t)
	p := New(t, Options{})
	require.NoError(t, p.Open(site+"/waiting"))
	require.NoError(t, p.GetByRole("button").Click())
	require.NoError(t, p.Open(site+"/slow"))
	require.NoError(t, p.GetByText("slow").WaitFor())
}

func TestOpen_AnAddressThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.NotFoundHandler())
	site.Close()
	p := New(t, Options{Tolerate: []string{"ERR_CONNECTION_REFUSED"}})
	require.ErrorContains(t, p.Open(site.URL), "net::ERR_CONNECTION_REFUSED")
}

// forgetful is a page on which the first waits for a state of the document fail, as if the driver had missed the state.
type forgetful struct {
	playwright.Page
	misses int
}

func (p *forgetful) WaitForLoadState(...playwright.PageWaitForLoadStateOptions) error {
	if p.misses--; p.misses >= 0 {
		return playwright.ErrTimeout
	}
	return nil
}

func TestReach_AStateThatTheClientMissed(t *testing.T) {
	t.Parallel()
	require.NoError(t, reach(&forgetful{misses: attempts - 1}, playwright.LoadStateLoad))
	require.ErrorIs(t, reach(&forgetful{misses: attempts}, playwright.LoadStateLoad), playwright.ErrTimeout)
}

// The page is idle at first, and then makes calls, each after the answer to the previous one.
func TestAwaitAnswers_ToCallsThatFollowOneAnother(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /page", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<!doctype html><link rel="icon" href="data:,"><button>asked</button><script>
			document.querySelector('button').onclick = async ({ target }) => {
				for (let i = 0; i < 20; i++) await (await fetch('/answer')).text()
				target.textContent = 'answered'
			}
		</script>`)
	})
	mux.HandleFunc("GET /answer", func(http.ResponseWriter, *http.Request) {})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	p := New(t, Options{})
	require.NoError(t, p.Open(site.URL+"/page"))
	require.NoError(t, p.AwaitAnswers())
	require.NoError(t, p.GetByText("asked").Click())
	require.NoError(t, p.AwaitAnswers())
	text, err := p.Locator("button").InnerText()
	require.NoError(t, err)
	require.Equal(t, "answered", text)
}
