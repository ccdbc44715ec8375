package console

import (
	"fmt"
	"os"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"marquee/e2e/phone"
	"marquee/simulators/faults"
)

// sizes are the screens on which every page is examined.
var sizes = []struct{ width, height int }{{320, 640}, {390, 844}, {1280, 800}, {1440, 900}}

func TestConsole_EveryPageOnEveryScreenByDayAndNight(t *testing.T) {
	t.Parallel()
	for light, dark := range map[string]bool{"day": false, "night": true} {
		t.Run(light, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, phone.Options{Desktop: true, Dark: dark, ReducedMotion: true})
			w := f.world("looked-at")
			_, err := w.Faults().
				Add(faults.Fault{Provider: "gateway", Operation: "drama.list", Do: "error", Code: "9999", Times: 1})
			f.must(err)
			_, err = w.Faults().
				Add(faults.Fault{Provider: "wechat", Operation: "notify", Do: "notify-delay", DelayS: 60, Skip: 2})
			f.must(err)
			_, err = w.Faults().
				AddStub(faults.Stub{Provider: "wechat", Path: "/v3/profitsharing/*",
					Answer: faults.StubAnswer{Status: 204}})
			f.must(err)
			show, free := f.showing(w)
			f.gateway(w, nil, "city.list")
			f.gateway(w, nil, "drama.list")
			f.lock(w, "ORDER-1", show, free[0])
			f.lock(w, "ORDER-2", show, free[4])
			f.gateway(
				w,
				func(sign string) string { return sign[:7] + "--" + sign[9:] },
				"seat.lock",
				"orderno",
				"ORDER-3",
			)
			f.text(w, "13800000001", "246810")
			last := w.Journal().Last()
			for _, page := range []struct{ name, path, reads string }{
				{"overview", "/?world=looked-at", "looked-at"},
				{"clock", "/clock?world=looked-at", "15 minutes"},
				{"faults", "/faults?world=looked-at", "used up"},
				{"stubs", "/stubs?world=looked-at", "/v3/profitsharing/*"},
				{"webhooks", "/webhooks?world=looked-at", "only the shop gets webhooks"},
				{"journal", "/journal?world=looked-at", "film.hot"},
				{"journal-signature", fmt.Sprintf("/journal?world=looked-at&entry=%d", last-1), "The first difference"},
				{"journal-empty", "/journal?world=looked-at&contains=nothing", "No call matches"},
				{"inbox", "/inbox?world=looked-at", "246810"},
				{"inbox-empty", "/inbox?world=looked-at&phone=13800000009", "No messages to 13800000009 yet"},
				{"faults-empty", "/faults", "No fault is planned"},
				{"orders-empty", "/orders", "No orders yet"},
				{"seats-none", "/seats?world=looked-at", "Pick a showing"},
				{"seats", seatsPath(w, show), "ORDER-2"},
				{"orders", "/orders?world=looked-at&open=ticket:ORDER-1", "Journal entries of this order"},
				{"catalogue", "/catalogue?world=looked-at", "super card"},
				{"nowhere", "/no-such-page?world=looked-at", "Page not found"},
			} {
				if page.name == "journal" {
					page.reads = "drama.list"
				}
				f.open(page.path)
				f.sees(f.GetByRole("main").GetByText(page.reads).First())
				f.look(page.name, light, page.reads)
			}
		})
	}
}

// look examines the page at every screen size.
func (f *fixture) look(name, light, reads string) {
	f.Helper()
	for _, size := range sizes {
		f.Resize(f.T, size.width, size.height)
		if os.Getenv("MARQUEE_SCREENS") != "" { // the picture shows the visible part of the page
			f.must(f.Refresh())
			f.live()
			f.sees(f.GetByRole("main").GetByText(reads).First())
		}
		f.Settle(f.T)
		at := fmt.Sprintf("console-%s-%d-%s", name, size.width, light)
		if os.Getenv("MARQUEE_SCREENS") != "" {
			_, err := f.Screenshot(
				playwright.PageScreenshotOptions{
					FullPage: playwright.Bool(true),
					Path:     playwright.String("../artifacts/screens/" + at + ".png"),
				},
			)
			f.must(err)
		}
		for _, problem := range f.HorizontalOverflow(f.T) {
			f.Errorf("%s: wider than the screen: %s", at, problem)
		}
		var violations []string
		switch size.width {
		case 320:
			violations = f.AxeLayoutViolations(f.T)
		case 1280:
			violations = f.AxeViolations(f.T)
		}
		for _, problem := range violations {
			f.Errorf("%s: %s", at, problem)
		}
	}
}
