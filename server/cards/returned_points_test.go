package cards_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"marquee/server/cards"
	"marquee/server/durations"
	"marquee/server/money"
)

// tb is the part of *testing.T and *rapid.T that the helpers use.
type tb interface {
	require.TestingT
	Helper()
	Context() context.Context
}

// spendable writes off what has expired, and returns the points of a card that can be spent now.
func (f *fixture) spendable(t tb, card int64) money.Points {
	t.Helper()
	_, err := f.ExpireLots(t.Context())
	require.NoError(t, err)
	var c cards.Card
	require.NoError(t, f.update(func(tx cards.Tx) (err error) {
		c, err = tx.Cards.Get(card, f.clock())
		return err
	}))
	return c.Balance
}

// endSpend ends a payment of points: it refunds what was spent, or releases what is held.
func (f *fixture) endSpend(t tb, s cards.Spend, refund bool) {
	t.Helper()
	s.At = f.clock()
	require.NoError(t, f.update(func(tx cards.Tx) error {
		if refund {
			return cards.Refund(tx, s, 1, "test")
		}
		return cards.Release(tx, s)
	}))
}

// take holds points of a card and, with spend, spends them.
func (f *fixture) take(t tb, leg, card int64, points money.Points, spend bool) cards.Spend {
	t.Helper()
	s := cards.Spend{LegID: leg, CardID: card, Actor: "test", At: f.clock()}
	require.NoError(t, f.update(func(tx cards.Tx) error {
		if err := cards.Reserve(tx, s, points); err != nil || !spend {
			return err
		}
		return cards.Commit(tx, s)
	}))
	return s
}

// Points never expire while a payment holds them. When the payment is released or refunded, at any time, the buyer can
// spend the points for the time that Release or Refund guarantees, but not longer. The rest of their lot keeps its end.
func TestReturnedPoints_NeverExpireWhileTheyAreHeld(t *testing.T) {
	t.Parallel()
	const part, all = money.Points(40_00), money.Points(100_00)
	f := newFixture(t)
	n := 0
	seconds := func(r *rapid.T, least, most time.Duration, label string) time.Duration {
		return time.Duration(rapid.Int64Range(int64(least/time.Second), int64(most/time.Second)).Draw(r,
			label)) * time.Second
	}
	rapid.Check(t, func(r *rapid.T) {
		n++
		f.now.Store(noon.Unix())
		longest := rapid.SampledFrom([]time.Duration{time.Hour, 40 * 24 * time.Hour}).Draw(r, "scale")
		life := seconds(r, time.Second, longest, "life of the lot")
		card := f.bound(t, n, cards.SuperCard, all, life)
		ends := f.clock().Add(life)
		f.advance(seconds(r, 0, life-time.Second, "held after"))
		left := ends.Sub(f.clock())
		refund := rapid.Bool().Draw(r, "refunded")
		s := f.take(r, int64(n), card, part, refund)
		f.advance(seconds(r, 0, longest, "held for"))

		rest := f.spendable(r, card) // of the lot, unless it has expired
		for range 2 {                // a repeated call changes nothing
			f.endSpend(r, s, refund)
			require.Equal(r, rest+part, f.spendable(r, card), "returned")
		}
		end := f.clock().Add(min(left, 24*time.Hour))
		if refund || !f.clock().Before(ends) {
			end = f.clock().Add(durations.ReturnedPoints)
		}
		if ends.After(end) {
			end = ends
		}
		f.now.Store(end.Unix() - 1)
		kept := all
		if !f.clock().Before(ends) {
			kept = part
		}
		require.Equal(r, kept, f.spendable(r, card), "a second before the promised end")
		f.advance(time.Second)
		require.Zero(r, f.spendable(r, card), "at the promised end")
	})
}

// A refund a second before the end of the lot gives the same time as one at the end and one after it.
func TestReturnedPoints_LiveAsLongAroundTheEndOfTheirLot(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for i, after := range []time.Duration{-time.Second, 0, time.Second} {
		f.now.Store(noon.Unix())
		card := f.bound(t, i, cards.SuperCard, 50_00, time.Hour)
		s := f.take(t, int64(i+1), card, 50_00, true)
		f.advance(time.Hour + after)
		f.endSpend(t, s, true)
		f.advance(durations.ReturnedPoints - time.Second)
		assert.EqualValues(t, 50_00, f.spendable(t, card), after)
		f.advance(time.Second)
		assert.Zero(t, f.spendable(t, card), after)
	}
}

// A buyer who opens and abandons payments cannot extend the life of points forever: the time of
// durations.ReturnedPoints is given only once, even if the card is merged, and after that the time only stops while
// they are held.
func TestReturnedPoints_CannotBeProlongedByHoldingThem(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	card := f.bound(t, 1, cards.SuperCard, 50_00, time.Hour)
	ends, held := f.clock().Add(time.Hour), time.Duration(0)
	leg := int64(0)
	holdOverTheEnd := func(end time.Time) {
		leg++
		f.now.Store(end.Unix() - 60)
		s := f.take(t, leg, card, 50_00, false)
		f.advance(2 * time.Minute)
		held += 2 * time.Minute
		require.Zero(t, f.spendable(t, card))
		f.endSpend(t, s, false)
		require.EqualValues(t, 50_00, f.spendable(t, card))
	}
	holdOverTheEnd(ends)
	ends = f.clock().Add(durations.ReturnedPoints)
	other := f.bound(t, 2, cards.SuperCard, 60_00, 2*time.Hour)
	p, err := f.CheckMerge(t.Context(), 7, []int64{card, other}, cards.SuperCard)
	require.NoError(t, err)
	card, err = f.Merge(t.Context(), 7, []int64{card, other}, cards.SuperCard, p.Code)
	require.NoError(t, err)
	for range 5 {
		holdOverTheEnd(ends)
		ends = ends.Add(2 * time.Minute)
	}
	assert.WithinDuration(t, noon.Add(time.Hour+durations.ReturnedPoints+held), ends, 2*time.Minute)
	f.now.Store(ends.Unix() - 1)
	assert.EqualValues(t, 50_00, f.spendable(t, card))
	f.advance(time.Second)
	assert.Zero(t, f.spendable(t, card))
}
