package orders

import (
	"cmp"
	"context"
	"errors"
	"time"

	"marquee/server/cards"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/payment"
)

// PayWithApp is a buyer's wish to pay in the messaging app, with or without cards.
type PayWithApp struct {
	OrderNo    string
	CardIDs    []int64
	Password   string // required with cards
	OpenID     string
	ClaimedApp *money.Fen // what the app showed as its part; compared, never used
}

// firstQuery is when an open trade is first asked about; later ones follow at tradeDelays.
const firstQuery = 5 * time.Second

// PayWithApp holds the points, announces the rest to the messaging app and returns what its bridge needs.
// Faults: as PayWithCards, ErrOpenIDRequired, ErrAmountMismatch, ErrAppNotNeeded, ErrTooLateForApp, or one of kind Unknown when the gateway went silent.
func (s *Service) PayWithApp(ctx context.Context, userID int64, req PayWithApp) (payment.BridgeParams, error) {
	ctx = saga(ctx)
	o, err := s.mine(ctx, userID, req.OrderNo)
	if err != nil {
		return payment.BridgeParams{}, err
	}
	now := s.Now()
	if err := o.Payable(now); err != nil {
		return payment.BridgeParams{}, err
	}
	if _, err := s.tradeEnds(o, now); err != nil { // before an earlier payment has to give way
		return payment.BridgeParams{}, err
	}
	if err := s.mayPayWithApp(ctx, userID, req); err != nil {
		return payment.BridgeParams{}, err
	}
	var p payment.Payment
	err = s.replacing(ctx, req.OrderNo, func() error {
		return s.Store.Update(ctx, func(tx Tx) (err error) {
			p, err = s.openPayment(tx, userID, req)
			return err
		})
	})
	if err != nil {
		return payment.BridgeParams{}, err
	}
	return s.prepay(ctx, o, p)
}

// tradeEnds is when the order's trade must end: TradeMargin before the order, because the messaging app gives every
// trade some time to live, and money that comes after the order's end pays nothing.
func (s *Service) tradeEnds(o Order, now time.Time) (time.Time, error) {
	ends := o.ExpiresAt.Add(-s.TradeMargin)
	if !ends.After(now) {
		return ends, ErrTooLateForApp
	}
	return ends, nil
}

// mayPayWithApp checks the buyer's identity in the messaging app and, with cards, the payment password.
func (s *Service) mayPayWithApp(ctx context.Context, userID int64, req PayWithApp) error {
	if req.OpenID == "" {
		return ErrOpenIDRequired
	}
	if err := s.Buyers.OwnsOpenID(ctx, userID, req.OpenID); err != nil {
		return err
	}
	if len(req.CardIDs) == 0 {
		return nil
	}
	return s.Passwords.VerifyPaymentPassword(ctx, userID, req.Password)
}

// openPayment reserves: payment, legs and held points in one transaction.
func (s *Service) openPayment(tx Tx, userID int64, req PayWithApp) (payment.Payment, error) {
	now := s.Now()
	o, attempt, err := payableTx(tx, userID, req.OrderNo, now)
	if err != nil {
		return payment.Payment{}, err
	}
	q, byID, err := quoteTx(tx, &o, req.CardIDs, now)
	if err != nil {
		return payment.Payment{}, err
	}
	if req.ClaimedApp != nil && *req.ClaimedApp != q.App {
		return payment.Payment{}, ErrAmountMismatch
	}
	if q.App <= 0 {
		return payment.Payment{}, ErrAppNotNeeded
	}
	ends, err := s.tradeEnds(o, now)
	if err != nil {
		return payment.Payment{}, err
	}
	trade := payment.OutTradeNo(o.No, attempt)
	p := payment.Payment{OrderNo: o.No, Attempt: attempt, State: payment.Open, Total: o.Total, CreatedAt: now}
	p.Legs = append(cardLegs(q, byID), payment.Leg{
		Kind: payment.ByApp, Title: "微信支付", Amount: q.App, OutTradeNo: trade, OpenID: req.OpenID, ExpiresAt: ends,
	})
	if err := tx.Payments.Insert(&p); err != nil {
		return p, err
	}
	for _, l := range p.Legs {
		if l.Kind == payment.ByCard {
			if err := cards.Reserve(tx.Cards, spend(&o, l, now), l.Amount.Points()); err != nil {
				return p, err
			}
		}
	}
	c := Call{Key: "prepay:" + trade, OrderNo: o.No, RequestHash: digest(trade, q.App, req.OpenID), At: now}
	if err := tx.Calls.Begin(c); err != nil {
		return p, err
	}
	return p, tx.Jobs.Schedule(TaskTrade, trade, LaneGateway, now.Add(firstQuery))
}

// prepay announces the trade. A definite refusal closes the payment; silence leaves it open for the query job.
func (s *Service) prepay(ctx context.Context, o Order, p payment.Payment) (payment.BridgeParams, error) {
	leg, _ := p.App()
	req := payment.PrepayRequest{
		OutTradeNo: leg.OutTradeNo, Description: o.title(),
		Amount: leg.Amount, OpenID: leg.OpenID, ExpiresAt: leg.ExpiresAt,
	}
	bridge, err := s.askPrepay(ctx, req)
	if err != nil && !definite(err) {
		bridge, err = s.askPrepay(ctx, req) // the same number again is the same trade
	}
	outcome, answer := outcomeOf(err)
	var is payment.State
	if e := s.Store.Update(ctx, func(tx Tx) error {
		if e := tx.Calls.End("prepay:"+leg.OutTradeNo, outcome, answer, s.Now()); e != nil {
			return e
		}
		now, e := tx.Payments.ByTrade(leg.OutTradeNo)
		is = now.State
		return e
	}); e != nil {
		return payment.BridgeParams{}, e
	}
	switch {
	case is == payment.Paid: // by the time the gateway had answered
		return payment.BridgeParams{}, payment.ErrAlreadyPaid
	case errors.Is(err, payment.ErrAlreadyPaid):
		_, e := s.look(ctx, p)
		return payment.BridgeParams{}, cmp.Or(e, err)
	case outcome == OutcomeRefused:
		if e := s.closePayment(ctx, p, payment.Closed); e != nil {
			return payment.BridgeParams{}, e
		}
		return payment.BridgeParams{}, err
	case err != nil:
		s.Logger.WarnContext(ctx, "prepay without an answer", "order", o.No, "error", err)
		return payment.BridgeParams{}, fault.ErrUnknown
	case is != payment.Open:
		// cancelled or replaced while the gateway was thinking: nobody may pay this trade
		if e := s.askClose(ctx, leg.OutTradeNo); e != nil {
			s.Logger.WarnContext(ctx, "trade of a closed payment stays open", "trade", leg.OutTradeNo, "error", e)
		}
		return payment.BridgeParams{}, payment.ErrTradeClosed
	}
	return bridge, nil
}

func (s *Service) askPrepay(ctx context.Context, req payment.PrepayRequest) (payment.BridgeParams, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	return s.Gateway.Prepay(ctx, req)
}

func (s *Service) askClose(ctx context.Context, outTradeNo string) error {
	ctx, cancel := s.call(ctx)
	defer cancel()
	return s.Gateway.Close(ctx, outTradeNo)
}

func (s *Service) askTrade(ctx context.Context, outTradeNo string) (payment.Trade, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	return s.Gateway.Query(ctx, outTradeNo)
}
