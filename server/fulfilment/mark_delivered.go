package fulfilment

import (
	"context"

	"marquee/server/audit"
	"marquee/server/goods"
	"marquee/server/order"
)

// MarkDelivered records for the back office that an operator has recharged an account by hand. It fails with
// order.ErrOrderState for orders of other kinds: tickets come from their source, points and codes from the shop itself.
func (s *Service) MarkDelivered(ctx context.Context, no, by string) error {
	o, err := s.store.Order(ctx, no)
	if err != nil {
		return err
	}
	if o.Kind != order.Goods || o.Snapshot.Goods.Type != goods.AccountRecharge {
		return order.ErrOrderState
	}
	done := order.ProviderOrder{OrderNo: no, State: order.ProviderIssued}
	return s.recordIssued(ctx, no, done, func(tx order.Tx, prior order.State) error {
		return tx.Audit.Record(s.now(), by, "order.delivered", audit.Order(no), string(prior), string(order.Issued))
	})
}
