package orders

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"marquee/server/cards"
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
		given, err := tx.GiveCodes(o.No, now)
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
		o, err := tx.Order(no)
		if err != nil {
			return err
		}
		if done, err = deliverTx(tx, &o, now); err != nil || !done {
			return err
		}
		if err := tx.SaveOrder(&o); err != nil {
			return err
		}
		return tx.Unschedule(TaskOrder, no)
	})
	if err != nil || done {
		return err
	}
	return s.fail(ctx, no, goods.ErrSoldOut.Code)
}

// release gives back what an order that comes to nothing held: seats or stock.
func release(tx Tx, o *Order, now time.Time) error {
	if o.Kind == Goods {
		return tx.ReleaseStock(o.No, now)
	}
	_, err := tx.ReleaseSeats(o.No, now)
	return err
}

// complete reports whether the provider's word means that everything is here.
func (p ProviderOrder) complete(k Kind) bool {
	return p.State == ProviderIssued && (k != Ticket || len(p.Tickets) > 0)
}

// MarkDelivered is the back office's word that a recharge has been done by hand.
func (s *Service) MarkDelivered(ctx context.Context, no, by string) error {
	o, err := s.Store.Order(ctx, no)
	if err != nil {
		return err
	}
	if o.Kind != Goods {
		return ErrOrderState // tickets come from their source, points from the payment
	}
	return s.issued(ctx, no, ProviderOrder{OrderNo: no, State: ProviderIssued}, func(tx Tx, was State) error {
		return tx.Audit(s.Now(), by, "order.delivered", "order:"+no, string(was), string(Issued))
	})
}

// GiveUp ends a paid order that cannot be delivered, and sends every leg back. What the provider says comes first:
// an order that turns out delivered is recorded so, and refused with ErrOrderState.
func (s *Service) GiveUp(ctx context.Context, no, why, by string) error {
	if strings.TrimSpace(why) == "" {
		return cards.ErrReasonRequired
	}
	ctx = saga(ctx)
	o, err := s.Store.Order(ctx, no)
	if err != nil {
		return err
	}
	if o.State != Paid && o.State != Issuing {
		return ErrOrderState
	}
	if o.State == Issuing {
		d, err := s.deliverer(o)
		if err != nil {
			return err
		}
		p, err := s.askOrder(ctx, d, no)
		switch {
		case err == nil && p.complete(o.Kind):
			return errors.Join(ErrOrderState, s.issued(ctx, no, p))
		case err != nil && !errors.Is(err, ErrProviderOrderNotFound):
			return fmt.Errorf("ask the provider of order %s: %w", no, err) // it may have delivered
		}
	}
	return s.fail(ctx, no, why, func(tx Tx, was State) error {
		return tx.Audit(s.Now(), by, "order.given_up", "order:"+no, string(was), why)
	})
}

// Retry makes the jobs look at a stuck order now, and ask again about its refunds that were left to a person.
func (s *Service) Retry(ctx context.Context, no, by string) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		o, err := tx.Order(no)
		if err != nil {
			return err
		}
		moved := false
		if o.State == Paid || o.State == Issuing || o.State == Pending {
			moved = true
			if err := tx.Schedule(TaskOrder, no, laneOf(&o), now); err != nil {
				return err
			}
		}
		again, err := retryRefunds(tx, no, now)
		if err != nil {
			return err
		}
		if !moved && !again {
			return ErrOrderState
		}
		return tx.Audit(now, by, "order.retried", "order:"+no, string(o.State), "")
	})
}
