package pages

import (
	"regexp"

	"github.com/mxschmitt/playwright-go"

	"marquee/e2e/stage"
)

// Payment is the page where an order is paid.
type Payment struct{ *Visit }

// Payment waits for it.
func (v *Visit) Payment() Payment {
	v.T.Helper()
	v.At("/paymentpage")
	v.sees(v.button("确认支付"))
	return Payment{v}
}

// Order is the order's number.
func (p Payment) Order() string { p.T.Helper(); return p.Query("order") }

// UseCards chooses cards to pay with.
func (p Payment) UseCards(cards ...stage.Card) {
	p.T.Helper()
	p.must(p.Phone.GetByRole("button", playwright.PageGetByRoleOptions{Name: startsWith("福利卡")}).Click())
	sheet := p.dialog("选择福利卡")
	for _, card := range cards {
		tail := card.Number[len(card.Number)-4:]
		p.must(sheet.GetByText("尾号" + tail).Click())
		box := sheet.GetByRole("checkbox", playwright.LocatorGetByRoleOptions{Name: contains("尾号" + tail)})
		p.must(expect.Locator(box).ToBeChecked())
	}
	p.must(sheet.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "确定", Exact: playwright.Bool(true)}).Click())
}

// Pay presses the button.
func (p Payment) Pay() { p.T.Helper(); p.press("确认支付") }

// TypePassword types the payment password on the sheet that asks for it.
func (p Payment) TypePassword(password string) {
	p.T.Helper()
	sheet := p.dialog("请输入支付密码")
	p.sees(sheet)
	for _, digit := range password {
		p.must(sheet.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: string(digit), Exact: playwright.Bool(true)}).Click())
	}
}

// PayByCards pays with cards that cover everything.
func (p Payment) PayByCards(password string, cards ...stage.Card) {
	p.T.Helper()
	p.UseCards(cards...)
	p.sees(p.Phone.GetByText("无需支付"))
	p.Pay()
	p.TypePassword(password)
}

// Owes waits until the bar at the bottom says who pays what: 福利卡 10.00 点 + 微信支付 ¥69.80.
func (p Payment) Owes(parts *regexp.Regexp) {
	p.T.Helper()
	p.sees(p.Phone.GetByText(parts))
}

// PayFor opens the payment of an order.
func (v *Visit) PayFor(order string) Payment {
	v.T.Helper()
	v.Open("/paymentpage?order=" + order)
	return v.Payment()
}

// UseApp chooses the messaging app to pay with.
func (p Payment) UseApp() {
	p.T.Helper()
	p.must(p.Phone.GetByText("微信支付", playwright.PageGetByTextOptions{Exact: playwright.Bool(true)}).Click())
	p.must(expect.Locator(p.Phone.GetByRole("checkbox", playwright.PageGetByRoleOptions{Name: startsWith("微信支付")})).ToBeChecked())
}

// PayAgain presses the button once the page has come back from the messaging app, until the sheet opens.
func (p Payment) PayAgain() {
	p.T.Helper()
	p.must(expect.Locator(p.button("确认支付")).ToBeEnabled())
	p.Pay()
}

// OpenCards opens the sheet where cards are chosen.
func (p Payment) OpenCards() {
	p.T.Helper()
	p.must(p.Phone.GetByRole("button", playwright.PageGetByRoleOptions{Name: startsWith("福利卡")}).Click())
	p.sees(p.dialog("选择福利卡").GetByRole("checkbox").First())
}
