package account

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"regexp"
	"time"

	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/input"
	"marquee/server/pepper"
)

// Purpose is the use for which a code was sent. A code is valid only for its purpose.
type Purpose string

const (
	ForLogin    Purpose = "login"
	ForPassword Purpose = "password"
	ForSecurity Purpose = "safety"   // to change or remove phone and identity, and to export
	ForNewPhone Purpose = "newphone" // to the phone that the account will get
	ForClosing  Purpose = "closing"  // to close the account
	ForSession  Purpose = "session"  // to confirm a session that a link opened
)

// Limits bound the number of codes that are sent in one hour and in one day. A zero field means unlimited.
//
// A request comes from the owner of the phone if it carries a session, or the cookie of a device on which the owner has
// logged in; otherwise it comes from a stranger. The strangers' limits are lower than those of the phone, so that a
// stranger's codes do not use up the owner's share.
type Limits struct {
	PhoneHour, PhoneDay       int // to one phone
	StrangerHour, StrangerDay int // codes to one phone that strangers asked for
	OriginHour, OriginDay     int // codes to one phone that strangers in one network asked for
	NetworkHour, NetworkDay   int // codes to all phones that strangers in one network asked for
	// ShopHour bounds all codes of the shop. Strangers get four fifths of it.
	ShopHour int
}

// DefaultLimits stay within the limits of the SMS vendor for one phone (5 an hour, 10 a day). They allow many buyers in
// one network, because mobile carriers share addresses among their customers.
var DefaultLimits = Limits{
	PhoneHour: 5, PhoneDay: 10, StrangerHour: 4, StrangerDay: 8, OriginHour: 3, OriginDay: 5,
	NetworkHour: 60, NetworkDay: 300, ShopHour: 1000,
}

// StrangersShopHour is the part of ShopHour that strangers may use.
func (l Limits) StrangersShopHour() int { return l.ShopHour * 4 / 5 }

// Code is a one-time SMS code that was sent, as the store keeps it.
type Code struct {
	Phone   string    // in full
	Purpose Purpose   // the code is valid only for this purpose
	Network string    // of the client that asked for it, see NetworkOf
	Owner   bool      // the owner of the phone asked for it, see Limits
	Asker   string    // the client that asked for it, as askerOf returns it; "" if unknown
	Hash    []byte    // keyed hash of the phone, the purpose and the code
	SentAt  time.Time // business time
	Expires time.Time // from then on the code is rejected
}

// CodeStore keeps the codes that were sent. Each call is one transaction.
type CodeStore interface {
	// AddCode saves and counts a code, and replaces the earlier code of its phone, purpose and asker. It returns
	// ErrSMSLimited when a limit of the phone or the network is reached, and ErrSMSCeiling when the shop's is.
	// RetryAfter of ErrSMSLimited is the wait until none of the reached limits applies any more. Its field Until is the
	// end of that wait; it is not set if the limit that ends last is only the pause between two codes. Parallel calls
	// cannot exceed a limit together, even on several servers.
	AddCode(ctx context.Context, c Code, limits Limits) (id int64, err error)
	// DropCode makes a code unusable. If uncount is true, the code no longer counts against the limits either.
	DropCode(ctx context.Context, id int64, uncount bool) error
	// UseCode compares an entered code with each usable code of the phone and purpose, and counts a try on each. If a
	// code matches, all of them are used up, unless t.Keep is set. It returns ErrCodeWrong if none matches, joined with
	// ErrNoLiveCode if there is no usable one. For each code, the tries of its asker and those of all other clients are
	// counted separately. After CodeTries tries of the asker, or of the others, the code is no longer compared. UseCode
	// returns ErrCodeLocked if no code is left to compare. For the client's own code, ErrCodeWrong has TriesLeft, and
	// the last try returns ErrCodeLocked; other clients do not learn whether there is a code.
	UseCode(ctx context.Context, t CodeTry) error
	// CodesSent returns how many codes count against Limits.ShopHour at the time now.
	CodesSent(ctx context.Context, now time.Time) (int, error)

	// RememberDevice saves that the buyer of the event has logged in on a device. before is the hash of the device's
	// former token, fresh that of its new one; other buyers who have logged in on the device stay known on it.
	// IdentityStore.UseDevice works only for the buyer who has logged in there last. If the buyer was not known on the
	// device but has logged in before elsewhere, RememberDevice records the event, notifies the owner and reports true.
	RememberDevice(ctx context.Context, before, fresh []byte, e Event) (added bool, err error)
	// KnowsDevice reports whether the buyer with the phone has logged in, since the given time, on the device with the
	// token hash.
	KnowsDevice(ctx context.Context, phone string, hash []byte, since time.Time) (bool, error)
}

// CodeTry is a code that a client has entered.
type CodeTry struct {
	Phone   string    // in full
	Purpose Purpose   // for which the code must have been sent
	Asker   string    // the client that entered it, as in Code.Asker
	Hashes  [][]byte  // of the entered code, one for each accepted pepper
	Keep    bool      // a code that matches is not used up
	At      time.Time // business time
}

// CodeSender sends a one-time code by SMS.
type CodeSender interface {
	// SendCode returns ErrPhoneRejected or ErrSMSLimited if the SMS provider rejects the message, fault.ErrUnavailable
	// if the provider sent nothing, and a fault of kind Unknown if the message may have been sent.
	SendCode(ctx context.Context, phone, code string) error
}

// CodesConfig is what Codes needs.
type CodesConfig struct {
	Store   CodeStore
	Sender  CodeSender
	Journal *Journal
	Now     func() time.Time // business time
	Pepper  pepper.Ring      // keys the hashes of the codes
	Limits  Limits           // the zero value means DefaultLimits

	Challenge Challenge    // nil: codes are sent without a challenge
	Logger    *slog.Logger // nil: the default one
	// ObserveLimited is called, for metrics, with the error of each code that cannot be saved, usually because of a
	// limit; it may be nil.
	ObserveLimited func(err error)
}

// Codes sends one-time codes and checks them.
type Codes struct {
	store     CodeStore
	sender    CodeSender
	journal   *Journal
	now       func() time.Time
	pepper    pepper.Ring
	limits    Limits
	challenge Challenge
	logger    *slog.Logger
	observe   func(error) // of CodesConfig.ObserveLimited
}

// NewCodes makes Codes.
func NewCodes(c CodesConfig) *Codes {
	if c.Limits == (Limits{}) {
		c.Limits = DefaultLimits
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.ObserveLimited == nil {
		c.ObserveLimited = func(error) {}
	}
	return &Codes{
		store: c.Store, sender: c.Sender, journal: c.Journal, now: c.Now, pepper: c.Pepper, limits: c.Limits,
		challenge: c.Challenge, logger: c.Logger, observe: c.ObserveLimited,
	}
}

var (
	phoneShape    = input.Phone.Pattern              // a mainland mobile number (spec: rule-phone-pattern)
	sixDigitShape = regexp.MustCompile(`^[0-9]{6}$`) // codes and payment passwords
)

// send sends a new code. If it is unknown whether the message was sent, the code stays valid, because the message may
// arrive.
func (c *Codes) send(ctx context.Context, phone string, from Origin, purpose Purpose) error {
	if !phoneShape.MatchString(phone) {
		return ErrPhoneInvalid
	}
	owner, err := c.isOwner(ctx, phone, from)
	if err != nil {
		return err
	}
	limits := c.limits
	if !owner {
		if limits, err = c.checkChallenge(ctx, from); err != nil {
			return err
		}
	}
	code, err := newCode()
	if err != nil {
		return err
	}
	now := c.now()
	id, err := c.store.AddCode(ctx, Code{
		Phone: phone, Purpose: purpose, Network: NetworkOf(from.Address), Owner: owner, Asker: from.asker(),
		Hash: c.pepper.Hash(codeText(phone, purpose, code)), SentAt: now, Expires: now.Add(durations.Code),
	}, limits)
	if errors.Is(err, ErrSMSCeiling) {
		ceiling := limits.ShopHour
		if !owner {
			ceiling = limits.StrangersShopHour()
		}
		c.logger.ErrorContext(ctx, "code not sent: an hourly ceiling is reached", "ceiling", ceiling, "owner", owner)
	}
	if err != nil {
		c.observe(err)
		return fmt.Errorf("save the code: %w", err)
	}
	sendErr := c.sender.SendCode(ctx, phone, code)
	if sendErr == nil || fault.KindOf(sendErr) == fault.Unknown {
		return nil
	}
	// A code that was not sent does not count against the limits, but one that the provider rejected does.
	uncount := fault.KindOf(sendErr) == fault.Unavailable
	dropErr := c.store.DropCode(context.WithoutCancel(ctx), id, uncount)
	return errors.Join(fmt.Errorf("send the code: %w", sendErr), dropErr)
}

// SentLastHour returns how many codes of the last hour count against HourlyCeiling, for metrics and alerts.
func (c *Codes) SentLastHour(ctx context.Context) (int, error) {
	return c.store.CodesSent(ctx, c.now())
}

// HourlyCeiling returns the maximum number of codes that the shop sends in an hour, 0 for no limit.
func (c *Codes) HourlyCeiling() int { return c.limits.ShopHour }

// EnteredCode is a code that a buyer has entered, with the phone to which it was sent.
type EnteredCode struct {
	Phone, Code string
	Device      string // the token of the client's device, "" if it has none

	keep   bool  // a matching code is not used up, because the buyer must first answer a question
	userID int64 // of the session in which the code was requested; 0 without a session
}

// use checks a code and uses it up. It returns ErrPhoneInvalid, ErrCodeRequired, ErrCodeWrong or ErrCodeLocked.
func (c *Codes) use(ctx context.Context, entered EnteredCode, purpose Purpose) error {
	phone, code := entered.Phone, entered.Code
	switch {
	case !phoneShape.MatchString(phone):
		return ErrPhoneInvalid
	case code == "":
		return ErrCodeRequired
	case !sixDigitShape.MatchString(code):
		return ErrCodeWrong
	}
	err := c.store.UseCode(ctx, CodeTry{
		Phone: phone, Purpose: purpose, Asker: askerOf(entered.Device, entered.userID), Keep: entered.keep,
		Hashes: c.pepper.Hashes(codeText(phone, purpose, code)), At: c.now(),
	})
	c.journal.recordRejectedCode(ctx, phone, purpose, err)
	return err
}

// codeText is the input of the hash of a code. The hash is keyed with the pepper, because a plain hash could be
// reversed by trying all six-digit codes.
func codeText(phone string, purpose Purpose, code string) string {
	return fmt.Sprintf("code\x00%s\x00%s\x00%s", purpose, phone, code)
}

// newCode returns six random digits.
func newCode() (string, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return "", fmt.Errorf("draw a code: %w", err)
	}
	return fmt.Sprintf("%06d", n.Int64()), nil
}
