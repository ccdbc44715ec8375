package orders

import (
	"context"
	"errors"
	"slices"
	"time"

	"marquee/server/cards"
	"marquee/server/payment"
)

// openPaymentOf finds the order's open payment.
func (s *Service) openPaymentOf(ctx context.Context, orderNo string) (payment.Payment, bool, error) {
	all, err := s.Store.Payments(ctx, orderNo)
	i := slices.IndexFunc(all, func(p payment.Payment) bool { return p.State == payment.Open })
	if err != nil || i < 0 {
		return payment.Payment{}, false, err
	}
	return all[i], true, nil
}

// settle ends the order's open payment so that nobody can pay it any more: nothing is open when it returns nil. Money that had
// moved is captured; whether it paid the order, the order tells. ErrPaymentPending: the gateway does not say, so the payment
// stays as it is.
func (s *Service) settle(ctx context.Context, orderNo string) error {
	p, found, err := s.openPaymentOf(ctx, orderNo)
	if err != nil || !found {
		return err
	}
	state, err := s.look(ctx, p)
	if err != nil {
		return err
	}
	if state == payment.TradeUnpaid {
		if state, err = s.endTrade(ctx, p); err != nil {
			return err
		}
	}
	if state != payment.TradeClosed {
		return nil // captured, and the payment closed with it
	}
	return s.closePayment(ctx, p, payment.Closed)
}

// look asks the gateway about an open payment and captures what turns out to be paid. A trade that nobody has
// heard of counts as unpaid. A paid trade that is not the one we announced closes the payment as disputed.
func (s *Service) look(ctx context.Context, p payment.Payment) (payment.TradeState, error) {
	leg, _ := p.App()
	t, err := s.askTrade(ctx, leg.OutTradeNo)
	switch {
	case errors.Is(err, payment.ErrTradeNotFound):
		return payment.TradeUnpaid, nil
	case err != nil:
		s.Logger.WarnContext(ctx, "trade query failed", "trade", leg.OutTradeNo, "error", err)
		return 0, ErrPaymentPending
	}
	if t.State == payment.TradeUnpaid || t.State == payment.TradeClosed {
		return t.State, nil
	}
	err = s.capture(ctx, t)
	if errors.Is(err, payment.ErrNotifyRefused) {
		if err := s.closePayment(ctx, p, payment.Disputed); err != nil {
			return 0, err
		}
		return payment.TradeClosed, nil
	}
	return t.State, err
}

// endTrade closes an unpaid trade at the gateway.
func (s *Service) endTrade(ctx context.Context, p payment.Payment) (payment.TradeState, error) {
	leg, _ := p.App()
	err := s.askClose(ctx, leg.OutTradeNo)
	switch {
	case err == nil, errors.Is(err, payment.ErrTradeNotFound), errors.Is(err, payment.ErrTradeClosed):
		return payment.TradeClosed, nil
	case errors.Is(err, payment.ErrAlreadyPaid):
		state, err := s.look(ctx, p)
		if err == nil && state == payment.TradeUnpaid {
			return 0, ErrPaymentPending // the gateway contradicts itself; ask again later
		}
		return state, err
	}
	s.Logger.WarnContext(ctx, "trade close failed", "trade", leg.OutTradeNo, "error", err)
	return 0, ErrPaymentPending
}

// lastLook is how long after a closed trade's own end it is asked about once more, in case it was announced
// behind our back.
const lastLook = time.Minute

// closePayment ends an open payment that did not pay: its points go back to their lots.
func (s *Service) closePayment(ctx context.Context, p payment.Payment, as payment.State) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		err := closeTx(tx, p, as, s.Now())
		if errors.Is(err, payment.ErrStale) {
			return nil // somebody else ended it
		}
		return err
	})
}

func closeTx(tx Tx, p payment.Payment, as payment.State, now time.Time) error {
	if err := tx.Payments.Move(p.ID, payment.Open, as); err != nil {
		return err
	}
	for _, l := range p.Legs {
		if l.Kind == payment.ByApp {
			if err := tx.Jobs.Unschedule(TaskTrade, l.OutTradeNo); err != nil {
				return err
			}
			at := l.ExpiresAt
			if at.Before(now) {
				at = now
			}
			if err := tx.Jobs.Schedule(TaskReconcile, l.OutTradeNo, LaneGateway, at.Add(lastLook)); err != nil {
				return err
			}
			continue
		}
		sp := cards.Spend{LegID: l.ID, OrderNo: p.OrderNo, CardID: l.CardID, Actor: system, At: now}
		if err := cards.Release(tx.Cards, sp); err != nil {
			return err
		}
	}
	return nil
}
