package orders

import (
	"context"
	"errors"
	"time"

	"marquee/server/fault"
)

// Ticket polling: from pollFirst, doubling up to pollMost; after stuckAfter polls someone is told.
const (
	pollFirst  = 3 * time.Second
	pollMost   = time.Minute
	stuckAfter = 8
	// notFoundTries is how often a provider may not know an order it has locked before that counts as the truth.
	notFoundTries = 5
)

func pollDelay(tries int) time.Duration { return min(pollMost, pollFirst<<min(tries, 10)) }

// issue asks for the tickets of a PAID order: intent, call, outcome.
func (s *Service) issue(ctx context.Context, t Task, o Order, src Deliverer) error {
	if o.over(s.Now()) {
		return s.fail(ctx, o.No, "showing began")
	}
	err := s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		var err error
		if o, err = tx.Orders.Get(o.No); err != nil {
			return err
		}
		if err := o.MarkIssuing(now); err != nil {
			return err
		}
		if err := tx.Orders.Save(&o); err != nil {
			return err
		}
		return tx.Calls.Begin(issueCall(o, now))
	})
	if err != nil {
		return err
	}
	return s.askTickets(ctx, t, o, src)
}

func issueKey(no string) string { return "issue:" + no }

func issueCall(o Order, now time.Time) Call {
	return Call{Key: issueKey(o.No), OrderNo: o.No, RequestHash: digest(o.No, o.Total, o.Snapshot.Mobile), At: now}
}

// askTickets sends the request, keyed by our order number; sending it again is safe.
func (s *Service) askTickets(ctx context.Context, t Task, o Order, src Deliverer) error {
	req := IssueRequest{OrderNo: o.No, Amount: o.Total, Mobile: o.Snapshot.Mobile}
	if o.Snapshot.Goods != nil {
		req.Product = o.Snapshot.Goods.SKUCode
	}
	err := s.callIssue(ctx, src, req)
	if err != nil && refused(err) {
		return s.fail(ctx, o.No, fault.Of(err).Code)
	}
	outcome, answer := outcomeOf(err)
	if err != nil {
		s.Logger.WarnContext(ctx, "ticket request without success", "order", o.No, "error", err)
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		if err := tx.Calls.End(issueKey(o.No), outcome, answer, now); err != nil {
			return err
		}
		return tx.Jobs.Reschedule(t, now.Add(pollDelay(t.Tries)))
	})
}

func (s *Service) callIssue(ctx context.Context, src Deliverer, req IssueRequest) error {
	ctx, cancel := s.call(ctx)
	defer cancel()
	return src.Issue(ctx, req)
}

func (s *Service) askOrder(ctx context.Context, src Deliverer, no string) (ProviderOrder, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	return src.Query(ctx, no)
}

// poll asks what became of an ISSUING order: tickets, a refusal, or a request that never arrived and is sent again.
func (s *Service) poll(ctx context.Context, t Task, o Order, src Deliverer) error {
	began := o.over(s.Now())
	p, err := s.askOrder(ctx, src, o.No)
	switch {
	case errors.Is(err, ErrProviderOrderNotFound):
		if began || (t.Tries >= notFoundTries && s.stillUnknown(ctx, src, o.No)) {
			return s.fail(ctx, o.No, ErrProviderOrderNotFound.Code)
		}
		return s.wait(ctx, t, o)
	case err != nil:
		return s.wait(ctx, t, o) // silence is not a failure, not even after the show began
	case p.complete(o.Kind):
		return s.issued(ctx, o.No, p)
	case p.State == ProviderIssueRefused:
		return s.fail(ctx, o.No, reason(p, "issue refused"))
	case p.State == ProviderReleased:
		return s.fail(ctx, o.No, reason(p, "lock lost"))
	case began:
		return s.fail(ctx, o.No, "showing began")
	case p.State == ProviderLocked: // the request never came there
		if err := s.Store.Update(ctx, func(tx Tx) error { return tx.Calls.Begin(issueCall(o, s.Now())) }); err != nil {
			return err
		}
		return s.askTickets(ctx, t, o, src)
	}
	return s.wait(ctx, t, o)
}

// stillUnknown asks until the provider has not known the order notFoundTries times in a row: one stray answer among
// many must not refund a ticket that is on its way.
func (s *Service) stillUnknown(ctx context.Context, src Deliverer, no string) bool {
	for range notFoundTries - 1 {
		if _, err := s.askOrder(ctx, src, no); !errors.Is(err, ErrProviderOrderNotFound) {
			return false
		}
	}
	return true
}

func reason(p ProviderOrder, otherwise string) string {
	if p.Reason != "" {
		return p.Reason
	}
	return otherwise
}

// wait puts the next poll off, and flags the order once it has taken too long.
func (s *Service) wait(ctx context.Context, t Task, o Order) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		if t.Tries+1 >= stuckAfter && !o.Stuck {
			fresh, err := tx.Orders.Get(o.No)
			if err != nil {
				return err
			}
			if fresh.State == Issuing && !fresh.Stuck {
				fresh.MarkStuck(now)
				if err := tx.Orders.Save(&fresh); err != nil {
					return err
				}
				if err := tx.Audit.Record(now, system, "order.stuck", "order:"+o.No, "", ""); err != nil {
					return err
				}
			}
		}
		return tx.Jobs.Reschedule(t, now.Add(pollDelay(t.Tries)))
	})
}

// issued records the tickets, and with them what else is to be written. Tickets that are there already change nothing.
func (s *Service) issued(ctx context.Context, no string, p ProviderOrder, also ...func(tx Tx, was State) error) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		o, err := tx.Orders.Get(no)
		if err != nil {
			return err
		}
		if o.State == Issued {
			return nil
		}
		for _, write := range also {
			if err := write(tx, o.State); err != nil {
				return err
			}
		}
		if err := o.MarkIssued(p, now); err != nil {
			return err
		}
		if err := tx.Orders.Save(&o); err != nil {
			return err
		}
		if err := tx.Calls.End(issueKey(no), OutcomeOK, p.ProviderNo, now); err != nil {
			return err
		}
		return tx.Jobs.Unschedule(TaskOrder, no)
	})
}
