package checkout

import (
	"context"
	"errors"
	"hash/fnv"
	"slices"
	"time"

	"marquee/server/audit"
	"marquee/server/cards"
	"marquee/server/durations"
	"marquee/server/jobs"
	"marquee/server/order"
)

// maxReplacements is how many open payments one call closes before it gives up, because another tab of the buyer may
// keep opening new ones.
const maxReplacements = 3

// tradeQueryDelays are the delays between the queries of an open trade; the last one repeats.
var tradeQueryDelays = []time.Duration{durations.SecondTradeQuery, durations.NextTradeQuery}

// errOpenPayment means that an earlier payment of the order is open and must be closed first.
var errOpenPayment = errors.New("checkout: a payment is open")

// replaceOpen runs write in one transaction. If write returns errOpenPayment, replaceOpen closes the order's open
// payment and runs write again. It fails with order.ErrPaymentPending if the gateway does not report whether that
// payment was paid.
func (s *Trades) replaceOpen(ctx context.Context, orderNo string, write func(tx order.Tx) error) error {
	for replaced := 0; ; replaced++ {
		err := s.store.Update(ctx, write)
		if !errors.Is(err, errOpenPayment) {
			return err
		}
		if replaced == maxReplacements {
			return order.ErrPaymentPending
		}
		if err := s.settleOpen(ctx, orderNo); err != nil {
			return err
		}
	}
}

func (s *Trades) openPaymentOf(ctx context.Context, orderNo string) (order.Payment, bool, error) {
	all, err := s.store.Payments(ctx, orderNo)
	i := slices.IndexFunc(all, func(p order.Payment) bool { return p.State == order.PaymentOpen })
	if err != nil || i < 0 {
		return order.Payment{}, false, err
	}
	return all[i], true, nil
}

// settleOpen closes the order's open payment at the gateway and in the store. When it returns nil, that payment is no
// longer open; a trade that was paid is captured, and the order's state shows whether it paid the order. If the gateway
// reports no final state, settleOpen leaves the payment open and fails with order.ErrPaymentPending, until
// durations.TradeUnknown after the end of the trade, when the payment becomes unknown.
func (s *Trades) settleOpen(ctx context.Context, orderNo string) error {
	p, found, err := s.openPaymentOf(ctx, orderNo)
	if err != nil || !found {
		return err
	}
	state, err := s.sync(ctx, p)
	if err == nil && state == order.TradeUnpaid {
		state, err = s.closeTrade(ctx, p)
	}
	switch {
	case errors.Is(err, order.ErrPaymentPending) && s.isOverdue(p):
		return s.closePayment(ctx, p, order.PaymentUnknown)
	case err != nil:
		return err
	case state != order.TradeClosed:
		return nil // captured, so that the payment is no longer open
	}
	return s.closePayment(ctx, p, order.PaymentClosed)
}

// isOverdue reports whether the payment's trade ended more than durations.TradeUnknown ago.
func (s *Trades) isOverdue(p order.Payment) bool {
	leg, _ := p.App()
	return !s.now().Before(leg.ExpiresAt.Add(durations.TradeUnknown))
}

// sync queries the gateway about an open payment and captures a trade that turns out to be paid. A trade that the
// gateway does not know counts as unpaid. A paid trade that differs from the announced one closes the payment as
// disputed.
func (s *Trades) sync(ctx context.Context, p order.Payment) (order.TradeState, error) {
	leg, _ := p.App()
	t, err := s.gateway.Query(ctx, leg.OutTradeNo)
	switch {
	case errors.Is(err, order.ErrTradeNotFound):
		return order.TradeUnpaid, nil
	case err != nil:
		s.logger.WarnContext(ctx, "trade query failed", "trade", leg.OutTradeNo, "error", err)
		return 0, order.ErrPaymentPending
	case t.State == order.TradeUnpaid || t.State == order.TradeClosed:
		return t.State, nil
	}
	err = s.capture(ctx, t)
	if errors.Is(err, order.ErrNotifyRejected) {
		if err := s.closePayment(ctx, p, order.PaymentDisputed); err != nil {
			return 0, err
		}
		return order.TradeClosed, nil
	}
	return t.State, err
}

// closeTrade closes an unpaid trade at the gateway. If the trade has been paid in the meantime, it is captured.
func (s *Trades) closeTrade(ctx context.Context, p order.Payment) (order.TradeState, error) {
	leg, _ := p.App()
	err := s.gateway.Close(ctx, leg.OutTradeNo)
	switch {
	case err == nil, errors.Is(err, order.ErrTradeNotFound):
		return order.TradeClosed, nil
	case errors.Is(err, order.ErrAlreadyPaid):
		state, err := s.sync(ctx, p)
		if err == nil && state == order.TradeUnpaid {
			return 0, order.ErrPaymentPending // the gateway reports it as paid and as unpaid; the task queries again
		}
		return state, err
	}
	s.logger.WarnContext(ctx, "trade close failed", "trade", leg.OutTradeNo, "error", err)
	return 0, order.ErrPaymentPending
}

// closePayment ends an open payment that did not pay its order, and returns its points to their lots.
func (s *Trades) closePayment(ctx context.Context, p order.Payment, as order.PaymentState) error {
	leg, _ := p.App()
	return s.store.Update(ctx, func(tx order.Tx) error {
		current, err := tx.Payments.ByTrade(leg.OutTradeNo)
		if err != nil {
			return err
		}
		err = closePaymentTx(tx, current, as, s.now())
		if errors.Is(err, order.ErrPaymentChanged) {
			return nil // ended by another call
		}
		return err
	})
}

func closePaymentTx(tx order.Tx, p order.Payment, as order.PaymentState, now time.Time) error {
	if err := tx.Payments.Move(p.ID, order.PaymentOpen, as); err != nil {
		return err
	}
	if as == order.PaymentUnknown {
		subject := audit.Order(p.OrderNo)
		err := tx.Audit.Record(now, audit.System, "payment.unknown", subject, string(order.PaymentOpen), string(as))
		if err != nil {
			return err
		}
	}
	for _, l := range p.Legs {
		if l.Kind == order.ByApp {
			if err := tx.Jobs.Unschedule(order.TaskTrade, l.OutTradeNo); err != nil {
				return err
			}
			at := l.ExpiresAt
			if at.Before(now) {
				at = now
			}
			at = at.Add(durations.LastTradeQuery + spread(l.OutTradeNo, durations.LastTradeSpread))
			err := tx.Jobs.Schedule(order.TaskRecheckTrade, l.OutTradeNo, order.QueuePayment, at)
			if err != nil {
				return err
			}
			continue
		}
		spend := cards.Spend{LegID: l.ID, OrderNo: p.OrderNo, CardID: l.CardID, Actor: audit.System, At: now}
		if err := cards.Release(tx.Cards, spend); err != nil {
			return err
		}
	}
	return nil
}

// spread returns a duration below the limit most. It depends only on the trade's number, and spreads the rechecks of
// many trades over time.
func spread(outTradeNo string, most time.Duration) time.Duration {
	h := fnv.New32a()
	_, _ = h.Write([]byte(outTradeNo)) // never fails
	return time.Duration(h.Sum32()) * time.Microsecond % most
}

// QueryOpenTrade is the handler of order.TaskTrade: it queries an open trade until the trade is paid or closed, or its
// payment becomes unknown.
func (s *Trades) QueryOpenTrade(ctx context.Context, t jobs.Task) error {
	var p order.Payment
	err := s.store.Update(ctx, func(tx order.Tx) (err error) {
		p, err = tx.Payments.ByTrade(t.Subject)
		return err
	})
	if err != nil {
		return err
	}
	if p.State != order.PaymentOpen {
		return s.runner.Finish(ctx, t)
	}
	state, err := s.sync(ctx, p)
	switch {
	case err == nil && state == order.TradeClosed:
		return s.closePayment(ctx, p, order.PaymentClosed)
	case err == nil && state == order.TradePaid:
		return nil
	case errors.Is(err, order.ErrPaymentPending) && s.isOverdue(p):
		return s.closePayment(ctx, p, order.PaymentUnknown)
	case err != nil && !errors.Is(err, order.ErrPaymentPending):
		// Not returned as an error: the runner would then double the delay with every query, but the seats are held
		// only for minutes.
		s.logger.WarnContext(ctx, "paid trade was not captured", "trade", t.Subject, "error", err)
	}
	delay := tradeQueryDelays[min(t.Tries, len(tradeQueryDelays)-1)]
	return s.runner.Reschedule(ctx, t, s.now().Add(delay))
}

// RecheckClosedTrade is the handler of order.TaskRecheckTrade for a payment that has ended without paying its order. It
// queries the trade until the gateway has reported its state, which usually takes one query, and has closed an unpaid
// trade. A late capture is recorded and refunded.
func (s *Trades) RecheckClosedTrade(ctx context.Context, t jobs.Task) error {
	if err := s.recheckTrade(ctx, t.Subject); err != nil {
		return err
	}
	return s.runner.Finish(ctx, t)
}

// recheckTrade queries the trade of an ended payment. A paid trade is captured, and the payment becomes disputed if the
// trade differs from the announced one. An unpaid trade is closed at the gateway, and an unknown payment becomes
// closed. recheckTrade returns an error if the gateway does not report the state of the trade.
func (s *Trades) recheckTrade(ctx context.Context, outTradeNo string) error {
	trade, err := s.gateway.Query(ctx, outTradeNo)
	switch {
	case errors.Is(err, order.ErrTradeNotFound):
	case err != nil:
		return err
	case trade.State == order.TradePaid || trade.State == order.TradeRefunded:
		err := s.capture(ctx, trade)
		if errors.Is(err, order.ErrNotifyRejected) {
			return s.dispute(ctx, outTradeNo)
		}
		return err
	case trade.State == order.TradeUnpaid:
		if err := s.gateway.Close(ctx, outTradeNo); err != nil && !errors.Is(err, order.ErrTradeNotFound) {
			return err
		}
	}
	return s.store.Update(ctx, func(tx order.Tx) error {
		p, err := tx.Payments.ByTrade(outTradeNo)
		if err != nil || p.State != order.PaymentUnknown {
			return err
		}
		return tx.Payments.Move(p.ID, order.PaymentUnknown, order.PaymentClosed)
	})
}

// dispute marks an ended payment as disputed: the gateway has a paid trade for it that differs from the announced one.
func (s *Trades) dispute(ctx context.Context, outTradeNo string) error {
	return s.store.Update(ctx, func(tx order.Tx) error {
		p, err := tx.Payments.ByTrade(outTradeNo)
		if err != nil || (p.State != order.PaymentClosed && p.State != order.PaymentUnknown) {
			return err
		}
		return errors.Join(
			tx.Payments.Move(p.ID, p.State, order.PaymentDisputed),
			tx.Audit.Record(s.now(), audit.System, "payment.disputed", audit.Order(p.OrderNo), string(p.State), outTradeNo),
		)
	})
}
