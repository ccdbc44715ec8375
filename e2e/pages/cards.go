package pages

import (
	"strings"

	"github.com/mxschmitt/playwright-go"

	"marquee/e2e/harness"
)

// cardPages opens the pages of welfare cards.
type cardPages struct{ *Visit }

// grouped is a card's number as it is printed: 8019 9999 1000 0001.
func grouped(number string) string {
	var b strings.Builder
	for i, digit := range number {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(digit)
	}
	return b.String()
}

// Cards opens the list of the buyer's cards.
func (v cardPages) Cards() WelfareCards {
	v.Open("/securitycards")
	return v.WelfareCards()
}

// Open goes to the page of a card.
func (w WelfareCards) Open(card harness.Card) CardPage {
	w.click(w.Phone.GetByRole("link").Filter(playwright.LocatorFilterOptions{HasText: grouped(card.Number)}))
	return w.CardPage()
}

// Sort presses the button with the name of the sort order, which switches to the next one.
func (w WelfareCards) Sort(order string) { w.press(order) }

// Pick selects or deselects cards to merge.
func (w WelfareCards) Pick(cards ...harness.Card) {
	for _, card := range cards {
		w.click(w.Phone.GetByText("尾号" + card.Number[12:]))
	}
}

// Picked waits until the bar at the bottom shows that n cards are selected.
func (w WelfareCards) Picked(n string) { w.SeesText("已选 " + n + " 张") }

// AskMerge presses the button that opens the dialog before a merge.
func (w WelfareCards) AskMerge() { w.press("合并") }

// Preview waits until the dialog before a merge contains the texts.
func (w WelfareCards) Preview(texts ...string) {
	dialog := w.role("alertdialog", contains("确认合并福利卡"))
	w.sees(dialog)
	for _, text := range texts {
		w.sees(dialog.GetByText(text, exactly))
	}
}

// Merge confirms the dialog before a merge.
func (w WelfareCards) Merge() { w.Confirm("确认合并福利卡", "确认合并") }

// CardPage is the page of a card.
type CardPage struct{ *Visit }

// CardPage waits until the page of a card is shown, and returns it.
func (v cardPages) CardPage() CardPage {
	v.At("/cardinfo")
	v.sees(v.button("更多操作"))
	return CardPage{v.Visit}
}

// CardOf opens a card's page by its address.
func (v cardPages) CardOf(id string) CardPage {
	v.Open("/cardinfo?cardid=" + id)
	return v.CardPage()
}

// Shows waits until the page shows the card's number and points.
func (c CardPage) Shows(card harness.Card, points string) {
	c.SeesText(grouped(card.Number))
	c.must(expect.Locator(c.Phone.GetByRole("main")).ToContainText(points + " 点"))
}

// HasCode waits for the codes that the card is used with.
func (c CardPage) HasCode() {
	c.sees(c.role("img", contains("卡片条形码")))
	c.sees(c.role("img", contains("卡片二维码")))
}

// HasNoCode waits until the card's page shows no code.
func (c CardPage) HasNoCode() {
	c.must(expect.Locator(c.role("region", contains("卡码"))).ToHaveCount(0))
}

// Records goes to 消费记录 or 充值记录.
func (c CardPage) Records(title string) Records {
	c.press(title)
	return c.Visit.Records(title)
}

// Recharge goes to the page to recharge the card.
func (c CardPage) Recharge() Recharge {
	c.press("充值")
	return c.Visit.Recharge()
}

// ShowToStaff fills the screen with the card's bar code.
func (c CardPage) ShowToStaff() {
	c.press("全屏显示条形码")
	code := c.dialog("条形码").GetByRole("img", named("全屏条形码"))
	c.must(expect.Locator(code).ToBeInViewport(playwright.LocatorAssertionsToBeInViewportOptions{
		Ratio: playwright.Float(0.9),
	}))
}

// OpenMenu opens the menu with the rare actions of a card.
func (c CardPage) OpenMenu() {
	c.press("更多操作")
	c.sees(c.dialog("更多操作"))
}

// AskDelete presses the button that deletes the card.
func (c CardPage) AskDelete() {
	c.press("更多操作")
	c.press("删除卡片")
}

// Delete deletes the card.
func (c CardPage) Delete() {
	c.AskDelete()
	c.Confirm("确定删除这张卡？", "删除")
}

// Records is one of a card's two lists of records: 消费记录 or 充值记录.
type Records struct{ *Visit }

// Records waits until the list with the title is shown, and returns it.
func (v cardPages) Records(title string) Records {
	v.sees(v.role("heading", title))
	return Records{v.Visit}
}

// Count waits until so many records are shown.
func (r Records) Count(n int) {
	r.must(expect.Locator(r.Phone.GetByRole("main").GetByRole("listitem")).ToHaveCount(n))
}

// Shown is how many records are shown now.
func (r Records) Shown() int {
	n, err := r.Phone.GetByRole("main").GetByRole("listitem").Count()
	r.must(err)
	return n
}

// ScrollToEnd scrolls to the end of the page until all records are shown. Each time, the list grows by ten.
func (r Records) ScrollToEnd(all int) {
	for shown := r.Shown(); shown < all; {
		_, err := r.Phone.Evaluate("() => window.scrollTo(0, document.documentElement.scrollHeight)")
		r.must(err)
		shown = min(shown+10, all)
		r.must(expect.Locator(r.Phone.GetByRole("main").GetByRole("listitem").Nth(shown - 1)).ToBeAttached())
	}
	r.Count(all)
	r.SeesText("没有更多了")
}

// Shows waits until a record is in the list, by its name and its points with their sign.
func (r Records) Shows(name, points string) {
	row := r.Phone.GetByRole("listitem").Filter(playwright.LocatorFilterOptions{HasText: name}).
		Filter(playwright.LocatorFilterOptions{HasText: points})
	r.sees(row.First())
}
