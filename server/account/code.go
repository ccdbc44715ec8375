package account

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math/big"
	"regexp"

	"marquee/server/fault"
)

var (
	phoneShape = regexp.MustCompile(`^1[3-9][0-9]{9}$`)
	codeShape  = regexp.MustCompile(`^[0-9]{6}$`)
)

// SendLoginCode sends a login code to a phone. ip is the client's, for the limits.
func (s *Service) SendLoginCode(ctx context.Context, phone, ip string) error {
	return s.sendCode(ctx, phone, ip, ForLogin)
}

// SendPasswordCode sends the code that setting a payment password asks for, to the buyer's own phone.
func (s *Service) SendPasswordCode(ctx context.Context, userID int64, ip string) error {
	u, err := s.store.User(ctx, userID)
	if err != nil {
		return err
	}
	return s.sendCode(ctx, u.Phone, ip, ForPassword)
}

func (s *Service) sendCode(ctx context.Context, phone, ip string, purpose Purpose) error {
	if !phoneShape.MatchString(phone) {
		return ErrPhoneInvalid
	}
	code, err := newCode()
	if err != nil {
		return err
	}
	now := s.now()
	id, err := s.store.AddCode(ctx, Code{
		Phone: phone, Purpose: purpose, IP: ip, Hash: s.codeHash(phone, purpose, code), SentAt: now, Expires: now.Add(CodeLife),
	}, s.limits)
	if err != nil {
		return fmt.Errorf("keep the code: %w", err)
	}
	sendErr := s.sender.SendCode(ctx, phone, code)
	switch {
	case sendErr == nil:
		return nil
	case fault.KindOf(sendErr) == fault.Unknown:
		// The message may well arrive: the code stays good and the buyer waits out the countdown.
		return nil
	}
	// A provider that was not reached sent nothing, so it does not count against the buyer; a refusal does.
	forget := fault.KindOf(sendErr) == fault.Unavailable
	dropErr := s.store.DropCode(context.WithoutCancel(ctx), id, forget)
	return errors.Join(fmt.Errorf("send the code: %w", sendErr), dropErr)
}

func (s *Service) useCode(ctx context.Context, phone, code string, purpose Purpose) error {
	switch {
	case !phoneShape.MatchString(phone):
		return ErrPhoneInvalid
	case code == "":
		return ErrCodeRequired
	case !codeShape.MatchString(code):
		return ErrCodeWrong
	}
	return s.store.UseCode(ctx, phone, purpose, s.codeHash(phone, purpose, code), s.now())
}

func newCode() (string, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		return "", fmt.Errorf("draw a code: %w", err)
	}
	return fmt.Sprintf("%06d", n.Int64()), nil
}
