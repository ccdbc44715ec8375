package checkout

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"marquee/server/fault"
	"marquee/server/jobs"
	"marquee/server/order"
)

const (
	// maxRefundTries is how often a refund is asked for before an operator must look; with jobs.Backoff about half a day.
	maxRefundTries = 14
	// refundWindow is how long the gateway is sure to know a refund number again. After it, an unanswered refund is left
	// to an operator and not sent a second time.
	refundWindow = 24 * time.Hour
)

var errRefundWindow = errors.New("checkout: refund unanswered beyond the gateway's window")

// Refunds sends money back through the messaging app. Points are refunded in the transaction that decides the refund.
type Refunds struct {
	base
	gateway order.Gateway
}

// Refund is the handler of order.TaskRefund: it moves one refund on. The first try commits the intent and sends;
// further tries query, and send again only what the gateway does not know.
func (s *Refunds) Refund(ctx context.Context, t jobs.Task) error {
	id, err := strconv.ParseInt(t.Subject, 10, 64)
	if err != nil {
		return fmt.Errorf("refund task %q: %w", t.Subject, err)
	}
	r, req, err := s.beginRefund(ctx, id)
	if err != nil {
		return err
	}
	var result order.RefundResult
	switch r.State {
	case order.RefundSettled, order.RefundManual:
		return s.runner.Finish(ctx, t)
	case order.RefundReady:
		r.State = order.RefundSending
		result, err = s.gateway.Refund(ctx, req)
	default:
		result, err = s.queryRefund(ctx, r, req)
	}
	return s.recordRefund(ctx, t, r, result, err)
}

func refundKey(outRefundNo string) string { return "refund:" + outRefundNo }

// beginRefund reads the refund as it was, and, if it is about to be sent for the first time, writes that intent.
func (s *Refunds) beginRefund(ctx context.Context, id int64) (order.Refund, order.RefundRequest, error) {
	var r order.Refund
	var req order.RefundRequest
	err := s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		var err error
		if r, err = tx.Refunds.Get(id); err != nil {
			return err
		}
		leg, err := legOf(tx, r)
		if err != nil {
			return err
		}
		req = order.RefundRequest{
			OutTradeNo: leg.OutTradeNo, OutRefundNo: r.OutRefundNo, Amount: r.Amount, Total: leg.Amount, Reason: r.Reason,
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
	return r, req, err
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

// queryRefund asks about a refund that was sent before. One that the gateway does not know is sent again under the same
// number, within refundWindow.
func (s *Refunds) queryRefund(
	ctx context.Context, r order.Refund, req order.RefundRequest,
) (order.RefundResult, error) {
	result, err := s.gateway.QueryRefund(ctx, r.OutRefundNo)
	if !errors.Is(err, order.ErrRefundNotFound) {
		return result, err
	}
	if s.now().Sub(r.SentAt) > refundWindow {
		return result, errRefundWindow
	}
	return s.gateway.Refund(ctx, req)
}

// nextProgress decides the refund's state from the gateway's answer, or from the error in its place.
func nextProgress(t jobs.Task, r order.Refund, got order.RefundResult, cause error) (order.RefundProgress, error) {
	switch {
	case errors.Is(cause, errRefundWindow), cause != nil && order.Refused(cause),
		t.Tries+1 >= maxRefundTries && got.State != order.RefundDone:
		return order.RefundManual, cause
	case !fault.OutcomeKnown(cause):
		return order.RefundUnknown, cause
	case cause != nil:
		return order.RefundSending, cause // the gateway did not act: the same number is sent again
	case got.Amount != 0 && got.Amount != r.Amount:
		return order.RefundManual, fmt.Errorf("refund %s came back as %s", r.OutRefundNo, got.Amount)
	case got.State == order.RefundDone:
		return order.RefundSettled, nil
	case got.State == order.RefundClosed, got.State == order.RefundAbnormal:
		return order.RefundManual, nil
	}
	return order.RefundSending, nil
}

// recordRefund writes what the gateway answered, and completes the order when its last refund is settled.
func (s *Refunds) recordRefund(
	ctx context.Context, t jobs.Task, r order.Refund, got order.RefundResult, cause error,
) error {
	next := r
	next.State, cause = nextProgress(t, r, got, cause)
	if got.RefundID != "" {
		next.RefundID = got.RefundID
	}
	outcome, answer := order.OutcomeOf(cause)
	return s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		if next.State == order.RefundSettled {
			next.DoneAt = now
		}
		if err := tx.Refunds.Save(next, r.State); err != nil {
			if errors.Is(err, order.ErrPaymentChanged) {
				return tx.Jobs.Finish(t) // moved on by another call
			}
			return err
		}
		if err := tx.Calls.End(refundKey(r.OutRefundNo), outcome, answer, now); err != nil {
			return err
		}
		switch next.State {
		case order.RefundManual:
			subject := "refund:" + r.OutRefundNo
			err := tx.Audit.Record(now, order.System, "refund.manual", subject, string(r.State), fmt.Sprint(cause))
			if err != nil {
				return err
			}
			return tx.Jobs.Finish(t)
		case order.RefundSettled:
			o, err := tx.Orders.Get(r.OrderNo)
			if err != nil {
				return err
			}
			if err := order.CompleteRefunds(tx, &o, now); err != nil {
				return err
			}
			return tx.Jobs.Finish(t)
		}
		return tx.Jobs.Reschedule(t, now.Add(jobs.Backoff(t.Tries)))
	})
}

// RefundNotified takes the gateway's verified notification about a refund: the refund's task queries now instead of
// later, and what the gateway then answers counts. A notification about a settled or unknown refund changes nothing.
func (s *Refunds) RefundNotified(ctx context.Context, outRefundNo string) error {
	defer s.runner.Wake()
	return s.store.Update(context.WithoutCancel(ctx), func(tx order.Tx) error {
		r, err := tx.Refunds.ByNumber(outRefundNo)
		if errors.Is(err, order.ErrRefundNotFound) {
			return nil
		}
		if err != nil || (r.State != order.RefundSending && r.State != order.RefundUnknown) {
			return err
		}
		return tx.Jobs.Schedule(order.TaskRefund, r.TaskSubject(), order.QueueGateway, s.now())
	})
}
