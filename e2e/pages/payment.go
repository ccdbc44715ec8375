package pages

import (
	"fmt"
	"net/url"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/store/postgres/pgserver"
)

// Payment is the payment page of an order.
type Payment struct{ *Visit }

// payText matches the text of the pay button. It is 去微信支付 outside of the messaging app, if that has to pay.
var payText = regexp.MustCompile(`^(确认支付|去微信支付)$`)

// Payment waits until the payment page is shown, and returns it.
func (v bookingPages) Payment() Payment {
	v.At("/paymentpage")
	v.sees(v.role("button", payText))
	return Payment{v.Visit}
}

// Order is the order's number.
func (p Payment) Order() string { return p.Query("order") }

// UseCards replaces the chosen cards by these, in this order.
func (p Payment) UseCards(cards ...harness.Card) {
	p.click(p.role("button", startsWith("福利卡")))
	sheet := p.dialog("选择福利卡")
	p.sees(sheet.GetByRole("checkbox").First())
	for _, chosen := range p.names(sheet.Locator("input:checked")) {
		// Click the row of the card, because the checkbox itself is hidden. The click waits until the sheet stops
		// moving.
		row := sheet.Locator("label").Filter(playwright.LocatorFilterOptions{Has: p.role("checkbox", chosen)})
		p.click(row)
		p.must(expect.Locator(sheet.GetByRole("checkbox", named(chosen))).Not().ToBeChecked())
	}
	for _, card := range cards {
		tail := card.Number[len(card.Number)-4:]
		p.click(sheet.GetByText("尾号" + tail))
		box := sheet.GetByRole("checkbox", named(contains("尾号"+tail)))
		p.must(expect.Locator(box).ToBeChecked())
	}
	p.click(sheet.GetByRole("button", named("确定")))
}

// HasChosenCards waits until n cards are chosen, and the page shows what they pay: 85.80.
func (p Payment) HasChosenCards(n int, pays string) {
	p.sees(p.role("button", contains(fmt.Sprintf("已选 %d 张", n))))
	p.SeesText("−¥" + pays)
}

// NeedsApp waits until the row of the messaging app says that the payment continues in the messaging app.
func (p Payment) NeedsApp() {
	app := p.role("region", "支付方式").Locator("label").Filter(playwright.LocatorFilterOptions{HasText: "微信支付"})
	p.must(expect.Locator(app).ToContainText("需在微信中打开"))
}

// ShowsSuggestion waits until the page explains why the cards are suggested, and the sheet shows what they pay: 85.80.
func (p Payment) ShowsSuggestion(pays string) {
	p.sees(p.text("已优先选用最早到期的福利卡，可点击更改"))
	p.OpenCards()
	sheet := p.dialog("选择福利卡")
	p.sees(sheet.GetByText("已抵 ¥" + pays))
	p.sees(sheet.GetByText("已足额", exactly))
	p.click(sheet.GetByRole("button", named("确定")))
}

// CopyLink copies the link that continues in the messaging app, and returns its path and query. The QR code next to it
// contains the same link.
func (p Payment) CopyLink() string {
	p.Pay()
	sheet, code := p.LedToApp()
	p.must(p.Phone.Context.GrantPermissions([]string{"clipboard-read", "clipboard-write"}))
	p.press("复制链接")
	p.SeesToast("已复制到剪贴板")
	link, err := p.Phone.Evaluate("navigator.clipboard.readText()")
	p.must(err)
	drawn, err := code.Locator("path").Last().GetAttribute("d")
	p.must(err)
	require.Equal(p.T, qrModules(p.T, link.(string)), drawn, "the QR code holds another text than the link")
	p.click(sheet.GetByRole("button", named("关闭")))
	at, err := url.Parse(link.(string))
	p.must(err)
	return at.RequestURI()
}

// qrModules returns the dark modules of the QR code of a text, as the path that the page's library draws.
func qrModules(t *testing.T, text string) string {
	root, err := pgserver.ModuleRoot()
	require.NoError(t, err)
	cmd := exec.Command("node", "--input-type=module", "--eval", `
		import { createElement } from 'react'
		import { renderToStaticMarkup } from 'react-dom/server'
		import { QRCodeSVG } from 'qrcode.react'
		const code = createElement(QRCodeSVG, { value: process.argv[1], level: 'M', marginSize: 2 })
		console.log([...renderToStaticMarkup(code).matchAll(/ d="([^"]*)"/g)].at(-1)[1])`, text)
	cmd.Dir = root
	modules, err := cmd.Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(modules))
}

// LedToApp waits for the sheet that continues in the messaging app, and returns it with its QR code.
func (v *Visit) LedToApp() (sheet, code playwright.Locator) {
	sheet = v.dialog("请使用微信打开进行支付")
	code = sheet.GetByRole("img", named(contains("在微信中继续支付的二维码")))
	v.sees(code)
	return sheet, code
}

// Pay presses the pay button.
func (p Payment) Pay() { p.click(p.role("button", payText)) }

// PasswordLocked waits for the sheet that says that the payment password is locked and offers to reset it.
func (p Payment) PasswordLocked() playwright.Locator {
	sheet := p.dialog("支付密码已锁定")
	p.sees(sheet.GetByText("密码错误次数过多，请30分钟后再试"))
	p.sees(sheet.GetByRole("link", named("忘记密码")))
	return sheet
}

// AwaitsPassword waits until the field of the payment password has the focus.
func (p Payment) AwaitsPassword() {
	p.must(expect.Locator(p.field("支付密码")).ToBeFocused())
}

// PayWithoutCards switches to a payment without cards on the sheet of the locked password.
func (p Payment) PayWithoutCards() {
	p.click(p.PasswordLocked().GetByRole("button", named(startsWith("改用微信支付"))))
}

// ForgetPassword goes from the sheet of the locked password to the page that sets another one.
func (p Payment) ForgetPassword() {
	p.click(p.PasswordLocked().GetByRole("link", named("忘记密码")))
}

// TypePassword types the payment password on the sheet that asks for it.
func (p Payment) TypePassword(password string) {
	sheet := p.dialog("请输入支付密码")
	p.sees(sheet)
	for _, digit := range password {
		p.click(sheet.GetByRole("button", named(string(digit))))
	}
}

// PayByCards pays with cards that cover everything.
func (p Payment) PayByCards(password string, cards ...harness.Card) {
	p.UseCards(cards...)
	p.sees(p.Phone.GetByText("无需支付"))
	p.Pay()
	p.TypePassword(password)
}

// ShowsLegs waits until the payment methods show what the cards pay, 10.00, and what the messaging app pays, ¥69.80.
func (p Payment) ShowsLegs(points string, rest *regexp.Regexp) {
	ways := p.role("region", "支付方式")
	p.must(expect.Locator(ways.GetByRole("list", named("福利卡抵扣"))).ToContainText(points))
	app := ways.Locator("label").Filter(playwright.LocatorFilterOptions{HasText: "微信支付"})
	p.must(expect.Locator(app).ToContainText(rest))
}

// PayFor opens the payment of an order.
func (v bookingPages) PayFor(order string) Payment {
	v.Open("/paymentpage?order=" + order)
	return v.Payment()
}

// UsesApp waits until the messaging app is chosen as a payment method.
func (p Payment) UsesApp() {
	p.must(expect.Locator(p.role("checkbox", startsWith("微信支付"))).ToBeChecked())
}

// DeselectApp switches off the messaging app, which is chosen at first.
func (p Payment) DeselectApp() {
	p.UsesApp()
	p.click(p.text("微信支付"))
}

// PayAgain presses the pay button after the page has returned from the messaging app.
func (p Payment) PayAgain() {
	p.must(expect.Locator(p.role("button", payText)).ToBeEnabled())
	p.Pay()
}

// OpenCards opens the sheet to choose cards.
func (p Payment) OpenCards() {
	p.click(p.role("button", startsWith("福利卡")))
	p.sees(p.dialog("选择福利卡").GetByRole("checkbox").First())
}
