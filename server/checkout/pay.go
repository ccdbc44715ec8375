package checkout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"marquee/server/audit"
	"marquee/server/cache"
	"marquee/server/cards"
	"marquee/server/fault"
	"marquee/server/fulfilment"
	"marquee/server/money"
	"marquee/server/order"
)

// Payer pays orders with welfare-card points, in the messaging app, or with both.
type Payer struct {
	base
	trades     *Trades
	gateway    order.Gateway
	passwords  PasswordVerifier
	identities Identities
	h5         bool // the merchant has H5 payment

	queried   *cache.Cache[queried]       // by trade number
	announced *cache.Cache[order.Prepaid] // answers of announceAgain, by trade number and the browser's IP address
}

// Quote returns how the order's total would split between the cards and the messaging app. It is not binding: each
// payment computes the quote again. Points held by the order's open payment count as spendable, because paying again
// replaces that payment.
func (s *Payer) Quote(ctx context.Context, userID int64, orderNo string, cardIDs []int64) (order.Quote, error) {
	o, err := order.OfBuyer(ctx, s.store, userID, orderNo)
	if err != nil {
		return order.Quote{}, err
	}
	if err := o.Payable(s.now()); err != nil {
		return order.Quote{}, err
	}
	return s.quote(ctx, o, cardIDs)
}

// quote computes a quote outside a transaction, from the balances of order.Store.CardsFor.
func (b base) quote(ctx context.Context, o order.Order, cardIDs []int64) (order.Quote, error) {
	if len(cardIDs) == 0 {
		return split(o.Total, nil), nil
	}
	owned, err := b.store.CardsFor(ctx, o.UserID, o.No, b.now())
	if err != nil {
		return order.Quote{}, err
	}
	chosen, err := chooseCards(cardIDs, func(id int64) (cards.Card, error) {
		if i := slices.IndexFunc(owned, func(c cards.Card) bool { return c.ID == id }); i >= 0 {
			return owned[i], nil
		}
		return cards.Card{}, cards.ErrCardUnusable
	}, &o)
	if err != nil {
		return order.Quote{}, err
	}
	return split(o.Total, chosen), nil
}

// PayWithCards pays an order entirely with points. It returns the order as PAID, or, if the shop delivers it itself, as
// ISSUED. Cancelling ctx has no effect after the password check.
//
// It fails with the faults of the payment password, ErrMethodRequired, order.ErrOrderExpired, order.ErrAlreadyPaid,
// order.ErrPaymentPending, cards.ErrCardUnusable, or cards.ErrPointsInsufficient if the cards do not cover the total.
func (s *Payer) PayWithCards(
	ctx context.Context, userID int64, orderNo string, cardIDs []int64, password string,
) (order.Order, error) {
	if len(cardIDs) == 0 {
		return order.Order{}, ErrMethodRequired
	}
	q, err := s.Quote(ctx, userID, orderNo, cardIDs)
	if err != nil {
		return order.Order{}, err
	}
	if err := s.checkCards(ctx, userID, q, password); err != nil {
		return order.Order{}, err
	}
	ctx = context.WithoutCancel(ctx) // continues even if the buyer closes the page
	var o order.Order
	if err := s.trades.replaceOpen(ctx, orderNo, func(tx order.Tx) (err error) {
		o, err = s.payByCards(tx, userID, orderNo, cardIDs)
		return err
	}); err != nil {
		return order.Order{}, err
	}
	s.runner.Wake()
	return o, nil
}

// checkCards checks that the cards cover the total, and then the payment password. The password comes last, because its
// hash takes longer than all other checks.
func (s *Payer) checkCards(ctx context.Context, userID int64, q order.Quote, password string) error {
	if q.App > 0 {
		return cards.ErrPointsInsufficient
	}
	return s.passwords.VerifyPaymentPassword(ctx, userID, password)
}

// payByCards writes the payment, spends the points and marks the order paid, in one transaction.
func (s *Payer) payByCards(tx order.Tx, userID int64, no string, cardIDs []int64) (order.Order, error) {
	now := s.now()
	o, attempt, err := payableOrder(tx, userID, no, now)
	if err != nil {
		return o, err
	}
	q, legs, err := quoteTx(tx, &o, cardIDs, now)
	if err != nil {
		return o, err
	}
	if q.App > 0 {
		return o, cards.ErrPointsInsufficient
	}
	for i := range legs {
		legs[i].Captured = legs[i].Amount
	}
	p := order.Payment{OrderNo: no, Attempt: attempt, State: order.PaymentPaid, Total: o.Total, CreatedAt: now,
		Legs: legs}
	if err := tx.Payments.Insert(&p); err != nil {
		return o, err
	}
	for _, l := range p.Legs {
		if err := cards.Pay(tx.Cards, spendOf(&o, l, now), l.Amount.Points()); err != nil {
			return o, err
		}
	}
	return o, fulfilment.RecordPaid(tx, &o, now)
}

// payableOrder reads an order that is to be paid, and returns it with the number of the new attempt. It fails as
// Order.Payable does, with order.ErrOrderNotFound for another buyer's order, and with errOpenPayment if an earlier
// payment is open.
func payableOrder(tx order.Tx, userID int64, no string, now time.Time) (order.Order, int, error) {
	o, err := tx.Orders.Get(no)
	if err != nil {
		return o, 0, err
	}
	if o.UserID != userID {
		return o, 0, order.ErrOrderNotFound
	}
	if err := o.Payable(now); err != nil {
		return o, 0, err
	}
	earlier, err := tx.Payments.OfOrder(no)
	if err != nil {
		return o, 0, err
	}
	for _, p := range earlier {
		if p.State == order.PaymentOpen || p.State == order.PaymentPaid {
			return o, len(earlier) + 1, errOpenPayment
		}
	}
	return o, len(earlier) + 1, nil
}

// quoteTx computes a quote inside a transaction, from the current balances of the cards, and returns it with its card
// legs.
func quoteTx(tx order.Tx, o *order.Order, cardIDs []int64, now time.Time) (order.Quote, []order.Leg, error) {
	byID := map[int64]cards.Card{}
	chosen, err := chooseCards(cardIDs, func(id int64) (cards.Card, error) {
		c, err := tx.Cards.Cards.Get(id, now)
		byID[id] = c
		return c, err
	}, o)
	if err != nil {
		return order.Quote{}, nil, err
	}
	q := split(o.Total, chosen)
	legs := make([]order.Leg, 0, len(q.Parts)+1)
	for _, p := range q.Parts {
		c := byID[p.CardID]
		tail := c.Number[max(0, len(c.Number)-4):]
		legs = append(legs, order.Leg{
			Kind: order.ByCard, CardID: p.CardID, Amount: p.Amount,
			Title: fmt.Sprintf("%s（尾号%s）", c.PID.Name(), tail),
		})
	}
	return q, legs, nil
}

// chooseCards returns the cards with the ids, soonest expiry first. It fails with cards.ErrCardUnusable for another
// buyer's card, a frozen one, or one of a type that does not pay for the order, and with fault.ErrInvalidInput for more
// than cards.MaxChosen ids. Cards without points are not an error.
func chooseCards(ids []int64, find func(int64) (cards.Card, error), o *order.Order) ([]cards.Card, error) {
	if len(ids) > cards.MaxChosen {
		return nil, fault.ErrInvalidInput
	}
	chosen := make([]cards.Card, 0, len(ids))
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		c, err := find(id)
		if errors.Is(err, cards.ErrCardNotFound) {
			return nil, cards.ErrCardUnusable // the error must not reveal that the card does not exist
		}
		if err != nil {
			return nil, err
		}
		if c.UserID != o.UserID || !c.Payable() || !c.PID.Pays(o.CardScope()) {
			return nil, cards.ErrCardUnusable
		}
		chosen = append(chosen, c)
	}
	slices.SortFunc(chosen, func(a, b cards.Card) int {
		return cmp.Or(a.EndTime.Compare(b.EndTime), cmp.Compare(a.ID, b.ID))
	})
	return chosen, nil
}

func split(total money.Fen, chosen []cards.Card) order.Quote {
	balances := make([]order.CardBalance, 0, len(chosen))
	for _, c := range chosen {
		balances = append(balances, order.CardBalance{CardID: c.ID, Avail: c.Balance})
	}
	return order.Split(total, balances)
}

// spendOf returns the cards.Spend of a card leg, with the order's buyer as the actor.
func spendOf(o *order.Order, l order.Leg, now time.Time) cards.Spend {
	return cards.Spend{LegID: l.ID, OrderNo: o.No, CardID: l.CardID, Actor: audit.User(o.UserID), At: now}
}
