package account

import (
	"context"
	"fmt"
)

// SetPaymentPassword sets or changes the six-digit payment password; code was sent by SendPasswordCode.
func (s *Service) SetPaymentPassword(ctx context.Context, userID int64, code, password string) error {
	if !codeShape.MatchString(password) {
		return ErrPasswordFormat
	}
	u, err := s.store.User(ctx, userID)
	if err != nil {
		return err
	}
	if err := s.useCode(ctx, u.Phone, code, ForPassword); err != nil {
		return err
	}
	if err := s.hashing.Acquire(ctx, 1); err != nil {
		return fmt.Errorf("wait to hash: %w", err)
	}
	hash := s.hashPassword(password)
	s.hashing.Release(1)
	return s.store.SetPassword(ctx, userID, hash)
}

// VerifyPaymentPassword fails with ErrPasswordMissing, ErrPasswordWrong, or ErrPasswordLocked from the fifth wrong
// password in a row on, for 30 minutes.
func (s *Service) VerifyPaymentPassword(ctx context.Context, userID int64, password string) error {
	if password == "" {
		return ErrPasswordRequired
	}
	if !codeShape.MatchString(password) {
		return ErrPasswordFormat
	}
	// Waiting comes first: a try that gives up in the queue has not been counted.
	if err := s.hashing.Acquire(ctx, 1); err != nil {
		return fmt.Errorf("wait to hash: %w", err)
	}
	defer s.hashing.Release(1)
	hash, tries, err := s.store.BeginTry(ctx, userID, s.now())
	if err != nil {
		return err
	}
	right, err := s.checkPassword(hash, password)
	if err != nil {
		return err
	}
	if err := s.store.EndTry(context.WithoutCancel(ctx), userID, right, s.now()); err != nil {
		return fmt.Errorf("count the try: %w", err)
	}
	switch {
	case right:
		return nil
	case tries >= PasswordTries:
		return ErrPasswordLocked
	default:
		return ErrPasswordWrong
	}
}
