// Package checkout takes the money of an order: it quotes, pays with welfare-card points and in the messaging app,
// captures what the gateway reports, cancels and expires unpaid orders, sells goods and points, and refunds.
//
// A provider is never called inside a transaction: the intent is committed, the provider is called, the outcome is
// committed.
package checkout

import (
	"context"
	"log/slog"
	"time"

	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/jobs"
	"marquee/server/money"
	"marquee/server/order"
)

// Faults of checkout besides those of package order.
var (
	ErrMethodRequired = fault.New(fault.Invalid, "payment_method_required", "请选择支付方式")
	ErrOpenIDRequired = fault.New(fault.Invalid, "openid_required", "请在微信中打开")
	// ErrH5NotOffered refuses a payment from a browser if the merchant has no H5 payment.
	ErrH5NotOffered = fault.New(fault.Invalid, "h5_not_offered", "请使用微信打开进行支付")
	// ErrAppNotNeeded refuses the messaging app for what the chosen cards cover alone.
	ErrAppNotNeeded = fault.New(fault.Conflict, "app_not_needed", "卡内点数已足够，无需微信支付")
	// ErrTooManyAttempts means that an order was announced to the messaging app maxAttempts times, each time for another
	// request.
	ErrTooManyAttempts = fault.New(fault.Limited, "payment_attempts_exceeded", "支付尝试次数过多，请取消订单后重新下单")
	// ErrSettledByGateway refuses a manual settlement because the gateway has refunded, is refunding, or reports the
	// trade as unpaid.
	ErrSettledByGateway = fault.New(fault.Conflict, "settled_by_gateway", "支付平台已处理").WithExplanation(
		"the gateway has sent the money back, is sending it, or has told that the trade was not paid; the shop has " +
			"recorded it: send nothing by hand")
	// ErrGatewayUndecided refuses a manual settlement while the gateway may still refund.
	ErrGatewayUndecided = fault.New(fault.Conflict, "gateway_undecided", "支付平台处理中").WithExplanation(
		"the gateway does not tell whether the money went back: ask again later, or look on the merchant platform " +
			"and settle with --unverified")
)

// PasswordVerifier checks a buyer's payment password and counts wrong tries.
type PasswordVerifier interface {
	// BeginPayment returns the number of the correct attempt, which is open until order.PasswordTries.EndCorrect or
	// EndCorrectTry ends it. 0 means that there is nothing to end.
	BeginPayment(ctx context.Context, userID int64, password string) (try int64, err error)
	// EndCorrectTry ends a correct attempt outside the transaction of a payment, and resets the count of wrong ones. It
	// returns account.ErrPasswordBusy if the attempt does not count any more.
	EndCorrectTry(ctx context.Context, userID, try int64) error
}

// Identities knows the messaging-app identities of buyers.
type Identities interface {
	// OwnsOpenID fails if the messaging-app identity is not the buyer's.
	OwnsOpenID(ctx context.Context, userID int64, openID string) error
}

// RechargePricer knows what points cost.
type RechargePricer interface {
	// Priced returns the price of points, as a package or, with packageID 0, as a free choice of the buyer.
	Priced(ctx context.Context, q cards.PriceQuery) (money.Fen, error)
}

// LockAbandoner ends orders whose seat lock got no answer.
type LockAbandoner interface {
	// Unanswered reports whether the order is LOCKING and its lock call has ended without an answer.
	Unanswered(o order.Order) bool
	// Abandon ends such an order without a call to the source. An order that is not LOCKING is left as it is.
	Abandon(ctx context.Context, no string) error
}

// Config configures checkout. All fields but Recharges, Limits and TradeAnswerLife are required.
type Config struct {
	Store      order.Store
	Gateway    order.Gateway      // with bounded calls
	AppID      string             // of the messaging app; trades of another one are refused
	MchID      string             // of our merchant account; trades of another one are refused
	H5         bool               // the merchant has H5 payment: buyers outside the messaging app can pay in it
	Passwords  PasswordVerifier   // checks payment passwords
	Identities Identities         // knows which identities of the messaging app a buyer has proven
	Recharges  RechargePricer     // nil: cards cannot be recharged
	Locks      LockAbandoner      // ends orders whose lock had no answer
	Limits     order.UnpaidLimits // of goods and points; the zero value is no limit
	Runner     *jobs.Runner       // is woken for new tasks
	// TradeAnswerLife is the real time for which one answer of the gateway about a trade serves all calls for it; 0:
	// only calls at the same time share one.
	TradeAnswerLife time.Duration
	Now             func() time.Time // business time
	Logger          *slog.Logger
}

// Checkout is the services of checkout, one per part of a payment's life.
type Checkout struct {
	Payer     *Payer     // pays an order
	Trades    *Trades    // follows the trades at the gateway
	Canceller *Canceller // cancels and expires unpaid orders
	Purchases *Purchases // sells goods and points
	Refunds   *Refunds   // sends money back
}

// New returns the services.
func New(c Config) *Checkout {
	b := base{c.Store, c.Runner, c.Now, c.Logger}
	trades := &Trades{base: b, gateway: c.Gateway, appID: c.AppID, mchID: c.MchID}
	canceller := &Canceller{base: b, trades: trades, locks: c.Locks}
	payer := &Payer{
		base: b, trades: trades, gateway: c.Gateway, passwords: c.Passwords, identities: c.Identities, h5: c.H5,
		queried:   catalog.NewCache[queried](time.Now, c.TradeAnswerLife, 0),
		announced: catalog.NewCache[order.Prepaid](time.Now, c.TradeAnswerLife, 0),
	}
	return &Checkout{
		Payer: payer, Trades: trades, Canceller: canceller,
		Purchases: &Purchases{base: b, payer: payer, canceller: canceller, recharges: c.Recharges, limits: c.Limits},
		Refunds:   &Refunds{base: b, gateway: c.Gateway, trades: trades},
	}
}

// base is what every service of checkout works with.
type base struct {
	store  order.Store
	runner *jobs.Runner
	now    func() time.Time
	logger *slog.Logger
}
