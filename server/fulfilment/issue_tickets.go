package fulfilment

import (
	"context"
	"errors"
	"time"

	"marquee/server/audit"
	"marquee/server/durations"
	"marquee/server/goods"
	"marquee/server/jobs"
	"marquee/server/order"
)

const (
	// hourlyAfter is the number of tries (the request and its polls) after which an order is polled only once an hour.
	// That many tries take about a day; after that, an operator will probably have to end the order.
	hourlyAfter = 24 * 60
	// stuckAfter is the number of tries after which the order is flagged as stuck, so that an operator looks at it.
	stuckAfter = 8
	// notFoundTries is how often in a row a provider must answer that it does not know an order before the shop refunds
	// the order: a single wrong answer must not refund a ticket that is being issued.
	notFoundTries = 5
)

func pollDelay(tries int) time.Duration {
	if tries >= hourlyAfter {
		return durations.OverdueTicketPoll
	}
	return min(durations.LongestTicketPoll, durations.FirstTicketPoll<<min(tries, 10))
}

// nextPoll returns when to poll next, rounded up to a second: the store cuts off fractions of seconds, and a poll that
// is a moment too early is wasted.
func nextPoll(now time.Time, tries int) time.Time {
	return now.Add(pollDelay(tries) + time.Second - 1).Truncate(time.Second)
}

// mayBeSending reports whether a server may still be waiting for the answer to a request for the delivery that was
// begun at the given time.
func (s *Service) mayBeSending(begun time.Time) bool {
	// A server of the previous release may send the request up to FirstTicketPoll after it has recorded the intent. The
	// extra second allows for the rounding of stored times.
	return s.now().Before(begun.Add(durations.FirstTicketPoll + s.callLimit + time.Second))
}

// Deliver is the step of PAID and ISSUING orders: it requests the delivery, or queries its outcome.
func (s *Service) Deliver(ctx context.Context, t jobs.Task, o order.Order) error {
	if o.Kind == order.Goods && o.Snapshot.Goods.Type == goods.VirtualCode {
		return s.deliverCodes(ctx, o.No)
	}
	d, err := s.deliverer(o)
	if err != nil {
		return err
	}
	switch {
	case o.State == order.Issuing:
		return s.poll(ctx, t, o, d)
	case o.ShowBegan(s.now()):
		return s.fail(ctx, o.No, "showing began")
	}
	return s.request(ctx, t, o, d)
}

// deliverer returns the provider that delivers the order.
func (s *Service) deliverer(o order.Order) (order.Deliverer, error) {
	if o.Kind != order.Ticket {
		return s.topup, nil
	}
	return s.sources.Of(o.Source)
}

// request requests the delivery of a PAID order. It also repeats the request for an ISSUING order if a poll has found
// that the first one did not arrive. It records the intent first, and the order becomes ISSUING. If the server dies
// before it has sent the request, a poll finds out. It does nothing if the order has left the state in which it was
// read: this server may have been frozen for longer than its lease.
func (s *Service) request(ctx context.Context, t jobs.Task, read order.Order, src order.Deliverer) error {
	var o order.Order
	var try issueTry
	err := s.store.Update(ctx, func(tx order.Tx) (err error) {
		try = issueTry{}
		if o, err = tx.Orders.Get(read.No); err != nil || o.State != read.State {
			return err
		}
		if o.State == order.Paid {
			if err := o.MarkIssuing(s.now()); err != nil {
				return err
			}
			if err := tx.Orders.Save(&o); err != nil {
				return err
			}
		}
		try, err = s.beginRequest(tx, o)
		return err
	})
	if err != nil || try.number == 0 {
		return err
	}
	return s.send(ctx, t, o, src, try)
}

func issueKey(no string) string { return "issue:" + no }

// issueTry is one try to send the request for the delivery of an order.
type issueTry struct {
	number   int  // the first one is 1
	repeated bool // an earlier request was accepted, or may still be on its way
}

// beginRequest records the intent to send the request, and returns the try.
func (s *Service) beginRequest(tx order.Tx, o order.Order) (issueTry, error) {
	prior, err := tx.Calls.State(issueKey(o.No))
	if err != nil {
		return issueTry{}, err
	}
	call := order.Call{
		Key: issueKey(o.No), OrderNo: o.No, At: s.now(),
		RequestHash: order.Fingerprint(o.No, o.Total, o.Snapshot.Mobile),
	}
	repeated := prior.Tries > 0 &&
		(prior.Outcome == order.OutcomeOK || s.mayBeSending(o.UpdatedAt) || s.mayBeSending(prior.SentAt))
	return issueTry{number: prior.Tries + 1, repeated: repeated}, tx.Calls.Begin(call)
}

// send sends the request and schedules the next poll. The request is keyed by our order number, so that sending it
// again is safe. A rejection fails the order, unless the request is a repeated one: the provider may have rejected it
// because it is working on the earlier one, so the next poll decides. If the request was sent again before this one was
// answered, nothing is written, because only the answer to the last request counts.
func (s *Service) send(ctx context.Context, t jobs.Task, o order.Order, src order.Deliverer, try issueTry) error {
	req := order.IssueRequest{OrderNo: o.No, Amount: o.Total, Mobile: o.Snapshot.Mobile}
	if o.Snapshot.Goods != nil {
		req.Product = o.Snapshot.Goods.SKUCode
	}
	failure := src.Issue(ctx, req)
	if failure != nil {
		s.logger.WarnContext(ctx, "issue request failed", "order", o.No, "error", failure)
	}
	outcome, answer := order.OutcomeOf(failure)
	rejected := order.Rejected(failure)
	if rejected && try.repeated {
		rejected, outcome = false, order.OutcomeUnknown
	}
	if rejected {
		defer s.runner.Wake()
	}
	return s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		call, err := tx.Calls.State(issueKey(o.No))
		if err != nil || call.Tries != try.number || call.Outcome != order.OutcomeSent {
			return err
		}
		if rejected {
			if o, err = tx.Orders.Get(o.No); err != nil {
				return err
			}
			return writeFailed(tx, &o, answer, now)
		}
		if err := tx.Calls.End(issueKey(o.No), outcome, answer, now); err != nil {
			return err
		}
		return tx.Jobs.Reschedule(t, nextPoll(now, t.Tries))
	})
}

// poll queries the provider about an ISSUING order and acts on the answer: it records the tickets or the rejection, or
// sends the request again if it never arrived and the show has not begun. Neither a missing answer nor the start of the
// show fails an order: the provider may still issue the tickets, and the buyer would have both tickets and money. Only
// the provider's answer, or an operator (giveUp), ends the order.
func (s *Service) poll(ctx context.Context, t jobs.Task, o order.Order, src order.Deliverer) error {
	p, err := src.Query(ctx, o.No)
	switch {
	case errors.Is(err, order.ErrProviderOrderNotFound):
		if t.Tries >= notFoundTries && s.stillUnknown(ctx, src, o.No) {
			return s.fail(ctx, o.No, order.ErrProviderOrderNotFound.Code)
		}
		if o.Kind == order.Goods { // a recharge has no lock: the request did not arrive
			return s.request(ctx, t, o, src)
		}
		return s.pollAgain(ctx, t, o)
	case err != nil:
		return s.pollAgain(ctx, t, o)
	case p.Complete(o.Kind):
		return s.recordIssued(ctx, o.No, p)
	case p.State == order.ProviderIssueRejected:
		return s.fail(ctx, o.No, reasonOr(p, "issue refused"))
	case p.State == order.ProviderReleased:
		return s.fail(ctx, o.No, reasonOr(p, "lock lost"))
	case p.State == order.ProviderLocked && o.ShowBegan(s.now()):
		return s.unlockAfterStart(ctx, t, o)
	case p.State == order.ProviderLocked:
		return s.request(ctx, t, o, src)
	}
	return s.pollAgain(ctx, t, o)
}

// unlockAfterStart unlocks the seats of an order whose request for tickets did not arrive before the show began, so
// that a late request cannot be fulfilled. The next poll reads the result: if the source holds nothing for the order,
// the order is failed and refunded; if the source has sold the seats, the order waits for the tickets or for an
// operator.
func (s *Service) unlockAfterStart(ctx context.Context, t jobs.Task, o order.Order) error {
	src, err := s.sources.Of(o.Source)
	if err != nil {
		return err
	}
	if err := src.Unlock(ctx, o.No); err != nil {
		s.logger.WarnContext(ctx, "unlock seats after the start of the show failed", "order", o.No, "error", err)
	}
	return s.pollAgain(ctx, t, o)
}

// stillUnknown queries again and reports whether the provider has answered notFoundTries times in a row that it does
// not know the order.
func (s *Service) stillUnknown(ctx context.Context, src order.Deliverer, no string) bool {
	for range notFoundTries - 1 {
		if _, err := src.Query(ctx, no); !errors.Is(err, order.ErrProviderOrderNotFound) {
			return false
		}
	}
	return true
}

func reasonOr(p order.ProviderOrder, otherwise string) string {
	if p.Reason != "" {
		return p.Reason
	}
	return otherwise
}

// pollAgain schedules the next poll, and flags the order as stuck if it is overdue: after stuckAfter tries, or when its
// show has begun.
func (s *Service) pollAgain(ctx context.Context, t jobs.Task, o order.Order) error {
	return s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		if !o.Stuck && (t.Tries+1 >= stuckAfter || o.ShowBegan(now)) {
			current, err := tx.Orders.Get(o.No)
			if err != nil {
				return err
			}
			if current.State == order.Issuing && !current.Stuck {
				current.MarkStuck(now)
				if err := tx.Orders.Save(&current); err != nil {
					return err
				}
				if err := tx.Audit.Record(now, audit.System, "order.stuck", audit.Order(o.No), "", ""); err != nil {
					return err
				}
			}
		}
		return tx.Jobs.Reschedule(t, nextPoll(now, t.Tries))
	})
}

// recordIssued runs the functions in also, and then writeIssued, in one transaction. It does nothing if the order is
// ISSUED.
func (s *Service) recordIssued(ctx context.Context, no string, p order.ProviderOrder,
	also ...func(tx order.Tx, prior order.State) error) error {
	return s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		o, err := tx.Orders.Get(no)
		if err != nil {
			return err
		}
		if o.State == order.Issued {
			return nil
		}
		for _, write := range also {
			if err := write(tx, o.State); err != nil {
				return err
			}
		}
		return writeIssued(tx, &o, p, now)
	})
}

// writeIssued writes ISSUED with the tickets, records that the call for them succeeded, and ends the order's task. It
// does nothing if the order is ISSUED.
func writeIssued(tx order.Tx, o *order.Order, p order.ProviderOrder, now time.Time) error {
	if o.State == order.Issued {
		return nil
	}
	if err := o.MarkIssued(p, now); err != nil {
		return err
	}
	if err := tx.Orders.Save(o); err != nil {
		return err
	}
	if err := tx.Calls.End(issueKey(o.No), order.OutcomeOK, p.ProviderNo, now); err != nil {
		return err
	}
	return tx.Jobs.Unschedule(order.TaskOrder, o.No)
}
