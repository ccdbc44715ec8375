package legacygateway

import (
	"context"
	"fmt"
	"strconv"

	"marquee/server/money"
	"marquee/server/providers/ticketing"
	"marquee/server/reconcile"
)

// OrderList implements reconcile.Statement: the orders whose seats were locked on a day, in their current states. The
// specification has no such call; simulators/legacygateway/README.md describes the one assumed here.
func (c *Client) OrderList(ctx context.Context, day reconcile.Day, each func(reconcile.Row) error) (err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "order_list")
	defer end(&err)
	type list = ticketing.OrderListJSON[orderJSON]
	return ticketing.EachOrder(func(number int) (ticketing.OrderPage, error) {
		fields := map[string]string{
			"date": string(day), "page": strconv.Itoa(number), "pagesize": strconv.Itoa(ticketing.ListPage),
		}
		return query(ctx, c, "order.list", fields, func(l list) (ticketing.OrderPage, error) {
			return l.Page(orderJSON.listed)
		})
	}, each)
}

// listed converts an order of the list. It fails if the number is missing, the state is unknown or the amount is
// invalid.
func (o orderJSON) listed() (ticketing.Listed, error) {
	state, known := states[o.State]
	if !known || o.Amount == nil || *o.Amount < 0 || o.OrderNo == "" {
		return ticketing.Listed{}, fmt.Errorf("order %q in state %q", o.OrderNo, o.State)
	}
	return ticketing.Listed{OrderNo: o.OrderNo, ProviderNo: o.OrderID, State: state, Amount: money.Fen(*o.Amount)}, nil
}
