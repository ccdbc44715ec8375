package checkout

import (
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
