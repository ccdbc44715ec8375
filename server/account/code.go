package account

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"time"

	"marquee/server/fault"
)

// Purpose is what a code may be used for. A code is valid for its own purpose only.
type Purpose string

const (
	ForLogin    Purpose = "login"
	ForPassword Purpose = "password"
)

// Limits bound the number of codes sent per phone and per client address, in one hour and in one day.
type Limits struct {
	PhoneHour, PhoneDay int
	IPHour, IPDay       int
}

// DefaultLimits allow many buyers behind one address, because mobile carriers share addresses among their customers.
var DefaultLimits = Limits{PhoneHour: 5, PhoneDay: 10, IPHour: 60, IPDay: 300}

// Code is a code that was sent, as the store keeps it.
type Code struct {
	Phone   string
	Purpose Purpose
	IP      string // of the client that asked for it
	Hash    []byte
	SentAt  time.Time
	Expires time.Time
}

// CodeStore keeps the codes that were sent. Each call is one transaction.
type CodeStore interface {
	// AddCode counts what was sent to the phone and from the address, and replaces earlier codes of its phone and
	// purpose. It returns ErrSMSLimited when a limit is reached; for the resend wait the fault carries RetryAfter.
	AddCode(ctx context.Context, c Code, limits Limits) (id int64, err error)
	// DropCode makes a code unusable; with uncount it no longer counts against the limits either.
	DropCode(ctx context.Context, id int64, uncount bool) error
	// UseCode counts a try on the newest usable code and, if the hash matches, uses the code up. It returns
	// ErrCodeWrong if there is no usable code or the hash differs, and ErrCodeLocked after CodeTries tries.
	UseCode(ctx context.Context, phone string, purpose Purpose, hash []byte, now time.Time) error
}

// CodeSender sends a one-time code by SMS.
type CodeSender interface {
	// SendCode returns ErrPhoneRefused or ErrSMSLimited if the SMS provider refuses, fault.ErrUnavailable if the
	// provider sent nothing, and a fault of kind Unknown if the message may have been sent.
	SendCode(ctx context.Context, phone, code string) error
}

// CodesConfig is what Codes needs.
type CodesConfig struct {
	Store  CodeStore
	Sender CodeSender
	Now    func() time.Time // business time
	Pepper []byte           // see NewCodes
	Limits Limits           // the zero value means DefaultLimits
}

// Codes sends one-time codes and checks them.
type Codes struct {
	store  CodeStore
	sender CodeSender
	now    func() time.Time
	pepper pepper
	limits Limits
}

// NewCodes makes Codes. The pepper keys every hash of a short secret; it is kept outside the database, so that a copy
// of the database alone is not enough to search for the secrets. NewCodes fails if it has fewer than 16 bytes.
func NewCodes(c CodesConfig) (*Codes, error) {
	key, err := newPepper(c.Pepper)
	if err != nil {
		return nil, err
	}
	if c.Limits == (Limits{}) {
		c.Limits = DefaultLimits
	}
	return &Codes{store: c.Store, sender: c.Sender, now: c.Now, pepper: key, limits: c.Limits}, nil
}

var (
	phoneShape    = regexp.MustCompile(`^1[3-9][0-9]{9}$`) // a mainland mobile number (spec: rule-phone-pattern)
	sixDigitShape = regexp.MustCompile(`^[0-9]{6}$`)       // codes and payment passwords
)

// send sends a new code. ip is the client's address, for the limits. A code whose sending ended Unknown stays valid,
// because the message may arrive.
func (c *Codes) send(ctx context.Context, phone, ip string, purpose Purpose) error {
	if !phoneShape.MatchString(phone) {
		return ErrPhoneInvalid
	}
	code, err := newCode()
	if err != nil {
		return err
	}
	now := c.now()
	id, err := c.store.AddCode(ctx, Code{
		Phone: phone, Purpose: purpose, IP: ip, Hash: c.hash(phone, purpose, code),
		SentAt: now, Expires: now.Add(CodeLife),
	}, c.limits)
	if err != nil {
		return fmt.Errorf("save the code: %w", err)
	}
	sendErr := c.sender.SendCode(ctx, phone, code)
	if sendErr == nil || fault.KindOf(sendErr) == fault.Unknown {
		return nil
	}
	// A code that was not sent does not count against the buyer's limits. A refused one does.
	uncount := fault.KindOf(sendErr) == fault.Unavailable
	dropErr := c.store.DropCode(context.WithoutCancel(ctx), id, uncount)
	return errors.Join(fmt.Errorf("send the code: %w", sendErr), dropErr)
}

// use checks a code and uses it up. It returns ErrPhoneInvalid, ErrCodeRequired, ErrCodeWrong or ErrCodeLocked.
func (c *Codes) use(ctx context.Context, phone, code string, purpose Purpose) error {
	switch {
	case !phoneShape.MatchString(phone):
		return ErrPhoneInvalid
	case code == "":
		return ErrCodeRequired
	case !sixDigitShape.MatchString(code):
		return ErrCodeWrong
	}
	return c.store.UseCode(ctx, phone, purpose, c.hash(phone, purpose, code), c.now())
}

// hash is keyed with the pepper: all six-digit codes could be tried against a plain hash at once.
func (c *Codes) hash(phone string, purpose Purpose, code string) []byte {
	return c.pepper.mac(fmt.Sprintf("code\x00%s\x00%s\x00%s", purpose, phone, code))
}

// newCode returns six random digits.
func newCode() (string, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return "", fmt.Errorf("draw a code: %w", err)
	}
	return fmt.Sprintf("%06d", n.Int64()), nil
}
