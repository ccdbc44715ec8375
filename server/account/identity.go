package account

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
)

// StartOAuth is where to send the browser, and the state it must come back with. The caller keeps the state in a
// cookie of that browser, so that a code obtained elsewhere cannot be planted in it.
func (s *Service) StartOAuth(returnURL string) (authorizeURL, state string) {
	state = newToken()
	return s.identity.AuthorizeURL(returnURL, state), state
}

// OAuthReturn is what the browser came back with.
type OAuthReturn struct {
	Code, State string
	CookieState string // the state StartOAuth gave this browser
	UserID      int64  // the buyer logged in there, 0 for nobody
}

// FinishOAuth exchanges the code for an identity and hands out a one-use proof of it. A logged-in buyer's identity
// is bound to them; ErrIdentityTaken when it is another buyer's.
func (s *Service) FinishOAuth(ctx context.Context, r OAuthReturn) (openID, proof string, err error) {
	if r.CookieState == "" || subtle.ConstantTimeCompare([]byte(r.State), []byte(r.CookieState)) != 1 {
		return "", "", ErrOAuthState
	}
	if r.Code == "" {
		return "", "", ErrOAuthCode
	}
	if openID, err = s.identity.Exchange(ctx, r.Code); err != nil {
		return "", "", fmt.Errorf("exchange the code: %w", err)
	}
	if r.UserID != 0 {
		if err := s.store.BindIdentity(ctx, openID, r.UserID, s.now()); err != nil {
			return "", "", fmt.Errorf("bind the identity: %w", err)
		}
	}
	proof, err = s.newProof(ctx, openID)
	return openID, proof, err
}

// QuickLogin logs in the buyer an identity is bound to. Without one it answers no token but a fresh proof, for
// BindPhone. The proof is spent either way: an openid alone is no secret.
func (s *Service) QuickLogin(ctx context.Context, openID, proof string) (Login, error) {
	if err := s.store.UseProof(ctx, hashToken(proof), openID, s.now()); err != nil {
		return Login{}, err
	}
	userID, err := s.store.IdentityUser(ctx, openID)
	if err != nil {
		return Login{}, fmt.Errorf("find whose identity it is: %w", err)
	}
	if userID == 0 {
		fresh, err := s.newProof(ctx, openID)
		return Login{OpenID: openID, Proof: fresh}, err
	}
	token, err := s.openSession(ctx, userID)
	return Login{Token: token, UserID: userID, OpenID: openID}, err
}

// BindPhone logs in by phone and code, and binds the proven identity to that buyer. A wrong code leaves the proof.
func (s *Service) BindPhone(ctx context.Context, phone, code, openID, proof string) (Login, error) {
	if err := s.store.CheckProof(ctx, hashToken(proof), openID, s.now()); err != nil {
		return Login{}, err
	}
	if err := s.useCode(ctx, phone, code, ForLogin); err != nil {
		return Login{}, err
	}
	if err := s.store.UseProof(ctx, hashToken(proof), openID, s.now()); err != nil {
		return Login{}, err
	}
	u, err := s.store.EnsureUser(ctx, phone, s.now())
	if err != nil {
		return Login{}, fmt.Errorf("find or make the buyer: %w", err)
	}
	if err := s.store.BindIdentity(ctx, openID, u.ID, s.now()); err != nil {
		return Login{}, fmt.Errorf("bind the identity: %w", err)
	}
	token, err := s.openSession(ctx, u.ID)
	return Login{Token: token, UserID: u.ID, OpenID: openID}, err
}

// OwnsOpenID fails with ErrOpenIDUnproven unless the identity is bound to the buyer.
func (s *Service) OwnsOpenID(ctx context.Context, userID int64, openID string) error {
	if openID == "" {
		return ErrOpenIDUnproven
	}
	owner, err := s.store.IdentityUser(ctx, openID)
	if err != nil {
		return fmt.Errorf("find whose identity it is: %w", err)
	}
	if owner != userID {
		return ErrOpenIDUnproven
	}
	return nil
}

// OpenID is the buyer's bound identity, "" without one.
func (s *Service) OpenID(ctx context.Context, userID int64) (string, error) {
	return s.store.OpenID(ctx, userID)
}

func (s *Service) newProof(ctx context.Context, openID string) (string, error) {
	if openID == "" {
		return "", errors.New("account: the identity provider named no identity")
	}
	proof := newToken()
	if err := s.store.AddProof(ctx, hashToken(proof), openID, s.now().Add(ProofLife)); err != nil {
		return "", fmt.Errorf("keep the proof: %w", err)
	}
	return proof, nil
}
