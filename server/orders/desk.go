package orders

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/cards"
	"marquee/server/goods"
	"marquee/server/payment"
)

// MarkDelivered is the back office's word that a recharge has been done by hand.
func (s *Service) MarkDelivered(ctx context.Context, no, by string) error {
	o, err := s.Store.Order(ctx, no)
	if err != nil {
		return err
	}
	if o.Kind != Goods || o.Snapshot.Goods.Type != goods.AccountRecharge {
		return ErrOrderState // tickets come from their source, points and codes from the shop itself
	}
	return s.issued(ctx, no, ProviderOrder{OrderNo: no, State: ProviderIssued}, func(tx Tx, was State) error {
		return tx.Audit.Record(s.Now(), by, "order.delivered", "order:"+no, string(was), string(Issued))
	})
}

// GiveUp ends a paid order that cannot be delivered, and sends every leg back. What the provider says comes first:
// an order that turns out delivered is recorded so, and refused with ErrOrderState, as is one that a server is at work
// on right now.
func (s *Service) GiveUp(ctx context.Context, no, why, by string) error {
	if err := cards.CheckReason(why); err != nil { // the gateway shows it to the buyer
		return err
	}
	ctx = saga(ctx)
	if o, err := s.Store.Order(ctx, no); err != nil {
		return err
	} else if o.State != Paid && o.State != Issuing {
		return ErrOrderState
	}
	// Under the lease nobody asks for the tickets meanwhile: they would come, and the money would go back.
	now := s.Now()
	t, leased, err := s.Store.ClaimOne(ctx, TaskOrder, no, now, now.Add(s.Lease))
	if err != nil {
		return err
	}
	if !leased {
		return fmt.Errorf("order %s is being worked on, try again: %w", no, ErrOrderState)
	}
	if err := s.giveUp(ctx, no, why, by); err != nil {
		defer s.Wake()
		return errors.Join(err, s.Store.Update(ctx, func(tx Tx) error { return tx.Jobs.Reschedule(t, s.Now()) }))
	}
	return nil
}

func (s *Service) giveUp(ctx context.Context, no, why, by string) error {
	o, asked, err := s.asked(ctx, no)
	if err != nil {
		return err
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
		now, err := tx.Calls.State(issueKey(no))
		if err != nil {
			return err
		}
		if was != o.State || now != asked {
			return ErrOrderState // it moved on since it was looked at
		}
		return tx.Audit.Record(s.Now(), by, "order.given_up", "order:"+no, string(was), why)
	})
}

// asked reads an order and how the request for its tickets stands. One that may still be on its way fails with ErrOrderState:
// the lease does not tell, since news of the order frees it.
func (s *Service) asked(ctx context.Context, no string) (o Order, c CallState, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		if o, err = tx.Orders.Get(no); err != nil {
			return err
		}
		if c, err = tx.Calls.State(issueKey(no)); err != nil {
			return err
		}
		if c.Outcome == OutcomeSent && s.Now().Before(c.SentAt.Add(s.CallTimeout+time.Second)) { // which is stored in whole seconds
			return fmt.Errorf("order %s is being asked for: %w", no, ErrOrderState)
		}
		return nil
	})
	return o, c, err
}

// Retry makes the jobs look at a stuck order now, and ask again about its refunds that were left to a person.
func (s *Service) Retry(ctx context.Context, no, by string) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		o, err := tx.Orders.Get(no)
		if err != nil {
			return err
		}
		moved := false
		if o.State == Paid || o.State == Issuing || o.State == Pending {
			moved = true
			if err := tx.Jobs.Schedule(TaskOrder, no, laneOf(&o), now); err != nil {
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
		return tx.Audit.Record(now, by, "order.retried", "order:"+no, string(o.State), "")
	})
}

// retryRefunds asks again about refunds that were left to a person, and tells whether there was one.
func retryRefunds(tx Tx, no string, now time.Time) (bool, error) {
	all, err := tx.Refunds.OfOrder(no)
	if err != nil {
		return false, err
	}
	again := false
	for _, r := range all {
		if r.State != payment.RefundManual || r.Kind != payment.ByApp {
			continue
		}
		again = true
		r.State = payment.RefundUnknown
		if err := tx.Refunds.Save(r, payment.RefundManual); err != nil {
			return false, err
		}
		if err := tx.Jobs.Schedule(TaskRefund, subject(r), LaneGateway, now); err != nil {
			return false, err
		}
	}
	return again, nil
}

// Settled is the back office's word that what was left to a person has been put right outside the shop: money that the gateway
// holds for a trade we did not announce, a refund that it would not take.
func (s *Service) Settled(ctx context.Context, no, why, by string) error {
	if err := cards.CheckReason(why); err != nil {
		return err
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		o, err := tx.Orders.Get(no)
		if err != nil {
			return err
		}
		payments, err := settlePayments(tx, no, func(id int64) error {
			return tx.Audit.Record(now, by, "payment.settled", fmt.Sprintf("payment:%d", id), string(payment.Disputed), why)
		})
		if err != nil {
			return err
		}
		refunds, err := settleRefunds(tx, no, now, func(r payment.Refund) error {
			return tx.Audit.Record(now, by, "refund.settled", "refund:"+r.OutRefundNo, string(payment.RefundManual), why)
		})
		if err != nil {
			return err
		}
		if payments+refunds == 0 {
			return ErrOrderState
		}
		return finishRefunds(tx, &o, now)
	})
}

func settlePayments(tx Tx, no string, note func(id int64) error) (n int, err error) {
	all, err := tx.Payments.OfOrder(no)
	for _, p := range all {
		if p.State != payment.Disputed {
			continue
		}
		n++
		if err := errors.Join(tx.Payments.Move(p.ID, payment.Disputed, payment.Closed), note(p.ID)); err != nil {
			return n, err
		}
	}
	return n, err
}

func settleRefunds(tx Tx, no string, now time.Time, note func(payment.Refund) error) (n int, err error) {
	all, err := tx.Refunds.OfOrder(no)
	for _, r := range all {
		if r.State != payment.RefundManual {
			continue
		}
		n++
		r.State, r.DoneAt = payment.RefundSettled, now
		if err := errors.Join(tx.Refunds.Save(r, payment.RefundManual), note(r)); err != nil {
			return n, err
		}
	}
	return n, err
}
