package pages

import (
	"regexp"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// Orders is the list of a buyer's orders.
type Orders struct{ *Visit }

// Orders waits for the list.
func (v bookingPages) Orders() Orders {
	v.At("/orderInfo")
	v.sees(v.role("tablist", contains("订单状态")))
	return Orders{v.Visit}
}

// Tab chooses which orders are shown: 全部, 待付款, 待使用, 已完成.
func (o Orders) Tab(name string) Orders {
	o.chooseTab(o.role("tab", startsWith(name)))
	return o
}

// OnTab waits until a tab is chosen.
func (o Orders) OnTab(name string) { o.onTab(o.role("tab", startsWith(name))) }

// Count waits until the tab shows n orders.
func (o Orders) Count(n int) {
	o.must(expect.Locator(o.Phone.GetByRole("article")).ToHaveCount(n))
}

// Open opens the newest order.
func (o Orders) Open() Order {
	o.click(o.Phone.GetByRole("article").First().GetByRole("link"))
	return o.Order()
}

// Order is the page of an order.
type Order struct{ *Visit }

// Order waits for the page of an order.
func (v bookingPages) Order() Order {
	v.At("/orderpage")
	v.sees(v.role("heading", "订单信息"))
	return Order{v.Visit}
}

// ID is the order's number.
func (o Order) ID() string { return o.Query("id") }

// HasState waits until the order is in the state.
func (o Order) HasState(state string) {
	o.sees(o.role("heading", state))
}

// ShowsTicket waits for the electronic ticket with its QR code and the seats.
func (o Order) ShowsTicket(seats ...string) {
	o.HasState("已出票")
	o.ShowsKeptTicket(seats...)
}

// ShowToStaff fills the screen with the codes of the ticket.
func (o Order) ShowToStaff() {
	o.press("全屏出示")
	o.sees(o.dialog("出示电子票"))
}

// ShowsKeptTicket waits for the ticket that the phone has stored. Of an order, a phone stores only the ticket, so the
// other parts of the page may be missing.
func (o Order) ShowsKeptTicket(seats ...string) {
	ticket := o.role("region", contains("电子票"))
	o.sees(ticket.GetByRole("img", named(startsWith("取票二维码"))))
	for _, seat := range seats {
		o.sees(ticket.GetByText(seat, exactly))
	}
}

// StoredTickets waits for the list of the tickets that the phone has stored, and returns their texts in order.
func (v bookingPages) StoredTickets() (texts []string) {
	v.SeesText("以下是保存在本机的电子票")
	links := v.storedTickets()
	v.sees(links.First())
	texts, err := links.AllInnerTexts()
	v.must(err)
	return texts
}

func (v bookingPages) storedTickets() playwright.Locator {
	return v.role("region", "本机电子票").GetByRole("link")
}

// OpenStored opens a ticket of the list that StoredTickets returns.
func (v bookingPages) OpenStored(index int) Order {
	v.click(v.storedTickets().Nth(index))
	v.At("/orderpage")
	return Order{v.Visit}
}

// KeepsTickets waits until the phone has stored count tickets.
func (v bookingPages) KeepsTickets(count int) {
	_, err := v.Phone.WaitForFunction(`(count) => Object.entries(localStorage).some(([name, text]) =>
		name.startsWith('own tickets') && JSON.parse(text).length === count)`, count)
	v.must(err)
}

// Refunded waits until the order shows that a payer (微信支付, a card) has been refunded.
func (o Order) Refunded(title string) {
	o.sees(o.Phone.GetByRole("listitem").
		Filter(playwright.LocatorFilterOptions{HasText: contains(title)}).
		Filter(playwright.LocatorFilterOptions{HasText: contains("已退回")}))
}

// PayFirst goes to the payment of the newest order.
func (o Orders) PayFirst() Payment {
	o.click(o.first("去支付"))
	return o.Payment()
}

// CancelFirst cancels the newest order.
func (o Orders) CancelFirst() {
	o.click(o.first("取消订单"))
	o.Confirm("取消订单", "取消订单")
}

// PayFirstGoods opens the payment of the newest order, which must be an order of goods.
func (o Orders) PayFirstGoods() Payment {
	o.click(o.first("去支付"))
	return o.PaySheet()
}

// FirstCountsDown waits until the newest order shows the time left to pay.
func (o Orders) FirstCountsDown() {
	o.sees(o.Phone.GetByRole("article").First().GetByRole("timer"))
}

// OpenTicket advances the clock until the ticket of the newest order is issued, and opens the ticket.
func (o Orders) OpenTicket() Order {
	o.Stack.AdvanceClock(5 * time.Second)
	o.click(o.first("查看电子票"))
	return o.Order()
}

// BookAgain goes from the newest order to the seats of its showing.
func (o Orders) BookAgain() SeatMap {
	o.click(o.first("重新选座"))
	return o.SeatMap()
}

// BookAgain goes from the ended order to the seats of its showing.
func (o Order) BookAgain() SeatMap {
	o.press("重新选座")
	return o.SeatMap()
}

// ReadsTips expands the text that the shop sends with the order, and waits until it is visible.
func (o Order) ReadsTips() {
	tips := o.Phone.GetByRole("group").Filter(playwright.LocatorFilterOptions{HasText: "温馨提示"})
	o.click(tips.GetByText("温馨提示"))
	o.must(expect.Locator(tips.Locator("p").First()).ToBeVisible())
}

// BuyAgain goes from the newest order to its goods or showings.
func (o Orders) BuyAgain() { o.click(o.first("再次购买")) }

func (o Orders) first(button string) playwright.Locator {
	return o.Phone.GetByRole("article").First().GetByRole("button", named(button))
}

// Cancel cancels the order, which releases its seats.
func (o Order) Cancel() {
	o.press("取消订单")
	o.Confirm("取消订单", "取消订单")
}

// AskCancel is Cancel up to the confirmation dialog.
func (o Order) AskCancel() {
	o.press("取消订单")
	o.SeesText("座位将被释放，确定取消吗？")
}

// OpensTicketPage opens the provider's page of the ticket, and waits until the browser goes to the address.
func (o Order) OpensTicketPage(address string) {
	o.press("查看影院电子票")
	at := regexp.MustCompile("^" + regexp.QuoteMeta(address))
	o.must(expect.Page(o.Phone.Page).ToHaveURL(at))
}
