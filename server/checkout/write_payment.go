package checkout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"marquee/server/audit"
	"marquee/server/cards"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/fulfilment"
	"marquee/server/money"
	"marquee/server/order"
)

// maxAttempts bounds the payments of an order in the messaging app. Each one costs calls to the gateway, rows that are
// kept, and a recheck.
const maxAttempts = 10

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

// openPayment writes the payment and its legs, holds the points, and records the intent to announce the trade, in one
// transaction.
func (s *Payer) openPayment(tx order.Tx, userID int64, req PayWithApp) (order.Payment, error) {
	now := s.now()
	o, attempt, err := payableOrder(tx, userID, req.OrderNo, now)
	if attempt > maxAttempts { // checked first, so that no open payment is closed for nothing
		return order.Payment{}, ErrTooManyAttempts
	}
	if err != nil {
		return order.Payment{}, err
	}
	q, legs, err := quoteTx(tx, &o, req.CardIDs, now)
	if err != nil {
		return order.Payment{}, err
	}
	if err := req.accepts(q); err != nil {
		return order.Payment{}, err
	}
	trade := order.OutTradeNo(o.No, attempt)
	p := order.Payment{OrderNo: o.No, Attempt: attempt, State: order.PaymentOpen, Total: o.Total, CreatedAt: now}
	p.Legs = append(legs, order.Leg{
		Kind: order.ByApp, Title: "微信支付", Amount: q.App, OutTradeNo: trade, OpenID: req.OpenID,
		H5: req.H5ClientIP != "", ExpiresAt: tradeEnd(o, now),
	})
	if err := tx.Payments.Insert(&p); err != nil {
		return p, err
	}
	for _, l := range p.Legs {
		if l.Kind == order.ByCard {
			if err := cards.Reserve(tx.Cards, spendOf(&o, l, now), l.Amount.Points()); err != nil {
				return p, err
			}
		}
	}
	hash := order.Fingerprint(trade, q.App, req.OpenID)
	if err := tx.Calls.Begin(order.Call{Key: prepayKey(trade), OrderNo: o.No, RequestHash: hash, At: now}); err != nil {
		return p, err
	}
	return p, tx.Jobs.Schedule(order.TaskTrade, trade, order.QueuePayment, now.Add(durations.FirstTradeQuery))
}

// tradeEnd returns when a trade that is opened now ends: when its order expires, but at the earliest after
// durations.ShortestTrade, the shortest life that the gateway allows.
func tradeEnd(o order.Order, now time.Time) time.Time {
	if shortest := now.Add(durations.ShortestTrade); o.ExpiresAt.Before(shortest) {
		return shortest
	}
	return o.ExpiresAt
}

func prepayKey(outTradeNo string) string { return "prepay:" + outTradeNo }

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

// chooseCards returns the cards with the ids, ordered by when the first points of each expire: a card is used up before
// the next one, even if some of its points expire later than those of the next. It fails with cards.ErrCardUnusable for
// another buyer's card, a frozen one, or one of a type that does not pay for the order, and with fault.ErrInvalidInput
// for more than cards.MaxChosen ids. Cards without points are not an error.
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
