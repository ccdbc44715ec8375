package account

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Access is what a session may do.
type Access string

const (
	// FullAccess is the access of the account's owner.
	FullAccess Access = ""
	// LinkAccess is the access of a session that a link opened and in which no SMS code was entered yet. The person at
	// the browser may not know whose account it is, so the session cannot bind an identity or a card, and cannot change
	// the phone or the payment password.
	LinkAccess Access = "link"
	// LimitedAccess is the access of a person who logs in with the phone of a dormant account, and who may be the next
	// owner of the number. The session may browse and buy. It shows only points, cards and codes that were bought with
	// limited access, and cannot change the account.
	LimitedAccess Access = "limited"
)

// Session is a live session.
type Session struct {
	User
	LiveSession
	Access  Access
	Limited bool   // see NewSession
	OpenID  string // the identity with which LimitedAccess pays; "" before one was proven
	Expires time.Time
}

func (s Session) accessAt(now time.Time) Access {
	if s.Limited {
		return LimitedAccess
	}
	return accessOf(s.User, s.Method, now)
}

// accessOf returns the access of a session of the buyer that was opened by the method.
func accessOf(u User, method Method, now time.Time) Access {
	switch {
	case method == ByApp || method == ByDevice:
		return FullAccess
	case u.Dormant(now):
		return LimitedAccess
	case method == ByLink:
		return LinkAccess
	}
	return FullAccess
}

// Owner returns ErrAccessLimited for a session with LimitedAccess, whose buyer is perhaps not the owner of the account.
func (s Session) Owner() error {
	if s.Access == LimitedAccess {
		return ErrAccessLimited
	}
	return nil
}

// Trusted returns the error of Owner, and ErrLinkUnconfirmed for a session that a link opened and in which no code was
// entered yet.
func (s Session) Trusted() error {
	if s.Access == LinkAccess {
		return ErrLinkUnconfirmed
	}
	return s.Owner()
}

// NextProof is the kind of proof that Confirm needs to give a session more access.
type NextProof string

// The proofs that Confirm asks for.
const (
	NoProof    NextProof = ""
	CodeProof  NextProof = "code"  // the code that SendOwnCode sends for ForSession
	OwnerProof NextProof = "owner" // the payment password or a confirmed identity
)

// NextProof returns the proof that gives the session more access.
func (s Session) NextProof() NextProof {
	switch {
	case s.Access == FullAccess:
		return NoProof
	case s.Method == ByLink:
		return CodeProof
	}
	return OwnerProof
}

// ShowsCodes reports whether the session may see the codes that a purchase delivered. limited is set if the purchase
// was made with limited access; bought is its time.
func (s Session) ShowsCodes(limited bool, bought time.Time) bool {
	since := s.UnprovenSince
	if since.IsZero() { // the account is not limited any more: the owner was confirmed in another session
		since = s.Created
	}
	return s.Access != LimitedAccess || limited && !bought.Before(since)
}

// Confirm gives a session more access after checking its NextProof, and returns the access that it has then. It returns
// ErrCodeRequired, ErrReauthRequired, and the errors of codes, passwords and proofs. For a session with full access it
// checks nothing.
func (s *Security) Confirm(ctx context.Context, token string, r Reauth) (Access, error) {
	session, err := s.Session(ctx, token)
	if err != nil {
		return "", err
	}
	c := Confirmation{Hash: hashToken(token), UserID: session.ID}
	switch session.NextProof() {
	case NoProof:
		return FullAccess, nil
	case CodeProof:
		if r.Code == "" {
			return "", ErrCodeRequired
		}
		entered := EnteredCode{Phone: session.Phone, Code: r.Code, userID: session.ID}
		if err := s.codes.use(ctx, entered, ForSession); err != nil {
			return "", err
		}
		c.Event = s.journal.NewEvent(ctx, SessionConfirmed, session.User, "code")
		if session.Access == LinkAccess {
			c.ProvenAt = s.now()
		}
	case OwnerProof:
		by := "password"
		if r.Password != "" {
			err = s.passwords.verifyByHolder(ctx, session.ID, r.Password)
		} else {
			by, err = "wechat", s.proveIdentity(ctx, session.User, r)
		}
		if err != nil {
			return "", err
		}
		c.Event = s.journal.NewEvent(ctx, SessionConfirmed, session.User, by)
		// The phone was proven when the session was opened; since then the number may have been given to another
		// person.
		c.ProvenAt = session.Created
	}
	if err := s.store.ConfirmSession(ctx, c); err != nil {
		return "", fmt.Errorf("confirm the session: %w", err)
	}
	s.journal.Log(ctx, c.Event)
	session, err = s.Session(ctx, token)
	return session.Access, err
}

// Confirmation records a proof that was given in a session.
type Confirmation struct {
	Hash     []byte // of the session's token; nil if an operator confirms the account
	UserID   int64
	ProvenAt time.Time // when the owner proved the phone, which ends limited access; zero if that is not known
	Event    Event
}

// ConfirmOwner ends the limited access to a dormant account for an operator who has identified the holder of its phone
// as the owner. It returns ErrPhoneMissing for an account without a phone.
func (s *Security) ConfirmOwner(ctx context.Context, u User, reason string) error {
	if u.Phone == "" {
		return ErrPhoneMissing
	}
	e := s.journal.NewEvent(ctx, SessionConfirmed, u, reason)
	if err := s.store.ConfirmSession(ctx, Confirmation{UserID: u.ID, ProvenAt: s.now(), Event: e}); err != nil {
		return fmt.Errorf("confirm the owner: %w", err)
	}
	s.journal.Log(ctx, e)
	return nil
}

// LinkLogin opens a session with LinkAccess for the buyer of a session token that was in the address of a page. Until
// Confirm turns the new session into one by code, it ends when the session of the token ends. LinkLogin returns
// ErrLinkToken unless the token is live.
func (s *Service) LinkLogin(ctx context.Context, token string) (Login, error) {
	from, err := s.Session(ctx, token)
	if errors.Is(err, ErrLoginRequired) {
		return Login{}, ErrLinkToken
	}
	if err != nil {
		return Login{}, err
	}
	login, err := s.openSession(ctx, from.User, NewSession{
		Method: ByLink, OpenedBy: from.Hash, Expires: from.Expires, Limited: from.Access == LimitedAccess,
	}, LoggedInByLink)
	if errors.Is(err, ErrLoginRequired) {
		return Login{}, ErrLinkToken // the session of the token has just ended
	}
	login.Phone = from.Phone
	return login, err
}
