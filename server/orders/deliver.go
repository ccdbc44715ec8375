package orders

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/goods"
)

// Deliverer delivers paid orders. Calls are keyed by our order number and follow the law of TicketSource.
type Deliverer interface {
	// Issue asks for the delivery. Success means accepted: whether it has come, Query tells.
	Issue(ctx context.Context, req IssueRequest) error
	Query(ctx context.Context, orderNo string) (ProviderOrder, error)
}

// Manual leaves recharges to the back office: it accepts them all and waits until somebody says that one is done.
type Manual struct{}

// Issue implements Deliverer.
func (Manual) Issue(context.Context, IssueRequest) error { return nil }

// Query implements Deliverer.
func (Manual) Query(_ context.Context, orderNo string) (ProviderOrder, error) {
	return ProviderOrder{OrderNo: orderNo, State: ProviderIssuing}, nil
}

// deliverer is who delivers the order.
func (s *Service) deliverer(o Order) (Deliverer, error) {
	if o.Kind == Ticket {
		return s.source(o.Source)
	}
	return s.Topup, nil
}

// deliverTx delivers, in the transaction that records the payment, what needs nobody outside: points and codes.
// It tells whether that was all there is to do.
func deliverTx(tx Tx, o *Order, now time.Time) (bool, error) {
	switch {
	case o.Kind == Recharge:
		if err := credit(tx, o, now); err != nil {
			return false, err
		}
	case o.Kind == Goods && o.Snapshot.Goods.Type == goods.VirtualCode:
		given, err := tx.Stock.GiveCodes(o.No, now)
		if errors.Is(err, goods.ErrSoldOut) {
			return false, nil // its code was withdrawn and there is no other: the order job fails it
		}
		if err == nil && given != o.Snapshot.Goods.Pieces {
			err = fmt.Errorf("order %s was given %d codes", o.No, given)
		}
		if err != nil {
			return false, err
		}
	default:
		return false, nil
	}
	return true, o.MarkIssued(ProviderOrder{}, now)
}

// deliverCodes delivers a PAID order for codes that could not be delivered at once, or fails it.
func (s *Service) deliverCodes(ctx context.Context, no string) error {
	var done bool
	err := s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		o, err := tx.Orders.Get(no)
		if err != nil {
			return err
		}
		if done, err = deliverTx(tx, &o, now); err != nil || !done {
			return err
		}
		if err := tx.Orders.Save(&o); err != nil {
			return err
		}
		return tx.Jobs.Unschedule(TaskOrder, no)
	})
	if err != nil || done {
		return err
	}
	return s.fail(ctx, no, goods.ErrSoldOut.Code)
}

// release gives back what an order that comes to nothing held: seats or stock.
func release(tx Tx, o *Order, now time.Time) error {
	if o.Kind == Goods {
		return tx.Stock.Release(o.No, now)
	}
	_, err := tx.Seats.Release(o.No, now)
	return err
}

// complete reports whether the provider's word means that everything is here.
func (p ProviderOrder) complete(k Kind) bool {
	return p.State == ProviderIssued && (k != Ticket || len(p.Tickets) > 0)
}
