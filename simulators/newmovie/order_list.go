package newmovie

import (
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/ticketing"
)

// opOrderList is the operation of the order list.
const opOrderList = "order/list"

// listed is an order in order/list: fewer fields than in order/query.
type listed struct {
	No      string `json:"outOrderNo"`
	ID      string `json:"orderNo"`
	State   string `json:"state"`
	Amount  string `json:"amount"`    // yuan
	Created int64  `json:"createdAt"` // epoch seconds
}

// list is order/list: the orders whose seats were locked on a day, a page at a time, the oldest first.
func (o *orders) list(c call) ([]byte, *journal.Rejection) {
	day, err := time.ParseInLocation(time.DateOnly, c.query.Get("date"), dataset.Zone)
	if err != nil {
		return nil, malformed("date")
	}
	page, size, ok := ticketing.ReadPage(c.query.Get("pageNo"), c.query.Get("pageSize"))
	if !ok {
		return nil, malformed("pageNo, pageSize")
	}
	found, total := o.sales.OrdersOfDay(c.note, opOrderList, day, page, size)
	list := []listed{}
	for _, order := range found {
		list = append(list, listed{order.No, order.ID, states[order.State], yuan(order.Amount), order.Made().Unix()})
	}
	return success(map[string]any{"total": total, "list": list}), nil
}
