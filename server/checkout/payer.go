package checkout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/fulfilment"
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

	queried   *catalog.Cache[queried]       // by trade number
	announced *catalog.Cache[order.Prepaid] // open trades that were announced again, by trade number and IP address
}

// writePayment runs write in one transaction. If an earlier payment of the order is open, it is closed, and write runs
// again. It fails with order.ErrPaymentPending if the gateway does not report whether that payment was paid.
func (s *Payer) writePayment(ctx context.Context, orderNo string, write func(tx order.Tx) error) error {
	err := s.store.Update(ctx, write)
	if !errors.Is(err, errOpenPayment) {
		return err
	}
	if err := s.trades.settleOpen(ctx, orderNo); err != nil {
		return err
	}
	return s.trades.replaceOpen(ctx, orderNo, func() error { return s.store.Update(ctx, write) })
}

// payableOrder reads an order that is to be paid, and returns it with the number of the attempt. It fails with
// errOpenPayment if an earlier payment is open.
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

// quoteTx quotes inside a transaction, from the current balances of the cards, and returns the quote with its card
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

// spendOf identifies a card leg in the ledger, as spent by the order's buyer.
func spendOf(o *order.Order, l order.Leg, now time.Time) cards.Spend {
	return cards.Spend{LegID: l.ID, OrderNo: o.No, CardID: l.CardID, Actor: order.Actor(o.UserID), At: now}
}

// markPaid marks an order paid whose legs are all captured. Its seats or stock become sold. After the commit the caller
// passes the order to fulfilment.Service.DeliverSoon.
func markPaid(tx order.Tx, o *order.Order, now time.Time) error {
	if err := o.MarkPaid(now); err != nil {
		return err
	}
	if err := sellHolds(tx, o, now); err != nil {
		return err
	}
	return fulfilment.BeginDelivery(tx, o, now)
}

// sellHolds marks the seats or the stock that the order holds as sold.
func sellHolds(tx order.Tx, o *order.Order, now time.Time) error {
	switch o.Kind {
	case order.Ticket:
		return tx.Seats.Sell(o.No, len(o.Snapshot.Seats), now)
	case order.Goods:
		bought := o.Snapshot.Goods.Pieces
		if sold, err := tx.Stock.Sell(o.No, now); err != nil || sold == bought {
			return err
		}
		return fmt.Errorf("order %s, %d pieces: %w", o.No, bought, order.ErrNotHeld)
	}
	return nil
}
