package orders

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"time"

	"golang.org/x/sync/singleflight"

	"marquee/server/beijing"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/payment"
)

// PasswordVerifier checks a buyer's payment password and counts wrong tries.
type PasswordVerifier interface {
	VerifyPaymentPassword(ctx context.Context, userID int64, password string) error
}

// Buyers knows who the buyers are.
type Buyers interface {
	Phone(ctx context.Context, userID int64) (string, error)
	// OwnsOpenID fails when the messaging-app identity is not the buyer's.
	OwnsOpenID(ctx context.Context, userID int64, openID string) error
}

// Venues knows where cinemas are.
type Venues interface {
	Cinema(ctx context.Context, source catalog.Source, cinemaID string) (catalog.Cinema, error)
}

// LotExpirer writes off points whose time has come.
type LotExpirer interface {
	ExpireLots(ctx context.Context) (int, error)
}

// Config is what a Service needs. Fields without a default must be set.
type Config struct {
	Store     Store
	Sources   map[catalog.Source]TicketSource
	Gateway   payment.Gateway
	AppID     string // of the messaging app; trades of another one are refused
	MchID     string // of our merchant account; trades of another one are refused
	Passwords PasswordVerifier
	Buyers    Buyers
	Now       func() time.Time // business time

	Venues      Venues         // nil: orders carry no address
	Lots        LotExpirer     // nil: lots do not expire here
	Recharges   RechargePricer // nil: cards cannot be recharged
	Topup       Deliverer      // recharges accounts that goods orders name; nil: Manual
	Logger      *slog.Logger   // nil: silent
	CallTimeout time.Duration  // of one provider call, real time; 10 s
	Lease       time.Duration  // how long a task is left to one server, business time; 60 s
	Workers     int            // tasks under way at once for one lane; 8
	TradeMargin time.Duration  // a trade ends this long before its order; 60 s
}

// Service is the purchase story.
type Service struct {
	Config
	wake    chan struct{}
	flights singleflight.Group // one request at a time per buyer and key
	house   house
	crew    crew
	venues  addresses
}

// New checks the configuration.
func New(c Config) (*Service, error) {
	for name, missing := range map[string]bool{
		"Store": c.Store == nil, "Sources": len(c.Sources) == 0, "Gateway": c.Gateway == nil, "AppID": c.AppID == "",
		"MchID": c.MchID == "", "Passwords": c.Passwords == nil, "Buyers": c.Buyers == nil, "Now": c.Now == nil,
	} {
		if missing {
			return nil, fmt.Errorf("orders: Config.%s is required", name)
		}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if c.Topup == nil {
		c.Topup = Manual{}
	}
	c.CallTimeout = cmp.Or(c.CallTimeout, 10*time.Second)
	c.Lease = cmp.Or(c.Lease, time.Minute)
	c.Workers = cmp.Or(c.Workers, 8)
	c.TradeMargin = cmp.Or(c.TradeMargin, time.Minute)
	return &Service{
		Config: c, wake: make(chan struct{}, 1),
		crew:   crew{busy: map[Lane]int{}, running: map[string]*Task{}},
		venues: addresses{known: map[cinema]knownAddress{}, asked: map[cinema]chan struct{}{}},
	}, nil
}

// saga detaches a purchase step from its caller's patience: once begun, a buyer closing the page must not
// leave it half done.
func saga(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }

// call bounds one provider call.
func (s *Service) call(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, s.CallTimeout)
}

func (s *Service) source(src catalog.Source) (TicketSource, error) {
	t, ok := s.Sources[src]
	if !ok {
		return nil, ErrSourceUnknown
	}
	return t, nil
}

// mine reads an order that the buyer may see.
func (s *Service) mine(ctx context.Context, userID int64, no string) (Order, error) {
	return mine(ctx, s.Store, userID, no)
}

func mine(ctx context.Context, r Reader, userID int64, no string) (Order, error) {
	o, err := r.Order(ctx, no)
	if err != nil {
		return Order{}, err
	}
	if o.UserID != userID || !o.State.Visible() {
		return Order{}, ErrOrderNotFound
	}
	return o, nil
}

// newOrderNo is twelve digits of time and twelve random ones: sortable by eye, not guessable from a neighbour. With an
// attempt behind it, it fits the 32 characters of a trade number.
func newOrderNo(now time.Time) (string, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000_000_000))
	if err != nil {
		return "", fmt.Errorf("order number: %w", err)
	}
	return fmt.Sprintf("%s%012d", now.In(beijing.Time).Format("060102150405"), n.Int64()), nil
}

// digest fingerprints a request so that one key cannot stand for two of them.
func digest(parts ...any) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%v\x00", p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// outcomeOf classifies the end of a provider call. What is not a definite fault counts as unknown.
func outcomeOf(err error) (Outcome, string) {
	if err == nil {
		return OutcomeOK, ""
	}
	f := fault.Of(err)
	if definite(err) {
		return OutcomeRefused, f.Code
	}
	return OutcomeUnknown, f.Code
}

// definite reports whether the error proves that the provider did not act. An error nobody classified proves nothing.
func definite(err error) bool {
	switch fault.KindOf(err) {
	case fault.Unknown, fault.Internal:
		return false
	}
	return true
}

// refused reports a definite answer that asking again will not change.
func refused(err error) bool {
	switch fault.KindOf(err) {
	case fault.Unknown, fault.Internal, fault.Unavailable, fault.Limited:
		return false
	}
	return true
}

func actor(userID int64) string { return fmt.Sprintf("user:%d", userID) }

const system = "system"
