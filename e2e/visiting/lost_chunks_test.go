package visiting

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"

	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// lostTexts are parts of what the browser and Vite report about a lost file.
var lostTexts = []string{"404", "dynamically imported", "Unable to preload CSS"}

// loseChunks answers 404 for files whose address contains the part, until the page is reloaded. It returns how many
// were lost.
func loseChunks(t *testing.T, visit *pages.Visit, part string) (lost *atomic.Int32) {
	t.Helper()
	lost = new(atomic.Int32)
	var reloaded atomic.Bool
	visit.Phone.OnRequest(func(r playwright.Request) {
		if r.IsNavigationRequest() {
			reloaded.Store(true)
		}
	})
	require.NoError(t, visit.Phone.Context.Route("**/assets/**", func(r playwright.Route) {
		if reloaded.Load() || !strings.Contains(r.Request().URL(), part) {
			_ = r.Continue() // The page may be closed by now.
			return
		}
		lost.Add(1)
		_ = r.Fulfill(playwright.RouteFulfillOptions{Status: playwright.Int(404)})
	}))
	return lost
}

// After a release the shop no longer has the files that an open page refers to. The page is reloaded automatically.
func TestRelease_AnOpenPageGoesOnToTheNextScreen(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	visit := pages.Plain(s, phone.Options{Lean: true, Tolerate: lostTexts})
	visit.Open("/index")
	lost := loseChunks(t, visit, "/assets/cinemas-screen-")
	visit.TabBar("影院")
	visit.At("/multiplex")
	visit.SeesText("家影院")
	require.Positive(t, lost.Load(), "the screen needs no chunk")
}

// A confirmation dialog needs no file that is loaded later: it works on a page whose files the shop no longer has.
func TestRelease_AQuestionNeedsNoFile(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	visit := pages.Plain(s, phone.Options{Lean: true, Tolerate: lostTexts}).As(s.NewBuyer())
	visit.Open("/personCenter")
	me := visit.Me()
	loseChunks(t, visit, "/assets/")
	me.LogOut()
}

// If a file of the start is lost, the page is reloaded automatically. If it is lost again, the page says so and offers
// a retry.
func TestStart_ALostFileIsLoadedAgain(t *testing.T) {
	t.Parallel()
	for name, losses := range map[string]int{"once": 1, "twice": 2} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			visit := pages.Plain(pages.NewStack(t), phone.Options{Lean: true, Dark: true, Tolerate: lostTexts})
			require.NoError(t, visit.Phone.Context.Route("**/assets/vendor-*.js", func(r playwright.Route) {
				_ = r.Fulfill(playwright.RouteFulfillOptions{Status: playwright.Int(404)})
			}, losses))
			visit.Open("/index")
			if losses == 2 {
				visit.SeesText("页面未能打开")
				require.Empty(t, visit.Phone.AxeViolations(t))
				visit.StartAgain()
			}
			visit.Home()
		})
	}
}
