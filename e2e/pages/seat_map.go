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

// AskToAgree opens the notice that has to be known before a purchase.
func (m SeatMap) AskToAgree() {
	m.press("确认选座")
	m.sees(m.dialog("购票须知"))
}

// LeftNotice waits until the notice is closed.
func (m SeatMap) LeftNotice() {
	m.must(expect.Locator(m.dialog("购票须知")).ToHaveCount(0))
}

// SeatMap waits for the hall.
func (v bookingPages) SeatMap() SeatMap {
	v.sees(v.role("grid", contains("座位图")))
	return SeatMap{v.Visit}
}

// Showing is what the hall is shown for.
func (m SeatMap) Showing() harness.Showing { return harness.ShowingAt(m.T, m.Phone.URL()) }

// Pick chooses seats, or gives chosen ones back, by name: 5排6座.
func (m SeatMap) Pick(names ...string) {
	for _, name := range names {
		m.showAll()
		m.click(m.seat(name))
	}
}

// showAll shows the whole hall. A wide one opens enlarged, and a tap enlarges any.
func (m SeatMap) showAll() {
	all := m.button("显示全部座位")
	visible, err := all.IsVisible()
	m.must(err)
	if visible {
		m.click(all)
	}
}

// Best asks for the best seats for so many people, and says which they are. Seats that were chosen before are given
// back.
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

// PickedBefore waits until seats are chosen without a tap on them, and says which.
func (m SeatMap) PickedBefore() []string {
	m.must(expect.Locator(m.chips()).Not().ToHaveCount(0))
	return m.Picked()
}

// Picked are the chosen seats, by their chips. A seat answers the finger first and its chip follows: what the hall
// shows and what the chips say has to become the same.
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

// Free are single seats that can be had, of one row each, so that any of them go together.
func (m SeatMap) Free(n int) []string {
	free := m.role("gridcell", regexp.MustCompile(`^[^，]+，可选`))
	m.sees(free.First())
	var names []string
	for _, label := range m.names(free) {
		name, rest, _ := strings.Cut(label, "，")
		if len(names) > 0 && row(names[0]) != row(name) {
			names = nil
		}
		if names = append(names, name); len(names) == n {
			return names
		}
		_ = rest
	}
	require.Fail(m.T, "no row has so many free seats")
	return nil
}

func row(name string) string { r, _, _ := strings.Cut(name, "排"); return r }

// HasSold waits until a seat is shown as sold.
func (m SeatMap) HasSold(name string) {
	m.must(expect.Locator(m.seat(name)).ToHaveAttribute("aria-label", name+"，已售"))
}

// HasFree waits until a seat is shown as one that can be had.
func (m SeatMap) HasFree(name string) {
	m.must(expect.Locator(m.seat(name)).ToHaveAttribute("aria-label", regexp.MustCompile("^"+name+"，(情侣座，)?可选")))
}

// ShowArea makes the seats of the first price area stand out.
func (m SeatMap) ShowArea() {
	area := m.role("list", "价格区域").GetByRole("button").First()
	m.click(area)
	m.must(expect.Locator(area).ToHaveAttribute("aria-pressed", "true"))
}

// Submit confirms the choice, and agrees to what has to be known before a purchase.
func (m SeatMap) Submit() {
	m.press("确认选座")
	m.sees(m.dialog("购票须知").GetByText("不支持退票"))
	m.click(m.agree())
}

// UnpaidOrder waits for the question about an unpaid order, which names its film, its time and its seats and counts
// down.
func (m SeatMap) UnpaidOrder(show harness.Listed, seats string) {
	dialog := m.role("alertdialog", "未支付订单")
	m.sees(dialog.GetByText(show.Film, exactly))
	m.sees(dialog.GetByText(show.Moment()))
	m.sees(dialog.GetByText(seats, exactly))
	m.sees(dialog.GetByRole("timer"))
}

// AskCancelUnpaidOrder asks to cancel the unpaid order, up to the question whether that is meant.
func (m SeatMap) AskCancelUnpaidOrder() {
	m.click(m.role("alertdialog", "未支付订单").GetByRole("button", named("取消订单")))
	m.SeesText("座位将被释放，确定取消吗？")
}

// LeaveUnpaidOrder closes the question without an answer.
func (m SeatMap) LeaveUnpaidOrder() {
	m.click(m.role("alertdialog", "未支付订单").GetByRole("button", named("稍后处理")))
	m.must(expect.Locator(m.text("您有未支付的订单")).Not().ToBeVisible())
}

// TrySubmit is Submit for a choice that is lost by now. The hall looks at its seats every few seconds: the news may
// come before any button is reached, or between two of them.
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

// Stopped waits until the hall says that nothing is sold any more.
func (m SeatMap) Stopped() {
	m.sees(m.button("换个场次"))
}

// LostSeats is the sheet that says which chosen seats are gone.
type LostSeats struct{ SeatMap }

// LostSeats waits for the sheet.
func (m SeatMap) LostSeats() LostSeats {
	m.sees(m.dialog("座位刚被选走"))
	return LostSeats{m}
}

// AcceptOffer takes the seats offered instead, and says which.
func (r LostSeats) AcceptOffer() []string {
	offer := r.dialog("座位刚被选走").GetByRole("button", named(startsWith("换成")))
	text, err := offer.InnerText()
	r.must(err)
	r.click(offer)
	names, _, _ := strings.Cut(strings.TrimPrefix(text, "换成 "), "（")
	return strings.Split(names, "、")
}

// KeepOnly keeps the seats that are left.
func (r LostSeats) KeepOnly(names ...string) {
	r.click(r.role("button", startsWith("只要 "+strings.Join(names, "、")+"（")))
}

// Lock submits and arrives at the payment.
func (m SeatMap) Lock() Payment {
	m.Submit()
	return m.Payment()
}

// Agree agrees to what ReadNotice has opened, and arrives at the payment.
func (m SeatMap) Agree() Payment {
	m.click(m.agree())
	return m.Payment()
}

// AgreeIfAsked agrees to what ReadNotice has opened, unless the page is gone: the hall is read every few seconds, and a
// session that has ended ends it, too.
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

// ReadNotice opens what has to be known before a purchase.
func (m SeatMap) ReadNotice() {
	m.press("确认选座")
	m.sees(m.dialog("购票须知").GetByText("不支持退票"))
}

// FreeCouple is one half of a couples seat that can be had.
func (m SeatMap) FreeCouple() string {
	return m.firstOf(regexp.MustCompile(`^[^，]+，情侣座，可选`))
}

// FreeOfTwoAreas are two seats that can be had and cost differently: the first one, and the first of another price.
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

// FocusBest brings the keyboard to the seat that the hall recommends, and says which it is.
func (m SeatMap) FocusBest() string {
	cell := m.Phone.Locator("[role=gridcell][tabindex='0']")
	m.must(cell.Focus())
	return seatOf(m.names(cell)[0])
}

// Keys presses keys.
func (m SeatMap) Keys(keys ...string) {
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
