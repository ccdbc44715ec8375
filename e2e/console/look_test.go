package console

import (
	"fmt"
	"os"
	"testing"

	"github.com/mxschmitt/playwright-go"

	"marquee/e2e/phone"
	"marquee/simulators/script"
)

// sizes are the screens on which every page is examined.
var sizes = []struct{ width, height int }{{320, 640}, {390, 844}, {1280, 800}, {1440, 900}}

func TestConsole_EveryPageOnEveryScreenByDayAndNight(t *testing.T) {
	t.Parallel()
	for light, dark := range map[string]bool{"day": false, "night": true} {
		t.Run(light, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, phone.Options{Desktop: true, Dark: dark, ReducedMotion: true})
			w := r.world("looked-at")
			_, err := w.Faults().
				Add(script.Fault{Provider: "gateway", Operation: "drama.list", Do: "error", Code: "9999", Times: 1})
			r.must(err)
			_, err = w.Faults().
				Add(script.Fault{Provider: "wechat", Operation: "notify", Do: "notify-delay", DelayS: 60, Skip: 2})
			r.must(err)
			_, err = w.Faults().
				AddStub(script.Stub{Provider: "wechat", Path: "/v3/profitsharing/*", Answer: script.StubAnswer{Status: 204}})
			r.must(err)
			show, free := r.showing(w)
			r.gateway(w, nil, "city.list")
			r.gateway(w, nil, "drama.list")
			r.lock(w, "ORDER-1", show, free[0])
			r.lock(w, "ORDER-2", show, free[4])
			r.gateway(
				w,
				func(sign string) string { return sign[:7] + "--" + sign[9:] },
				"seat.lock",
				"orderno",
				"ORDER-3",
			)
			r.text(w, "13800000001", "246810")
			last := w.Journal().Last()
			for _, page := range []struct{ name, path, reads string }{
				{"overview", "/?world=looked-at", "looked-at"},
				{"clock", "/clock?world=looked-at", "15 minutes"},
				{"faults", "/faults?world=looked-at", "used up"},
				{"stubs", "/stubs?world=looked-at", "/v3/profitsharing/*"},
				{"webhooks", "/webhooks?world=looked-at", "Only the shop gets webhooks"},
				{"journal", "/journal?world=looked-at", "film.hot"},
				{"journal-signature", fmt.Sprintf("/journal?world=looked-at&entry=%d", last-1), "They differ"},
				{"journal-empty", "/journal?world=looked-at&contains=nothing", "No call fits"},
				{"inbox", "/inbox?world=looked-at", "246810"},
				{"inbox-empty", "/inbox?world=looked-at&phone=13800000009", "No message to 13800000009 yet"},
				{"faults-empty", "/faults", "Nothing goes wrong"},
				{"orders-empty", "/orders", "No orders yet"},
				{"seats-none", "/seats?world=looked-at", "Pick a showing"},
				{"seats", seatsPath(w, show), "ORDER-2"},
				{"orders", "/orders?world=looked-at&open=ticket:ORDER-1", "The calls about it"},
				{"catalogue", "/catalogue?world=looked-at", "super card"},
				{"nowhere", "/no-such-page?world=looked-at", "No such page"},
			} {
				if page.name == "journal" {
					page.reads = "drama.list"
				}
				r.open(page.path)
				r.sees(r.GetByRole("main").GetByText(page.reads).First())
				r.look(page.name, light, page.reads)
			}
		})
	}
}

// look examines the page on every screen.
func (r *rig) look(name, light, reads string) {
	r.Helper()
	for _, size := range sizes {
		r.must(r.SetViewportSize(size.width, size.height))
		if os.Getenv("MARQUEE_SCREENS") != "" { // the picture shows the visible part of the page
			_, err := r.Reload()
			r.must(err)
			r.live()
			r.sees(r.GetByRole("main").GetByText(reads).First())
		}
		r.Settle(r.T)
		at := fmt.Sprintf("console-%s-%d-%s", name, size.width, light)
		if os.Getenv("MARQUEE_SCREENS") != "" {
			_, err := r.Screenshot(
				playwright.PageScreenshotOptions{
					FullPage: playwright.Bool(true),
					Path:     playwright.String("../artifacts/screens/" + at + ".png"),
				},
			)
			r.must(err)
		}
		for _, problem := range r.HorizontalOverflow(r.T) {
			r.Errorf("%s: wider than the screen: %s", at, problem)
		}
		if size.width == 320 || size.width == 1280 {
			for _, problem := range r.AxeViolations(r.T) {
				r.Errorf("%s: %s", at, problem)
			}
		}
	}
}
