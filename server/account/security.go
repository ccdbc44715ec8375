package account

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"marquee/server/fault"
)

// SecurityStore changes the phone, the identities and the sessions of an account. Each call is one transaction that
// also records the event. The calls that end all sessions but one also delete the known devices of the buyer, so that
// DeviceLogin is impossible on them.
type SecurityStore interface {
	// UserWithPhone returns ErrLoginRequired if no account has the phone.
	UserWithPhone(ctx context.Context, phone string) (User, error)
	// SetPhone gives the account a phone, ends its sessions except the one with the token hash keep, and removes the
	// identities that are not confirmed. If a dormant account has the phone, that account loses it. SetPhone returns
	// ErrPhoneTaken if another account has the phone.
	SetPhone(ctx context.Context, userID int64, phone string, keep []byte, e Event) error
	// ReleasePhone removes the phone from the account, so that the next owner of the number gets a new account, and
	// ends the sessions except the one with the token hash keep. If keep is not nil, the buyer has entered a code: its
	// time is saved as that of the last proof, and the identities that are not confirmed are removed. It returns
	// ErrPhoneMissing if the account does not have the phone.
	ReleasePhone(ctx context.Context, userID int64, phone string, keep []byte, e Event) error
	// UnbindIdentities removes an identity of the account, or all if openID is "", and ends its sessions except the one
	// with the token hash keep. It returns ErrIdentityUnbound if there is none.
	UnbindIdentities(ctx context.Context, userID int64, openID string, keep []byte, e Event) error
	// Sessions lists the sessions that have not ended, the latest used first.
	Sessions(ctx context.Context, userID int64, now time.Time) ([]LiveSession, error)
	// EndSession ends a session of the buyer and those that it opened by links, and makes DeviceLogin impossible on all
	// devices of the buyer. It returns ErrSessionUnknown if the buyer has no session with the token hash.
	EndSession(ctx context.Context, userID int64, hash []byte, e Event) error
	// EndSessions ends all sessions of the buyer except the one with the token hash keep and those from whose links it
	// was opened, makes DeviceLogin impossible on all devices, and removes the identities that are not confirmed.
	EndSessions(ctx context.Context, userID int64, keep []byte, e Event) error
	// ConfirmSession turns the session with c.Hash into one by code. Without a hash it ends the limited access of all
	// sessions of the buyer. If c.ProvenAt is set, ConfirmSession saves it as the time when the owner proved the phone,
	// and ends the limited access of the session. It returns ErrLoginRequired if the session or the account has ended.
	ConfirmSession(ctx context.Context, c Confirmation) error
}

// SecurityConfig is what a Security needs.
type SecurityConfig struct {
	Service   *Service
	Store     SecurityStore
	Passwords *Passwords
}

// Security changes and removes the phone and the identity of an account. Every change requires a proof in addition to
// the session, because a person who finds a lost phone may also have its session.
type Security struct {
	*Service
	store     SecurityStore
	passwords *Passwords
}

// NewSecurity makes a Security.
func NewSecurity(c SecurityConfig) *Security {
	return &Security{Service: c.Service, store: c.Store, passwords: c.Passwords}
}

// SendOwnCode sends a code for the purpose to the phone of the account. It returns ErrPhoneMissing without a phone, and
// the errors of SendLoginCode.
func (s *Security) SendOwnCode(ctx context.Context, userID int64, purpose Purpose, from Origin) error {
	phone, err := s.phone(ctx, userID)
	if err != nil {
		return err
	}
	return s.codes.send(ctx, phone, from.ofOwner(userID), purpose)
}

// SendNewPhoneCode sends a code to the phone that will replace the one of the account. It returns the errors of
// SendLoginCode.
func (s *Security) SendNewPhoneCode(ctx context.Context, userID int64, phone string, from Origin) error {
	from.userID = userID
	return s.codes.send(ctx, phone, from, ForNewPhone)
}

// Reauth is what a buyer presents, in addition to the session, to prove to be the owner of the account: the code sent
// to the account's phone, or, for an account without a phone, its identity in the messaging app.
type Reauth struct {
	Code     string // sent to the account's phone
	Identity Proof  // from FinishOAuth; the zero value without one
	Password string // the payment password, if the phone is lost
}

// Reauthenticate checks the proof of the buyer and uses it up. It returns ErrCodeRequired or ErrReauthRequired if the
// proof is missing, and the errors of codes and of proofs.
func (s *Security) Reauthenticate(ctx context.Context, u User, purpose Purpose, r Reauth) error {
	if u.Phone != "" {
		if r.Code == "" {
			return ErrCodeRequired
		}
		return s.codes.use(ctx, EnteredCode{Phone: u.Phone, Code: r.Code, userID: u.ID}, purpose)
	}
	return s.proveIdentity(ctx, u, r)
}

// proveIdentity checks that the proof is of a confirmed identity of the account, and uses it up. It returns
// ErrIdentityMismatch for an identity that the account does not have, ErrIdentityUnconfirmed for one that is not
// confirmed, and ErrOpenIDInvalid, ErrOpenIDUnproven and ErrProofBrowser for a proof that is not valid.
func (s *Security) proveIdentity(ctx context.Context, u User, r Reauth) error {
	if r.Identity.Subject == "" || r.Identity.Token == "" {
		return ErrReauthRequired
	}
	if err := s.checkProof(ctx, r.Identity); err != nil {
		return err
	}
	bound, err := s.identities.Identities(ctx, u.ID)
	if err != nil {
		return fmt.Errorf("list the account's identities: %w", err)
	}
	own := slices.IndexFunc(bound, func(b BoundIdentity) bool { return b.OpenID == r.Identity.Subject })
	switch {
	case own < 0:
		return ErrIdentityMismatch
	case !bound[own].Confirmed:
		return ErrIdentityUnconfirmed
	}
	return s.useProof(ctx, r.Identity)
}

// ChangePhone is a request to give an account a new phone, with the code that was sent to that phone.
type ChangePhone struct {
	Phone, Code string // the new phone, 11 digits, and the code sent to it
	Reauth      Reauth // the proof that the buyer owns the account
}

// ChangePhone gives the account another phone, or its first one. For an account with a phone, the proof is the code
// sent to the present phone or, if that phone is lost, payment password and identity together. For an account without a
// phone it is the identity. All other sessions and the unconfirmed identities end. ChangePhone returns ErrPhoneSame,
// ErrPhoneTaken, ErrReauthRequired and the errors of codes, passwords and proofs.
func (s *Security) ChangePhone(ctx context.Context, u User, token string, c ChangePhone) error {
	if !phoneShape.MatchString(c.Phone) {
		return ErrPhoneInvalid
	}
	if c.Phone == u.Phone {
		return ErrPhoneSame
	}
	// Check the new phone's code first, without using it up: a wrong code must not use up the other proofs, and a wrong
	// proof must not use up the code.
	entered := EnteredCode{Phone: c.Phone, Code: c.Code, userID: u.ID, keep: true}
	if err := s.codes.use(ctx, entered, ForNewPhone); err != nil {
		return fault.InField(err, "newcode")
	}
	// A phone that is taken must not use up code and proofs either. This check comes after that of the code, so that
	// only the holder of the phone learns that it is taken.
	if err := s.phoneFree(ctx, c.Phone); err != nil {
		return err
	}
	if err := s.proveOwner(ctx, u, c.Reauth); err != nil {
		return err
	}
	entered.keep = false
	if err := s.codes.use(ctx, entered, ForNewPhone); err != nil {
		return fault.InField(err, "newcode")
	}
	e := s.journal.event(ctx, PhoneChanged, u.ID)
	e.Phone = c.Phone
	if err := s.store.SetPhone(ctx, u.ID, c.Phone, hashToken(token), e); err != nil {
		return fmt.Errorf("set the phone: %w", err)
	}
	s.journal.Log(ctx, e)
	return nil
}

// phoneFree returns ErrPhoneTaken if an account that is not dormant has the phone. SetPhone checks it again in its
// transaction.
func (s *Security) phoneFree(ctx context.Context, phone string) error {
	owner, err := s.store.UserWithPhone(ctx, phone)
	switch {
	case errors.Is(err, ErrLoginRequired):
		return nil
	case err != nil:
		return fmt.Errorf("find the owner of the phone: %w", err)
	case !owner.Dormant(s.now()):
		return ErrPhoneTaken
	}
	return nil
}

func (s *Security) proveOwner(ctx context.Context, u User, r Reauth) error {
	switch {
	case u.Phone != "" && r.Code != "":
		return s.codes.use(ctx, EnteredCode{Phone: u.Phone, Code: r.Code, userID: u.ID}, ForSecurity)
	case u.Phone != "":
		if r.Password == "" {
			return ErrReauthRequired
		}
		if err := s.passwords.VerifyPaymentPassword(ctx, u.ID, r.Password); err != nil {
			return err
		}
	}
	return s.proveIdentity(ctx, u, r)
}

// UnbindPhone removes the phone from the account after checking the code that was sent to it. The account must have a
// confirmed identity, because there would be no other way to log in; identities that are not confirmed are removed. The
// next login with the number creates a new account. All other sessions end. UnbindPhone returns ErrPhoneMissing,
// ErrIdentityMissing, ErrIdentityUnconfirmed and the errors of codes.
func (s *Security) UnbindPhone(ctx context.Context, u User, token, code string) error {
	if u.Phone == "" {
		return ErrPhoneMissing
	}
	bound, err := s.identities.Identities(ctx, u.ID)
	switch {
	case err != nil:
		return fmt.Errorf("list the account's identities: %w", err)
	case len(bound) == 0:
		return ErrIdentityMissing
	case !slices.ContainsFunc(bound, func(b BoundIdentity) bool { return b.Confirmed }):
		return ErrIdentityUnconfirmed
	}
	if err := s.codes.use(ctx, EnteredCode{Phone: u.Phone, Code: code, userID: u.ID}, ForSecurity); err != nil {
		return err
	}
	return s.release(ctx, u, hashToken(token), "")
}

func (s *Security) release(ctx context.Context, u User, keep []byte, reason string) error {
	e := s.journal.NewEvent(ctx, PhoneUnbound, u, reason)
	if err := s.store.ReleasePhone(ctx, u.ID, u.Phone, keep, e); err != nil {
		return fmt.Errorf("release the phone: %w", err)
	}
	s.journal.Log(ctx, e)
	return nil
}

// UnbindIdentity removes an identity, or all if openID is "", after checking the code that was sent to the phone. All
// other sessions end. It returns ErrPhoneMissing for an account without a phone, because there would be no other way to
// log in, ErrIdentityUnbound without an identity, which uses up no code, and the errors of codes.
func (s *Security) UnbindIdentity(ctx context.Context, u User, token, code, openID string) error {
	if u.Phone == "" {
		return ErrPhoneMissing
	}
	bound, err := s.identities.Identities(ctx, u.ID)
	if err != nil {
		return fmt.Errorf("list the account's identities: %w", err)
	}
	if !slices.ContainsFunc(bound, func(b BoundIdentity) bool { return openID == "" || openID == b.OpenID }) {
		return ErrIdentityUnbound
	}
	if err := s.codes.use(ctx, EnteredCode{Phone: u.Phone, Code: code, userID: u.ID}, ForSecurity); err != nil {
		return err
	}
	e := s.journal.event(ctx, IdentityUnbound, u.ID)
	if err := s.store.UnbindIdentities(ctx, u.ID, openID, hashToken(token), e); err != nil {
		return fmt.Errorf("unbind the identities: %w", err)
	}
	s.journal.Log(ctx, e)
	return nil
}

// AssignPhone gives the account a phone for an operator who has identified the buyer. All sessions end. It returns
// ErrPhoneInvalid and ErrPhoneTaken.
func (s *Security) AssignPhone(ctx context.Context, u User, phone, reason string) error {
	if !phoneShape.MatchString(phone) {
		return ErrPhoneInvalid
	}
	e := s.journal.event(ctx, PhoneChanged, u.ID)
	e.Phone, e.Detail = phone, reason
	if err := s.store.SetPhone(ctx, u.ID, phone, nil, e); err != nil {
		return fmt.Errorf("set the phone: %w", err)
	}
	s.journal.Log(ctx, e)
	return nil
}

// ReleasePhone removes the phone from the account for an operator, because the number has a new owner. All sessions
// end. It returns ErrPhoneMissing.
func (s *Security) ReleasePhone(ctx context.Context, u User, reason string) error {
	return s.release(ctx, u, nil, reason)
}
