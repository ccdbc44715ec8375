package httpapi

import (
	"encoding/json"

	"marquee/server/order"
)

// GoodsOrder is an order of goods: the specification's CardOrder (entity-cardorder).
type GoodsOrder struct {
	ID        string      `json:"id"`                          // the order's number
	State     int         `json:"state" enum:"0,1,2,4,7,8,11"` // the same numbers as those of newmovie ticket orders
	StateText string      `json:"state_text"`                  // what buyers see of the state
	Goods     BoughtGoods `json:"kaquan"`                      // what was bought
	Type      int         `json:"type" enum:"1,2"`             // 1 recharges an account, 2 delivers codes
	Number    int         `json:"number"`                      // pieces
	Total     string      `json:"total_fee"`                   // yuan
	Account   string      `json:"phone"`                       // the account that was recharged; "" if hidden
	Created   int64       `json:"add_time"`                    // unix seconds
	OrderNo   string      `json:"order_no"`                    // the order's number
	// JSON text of [{id,price,title}]: what each card paid, and, with the id "wx", what the messaging app paid
	Paid     string   `json:"fuli"`
	Class    int      `json:"ord_bs" enum:"2"`  // 2, a goods order
	Expires  int64    `json:"expiretime"`       // unix seconds, until when it can be paid
	Refunds  []Refund `json:"refunds"`          // the refunds of its payments
	Checking bool     `json:"checking"`         // a payment may have taken money, and the shop is checking it
	Hidden   bool     `json:"hidden,omitempty"` // codes and account are not shown before /Login/confirm
}

// BoughtGoods are the goods of an order as they were when it was made.
type BoughtGoods struct {
	ID    string `json:"id"`       // the id of the goods
	SKU   string `json:"ggid"`     // the id of the SKU
	Img   string `json:"img"`      // the address of the picture
	Title string `json:"title"`    // the name that buyers see
	Spec  string `json:"gueige"`   // the size or the duration
	Ends  int64  `json:"end_time"` // unix seconds, until when the goods can be used; 0 if that is not limited
}

// goodsStateText is what the app shows for the states of a goods order.
var goodsStateText = map[order.State]string{
	order.Pending:     "待付款",
	order.Cancelled:   "已取消",
	order.Expired:     "超时未付",
	order.Paid:        "已支付，待发货",
	order.Issuing:     "充值处理中",
	order.Issued:      "已完成",
	order.IssueFailed: "发货失败，退款中",
	order.Refunded:    "已退款",
}

// newGoodsOrder converts a goods order. Its states have the numbers that newmovie ticket orders have.
func newGoodsOrder(r *request, d order.Details) GoodsOrder {
	o, b := d.Order, d.Order.Snapshot.Goods
	shown := GoodsOrder{
		ID: o.No, State: statusOf[o.State].number, StateText: goodsStateText[o.State],
		Goods: BoughtGoods{
			idText(b.GoodsID), idText(b.SKUID), b.ImageURL, b.Title, b.Spec, unix(b.EndsAt),
		},
		Type: int(b.Type), Number: b.Pieces, Total: o.Total.String(), Account: b.Account, Hidden: r.hides(o),
		Created: unix(o.CreatedAt), OrderNo: o.No, Paid: paidWith(r, d.Legs), Class: 2,
		Expires: unix(o.ExpiresAt), Refunds: newRefunds(r, d.Refunds), Checking: d.Checking,
	}
	if shown.Hidden {
		shown.Account = ""
	}
	return shown
}

// paidWith returns the payment legs as the JSON text of a list, which is what the specification's field fuli holds.
// The messaging app has the id "wx".
func paidWith(r *request, legs []order.Leg) string {
	type part struct {
		ID    string `json:"id"`
		Price string `json:"price"`
		Title string `json:"title"`
	}
	text, err := json.Marshal(each(legs, func(l order.Leg) part {
		id := "wx"
		if l.Kind == order.ByCard {
			id = idText(l.CardID)
		}
		return part{id, l.Amount.String(), payerTitle(r, l.Kind, l.Title)}
	}))
	if err != nil {
		return "[]" // unreachable: strings can always be encoded
	}
	return string(text)
}
