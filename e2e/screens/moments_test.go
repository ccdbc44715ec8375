package screens

import (
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
	"marquee/simulators/faults"
)

// What a page shows only for a moment: moving banners, suggestions before the search starts, messages, and an error
// before the app goes back.
func TestScreens_Moments(t *testing.T) {
	open := func(s *harness.Stack, opts phone.Options) *pages.Visit {
		opts.Where = playwright.Geolocation{Latitude: 31.2304, Longitude: 121.4737}
		v := pages.Plain(s, opts)
		holdTimers(t, v.Phone)
		hideShanghai(t, v.Phone)
		require.NoError(t, v.Phone.EmulateMedia(playwright.PageEmulateMediaOptions{
			ReducedMotion: playwright.ReducedMotionNoPreference,
		}))
		return v
	}
	look(t, open, func(s *harness.Stack, _ *pages.Visit) []scene {
		legacy := s.Catalog.CinemaPage(harness.Legacy)
		return []scene{
			{"multiplex-moving", func(v *pages.Visit) { v.Cinemas().CanPause() }},
			{"index-suggestions", func(v *pages.Visit) {
				v.Open("/index")
				v.Home().Films()
				v.Home().Search("海")
				v.Home().Suggests("楼上的海")
			}},
			{"citylist-not-open", func(v *pages.Visit) { v.Open("/citylist"); v.CityList().NotOpen("上海") }},
			{"multiplexDetail-failing", func(v *pages.Visit) {
				// The shop's cached answers of the provider have expired by then.
				s.AdvanceClock(48 * time.Hour)
				s.PlanFaults(faults.Fault{Provider: "gateway", Operation: "*", Do: faults.Reset})
				v.Open(legacy)
				v.SeesText("服务暂时不可用")
			}},
		}
	})
}

// holdTimers disables intervals and timers from one second to less than three on the pages of a phone, so that messages
// stay and nothing moves or redirects. The three seconds of Settle still work.
func holdTimers(t *testing.T, p *phone.Phone) {
	t.Helper()
	require.NoError(t, p.Context.AddInitScript(playwright.Script{Content: playwright.String(`
		const start = setTimeout.bind(window)
		window.setTimeout = (run, wait = 0, ...rest) => wait >= 1000 && wait < 3000 ? 0 : start(run, wait, ...rest)
		window.setInterval = () => 0
	`)}))
}

// hideShanghai removes a city from the list that the shop sends to a phone, because the demo data sells in all cities.
func hideShanghai(t *testing.T, p *phone.Phone) {
	t.Helper()
	require.NoError(t, p.Route("**/movie/route/Movie/citylist", func(r playwright.Route) {
		list, err := r.Fetch()
		if !assert.NoError(t, err) {
			return
		}
		text, err := list.Text()
		assert.NoError(t, err)
		text = strings.ReplaceAll(text, "310100", "999999")
		assert.NoError(t, r.Fulfill(playwright.RouteFulfillOptions{Response: list, Body: text}))
	}))
}
