package newmovie

import (
	"context"
	"fmt"
	"strconv"

	"marquee/server/money"
	"marquee/server/providers/ticketing"
	"marquee/server/reconcile"
)

// OrderList implements reconcile.Statement: the orders whose seats were locked on a day, in their present states. The
// specification does not name such a call; simulators/newmovie/README.md describes the one assumed here.
func (c *Client) OrderList(ctx context.Context, day reconcile.Day, each func(reconcile.Row) error) error {
	type listJSON struct {
		Total *int        `json:"total"`
		List  []orderJSON `json:"list"`
	}
	type page struct {
		list  []ticketing.Listed
		total int
	}
	return ticketing.EachOrder(func(number int) ([]ticketing.Listed, int, error) {
		params := map[string]string{
			"date": string(day), "pageNo": strconv.Itoa(number), "pageSize": strconv.Itoa(ticketing.ListPage),
		}
		p, err := query(ctx, c, "/api/order/list", params, func(a listJSON) (p page, err error) {
			if a.Total == nil {
				return p, fmt.Errorf("%w: no total", reconcile.ErrMalformed)
			}
			p.total = *a.Total
			for _, o := range a.List {
				state, known := states[o.State]
				amount, err := money.ParseFen(o.Amount)
				if !known || err != nil || o.OutOrderNo == "" {
					return p, fmt.Errorf("%w: order %q in state %q", reconcile.ErrMalformed, o.OutOrderNo, o.State)
				}
				p.list = append(p.list, ticketing.Listed{
					OrderNo: o.OutOrderNo, ProviderNo: o.OrderNo, State: state, Amount: amount,
				})
			}
			return p, nil
		})
		return p.list, p.total, err
	}, each)
}
