package httpapi

import (
	"context"
	"time"

	"marquee/server/cards"
	"marquee/server/checkout"
	"marquee/server/input"
	"marquee/server/money"
	"marquee/server/order"
)

// CardRecharger sells points.
type CardRecharger interface {
	// RechargeCard makes the order and announces it to the messaging app. The points are credited when the money has
	// arrived. It returns cards.ErrCardNotFound, order.ErrAmountMismatch, and the errors of TicketCheckout.PayWithApp.
	RechargeCard(ctx context.Context, userID int64, r checkout.RechargeCard) (checkout.Announced, error)
}

// RechargeOffers reads what a card can be recharged with.
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

// pay answers /api/api.php/Card/czwxpay: it orders points, by package or by number, and returns what opens the
// messaging app's payment. Errors: recharge_points_invalid, package_not_found, amount_mismatch, card_not_found,
// h5_not_offered.
func (c recharges) pay(ctx context.Context, r *request) (any, error) {
	f := r.form
	points, err := money.ParsePoints(f.Input("num", input.Points))
	req := checkout.RechargeCard{
		CardID: f.ID("card_id"), Points: points, PackageID: f.Integer("taocan", 0, 1<<62, 0), Claimed: f.Yuan("price"),
		Key: f.Text("key"),
	}
	req.OpenID, req.H5ClientIP = appPayer(r)
	if f.Err() != nil {
		return nil, f.Err()
	}
	if err != nil {
		return nil, cards.ErrRechargePoints
	}
	announced, err := c.recharger.RechargeCard(ctx, r.user.ID, req)
	return newPrepaid(announced.Prepaid, announced.OrderNo), err
}

// result answers /api/api.php/Card/cxpay_success: the recharge as it is after its payment, with the card; card is null
// if the card has been merged since. Errors: order_not_found.
func (c recharges) result(ctx context.Context, r *request) (any, error) {
	o, err := confirmOrder(ctx, c.confirmer, r)
	if err != nil {
		return nil, err
	}
	if o.Kind != order.Recharge {
		return nil, order.ErrOrderNotFound
	}
	var shown *Card
	if card, err := c.cards.Card(ctx, r.user.ID, o.Snapshot.Points.CardID); err == nil {
		a := newCard(card, c.now())
		shown = &a
	}
	return struct {
		paidGoods
		Card *Card `json:"card"`
	}{newPaidGoods(o), shown}, nil
}
