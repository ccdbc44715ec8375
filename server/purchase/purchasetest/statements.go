package purchasetest

import (
	"context"
	"maps"
	"slices"
	"time"

	"marquee/server/catalog"
	"marquee/server/order"
	"marquee/server/reconcile"
)

// refundMoments are the times at which a refund was requested and done at the gateway.
type refundMoments struct{ asked, done time.Time }

// noteMoments records when a refund was requested and when it was done. The caller must hold mu.
func (g *Gateway) noteMoments(r *order.RefundResult) {
	m := g.moments[r.OutRefundNo]
	if m.asked.IsZero() {
		m.asked = g.clock.Now()
	}
	if r.State == order.RefundDone && m.done.IsZero() {
		m.done = g.clock.Now()
	}
	g.moments[r.OutRefundNo] = m
}

// Statements returns the statements of the fake gateway, and those of the fake source for its shows of each
// catalog.Source. They are made from the records of the fakes. A Plan can have the operations "trade_bill", "fund_bill"
// and "order_list".
func Statements(g *Gateway, s *Source) map[reconcile.Book]reconcile.Statement {
	return map[reconcile.Book]reconcile.Statement{
		reconcile.Trades:                    g.tradeBill,
		reconcile.Funds:                     g.fundFlowBill,
		reconcile.Tickets(catalog.Legacy):   s.orderList(catalog.Legacy),
		reconcile.Tickets(catalog.NewMovie): s.orderList(catalog.NewMovie),
	}
}

// Alteration is a change of the rows of a statement, made by a test.
type Alteration func(rows []reconcile.Row) []reconcile.Row

// Altered returns the statement with the change applied to its rows.
func Altered(s reconcile.Statement, change Alteration) reconcile.Statement {
	return func(ctx context.Context, day reconcile.Day, each func(reconcile.Row) error) error {
		var rows []reconcile.Row
		if err := s(ctx, day, func(r reconcile.Row) error { rows = append(rows, r); return nil }); err != nil {
			return err
		}
		return pass(change(rows), each)
	}
}

func pass(rows []reconcile.Row, each func(reconcile.Row) error) error {
	for _, r := range rows {
		if err := each(r); err != nil {
			return err
		}
	}
	return nil
}

func (g *Gateway) tradeBill(_ context.Context, day reconcile.Day, each func(reconcile.Row) error) error {
	return g.run("trade_bill", func() error { return pass(g.rows(day, false), each) })
}

func (g *Gateway) fundFlowBill(_ context.Context, day reconcile.Day, each func(reconcile.Row) error) error {
	return g.run("fund_bill", func() error { return pass(g.rows(day, true), each) })
}

// rows lists the payments and refunds of a day. With funds it makes the rows of the fund flow bill, which has the
// gateway's numbers and lists a refund on the day on which it was done. Otherwise it makes those of the trade bill,
// which has our numbers and lists a refund on the day of its request.
func (g *Gateway) rows(day reconcile.Day, funds bool) (rows []reconcile.Row) {
	g.mu.Lock()
	defer g.mu.Unlock()
	add := func(kind reconcile.RowKind, ours, theirs string, state reconcile.RowState, t order.Trade) {
		row := reconcile.Row{Kind: kind, Number: ours, Ref: theirs, State: state, Amount: t.Amount}
		if funds {
			row.Number, row.Ref, row.State = theirs, ours, reconcile.RowDone
		}
		rows = append(rows, row)
	}
	for _, no := range slices.Sorted(maps.Keys(g.trades)) {
		if t := *g.trades[no]; !t.PaidAt.IsZero() && reconcile.DayOf(t.PaidAt) == day {
			add(reconcile.PaymentRow, no, t.TransactionID, reconcile.RowDone, t)
		}
	}
	states := map[order.RefundState]reconcile.RowState{
		order.RefundProcessing: reconcile.RowPending, order.RefundDone: reconcile.RowDone,
		order.RefundClosed: reconcile.RowFailed, order.RefundAbnormal: reconcile.RowFailed,
	}
	for _, no := range slices.Sorted(maps.Keys(g.refunds)) {
		r, m := g.refunds[no], g.moments[no]
		at := m.asked
		if funds {
			at = m.done
		}
		if !at.IsZero() && reconcile.DayOf(at) == day {
			add(reconcile.RefundRow, no, r.RefundID, states[r.State], order.Trade{Amount: r.Amount})
		}
	}
	return rows
}

// orderList returns the statement with the orders for the shows of one catalog.Source.
func (s *Source) orderList(c catalog.Source) reconcile.Statement {
	states := map[order.ProviderState]reconcile.RowState{
		order.ProviderPending: reconcile.RowHeld, order.ProviderLocked: reconcile.RowHeld,
		order.ProviderReleased: reconcile.RowNothing, order.ProviderIssuing: reconcile.RowPending,
		order.ProviderIssued: reconcile.RowDone, order.ProviderIssueRejected: reconcile.RowFailed,
	}
	return func(_ context.Context, day reconcile.Day, each func(reconcile.Row) error) error {
		return s.run("order_list", func() error {
			s.mu.Lock()
			defer s.mu.Unlock()
			for _, no := range slices.Sorted(maps.Keys(s.orders)) {
				o := s.orders[no]
				if reconcile.DayOf(s.made[no]) != day || s.halls[s.showOf[no]].Show.Source != c {
					continue
				}
				row := reconcile.Row{
					Kind: reconcile.TicketRow, Number: no, Ref: o.ProviderNo, State: states[o.State], Amount: o.Amount,
				}
				if err := each(row); err != nil {
					return err
				}
			}
			return nil
		})
	}
}
