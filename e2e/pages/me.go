package pages

import (
	"strconv"

	"github.com/mxschmitt/playwright-go"

	"marquee/e2e/harness"
)

// Me is the buyer's page.
type Me struct{ *Visit }

// Me waits until that page is shown, and returns it.
func (v accountPages) Me() Me {
	v.At("/personCenter")
	v.sees(v.button("退出登录"))
	return Me{v.Visit}
}

// ShowsPhone waits until the page shows the buyer's number: 138****0000.
func (m Me) ShowsPhone(number string) { m.SeesText(number[:3] + "****" + number[7:]) }

// HasOrders waits until the count of a tab is n: 待付款, 待使用, 已完成.
func (m Me) HasOrders(tab string, n int) {
	m.sees(m.link(tab + " " + strconv.Itoa(n) + " 单"))
}

// Open follows a line of the page: 我的福利卡, 绑定福利卡, 支付密码, …
func (m Me) Open(line string) {
	m.click(m.role("button", startsWith(line)).Or(m.role("link", startsWith(line))))
}

// LogOut logs out, confirms the dialog, and waits for the toast.
func (m Me) LogOut() {
	m.press("退出登录")
	m.Confirm("是否退出？", "确定")
	m.SeesToast("退出登录成功")
}

// BindCard is the page to bind a card.
type BindCard struct{ *Visit }

// BindCard waits until the page to bind a card is shown, and returns it.
func (v cardPages) BindCard() BindCard {
	v.At("/bindingCard")
	v.sees(v.button("立即绑定"))
	return BindCard{v.Visit}
}

// Fill fills the form in.
func (b BindCard) Fill(card harness.Card) {
	b.fill("卡号", card.Number)
	b.fill("密码", card.Password)
}

// Submit fills the form in and sends it.
func (b BindCard) Submit(card harness.Card) {
	b.Fill(card)
	b.press("立即绑定")
}

// WelfareCards is the list of a buyer's cards.
type WelfareCards struct{ *Visit }

// WelfareCards waits until the list of the buyer's cards is shown, and returns it.
func (v cardPages) WelfareCards() WelfareCards {
	v.At("/securitycards")
	v.sees(v.role("tablist", contains("福利卡")))
	return WelfareCards{v.Visit}
}

// Tab chooses between 可使用, 不可用 and 卡合并, and which of the usable cards are listed: 全部, 即将过期.
func (w WelfareCards) Tab(name string) {
	w.chooseTab(w.role("tab", contains(name)))
}

// OnTab waits until a tab is chosen.
func (w WelfareCards) OnTab(name string) { w.onTab(w.role("tab", contains(name))) }

// Shows waits until a card is in the list.
func (w WelfareCards) Shows(card harness.Card) { w.SeesText(grouped(card.Number)) }

// First waits until a card is the first one in the list.
func (w WelfareCards) First(card harness.Card) {
	first := w.Phone.GetByRole("tabpanel").GetByRole("listitem").First()
	w.must(expect.Locator(first).ToContainText(card.Number[12:]))
}

// Bind goes to the page to bind another card.
func (w WelfareCards) Bind() { w.press("绑定") }

// AskLogOut is LogOut up to the confirmation dialog.
func (m Me) AskLogOut() { m.press("退出登录"); m.SeesText("是否退出？") }

// ChooseAvatar picks a picture for the buyer.
func (m Me) ChooseAvatar(name, mime string, content []byte) {
	field := m.field("更换头像")
	m.must(field.SetInputFiles([]playwright.InputFile{{Name: name, MimeType: mime, Buffer: content}}))
}

// ShowsAvatar waits until the buyer's picture has this address and is loaded.
func (m Me) ShowsAvatar(address string) {
	_, err := m.Phone.WaitForFunction(`(address) => [...document.images].some((image) =>
		image.getAttribute('src') === address && image.complete && image.naturalWidth > 0)`, address)
	m.must(err)
}
