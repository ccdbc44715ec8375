package checkout

import (
	"context"

	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/requestid"
)

// maxUnpaid is the maximum number of a buyer's unpaid orders for goods or points: it bounds the stock that one buyer
// can keep from others without paying.
const maxUnpaid = 10

// ErrTooManyUnpaid means that the buyer has maxUnpaid unpaid orders for goods or points.
var ErrTooManyUnpaid = fault.New(fault.Limited, "too_many_unpaid", "未支付订单过多，请先支付或取消")

// Purchases sells goods and points. Their orders need no lock at a provider: the order, its stock and its payment are
// written in one transaction.
type Purchases struct {
	base
	payer     *Payer
	canceller *Canceller
	recharges RechargePricer // nil: cards cannot be recharged
	limits    order.UnpaidLimits
}

// Announced is an order whose trade is announced, with what the page needs to open the payment in the messaging app.
type Announced struct {
	OrderNo string
	order.Prepaid
}

// purchase is the common part of a request to buy goods or to recharge a card: the buyer, the idempotency key, and how
// the PENDING order is written.
type purchase struct {
	userID      int64
	kind        order.Kind
	key         string
	fingerprint string // of what is bought
	insert      func(tx order.Tx) (order.Order, error)
	// quote returns how the price splits. It makes the same checks as insert, except those that need a transaction.
	quote func(ctx context.Context) (order.Quote, error)
}

// buyWithApp writes the order, opens its payment, and announces the payment to the messaging app.
func (s *Purchases) buyWithApp(ctx context.Context, p purchase, req PayWithApp) (Announced, error) {
	if o, found, err := s.boughtBefore(ctx, p); found || err != nil {
		return s.announceBought(ctx, o, req, err)
	}
	o, opened, rejection := s.insertUnpaid(ctx, p, req)
	if rejection != nil { // perhaps a concurrent call with the same key has made the order
		if o, found, err := s.boughtBefore(ctx, p); found || err != nil {
			return s.announceBought(ctx, o, req, err)
		}
		return Announced{}, rejection
	}
	ctx = context.WithoutCancel(ctx) // continues even if the buyer closes the page
	requestid.NoteOrder(ctx, o.No)
	prepaid, err := s.payer.announceNew(ctx, o, opened, req.H5ClientIP)
	if err != nil && order.Rejected(err) {
		if e := s.canceller.end(ctx, o, order.Cancel); e != nil { // it can never be paid, so it must not keep the stock
			s.logger.WarnContext(ctx, "unpayable order not cancelled, it will expire", "order", o.No, "error", e)
		}
	}
	return Announced{o.No, prepaid}, err
}

// insertUnpaid checks a purchase and writes the order together with its open payment.
func (s *Purchases) insertUnpaid(
	ctx context.Context, p purchase, req PayWithApp,
) (o order.Order, opened order.Payment, err error) {
	if err := s.payer.checkIdentity(ctx, p.userID, req); err != nil {
		return o, opened, err
	}
	q, err := p.quote(ctx)
	if err != nil {
		return o, opened, err
	}
	if err := s.payer.checkApp(ctx, p.userID, q, req); err != nil {
		return o, opened, err
	}
	err = s.store.Update(context.WithoutCancel(ctx), func(tx order.Tx) (err error) {
		if o, err = p.insert(tx); err != nil {
			return err
		}
		req.OrderNo = o.No
		opened, err = s.payer.openPayment(tx, p.userID, req)
		return err
	})
	return o, opened, err
}

func (s *Purchases) announceBought(ctx context.Context, o order.Order, req PayWithApp, err error) (Announced, error) {
	if err != nil {
		return Announced{}, err
	}
	req.OrderNo = o.No
	prepaid, err := s.payer.PayWithApp(ctx, o.UserID, req)
	return Announced{o.No, prepaid}, err
}

// boughtBefore returns the order that was made with the purchase's key, if any. It fails with order.ErrKeyReused if the
// key was used for another purchase.
func (s *Purchases) boughtBefore(ctx context.Context, p purchase) (order.Order, bool, error) {
	if p.key == "" {
		return order.Order{}, false, nil
	}
	prior, found, err := s.store.IdempotencyKey(ctx, p.userID, string(p.kind), p.key)
	if err != nil || !found {
		return order.Order{}, false, err
	}
	if prior.BodyHash != p.fingerprint {
		return order.Order{}, true, order.ErrKeyReused
	}
	o, err := s.store.Order(ctx, prior.OrderNo)
	return o, true, err
}

// insertPending writes the key, the order and the task that makes it expire. It fails with ErrTooManyUnpaid and
// order.ErrUnpaidLimited. The key is saved first, so that a repeated call fails as a repetition and gets the first
// call's order, whatever else has changed.
func (s *Purchases) insertPending(tx order.Tx, o *order.Order, key, fingerprint string) error {
	if key != "" {
		k := order.IdempotencyKey{
			UserID: o.UserID, Route: string(o.Kind), Key: key, BodyHash: fingerprint, OrderNo: o.No, At: o.CreatedAt,
		}
		if err := tx.Keys.Save(k); err != nil {
			return err
		}
	}
	unpaid, err := tx.Orders.CountUnpaid(o.UserID)
	if err != nil {
		return err
	}
	if unpaid >= maxUnpaid {
		return ErrTooManyUnpaid
	}
	if err := s.limits.Check(tx, o.UserID, o.Kind, o.CreatedAt); err != nil {
		return err
	}
	if err := tx.Orders.Insert(o); err != nil {
		return err
	}
	return tx.Jobs.Schedule(order.TaskOrder, o.No, o.Queue(), o.ExpiresAt)
}
