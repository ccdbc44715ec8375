package pages

import (
	"strings"

	"github.com/mxschmitt/playwright-go"
)

// goodsPages opens the pages of goods.
type goodsPages struct{ *Visit }

// Members is the home of the member area.
type Members struct{ *Visit }

// Members waits until the home of the member area is shown, and returns it.
func (v goodsPages) Members() Members {
	v.At("/memberindex")
	v.sees(v.role("navigation", contains("会员分类")))
	return Members{v.Visit}
}

// Enter follows the link to all goods of 音乐会员, 阅读会员 or 充值中心.
func (m Members) Enter(entry string) GoodsList {
	m.click(m.role("link", entry+"，全部"))
	return m.GoodsList(entry)
}

// Category opens one of the categories.
func (m Members) Category(name string) GoodsList {
	classes := m.role("navigation", contains("会员分类"))
	m.click(classes.GetByRole("link", named(name)))
	return m.GoodsList("会员分类")
}

// GoodsList is a list of goods.
type GoodsList struct{ *Visit }

// GoodsList waits for the list under the heading.
func (v goodsPages) GoodsList(heading string) GoodsList {
	v.sees(v.Phone.GetByRole("heading", playwright.PageGetByRoleOptions{Name: heading, Level: playwright.Int(1)}))
	v.sees(v.Phone.GetByRole("listitem").GetByRole("link").First())
	return GoodsList{v.Visit}
}

// Tab chooses the goods to show: 阅读教育, 网络工具, or a category.
func (l GoodsList) Tab(name string) {
	l.chooseTab(l.role("tab", name))
}

// More opens the sheet with all categories.
func (l GoodsList) More() {
	l.press("更多分类")
	l.sees(l.dialog("全部分类"))
}

// MoreTo opens the sheet with all categories and chooses one.
func (l GoodsList) MoreTo(name string) {
	l.More()
	l.click(l.dialog("全部分类").GetByRole("button", named(name)))
	l.must(expect.Locator(l.role("tab", name)).ToHaveAttribute("aria-selected", "true"))
}

// Has waits until goods are in the list.
func (l GoodsList) Has(title string) {
	l.sees(l.Phone.GetByRole("listitem").GetByRole("link", named(startsWith(title))))
}

// Open opens goods of the list.
func (l GoodsList) Open(title string) Goods {
	l.click(l.Phone.GetByRole("listitem").GetByRole("link", named(startsWith(title))))
	return l.Goods(title)
}

// Goods is the page of goods.
type Goods struct{ *Visit }

// Goods waits for the page of the goods.
func (v goodsPages) Goods(title string) Goods {
	v.At("/couponsDetail")
	v.sees(v.role("heading", title))
	return Goods{v.Visit}
}

// OpenGoods opens the page of the demo goods with the title.
func (v goodsPages) OpenGoods(title string) Goods {
	v.Open("/couponsDetail?id=" + v.Stack.Catalog.GoodsOf(title))
	return v.Goods(title)
}

// Buy opens the sheet with the specifications.
func (g Goods) Buy() {
	g.press("立即购买")
	g.sees(g.dialog("选择规格"))
}

// BuyWithoutSession is Buy for a visitor without a session, who is redirected to the login.
func (g Goods) BuyWithoutSession() { g.press("立即购买") }

// Specification chooses a specification of the goods, by its name.
func (g Goods) Specification(name string) {
	g.click(g.dialog("选择规格").GetByText(name, exactly).First())
}

// Account enters the account to recharge.
func (g Goods) Account(account string) { g.fill("充值账号", account) }

// ToPayment continues from the specification.
func (g Goods) ToPayment() { g.press("去支付") }

// Pay continues to the payment sheet.
func (g Goods) Pay() Payment {
	g.ToPayment()
	return g.PaySheet()
}

// SoldOut waits until the goods are shown as sold out.
func (g Goods) SoldOut() {
	g.SeesText("已售罄")
	g.must(expect.Locator(g.button("立即购买")).ToHaveCount(0))
}

// PaySheet waits for the payment sheet of goods, which is operated like the payment page.
func (v goodsPages) PaySheet() Payment {
	v.sees(v.dialog("订单支付"))
	v.must(expect.Locator(v.role("button", payText)).ToBeEnabled())
	return Payment{v.Visit}
}

// CardOrder is the page of an order of goods.
type CardOrder struct{ *Visit }

// CardOrder waits until the page of an order of goods is shown, and returns it.
func (v goodsPages) CardOrder() CardOrder {
	v.At("/cardorderinfo")
	v.sees(v.role("heading", "订单信息"))
	return CardOrder{v.Visit}
}

// OpenGoods opens the newest order of the list, which must be an order of goods.
func (o Orders) OpenGoods() CardOrder {
	o.click(o.Phone.GetByRole("article").First().GetByRole("link"))
	return o.CardOrder()
}

// ID is the order's number.
func (o CardOrder) ID() string { return o.Query("id") }

// HasState waits until the order is in the state.
func (o CardOrder) HasState(state string) {
	o.sees(o.role("heading", state))
}

// ShowsCode waits until a bought code is shown with its password or link.
func (o CardOrder) ShowsCode(num, pass string) {
	codes := o.role("region", contains("卡密信息"))
	o.sees(codes.GetByText(num, exactly))
	if strings.HasPrefix(pass, "https://") {
		o.must(expect.Locator(codes.GetByRole("link", named("去兑换"))).ToHaveAttribute("href", pass))
		return
	}
	o.sees(codes.GetByText(pass, exactly))
}

// Copy copies a part of a code to the clipboard: 卡号, 密码, 链接.
func (o CardOrder) Copy(name string) {
	o.click(o.role("button", startsWith("复制"+name)).First())
}

// Pay opens the payment sheet of the unpaid order.
func (o CardOrder) Pay() Payment {
	o.press("去支付")
	return o.PaySheet()
}

// BuyAgain goes from the ended order to its goods.
func (o CardOrder) BuyAgain() { o.press("再次购买") }

// Cancel cancels the order.
func (o CardOrder) Cancel() {
	o.press("取消订单")
	o.Confirm("取消订单", "取消订单")
}

// Refunded waits until the order shows that a payer (微信支付, a card) has been refunded.
func (o CardOrder) Refunded(title string) { Order(o).Refunded(title) }

// Tile follows a tile of the home page.
func (h Home) Tile(title string) {
	h.click(h.role("link", startsWith(title)))
}

// Members goes to the member area.
func (h Home) Members() { h.click(h.link("会员福利")) }
