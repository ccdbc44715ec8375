package fulfilment

import (
	"context"
	"errors"
	"fmt"

	"marquee/server/audit"
	"marquee/server/catalog"
	"marquee/server/order"
)

// ReceivePush records a provider's verified push about an order. It fails with order.ErrOrderState if the push
// contradicts our record (tickets for an unpaid or refunded order), which is audited. If a push does not report the
// final result of an ISSUING order, the order's poll runs now.
func (s *Service) ReceivePush(ctx context.Context, source catalog.Source, p order.ProviderOrder) error {
	ctx = context.WithoutCancel(ctx)
	var prior order.State
	scheduled := false
	err := s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		o, err := tx.Orders.Get(p.OrderNo)
		if err != nil {
			return err
		}
		if o.Source != source {
			return order.ErrOrderNotFound
		}
		prior = o.State
		switch {
		case p.Complete(o.Kind) && o.Revoked():
			return nil // a repeated push: the tickets came before the order was revoked
		case p.Complete(o.Kind):
			return writeIssued(tx, &o, p, now)
		case p.State == order.ProviderIssueRejected:
			scheduled = true
			return writeFailed(tx, &o, reasonOr(p, "issue refused"), now)
		case o.State == order.Issuing:
			scheduled = true
			return tx.Jobs.Schedule(order.TaskOrder, o.No, o.Queue(), now)
		}
		return nil
	})
	switch {
	case err == nil && scheduled:
		s.runner.Wake()
	case errors.Is(err, order.ErrOrderState):
		return errors.Join(err, s.store.Update(ctx, func(tx order.Tx) error {
			return tx.Audit.Record(s.now(), audit.System, "push.contradicts", audit.Order(p.OrderNo), string(prior),
				fmt.Sprintf("provider state %d, %d tickets", p.State, len(p.Tickets)))
		}))
	}
	return err
}
