package account_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/pepper"
)

// another returns a second server with the database, clock and phones of r, and the given peppers.
func (r *services) another(t *testing.T, current, previous string) *services {
	t.Helper()
	ring, err := pepper.New([]byte(current), []byte(previous))
	require.NoError(t, err)
	other := &services{store: r.store, codeStore: r.codeStore, clock: r.clock, shared: r, openIDs: r.openIDs}
	other.wire(ring)
	return other
}

// A rotation on two servers: both accept the new pepper, then both make new hashes with it, then it is the only one. No
// session, code or payment password is lost, and a password that was used carries the new key.
func TestPepperRotation_KeepsLoginsCodesAndPasswords(t *testing.T) {
	t.Parallel()
	const before, after = "a pepper for tests only", "the pepper after it"
	ctx := t.Context()
	old := newServices(t) // knows the first pepper only
	used, unused := old.withPassword(t, alice), old.withPassword(t, bob)
	session := old.loginAgain(t, alice)

	// Step 1 on both servers: MARQUEE_PEPPER=before, MARQUEE_PEPPER_PREVIOUS=after. Step 2 on the first: swapped.
	accepting, rotated := old.another(t, before, after), old.another(t, after, before)
	for _, way := range []struct{ sent, entered *services }{{accepting, rotated}, {rotated, accepting}} {
		old.clock.Advance(2 * time.Minute)
		require.NoError(t, way.sent.SendLoginCode(ctx, bob, home))
		_, err := way.entered.Login(ctx, account.EnteredCode{Phone: bob, Code: old.code(bob)})
		require.NoError(t, err, "a code is valid on both servers")
		_, err = way.entered.Session(ctx, session.Token)
		require.NoError(t, err, "a session does not depend on the pepper")
	}
	require.NoError(t, accepting.VerifyPaymentPassword(ctx, used, right))
	require.NoError(t, old.VerifyPaymentPassword(ctx, used, right), "still of the first pepper")
	require.NoError(t, rotated.VerifyPaymentPassword(ctx, used, right))
	require.ErrorContains(t, old.VerifyPaymentPassword(ctx, used, right), "not configured",
		"was rehashed when it was used")
	require.NoError(t, accepting.VerifyPaymentPassword(ctx, used, right), "the second server reads the new hash")
	require.ErrorIs(t, rotated.VerifyPaymentPassword(ctx, used, mistyped), account.ErrPasswordWrong)

	// Step 2 on the second server, then step 3: the first pepper is gone.
	require.NoError(t, old.another(t, after, before).VerifyPaymentPassword(ctx, used, right))
	done := old.another(t, after, "")
	require.NoError(t, done.VerifyPaymentPassword(ctx, used, right))
	for range account.PasswordTries + 1 {
		require.ErrorIs(t, done.VerifyPaymentPassword(ctx, unused, right), account.ErrPasswordOutdated,
			"was not used during the rotation, which does not count as wrong")
	}
	require.NoError(t, old.VerifyPaymentPassword(ctx, unused, right), "is not locked where its pepper is known")
	old.clock.Advance(2 * time.Minute)
	require.NoError(t, done.SendPasswordCode(ctx, unused, home))
	require.NoError(t, done.SetPaymentPassword(ctx, unused, old.code(bob), right), "can be set again by SMS code")
	require.NoError(t, done.VerifyPaymentPassword(ctx, unused, right))
}

func TestPasswordCost_AHashOfAnotherCostIsReplaced(t *testing.T) {
	t.Parallel()
	before := newServices(t)
	r := before.another(t, "a pepper for tests only", "")
	before.cost = account.Cost{MemoryKiB: 16, Passes: 2}
	before.wire(before.ring)
	buyer := before.withPassword(t, alice)
	cost := func() string {
		hash, err := r.store.PasswordHash(t.Context(), buyer, account.PasswordWeekTries, r.clock.Now())
		require.NoError(t, err)
		return strings.Split(hash, "$")[3]
	}
	require.Contains(t, cost(), "m=16,t=2,")
	require.ErrorIs(t, r.VerifyPaymentPassword(t.Context(), buyer, mistyped), account.ErrPasswordWrong)
	require.Contains(t, cost(), "m=16,t=2,", "a wrong password replaces nothing")
	require.NoError(t, r.VerifyPaymentPassword(t.Context(), buyer, right))
	require.Contains(t, cost(), "m=8192,t=1,")
	require.NoError(t, r.VerifyPaymentPassword(t.Context(), buyer, right))
	require.NoError(t, before.VerifyPaymentPassword(t.Context(), buyer, right), "by a server with the other cost")
}
