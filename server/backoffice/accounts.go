package backoffice

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"marquee/server/account"
	"marquee/server/audit"
	"marquee/server/input"
	"marquee/server/money"
	"marquee/server/personal"
)

// AccountDirectory finds accounts for operators.
type AccountDirectory interface {
	// User returns account.ErrLoginRequired if there is no such account or it is closed.
	User(ctx context.Context, id int64) (account.User, error)
	// UserWithPhone returns account.ErrLoginRequired if no account has the phone.
	UserWithPhone(ctx context.Context, phone string) (account.User, error)
}

// PhoneKeeper assigns and releases the phone of an account without an SMS code.
type PhoneKeeper interface {
	// AssignPhone gives the account a phone, and ends all its sessions. It returns account.ErrPhoneInvalid or
	// account.ErrPhoneTaken.
	AssignPhone(ctx context.Context, u account.User, phone, reason string) error
	// ReleasePhone removes the phone from the account, and ends all its sessions. It returns account.ErrPhoneMissing if
	// the account has none.
	ReleasePhone(ctx context.Context, u account.User, reason string) error
	// ConfirmOwner ends the limited access to a dormant account (account.LimitedAccess). It returns
	// account.ErrPhoneMissing for an account without a phone.
	ConfirmOwner(ctx context.Context, u account.User, reason string) error
}

// AccountRequests closes accounts for buyers who ask for it by letter or through customer service.
type AccountRequests interface {
	// Preview returns what closing the account would mean now, and changes nothing.
	Preview(ctx context.Context, userID int64) (personal.Closing, error)
	// CloseOnRequest closes the account for good. points must be exactly the number of points on its cards. It returns
	// personal.ErrOrdersUnfinished or personal.ErrPointsUnconfirmed.
	CloseOnRequest(ctx context.Context, u account.User, points money.Points, reason string) error
}

// DataCopies makes copies of what the shop holds about a buyer.
type DataCopies interface {
	// ExportOnRequest returns the copy, and records in the journal that it was made, with the reason.
	ExportOnRequest(ctx context.Context, u account.User, reason string) (personal.Copy, error)
}

// AccountEvents lists the journal of accounts: logins, rejected attempts and changes.
type AccountEvents interface {
	// Events lists the events that the filter selects, the latest first.
	Events(ctx context.Context, f account.EventFilter) ([]account.Event, error)
}

// Accounts acts on accounts whose buyers the operator has identified. Every change is recorded in the journal with the
// name of the operator and the reason.
type Accounts struct {
	directory AccountDirectory
	phones    PhoneKeeper
	requests  AccountRequests
	copies    DataCopies
	journal   AccountEvents
	actor     string
}

// findFor checks the reason of a change and finds the account. It returns the errors of audit.CheckReason.
func (a *Accounts) findFor(ctx context.Context, ref, reason string) (account.User, error) {
	if err := audit.CheckReason(reason); err != nil {
		return account.User{}, err
	}
	return a.find(ctx, ref)
}

// find finds an account. ref is a phone, or "#" and the id, such as "#17".
func (a *Accounts) find(ctx context.Context, ref string) (account.User, error) {
	id, byID := strings.CutPrefix(ref, "#")
	if !byID {
		u, err := a.directory.UserWithPhone(ctx, input.Phone.Read(ref))
		if errors.Is(err, account.ErrLoginRequired) {
			return u, fmt.Errorf("no account has the phone %s", ref)
		}
		return u, err
	}
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return account.User{}, fmt.Errorf("%s is not the id of an account", ref)
	}
	u, err := a.directory.User(ctx, n)
	if errors.Is(err, account.ErrLoginRequired) {
		return u, fmt.Errorf("no open account %s", ref)
	}
	return u, err
}

// Show returns the account and the consequences of closing it. ref is a phone, or "#" and the id.
func (a *Accounts) Show(ctx context.Context, ref string) (account.User, personal.Closing, error) {
	u, err := a.find(ctx, ref)
	if err != nil {
		return u, personal.Closing{}, err
	}
	closing, err := a.requests.Preview(ctx, u.ID)
	return u, closing, err
}

// Events lists the events of an account, the latest first, or of all accounts if ref is "".
func (a *Accounts) Events(ctx context.Context, ref string, most int) ([]account.Event, error) {
	f := account.EventFilter{Most: most}
	if ref != "" {
		var err error
		if f.UserID, err = a.idOf(ctx, ref); err != nil {
			return nil, err
		}
	}
	return a.journal.Events(ctx, f)
}

// idOf returns the id of an account. ref is a phone, or "#" and the id, which may be that of a closed account.
func (a *Accounts) idOf(ctx context.Context, ref string) (int64, error) {
	id, byID := strings.CutPrefix(ref, "#")
	if !byID {
		u, err := a.find(ctx, ref)
		return u.ID, err
	}
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s is not the id of an account", ref)
	}
	return n, nil
}

// Export returns the copy of a buyer's personal information.
func (a *Accounts) Export(ctx context.Context, ref, reason string) (personal.Copy, error) {
	u, err := a.findFor(ctx, ref, reason)
	if err != nil {
		return personal.Copy{}, err
	}
	return a.copies.ExportOnRequest(account.WithOperator(ctx, a.actor), u, reason)
}

// Close closes an account. points is the exact number of points that the buyer gives up, "0" for none. It returns
// personal.ErrOrdersUnfinished and personal.ErrPointsUnconfirmed.
func (a *Accounts) Close(ctx context.Context, ref, points, reason string) error {
	given, err := money.ParsePoints(points)
	if err != nil {
		return fmt.Errorf("the points: %w", err)
	}
	u, err := a.findFor(ctx, ref, reason)
	if err != nil {
		return err
	}
	return a.requests.CloseOnRequest(account.WithOperator(ctx, a.actor), u, given, reason)
}

// AssignPhone gives an account a phone. A dormant account that has the phone loses it. It returns account.ErrPhoneTaken
// if another account uses the phone.
func (a *Accounts) AssignPhone(ctx context.Context, ref, phone, reason string) error {
	u, err := a.findFor(ctx, ref, reason)
	if err != nil {
		return err
	}
	return a.phones.AssignPhone(account.WithOperator(ctx, a.actor), u, input.Phone.Read(phone), reason)
}

// ReleasePhone removes the phone from an account, so that the next login with it creates a new account.
func (a *Accounts) ReleasePhone(ctx context.Context, ref, reason string) error {
	u, err := a.findFor(ctx, ref, reason)
	if err != nil {
		return err
	}
	return a.phones.ReleasePhone(account.WithOperator(ctx, a.actor), u, reason)
}

// ConfirmOwner ends the limited access to a dormant account after the operator has found that its phone still belongs
// to the buyer.
func (a *Accounts) ConfirmOwner(ctx context.Context, ref, reason string) error {
	u, err := a.findFor(ctx, ref, reason)
	if err != nil {
		return err
	}
	return a.phones.ConfirmOwner(account.WithOperator(ctx, a.actor), u, reason)
}
