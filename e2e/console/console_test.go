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
func onBoth(t *testing.T, test func(*rig), tolerate ...string) {
	t.Parallel()
	for name, opts := range map[string]phone.Options{"laptop": {Desktop: true}, "phone": {}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts.Tolerate = tolerate
			test(newRig(t, opts))
		})
	}
}

// made returns the world that the console has created.
func (r *rig) made(id string) *simulators.World {
	r.Helper()
	for _, w := range r.sims.Worlds() {
		if w.ID() == id {
			return w
		}
	}
	r.Fatalf("there is no world %s", id)
	return nil
}

func TestConsole_ATesterMakesAWorldPlansAFaultAndSeesItStrike(t *testing.T) {
	onBoth(t, func(r *rig) {
		r.open("/")
		r.fill("Id", "tester-1")
		r.fill("Seed", "7")
		r.must(r.GetByLabel("Its clock stands until it is advanced or resumed").Check())
		r.sees(r.GetByText(`{"id":"tester-1","seed":7,"frozen":true}`))
		r.press("Create")
		r.must(r.WaitForURL("**/?world=tester-1"))
		r.live()
		w := r.made("tester-1")

		r.visit("Faults")
		r.choose("Provider", "gateway")
		r.choose("Operation", "city.list")
		r.must(r.GetByRole("radio", playwright.PageGetByRoleOptions{Name: "error"}).First().Check())
		r.fill("Code", "9999")
		r.press("Plan it")
		r.sees(r.GetByText("0 hits"))

		require.Contains(r, r.gateway(w, nil, "city.list"), "9999")
		r.sees(r.GetByText("1 hit", playwright.PageGetByTextOptions{Exact: playwright.Bool(true)}))
		r.sees(r.GetByText("used up"))

		r.visit("Journal")
		entries := r.named("list", "Calls")
		require.NoError(r, expect.Locator(entries.GetByRole("listitem")).ToHaveCount(1))
		r.gateway(w, nil, "film.hot", "cityid", "310100")
		require.NoError(r, expect.Locator(entries.GetByRole("listitem")).ToHaveCount(2), "as it happens")
		r.must(entries.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "city.list"}).Click())
		r.sees(r.GetByText("#1 error"))
		r.sees(r.GetByText(`"code": "9999"`))
	})
}

func TestConsole_WhatIsWrongWithASignature(t *testing.T) {
	onBoth(t, func(r *rig) {
		w := r.world("signed")
		r.open("/journal?world=signed&verdict=refused")
		r.gateway(w, func(sign string) string { return sign[:4] + "----" + sign[8:] }, "city.list")
		r.must(r.named("list", "Calls").GetByRole("button").Click())
		r.sees(r.GetByText("They differ from character 5 on."))
		r.must(r.GetByLabel("Paste the text that your client signed, to compare").Fill("appkey1"))
		r.sees(r.GetByText("Text your client signed"))
	})
}

func TestConsole_TheClockIsMovedAndLocksRunOut(t *testing.T) {
	onBoth(t, func(r *rig) {
		w := r.world("timed")
		show, free := r.showing(w)
		r.open(seatsPath(w, show))
		seat := func(name, state string) playwright.Locator {
			return r.GetByRole("button", playwright.PageGetByRoleOptions{Name: name + ", " + state + ","})
		}
		r.sees(seat(free[0].Name, "free"))
		r.lock(w, "ORDER-1", show, free[0])
		r.sees(seat(free[0].Name, "locked"))
		r.sees(r.GetByText("15 min left"))

		r.must(seat(free[3].Name, "free").Click())
		r.press("Sell 1 seat to another buyer")
		r.sees(seat(free[3].Name, "sold to others"))
		assert.Contains(
			r,
			r.gateway(
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

		r.visit("Clock")
		r.sees(r.GetByRole("main").GetByText("10:00:00"))
		r.press("15 minutes")
		r.sees(r.GetByRole("main").GetByText("10:15:00"))

		r.visit("Orders")
		r.must(r.named("list", "Orders").GetByRole("button").Click())
		r.sees(r.named("list", "What became of it").GetByText("expired"))
		r.must(r.GetByRole("link", playwright.PageGetByRoleOptions{Name: show.Film.Name}).Click())
		r.sees(seat(free[0].Name, "free"))
	})
}

func TestConsole_AMessageAppearsWithItsCode(t *testing.T) {
	onBoth(t, func(r *rig) {
		w := r.world("texted")
		r.open("/inbox?world=texted")
		r.sees(r.GetByText("No message yet."))
		r.text(w, "13800000001", "246810")
		require.NoError(r, expect.Locator(r.GetByLabel("Latest code", exact)).ToHaveText("246810"))
		r.text(w, "13800000002", "135790")
		require.NoError(r, expect.Locator(r.GetByLabel("Latest code", exact)).ToHaveText("135790"))
		r.fill("Mobile number", "13800000001")
		require.NoError(r, expect.Locator(r.GetByLabel("Latest code", exact)).ToHaveText("246810"))
		assert.True(r, strings.HasSuffix(r.URL(), "phone=13800000001"), r.URL())
	})
}

func TestConsole_AWorldThatEndsIsSaid(t *testing.T) {
	onBoth(t, func(r *rig) {
		r.world("brief")
		r.open("/clock?world=brief")
		r.made("brief").Close()
		r.sees(r.GetByText("ended, or never was"))
	}, "404")
}
