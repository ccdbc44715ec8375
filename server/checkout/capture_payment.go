package checkout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/audit"
	"marquee/server/cards"
	"marquee/server/fulfilment"
	"marquee/server/order"
)

// Trades tracks the trades of the messaging app: it captures paid ones, closes unpaid ones, and queries those whose
// result the gateway has not reported.
type Trades struct {
	base
	gateway      order.Gateway
	appID, mchID string // of the shop; trades with other ids are rejected
}

// Capture records a trade that the gateway reported in a verified notification. It returns nil after the capture is on
// disk, also for a repeated notification. order.ErrTradeNotFound means that the trade does not belong to the shop, and
// order.ErrNotifyRejected that it differs from the announced one; both are audited. A trade that differs is queried:
// now if its payment has ended, otherwise by the query task.
func (s *Trades) Capture(ctx context.Context, t order.Trade) error {
	if t.State != order.TradePaid && t.State != order.TradeRefunded {
		return nil // no money was paid; the query task closes the trade when it ends
	}
	ctx = context.WithoutCancel(ctx)
	err := s.capture(ctx, t)
	if errors.Is(err, order.ErrNotifyRejected) {
		return errors.Join(err, s.scheduleTradeQuery(ctx, t.OutTradeNo))
	}
	return err
}

// capture is Capture for a trade that the gateway reports as paid.
func (s *Trades) capture(ctx context.Context, t order.Trade) error {
	var err error
	for range captureTries {
		err = s.store.Update(ctx, func(tx order.Tx) error { return s.captureTx(tx, t, s.now()) })
		switch {
		case err == nil:
			s.runner.Wake()
			return nil
		case errors.Is(err, order.ErrTradeNotFound), errors.Is(err, order.ErrNotifyRejected):
			return errors.Join(err, s.auditRejection(ctx, t, err))
		case errors.Is(err, order.ErrStoreFailed):
			return fmt.Errorf("capture %s: %w", t.OutTradeNo, err)
		}
	}
	return s.refundFailedCapture(ctx, t, err)
}

// captureTries is how often a capture that breaks a rule is tried before its money is refunded. The second try reads
// again what another transaction may have changed. If the database engine fails, capture returns the error instead of
// refunding, because a later call may succeed.
const captureTries = 2

// captureTx records a trade, and marks its order paid if the trade pays it.
func (s *Trades) captureTx(tx order.Tx, t order.Trade, now time.Time) error {
	p, err := tx.Payments.ByTrade(t.OutTradeNo)
	if err != nil {
		return err
	}
	leg, _ := p.App()
	if why := s.mismatch(leg, t); why != "" {
		return fmt.Errorf("trade %s: %s: %w", t.OutTradeNo, why, order.ErrNotifyRejected)
	}
	if leg.Captured > 0 {
		return nil // a repeated notification
	}
	if err := tx.Payments.CaptureLeg(leg, t.TransactionID, now); err != nil {
		return err
	}
	leg.Captured, leg.TransactionID = leg.Amount, t.TransactionID
	o, err := tx.Orders.Get(p.OrderNo)
	if err != nil {
		return err
	}
	if p.State == order.PaymentOpen && o.State == order.Pending && t.State == order.TradePaid {
		return completePayment(tx, &o, p, now)
	}
	return refundLateCapture(tx, &o, p, leg, t, now)
}

// auditRejection records in the audit log why a trade was not captured.
func (s *Trades) auditRejection(ctx context.Context, t order.Trade, why error) error {
	what := "trade.refused"
	if errors.Is(why, order.ErrTradeNotFound) {
		what = "trade.foreign"
	}
	return s.store.Update(ctx, func(tx order.Tx) error {
		return tx.Audit.Record(s.now(), audit.System, what, "trade:"+t.OutTradeNo, why.Error(), describe(t))
	})
}

// scheduleTradeQuery schedules an immediate query of a trade whose payment has ended, so that the payment becomes
// disputed if the gateway has money for it.
func (s *Trades) scheduleTradeQuery(ctx context.Context, outTradeNo string) error {
	defer s.runner.Wake()
	return s.store.Update(ctx, func(tx order.Tx) error {
		p, err := tx.Payments.ByTrade(outTradeNo)
		if err != nil || (p.State != order.PaymentClosed && p.State != order.PaymentUnknown) {
			return err
		}
		return tx.Jobs.Schedule(order.TaskRecheckTrade, outTradeNo, order.QueuePayment, s.now())
	})
}

// refundFailedCapture records and refunds the money of a trade whose capture keeps breaking a rule, for example because
// its seats are not held. Leaving it to the next notification is not enough: the gateway repeats a notification only a
// limited number of times. The order is cancelled, because the same rule would break again. If releasing its seats,
// stock or points breaks a rule, too, only the money is refunded; the verification of the records then reports the
// rest.
func (s *Trades) refundFailedCapture(ctx context.Context, t order.Trade, cause error) error {
	s.logger.ErrorContext(ctx, "capture failed, money is being refunded", "trade", t.OutTradeNo, "error", cause)
	err := s.store.Update(ctx, func(tx order.Tx) error { return refundFailedTx(tx, t, cause, true, s.now()) })
	if err != nil && !errors.Is(err, order.ErrStoreFailed) {
		err = s.store.Update(ctx, func(tx order.Tx) error { return refundFailedTx(tx, t, cause, false, s.now()) })
	}
	s.runner.Wake()
	if err != nil {
		return fmt.Errorf("capture %s: %w", t.OutTradeNo, errors.Join(cause, err))
	}
	return nil
}

// refundFailedTx writes the capture and the refund of refundFailedCapture. If release is true, it also releases points,
// seats and stock, and cancels the order.
func refundFailedTx(tx order.Tx, t order.Trade, cause error, release bool, now time.Time) error {
	p, err := tx.Payments.ByTrade(t.OutTradeNo)
	if err != nil {
		return err
	}
	leg, _ := p.App()
	if leg.Captured > 0 {
		return nil
	}
	o, err := tx.Orders.Get(p.OrderNo)
	if err != nil {
		return err
	}
	if err := errors.Join(
		tx.Payments.CaptureLeg(leg, t.TransactionID, now),
		tx.Audit.Record(now, audit.System, "trade.capture_failed", audit.Order(o.No), cause.Error(), describe(t)),
	); err != nil {
		return err
	}
	leg.Captured, leg.TransactionID = leg.Amount, t.TransactionID
	if !release {
		return errors.Join(
			tx.Payments.Move(p.ID, p.State, order.PaymentLate), tx.Jobs.Unschedule(order.TaskTrade, leg.OutTradeNo),
			refundCapture(tx, leg, t.State == order.TradeRefunded, now),
		)
	}
	if err := refundLateCapture(tx, &o, p, leg, t, now); err != nil || o.State != order.Pending {
		return err
	}
	if err := o.MarkCancelled(now); err != nil {
		return err
	}
	o.FailReason = "capture failed"
	return saveEnded(tx, &o, now)
}

// mismatch returns the name of a field in which the trade differs from the leg, or "". The payer is compared only if
// the leg has one. It has none if the trade was announced for a browser, where any person may pay, or if the buyer has
// closed the account, which erases payers. The schema rejects other legs without a payer.
func (s *Trades) mismatch(leg order.Leg, t order.Trade) string {
	switch {
	case t.AppID != s.appID:
		return "appid"
	case t.MchID != s.mchID:
		return "merchant"
	case t.Amount != leg.Amount:
		return "amount"
	case t.Currency != "":
		return "currency"
	case leg.OpenID != "" && t.OpenID != leg.OpenID:
		return "payer"
	case t.TransactionID == "" || (leg.Captured > 0 && t.TransactionID != leg.TransactionID):
		return "transaction"
	}
	return ""
}

func describe(t order.Trade) string {
	return fmt.Sprintf("transaction %s amount %s%s appid %s mchid %s",
		t.TransactionID, t.Amount, t.Currency, t.AppID, t.MchID)
}

// completePayment commits the held points and marks the order paid. The messaging app's leg must be captured before.
func completePayment(tx order.Tx, o *order.Order, p order.Payment, now time.Time) error {
	for _, l := range p.Legs {
		if l.Kind != order.ByCard {
			if err := tx.Jobs.Unschedule(order.TaskTrade, l.OutTradeNo); err != nil {
				return err
			}
			continue
		}
		if err := cards.Commit(tx.Cards, spendOf(o, l, now)); err != nil {
			return err
		}
		if err := tx.Payments.CaptureLeg(l, "", now); err != nil {
			return err
		}
	}
	if err := tx.Payments.Move(p.ID, order.PaymentOpen, order.PaymentPaid); err != nil {
		return err
	}
	return fulfilment.RecordPaid(tx, o, now)
}

// refundLateCapture records money that came too late to pay the order, releases the points if they are still held, and
// refunds the money. If the trade is already refunded at the gateway, or was settled by an operator, the refund is left
// to an operator.
func refundLateCapture(
	tx order.Tx, o *order.Order, p order.Payment, leg order.Leg, t order.Trade, now time.Time,
) error {
	from := p.State
	if p.State == order.PaymentOpen {
		if err := closePaymentTx(tx, p, order.PaymentClosed, now); err != nil {
			return err
		}
		from = order.PaymentClosed
	}
	if err := tx.Payments.Move(p.ID, from, order.PaymentLate); err != nil {
		return err
	}
	err := tx.Audit.Record(now, audit.System, "trade.late", audit.Order(o.No), string(o.State), describe(t))
	if err != nil {
		return err
	}
	return refundCapture(tx, leg, t.State == order.TradeRefunded || p.State == order.PaymentSettled, now)
}

// refundCapture inserts the refund of a captured leg that pays no order. If manual is true, an operator must decide
// about the refund; otherwise a task sends it.
func refundCapture(tx order.Tx, leg order.Leg, manual bool, now time.Time) error {
	r := order.NewRefund(leg, 1, "订单未完成，原路退款", now)
	if manual {
		r.State = order.RefundManual
	}
	return order.StartRefund(tx, r, now)
}
