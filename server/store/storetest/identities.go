package storetest

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/order"
)

// identities tests that an identity of the messaging app belongs to one user (ErrIdentityTaken). A user may have
// several; OpenID returns the one that was bound last.
func identities(t *testing.T, s AccountStores) {
	ctx := t.Context()
	a, err := s.EnsureUser(ctx, "1", noon)
	require.NoError(t, err)
	b, err := s.EnsureUser(ctx, "2", noon)
	require.NoError(t, err)
	bind := func(openID string, u account.User, at time.Time) {
		t.Helper()
		_, err := s.BindIdentity(ctx, openID, u.ID, account.Event{At: at, Kind: account.IdentityBound, UserID: u.ID})
		require.NoError(t, err)
	}
	none, err := s.IdentityUser(ctx, "o1")
	require.NoError(t, err)
	require.Zero(t, none)
	bind("o1", a, noon)
	bind("o2", a, noon.Add(time.Second))
	_, err = s.BindIdentity(ctx, "o1", b.ID, account.Event{At: noon})
	require.ErrorIs(t, err, account.ErrIdentityTaken)
	owner, err := s.IdentityUser(ctx, "o1")
	require.NoError(t, err)
	require.Equal(t, a.ID, owner)
	latest, err := s.OpenID(ctx, a.ID)
	require.NoError(t, err)
	require.Equal(t, "o2", latest)
	bind("o1", a, noon.Add(time.Minute))
	latest, err = s.OpenID(ctx, a.ID)
	require.NoError(t, err)
	require.Equal(t, "o1", latest, "binding again makes it the latest")
	boundAt, err := s.IdentityBoundAt(ctx, "o1", a.ID)
	require.NoError(t, err)
	require.True(t, noon.Equal(boundAt), "binding again leaves the time of the first binding")
	_, err = s.IdentityBoundAt(ctx, "o1", b.ID)
	require.ErrorIs(t, err, account.ErrOpenIDUnproven)
	latest, err = s.OpenID(ctx, b.ID)
	require.NoError(t, err)
	require.Empty(t, latest)
}

// proofs tests that a proof of an identity is checked any number of times and used once, for its identity, before its
// end. Otherwise it is ErrOpenIDUnproven.
func proofs(t *testing.T, s AccountStores) {
	ctx := t.Context()
	require.NoError(t, s.AddProof(ctx, hashOf("p"), "o1", noon.Add(account.ProofLife)))
	for _, try := range []func([]byte, string, time.Time) error{
		func(h []byte, o string, at time.Time) error { return s.CheckProof(ctx, h, o, at) },
		func(h []byte, o string, at time.Time) error { return s.UseProof(ctx, h, o, at) },
	} {
		require.ErrorIs(t, try(hashOf("x"), "o1", noon), account.ErrOpenIDUnproven)
		require.ErrorIs(t, try(hashOf("p"), "o2", noon), account.ErrOpenIDUnproven)
		require.ErrorIs(t, try(hashOf("p"), "o1", noon.Add(account.ProofLife)), account.ErrOpenIDUnproven)
	}
	require.NoError(t, s.CheckProof(ctx, hashOf("p"), "o1", noon))
	require.Equal(t, 1, countSuccesses(8, func() error { return s.UseProof(ctx, hashOf("p"), "o1", noon) }))
	require.ErrorIs(t, s.CheckProof(ctx, hashOf("p"), "o1", noon), account.ErrOpenIDUnproven)
}

// passwordTries tests that a try of the payment password is counted before the password is compared. After
// PasswordTries the password is locked for PasswordLock. A new password resets the count.
func passwordTries(t *testing.T, s AccountStores) {
	ctx := t.Context()
	u, err := s.EnsureUser(ctx, "1", noon)
	require.NoError(t, err)
	begin := func(at time.Time) error {
		_, _, err := s.Passwords.BeginTry(ctx, u.ID, at)
		return err
	}
	require.ErrorIs(t, begin(noon), account.ErrPasswordMissing)
	_, _, err = s.Passwords.BeginTry(ctx, u.ID+1, noon)
	require.ErrorIs(t, err, account.ErrLoginRequired)
	require.NoError(t, s.Passwords.SetPassword(ctx, u.ID, "hash", account.Event{At: noon}))
	// try makes a try of a second, and returns how many wrong ones count afterwards.
	try := func(right bool, at time.Time) int {
		hash, id, err := s.Passwords.BeginTry(ctx, u.ID, at)
		require.NoError(t, err)
		require.Equal(t, "hash", hash)
		wrong, err := s.Passwords.EndTry(ctx, u.ID, id, right, at.Add(time.Second))
		require.NoError(t, err)
		return wrong
	}
	_, abandoned, err := s.Passwords.BeginTry(ctx, u.ID, noon)
	require.NoError(t, err)
	require.NoError(t, s.Passwords.AbandonTry(ctx, u.ID, abandoned))
	require.Equal(t, 1, try(false, noon.Add(account.PasswordTryLife)), "an abandoned try does not count")
	require.Equal(t, 0, try(true, noon))
	require.Equal(t, 1, try(false, noon))
	require.Equal(t, 2, try(false, noon))
	require.Equal(t, 0, try(true, noon), "a right one resets the count")
	for i := range account.PasswordTries {
		require.Equal(t, i+1, try(false, noon))
	}
	end := noon.Add(time.Second).Add(account.PasswordLock)
	require.ErrorIs(t, begin(end.Add(-time.Second)), account.ErrPasswordLocked)
	require.Equal(t, 1, try(false, end), "the lock has ended")

	at := end.Add(time.Minute)
	require.Equal(t, account.PasswordTries-1, countSuccesses(account.PasswordTries+4, func() error { return begin(at) }),
		"one wrong try and four in progress")
	busy := begin(at)
	require.ErrorIs(t, busy, account.ErrPasswordBusy)
	require.Positive(t, fault.Of(busy).RetryAfter)
	require.ErrorIs(t, begin(at.Add(account.PasswordTryLife)), account.ErrPasswordLocked, "their server has died")
	at = at.Add(account.PasswordTryLife).Add(account.PasswordLock)
	_, old, err := s.Passwords.BeginTry(ctx, u.ID, at)
	require.NoError(t, err)
	require.NoError(t, s.Passwords.SetPassword(ctx, u.ID, "hash", account.Event{At: noon}))
	_, err = s.Passwords.EndTry(ctx, u.ID, old, true, at)
	require.ErrorIs(t, err, account.ErrPasswordBusy, "a try of the password before")
	_, late, err := s.Passwords.BeginTry(ctx, u.ID, at)
	require.NoError(t, err)
	require.Equal(t, 2, try(false, at.Add(account.PasswordTryLife)), "the late one counts as wrong")
	_, err = s.Passwords.EndTry(ctx, u.ID, late, true, at.Add(account.PasswordTryLife))
	require.ErrorIs(t, err, account.ErrPasswordBusy, "and once")
	require.NoError(t, s.Passwords.SetPassword(ctx, u.ID, "hash", account.Event{At: noon}))
	require.Equal(t, 1, try(false, at), "a new password resets the count")

	_, paying, err := s.Passwords.BeginTry(ctx, u.ID, at)
	require.NoError(t, err)
	right := func(number int64, then error) error {
		return s.Orders.Update(ctx, func(tx order.Tx) error {
			if err := tx.PasswordTries.EndCorrect(u.ID, number); err != nil {
				return err
			}
			return then
		})
	}
	refused := errors.New("refused")
	require.ErrorIs(t, right(paying, refused), refused)
	require.ErrorIs(t, right(paying+1, nil), account.ErrPasswordBusy)
	require.NoError(t, right(paying, nil))
	require.ErrorIs(t, right(paying, nil), account.ErrPasswordBusy, "it has ended")
	require.Equal(t, 1, try(false, at), "a right one resets the count, in the transaction of a payment too")

	// Servers die while they compare passwords of a buyer who pays in between.
	paid := func(at time.Time) { require.Equal(t, 0, try(true, at)) }
	paidInTransaction := func(at time.Time) {
		_, id, err := s.Passwords.BeginTry(ctx, u.ID, at)
		require.NoError(t, err)
		require.NoError(t, right(id, nil))
	}
	for _, pay := range []func(time.Time){paid, paidInTransaction} {
		for range 2 * account.PasswordTries {
			at = at.Add(account.PasswordTryLost)
			require.NoError(t, begin(at.Add(-account.PasswordTryLost)))
			pay(at)
		}
		require.Equal(t, 1, try(false, at.Add(account.PasswordTryLife)), "a right one ends those of servers that died")
		at = at.Add(account.PasswordTryLife)
	}
	_, other, err := s.Passwords.BeginTry(ctx, u.ID, at)
	require.NoError(t, err)
	paid(at.Add(account.PasswordTryLost - time.Second))
	wrong, err := s.Passwords.EndTry(ctx, u.ID, other, false, at)
	require.NoError(t, err)
	require.Equal(t, 1, wrong, "one in progress beside a right one counts")
}
