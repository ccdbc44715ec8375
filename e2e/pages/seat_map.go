package pages

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/phone"
)

// SeatMap is the hall of a showing, of either source.
type SeatMap struct{ *Visit }

// OpenNotice opens the notice that has to be accepted before a purchase.
func (m SeatMap) OpenNotice() {
	m.press("确认选座")
	m.sees(m.dialog("购票须知").GetByText("不支持退票"))
}

// NoticeIsClosed waits until the notice before a purchase is closed.
func (m SeatMap) NoticeIsClosed() {
	m.must(expect.Locator(m.dialog("购票须知")).ToHaveCount(0))
}

// SeatMap waits for the hall.
func (v bookingPages) SeatMap() SeatMap {
	v.sees(v.role("grid", contains("座位图")))
	return SeatMap{v.Visit}
}

// Showing returns the showing of the hall.
func (m SeatMap) Showing() harness.Showing { return harness.ShowingAt(m.T, m.Phone.URL()) }

// Pick selects or deselects seats by their names, such as 5排6座.
func (m SeatMap) Pick(names ...string) {
	for _, name := range names {
		m.showAll()
		m.click(m.seat(name))
		m.awaitEnlarged()
	}
}

// awaitEnlarged waits until the hall has begun to enlarge itself after a tap. The hall does that in a timer after the
// next frame; the timer that is set here after the same frame runs later.
func (m SeatMap) awaitEnlarged() {
	_, err := m.Phone.Evaluate(`() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))`)
	m.must(err)
}

// showAll shows the entire hall. A wide hall opens enlarged, and a tap enlarges any hall.
func (m SeatMap) showAll() {
	all := m.button("显示全部座位")
	visible, err := all.IsVisible()
	m.must(err)
	if visible {
		m.click(all)
	}
}

// Best selects the best seats for a number of people, and returns them. Seats that were selected before are deselected.
func (m SeatMap) Best(people int) []string {
	best, chosen := m.button(strconv.Itoa(people)+"人"), m.role("button", startsWith("删除"))
	m.must(expect.Locator(best.Or(chosen).First()).ToBeVisible())
	for {
		n, err := chosen.Count()
		m.must(err)
		if n == 0 {
			break
		}
		m.click(chosen.First())
		m.must(expect.Locator(chosen).ToHaveCount(n - 1))
	}
	m.press(strconv.Itoa(people) + "人")
	return m.PickedBefore()
}

// PickedBefore waits until the page shows selected seats that were not tapped one by one, such as those of an earlier
// selection, and returns them.
func (m SeatMap) PickedBefore() []string {
	m.must(expect.Locator(m.chips()).Not().ToHaveCount(0))
	return m.Picked()
}

// Picked returns the names of the selected seats, which the page lists below the hall as chips. A tap marks the seat
// before its chip is rendered, so Picked waits until hall and chips agree.
func (m SeatMap) Picked() (names []string) {
	agreed, err := m.Phone.WaitForFunction(`() => {
		const labels = (selector) =>
			[...document.querySelectorAll(selector)].map((one) => one.getAttribute('aria-label'))
		const chips = labels('button[aria-label^="删除"]').flatMap((label) => label.slice('删除'.length).split('·'))
		const seats = labels('[role=gridcell][aria-selected=true]').map((label) => label.split('，')[0])
		return chips.toSorted().join() === seats.toSorted().join() && { chips }
	}`, nil)
	m.must(err)
	shown, err := agreed.JSONValue()
	m.must(err)
	for _, name := range shown.(map[string]any)["chips"].([]any) {
		names = append(names, name.(string))
	}
	return names
}

// Free returns the names of n free single seats in the same row.
func (m SeatMap) Free(n int) []string {
	free := m.role("gridcell", regexp.MustCompile(`^[^，]+，可选`))
	m.sees(free.First())
	var names []string
	for _, label := range m.names(free) {
		name := seatOf(label)
		if len(names) > 0 && row(names[0]) != row(name) {
			names = nil
		}
		if names = append(names, name); len(names) == n {
			return names
		}
	}
	require.Fail(m.T, "no row has so many free seats")
	return nil
}

func row(name string) string { r, _, _ := strings.Cut(name, "排"); return r }

// HasSold waits until a seat is shown as sold.
func (m SeatMap) HasSold(name string) {
	m.must(expect.Locator(m.seat(name)).ToHaveAttribute("aria-label", name+"，已售"))
}

// HasFree waits until a seat is shown as free.
func (m SeatMap) HasFree(name string) {
	m.must(expect.Locator(m.seat(name)).ToHaveAttribute("aria-label", regexp.MustCompile("^"+name+"，(情侣座，)?可选")))
}

// ShowArea highlights the seats of the first price area.
func (m SeatMap) ShowArea() {
	area := m.role("list", "价格区域").GetByRole("button").First()
	m.click(area)
	m.must(expect.Locator(area).ToHaveAttribute("aria-pressed", "true"))
}

// Submit confirms the selection, and accepts the notice before a purchase.
func (m SeatMap) Submit() {
	m.OpenNotice()
	m.click(m.agree())
}

// UnpaidOrder waits for the dialog about an unpaid order, which shows its film, time and seats, and counts down.
func (m SeatMap) UnpaidOrder(show harness.Listed, seats string) {
	dialog := m.role("alertdialog", "未支付订单")
	m.sees(dialog.GetByText(show.Film, exactly))
	m.sees(dialog.GetByText(show.Moment()))
	m.sees(dialog.GetByText(seats, exactly))
	m.sees(dialog.GetByRole("timer"))
}

// AskCancelUnpaidOrder presses the button that cancels the unpaid order, and leaves the confirmation dialog open.
func (m SeatMap) AskCancelUnpaidOrder() {
	m.click(m.role("alertdialog", "未支付订单").GetByRole("button", named("取消订单")))
	m.SeesText("座位将被释放，确定取消吗？")
}

// LeaveUnpaidOrder postpones the decision about the unpaid order.
func (m SeatMap) LeaveUnpaidOrder() {
	m.click(m.role("alertdialog", "未支付订单").GetByRole("button", named("稍后处理")))
	m.must(expect.Locator(m.text("您有未支付的订单")).Not().ToBeVisible())
}

// TrySubmit is Submit for a selection that is no longer available. The hall is refreshed every few seconds, so the page
// may report this before TrySubmit presses a button, or between its two buttons.
func (m SeatMap) TrySubmit() {
	submit, news := m.button("确认选座"), m.dialog("座位刚被选走").Or(m.button("换个场次"))
	m.sees(submit.Or(news).First())
	soon := playwright.LocatorClickOptions{Timeout: playwright.Float(float64(phone.Patience.Milliseconds()) / 12)}
	err := submit.Click(soon)
	if err == nil {
		err = m.agree().Click(soon)
	}
	if err != nil {
		m.sees(news.First())
	}
}

func (m SeatMap) agree() playwright.Locator {
	return m.dialog("购票须知").GetByRole("button", named(contains("同意并锁定座位")))
}

// Stopped waits until the page says that the sale has stopped.
func (m SeatMap) Stopped() {
	m.sees(m.button("换个场次"))
}

// LostSeats is the sheet that lists the chosen seats that others have taken.
type LostSeats struct{ SeatMap }

// LostSeats waits for the sheet.
func (m SeatMap) LostSeats() LostSeats {
	m.sees(m.dialog("座位刚被选走"))
	return LostSeats{m}
}

// AcceptOffer accepts the seats that are offered instead, and returns them.
func (r LostSeats) AcceptOffer() []string {
	offer := r.dialog("座位刚被选走").GetByRole("button", named(startsWith("换成")))
	text, err := offer.InnerText()
	r.must(err)
	r.click(offer)
	names, _, _ := strings.Cut(strings.TrimPrefix(text, "换成 "), "（")
	return strings.Split(names, "、")
}

// KeepOnly continues with only the chosen seats that are still free. names are these seats.
func (r LostSeats) KeepOnly(names ...string) {
	r.click(r.role("button", startsWith("只要 "+strings.Join(names, "、")+"（")))
}

// Lock submits and arrives at the payment.
func (m SeatMap) Lock() Payment {
	m.Submit()
	return m.Payment()
}

// Agree accepts the notice that OpenNotice has opened, and continues to the payment.
func (m SeatMap) Agree() Payment {
	m.click(m.agree())
	return m.Payment()
}

// AgreeIfAsked accepts the notice that OpenNotice has opened, unless the page is gone: the hall is refreshed every few
// seconds, and if the session has ended, that redirects to the login.
func (m SeatMap) AgreeIfAsked() {
	_, err := m.agree().EvaluateAll(`(buttons) => buttons.forEach((button) => button.click())`)
	m.must(err)
}

func (m SeatMap) seat(name string) playwright.Locator {
	return m.role("gridcell", startsWith(name+"，"))
}

func (m SeatMap) chips() playwright.Locator {
	return m.role("button", startsWith("删除"))
}

// FreeCouple returns one half of a free couples seat.
func (m SeatMap) FreeCouple() string {
	return m.firstOf(regexp.MustCompile(`^[^，]+，情侣座，可选`))
}

// FreeOfTwoAreas returns two free seats with different prices: the first one, and the first with another price.
func (m SeatMap) FreeOfTwoAreas() (one, other string) {
	free := m.role("gridcell", regexp.MustCompile(`^[^，]+，可选`))
	labels := m.names(free)
	price := func(label string) string { return label[strings.LastIndex(label, "，"):] }
	for _, label := range labels {
		if price(label) != price(labels[0]) {
			return seatOf(labels[0]), seatOf(label)
		}
	}
	require.Fail(m.T, "all seats cost the same")
	return "", ""
}

// FocusBest moves the keyboard focus to the seat that the hall recommends, and returns it.
func (m SeatMap) FocusBest() string {
	cell := m.Phone.Locator("[role=gridcell][tabindex='0']")
	m.must(cell.Focus())
	return seatOf(m.names(cell)[0])
}

// PressKeys presses keys, such as ArrowLeft, one after the other.
func (m SeatMap) PressKeys(keys ...string) {
	for _, key := range keys {
		m.must(m.Phone.Keyboard().Press(key))
	}
}

func (m SeatMap) firstOf(name *regexp.Regexp) string {
	found := m.role("gridcell", name)
	m.sees(found.First())
	return seatOf(m.names(found)[0])
}

func seatOf(label string) string { name, _, _ := strings.Cut(label, "，"); return name }
