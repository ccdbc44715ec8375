package cards_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/durations"
	"marquee/server/money"
)

func TestMerge_KeepsPointsAndTheirExpiry(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	small := f.bound(t, 1, cards.SuperCard, 100, time.Hour)
	big := f.bound(t, 2, cards.SuperCard, 300, year)
	p, err := f.CheckMerge(t.Context(), 7, []int64{small, big}, cards.SuperCard)
	require.NoError(t, err)
	assert.Equal(t, "8000000000000002", p.Kept.Number)
	require.Len(t, p.Gone, 1)
	assert.Equal(t, "8000000000000001", p.Gone[0].Number)
	assert.Equal(t, money.Points(100), p.GonePoints)
	assert.Equal(t, money.Points(400), p.KeptPoints)

	kept, err := f.Merge(t.Context(), 7, []int64{big, small}, cards.SuperCard, p.Code)
	require.NoError(t, err)
	assert.Equal(t, big, kept)
	list, err := f.List(t.Context(), 7, cards.AllUsable)
	require.NoError(t, err)
	require.Len(t, list, 1)
	assert.Equal(t, money.Points(400), list[0].Balance)
	assert.Equal(t, noon.Add(time.Hour), list[0].EndTime, "the points of the small card keep their end")
	_, err = f.Merge(t.Context(), 7, []int64{big, small}, cards.SuperCard, p.Code)
	assert.ErrorIs(t, err, cards.ErrMergeCodeInvalid, "a code merges once")
	_, err = f.Card(t.Context(), 7, small)
	assert.ErrorIs(t, err, cards.ErrCardNotFound)
	_, err = f.Bind(t.Context(), 8, "8000000000000001", "right")
	assert.ErrorIs(t, err, cards.ErrCardNotFound, "a merged card cannot be bound")
	f.advance(time.Hour)
	list, err = f.List(t.Context(), 7, cards.AllUsable)
	require.NoError(t, err)
	assert.Equal(t, money.Points(300), list[0].Balance)
}

func TestMerge_Rejections(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	a := f.bound(t, 1, cards.SuperCard, 100, year)
	b := f.bound(t, 2, cards.SuperCard, 200, year)
	movie := f.bound(t, 3, cards.MovieCard, 100, year)
	frozen := f.bound(t, 4, cards.SuperCard, 100, year)
	require.NoError(t, f.Freeze(t.Context(), frozen, "lost", "admin:1"))
	foreign := f.issue(t, 5, cards.SuperCard, 100, year)
	theirs, err := f.Bind(t.Context(), 8, foreign.Number, "right")
	require.NoError(t, err)
	for name, c := range map[string]struct {
		ids  []int64
		pid  cards.PID
		want error
	}{
		"none": {nil, 1, cards.ErrMergeTooFew}, "one": {[]int64{a}, 1, cards.ErrMergeTooFew},
		"one twice": {[]int64{a, a},
			1, cards.ErrMergeTooFew},
		"two types":    {[]int64{a, movie}, 1, cards.ErrMergeMixed},
		"another type": {[]int64{a, b}, 3, cards.ErrMergeMixed},
		"a frozen one": {[]int64{a, frozen}, 1, cards.ErrCardUnusable}, "another's": {[]int64{a, theirs}, 1,
			cards.ErrCardUnusable},
		"unknown": {[]int64{a, 999}, 1, cards.ErrCardUnusable},
	} {
		_, err := f.CheckMerge(t.Context(), 7, c.ids, c.pid)
		assert.ErrorIs(t, err, c.want, name)
		_, err = f.Merge(t.Context(), 7, c.ids, c.pid, "CODE")
		if c.want == cards.ErrCardUnusable {
			c.want = cards.ErrMergeCodeInvalid // Merge checks the code first
		}
		assert.ErrorIs(t, err, c.want, name)
	}
	spend := cards.Spend{LegID: 1, CardID: a, Actor: "test", At: noon}
	require.NoError(t, f.update(func(tx cards.Tx) error { return cards.Reserve(tx, spend, 40) }))
	_, err = f.CheckMerge(t.Context(), 7, []int64{a, b}, 1)
	assert.ErrorIs(t, err, cards.ErrCardBusy)
	require.NoError(t, f.update(func(tx cards.Tx) error { return cards.Release(tx, spend) }))
}

func TestMerge_TheCodeIsForWhatWasShown(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	a, b, c := f.bound(t, 1, cards.SuperCard, 100, year), f.bound(t, 2, cards.SuperCard, 200, year), f.bound(t, 3,
		cards.SuperCard, 300, year)
	check := func(ids ...int64) string {
		p, err := f.CheckMerge(t.Context(), 7, ids, 1)
		require.NoError(t, err)
		return p.Code
	}
	merge := func(code string, ids ...int64) error {
		_, err := f.Merge(t.Context(), 7, ids, 1, code)
		return err
	}
	code := check(a, b)
	assert.ErrorIs(t, merge(code, a, c), cards.ErrMergeCodeInvalid, "other cards")
	assert.ErrorIs(t, merge("", a, b), cards.ErrMergeCodeInvalid)
	_, err := f.Adjust(t.Context(), cards.Adjustment{Key: "x", CardID: a, Points: -1, Reason: "r", Actor: "admin:1"})
	require.NoError(t, err)
	assert.ErrorIs(t, merge(code, a, b), cards.ErrMergeCodeInvalid, "another balance")
	code = check(a, b)
	f.advance(durations.MergeCode)
	assert.ErrorIs(t, merge(code, a, b), cards.ErrMergeCodeInvalid, "too late")
	require.NoError(t, merge(check(a, b, c), a, b, c))
}

// A refund reaches the owner even if the card has been merged or deleted since.
func TestRefund_FollowsAMergedAndRestoresADeletedCard(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	a, b := f.bound(t, 1, cards.SuperCard, 100, time.Hour), f.bound(t, 2, cards.SuperCard, 200, year)
	c := f.bound(t, 3, cards.MovieCard, 50, year)
	pay := func(leg, card int64, points money.Points) cards.Spend {
		s := cards.Spend{LegID: leg, CardID: card, Actor: "test", At: noon}
		require.NoError(t, f.update(func(tx cards.Tx) error {
			if err := cards.Reserve(tx, s, points); err != nil {
				return err
			}
			return cards.Commit(tx, s)
		}))
		return s
	}
	fromA, fromC := pay(1, a, 100), pay(2, c, 50)
	p, err := f.CheckMerge(t.Context(), 7, []int64{a, b}, 1)
	require.NoError(t, err)
	_, err = f.Merge(t.Context(), 7, []int64{a, b}, 1, p.Code)
	require.NoError(t, err)
	require.NoError(t, f.Delete(t.Context(), 7, c))
	require.NoError(t, f.update(func(tx cards.Tx) error {
		if err := cards.Refund(tx, fromA, 1, "退款"); err != nil {
			return err
		}
		if err := cards.Refund(tx, fromC, 1, "退款"); err != nil {
			return err
		}
		return cards.Recharge(tx, cards.Credit{Key: "r", CardID: a, Points: 1, Paid: 1, At: noon})
	}))
	list, err := f.List(t.Context(), 7, cards.AllUsable)
	require.NoError(t, err)
	balances := map[int64]money.Points{}
	for _, card := range list {
		balances[card.ID] = card.Balance
	}
	assert.Equal(t, map[int64]money.Points{b: 301, c: 50}, balances)
	assert.Equal(t, noon.Add(durations.ReturnedPoints), list[0].EndTime, "refunded points do not expire with their lot")
}
