package httpapi

import (
	"context"
	"encoding/json"
	"strconv"

	"marquee/server/goods"
	"marquee/server/orders"
	"marquee/server/payment"
)

// cardOrder is a goods order as the specification has it.
type cardOrder struct {
	ID        string         `json:"id"`
	State     int            `json:"state"`
	StateText string         `json:"state_text"`
	Goods     boughtAnswer   `json:"kaquan"`
	Type      int            `json:"type"`
	Number    int            `json:"number"`
	Total     string         `json:"total_fee"`
	Account   string         `json:"phone"`
	Created   int64          `json:"add_time"`
	OrderNo   string         `json:"order_no"`
	Paid      string         `json:"fuli"`   // JSON text of what each card and the messaging app bear
	Class     int            `json:"ord_bs"` // 2: a goods order
	Expires   int64          `json:"expiretime"`
	Refunds   []refundAnswer `json:"refunds"`
}

type boughtAnswer struct {
	ID    string `json:"id"`
	SKU   string `json:"ggid"`
	Img   string `json:"img"`
	Title string `json:"title"`
	Spec  string `json:"gueige"`
	Ends  int64  `json:"end_time"`
}

var goodsStates = map[orders.State]string{
	orders.Pending: "待付款", orders.Cancelled: "已取消", orders.Expired: "超时未付", orders.Paid: "已支付，待发货", orders.Issuing: "充值处理中",
	orders.Issued: "已完成", orders.IssueFailed: "发货失败，退款中", orders.Refunded: "已退款",
}

func newCardOrder(d orders.Details) cardOrder {
	o, b := d.Order, d.Order.Snapshot.Goods
	return cardOrder{
		ID: o.No, State: dialects[o.State].number, StateText: goodsStates[o.State],
		Goods: boughtAnswer{
			strconv.FormatInt(b.GoodsID, 10), strconv.FormatInt(b.SKUID, 10), b.ImageURL, b.Title, b.Spec, unix(b.EndsAt),
		},
		Type: int(b.Type), Number: b.Pieces, Total: o.Total.String(), Account: b.Account, Created: unix(o.CreatedAt), OrderNo: o.No,
		Paid: paidWith(d.Legs), Class: 2, Expires: unix(o.ExpiresAt), Refunds: each(d.Refunds, newRefundAnswer),
	}
}

// paidWith lists the legs as JSON text: the specification has a string where a list would do. The messaging app's
// id is "wx".
func paidWith(legs []payment.Leg) string {
	type part struct {
		ID    string `json:"id"`
		Price string `json:"price"`
		Title string `json:"title"`
	}
	text, err := json.Marshal(each(legs, func(l payment.Leg) part {
		id := "wx"
		if l.Kind == payment.ByCard {
			id = strconv.FormatInt(l.CardID, 10)
		}
		return part{id, l.Amount.String(), l.Title}
	}))
	if err != nil {
		return "[]" // strings cannot fail to be JSON
	}
	return string(text)
}

type codeAnswer struct {
	Num  string `json:"num"`
	Pass string `json:"pass"`
}

// cardOrderShow answers Dyorder/kqshow, with what paying it again takes.
func (h *handler) cardOrderShow(ctx context.Context, r *request) (any, error) {
	no := orderNo(r.form, "id")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	d, err := h.Orders.Order(ctx, r.user.ID, no)
	if err != nil {
		return nil, err
	}
	if d.Order.Kind != orders.Goods {
		return nil, orders.ErrOrderNotFound
	}
	var codes []goods.Code
	if d.Order.State == orders.Issued && d.Order.Snapshot.Goods.Type == goods.VirtualCode {
		if codes, err = h.Goods.CodesOf(ctx, no); err != nil {
			return nil, err
		}
	}
	openID, err := h.Accounts.OpenID(ctx, r.user.ID)
	return struct {
		Order       cardOrder    `json:"kqorder"`
		Codes       []codeAnswer `json:"xunika"`
		Time        int64        `json:"time"`
		HasPassword bool         `json:"has_password"`
		OpenID      string       `json:"openid"`
	}{
		newCardOrder(d), each(codes, func(c goods.Code) codeAnswer { return codeAnswer(c) }), h.Now().Unix(), r.user.HasPassword, openID,
	}, err
}

// ticketDetails refuses orders that are not for tickets as ones that are not there.
func ticketDetails(d orders.Details, err error) (orders.Details, error) {
	if err == nil && d.Order.Kind != orders.Ticket && d.Order.Kind != "" {
		err = orders.ErrOrderNotFound
	}
	return d, err
}

// anyOrder is an order in the shape of its kind.
func anyOrder(p orders.Page) func(orders.Order) any {
	return func(o orders.Order) any {
		if o.Kind == orders.Goods {
			return newCardOrder(p.Money[o.No])
		}
		return newTicketOrder(o)
	}
}
