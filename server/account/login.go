package account

import (
	"context"
	"fmt"
	"time"
)

// SessionStore keeps buyers and the hashes of their session tokens.
type SessionStore interface {
	// EnsureUser returns the buyer with a phone, and creates one if there is none.
	EnsureUser(ctx context.Context, phone string, now time.Time) (User, error)
	// User returns ErrLoginRequired if there is no such buyer.
	User(ctx context.Context, id int64) (User, error)
	AddSession(ctx context.Context, hash []byte, userID int64, now, expires time.Time) error
	// SessionUser returns ErrLoginRequired if the session is unknown, revoked or expired.
	SessionUser(ctx context.Context, hash []byte, now time.Time) (User, error)
	// RevokeSession ends a session. Revoking an unknown session succeeds.
	RevokeSession(ctx context.Context, hash []byte, now time.Time) error
}

// Config is what a Service needs.
type Config struct {
	Sessions   SessionStore
	Identities IdentityStore
	Provider   IdentityProvider
	Codes      *Codes
	Now        func() time.Time // business time
}

// Service logs buyers in, by SMS code or through the messaging app, and reads their sessions.
type Service struct {
	sessions   SessionStore
	identities IdentityStore
	provider   IdentityProvider
	codes      *Codes
	now        func() time.Time
}

// New makes a Service.
func New(c Config) *Service {
	return &Service{sessions: c.Sessions, identities: c.Identities, provider: c.Provider, codes: c.Codes, now: c.Now}
}

// SendLoginCode sends a login code to a phone. It returns ErrPhoneInvalid, ErrSMSLimited, ErrSMSCeiling, the errors of
// a CodeSender, and with a Challenge ErrChallengeRequired or ErrChallengeFailed.
func (s *Service) SendLoginCode(ctx context.Context, phone string, from Origin) error {
	return s.codes.send(ctx, phone, from, ForLogin)
}

// Login exchanges a phone and the code sent to it for a session. The first login of a phone creates the buyer. It
// returns ErrPhoneInvalid, ErrCodeRequired, ErrCodeWrong or ErrCodeLocked.
func (s *Service) Login(ctx context.Context, phone, code string) (Login, error) {
	if err := s.codes.use(ctx, phone, code, ForLogin); err != nil {
		return Login{}, err
	}
	u, err := s.sessions.EnsureUser(ctx, phone, s.now())
	if err != nil {
		return Login{}, fmt.Errorf("find or create the buyer: %w", err)
	}
	token, err := s.openSession(ctx, u.ID)
	if err != nil {
		return Login{}, err
	}
	return Login{Token: token, UserID: u.ID}, nil
}

func (s *Service) openSession(ctx context.Context, userID int64) (string, error) {
	token, now := newToken(), s.now()
	if err := s.sessions.AddSession(ctx, hashToken(token), userID, now, now.Add(SessionLife)); err != nil {
		return "", fmt.Errorf("open a session: %w", err)
	}
	return token, nil
}

// Session returns the buyer of a session token, and ErrLoginRequired if the token is unknown, revoked or expired.
func (s *Service) Session(ctx context.Context, token string) (User, error) {
	if !tokenShape.MatchString(token) {
		return User{}, ErrLoginRequired
	}
	return s.sessions.SessionUser(ctx, hashToken(token), s.now())
}

// Logout revokes a session token. An unknown token is not an error.
func (s *Service) Logout(ctx context.Context, token string) error {
	return s.sessions.RevokeSession(ctx, hashToken(token), s.now())
}

// Phone returns the buyer's phone number, in full.
func (s *Service) Phone(ctx context.Context, userID int64) (string, error) {
	u, err := s.sessions.User(ctx, userID)
	return u.Phone, err
}
