package checkout

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"marquee/server/audit"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/jobs"
	"marquee/server/order"
	"marquee/server/requestid"
)

const (
	// maxRefundTries is how many requests in a row the gateway may leave unanswered before the refund is flagged for
	// review. With jobs.Backoff this takes about a day.
	maxRefundTries = 34
)

var (
	errRefundWindow     = errors.New("checkout: refund unanswered beyond the gateway's window")
	errRefundProcessing = errors.New("checkout: refund in progress at the gateway for too long")
)

// Refunds refunds money through the messaging app. Points need no call: they return in the transaction that decides the
// refund.
type Refunds struct {
	base
	gateway order.Gateway
	trades  *Trades
}

// Advance is the handler of order.TaskRefund, which advances one refund. The first try commits the intent and sends the
// request. Further tries query, and send again only what the gateway does not know.
func (s *Refunds) Advance(ctx context.Context, t jobs.Task) error {
	id, err := strconv.ParseInt(t.Subject, 10, 64)
	if err != nil {
		return fmt.Errorf("refund task %q: %w", t.Subject, err)
	}
	r, leg, err := s.beginRefund(ctx, id)
	if err != nil {
		return err
	}
	requestid.NoteOrder(ctx, r.OutRefundNo)
	var result order.RefundResult
	switch r.State {
	case order.RefundReady:
		r.State = order.RefundSending
		result, err = s.send(ctx, r, leg)
	case order.RefundSending, order.RefundUnknown:
		result, err = s.querySent(ctx, &r, leg)
	case order.RefundManual, order.RefundByHand: // the reconciliation has found it in a bill and scheduled this query
		if result, err = s.query(ctx, r, leg); err != nil {
			return err
		}
		return s.recordQueriedResult(ctx, t, result)
	default:
		return s.runner.Finish(ctx, t)
	}
	return s.recordRefund(ctx, t, r, result, err)
}

func refundKey(outRefundNo string) string { return "refund:" + outRefundNo }

// beginRefund returns the refund and its leg. If the refund is RefundReady, beginRefund records that it is being sent.
// The returned refund still is RefundReady, so that the caller sends it.
func (s *Refunds) beginRefund(ctx context.Context, id int64) (order.Refund, order.Leg, error) {
	var r order.Refund
	var leg order.Leg
	err := s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		var err error
		if r, err = tx.Refunds.Get(id); err != nil {
			return err
		}
		if leg, err = legOf(tx, r); err != nil {
			return err
		}
		if r.State != order.RefundReady {
			return nil
		}
		r.SentAt = now
		sending := r
		sending.State = order.RefundSending
		if err := tx.Refunds.Save(sending, order.RefundReady); err != nil {
			return err
		}
		hash := order.Fingerprint(r.OutRefundNo, r.Amount)
		return tx.Calls.Begin(order.Call{Key: refundKey(r.OutRefundNo), OrderNo: r.OrderNo, RequestHash: hash, At: now})
	})
	return r, leg, err
}

func legOf(tx order.Tx, r order.Refund) (order.Leg, error) {
	payments, err := tx.Payments.OfOrder(r.OrderNo)
	if err != nil {
		return order.Leg{}, err
	}
	for _, p := range payments {
		for _, l := range p.Legs {
			if l.ID == r.LegID {
				return l, nil
			}
		}
	}
	return order.Leg{}, fmt.Errorf("refund %d: leg %d does not exist", r.ID, r.LegID)
}

// send requests a refund from the gateway. If the answer does not match the request, the outcome is unknown.
func (s *Refunds) send(ctx context.Context, r order.Refund, leg order.Leg) (order.RefundResult, error) {
	got, err := s.gateway.Refund(ctx, order.RefundRequest{
		OutTradeNo: leg.OutTradeNo, OutRefundNo: r.OutRefundNo, Amount: r.Amount, Total: leg.Amount, Reason: r.Reason,
	})
	return s.verified(ctx, r, leg, got, err, fault.ErrUnknown)
}

// query queries a refund at the gateway. It fails with fault.ErrBadAnswer if the answer does not match the refund.
func (s *Refunds) query(ctx context.Context, r order.Refund, leg order.Leg) (order.RefundResult, error) {
	got, err := s.gateway.QueryRefund(ctx, r.OutRefundNo)
	return s.verified(ctx, r, leg, got, err, fault.ErrBadAnswer)
}

// verified returns the gateway's answer, or its error err. An answer that does not match the refund is audited, and
// verified returns the error bad with the details: the refund stays open, and is queried again.
func (s *Refunds) verified(
	ctx context.Context, r order.Refund, leg order.Leg, got order.RefundResult, err, bad error,
) (order.RefundResult, error) {
	if err != nil {
		return got, err
	}
	why := mismatch(r, leg, got)
	if why == "" && got.Amount != r.Amount {
		why = "amount"
	}
	if why == "" {
		return got, nil
	}
	err = fmt.Errorf("refund %s: the answer has a different %s: %w", r.OutRefundNo, why, bad)
	return order.RefundResult{}, errors.Join(err, s.store.Update(ctx, func(tx order.Tx) error {
		return s.auditMismatch(tx, r, err, order.RefundNotice{RefundResult: got})
	}))
}

// querySent queries a refund that was sent before. If the gateway does not know it, it is sent again under the same
// number, within durations.RefundWindow, and r.SentAt is set to the time of the new request.
func (s *Refunds) querySent(ctx context.Context, r *order.Refund, leg order.Leg) (order.RefundResult, error) {
	result, err := s.query(ctx, *r, leg)
	if !errors.Is(err, order.ErrRefundNotFound) {
		return result, err
	}
	now := s.now()
	if now.Sub(r.SentAt) > durations.RefundWindow {
		return result, errRefundWindow
	}
	r.SentAt = now
	return s.send(ctx, *r, leg)
}

// nextProgress returns the refund's state that follows from a call to the gateway: got is the answer, cause the error
// of the call. If the state is RefundManual, reason explains why.
func nextProgress(
	t jobs.Task, r order.Refund, got order.RefundResult, cause error, now time.Time,
) (state order.RefundProgress, reason error) {
	switch {
	case errors.Is(cause, errRefundWindow), cause != nil && order.Rejected(cause),
		cause != nil && t.Tries+1 >= maxRefundTries:
		return order.RefundManual, cause
	case !fault.OutcomeKnown(cause):
		return order.RefundUnknown, nil
	case cause != nil:
		return order.RefundSending, nil // the gateway did not act: the refund is sent again with its number
	case got.State == order.RefundProcessing && now.Sub(r.SentAt) > durations.RefundProcessing:
		return order.RefundManual, errRefundProcessing
	}
	return progressOf(r, got)
}

// progressOf returns the refund's state that follows from the gateway's result. If the state is RefundManual, reason
// explains why.
func progressOf(r order.Refund, got order.RefundResult) (state order.RefundProgress, reason error) {
	switch {
	case got.Amount != 0 && got.Amount != r.Amount:
		return order.RefundManual, fmt.Errorf("the gateway reports %s", got.Amount)
	case got.State == order.RefundDone:
		return order.RefundSettled, nil
	case got.State == order.RefundClosed:
		return order.RefundManual, errors.New("the gateway has closed the refund")
	case got.State == order.RefundAbnormal:
		return order.RefundManual, errors.New("the payer's account cannot take the refund")
	}
	return order.RefundSending, nil
}

// recordRefund writes what the gateway answered, and when to query again. If the gateway answered that the refund is in
// progress, the count of tries starts again.
func (s *Refunds) recordRefund(
	ctx context.Context, t jobs.Task, r order.Refund, got order.RefundResult, cause error,
) error {
	return s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		next := r
		var reason error
		if next.State, reason = nextProgress(t, r, got, cause, now); got.RefundID != "" {
			next.RefundID = got.RefundID
		}
		if err := saveRefund(tx, r, next, reason, now); errors.Is(err, order.ErrPaymentChanged) {
			return tx.Jobs.Finish(t) // another call has changed the refund
		} else if err != nil {
			return err
		}
		outcome, answer := order.OutcomeOf(cause)
		if err := tx.Calls.End(refundKey(r.OutRefundNo), outcome, answer, now); err != nil {
			return err
		}
		switch {
		case next.State == order.RefundManual, next.State == order.RefundSettled:
			return tx.Jobs.Finish(t)
		case cause == nil:
			delay := min(max(now.Sub(r.SentAt), durations.FirstRefundQuery), durations.LongestRefundQuery)
			return tx.Jobs.Schedule(order.TaskRefund, r.TaskSubject(), order.QueuePayment, now.Add(delay))
		}
		return tx.Jobs.Reschedule(t, now.Add(jobs.Backoff(t.Tries)))
	})
}

// saveRefund writes the progress of a refund, records in the audit log if it is left to an operator, and completes the
// order when its last refund is settled. It fails with order.ErrPaymentChanged if the refund is no longer in the prior
// state.
func saveRefund(tx order.Tx, prior, next order.Refund, reason error, now time.Time) error {
	if next.State == order.RefundSettled {
		next.DoneAt = now
	}
	if err := tx.Refunds.Save(next, prior.State); err != nil {
		return err
	}
	switch {
	case next.State == order.RefundManual && prior.State != order.RefundManual:
		subject := "refund:" + next.OutRefundNo
		return tx.Audit.Record(now, audit.System, "refund.manual", subject, string(prior.State), reason.Error())
	case next.State == order.RefundSettled:
		o, err := tx.Orders.Get(next.OrderNo)
		if err != nil {
			return err
		}
		return order.CompleteRefunds(tx, &o, now)
	}
	return nil
}

// recordQueriedResult writes the gateway's answer about a refund that is or was left to an operator, and ends its task.
func (s *Refunds) recordQueriedResult(ctx context.Context, t jobs.Task, got order.RefundResult) error {
	return s.store.Update(ctx, func(tx order.Tx) error {
		r, err := tx.Refunds.ByNumber(got.OutRefundNo)
		if err != nil {
			return err
		}
		return errors.Join(recordResult(tx, r, got, s.now()), tx.Jobs.Finish(t))
	})
}

// RefundNotified records the gateway's verified notification about a refund. It returns nil after the result is on
// disk. A success ends the refund, even after it was left to an operator. Any other end, or a different amount, leaves
// the refund to an operator. If an operator has settled the refund by hand, a success marks it as doubled, and anything
// else changes nothing. A notification that a refund is in progress changes nothing, nor does one about a refund that
// is settled, doubled, not yet sent, or unknown to the shop. If the merchant, the trade, the transaction or the
// gateway's number differs from the refund's, the notification is audited, and RefundNotified returns
// order.ErrNotifyRejected.
func (s *Refunds) RefundNotified(ctx context.Context, got order.RefundNotice) error {
	var rejected error
	err := s.store.Update(context.WithoutCancel(ctx), func(tx order.Tx) error {
		rejected = nil
		r, err := tx.Refunds.ByNumber(got.OutRefundNo)
		if errors.Is(err, order.ErrRefundNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		leg, err := legOf(tx, r)
		if err != nil {
			return err
		}
		why := mismatch(r, leg, got.RefundResult)
		if got.MchID != s.trades.mchID {
			why = "merchant"
		}
		if why != "" {
			rejected = fmt.Errorf("refund %s: %s: %w", r.OutRefundNo, why, order.ErrNotifyRejected)
			return s.auditMismatch(tx, r, rejected, got)
		}
		return recordResult(tx, r, got.RefundResult, s.now())
	})
	return errors.Join(err, rejected)
}

// auditMismatch records a report of the gateway that does not match the refund.
func (s *Refunds) auditMismatch(tx order.Tx, r order.Refund, why error, got order.RefundNotice) error {
	return tx.Audit.Record(s.now(), audit.System, "refund.refused", "refund:"+r.OutRefundNo, why.Error(),
		fmt.Sprintf("refund %s trade %s transaction %s amount %s mchid %s", fault.Quote(got.RefundID),
			fault.Quote(got.OutTradeNo), fault.Quote(got.TransactionID), got.Amount, fault.Quote(got.MchID)))
}

// mismatch returns the name of a number in which the gateway's report differs from the refund, or "". The gateway's
// number of the refund is compared only if the shop has recorded one.
func mismatch(r order.Refund, leg order.Leg, got order.RefundResult) string {
	switch {
	case got.OutRefundNo != r.OutRefundNo:
		return "refund number"
	case got.OutTradeNo != leg.OutTradeNo:
		return "trade"
	case got.TransactionID != leg.TransactionID:
		return "transaction"
	case r.RefundID != "" && got.RefundID != r.RefundID:
		return "refund"
	}
	return ""
}

// recordResult writes a result from a notification or from a query of a refund that was left to an operator. It changes
// nothing if the refund is settled, doubled or not sent yet.
func recordResult(tx order.Tx, r order.Refund, got order.RefundResult, now time.Time) error {
	next := r
	next.RefundID = got.RefundID
	switch r.State {
	case order.RefundReady, order.RefundSettled, order.RefundDoubled:
		return nil
	case order.RefundByHand:
		if got.State != order.RefundDone {
			return nil
		}
		next.State = order.RefundDoubled
		return errors.Join(
			tx.Refunds.Save(next, r.State),
			tx.Audit.Record(now, audit.System, "refund.doubled", "refund:"+r.OutRefundNo, string(r.State),
				got.RefundID),
		)
	}
	var reason error
	if next.State, reason = progressOf(r, got); next.State == order.RefundSending {
		return nil // the task queries again
	}
	if err := tx.Calls.End(refundKey(r.OutRefundNo), order.OutcomeOK, "", now); err != nil {
		return err
	}
	if err := saveRefund(tx, r, next, reason, now); err != nil {
		return err
	}
	return tx.Jobs.Unschedule(order.TaskRefund, r.TaskSubject())
}
