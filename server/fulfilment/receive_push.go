package fulfilment

import (
	"context"
	"errors"
	"fmt"

	"marquee/server/catalog"
	"marquee/server/order"
)

// ReceivePush takes a provider's verified push about an order. A push that contradicts our own record (tickets for an
// unpaid order, or for one that was refunded) is audited and refused with order.ErrOrderState. A push without a result
// makes the order's poll run now.
func (s *Service) ReceivePush(ctx context.Context, source catalog.Source, p order.ProviderOrder) error {
	ctx = context.WithoutCancel(ctx)
	o, err := s.store.Order(ctx, p.OrderNo)
	if err != nil {
		return err
	}
	if o.Source != source {
		return order.ErrOrderNotFound
	}
	switch {
	case p.Complete(o.Kind):
		err = s.recordIssued(ctx, o.No, p)
	case p.State == order.ProviderIssueRefused:
		err = s.fail(ctx, o.No, reasonOr(p, "issue refused"))
	case o.State == order.Issuing:
		defer s.runner.Wake()
		return s.store.Update(ctx, func(tx order.Tx) error {
			return tx.Jobs.Schedule(order.TaskOrder, o.No, o.Queue(), s.now())
		})
	}
	if !errors.Is(err, order.ErrOrderState) {
		return err
	}
	return errors.Join(err, s.store.Update(ctx, func(tx order.Tx) error {
		return tx.Audit.Record(s.now(), order.System, "push.contradicts", "order:"+o.No, string(o.State),
			fmt.Sprintf("provider state %d, %d tickets", p.State, len(p.Tickets)))
	}))
}
