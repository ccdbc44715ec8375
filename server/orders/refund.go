package orders

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"marquee/server/payment"
)

// refundTries is how often a refund is asked for before a person must look; with backoff, about half a day.
const refundTries = 14

// refundWindow is how long the provider is sure to know a refund number again. After it, an unanswered refund
// is left to a person rather than sent a second time.
const refundWindow = 24 * time.Hour

// refund moves one refund of the messaging app's leg on: announce, send, ask until it has arrived.
func (s *Service) refund(ctx context.Context, t Task) error {
	id, err := strconv.ParseInt(t.Subject, 10, 64)
	if err != nil {
		return fmt.Errorf("refund task %q: %w", t.Subject, err)
	}
	r, req, err := s.beginRefund(ctx, id)
	if err != nil {
		return err
	}
	var result payment.RefundResult
	switch r.State {
	case payment.RefundSettled, payment.RefundManual:
		return s.finish(ctx, t)
	case payment.RefundReady:
		r.State = payment.RefundSending
		result, err = s.sendRefund(ctx, req)
	default:
		result, err = s.askRefund(ctx, r, req)
	}
	return s.endRefund(ctx, t, r, result, err)
}

// beginRefund reads the refund and, when it is about to be sent for the first time, records that intent.
func (s *Service) beginRefund(ctx context.Context, id int64) (payment.Refund, payment.RefundRequest, error) {
	var r payment.Refund
	var req payment.RefundRequest
	err := s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		var err error
		if r, err = tx.Refunds.Get(id); err != nil {
			return err
		}
		leg, err := legOf(tx, r)
		if err != nil {
			return err
		}
		req = payment.RefundRequest{
			OutTradeNo: leg.OutTradeNo, OutRefundNo: r.OutRefundNo, Amount: r.Amount, Total: leg.Amount, Reason: r.Reason,
		}
		if r.State != payment.RefundReady {
			return nil
		}
		sending := r
		sending.State, sending.SentAt = payment.RefundSending, now
		if err := tx.Refunds.Save(sending, payment.RefundReady); err != nil {
			return err
		}
		c := Call{Key: "refund:" + r.OutRefundNo, OrderNo: r.OrderNo, RequestHash: digest(r.OutRefundNo, r.Amount), At: now}
		r.SentAt = now
		return tx.Calls.Begin(c)
	})
	return r, req, err
}

func legOf(tx Tx, r payment.Refund) (payment.Leg, error) {
	payments, err := tx.Payments.OfOrder(r.OrderNo)
	if err != nil {
		return payment.Leg{}, err
	}
	for _, p := range payments {
		for _, l := range p.Legs {
			if l.ID == r.LegID {
				return l, nil
			}
		}
	}
	return payment.Leg{}, fmt.Errorf("refund %d: leg %d is not there", r.ID, r.LegID)
}

func (s *Service) sendRefund(ctx context.Context, req payment.RefundRequest) (payment.RefundResult, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	return s.Gateway.Refund(ctx, req)
}

// askRefund asks about a refund that was sent before. One that never arrived is sent again under the same
// number, as long as the provider is sure to remember it.
func (s *Service) askRefund(ctx context.Context, r payment.Refund, req payment.RefundRequest) (payment.RefundResult, error) {
	result, err := s.queryRefund(ctx, r.OutRefundNo)
	if !errors.Is(err, payment.ErrRefundNotFound) {
		return result, err
	}
	if s.Now().Sub(r.SentAt) > refundWindow {
		return result, errTooLate
	}
	return s.sendRefund(ctx, req)
}

var errTooLate = errors.New("orders: refund unanswered beyond the provider's window")

func (s *Service) queryRefund(ctx context.Context, outRefundNo string) (payment.RefundResult, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	return s.Gateway.QueryRefund(ctx, outRefundNo)
}

// endRefund records what the gateway said. Silence is recorded as unknown and asked about again.
func (s *Service) endRefund(ctx context.Context, t Task, r payment.Refund, got payment.RefundResult, cause error) error {
	next := r
	switch {
	case errors.Is(cause, errTooLate), cause != nil && refused(cause), t.Tries+1 >= refundTries && got.State != payment.RefundDone:
		next.State = payment.RefundManual
	case cause != nil && !definite(cause):
		next.State = payment.RefundUnknown
	case cause != nil:
		next.State = payment.RefundSending // certainly not done yet: the same number again
	case got.Amount != 0 && got.Amount != r.Amount:
		cause = fmt.Errorf("refund %s came back as %s", r.OutRefundNo, got.Amount)
		next.State = payment.RefundManual
	case got.State == payment.RefundDone:
		next.State = payment.RefundSettled
	case got.State == payment.RefundClosed, got.State == payment.RefundAbnormal:
		next.State = payment.RefundManual
	default:
		next.State = payment.RefundSending
	}
	if got.RefundID != "" {
		next.RefundID = got.RefundID
	}
	outcome, answer := outcomeOf(cause)
	return s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		if next.State == payment.RefundSettled {
			next.DoneAt = now
		}
		if err := tx.Refunds.Save(next, r.State); err != nil {
			if errors.Is(err, payment.ErrStale) {
				return tx.Jobs.Finish(t) // somebody else moved it on
			}
			return err
		}
		if err := tx.Calls.End("refund:"+r.OutRefundNo, outcome, answer, now); err != nil {
			return err
		}
		switch next.State {
		case payment.RefundManual:
			if err := tx.Audit.Record(now, system, "refund.manual", "refund:"+r.OutRefundNo, string(r.State), fmt.Sprint(cause)); err != nil {
				return err
			}
			return tx.Jobs.Finish(t)
		case payment.RefundSettled:
			o, err := tx.Orders.Get(r.OrderNo)
			if err != nil {
				return err
			}
			if err := finishRefunds(tx, &o, now); err != nil {
				return err
			}
			return tx.Jobs.Finish(t)
		}
		return tx.Jobs.Reschedule(t, now.Add(backoff(t.Tries)))
	})
}
