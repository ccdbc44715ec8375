package orders

import (
	"context"
	"errors"
	"slices"
	"time"

	"marquee/server/payment"
)

// buyWithApp makes an order and opens its payment in the messaging app in one transaction.
func (s *Service) buyWithApp(ctx context.Context, userID int64, kind Kind, key, body string, w PayWithApp, insert func(Tx) (Order, error)) (payment.BridgeParams, string, error) {
	type answer struct {
		bridge payment.BridgeParams
		no     string
	}
	claimed := "none"
	if w.ClaimedApp != nil {
		claimed = w.ClaimedApp.String()
	}
	got, err := together(s, key, func() (a answer, err error) {
		a.bridge, a.no, err = s.buyWithAppOnce(saga(ctx), userID, kind, key, body, w, insert)
		return a, err
	}, kind, "by app", userID, body, w.CardIDs, w.Password, w.OpenID, claimed)
	return got.bridge, got.no, err
}

func (s *Service) buyWithAppOnce(ctx context.Context, userID int64, kind Kind, key, body string, w PayWithApp, insert func(Tx) (Order, error)) (payment.BridgeParams, string, error) {
	if o, found, err := s.boughtBefore(ctx, userID, kind, key, body); found || err != nil {
		return s.payBoughtWithApp(ctx, o, w, err)
	}
	if err := s.mayPayWithApp(ctx, userID, w); err != nil {
		return payment.BridgeParams{}, "", err
	}
	var o Order
	var p payment.Payment
	err := s.Store.Update(ctx, func(tx Tx) (err error) {
		if o, err = insert(tx); err != nil {
			return err
		}
		w.OrderNo = o.No
		p, err = s.openPayment(tx, userID, w)
		return err
	})
	if errors.Is(err, ErrKeyReused) { // between the look and the write, the same call came through elsewhere
		o, _, err = s.boughtBefore(ctx, userID, kind, key, body)
		return s.payBoughtWithApp(ctx, o, w, err)
	}
	if err != nil {
		return payment.BridgeParams{}, "", err
	}
	bridge, err := s.prepay(ctx, o, p)
	if err != nil && refused(err) {
		if e := s.end(ctx, o, Cancel); e != nil { // nobody can pay it; let it not keep the stock
			s.Logger.WarnContext(ctx, "unpayable order stays until it expires", "order", o.No, "error", e)
		}
	}
	return bridge, o.No, err
}

// payBoughtWithApp opens the payment of the order that the key stands for. One that is open already and asks for the same
// is announced again under its number, so that two calls do not close each other's.
func (s *Service) payBoughtWithApp(ctx context.Context, o Order, w PayWithApp, err error) (payment.BridgeParams, string, error) {
	if err != nil {
		return payment.BridgeParams{}, "", err
	}
	w.OrderNo = o.No
	p, found, err := s.openPaymentOf(ctx, o.No)
	if err != nil {
		return payment.BridgeParams{}, "", err
	}
	if now := s.Now(); found && w.asksFor(p, now) && o.Payable(now) == nil {
		if err := s.mayPayWithApp(ctx, o.UserID, w); err != nil {
			return payment.BridgeParams{}, "", err
		}
		bridge, err := s.prepay(ctx, o, p)
		return bridge, o.No, err
	}
	bridge, err := s.PayWithApp(ctx, o.UserID, w)
	return bridge, o.No, err
}

// asksFor reports whether the payment is what the wish would open.
func (w PayWithApp) asksFor(p payment.Payment, now time.Time) bool {
	app, ok := p.App()
	if !ok || app.OpenID != w.OpenID || !now.Before(app.ExpiresAt) || (w.ClaimedApp != nil && *w.ClaimedApp != app.Amount) {
		return false
	}
	for _, l := range p.Legs {
		if l.Kind == payment.ByCard && !slices.Contains(w.CardIDs, l.CardID) {
			return false
		}
	}
	return len(p.Legs) > 1 || len(w.CardIDs) == 0
}

// boughtBefore finds the order that a key stands for.
func (s *Service) boughtBefore(ctx context.Context, userID int64, kind Kind, key, body string) (Order, bool, error) {
	if key == "" {
		return Order{}, false, nil
	}
	was, found, err := s.Store.Idempotent(ctx, userID, string(kind), key)
	if err != nil || !found {
		return Order{}, false, err
	}
	if was.BodyHash != body {
		return Order{}, true, ErrKeyReused
	}
	o, err := s.Store.Order(ctx, was.OrderNo)
	return o, true, err
}
