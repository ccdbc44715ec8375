package account

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"time"
)

// IdentityStore keeps which messaging-app identity belongs to which buyer, and the hashes of one-use proofs.
type IdentityStore interface {
	// BindIdentity binds an identity to a buyer and records the event if it was not bound to that buyer before. It
	// returns ErrIdentityTaken if another buyer has the identity. Binding it again makes it the latest, and leaves the
	// time of IdentityBoundAt.
	BindIdentity(ctx context.Context, openID string, userID int64, e Event) (bound bool, err error)
	// IdentityUser returns the buyer of an identity, 0 if it is not bound.
	IdentityUser(ctx context.Context, openID string) (userID int64, err error)
	// IdentityBoundAt returns when the identity was bound, and ErrOpenIDUnproven if it is not bound to the buyer.
	IdentityBoundAt(ctx context.Context, openID string, userID int64) (time.Time, error)
	// OpenID returns the identity that the buyer bound last, "" without one.
	OpenID(ctx context.Context, userID int64) (string, error)

	// UseDevice returns the buyer of an identity, if that buyer is the last one who logged in on the device, has done
	// so since a time, and has not logged out on it. The device then has the hash fresh. It returns ErrOpenIDUnproven
	// otherwise.
	UseDevice(ctx context.Context, openID string, hash, fresh []byte, since time.Time) (userID int64, err error)

	// AddProof saves a proof of a subject: an identity, or what phoneSubject and LinkSubject return.
	AddProof(ctx context.Context, hash []byte, subject string, expires time.Time) error
	// CheckProof returns ErrOpenIDUnproven unless the proof is valid for the subject.
	CheckProof(ctx context.Context, hash []byte, subject string, now time.Time) error
	// UseProof does the same and uses the proof up.
	UseProof(ctx context.Context, hash []byte, subject string, now time.Time) error
}

// IdentityProvider is the messaging app's OAuth login.
type IdentityProvider interface {
	// AuthorizeURL returns the page that sends the browser back with a code and the state.
	AuthorizeURL(redirectURL, state string) string
	// Exchange turns a one-use code into an openid. It returns ErrOAuthCode if the code is invalid, expired or used.
	Exchange(ctx context.Context, code string) (openID string, err error)
}

// StartOAuth returns the address to send the browser to, the state it must come back with, and the seal of the state.
// The caller keeps the seal in a cookie of that browser, so that a code obtained in another browser is refused (login
// CSRF). token is that of the buyer who begins the login, "" for a visitor. The seal covers it too, so that another
// buyer's token cannot finish the login.
func (s *Service) StartOAuth(returnURL, token string) (authorizeURL, state, seal string) {
	state = newToken()
	return s.provider.AuthorizeURL(returnURL, state), state, oauthSeal(state, token)
}

// oauthSeal ties a state to a session. It needs no key, because a state has too many bits to be found by search, and
// because only the shop sets the cookie.
func oauthSeal(state, token string) string {
	return base64.RawURLEncoding.EncodeToString(hashToken("oauth\x00" + state + "\x00" + token))
}

// OAuthReturn is what the browser came back with.
type OAuthReturn struct {
	Code, State string // as the messaging app returned it; good for one exchange
	Seal        string // what StartOAuth gave this browser
	Token       string // of the session that the browser has now; "" without one
}

// Identity is an identity in the messaging app that was proven by OAuth.
type Identity struct {
	OpenID string // of the messaging app
	Proof  string // for one use
	Bound  bool   // to the buyer of the session
}

// FinishOAuth exchanges the code for an identity and returns a one-use proof of it. It binds the identity to the buyer
// of the token, if StartOAuth was given the same token, if the token was not opened by a link, and if the account has a
// phone and no other identity. An identity that is not bound here can be bound by BindPhone, which asks for the phone.
// FinishOAuth returns ErrOAuthState, ErrOAuthCode, ErrLoginRequired for a token that is not live, or ErrIdentityTaken
// if another buyer has the identity.
func (s *Service) FinishOAuth(ctx context.Context, r OAuthReturn) (id Identity, err error) {
	var user User
	var method Method
	if r.Token != "" {
		if user, method, err = s.session(ctx, r.Token); err != nil {
			return id, err
		}
	}
	began := r.Token != "" && r.sealed(r.Token)
	if !began && !r.sealed("") {
		return id, ErrOAuthState
	}
	if r.Code == "" {
		return id, ErrOAuthCode
	}
	if id.OpenID, err = s.provider.Exchange(ctx, r.Code); err != nil {
		return id, fmt.Errorf("exchange the OAuth code: %w", err)
	}
	if began && method != ByLink {
		if id.Bound, err = s.bindFirst(ctx, id.OpenID, user); err != nil {
			return Identity{}, err
		}
	}
	id.Proof, err = s.newProof(ctx, id.OpenID)
	return id, err
}

// sealed reports whether the state and the seal are those of a login that the session began; "" is no session.
func (r OAuthReturn) sealed(token string) bool {
	return r.State != "" && subtle.ConstantTimeCompare([]byte(r.Seal), []byte(oauthSeal(r.State, token))) == 1
}

// bindFirst binds an identity if the account has a phone and no other identity. It reports whether the account has it.
func (s *Service) bindFirst(ctx context.Context, openID string, u User) (bool, error) {
	owner, err := s.identities.IdentityUser(ctx, openID)
	if err != nil {
		return false, fmt.Errorf("find the buyer of the identity: %w", err)
	}
	if owner == 0 {
		other, err := s.OpenID(ctx, u.ID)
		if err != nil {
			return false, fmt.Errorf("find the identity of the buyer: %w", err)
		}
		if other != "" || u.Phone == "" {
			return false, nil
		}
	}
	err = s.bindIdentity(ctx, openID, u.ID)
	return err == nil, err
}

// bindIdentity binds an identity, and records that it was bound or refused.
func (s *Service) bindIdentity(ctx context.Context, openID string, userID int64) error {
	e := s.journal.event(ctx, IdentityBound, userID)
	bound, err := s.identities.BindIdentity(ctx, openID, userID, e)
	switch {
	case errors.Is(err, ErrIdentityTaken):
		s.journal.record(ctx, s.journal.event(ctx, IdentityRefused, userID))
		return err
	case err != nil:
		return fmt.Errorf("bind the identity: %w", err)
	case bound:
		s.journal.log(ctx, e)
	}
	return nil
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
	login, err := s.openSession(ctx, userID, ByApp, LoggedInByApp)
	login.OpenID = openID
	return login, err
}

// DeviceLogin logs in the buyer of an identity on a device on which the same buyer was the last to log in, by code or
// through the messaging app, less than DeviceLife ago, and has not logged out. It returns the token of the device for
// its next login; the present one is used up. It returns ErrOpenIDUnproven.
func (s *Service) DeviceLogin(ctx context.Context, openID, device string) (l Login, fresh string, err error) {
	if !tokenShape.MatchString(device) {
		return Login{}, "", ErrOpenIDUnproven
	}
	fresh = newToken()
	userID, err := s.identities.UseDevice(
		ctx, openID, hashToken(device), hashToken(fresh), s.now().Add(-DeviceLife))
	if err != nil {
		return Login{}, "", err
	}
	l, err = s.openSession(ctx, userID, ByDevice, LoggedInByDevice)
	l.OpenID = openID
	return l, fresh, err
}

// BindPhone logs in by phone and code, and binds the proven identity to that buyer. A wrong code does not use up the
// proof. It returns ErrOpenIDUnproven, ErrIdentityTaken or the errors of Login. If the account of the phone is dormant,
// it returns what Login returns and binds nothing.
func (s *Service) BindPhone(ctx context.Context, c EnteredCode, openID, proof string) (Login, error) {
	if err := s.identities.CheckProof(ctx, hashToken(proof), openID, s.now()); err != nil {
		return Login{}, err
	}
	if err := s.codes.use(ctx, c, ForLogin); err != nil {
		return Login{}, err
	}
	if err := s.identities.UseProof(ctx, hashToken(proof), openID, s.now()); err != nil {
		return Login{}, err
	}
	return s.logInByPhone(ctx, c.Phone, openID)
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
	return addProof(ctx, s.identities, openID, s.now().Add(ProofLife))
}

// addProof saves and returns a new one-use proof of a subject.
func addProof(ctx context.Context, store IdentityStore, subject string, expires time.Time) (string, error) {
	proof := newToken()
	if err := store.AddProof(ctx, hashToken(proof), subject, expires); err != nil {
		return "", fmt.Errorf("save the proof: %w", err)
	}
	return proof, nil
}

// phoneSubject is the subject of a proof that a code sent to the phone was entered.
func phoneSubject(phone string) string { return "phone:" + phone }
