package fulfilment

import (
	"context"
	"errors"
	"fmt"

	"marquee/server/audit"
	"marquee/server/order"
)

// giveUp ends a PAID or ISSUING order that cannot be delivered, and refunds every leg. The provider is queried first.
// giveUp fails with order.ErrOrderState if the provider has delivered the order, which it then records as ISSUED, or if
// the order's task or its issue request is running; the operator can try again a moment later. It fails with
// ErrNotVoided if the source reports that it is issuing the tickets, unless voided is true: the operator has then made
// sure that the source does not issue them. The caller has checked the reason and the state of the order.
func (s *Service) giveUp(ctx context.Context, no, why string, voided bool, by string) error {
	// The lease keeps workers from requesting the tickets: the buyer would get both the tickets and the money.
	t, leased, err := s.runner.Lease(ctx, order.TaskOrder, no)
	if err != nil {
		return err
	}
	if !leased {
		return fmt.Errorf("order %s is being worked on, try again: %w", no, order.ErrOrderState)
	}
	if err := s.giveUpLeased(ctx, no, why, voided, by); err != nil {
		defer s.runner.Wake()
		return errors.Join(err, s.runner.Reschedule(ctx, t, s.now()))
	}
	return nil
}

func (s *Service) giveUpLeased(ctx context.Context, no, why string, voided bool, by string) error {
	o, issue, err := s.readIssueCall(ctx, no)
	if err != nil {
		return err
	}
	if o.State == order.Issuing {
		d, err := s.deliverer(o)
		if err != nil {
			return err
		}
		p, err := d.Query(ctx, no)
		switch {
		case err == nil && p.Complete(o.Kind):
			return errors.Join(order.ErrOrderState, s.recordIssued(ctx, no, p))
		case err == nil && !voided && o.Kind == order.Ticket && p.State == order.ProviderIssuing:
			return ErrNotVoided
		case err != nil && !errors.Is(err, order.ErrProviderOrderNotFound):
			return fmt.Errorf("query the provider of order %s: %w", no, err) // it may have delivered
		}
	}
	return s.fail(ctx, no, why, func(tx order.Tx, prior order.State) error {
		current, err := tx.Calls.State(issueKey(no))
		if err != nil {
			return err
		}
		if prior != o.State || current != issue {
			return order.ErrOrderState // the order has changed since readIssueCall
		}
		return tx.Audit.Record(s.now(), by, "order.given_up", audit.Order(no), string(prior), why)
	})
}

// readIssueCall reads an order and the state of the request for its tickets. It fails with order.ErrOrderState if the
// request may still be running. The caller's lease does not exclude that: a push about the order may have ended the
// lease under which the request was sent. Even if an outcome is recorded, it may be that of the first of two requests.
func (s *Service) readIssueCall(ctx context.Context, no string) (o order.Order, c order.CallState, err error) {
	err = s.store.Update(ctx, func(tx order.Tx) error {
		if o, err = tx.Orders.Get(no); err != nil {
			return err
		}
		if c, err = tx.Calls.State(issueKey(no)); err != nil {
			return err
		}
		if s.mayBeSending(c.SentAt) {
			return fmt.Errorf("the issue request of order %s is running: %w", no, order.ErrOrderState)
		}
		return nil
	})
	return o, c, err
}
