package cards_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/durations"
	"marquee/server/fault"
)

func (f *fixture) guess(t *testing.T, buyer int64, number, password string) error {
	t.Helper()
	_, err := f.Bind(t.Context(), buyer, number, password)
	return err
}

func TestBind_LocksTheBuyerAfterFiveWrongPasswords(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	c := f.issue(t, 1, cards.SuperCard, 100, year)
	for left := cards.MaxTries - 1; left > 0; left-- {
		err := f.guess(t, 7, c.Number, "wrong")
		require.ErrorIs(t, err, cards.ErrCardNotFound)
		require.Equal(t, left, fault.Of(err).TriesLeft)
	}
	err := f.guess(t, 7, c.Number, "wrong")
	require.ErrorIs(t, err, cards.ErrCardLocked, "the last one locks")
	require.Equal(t, noon.Add(30*time.Minute), fault.Of(err).Until)
	require.Equal(t, 30*time.Minute, fault.Of(err).RetryAfter)
	f.advance(10 * time.Minute)
	err = f.guess(t, 7, c.Number, "right")
	require.ErrorIs(t, err, cards.ErrCardLocked, "even with the right password")
	require.Equal(t, noon.Add(30*time.Minute), fault.Of(err).Until)
	require.Equal(t, "密码错误次数过多，请20分钟后再试", fault.Of(err).Message)
	f.advance(20*time.Minute - time.Second)
	require.ErrorIs(t, f.guess(t, 7, c.Number, "right"), cards.ErrCardLocked)
	f.advance(time.Second)
	require.NoError(t, f.guess(t, 7, c.Number, "right"))
}

func TestBind_LocksTheBuyerWhoGuessesNumbers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	c := f.issue(t, 1, cards.SuperCard, 100, year)
	for i := range cards.MaxTries - 1 {
		_, err := f.Bind(t.Context(), 7, fmt.Sprintf("8888%012d", i), "x")
		assert.ErrorIs(t, err, cards.ErrCardNotFound, "an unknown number looks like a wrong password")
	}
	_, err := f.Bind(t.Context(), 7, "8888000000000009", "x")
	assert.ErrorIs(t, err, cards.ErrCardLocked)
	_, err = f.Bind(t.Context(), 7, c.Number, "right")
	assert.ErrorIs(t, err, cards.ErrCardLocked)
	_, err = f.Bind(t.Context(), 8, c.Number, "right")
	assert.NoError(t, err, "another buyer is not locked")
}

func TestBind_SuccessClearsTheCount(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i := 1; i <= 3; i++ {
		c := f.issue(t, i, cards.SuperCard, 100, year)
		for range 4 {
			_, err := f.Bind(t.Context(), 7, c.Number, "wrong")
			assert.ErrorIs(t, err, cards.ErrCardNotFound)
		}
		_, err := f.Bind(t.Context(), 7, c.Number, "right")
		require.NoError(t, err)
	}
}

// Binding the buyer's own card must not give more tries for another one.
func TestBind_TheBuyersOwnCardClearsNoWrongTries(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	victim := f.issue(t, 1, cards.SuperCard, 100, year)
	own := f.issue(t, 2, cards.SuperCard, 100, year)
	f.coupon(t, 3, "COUPONCODE03")
	require.NoError(t, f.guess(t, 7, own.Number, "right"))
	for range cards.MaxTries - 1 {
		require.ErrorIs(t, f.guess(t, 7, victim.Number, "wrong"), cards.ErrCardNotFound)
		_ = f.guess(t, 7, own.Number, "right")              // bound already
		_, _ = f.BindCoupon(t.Context(), 7, "COUPONCODE03") // the first call binds it, the others find it bound
	}
	require.ErrorIs(t, f.guess(t, 7, victim.Number, "wrong"), cards.ErrCardLocked)
}

func TestBind_StrangersCannotLockTheHolderOut(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	c := f.issue(t, 1, cards.SuperCard, 100, year)
	for i := range 3 * cards.AttackedAt {
		require.ErrorIs(t, f.guess(t, int64(100+i), c.Number, "wrong"), cards.ErrCardNotFound, "each buyer has one try")
	}
	require.ErrorIs(t, f.guess(t, 100, c.Number, "wrong"), cards.ErrCardLocked,
		"and no second one while the card is attacked")
	require.ErrorIs(t, f.guess(t, 7, c.Number, "mistyped"), cards.ErrCardNotFound)
	require.ErrorIs(t, f.guess(t, 7, c.Number, "right"), cards.ErrCardLocked)
	f.advance(durations.CardLock)
	require.NoError(t, f.guess(t, 7, c.Number, "right"), "after the lock the holder can bind the card")
}

// Guesses from many accounts are counted together for the card, whether they use its number or its coupon code. The
// count continues when the lock of a buyer ends.
func TestBind_GuessesOfManyAccountsAddUp(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	c := f.coupon(t, 1, "COUPONCODE01")
	tries := 0
	const rounds, accounts = 6, 20
	for range rounds {
		for account := range int64(accounts) {
			for n := range cards.MaxTries {
				_, err := f.Bind(t.Context(), 100+account, []string{c.Number, "COUPONCODE01"}[n%2], "wrong")
				if errors.Is(err, cards.ErrCardLocked) {
					break
				}
				require.ErrorIs(t, err, cards.ErrCardNotFound)
				tries++
			}
		}
		f.advance(durations.CardLock)
	}
	require.LessOrEqual(t, tries, rounds*accounts+cards.AttackedAt+cards.MaxTries,
		"one try of each account in half an hour")
}

func TestBind_OldCountsAreForgotten(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rows := func() (n int) {
		require.NoError(t, f.db.Read().QueryRowContext(t.Context(), `SELECT count(*) FROM card_tries`).Scan(&n))
		return n
	}
	for i := range 40 {
		require.ErrorIs(t, f.guess(t, int64(100+i), fmt.Sprintf("8999%012d", i), "x"), cards.ErrCardNotFound)
	}
	require.Equal(t, 3*40, rows())
	f.advance(25 * time.Hour)
	require.ErrorIs(t, f.guess(t, 7, "8999999999999999", "x"), cards.ErrCardNotFound)
	require.Equal(t, 3, rows(), "only what still counts is kept")
}
