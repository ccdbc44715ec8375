package account

import (
	"context"
	"fmt"
	"time"
)

// Method is how a session was opened.
type Method string

// The methods of login. A session from a link was opened without a proof of the phone or of the identity of the person
// in front of the browser, and therefore binds no identity.
const (
	ByCode   Method = "code"
	ByApp    Method = "app"
	ByLink   Method = "link"
	ByDevice Method = "device"
)

// NewSession is a session to be saved.
type NewSession struct {
	Hash    []byte // of the token
	UserID  int64
	Method  Method    // how the buyer logged in
	Created time.Time // business time
	Expires time.Time // from when on it is refused, business time
	Device  string    // see LiveSession
	Network string    // see LiveSession
}

// SessionStore keeps buyers and the hashes of their session tokens.
type SessionStore interface {
	// EnsureUser returns the buyer with a phone, and creates one if there is none.
	EnsureUser(ctx context.Context, phone string, now time.Time) (User, error)
	// User returns ErrLoginRequired if there is no such buyer or the account is closed.
	User(ctx context.Context, id int64) (User, error)
	// AddSession saves a session and records the event. A session by code also records that the phone is proven. It
	// returns ErrLoginRequired if the account was closed.
	AddSession(ctx context.Context, s NewSession, e Event) error
	// SessionUser returns the buyer of a session, and ErrLoginRequired if the session is unknown, revoked or expired.
	SessionUser(ctx context.Context, hash []byte, now time.Time) (User, LiveSession, error)
	// TouchSession saves when and from which network a session is used; "" leaves the network.
	TouchSession(ctx context.Context, hash []byte, network string, now time.Time) error
	// RevokeSession ends a session and records the event for its buyer. It reports whether the session was live. Live
	// or not, IdentityStore.UseDevice is refused for the device until the next login on it. If the buyer of a live
	// session has never logged in on the device, UseDevice is refused for all devices of the buyer; a session by link
	// has none.
	RevokeSession(ctx context.Context, hash, device []byte, now time.Time, e Event) (live bool, err error)
}

// Config is what a Service needs.
type Config struct {
	Sessions   SessionStore
	Identities IdentityStore
	Provider   IdentityProvider // the messaging app's OAuth
	Codes      *Codes
	Journal    *Journal         // records logins and refusals
	Now        func() time.Time // business time
}

// Service logs buyers in, by SMS code or through the messaging app, and reads their sessions.
type Service struct {
	sessions   SessionStore
	identities IdentityStore
	provider   IdentityProvider
	codes      *Codes
	journal    *Journal
	now        func() time.Time
}

// New makes a Service.
func New(c Config) *Service {
	return &Service{
		sessions: c.Sessions, identities: c.Identities, provider: c.Provider, codes: c.Codes, journal: c.Journal,
		now: c.Now,
	}
}

// SendLoginCode sends a login code to a phone. It returns ErrPhoneInvalid, ErrSMSLimited, ErrSMSCeiling, the errors of
// a CodeSender, and with a Challenge ErrChallengeRequired or ErrChallengeFailed.
func (s *Service) SendLoginCode(ctx context.Context, phone string, from Origin) error {
	return s.codes.send(ctx, phone, from, ForLogin)
}

// Login exchanges a phone and the code sent to it for a session. The first login of a phone creates the buyer. It
// returns ErrPhoneInvalid, ErrCodeRequired, ErrCodeWrong or ErrCodeLocked.
//
// If the account is dormant, the number may belong to another person by now. The Login then has no token but a proof of
// the phone, with which Safety.Resume opens the account or Safety.StartAfresh opens a new one.
func (s *Service) Login(ctx context.Context, c EnteredCode) (Login, error) {
	if err := s.codes.use(ctx, c, ForLogin); err != nil {
		return Login{}, err
	}
	return s.logInByPhone(ctx, c, nil)
}

// logInByPhone opens a session for the buyer whose code was entered, and binds an identity to the buyer first unless it
// is nil. For a dormant account it returns a proof of the phone instead and binds nothing.
func (s *Service) logInByPhone(ctx context.Context, c EnteredCode, identity *Binding) (Login, error) {
	u, err := s.sessions.EnsureUser(ctx, c.Phone, s.now())
	if err != nil {
		return Login{}, fmt.Errorf("find or create the buyer: %w", err)
	}
	if u.Dormant(s.now()) {
		return s.dormantLogin(ctx, u, c.Browser)
	}
	openID := ""
	if identity != nil {
		identity.UserID, openID = u.ID, identity.OpenID
		if err := s.bindIdentity(ctx, *identity); err != nil {
			return Login{}, err
		}
	}
	login, err := s.openSession(ctx, u.ID, ByCode, LoggedInByCode)
	login.OpenID = openID
	return login, err
}

// dormantLogin returns a proof of the phone instead of a session.
func (s *Service) dormantLogin(ctx context.Context, u User, browser string) (Login, error) {
	l := Login{Proof: newToken(), Browser: ensureToken(browser), Dormant: true, HasPassword: u.HasPassword}
	return l, s.addProof(ctx, Proof{ProofOfPhone, u.Phone, l.Proof, l.Browser}, ProofLife)
}

func (s *Service) openSession(ctx context.Context, userID int64, method Method, kind EventKind) (Login, error) {
	token, now := newToken(), s.now()
	e, client := s.journal.event(ctx, kind, userID), clientOf(ctx)
	err := s.sessions.AddSession(ctx, NewSession{
		Hash: hashToken(token), UserID: userID, Method: method, Created: now, Expires: now.Add(SessionLife),
		Device: deviceName(client.agent), Network: coarseNetwork(client.address),
	}, e)
	if err != nil {
		return Login{}, fmt.Errorf("open a session: %w", err)
	}
	s.journal.log(ctx, e)
	return Login{Token: token, UserID: userID}, nil
}

// Session returns the buyer of a session token, and ErrLoginRequired if the token is unknown, revoked or expired.
func (s *Service) Session(ctx context.Context, token string) (User, error) {
	u, _, err := s.session(ctx, token)
	return u, err
}

func (s *Service) session(ctx context.Context, token string) (User, Method, error) {
	if !tokenShape.MatchString(token) {
		return User{}, "", ErrLoginRequired
	}
	u, live, err := s.sessions.SessionUser(ctx, hashToken(token), s.now())
	if err != nil {
		return User{}, "", err
	}
	s.touch(ctx, live)
	return u, live.Method, nil
}

// Logout revokes a session token, and ends quick login on the device with the token of RememberDevice, "" for none. It
// ends it on all devices of the buyer if the device is not one of them, because the session may be of any of them. An
// unknown token is not an error.
func (s *Service) Logout(ctx context.Context, token, device string) error {
	e := s.journal.event(ctx, LoggedOut, 0)
	live, err := s.sessions.RevokeSession(ctx, hashToken(token), hashToken(device), s.now(), e)
	if live && err == nil {
		s.journal.log(ctx, e)
	}
	return err
}

// phone returns the buyer's phone number, in full. It returns ErrPhoneMissing if the buyer has removed it.
func (s *Service) phone(ctx context.Context, userID int64) (string, error) {
	u, err := s.sessions.User(ctx, userID)
	if err == nil && u.Phone == "" {
		err = ErrPhoneMissing
	}
	return u.Phone, err
}
