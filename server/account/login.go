package account

import (
	"context"
	"fmt"
	"time"

	"marquee/server/durations"
)

// Method is how a session was opened.
type Method string

// The methods of login: by SMS code, by a proven identity, by a link with a session token, by a stored openid on a
// known device. A session by link becomes one by code when a code is entered in it.
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
	Method  Method // how the buyer logged in
	OpenID  string // the identity with which a session with LimitedAccess pays; "" for none
	Limited bool   // the session has LimitedAccess until Confirm, even if the buyer's other sessions are confirmed
	// OpenedBy is the hash of the token in the link that opened the session; nil if no link opened it. The session ends
	// together with the session of that token, unless its buyer enters a code.
	OpenedBy []byte
	Created  time.Time // business time
	Expires  time.Time // the session is rejected from then on, business time
	Device   string    // see LiveSession
	Network  string    // see LiveSession
}

// SessionStore keeps buyers and the hashes of their session tokens.
type SessionStore interface {
	// EnsureUser returns the buyer with a phone, and creates one if there is none.
	EnsureUser(ctx context.Context, phone string, now time.Time) (User, error)
	// User returns a buyer. It returns ErrLoginRequired if there is no such buyer or the account is closed.
	User(ctx context.Context, id int64) (User, error)
	// AddSession saves a session and records the event. A session by code also records that the phone is proven, or,
	// for a dormant account, User.UnprovenSince. It returns ErrLoginRequired if the account was closed, or if the
	// session that opened it has ended. A session descends from another one if it was opened by a link with the token
	// of that session or of one of its descendants. Of all descendants of a session, only the latest LinkSessions stay:
	// AddSession ends the older ones, and the sessions that were opened by their links. It returns ErrLoginRequired if
	// this would end the new session too.
	AddSession(ctx context.Context, s NewSession, e Event) error
	// Session returns a session without its Access, and ErrLoginRequired if it is unknown, revoked or expired.
	Session(ctx context.Context, hash []byte, now time.Time) (Session, error)
	// TouchSession saves when and from which network a session was last used. If the network is "", the saved one
	// stays.
	TouchSession(ctx context.Context, hash []byte, network string, now time.Time) error
	// SetSessionOpenID saves the identity with which a session with LimitedAccess pays.
	SetSessionOpenID(ctx context.Context, hash []byte, openID string) error
	// SessionHasOpenID reports whether a live session of the buyer pays with the identity.
	SessionHasOpenID(ctx context.Context, userID int64, openID string, now time.Time) (bool, error)
	// RevokeSession ends a session, and those that it opened by links, and records the event for its buyer. It reports
	// whether the session was live. In either case IdentityStore.UseDevice fails for the device until the next login on
	// it. If the session was live and its buyer has never logged in on the device, UseDevice fails for all devices of
	// the buyer. The end of a session by link changes nothing for devices, because such a session has none.
	RevokeSession(ctx context.Context, hash, device []byte, now time.Time, e Event) (live bool, err error)
}

// Config is what a Service needs.
type Config struct {
	Sessions   SessionStore
	Identities IdentityStore
	Provider   IdentityProvider // the messaging app's OAuth
	Codes      *Codes
	Journal    *Journal         // records logins and rejected attempts
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
// returns ErrPhoneInvalid, ErrCodeRequired, ErrCodeWrong or ErrCodeLocked. If the account is dormant, the number may
// belong to another person by now: the session has LimitedAccess until Security.Confirm.
func (s *Service) Login(ctx context.Context, c EnteredCode) (Login, error) {
	if err := s.codes.use(ctx, c, ForLogin); err != nil {
		return Login{}, err
	}
	return s.logInByPhone(ctx, c.Phone, nil)
}

// logInByPhone opens a session for the buyer with the phone, whose code was entered. If identity is not nil, it is
// bound to the buyer first; for a dormant account it is bound to the session only, to pay with it.
func (s *Service) logInByPhone(ctx context.Context, phone string, identity *Binding) (Login, error) {
	u, err := s.sessions.EnsureUser(ctx, phone, s.now())
	if err != nil {
		return Login{}, fmt.Errorf("find or create the buyer: %w", err)
	}
	opened, openID := NewSession{Method: ByCode}, ""
	if identity != nil {
		openID = identity.OpenID
	}
	switch {
	case u.Dormant(s.now()):
		opened.OpenID = openID
	case identity != nil:
		identity.UserID = u.ID
		if err := s.bindIdentity(ctx, *identity); err != nil {
			return Login{}, err
		}
	}
	login, err := s.openSession(ctx, u, opened, LoggedInByCode)
	login.OpenID = openID
	return login, err
}

// openSession saves and returns a new session of the buyer. If opened has no expiry, the session lives for
// durations.Session. kind is the kind of the journal's event.
func (s *Service) openSession(ctx context.Context, u User, opened NewSession, kind EventKind) (Login, error) {
	token, now := newToken(), s.now()
	e, client := s.journal.event(ctx, kind, u.ID), clientOf(ctx)
	opened.Hash, opened.UserID, opened.Created = hashToken(token), u.ID, now
	opened.Device, opened.Network = deviceName(client.agent), coarseNetwork(client.address)
	opened.Limited = opened.Limited || accessOf(u, opened.Method, now) == LimitedAccess
	if opened.Expires.IsZero() {
		opened.Expires = now.Add(durations.Session)
	}
	if err := s.sessions.AddSession(ctx, opened, e); err != nil {
		return Login{}, fmt.Errorf("open a session: %w", err)
	}
	s.journal.Log(ctx, e)
	return Login{Token: token, UserID: u.ID, Access: Session{User: u, LiveSession: LiveSession{Method: opened.Method},
		Limited: opened.Limited}.accessAt(now)}, nil
}

// Session returns the session of a token, and ErrLoginRequired if the token is unknown, revoked or expired.
func (s *Service) Session(ctx context.Context, token string) (Session, error) {
	if !tokenShape.MatchString(token) {
		return Session{}, ErrLoginRequired
	}
	session, err := s.sessions.Session(ctx, hashToken(token), s.now())
	if err != nil {
		return Session{}, err
	}
	s.touch(ctx, session.LiveSession)
	session.Access = session.accessAt(s.now())
	return session, nil
}

// Logout ends the session of a token, and makes DeviceLogin impossible on the device with the token of RememberDevice,
// "" for none. If the buyer has never logged in on that device, DeviceLogin becomes impossible on all devices of the
// buyer, because the session may be that of any of them. An unknown token is not an error.
func (s *Service) Logout(ctx context.Context, token, device string) error {
	e := s.journal.event(ctx, LoggedOut, 0)
	live, err := s.sessions.RevokeSession(ctx, hashToken(token), hashToken(device), s.now(), e)
	if live && err == nil {
		s.journal.Log(ctx, e)
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
