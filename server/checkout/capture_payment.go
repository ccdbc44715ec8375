package checkout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/cards"
	"marquee/server/order"
)

// Trades follows the trades of the messaging app: it captures paid ones, closes unpaid ones, and queries those
// without news.
type Trades struct {
	base
	gateway      order.Gateway
	appID, mchID string // of the shop; trades of others are refused
}

// Capture records a trade that the gateway has vouched for in a verified notification. It returns nil once the
// capture is on the disk, also if it was before. order.ErrTradeNotFound means that the trade is not one of ours, and
// order.ErrNotifyRefused that it differs from the one we announced; both are audited and change nothing.
func (s *Trades) Capture(ctx context.Context, t order.Trade) error {
	if t.State != order.TradePaid && t.State != order.TradeRefunded {
		return nil // no money moved; the query task closes the trade
	}
	return s.capture(context.WithoutCancel(ctx), t)
}

func (s *Trades) capture(ctx context.Context, t order.Trade) error {
	var refusal error
	err := s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		refusal = nil
		p, err := tx.Payments.ByTrade(t.OutTradeNo)
		if errors.Is(err, order.ErrTradeNotFound) {
			refusal = err
			return tx.Audit.Record(now, order.System, "trade.foreign", "trade:"+t.OutTradeNo, "", describe(t))
		}
		if err != nil {
			return err
		}
		leg, _ := p.App()
		if why := s.mismatch(leg, t); why != "" {
			refusal = fmt.Errorf("trade %s: %s: %w", t.OutTradeNo, why, order.ErrNotifyRefused)
			return tx.Audit.Record(now, order.System, "trade.refused", "trade:"+t.OutTradeNo, why, describe(t))
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
	})
	if err != nil {
		return fmt.Errorf("capture %s: %w", t.OutTradeNo, err)
	}
	if refusal == nil {
		s.runner.Wake()
	}
	return refusal
}

// mismatch names the field in which a trade differs from the one that the leg announced, or returns "".
func (s *Trades) mismatch(leg order.Leg, t order.Trade) string {
	switch {
	case t.AppID != s.appID:
		return "appid"
	case t.MchID != s.mchID:
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

func describe(t order.Trade) string {
	return fmt.Sprintf("transaction %s amount %s appid %s mchid %s", t.TransactionID, t.Amount, t.AppID, t.MchID)
}

// completePayment commits the held points and marks the order paid, now that the app's leg is captured.
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
	return markPaid(tx, o, now)
}

// refundLateCapture records money that came too late to pay the order, releases the points if they are still held, and
// sends the money back. A trade that was refunded at the gateway already, or that an operator has settled, is left to
// an operator.
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
	err := tx.Audit.Record(now, order.System, "trade.late", "order:"+o.No, string(o.State), describe(t))
	if err != nil {
		return err
	}
	r := order.NewRefund(leg, 1, "订单未完成，原路退款", now)
	if t.State == order.TradeRefunded || p.State == order.PaymentSettled {
		r.State = order.RefundManual
	}
	if err := tx.Refunds.Insert(&r); err != nil || r.State == order.RefundManual {
		return err
	}
	return tx.Jobs.Schedule(order.TaskRefund, r.TaskSubject(), order.QueueGateway, now)
}
