package account

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// EventKind is the kind of an event of an account. The values are stored and are never renamed.
type EventKind string

// The kinds of events that the journal records.
const (
	LoggedInByCode   EventKind = "login_code"       // by SMS code
	LoggedInByApp    EventKind = "login_app"        // by the identity in the messaging app
	LoggedInByLink   EventKind = "login_link"       // by a session token in a link
	LoggedInByDevice EventKind = "login_device"     // by the stored openid on a known device
	LoggedOut        EventKind = "logout"           // one session
	CodeRejected     EventKind = "code_refused"     // a wrong or expired SMS code; the detail is its purpose
	CodeLocked       EventKind = "code_locked"      // a code after CodeTries wrong ones; the detail is its purpose
	PasswordSet      EventKind = "password_set"     // the first payment password
	PasswordChanged  EventKind = "password_changed" // a new payment password instead of the former one
	PasswordRejected EventKind = "password_refused" // a wrong payment password
	PasswordLocked   EventKind = "password_locked"  // a payment password entered during a lock, or the try that locks
	IdentityBound    EventKind = "identity_bound"   // an identity in the messaging app was bound without a code
	// IdentityConfirmed is an identity that was bound with a code, or one that was bound before and is confirmed now.
	IdentityConfirmed EventKind = "identity_confirmed"
	DeviceAdded       EventKind = "device_added"     // the buyer logged in on a device that the account did not know
	IdentityRejected  EventKind = "identity_refused" // an identity was not bound, because it belongs to another account
	IdentityUnbound   EventKind = "identity_unbound" // one identity, or all
	PhoneChanged      EventKind = "phone_changed"    // the account has another phone, or its first one
	PhoneUnbound      EventKind = "phone_unbound"    // by the buyer, by the next owner of the number or by an operator
	// SessionConfirmed is a further proof in a session (Security.Confirm): a code in a session by link, or, for limited
	// access, the payment password or the identity. The detail is the proof, or the reason of an operator.
	SessionConfirmed EventKind = "session_confirmed"
	DataExported     EventKind = "data_exported" // a copy of the personal information was made
	SessionEnded     EventKind = "session_ended" // one session was ended from another one
	// OtherSessionsEnded is the end of all sessions except the one in which the buyer requested it.
	OtherSessionsEnded EventKind = "other_sessions_ended"
	AccountClosed      EventKind = "account_closed"
)

// anyClient reports whether any client that knows the phone of the account can cause the event, without a session.
func (k EventKind) anyClient() bool { return k == CodeRejected || k == CodeLocked }

// Rejected reports whether the event is an attempt that changed nothing. A client can repeat such an attempt without
// limit, for some kinds without a session. The address of the event may be that of another person than the buyer.
func (k EventKind) Rejected() bool {
	return k.anyClient() || k == PasswordRejected || k == PasswordLocked || k == IdentityRejected
}

// MaxRejected is how many rejected attempts of a kind are saved for an account within an hour. They are kept for half
// a year, and must not hide the other events.
const MaxRejected = 10

// Event is an entry of the journal. It holds neither a code nor a password.
type Event struct {
	At      time.Time // business time
	Kind    EventKind
	UserID  int64  // 0: the event is about the account with the Phone
	Phone   string // that the client entered, if the account is not known; stored masked
	Address string // of the client, "" for an operator
	Actor   string // "buyer", or the operator as "admin:<name>"
	Detail  string // see the kinds; the reason of an operator's change
}

// EventFilter selects events. A zero field selects all.
type EventFilter struct {
	UserID int64
	Kind   EventKind
	Since  time.Time // inclusive, business time
	Most   int       // maximum number of events; 0 means 100
}

// EventStore keeps the journal. An event about a change is not saved with AddEvent, but by the store that makes the
// change, in the same transaction.
type EventStore interface {
	// AddEvent saves an event. An event without a UserID belongs to the account with the Phone. If there is no such
	// account, the event is not saved: any client can send a wrong code for any phone, and events cannot be deleted.
	AddEvent(ctx context.Context, e Event) error
	// Events lists events, the latest first.
	Events(ctx context.Context, f EventFilter) ([]Event, error)
}

// Journal records logins, rejected attempts and changes of accounts, in the store and as log lines.
type Journal struct {
	store  EventStore
	logger *slog.Logger
	now    func() time.Time // business time
}

// NewJournal makes a Journal.
func NewJournal(store EventStore, logger *slog.Logger, now func() time.Time) *Journal {
	return &Journal{store: store, logger: logger, now: now}
}

// Events lists events, the latest first.
func (j *Journal) Events(ctx context.Context, f EventFilter) ([]Event, error) {
	return j.store.Events(ctx, f)
}

// NewEvent returns an event about an account, at the present time, for a store that saves it together with the change.
func (j *Journal) NewEvent(ctx context.Context, kind EventKind, u User, detail string) Event {
	e := j.event(ctx, kind, u.ID)
	e.Phone, e.Detail = u.Phone, detail
	return e
}

// event returns an event at the present time, which the caller passes to the store together with the change.
func (j *Journal) event(ctx context.Context, kind EventKind, userID int64) Event {
	client := clientOf(ctx)
	return Event{At: j.now(), Kind: kind, UserID: userID, Address: client.address, Actor: client.actor}
}

// Log writes the log line of an event that was saved together with its change.
func (j *Journal) Log(ctx context.Context, e Event) {
	j.logger.InfoContext(ctx, "account event", "kind", string(e.Kind), "account", e.UserID, "phone", MaskPhone(e.Phone),
		"address", e.Address, "actor", e.Actor, "detail", e.Detail)
}

// Record saves and logs an event that is not about a change. If saving fails, this is logged and the request continues.
func (j *Journal) Record(ctx context.Context, e Event) {
	j.Log(ctx, e)
	if err := j.store.AddEvent(context.WithoutCancel(ctx), e); err != nil {
		j.logger.ErrorContext(ctx, "save account event failed", "kind", string(e.Kind), "account", e.UserID, "error", err)
	}
}

// recordRejectedCode records a wrong or locked code. Other results of a check are not recorded: a code for a phone to
// which none was sent is not an attack on its owner, and any client can enter as many of them as it likes.
func (j *Journal) recordRejectedCode(ctx context.Context, phone string, purpose Purpose, err error) {
	kind := CodeRejected
	switch {
	case errors.Is(err, ErrNoLiveCode):
		return
	case errors.Is(err, ErrCodeLocked):
		kind = CodeLocked
	case !errors.Is(err, ErrCodeWrong):
		return
	}
	e := j.event(ctx, kind, 0)
	e.Phone, e.Detail = phone, string(purpose)
	j.Record(ctx, e)
}

// recordRejectedPassword records a wrong or locked payment password. Other results of a check are not recorded.
func (j *Journal) recordRejectedPassword(ctx context.Context, userID int64, err error) {
	switch {
	case errors.Is(err, ErrPasswordLocked):
		j.Record(ctx, j.event(ctx, PasswordLocked, userID))
	case errors.Is(err, ErrPasswordWrong):
		j.Record(ctx, j.event(ctx, PasswordRejected, userID))
	}
}

// client describes the client of a request for the journal: its address, "buyer" or an operator, and its User-Agent.
type client struct{ address, actor, agent string }

type clientKey struct{}

// WithClient returns a context in which events get the address of a buyer's client. agent is its User-Agent.
func WithClient(ctx context.Context, address, agent string) context.Context {
	return context.WithValue(ctx, clientKey{}, client{address, "buyer", agent})
}

// WithOperator returns a context in which events get an operator as the actor, "admin:<name>".
func WithOperator(ctx context.Context, actor string) context.Context {
	return context.WithValue(ctx, clientKey{}, client{"", actor, ""})
}

func clientOf(ctx context.Context) client {
	if c, ok := ctx.Value(clientKey{}).(client); ok {
		return c
	}
	return client{"", "buyer", ""}
}

// MaskPhone hides the middle of a mainland mobile number, as in 138****0000. It returns "" for a text of another
// length.
func MaskPhone(phone string) string {
	if len(phone) != 11 {
		return ""
	}
	return phone[:3] + "****" + phone[7:]
}
