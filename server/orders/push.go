package orders

import (
	"context"
	"errors"
	"fmt"

	"marquee/server/catalog"
	"marquee/server/payment"
)

// TicketPushed takes a provider's verified news of an order. What contradicts our own record (tickets for an
// unpaid order, or for one that was refunded) is audited and refused with ErrOrderState.
func (s *Service) TicketPushed(ctx context.Context, source catalog.Source, p ProviderOrder) error {
	ctx = saga(ctx)
	o, err := s.Store.Order(ctx, p.OrderNo)
	if err != nil {
		return err
	}
	if o.Source != source {
		return ErrOrderNotFound
	}
	switch {
	case p.complete(o.Kind):
		err = s.issued(ctx, o.No, p)
	case p.State == ProviderIssueRefused:
		err = s.fail(ctx, o.No, reason(p, "issue refused"))
	default:
		return s.hurry(ctx, o) // news without a result: look for ourselves
	}
	if errors.Is(err, ErrOrderState) {
		return errors.Join(err, s.auditPush(ctx, o, p))
	}
	return err
}

// RefundPushed takes the gateway's verified news of a refund: the refund job asks now instead of later. What the
// gateway then says is what counts. News of a refund that is settled, or not ours, changes nothing.
func (s *Service) RefundPushed(ctx context.Context, outRefundNo string) error {
	defer s.Wake()
	return s.Store.Update(saga(ctx), func(tx Tx) error {
		r, err := tx.Refunds.ByNumber(outRefundNo)
		if errors.Is(err, payment.ErrRefundNotFound) {
			return nil
		}
		if err != nil || (r.State != payment.RefundSending && r.State != payment.RefundUnknown) {
			return err
		}
		return tx.Jobs.Schedule(TaskRefund, subject(r), LaneGateway, s.Now())
	})
}

func (s *Service) hurry(ctx context.Context, o Order) error {
	if o.State != Issuing {
		return nil
	}
	defer s.Wake()
	return s.Store.Update(ctx, func(tx Tx) error { return tx.Jobs.Schedule(TaskOrder, o.No, laneOf(&o), s.Now()) })
}

func (s *Service) auditPush(ctx context.Context, o Order, p ProviderOrder) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		return tx.Audit.Record(s.Now(), system, "push.contradicts", "order:"+o.No, string(o.State),
			fmt.Sprintf("provider state %d, %d tickets", p.State, len(p.Tickets)))
	})
}
