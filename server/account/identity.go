package account

import (
	"context"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"marquee/server/durations"
)

// IdentityStore keeps which messaging-app identity belongs to which buyer, and the hashes of one-use proofs.
type IdentityStore interface {
	// BindIdentity binds an identity to a buyer and records the event if that changes anything. It returns
	// ErrIdentityTaken if another buyer has the identity, and ErrIdentityFurther if the buyer already has another one,
	// unless b.Further is set. Binding an identity that the buyer already has makes it the latest, and confirms it if
	// b.Confirmed is set.
	BindIdentity(ctx context.Context, b Binding, e Event) (changed bool, err error)
	// IdentityUser returns the buyer of an identity, 0 if it is not bound.
	IdentityUser(ctx context.Context, openID string) (userID int64, err error)
	// Identities lists the identities of a buyer, the latest first.
	Identities(ctx context.Context, userID int64) ([]BoundIdentity, error)
	// IsFurther reports whether the account with the phone has identities, but not the given one.
	IsFurther(ctx context.Context, phone, openID string) (bool, error)
	// OpenID returns the identity that the buyer has bound or proven last, "" without one.
	OpenID(ctx context.Context, userID int64) (string, error)

	// UseDevice returns the buyer of an identity if this buyer was the last one to log in on the device with the token
	// hash, did so later than the time since, and has not logged out there. The device then gets the new token hash
	// fresh. Otherwise it returns ErrOpenIDUnproven.
	UseDevice(ctx context.Context, openID string, hash, fresh []byte, since time.Time) (userID int64, err error)

	// AddProof saves a proof.
	AddProof(ctx context.Context, p StoredProof, expires time.Time) error
	// CheckProof returns ErrUnproven if the proof is not valid, and ErrProofBrowser if it is valid in another browser.
	CheckProof(ctx context.Context, p StoredProof, now time.Time) error
	// UseProof checks a proof as CheckProof does, and uses it up if it is valid.
	UseProof(ctx context.Context, p StoredProof, now time.Time) error
}

// Binding is a request to bind an identity to a buyer.
type Binding struct {
	OpenID    string
	UserID    int64
	Confirmed bool // a code to the buyer's phone was entered to bind it
	Further   bool // the buyer has agreed to bind it in addition to another identity
}

// BoundIdentity is an identity of a buyer.
type BoundIdentity struct {
	OpenID  string
	BoundAt time.Time // business time
	UsedAt  time.Time // when it was last proven in a session of the buyer
	// Confirmed is set if a code that was sent to the buyer's phone was entered when it was bound. An identity that is
	// not confirmed can log in, but does not count as a proof for changes of the account, because a thief of a session
	// can bind one.
	Confirmed bool
}

// IdentityProvider is the messaging app's OAuth login.
type IdentityProvider interface {
	// AuthorizeURL returns the URL of the messaging app's page that redirects the browser to redirectURL with a code
	// and the state.
	AuthorizeURL(redirectURL, state string) string
	// Exchange exchanges a one-use code for the openid. It returns ErrOAuthCode if the code is invalid, expired or
	// used.
	Exchange(ctx context.Context, code string) (openID string, err error)
}

// StartOAuth returns the address to send the browser to, the state with which the browser must return, and the seal of
// the state. The caller keeps the seal in a cookie of that browser, so that a code obtained in another browser is
// rejected (login CSRF). token is the session token of the buyer who begins the login, "" for a visitor. The seal also
// covers the token, so that the login cannot be finished in another buyer's session.
func (s *Service) StartOAuth(returnURL, token string) (authorizeURL, state, seal string) {
	state = newToken()
	return s.provider.AuthorizeURL(returnURL, state), state, oauthSeal(state, token)
}

// oauthSeal returns the seal of a state: a hash of the state and the session token. It needs no key, because a state
// has too many bits to be guessed, and because only the shop sets the cookie.
func oauthSeal(state, token string) string {
	return base64.RawURLEncoding.EncodeToString(hashToken("oauth\x00" + state + "\x00" + token))
}

// OAuthReturn is what the browser sends after it has returned from the messaging app.
type OAuthReturn struct {
	Code, State string // as the messaging app returned them; the code can be exchanged once
	Seal        string // of StartOAuth, from the browser's cookie
	Token       string // of the session that the browser has now; "" without one
	Browser     string // the token of the browser's cookie, "" if it has none
}

// Identity is an identity in the messaging app that was proven by OAuth.
type Identity struct {
	OpenID  string // of the messaging app
	Proof   string // the token of a Proof
	Browser string // the token for the browser's cookie, without which the proof is not valid
	Bound   bool   // it was bound to the buyer of the session, or to the session if that has LimitedAccess
}

// FinishOAuth exchanges the code for an identity and returns a one-use proof of it. It binds the identity to the buyer
// of r.Token if StartOAuth was given the same token, if the session was not opened by a link, and if the account has a
// phone and no other identity. Such an identity is not confirmed. If the session has LimitedAccess, the identity is
// bound to the session only, to pay with it. BindPhone, which asks for a code to the phone, can bind or confirm an
// identity later. FinishOAuth returns ErrOAuthState, ErrOAuthCode, ErrLoginRequired for a token that is not live, or
// ErrIdentityTaken if another buyer has the identity.
func (s *Service) FinishOAuth(ctx context.Context, r OAuthReturn) (id Identity, err error) {
	var session Session
	if r.Token != "" {
		if session, err = s.Session(ctx, r.Token); err != nil {
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
	switch {
	case !began || session.Access == LinkAccess:
	case session.Access == LimitedAccess:
		if err := s.sessions.SetSessionOpenID(ctx, hashToken(r.Token), id.OpenID); err != nil {
			return Identity{}, fmt.Errorf("save the identity of the session: %w", err)
		}
		id.Bound = true
	default:
		if id.Bound, err = s.bindFirst(ctx, id.OpenID, session.User); err != nil {
			return Identity{}, err
		}
	}
	id.Proof, id.Browser = newToken(), ensureToken(r.Browser)
	err = s.addProof(ctx, Proof{ProofOfIdentity, id.OpenID, id.Proof, id.Browser}, durations.Proof)
	return id, err
}

// sealed reports whether the seal was made for the state and the token. If so, the login was begun in the session of
// the token, or without a session if the token is "".
func (r OAuthReturn) sealed(token string) bool {
	return r.State != "" && subtle.ConstantTimeCompare([]byte(r.Seal), []byte(oauthSeal(r.State, token))) == 1
}

// bindFirst binds an identity if the account has a phone and no other identity. It reports whether the account has the
// identity afterwards.
func (s *Service) bindFirst(ctx context.Context, openID string, u User) (bool, error) {
	if u.Phone == "" {
		owner, err := s.identities.IdentityUser(ctx, openID)
		if err != nil || owner != u.ID {
			return false, err
		}
	}
	err := s.bindIdentity(ctx, Binding{OpenID: openID, UserID: u.ID})
	if errors.Is(err, ErrIdentityFurther) {
		return false, nil
	}
	return err == nil, err
}

// bindIdentity binds an identity, and records in the journal that it was bound or rejected.
func (s *Service) bindIdentity(ctx context.Context, b Binding) error {
	if !openIDShape.MatchString(b.OpenID) {
		return ErrOpenIDInvalid
	}
	kind := IdentityBound
	if b.Confirmed {
		kind = IdentityConfirmed
	}
	e := s.journal.event(ctx, kind, b.UserID)
	changed, err := s.identities.BindIdentity(ctx, b, e)
	switch {
	case errors.Is(err, ErrIdentityTaken):
		s.journal.Record(ctx, s.journal.event(ctx, IdentityRejected, b.UserID))
		return err
	case err != nil:
		return fmt.Errorf("bind the identity: %w", err)
	case changed:
		s.journal.Log(ctx, e)
	}
	return nil
}

// QuickLogin logs in the buyer of a proven identity, and uses the proof up. If the identity is not bound to a buyer,
// the Login has no token, and the proof stays valid until it expires, for BindPhone. It returns ErrOpenIDInvalid,
// ErrOpenIDUnproven and ErrProofBrowser.
func (s *Service) QuickLogin(ctx context.Context, identity Proof) (Login, error) {
	login := Login{OpenID: identity.Subject}
	if err := s.checkProof(ctx, identity); err != nil {
		return Login{}, err
	}
	userID, err := s.identities.IdentityUser(ctx, identity.Subject)
	if err != nil {
		return Login{}, fmt.Errorf("find the buyer of the identity: %w", err)
	}
	if userID == 0 {
		login.Proof = identity.Token
		return login, nil
	}
	if err := s.useProof(ctx, identity); err != nil {
		return Login{}, err
	}
	login, err = s.openSession(ctx, User{ID: userID}, NewSession{Method: ByApp}, LoggedInByApp)
	login.OpenID = identity.Subject
	return login, err
}

// DeviceLogin logs in the buyer of an identity, without a proof, on a device on which the same buyer was the last to
// log in by code or through the messaging app, less than durations.Device ago, and has not logged out. It returns
// fresh, the token of the device for its next login; the present token is used up. It returns ErrOpenIDInvalid and
// ErrOpenIDUnproven.
func (s *Service) DeviceLogin(ctx context.Context, openID, device string) (l Login, fresh string, err error) {
	if !openIDShape.MatchString(openID) {
		return Login{}, "", ErrOpenIDInvalid
	}
	if !tokenShape.MatchString(device) {
		return Login{}, "", ErrOpenIDUnproven
	}
	fresh = newToken()
	userID, err := s.identities.UseDevice(
		ctx, openID, hashToken(device), hashToken(fresh), s.now().Add(-durations.Device))
	if err != nil {
		return Login{}, "", err
	}
	l, err = s.openSession(ctx, User{ID: userID}, NewSession{Method: ByDevice}, LoggedInByDevice)
	l.OpenID = openID
	return l, fresh, err
}

// BindPhone logs in by phone and code, and binds the proven identity to that buyer, as a confirmed one. A wrong code
// does not use up the proof. It returns ErrOpenIDInvalid, ErrOpenIDUnproven, ErrProofBrowser, ErrIdentityTaken or the
// errors of Login. If the account of the phone is dormant, the identity is bound to the session only, to pay with it.
//
// If the account has another identity, BindPhone returns ErrIdentityFurther after the check of the code, and uses up
// neither code nor proof. The web app then asks the buyer, and calls again with further set to bind the identity in
// addition.
func (s *Service) BindPhone(ctx context.Context, c EnteredCode, identity Proof, further bool) (Login, error) {
	if err := s.checkProof(ctx, identity); err != nil {
		return Login{}, err
	}
	ask := false
	if !further {
		var err error
		if ask, err = s.identities.IsFurther(ctx, c.Phone, identity.Subject); err != nil {
			return Login{}, fmt.Errorf("find the identities of the phone: %w", err)
		}
	}
	c.keep = ask
	if err := s.codes.use(ctx, c, ForLogin); err != nil {
		return Login{}, err
	}
	if ask { // only after the code check, because the answer reveals that the account has another identity
		u, err := s.sessions.EnsureUser(ctx, c.Phone, s.now())
		if err != nil {
			return Login{}, fmt.Errorf("find the buyer: %w", err)
		}
		if !u.Dormant(s.now()) { // a dormant account gets no identity
			return Login{}, ErrIdentityFurther
		}
		c.keep = false
		if err := s.codes.use(ctx, c, ForLogin); err != nil {
			return Login{}, err
		}
	}
	if err := s.useProof(ctx, identity); err != nil {
		return Login{}, err
	}
	return s.logInByPhone(ctx, c.Phone, &Binding{OpenID: identity.Subject, Confirmed: true, Further: further})
}

// OwnsOpenID returns ErrOpenIDUnproven unless the identity is bound to the buyer or to a session of the buyer.
func (s *Service) OwnsOpenID(ctx context.Context, userID int64, openID string) error {
	if openID == "" {
		return ErrOpenIDUnproven
	}
	owner, err := s.identities.IdentityUser(ctx, openID)
	if err != nil {
		return fmt.Errorf("find the buyer of the identity: %w", err)
	}
	if owner == userID {
		return nil
	}
	found, err := s.sessions.SessionHasOpenID(ctx, userID, openID, s.now())
	if err != nil {
		return fmt.Errorf("find the session of the identity: %w", err)
	}
	if !found {
		return ErrOpenIDUnproven
	}
	return nil
}

// OpenID returns the identity that the buyer has bound or proven last, "" without one.
func (s *Service) OpenID(ctx context.Context, userID int64) (string, error) {
	return s.identities.OpenID(ctx, userID)
}
