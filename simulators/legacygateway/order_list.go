package legacygateway

import (
	"time"

	"marquee/simulators/journal"
	"marquee/simulators/ticketing"
)

// opOrderList is the operation of the order list.
const opOrderList = "order.list"

// listed is an order in order.list: fewer fields than in order.query.
type listed struct {
	No     string `json:"orderno"`
	ID     string `json:"orderid"`
	State  string `json:"state"`
	Amount int64  `json:"amount"`   // fen
	Locked int64  `json:"locktime"` // epoch seconds
}

// list is order.list: the orders whose seats were locked on a day, a page at a time, the oldest first.
func (o *orders) list(c call) ([]byte, *journal.Rejection) {
	if rejected := required(c.Values, "date"); rejected != nil {
		return nil, rejected
	}
	day, err := time.ParseInLocation(time.DateOnly, c.Get("date"), zone)
	if err != nil {
		return nil, journal.NewRejection("1006", "date格式错误")
	}
	page, size, ok := ticketing.ReadPage(c.Get("page"), c.Get("pagesize"))
	if !ok {
		return nil, journal.NewRejection("1006", "page或pagesize超出范围")
	}
	found, total := o.sales.OrdersOfDay(c.note, opOrderList, day, page, size)
	list := []listed{}
	for _, order := range found {
		list = append(list, listed{order.No, order.ID, states[order.State], order.Amount, order.Made().Unix()})
	}
	return success(map[string]any{"total": total, "page": page, "pagesize": size, "list": list}), nil
}
