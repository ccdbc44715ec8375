package cards

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"

	"marquee/server/audit"
	"marquee/server/input"
)

// Bind binds a card to the buyer and returns its id; number is the card's number or its coupon code, as it was typed.
// It fails with ErrCardNotFound for a wrong number and a wrong password alike, with ErrCardBound, ErrCardUnusable, or
// ErrCardLocked after too many wrong passwords (password_tries.go). A malformed number is ErrCardNotFound, too, but
// does not count as a try. Binding a card that the buyer already has succeeds.
func (s *Service) Bind(ctx context.Context, userID int64, number, password string) (int64, error) {
	number, password = input.Card.Read(number), input.CardPassword.Read(password)
	if !input.Card.Valid(number) {
		return 0, errNotANumber
	}
	return s.bind(ctx, userID, number, func(tx Tx, now time.Time) (Card, bool, error) {
		card, hash, err := tx.Cards.ByNumber(number, now)
		if errors.Is(err, ErrCardNotFound) {
			card, hash, err = s.byCoupon(tx, number, now)
		}
		if err != nil {
			return card, false, err
		}
		right, stale := s.pepper.Verify(hash, secretText(card.Number, password))
		if code := strings.ToUpper(password); err == nil && !right && code != password {
			// The code of a coupon may be typed in lower case.
			if coupon, _, notFound := s.byCoupon(tx, code, now); notFound == nil && coupon.ID == card.ID {
				password = code
				right, stale = s.pepper.Verify(hash, secretText(card.Number, password))
			}
		}
		if right && stale {
			err = tx.Cards.SetPassword(card.ID, s.pepper.Hash(secretText(card.Number, password)))
		}
		return card, right, err
	})
}

// byCoupon finds a card by its coupon code. If the stored hash was made with an old pepper, it is replaced.
func (s *Service) byCoupon(tx Tx, code string, now time.Time) (card Card, passwordHash []byte, err error) {
	for i, hash := range s.pepper.Hashes(couponText(code)) {
		card, passwordHash, err = tx.Cards.ByCoupon(hash, now)
		if err == nil && i > 0 {
			return card, passwordHash, tx.Cards.SetCoupon(card.ID, s.pepper.Hash(couponText(code)))
		}
		if !errors.Is(err, ErrCardNotFound) {
			break
		}
	}
	return card, passwordHash, err
}

// BindCoupon binds the card of a coupon code to the buyer and returns its id. The code replaces number and password, so
// unknown codes count as wrong passwords. It fails as Bind does.
func (s *Service) BindCoupon(ctx context.Context, userID int64, code string) (int64, error) {
	if code = input.Card.Read(code); !input.Card.Valid(code) {
		return 0, errNotANumber
	}
	return s.bind(ctx, userID, "", func(tx Tx, now time.Time) (Card, bool, error) {
		card, _, err := s.byCoupon(tx, code, now)
		return card, err == nil, err
	})
}

// bind finds a card and binds it to the buyer if the password or the coupon code is correct. typed is the number that
// was entered together with a password, or "" if only a coupon code was entered.
func (s *Service) bind(ctx context.Context, userID int64, typed string,
	find func(Tx, time.Time) (Card, bool, error)) (int64, error) {
	var id int64
	var rejection error
	err := s.store.Update(ctx, func(tx Tx) error {
		id, rejection = 0, nil
		now := s.now()
		card, proven, err := find(tx, now)
		if err != nil && !isNotFound(err) {
			return err
		}
		tries, err := readTryCounts(tx, userID, typed, card.ID, now)
		if err != nil {
			return err
		}
		if tries.locked() {
			return cardLockedUntil(tries.lockEnds(), now)
		}
		if !proven || card.Deleted {
			err := tries.recordWrong(tx, now)
			rejection = tries.wrong(now) // returned after the commit, so that the count is kept
			return err
		}
		if err := tries.recordRight(tx); err != nil {
			return err
		}
		id = card.ID
		switch {
		case card.UserID == userID:
			return nil
		case card.UserID != 0:
			return ErrCardBound
		case card.Status != Active:
			return ErrCardUnusable
		}
		card.UserID, card.BoundAt = userID, now
		if err := tx.Cards.Save(card); err != nil {
			return err
		}
		return tx.Audit.Record(now, audit.User(userID), "card.bound", audit.Card(card.ID), "", audit.User(userID))
	})
	if err != nil {
		return 0, fmt.Errorf("bind card: %w", err)
	}
	if rejection != nil {
		return 0, rejection
	}
	return id, nil
}

// Scanned is the content of a scanned code: either Number and Password, or Coupon. The other fields are "".
type Scanned struct{ Number, Password, Coupon string }

// ReadScan parses the content of a scanned QR code or bar code. It accepts "number:password", a URL with the parameters
// kahao and pass, a URL of the shop with the parameter "code", and a bare coupon code. Each may follow "CODE_128,",
// which the messaging app's scanner puts before the content of a bar code. own reports whether a URL is the shop's: on
// other sites a parameter named "code" has other meanings. ReadScan fails with ErrScanUnreadable for anything that
// cannot be a card, such as a product's bar code, so that it does not count as a wrong password.
func ReadScan(content string, own func(*url.URL) bool) (Scanned, error) {
	content = strings.ReplaceAll(strings.TrimSpace(content), "：", ":")
	if kind, rest, found := strings.Cut(content, ","); found && strings.ContainsRune(kind, '_') {
		content = rest
	}
	var s Scanned
	switch number, password, pair := strings.Cut(content, ":"); {
	case strings.Contains(content, "://"):
		u, err := url.Parse(content)
		if err != nil {
			return s, ErrScanUnreadable
		}
		q := u.Query()
		if s = (Scanned{Number: q.Get("kahao"), Password: q.Get("pass")}); s.Number == "" && own(u) {
			s.Coupon = q.Get("code")
		}
	case pair:
		s = Scanned{Number: number, Password: password}
	default:
		s.Coupon = content
	}
	s = Scanned{input.Card.Read(s.Number), input.CardPassword.Read(s.Password), input.Card.Read(s.Coupon)}
	switch {
	case input.Card.Valid(s.Number) && input.CardPassword.Valid(s.Password):
		return Scanned{Number: s.Number, Password: s.Password}, nil
	case input.Card.Valid(s.Coupon) && strings.ContainsFunc(s.Coupon, unicode.IsLetter):
		return Scanned{Coupon: s.Coupon}, nil
	}
	return Scanned{}, ErrScanUnreadable
}

// BindScanned binds the card of a scanned code. It fails with ErrScanUnreadable, and as Bind does.
func (s *Service) BindScanned(
	ctx context.Context, userID int64, content string, own func(*url.URL) bool,
) (int64, error) {
	got, err := ReadScan(content, own)
	if err != nil {
		return 0, err
	}
	if got.Coupon != "" {
		return s.BindCoupon(ctx, userID, got.Coupon)
	}
	return s.Bind(ctx, userID, got.Number, got.Password)
}
