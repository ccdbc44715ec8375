package ticketing

import (
	"fmt"

	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/reconcile"
)

// ListPage is the number of orders that the shop requests per page.
const ListPage = 200

// Listed is an order in a provider's order list.
type Listed struct {
	OrderNo, ProviderNo string
	State               order.ProviderState
	Amount              money.Fen // what the provider charges
}

// rowStates maps the states of an order in a list to the states of a row in the reconciliation. A lock that is still in
// progress counts as holding its seats.
var rowStates = map[order.ProviderState]reconcile.RowState{
	order.ProviderPending: reconcile.RowHeld, order.ProviderLocked: reconcile.RowHeld,
	order.ProviderReleased: reconcile.RowNothing, order.ProviderIssuing: reconcile.RowPending,
	order.ProviderIssued: reconcile.RowDone, order.ProviderIssueRejected: reconcile.RowFailed,
}

// OrderPage is one page of an order list.
type OrderPage struct {
	Orders []Listed // in the provider's order
	Total  int      // how many orders all pages have
}

// OrderListJSON is a page of an order list as both sources send it. Order is the type of an order in the JSON of one
// source.
type OrderListJSON[Order any] struct {
	Total *int    `json:"total"`
	List  []Order `json:"list"`
}

// Page converts the orders of a page. It returns reconcile.ErrMalformed if the total is missing or an order cannot be
// converted: a statement without some of its orders would be worse than none.
func (l OrderListJSON[Order]) Page(convert func(Order) (Listed, error)) (OrderPage, error) {
	if l.Total == nil {
		return OrderPage{}, fmt.Errorf("%w: no total", reconcile.ErrMalformed)
	}
	page := OrderPage{Total: *l.Total}
	for _, r := range l.List {
		o, err := convert(r)
		if err != nil {
			return OrderPage{}, fmt.Errorf("%w: %w", reconcile.ErrMalformed, err)
		}
		page.Orders = append(page.Orders, o)
	}
	return page, nil
}

// EachOrder reads all pages of an order list and passes the orders to each as rows of a statement. read reads one page,
// counted from 1. It returns reconcile.ErrTruncated for a list that ends before its total, or whose total changes, and
// the errors of read and each.
func EachOrder(read func(number int) (OrderPage, error), each func(reconcile.Row) error) error {
	seen, total := 0, 0
	for number := 1; ; number++ {
		page, err := read(number)
		if err != nil {
			return err
		}
		if number > 1 && page.Total != total {
			return fmt.Errorf("%w: total %d, then %d", reconcile.ErrTruncated, total, page.Total)
		}
		total = page.Total
		for _, o := range page.Orders {
			row := reconcile.Row{
				Kind: reconcile.TicketRow, Number: o.OrderNo, Ref: o.ProviderNo, State: rowStates[o.State],
				Amount: o.Amount,
			}
			if err := each(row); err != nil {
				return err
			}
		}
		if seen += len(page.Orders); seen == total {
			return nil
		}
		if seen > total || len(page.Orders) < ListPage {
			return fmt.Errorf("%w: %d orders of %d", reconcile.ErrTruncated, seen, total)
		}
	}
}
