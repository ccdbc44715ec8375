package account

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"time"
)

// IdentityStore keeps which messaging-app identity belongs to which buyer, and the hashes of one-use proofs.
type IdentityStore interface {
	// BindIdentity returns ErrIdentityTaken if another buyer has the identity. Binding it again makes it the latest.
	BindIdentity(ctx context.Context, openID string, userID int64, now time.Time) error
	// IdentityUser returns the buyer of an identity, 0 if it is not bound.
	IdentityUser(ctx context.Context, openID string) (userID int64, err error)
	// OpenID returns the identity that the buyer bound last, "" without one.
	OpenID(ctx context.Context, userID int64) (string, error)

	AddProof(ctx context.Context, hash []byte, openID string, expires time.Time) error
	// CheckProof returns ErrOpenIDUnproven unless the proof is valid for the identity.
	CheckProof(ctx context.Context, hash []byte, openID string, now time.Time) error
	// UseProof does the same and uses the proof up.
	UseProof(ctx context.Context, hash []byte, openID string, now time.Time) error
}

// IdentityProvider is the messaging app's OAuth login.
type IdentityProvider interface {
	// AuthorizeURL returns the page that sends the browser back with a code and the state.
	AuthorizeURL(redirectURL, state string) string
	// Exchange turns a one-use code into an openid. It returns ErrOAuthCode if the code is invalid, expired or used.
	Exchange(ctx context.Context, code string) (openID string, err error)
}

// StartOAuth returns the address to send the browser to, and the state it must come back with. The caller keeps the
// state in a cookie of that browser, so that a code obtained in another browser is refused (login CSRF).
func (s *Service) StartOAuth(returnURL string) (authorizeURL, state string) {
	state = newToken()
	return s.provider.AuthorizeURL(returnURL, state), state
}

// OAuthReturn is what the browser came back with.
type OAuthReturn struct {
	Code, State string
	CookieState string // the state that StartOAuth gave this browser
	UserID      int64  // the buyer logged in there; 0 without a session
}

// FinishOAuth exchanges the code for an identity and returns a one-use proof of it. With a UserID it also binds the
// identity to that buyer. It returns ErrOAuthState, ErrOAuthCode, or ErrIdentityTaken if another buyer has the
// identity.
func (s *Service) FinishOAuth(ctx context.Context, r OAuthReturn) (openID, proof string, err error) {
	if r.CookieState == "" || subtle.ConstantTimeCompare([]byte(r.State), []byte(r.CookieState)) != 1 {
		return "", "", ErrOAuthState
	}
	if r.Code == "" {
		return "", "", ErrOAuthCode
	}
	if openID, err = s.provider.Exchange(ctx, r.Code); err != nil {
		return "", "", fmt.Errorf("exchange the OAuth code: %w", err)
	}
	if r.UserID != 0 {
		if err := s.identities.BindIdentity(ctx, openID, r.UserID, s.now()); err != nil {
			return "", "", fmt.Errorf("bind the identity: %w", err)
		}
	}
	proof, err = s.newProof(ctx, openID)
	return openID, proof, err
}

// QuickLogin logs in the buyer of an identity. If the identity is not bound, the Login has no token but a new proof,
// for BindPhone. The proof is used up in both cases, because an openid is not a secret. It returns ErrOpenIDUnproven.
func (s *Service) QuickLogin(ctx context.Context, openID, proof string) (Login, error) {
	if err := s.identities.UseProof(ctx, hashToken(proof), openID, s.now()); err != nil {
		return Login{}, err
	}
	userID, err := s.identities.IdentityUser(ctx, openID)
	if err != nil {
		return Login{}, fmt.Errorf("find the buyer of the identity: %w", err)
	}
	if userID == 0 {
		fresh, err := s.newProof(ctx, openID)
		return Login{OpenID: openID, Proof: fresh}, err
	}
	token, err := s.openSession(ctx, userID)
	return Login{Token: token, UserID: userID, OpenID: openID}, err
}

// BindPhone logs in by phone and code, and binds the proven identity to that buyer. A wrong code does not use up the
// proof. It returns ErrOpenIDUnproven, ErrIdentityTaken or the errors of Login.
func (s *Service) BindPhone(ctx context.Context, phone, code, openID, proof string) (Login, error) {
	if err := s.identities.CheckProof(ctx, hashToken(proof), openID, s.now()); err != nil {
		return Login{}, err
	}
	if err := s.codes.use(ctx, phone, code, ForLogin); err != nil {
		return Login{}, err
	}
	if err := s.identities.UseProof(ctx, hashToken(proof), openID, s.now()); err != nil {
		return Login{}, err
	}
	u, err := s.sessions.EnsureUser(ctx, phone, s.now())
	if err != nil {
		return Login{}, fmt.Errorf("find or create the buyer: %w", err)
	}
	if err := s.identities.BindIdentity(ctx, openID, u.ID, s.now()); err != nil {
		return Login{}, fmt.Errorf("bind the identity: %w", err)
	}
	token, err := s.openSession(ctx, u.ID)
	return Login{Token: token, UserID: u.ID, OpenID: openID}, err
}

// OwnsOpenID returns ErrOpenIDUnproven unless the identity is bound to the buyer.
func (s *Service) OwnsOpenID(ctx context.Context, userID int64, openID string) error {
	if openID == "" {
		return ErrOpenIDUnproven
	}
	owner, err := s.identities.IdentityUser(ctx, openID)
	if err != nil {
		return fmt.Errorf("find the buyer of the identity: %w", err)
	}
	if owner != userID {
		return ErrOpenIDUnproven
	}
	return nil
}

// OpenID returns the identity that the buyer bound last, "" without one.
func (s *Service) OpenID(ctx context.Context, userID int64) (string, error) {
	return s.identities.OpenID(ctx, userID)
}

func (s *Service) newProof(ctx context.Context, openID string) (string, error) {
	if openID == "" {
		return "", errors.New("account: the identity provider returned an empty identity")
	}
	proof := newToken()
	if err := s.identities.AddProof(ctx, hashToken(proof), openID, s.now().Add(ProofLife)); err != nil {
		return "", fmt.Errorf("save the proof: %w", err)
	}
	return proof, nil
}
