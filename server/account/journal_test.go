package account_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/durations"
)

// kinds lists the kinds of the account's events, the oldest first.
func (r *services) kinds(t *testing.T, userID int64) (kinds []account.EventKind) {
	t.Helper()
	found, err := r.Events(t.Context(), account.EventFilter{UserID: userID})
	require.NoError(t, err)
	for _, e := range found {
		kinds = append([]account.EventKind{e.Kind}, kinds...)
	}
	return kinds
}

func TestJournal_RecordsLoginsRejectionsAndChangesWithoutSecrets(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	ctx := account.WithClient(t.Context(), "192.0.2.7", "")
	require.NoError(t, r.SendLoginCode(ctx, alice, home))
	code := r.code(alice)
	for range account.CodeTries + 1 {
		_, err := r.Login(ctx, account.EnteredCode{Phone: alice, Code: wrong(code)})
		require.Error(t, err)
	}
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendLoginCode(ctx, alice, home))
	l, err := r.Login(ctx, account.EnteredCode{Phone: alice, Code: r.code(alice)})
	require.NoError(t, err)
	for range 2 {
		r.clock.Advance(time.Minute)
		require.NoError(t, r.SendPasswordCode(ctx, l.UserID, home))
		require.NoError(t, r.SetPaymentPassword(ctx, l.UserID, r.code(alice), right))
	}
	for range account.PasswordTries {
		require.Error(t, r.VerifyPaymentPassword(ctx, l.UserID, mistyped))
	}
	id, err := r.identify(t, "code-a", l.Token)
	require.NoError(t, err)
	require.True(t, id.Bound)
	require.NoError(t, r.Logout(ctx, l.Token, ""))
	require.NoError(t, r.Logout(ctx, l.Token, ""))

	require.Equal(t, []account.EventKind{
		account.LoggedInByCode, account.PasswordSet, account.PasswordChanged, account.PasswordRejected,
		account.PasswordRejected, account.PasswordRejected, account.PasswordRejected, account.PasswordLocked,
		account.IdentityBound, account.LoggedOut,
	}, r.kinds(t, l.UserID))
	rejected, err := r.Events(ctx, account.EventFilter{Kind: account.CodeRejected})
	require.NoError(t, err)
	require.Empty(t, rejected, "no account had the phone at that time")

	for _, secret := range []string{code, r.code(alice), right, mistyped, l.Token, id.OpenID, id.Proof, alice} {
		require.NotContains(t, r.log.String(), secret)
	}
	require.Equal(t, strings.Count(r.log.String(), "account event"), 10+account.CodeTries+1, "one line for each event")
	require.Contains(t, r.log.String(), `"kind":"password_locked","account":1,"phone":"","address":"192.0.2.7"`)
}

func TestJournal_NamesTheAccountOfThePhoneOfARejectedCode(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	ctx := account.WithClient(t.Context(), "192.0.2.7", "")
	l := r.login(t, alice)
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendLoginCode(ctx, alice, home))
	for range account.CodeTries + 1 {
		_, err := r.Login(ctx, account.EnteredCode{Phone: alice, Code: wrong(r.code(alice))})
		require.Error(t, err)
	}
	rejected, err := r.Events(ctx, account.EventFilter{Kind: account.CodeRejected})
	require.NoError(t, err)
	require.Len(t, rejected, account.CodeTries)
	locked, err := r.Events(ctx, account.EventFilter{Kind: account.CodeLocked})
	require.NoError(t, err)
	require.Len(t, locked, 1)
	require.Equal(t, account.Event{
		At: locked[0].At, Kind: account.CodeLocked, UserID: l.UserID, Phone: "138****0001", Address: "192.0.2.7",
		Actor: "buyer", Detail: "login",
	}, locked[0])
}

// Any client can enter codes for any phone. The owner's journal has none of these attempts unless a code was sent, and
// at most a few within an hour.
func TestJournal_StrangersDoNotFillIt(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l := r.login(t, alice)
	enter := func() {
		_, err := r.Login(t.Context(), account.EnteredCode{Phone: alice, Code: "135790"})
		require.Error(t, err)
	}
	count := func(kind account.EventKind) int {
		found, err := r.Events(t.Context(), account.EventFilter{Kind: kind, UserID: l.UserID})
		require.NoError(t, err)
		return len(found)
	}
	before := strings.Count(r.log.String(), "account event")
	for range 50 {
		enter()
	}
	require.Zero(t, count(account.CodeRejected), "no code was sent since the login")
	require.Equal(t, before, strings.Count(r.log.String(), "account event"))
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
	for range 50 {
		enter()
	}
	require.Equal(t, account.CodeTries, count(account.CodeRejected))
	require.Equal(t, account.MaxRejected, count(account.CodeLocked))
}

// The holder of a session can try any number of payment passwords while they are locked.
func TestJournal_ALockedPasswordDoesNotFillIt(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	user := r.withPassword(t, alice)
	for range account.PasswordTries + 50 {
		require.Error(t, r.VerifyPaymentPassword(t.Context(), user, "135799"))
	}
	count := func(kind account.EventKind) int {
		found, err := r.Events(t.Context(), account.EventFilter{Kind: kind, UserID: user})
		require.NoError(t, err)
		return len(found)
	}
	require.Equal(t, account.PasswordTries-1, count(account.PasswordRejected))
	require.Equal(t, account.MaxRejected, count(account.PasswordLocked))
}

func TestJournal_NamesTheOperator(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l := r.login(t, alice)
	require.NoError(t, r.Logout(account.WithOperator(context.Background(), "admin:li"), l.Token, ""))
	found, err := r.Events(t.Context(), account.EventFilter{Kind: account.LoggedOut})
	require.NoError(t, err)
	require.Len(t, found, 1)
	require.Equal(t, "admin:li", found[0].Actor)
	require.Equal(t, l.UserID, found[0].UserID)
}

func TestJournal_IsKeptForSixMonths(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	purge := func() {
		_, _, err := r.store.PurgeAccounts(t.Context(), r.clock.Now(), 100)
		require.NoError(t, err)
	}
	l := r.login(t, alice)
	r.clock.Advance(durations.KeepEvents - time.Hour)
	r.login(t, bob)
	purge()
	require.Len(t, r.kinds(t, l.UserID), 1)
	r.clock.Advance(2 * time.Hour)
	purge()
	require.Len(t, r.kinds(t, l.UserID), 1, "kept until there is a younger event that is old enough")
	r.login(t, bob)
	purge()
	require.Empty(t, r.kinds(t, l.UserID))
}
