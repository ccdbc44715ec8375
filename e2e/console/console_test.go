package console

import (
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/e2e/phone"
	"marquee/simulators"
)

var exact = playwright.PageGetByLabelOptions{Exact: playwright.Bool(true)}

// onBoth runs a test in a desktop browser and on a phone.
func onBoth(t *testing.T, test func(*fixture), tolerate ...string) {
	t.Parallel()
	for name, opts := range map[string]phone.Options{"laptop": {Desktop: true}, "phone": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts.Tolerate = tolerate
			test(newFixture(t, opts))
		})
	}
}

// made returns the world that the console has created.
func (f *fixture) made(id string) *simulators.World {
	f.Helper()
	for _, w := range f.sims.Worlds() {
		if w.ID() == id {
			return w
		}
	}
	f.Fatalf("there is no world %s", id)
	return nil
}

func TestConsole_ATesterMakesAWorldPlansAFaultAndSeesItStrike(t *testing.T) {
	onBoth(t, func(f *fixture) {
		f.open("/")
		f.fill("Id", "tester-1")
		f.fill("Seed", "7")
		f.must(f.GetByLabel("Freeze the clock until it is resumed; it can still be advanced").Check())
		f.sees(f.GetByText(`{"id":"tester-1","seed":7,"frozen":true}`))
		f.press("Create")
		f.must(expect.Page(f.Page).ToHaveURL(f.sims.URL() + "/?world=tester-1"))
		f.live()
		w := f.made("tester-1")

		f.visit("Faults")
		f.choose("Provider", "gateway")
		f.choose("Operation", "city.list")
		f.must(f.GetByRole("radio", playwright.PageGetByRoleOptions{Name: "error"}).First().Check())
		f.fill("Code", "9999")
		f.press("Plan the fault")
		f.sees(f.GetByText("0 hits"))

		require.Contains(f, f.gateway(w, nil, "city.list"), "9999")
		f.sees(f.GetByText("1 hit", playwright.PageGetByTextOptions{Exact: playwright.Bool(true)}))
		f.sees(f.GetByText("used up"))

		f.visit("Journal")
		entries := f.named("list", "Calls")
		require.NoError(f, expect.Locator(entries.GetByRole("listitem")).ToHaveCount(1))
		f.gateway(w, nil, "film.hot", "cityid", "310100")
		require.NoError(f, expect.Locator(entries.GetByRole("listitem")).ToHaveCount(2), "as it happens")
		f.must(entries.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "city.list"}).Click())
		f.sees(f.GetByText("#1 error"))
		f.sees(f.GetByText(`"code": "9999"`))
	})
}

func TestConsole_WhatIsWrongWithASignature(t *testing.T) {
	onBoth(t, func(f *fixture) {
		w := f.world("signed")
		f.open("/journal?world=signed&verdict=refused")
		f.gateway(w, func(sign string) string { return sign[:4] + "----" + sign[8:] }, "city.list")
		f.must(f.named("list", "Calls").GetByRole("button").Click())
		f.sees(f.GetByText("The first difference is at character 5."))
		f.must(f.GetByLabel("Paste the text that your client signed, to compare").Fill("appkey1"))
		f.sees(f.GetByText("Text your client signed"))
	})
}

func TestConsole_TheClockIsMovedAndLocksRunOut(t *testing.T) {
	onBoth(t, func(f *fixture) {
		w := f.world("timed")
		show, free := f.showing(w)
		f.open(seatsPath(w, show))
		seat := func(name, state string) playwright.Locator {
			return f.GetByRole("button", playwright.PageGetByRoleOptions{Name: name + ", " + state + ","})
		}
		f.sees(seat(free[0].Name, "free"))
		f.lock(w, "ORDER-1", show, free[0])
		f.sees(seat(free[0].Name, "locked"))
		f.sees(f.GetByText("15 min left"))

		f.must(seat(free[3].Name, "free").Click())
		f.press("Sell 1 seat to another buyer")
		f.sees(seat(free[3].Name, "sold to another buyer"))
		assert.Contains(
			f,
			f.gateway(
				w,
				nil,
				"seat.lock",
				"orderno",
				"ORDER-2",
				"opiid",
				show.ID,
				"seatids",
				free[3].ID,
				"mobile",
				"13900000001",
			),
			"3001",
		)

		f.visit("Clock")
		f.sees(f.GetByRole("main").GetByText("10:00:00"))
		f.press("15 minutes")
		f.sees(f.GetByRole("main").GetByText("10:15:00"))

		f.visit("Orders")
		f.must(f.named("list", "Orders").GetByRole("button").Click())
		f.sees(f.named("list", "History").GetByText("expired"))
		f.must(f.GetByRole("link", playwright.PageGetByRoleOptions{Name: show.Film.Name}).Click())
		f.sees(seat(free[0].Name, "free"))
	})
}

func TestConsole_AMessageAppearsWithItsCode(t *testing.T) {
	onBoth(t, func(f *fixture) {
		w := f.world("texted")
		f.open("/inbox?world=texted")
		f.sees(f.GetByText("No messages yet."))
		f.text(w, "13800000001", "246810")
		require.NoError(f, expect.Locator(f.GetByLabel("Latest code", exact)).ToHaveText("246810"))
		f.text(w, "13800000002", "135790")
		require.NoError(f, expect.Locator(f.GetByLabel("Latest code", exact)).ToHaveText("135790"))
		f.fill("Mobile number", "13800000001")
		require.NoError(f, expect.Locator(f.GetByLabel("Latest code", exact)).ToHaveText("246810"))
		assert.True(f, strings.HasSuffix(f.URL(), "phone=13800000001"), f.URL())
	})
}

func TestConsole_ReportsThatAWorldHasEnded(t *testing.T) {
	onBoth(t, func(f *fixture) {
		f.world("brief")
		f.open("/clock?world=brief")
		f.made("brief").Close()
		f.sees(f.GetByText("has ended or does not exist"))
	}, "404")
}
