package httpapi

import (
	"context"
	"time"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/checkout"
	"marquee/server/fault"
	"marquee/server/httpapi/wire"
	"marquee/server/money"
	"marquee/server/order"
)

// CardRecharger sells points.
type CardRecharger interface {
	// RechargeCard creates the order and registers its trade with the messaging app's payment. The points are credited
	// when the money has arrived. It returns cards.ErrCardNotFound, order.ErrAmountMismatch, and the errors of
	// TicketCheckout.PayWithApp.
	RechargeCard(ctx context.Context, userID int64, r checkout.RechargeCard) (checkout.Announced, error)
}

// RechargeOffers reads the packages for recharging a card.
type RechargeOffers interface {
	CardReader
	// Packages returns the recharge packages in the order in which pages show them.
	Packages(ctx context.Context) ([]cards.Package, error)
}

// recharges serves recharging a card.
type recharges struct {
	recharger CardRecharger
	confirmer PaymentConfirmer
	cards     RechargeOffers
	now       func() time.Time
}

// RechargePackage is a number of points at a price: the specification's Package (entity-package).
type RechargePackage struct {
	ID     string `json:"id"`     // the package's id, for taocan
	Points string `json:"num"`    // points with two decimals
	Price  string `json:"price"`  // yuan with two decimals
	Unit   string `json:"danjia"` // the price of a point as a text, such as 0.99元/点
}

func newPackage(p cards.Package) RechargePackage {
	return RechargePackage{idText(p.ID), p.Points.String(), p.Price.String(), p.UnitPrice()}
}

// RechargePage is what the page for recharging a card shows.
type RechargePage struct {
	Number   string            `json:"card_num"` // the card number, in full
	Card     Card              `json:"card"`     // the card
	Packages []RechargePackage `json:"taocan"`   // in the order in which pages show them
}

// offers returns a card and the packages that it can be recharged with.
func (c recharges) offers(ctx context.Context, r *request, in ShowCard) (RechargePage, error) {
	card, err := c.cards.Card(ctx, r.user.ID, int64(in.ID))
	if err != nil {
		return RechargePage{}, err
	}
	list, err := c.cards.Packages(ctx)
	return RechargePage{card.Number, newCard(card, c.now()), each(list, newPackage)}, err
}

// rechargeFaults are the errors of ordering points. Those about an order that has ended occur if the key of that order
// is repeated.
var rechargeFaults = errorsOf(providerFaults, []*fault.Fault{
	cards.ErrRechargePoints, cards.ErrPackageNotFound, cards.ErrCardNotFound, cards.ErrCardUnusable,
	checkout.ErrTooManyUnpaid, checkout.ErrOpenIDRequired, checkout.ErrH5NotOffered, checkout.ErrTooManyAttempts,
	account.ErrOpenIDUnproven,
	order.ErrAmountMismatch, order.ErrKeyReused, order.ErrUnpaidLimited, order.ErrOrderState, order.ErrOrderExpired,
	order.ErrAlreadyPaid, order.ErrPaymentPending, order.ErrPaymentChanged, order.ErrTradeClosed,
})

// RechargeCard is an order of points for a card, with the payer in the messaging app.
type RechargeCard struct {
	// points, 1 to 9999 with at most two decimals; it must not be missing
	Points PointsText `form:"num"`
	Card   wire.ID    `form:"card_id" required:"true"` // the card's id
	// The id of a package. 0 selects the package with these points at this price, or else any number of points at one
	// yuan each.
	Package int64      `form:"taocan"`
	Claimed *money.Fen `form:"price"` // yuan, what the buyer was shown; it is not compared if it is missing
	Key     string     `form:"key"`   // idempotency key: a repeated key returns the same order; "" makes a new one
	AppPayer
}

// pay orders points, by package or by number, and returns what opens the messaging app's payment.
func (c recharges) pay(ctx context.Context, r *request, in RechargeCard) (Prepaid, error) {
	openID, h5ClientIP, err := in.payer(r)
	if err != nil {
		return Prepaid{}, err
	}
	points, err := money.ParsePoints(string(in.Points))
	if err != nil {
		return Prepaid{}, cards.ErrRechargePoints
	}
	announced, err := c.recharger.RechargeCard(ctx, r.user.ID, checkout.RechargeCard{
		CardID: int64(in.Card), Points: points, PackageID: in.Package, Claimed: in.Claimed, Key: in.Key,
		OpenID: openID, H5ClientIP: h5ClientIP,
	})
	return newPrepaid(announced.Prepaid, announced.OrderNo), err
}

// RechargeResult is a recharge after its payment.
type RechargeResult struct {
	PaidGoods
	Card *Card `json:"card"` // the card; null if it has been merged or deleted since
}

// result returns the recharge as it is after its payment, with the card. What the app reports of the payment is not
// used: while the recharge is unpaid, the shop queries the payment provider. An order of tickets or goods is not found
// here.
func (c recharges) result(ctx context.Context, r *request, in ShowPayment) (RechargeResult, error) {
	o, err := c.confirmer.Confirm(ctx, r.user.ID, string(in.Order))
	if err != nil {
		return RechargeResult{}, err
	}
	if o.Kind != order.Recharge {
		return RechargeResult{}, order.ErrOrderNotFound
	}
	result := RechargeResult{PaidGoods: newPaidGoods(o)}
	if card, err := c.cards.Card(ctx, r.user.ID, o.Snapshot.Points.CardID); err == nil {
		shown := newCard(card, c.now())
		result.Card = &shown
	}
	return result, nil
}
