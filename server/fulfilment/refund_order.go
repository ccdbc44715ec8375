package fulfilment

import (
	"context"
	"errors"
	"fmt"

	"marquee/server/audit"
	"marquee/server/fault"
	"marquee/server/order"
)

// Faults of a refund by an operator, in addition to those of giveUp.
var (
	// ErrAlreadyRefunded means that the order is refunded, or being refunded.
	ErrAlreadyRefunded = fault.New(fault.Conflict, "order_refunded", "订单已退款").WithExplanation(
		"the order is refunded already, or being refunded; order show prints its refunds")
	// ErrNotVoided rejects a refund while the buyer may use the tickets or the code, or may still receive them.
	ErrNotVoided = fault.New(fault.Conflict, "delivery_not_voided", "票券仍有效").WithExplanation(
		"the buyer may still use what was or is being delivered, and no ticket source cancels tickets by its API: have " +
			"the cinema cancel the tickets, the supplier block the code, or the recharge taken back, then refund with --voided")
	// ErrPointsDelivered rejects the refund of a recharge order whose points are on the card.
	ErrPointsDelivered = fault.New(fault.Conflict, "points_delivered", "点数已到账").WithExplanation(
		"the points are on the card: deduct them (card deduct), and refund the trade on the merchant platform")
)

// RefundOrder ends a paid order for an operator, and refunds every leg to where the money came from. An order that is
// not delivered is given up (giveUp). An order that is ISSUED, or that giveUp finds to be delivered, is revoked.
//
// voided is the operator's statement that the buyer can no longer use what was delivered, or is being delivered.
// Without it, RefundOrder revokes only tickets for which the source reports that it holds nothing, and returns
// ErrNotVoided otherwise: no source has an API to cancel issued tickets. It returns ErrAlreadyRefunded for an order that
// is refunded or being refunded, and ErrPointsDelivered for delivered points.
func (s *Service) RefundOrder(ctx context.Context, no, why string, voided bool, by string) error {
	if err := audit.CheckReason(why); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	o, err := s.store.Order(ctx, no)
	if err != nil {
		return err
	}
	if o.State == order.Paid || o.State == order.Issuing {
		notGivenUp := s.giveUp(ctx, no, why, voided, by)
		if notGivenUp == nil || !errors.Is(notGivenUp, order.ErrOrderState) {
			return notGivenUp
		}
		if o, err = s.store.Order(ctx, no); err != nil {
			return err
		}
		if o.State == order.Paid || o.State == order.Issuing {
			return notGivenUp
		}
	}
	if err := revocable(o); err != nil {
		return err
	}
	basis := "void by the operator"
	if !voided {
		if err := s.checkVoid(ctx, o); err != nil {
			return err
		}
		basis = "void at the source"
	}
	return s.revoke(ctx, no, why, basis, by)
}

// revocable returns nil if the order is delivered and can be revoked.
func revocable(o order.Order) error {
	switch {
	case o.State == order.IssueFailed || o.State == order.Refunded:
		return ErrAlreadyRefunded
	case o.State != order.Issued:
		return order.ErrOrderState
	case o.Kind == order.Recharge:
		return ErrPointsDelivered
	}
	return nil
}

// checkVoid returns nil if the source of a ticket order reports that it holds nothing for it, and ErrNotVoided
// otherwise.
func (s *Service) checkVoid(ctx context.Context, o order.Order) error {
	if o.Kind != order.Ticket {
		return ErrNotVoided
	}
	source, err := s.deliverer(o)
	if err != nil {
		return err
	}
	p, err := source.Query(ctx, o.No)
	switch {
	case errors.Is(err, order.ErrProviderOrderNotFound): // no proof: the source may have deleted an old order
		return ErrNotVoided
	case err != nil:
		return fmt.Errorf("query the source of order %s: %w", o.No, err)
	case p.State != order.ProviderReleased && p.State != order.ProviderIssueRejected:
		return ErrNotVoided
	}
	return nil
}

// revoke writes ISSUE_FAILED and the refunds of an ISSUED order. Its seats can be sold again; codes and pieces of goods
// cannot, because the buyer has seen or used them.
func (s *Service) revoke(ctx context.Context, no, why, basis, by string) error {
	err := s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		o, err := tx.Orders.Get(no)
		if err != nil {
			return err
		}
		if err := revocable(o); err != nil {
			return err
		}
		if err := o.MarkRevoked(why, now); err != nil {
			return err
		}
		if o.Kind == order.Ticket {
			if err := order.ReleaseHolds(tx, &o, now); err != nil {
				return err
			}
		}
		if err := tx.Orders.Save(&o); err != nil {
			return err
		}
		before := string(order.Issued) + ", " + basis
		if err := tx.Audit.Record(now, by, "order.revoked", audit.Order(no), before, why); err != nil {
			return err
		}
		return refundAll(tx, &o, "商家退款，原路退回", now)
	})
	s.runner.Wake()
	return err
}
