package stage

import (
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// GoodsOf is the id of the demo goods with the title.
func (s *Stage) GoodsOf(title string) string {
	s.T.Helper()
	var page struct{ List []struct{ ID, Title string } }
	require.NoError(s.T, s.call("", "/Kaquan/lists", map[string]string{"pagesize": "100"}, &page))
	for _, one := range page.List {
		if one.Title == title {
			return one.ID
		}
	}
	require.Fail(s.T, "no goods called "+title)
	return ""
}

// skuOf is the id of the first specification of the goods.
func (s *Stage) skuOf(title string) string {
	s.T.Helper()
	var shown struct{ List []struct{ ID string } }
	require.NoError(s.T, s.call("", "/Kaquan/show", map[string]string{"id": s.GoodsOf(title)}, &shown))
	require.NotEmpty(s.T, shown.List)
	return shown.List[0].ID
}

// Stock says how many of a specification there are, by the back office's name for it.
func (s *Stage) Stock(sku string, pieces int) {
	s.T.Helper()
	require.NoError(s.T, s.Shop.Goods().SetStock(s.T.Context(), sku, pieces, "stage"))
}

// Voucher is a virtual code that was bought.
type Voucher struct{ Num, Pass string }

// CardOrder is an order of goods as the shop answers it.
type CardOrder struct {
	ID, Account, Paid string
	State             int
	Codes             []Voucher
	Refunds           []Line
}

// CardOrder reads an order of goods over HTTP.
func (b *Buyer) CardOrder(id string) CardOrder {
	b.s.T.Helper()
	var shown struct {
		Order struct {
			ID, Phone, Fuli string
			State           int
			Refunds         []Line
		} `json:"kqorder"`
		Codes []Voucher `json:"xunika"`
	}
	b.must(b.s.call(b.Token, "/Dyorder/kqshow", map[string]string{"id": id}, &shown))
	o := shown.Order
	return CardOrder{o.ID, o.Phone, o.Fuli, o.State, shown.Codes, o.Refunds}
}

// CardOrderReaches lets business time pass until an order of goods has the state and no refund is on its way.
func (b *Buyer) CardOrderReaches(id string, state int) (o CardOrder) {
	b.s.T.Helper()
	b.s.Eventually("goods order "+id+" is settled", func() bool {
		o = b.CardOrder(id)
		settled := o.State == state
		for _, r := range o.Refunds {
			settled = settled && r.State == "done"
		}
		if !settled {
			b.s.AdvanceClock(2 * time.Second)
		}
		return settled
	})
	return o
}

// CardOrders are the numbers of the buyer's orders of goods, newest first.
func (b *Buyer) CardOrders() (ids []string) {
	b.s.T.Helper()
	var page struct {
		List []struct {
			ID    string
			Class int `json:"ord_bs"`
		}
	}
	b.must(b.s.call(b.Token, "/Dyorder/order", map[string]string{"type": "0", "pageno": "1", "pagesize": "100"}, &page))
	for _, o := range page.List {
		if o.Class == 2 {
			ids = append(ids, o.ID)
		}
	}
	return ids
}

// BuyGoods buys the first specification over HTTP with the buyer's cards, for an account where there is one.
func (b *Buyer) BuyGoods(title, account string) (order string) {
	b.s.T.Helper()
	sku := b.s.skuOf(title)
	var cards struct {
		List []struct{ ID string } `json:"card_list"`
	}
	b.must(b.s.call(b.Token, "/Film/card", map[string]string{"ggid": sku}, &cards))
	var ids []string
	for _, card := range cards.List {
		ids = append(ids, card.ID)
	}
	var paid struct {
		OrderNo string `json:"order_no"`
	}
	b.must(b.s.call(b.Token, "/Film/flkpay", map[string]string{
		"ggid": sku, "number": "1", "position": "1", "phone": account, "ka_ids": strings.Join(ids, ","), "pass": PaymentPassword,
	}, &paid))
	return paid.OrderNo
}

// OrderGoods orders the first specification over HTTP for the messaging app, and leaves it unpaid.
func (b *Buyer) OrderGoods(title, account string) (order string) {
	b.s.T.Helper()
	var opened struct {
		OrderNo string `json:"order_no"`
	}
	b.must(b.s.call(b.Token, "/Kaquan/wxpay", map[string]string{
		"ggid": b.s.skuOf(title), "number": "1", "position": "1", "phone": account, "openid": b.OpenID,
	}, &opened))
	return opened.OrderNo
}
