package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/durations"
	"marquee/server/fault"
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

// hash returns the error of reading the hash.
func (p passwordUser) hash(weekTries int, at time.Time) error {
	hash, err := p.stores.Passwords.PasswordHash(p.Context(), p.id, weekTries, at)
	if err == nil {
		require.Equal(p, "hash", hash)
	}
	return err
}

// count counts a try in a session of the owner, who may have account.PasswordWeekTries wrong tries in a week.
func (p passwordUser) count(right bool, at time.Time) (left int, until time.Time, err error) {
	try := account.Try{Hash: "hash", Right: right}
	return p.stores.Passwords.CountTry(p.Context(), p.id, try, account.PasswordWeekTries, at)
}

// try makes a try, and returns how many wrong tries are counted after it.
func (p passwordUser) try(right bool, at time.Time) int {
	p.Helper()
	require.NoError(p, p.hash(account.PasswordWeekTries, at))
	left, _, err := p.count(right, at)
	require.NoError(p, err)
	return account.PasswordTries - left
}

// requireLocked requires that PasswordHash does not return the hash, and that CountTry counts neither a right nor a
// wrong try.
func (p passwordUser) requireLocked(weekTries int, at, end time.Time) {
	p.Helper()
	errs := []error{p.hash(weekTries, at)}
	for _, right := range []bool{true, false} {
		_, _, err := p.stores.Passwords.CountTry(p.Context(), p.id, account.Try{Hash: "hash", Right: right}, weekTries, at)
		errs = append(errs, err)
	}
	for _, err := range errs {
		require.ErrorIs(p, err, account.ErrPasswordLocked)
		require.Equal(p, end.Sub(at), fault.Of(err).RetryAfter)
	}
}

// passwordTries tests that a right try resets the count of wrong ones, and that after PasswordTries the password is
// locked for durations.PasswordLock.
func passwordTries(t *testing.T, s AccountStores) {
	u, err := s.EnsureUser(t.Context(), "1", noon)
	require.NoError(t, err)
	for id, want := range map[int64]error{u.ID: account.ErrPasswordMissing, u.ID + 1: account.ErrLoginRequired} {
		_, err = s.Passwords.PasswordHash(t.Context(), id, account.PasswordWeekTries, noon)
		require.ErrorIs(t, err, want)
		_, _, err = s.Passwords.CountTry(t.Context(), id, account.Try{}, account.PasswordWeekTries, noon)
		require.ErrorIs(t, err, want)
	}

	p := newPasswordUser(t, s)
	require.Equal(t, 0, p.try(true, noon))
	require.Equal(t, 1, p.try(false, noon))
	require.Equal(t, 2, p.try(false, noon))
	require.Equal(t, 0, p.try(true, noon), "a right one resets the count")
	for i := range account.PasswordTries {
		require.Equal(t, i+1, p.try(false, noon))
	}
	end := noon.Add(durations.PasswordLock)
	p.requireLocked(account.PasswordWeekTries, noon, end)
	p.requireLocked(account.PasswordWeekTries, end.Add(-time.Second), end)
	require.Equal(t, 1, p.try(false, end), "the lock has ended")
	p.setPassword()
	require.Equal(t, 1, p.try(false, end), "a new password resets the count")
}

// replacedHash tests that a try is not counted if its hash is no longer stored.
func replacedHash(t *testing.T, s AccountStores) {
	p := newPasswordUser(t, s)
	require.Equal(t, 1, p.try(false, noon))
	for _, right := range []bool{true, false} {
		_, _, err := s.Passwords.CountTry(t.Context(), p.id, account.Try{Hash: "old", Right: right},
			account.PasswordWeekTries, noon)
		require.ErrorIs(t, err, account.ErrPasswordBusy)
		require.Positive(t, fault.Of(err).RetryAfter)
	}
	require.Equal(t, 2, p.try(false, noon))
}

// parallelTries tests that of any number of tries that are made in parallel, only those that are counted before the
// lock get an answer, whether they are right or wrong.
func parallelTries(t *testing.T, s AccountStores) {
	for _, right := range []bool{false, true} {
		p := newPasswordUser(t, s)
		answered := countSuccesses(4*account.PasswordTries, func() error {
			_, _, err := p.count(false, noon)
			return err
		})
		require.Equal(t, account.PasswordTries, answered)
		_, _, err := p.count(right, noon)
		require.ErrorIs(t, err, account.ErrPasswordLocked)
	}
	p := newPasswordUser(t, s)
	require.Equal(t, 40, countSuccesses(40, func() error {
		_, _, err := p.count(true, noon)
		return err
	}), "right ones do not lock")
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
	left, until, err := p.count(false, at)
	require.NoError(t, err)
	require.Zero(t, left)
	end := noon.Add(durations.PasswordWeek)
	require.True(t, until.Equal(end), "%s", until)
	for _, locked := range []time.Time{at, at.Add(durations.PasswordLock), end.Add(-time.Second)} {
		p.requireLocked(account.PasswordWeekTries, locked, end)
	}
	require.Equal(t, 2, p.try(false, end), "the week has ended, and the other count continues")
	p.setPassword()
	require.Equal(t, 1, p.try(false, end), "another password")
}

// holderTries tests that a session with limited access, whose holder may be another person than the owner, has fewer
// wrong tries in a week, also in parallel, and that its tries do not lock the password for the owner.
func holderTries(t *testing.T, s AccountStores) {
	const tries = 2
	p := newPasswordUser(t, s)
	answered := countSuccesses(10, func() error {
		_, _, err := s.Passwords.CountTry(t.Context(), p.id, account.Try{Hash: "hash"}, tries, noon)
		return err
	})
	require.Equal(t, tries, answered)
	end := noon.Add(durations.PasswordWeek)
	p.requireLocked(tries, noon, end)
	require.Equal(t, 0, p.try(true, noon))
	p.requireLocked(tries, noon, end) // a right try of the owner gives the holder no more tries
	p.requireLocked(tries, end.Add(-time.Second), end)
	require.NoError(t, p.hash(tries, end))
	p.try(false, end) // the owner's wrong tries also count against the holder, even after a right one
	p.try(true, end)
	left, until, err := s.Passwords.CountTry(t.Context(), p.id, account.Try{Hash: "hash"}, tries, end)
	require.NoError(t, err)
	require.Zero(t, left)
	require.True(t, until.IsZero(), "the password is not locked for the owner")
}
