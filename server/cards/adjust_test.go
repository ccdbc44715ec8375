package cards_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/audit"
	"marquee/server/cards"
	"marquee/server/money"
)

const century = 36_500 * 24 * time.Hour

// The validity is limited because clients cannot parse a date after the year 9999.
func TestValidity_IsAHundredYearsAtMost(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	n := cards.NewCard{PID: 1, Number: "1", Password: "p", Points: 1, ExpiresAt: noon.Add(century + time.Second)}
	err := f.Issue(t.Context(), []cards.NewCard{n}, "admin:1")
	assert.ErrorIs(t, err, cards.ErrValidity)
	assert.ErrorContains(t, err, "card 1 of 1")
	n.ExpiresAt = noon.Add(century)
	require.NoError(t, f.Issue(t.Context(), []cards.NewCard{n}, "admin:1"))

	id := f.bound(t, 2, cards.SuperCard, 100, year)
	a := cards.Adjustment{Key: "a", CardID: id, Points: 1, Reason: "gift", Actor: "admin:1"}
	for _, life := range []time.Duration{century + time.Second, 0, -time.Hour} {
		a.Life = life
		_, err = f.Adjust(t.Context(), a)
		assert.ErrorIs(t, err, cards.ErrValidity, life)
	}
	a.Life = century
	_, err = f.Adjust(t.Context(), a)
	require.NoError(t, err)
	f.verifyLedger(t)

	for _, days := range []int{0, -1, 36_501, 99_999_999, 1 << 62} {
		_, err := cards.LifeOf(days)
		assert.ErrorIs(t, err, cards.ErrValidity, days)
	}
	life, err := cards.LifeOf(36_500)
	require.NoError(t, err)
	assert.Equal(t, century, life)
}

// A recharge or deduction without a key is rejected, because an operator who repeats it would do it twice.
func TestAdjust_NeedsAKey(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.bound(t, 1, cards.SuperCard, 100, year)
	for _, points := range []money.Points{1, -1} {
		a := cards.Adjustment{CardID: id, Points: points, Life: year, Reason: "gift", Actor: "admin:1"}
		_, err := f.Adjust(t.Context(), a)
		assert.ErrorIs(t, err, cards.ErrAdjustmentKeyRequired)
	}
	assert.EqualValues(t, 100, f.spendable(t, id))
}

// The reason of an adjustment is shown to the buyer, so it must be printable. Freezing and unfreezing follow the same
// rule.
func TestReason_CanBeRead(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.bound(t, 1, cards.SuperCard, 100, year)
	for _, bad := range []string{strings.Repeat("字", 101), "a\xffb", "a\ufffdb", "a\nb", "a\x00b", "a\u202eb"} {
		for name, err := range map[string]error{
			"adjust": second(f.Adjust(t.Context(), cards.Adjustment{Key: "a", CardID: id, Points: 1, Life: year,
				Reason: bad, Actor: "admin:1"})),
			"freeze":   f.Freeze(t.Context(), id, bad, "admin:1"),
			"unfreeze": f.Unfreeze(t.Context(), id, bad, "admin:1"),
		} {
			assert.ErrorIs(t, err, audit.ErrReasonInvalid, "%s for %q", name, bad)
		}
	}
	_, err := f.Adjust(t.Context(), cards.Adjustment{Key: "a", CardID: id, Points: 1, Life: year,
		Reason: strings.Repeat("字", 100), Actor: "admin:1"})
	require.NoError(t, err)
}

func second(_ bool, err error) error { return err }

// A caller that got no answer repeats a recharge with the same key.
func TestAdjust_ARepeatedKeyIsTheSameAdjustmentOrRejected(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id, other := f.bound(t, 1, cards.SuperCard, 100, year), f.bound(t, 2, cards.SuperCard, 100, year)
	credit := cards.Adjustment{Key: "a", CardID: id, Points: 50, Life: 10 * 24 * time.Hour, Reason: "gift",
		Actor: "admin:1"}
	deduct := cards.Adjustment{Key: "b", CardID: id, Points: -120, Reason: "error", Actor: "admin:1"}
	for _, a := range []cards.Adjustment{credit, deduct} {
		again, err := f.Adjust(t.Context(), a)
		require.NoError(t, err)
		require.False(t, again)
	}
	f.advance(time.Hour)
	for _, a := range []cards.Adjustment{credit, deduct} {
		a.Actor = "admin:2"
		again, err := f.Adjust(t.Context(), a)
		require.NoError(t, err)
		require.True(t, again, a.Key)
		for name, change := range map[string]func(*cards.Adjustment){
			"another card":   func(a *cards.Adjustment) { a.CardID = other },
			"more points":    func(a *cards.Adjustment) { a.Points *= 2 },
			"the other way":  func(a *cards.Adjustment) { a.Points, a.Life = -a.Points, 10*24*time.Hour },
			"another reason": func(a *cards.Adjustment) { a.Reason = "present" },
		} {
			b := a
			change(&b)
			_, err := f.Adjust(t.Context(), b)
			assert.ErrorIs(t, err, cards.ErrAdjustmentKeyReused, "%s: %s", a.Key, name)
		}
	}
	longer := credit
	longer.Life *= 2
	_, err := f.Adjust(t.Context(), longer)
	assert.ErrorIs(t, err, cards.ErrAdjustmentKeyReused, "it is valid for longer")

	p, err := f.CheckMerge(t.Context(), 7, []int64{id, other}, cards.SuperCard)
	require.NoError(t, err)
	_, err = f.Merge(t.Context(), 7, []int64{id, other}, cards.SuperCard, p.Code)
	require.NoError(t, err)
	again, err := f.Adjust(t.Context(), credit)
	require.NoError(t, err, "wherever the points are now")
	assert.True(t, again)
	list, err := f.List(t.Context(), 7, cards.AllUsable)
	require.NoError(t, err)
	assert.Equal(t, money.Points(130), list[0].Balance)
}
