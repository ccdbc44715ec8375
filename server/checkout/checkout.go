// Package checkout takes the money of an order: it computes quotes, takes payments with welfare-card points and in the
// messaging app, captures what the gateway reports as paid, cancels and expires unpaid orders, sells goods and points,
// and refunds.
//
// A provider is never called inside a transaction: the intent is committed, the provider is called, the outcome is
// committed.
package checkout

import (
	"context"
	"log/slog"
	"time"

	"marquee/server/cache"
	"marquee/server/cards"
	"marquee/server/fault"
	"marquee/server/jobs"
	"marquee/server/money"
	"marquee/server/order"
)

// Faults of checkout, in addition to those of package order.
var (
	ErrMethodRequired = fault.New(fault.Invalid, "payment_method_required", "请选择支付方式")
	ErrOpenIDRequired = fault.New(fault.Invalid, "openid_required", "请在微信中打开")
	// ErrH5NotOffered rejects a payment from a browser if the merchant has no H5 payment.
	ErrH5NotOffered = fault.New(fault.Invalid, "h5_not_offered", "请使用微信打开进行支付")
	// ErrAppNotNeeded rejects a payment in the messaging app because the chosen cards cover the total.
	ErrAppNotNeeded = fault.New(fault.Conflict, "app_not_needed", "卡内点数已足够，无需微信支付")
	// ErrTooManyAttempts means that maxAttempts payments of an order were announced to the messaging app.
	ErrTooManyAttempts = fault.New(fault.Limited, "payment_attempts_exceeded", "支付尝试次数过多，请取消订单后重新下单")
	// ErrSettledByGateway rejects a manual settlement because the gateway has refunded, is refunding, or reports the
	// trade as unpaid.
	ErrSettledByGateway = fault.New(fault.Conflict, "settled_by_gateway", "支付平台已处理").WithExplanation(
		"the gateway has refunded the money, is refunding it, or reports the trade as unpaid; the shop has recorded " +
			"it: do not refund by hand")
	// ErrGatewayUndecided rejects a manual settlement while the gateway may still refund.
	ErrGatewayUndecided = fault.New(fault.Conflict, "gateway_undecided", "支付平台处理中").WithExplanation(
		"the gateway reports no final state: try again later, or check the merchant platform and settle with " +
			"--unverified")
)

// PasswordVerifier checks a buyer's payment password and counts wrong attempts.
type PasswordVerifier interface {
	// VerifyPaymentPassword returns nil if the password is the buyer's payment password, and otherwise a fault with the
	// reason.
	VerifyPaymentPassword(ctx context.Context, userID int64, password string) error
}

// Identities checks the messaging-app identities of buyers.
type Identities interface {
	// OwnsOpenID fails if the messaging-app identity is not the buyer's.
	OwnsOpenID(ctx context.Context, userID int64, openID string) error
}

// RechargePricer returns the prices of points.
type RechargePricer interface {
	// Priced returns the price of a package or, if PackageID is 0, of a number of points that the buyer chose.
	Priced(ctx context.Context, q cards.PriceQuery) (money.Fen, error)
}

// LockAbandoner ends orders whose seat lock got no answer.
type LockAbandoner interface {
	// Unanswered reports whether the order is LOCKING and its lock call has ended without an answer.
	Unanswered(o order.Order) bool
	// Abandon ends an unanswered order without a call to the source. It does nothing to an order that is not LOCKING.
	Abandon(ctx context.Context, no string) error
}

// Config configures checkout. All fields but Recharges, Limits and TradeAnswerLife are required.
type Config struct {
	Store      order.Store
	Gateway    order.Gateway
	AppID      string             // of the messaging app; trades with another one are rejected
	MchID      string             // of our merchant account; trades with another one are rejected
	H5         bool               // the merchant has H5 payment: buyers can pay from a browser
	Passwords  PasswordVerifier   // checks payment passwords
	Identities Identities         // checks identities of the messaging app
	Recharges  RechargePricer     // nil: cards cannot be recharged
	Locks      LockAbandoner      // ends orders whose seat lock got no answer
	Limits     order.UnpaidLimits // for orders of goods and points; the zero value means no limit
	Runner     *jobs.Runner       // runs the tasks that checkout schedules
	// TradeAnswerLife is how long, in real time, an answer of the gateway about a trade is reused. 0 means that only
	// concurrent calls share an answer.
	TradeAnswerLife time.Duration
	Now             func() time.Time // business time
	Logger          *slog.Logger
}

// Checkout groups the services of checkout, one per part of a payment's life.
type Checkout struct {
	Payer     *Payer     // pays an order
	Trades    *Trades    // tracks the trades at the gateway
	Canceller *Canceller // cancels and expires unpaid orders
	Purchases *Purchases // sells goods and points
	Refunds   *Refunds   // refunds through the gateway
}

// New returns the services.
func New(c Config) *Checkout {
	b := base{c.Store, c.Runner, c.Now, c.Logger}
	trades := &Trades{base: b, gateway: c.Gateway, appID: c.AppID, mchID: c.MchID}
	canceller := &Canceller{base: b, trades: trades, locks: c.Locks}
	payer := &Payer{
		base: b, trades: trades, gateway: c.Gateway, passwords: c.Passwords, identities: c.Identities, h5: c.H5,
		queried:   cache.New[queried](time.Now, cache.Ages{Fresh: c.TradeAnswerLife}),
		announced: cache.New[order.Prepaid](time.Now, cache.Ages{Fresh: c.TradeAnswerLife}),
	}
	return &Checkout{
		Payer: payer, Trades: trades, Canceller: canceller,
		Purchases: &Purchases{base: b, payer: payer, canceller: canceller, recharges: c.Recharges, limits: c.Limits},
		Refunds:   &Refunds{base: b, gateway: c.Gateway, trades: trades},
	}
}

// base holds what every service of checkout needs.
type base struct {
	store  order.Store
	runner *jobs.Runner
	now    func() time.Time
	logger *slog.Logger
}
