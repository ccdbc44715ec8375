package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/order"
)

// passwordUser is a buyer with a payment password who tries it.
type passwordUser struct {
	*testing.T
	stores AccountStores
	id     int64
}

func newPasswordUser(t *testing.T, s AccountStores) passwordUser {
	t.Helper()
	u, err := s.EnsureUser(t.Context(), "1", noon)
	require.NoError(t, err)
	p := passwordUser{t, s, u.ID}
	p.setPassword()
	return p
}

func (p passwordUser) setPassword() {
	p.Helper()
	require.NoError(p, p.stores.Passwords.SetPassword(p.Context(), p.id, "hash", account.Event{At: noon}))
}

// begin begins a try and returns its number.
func (p passwordUser) begin(at time.Time) int64 {
	p.Helper()
	hash, number, err := p.stores.Passwords.BeginTry(p.Context(), p.id, account.PasswordWeekTries, at)
	require.NoError(p, err)
	require.Equal(p, "hash", hash)
	return number
}

// rejected returns the error with which a try cannot begin.
func (p passwordUser) rejected(at time.Time) error {
	_, _, err := p.stores.Passwords.BeginTry(p.Context(), p.id, account.PasswordWeekTries, at)
	return err
}

// try makes a try that takes a second, and returns how many wrong ones are counted afterwards.
func (p passwordUser) try(right bool, at time.Time) int {
	p.Helper()
	left, _, err := p.stores.Passwords.EndTry(p.Context(), p.id, p.begin(at), right, at.Add(time.Second))
	require.NoError(p, err)
	return account.PasswordTries - left
}

// endInPayment ends a try as right in the transaction of a payment, which then ends with an error or nil.
func (p passwordUser) endInPayment(number int64, then error) error {
	return p.stores.Orders.Update(p.Context(), func(tx order.Tx) error {
		if err := tx.PasswordTries.EndCorrect(p.id, number); err != nil {
			return err
		}
		return then
	})
}

// passwordTries tests that a try of the payment password is counted before the password is compared, and that after
// PasswordTries the password is locked for durations.PasswordLock.
func passwordTries(t *testing.T, s AccountStores) {
	u, err := s.EnsureUser(t.Context(), "1", noon)
	require.NoError(t, err)
	_, _, err = s.Passwords.BeginTry(t.Context(), u.ID, account.PasswordWeekTries, noon)
	require.ErrorIs(t, err, account.ErrPasswordMissing)
	_, _, err = s.Passwords.BeginTry(t.Context(), u.ID+1, account.PasswordWeekTries, noon)
	require.ErrorIs(t, err, account.ErrLoginRequired)

	p := newPasswordUser(t, s)
	require.NoError(t, s.Passwords.AbandonTry(t.Context(), p.id, p.begin(noon)))
	require.Equal(t, 1, p.try(false, noon.Add(durations.PasswordTry)), "an abandoned try does not count")
	require.Equal(t, 0, p.try(true, noon))
	require.Equal(t, 1, p.try(false, noon))
	require.Equal(t, 2, p.try(false, noon))
	require.Equal(t, 0, p.try(true, noon), "a right one resets the count")
	for i := range account.PasswordTries {
		require.Equal(t, i+1, p.try(false, noon))
	}
	end := noon.Add(time.Second).Add(durations.PasswordLock)
	require.ErrorIs(t, p.rejected(end.Add(-time.Second)), account.ErrPasswordLocked)
	require.Equal(t, 1, p.try(false, end), "the lock has ended")
}

// unendedTries tests that a try in progress counts as wrong once it has taken durations.PasswordTry, and that a new
// password resets the count.
func unendedTries(t *testing.T, s AccountStores) {
	p := newPasswordUser(t, s)
	require.Equal(t, 1, p.try(false, noon))
	at := noon.Add(time.Minute)
	begun := countSuccesses(account.PasswordTries+4, func() error { return p.rejected(at) })
	require.Equal(t, account.PasswordTries-1, begun, "one wrong try and four in progress")
	busy := p.rejected(at)
	require.ErrorIs(t, busy, account.ErrPasswordBusy)
	require.Positive(t, fault.Of(busy).RetryAfter)
	require.ErrorIs(t, p.rejected(at.Add(durations.PasswordTry)), account.ErrPasswordLocked, "their server has died")

	at = at.Add(durations.PasswordTry).Add(durations.PasswordLock)
	old := p.begin(at)
	p.setPassword()
	_, _, err := s.Passwords.EndTry(t.Context(), p.id, old, true, at)
	require.ErrorIs(t, err, account.ErrPasswordBusy, "a try of the password before")
	late := p.begin(at)
	require.Equal(t, 2, p.try(false, at.Add(durations.PasswordTry)), "the late one counts as wrong")
	_, _, err = s.Passwords.EndTry(t.Context(), p.id, late, true, at.Add(durations.PasswordTry))
	require.ErrorIs(t, err, account.ErrPasswordBusy, "and once")
	p.setPassword()
	require.Equal(t, 1, p.try(false, at), "a new password resets the count")
}

// rightTries tests tries that end as right, in the transaction of a payment and in a separate one.
func rightTries(t *testing.T, s AccountStores) {
	p := newPasswordUser(t, s)
	at := noon
	require.Equal(t, 1, p.try(false, at))
	paying := p.begin(at)
	rejected := errors.New("rejected")
	require.ErrorIs(t, p.endInPayment(paying, rejected), rejected)
	require.ErrorIs(t, p.endInPayment(paying+1, nil), account.ErrPasswordBusy)
	require.NoError(t, p.endInPayment(paying, nil))
	require.ErrorIs(t, p.endInPayment(paying, nil), account.ErrPasswordBusy, "it has ended")
	require.Equal(t, 1, p.try(false, at), "a right one resets the count, in the transaction of a payment too")

	// Servers die while they compare passwords of a buyer who pays in between.
	paid := func(at time.Time) { require.Equal(t, 0, p.try(true, at)) }
	paidInTransaction := func(at time.Time) { require.NoError(t, p.endInPayment(p.begin(at), nil)) }
	for _, pay := range []func(time.Time){paid, paidInTransaction} {
		for range 2 * account.PasswordTries {
			at = at.Add(durations.PasswordTryLost)
			p.begin(at.Add(-durations.PasswordTryLost))
			pay(at)
		}
		require.Equal(t, 1, p.try(false, at.Add(durations.PasswordTry)),
			"a right one ends those of servers that died")
		at = at.Add(durations.PasswordTry)
	}
	other := p.begin(at)
	paid(at.Add(durations.PasswordTryLost - time.Second))
	left, _, err := s.Passwords.EndTry(t.Context(), p.id, other, false, at)
	require.NoError(t, err)
	require.Equal(t, account.PasswordTries-1, left, "one in progress during a right one counts")
}

// passwordWeek tests that an account has PasswordWeekTries wrong tries in a week, even with right ones in between, and
// that setting a password ends the lock.
func passwordWeek(t *testing.T, s AccountStores) {
	p := newPasswordUser(t, s)
	at := noon
	for range account.PasswordWeekTries - 1 {
		p.try(false, at)
		p.try(true, at.Add(time.Minute)) // a right one resets the other count only
		at = at.Add(time.Hour)
	}
	number := p.begin(at)
	require.ErrorIs(t, p.rejected(at), account.ErrPasswordBusy, "the last one of the week is in progress")
	left, until, err := s.Passwords.EndTry(t.Context(), p.id, number, false, at)
	require.NoError(t, err)
	require.Zero(t, left)
	end := noon.Add(time.Second).Add(durations.PasswordWeek)
	require.True(t, until.Equal(end), "%s", until)
	for _, locked := range []time.Time{at, at.Add(durations.PasswordLock), end.Add(-time.Second)} {
		rejected := p.rejected(locked)
		require.ErrorIs(t, rejected, account.ErrPasswordLocked, "%s", locked)
		require.Equal(t, end.Sub(locked), fault.Of(rejected).RetryAfter)
	}
	require.Equal(t, 2, p.try(false, end), "the week has ended, and the other count goes on")

	for range account.PasswordWeekTries - 2 {
		require.NoError(t, p.endInPayment(p.begin(end), nil))
		p.try(false, end)
	}
	require.NoError(t, p.endInPayment(p.begin(end), nil))
	p.try(false, end)
	require.ErrorIs(t, p.rejected(end), account.ErrPasswordLocked, "a payment resets the other count only")
	p.setPassword()
	require.Equal(t, 1, p.try(false, end), "another password")
}

// holderTries tests that a buyer who may not be the owner has fewer wrong tries in a week, also in parallel, and does
// not lock the owner.
func holderTries(t *testing.T, s AccountStores) {
	const tries = 2
	p := newPasswordUser(t, s)
	begin := func(at time.Time) error {
		_, _, err := s.Passwords.BeginTry(t.Context(), p.id, tries, at)
		return err
	}
	p.try(false, noon)
	require.NoError(t, begin(noon))
	require.ErrorIs(t, begin(noon), account.ErrPasswordBusy, "the last one is in progress")
	at := noon.Add(durations.PasswordTry)
	locked := begin(at) // the one in progress now counts as wrong
	require.ErrorIs(t, locked, account.ErrPasswordLocked)
	end := noon.Add(time.Second).Add(durations.PasswordWeek)
	require.Equal(t, end.Sub(at), fault.Of(locked).RetryAfter)
	p.try(true, at)
	require.ErrorIs(t, begin(at), account.ErrPasswordLocked, "a right one of the owner gives the other no more")
	require.ErrorIs(t, begin(end.Add(-time.Second)), account.ErrPasswordLocked)
	require.NoError(t, begin(end))
}
