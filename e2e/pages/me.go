package pages

import (
	"strconv"

	"github.com/mxschmitt/playwright-go"

	"marquee/e2e/stage"
)

// Me is the buyer's own page.
type Me struct{ *Visit }

// Me waits for it.
func (v *Visit) Me() Me {
	v.T.Helper()
	v.At("/personCenter")
	v.sees(v.button("退出登录"))
	return Me{v}
}

// IsPhone waits until the page shows whose it is: 138****0000.
func (m Me) IsPhone(number string) { m.T.Helper(); m.Reads(number[:3] + "****" + number[7:]) }

// HasOrders waits until so many orders are counted: 待付款, 待使用, 已完成.
func (m Me) HasOrders(tab string, n int) {
	m.T.Helper()
	m.sees(m.link(tab + " " + strconv.Itoa(n) + " 单"))
}

// Open goes where a line of the page leads: 我的福利卡, 绑定福利卡, 支付密码, …
func (m Me) Open(line string) {
	m.T.Helper()
	m.must(m.Phone.GetByRole("button", playwright.PageGetByRoleOptions{Name: startsWith(line)}).Click())
}

// LogOut ends the session.
func (m Me) LogOut() {
	m.T.Helper()
	m.press("退出登录")
	m.Confirm("是否退出？", "确定")
	m.Hears("退出登录成功")
}

// BindCard is where a card is bound.
type BindCard struct{ *Visit }

// BindCard waits for it.
func (v *Visit) BindCard() BindCard {
	v.T.Helper()
	v.At("/bindingCard")
	v.sees(v.button("立即绑定"))
	return BindCard{v}
}

// Submit fills the form in and sends it.
func (b BindCard) Submit(card stage.Card) {
	b.T.Helper()
	b.fill("卡号", card.Number)
	b.fill("密码", card.Password)
	b.press("立即绑定")
}

// WelfareCards is the list of a buyer's cards.
type WelfareCards struct{ *Visit }

// WelfareCards waits for it.
func (v *Visit) WelfareCards() WelfareCards {
	v.T.Helper()
	v.At("/securitycards")
	v.sees(v.Phone.GetByRole("tablist", playwright.PageGetByRoleOptions{Name: "福利卡"}))
	return WelfareCards{v}
}

// Tab chooses between 可使用 and 不可用.
func (w WelfareCards) Tab(name string) {
	w.T.Helper()
	w.must(w.Phone.GetByRole("tab", playwright.PageGetByRoleOptions{Name: name}).Click())
}

// Shows waits until a card is in the list.
func (w WelfareCards) Shows(card stage.Card) {
	w.T.Helper()
	w.Reads(card.Number[:4] + " " + card.Number[4:8] + " " + card.Number[8:12] + " " + card.Number[12:])
}

// First waits until a card leads the list.
func (w WelfareCards) First(card stage.Card) {
	w.T.Helper()
	first := w.Phone.GetByRole("tabpanel").GetByRole("listitem").First()
	w.must(expect.Locator(first).ToContainText(card.Number[12:]))
}

// Bind goes to where another card is bound.
func (w WelfareCards) Bind() { w.T.Helper(); w.press("绑定") }

// AskLogOut is LogOut up to the question.
func (m Me) AskLogOut() { m.T.Helper(); m.press("退出登录"); m.Reads("是否退出？") }

// ChooseAvatar picks a picture for the buyer.
func (m Me) ChooseAvatar(name, mime string, content []byte) {
	m.T.Helper()
	field := m.Phone.GetByLabel("更换头像", playwright.PageGetByLabelOptions{Exact: playwright.Bool(true)})
	m.must(field.SetInputFiles([]playwright.InputFile{{Name: name, MimeType: mime, Buffer: content}}))
}

// ShowsAvatar waits until the buyer's picture is the one of the address, and has come.
func (m Me) ShowsAvatar(address string) {
	m.T.Helper()
	_, err := m.Phone.WaitForFunction(`(address) => [...document.images].some((image) =>
		image.getAttribute('src') === address && image.complete && image.naturalWidth > 0)`, address)
	m.must(err)
}
