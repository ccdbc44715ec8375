package console

import (
	"sync/atomic"
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"
)

// Another build of the simulators no longer has the files that an open page refers to. The page is reloaded once. If a
// file is still missing after that, an error is shown inside the frame.
func TestConsole_APageWhoseFileIsLostIsLoadedAgainOnce(t *testing.T) {
	onBoth(t, func(f *fixture) {
		f.world("rebuilt")
		f.open("/?world=rebuilt")
		var loads atomic.Int32
		f.OnRequest(func(r playwright.Request) {
			if r.IsNavigationRequest() {
				loads.Add(1)
			}
		})
		lost := func(r playwright.Route) {
			_ = r.Fulfill(playwright.RouteFulfillOptions{Status: playwright.Int(404)}) // The page may be closed by now.
		}
		// The limit of times of Route is not used: after the last one the driver stops intercepting, and may lose a
		// request that it has intercepted.
		var lostClock atomic.Bool
		f.must(f.Context.Route("**/assets/clock-*.js", func(r playwright.Route) {
			if lostClock.CompareAndSwap(false, true) {
				lost(r)
				return
			}
			_ = r.Continue() // The page may be closed by now.
		}))
		f.visit("Clock")
		f.sees(f.button("Undo all advances and resume"))
		require.EqualValues(f, 1, loads.Load())

		f.must(f.Context.Route("**/assets/orders-*.js", lost))
		f.must(f.GetByRole("link", playwright.PageGetByRoleOptions{Name: "Orders"}).Click())
		f.sees(f.GetByText("A file of this page was not loaded. If the simulators were rebuilt, reload the page."))
		f.visit("Clock")
		require.EqualValues(f, 1, loads.Load(), "once for each build and tab")
	}, "404", "dynamically imported", "Unable to preload CSS")
}
