package ticketing

import (
	"fmt"

	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/reconcile"
)

// ListPage is how many orders the shop asks for at once.
const ListPage = 200

// Listed is an order in a provider's order list.
type Listed struct {
	OrderNo, ProviderNo string
	State               order.ProviderState
	Amount              money.Fen
}

// rowStates are the states of an order in a list. A lock that is still being made holds its seats.
var rowStates = map[order.ProviderState]reconcile.RowState{
	order.ProviderPending: reconcile.RowHeld, order.ProviderLocked: reconcile.RowHeld,
	order.ProviderReleased: reconcile.RowNothing, order.ProviderIssuing: reconcile.RowPending,
	order.ProviderIssued: reconcile.RowDone, order.ProviderIssueRefused: reconcile.RowFailed,
}

// EachOrder reads a paged order list to its end and passes the orders on as rows of a statement. page reads one page,
// counted from 1, and returns its orders and the number of all. It returns reconcile.ErrTruncated for a list that ends
// before its total, or whose total changes.
func EachOrder(page func(number int) (list []Listed, total int, err error), each func(reconcile.Row) error) error {
	seen, total := 0, 0
	for number := 1; ; number++ {
		list, all, err := page(number)
		if err != nil {
			return err
		}
		if number > 1 && all != total {
			return fmt.Errorf("%w: total %d, then %d", reconcile.ErrTruncated, total, all)
		}
		total = all
		for _, o := range list {
			row := reconcile.Row{
				Kind: reconcile.TicketRow, Number: o.OrderNo, Ref: o.ProviderNo, State: rowStates[o.State], Amount: o.Amount,
			}
			if err := each(row); err != nil {
				return err
			}
		}
		if seen += len(list); seen == total {
			return nil
		}
		if seen > total || len(list) < ListPage {
			return fmt.Errorf("%w: %d orders of %d", reconcile.ErrTruncated, seen, total)
		}
	}
}
