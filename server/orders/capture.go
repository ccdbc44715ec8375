package orders

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/cards"
	"marquee/server/payment"
)

// Capture records a trade that the gateway has vouched for: a verified notify. It returns nil once the capture
// is on the disk, also when it already was. payment.ErrTradeNotFound and payment.ErrNotifyRefused mean that
// the trade is not one of ours, or not the one we announced; both are audited and change nothing.
func (s *Service) Capture(ctx context.Context, t payment.Trade) error {
	if t.State != payment.TradePaid && t.State != payment.TradeRefunded {
		return nil // news of a trade without money changes nothing; the query job closes it
	}
	return s.capture(saga(ctx), t)
}

func (s *Service) capture(ctx context.Context, t payment.Trade) error {
	var refusal error
	err := s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		refusal = nil
		p, err := tx.Payments.ByTrade(t.OutTradeNo)
		if errors.Is(err, payment.ErrTradeNotFound) {
			refusal = err
			return tx.Audit.Record(now, system, "trade.foreign", "trade:"+t.OutTradeNo, "", describe(t))
		}
		if err != nil {
			return err
		}
		leg, _ := p.App()
		if why := s.mismatch(leg, t); why != "" {
			refusal = fmt.Errorf("trade %s: %s: %w", t.OutTradeNo, why, payment.ErrNotifyRefused)
			return tx.Audit.Record(now, system, "trade.refused", "trade:"+t.OutTradeNo, why, describe(t))
		}
		if leg.Captured > 0 {
			return nil // told twice
		}
		if err := tx.Payments.CaptureLeg(leg, t.TransactionID, now); err != nil {
			return err
		}
		leg.Captured, leg.TransactionID = leg.Amount, t.TransactionID
		o, err := tx.Orders.Get(p.OrderNo)
		if err != nil {
			return err
		}
		if p.State == payment.Open && o.State == Pending && t.State == payment.TradePaid {
			return s.completePayment(tx, &o, p, now)
		}
		return s.lateCapture(tx, &o, p, leg, t, now)
	})
	if err != nil {
		return fmt.Errorf("capture %s: %w", t.OutTradeNo, err)
	}
	if refusal == nil {
		s.Wake()
	}
	return refusal
}

// mismatch tells why a trade is not the one the leg announced, or "".
func (s *Service) mismatch(leg payment.Leg, t payment.Trade) string {
	switch {
	case t.AppID != s.AppID:
		return "appid"
	case t.MchID != s.MchID:
		return "merchant"
	case t.Amount != leg.Amount:
		return "amount"
	case t.OpenID != leg.OpenID:
		return "payer"
	case t.TransactionID == "" || (leg.Captured > 0 && t.TransactionID != leg.TransactionID):
		return "transaction"
	}
	return ""
}

func describe(t payment.Trade) string {
	return fmt.Sprintf("transaction %s amount %s appid %s mchid %s", t.TransactionID, t.Amount, t.AppID, t.MchID)
}

// completePayment commits the held points and marks the order paid, now that the app's leg is captured.
func (s *Service) completePayment(tx Tx, o *Order, p payment.Payment, now time.Time) error {
	for _, l := range p.Legs {
		if l.Kind != payment.ByCard {
			if err := tx.Jobs.Unschedule(TaskTrade, l.OutTradeNo); err != nil {
				return err
			}
			continue
		}
		if err := cards.Commit(tx.Cards, spend(o, l, now)); err != nil {
			return err
		}
		if err := tx.Payments.CaptureLeg(l, "", now); err != nil {
			return err
		}
	}
	if err := tx.Payments.Move(p.ID, payment.Open, payment.Paid); err != nil {
		return err
	}
	return s.markPaid(tx, o, now)
}

// lateCapture records money that came too late to pay the order, releases the points if they are still held,
// and sends the money back. A trade that somebody has refunded already is left to a person.
func (s *Service) lateCapture(tx Tx, o *Order, p payment.Payment, leg payment.Leg, t payment.Trade, now time.Time) error {
	from := p.State
	if p.State == payment.Open {
		if err := closeTx(tx, p, payment.Closed, now); err != nil {
			return err
		}
		from = payment.Closed
	}
	if err := tx.Payments.Move(p.ID, from, payment.Late); err != nil {
		return err
	}
	if err := tx.Audit.Record(now, system, "trade.late", "order:"+o.No, string(o.State), describe(t)); err != nil {
		return err
	}
	r := payment.NewRefund(leg, 1, "订单未完成，原路退款", now)
	if t.State == payment.TradeRefunded {
		r.State = payment.RefundManual
	}
	if err := tx.Refunds.Insert(&r); err != nil {
		return err
	}
	if r.State == payment.RefundManual {
		return nil
	}
	return tx.Jobs.Schedule(TaskRefund, subject(r), LaneGateway, now)
}
