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
func (d *desk) spendable(t tb, card int64) money.Points {
	t.Helper()
	_, err := d.ExpireLots(t.Context())
	require.NoError(t, err)
	var c cards.Card
	require.NoError(t, d.update(func(tx cards.Tx) (err error) {
		c, err = tx.Cards.Get(card, d.clock())
		return err
	}))
	return c.Balance
}

// endSpend ends a payment of points: it refunds what was spent, or releases what is held.
func (d *desk) endSpend(t tb, s cards.Spend, refund bool) {
	t.Helper()
	s.At = d.clock()
	require.NoError(t, d.update(func(tx cards.Tx) error {
		if refund {
			return cards.Refund(tx, s, 1, "test")
		}
		return cards.Release(tx, s)
	}))
}

// take holds points of a card and, with spend, spends them.
func (d *desk) take(t tb, leg, card int64, points money.Points, spend bool) cards.Spend {
	t.Helper()
	s := cards.Spend{LegID: leg, CardID: card, Actor: "test", At: d.clock()}
	require.NoError(t, d.update(func(tx cards.Tx) error {
		if err := cards.Reserve(tx, s, points); err != nil || !spend {
			return err
		}
		return cards.Commit(tx, s)
	}))
	return s
}

// Points never expire while a payment holds them: whenever and however it ends, the buyer can spend them for the
// promised time, but not longer. The rest of their lot keeps its end.
func TestReturnedPoints_NeverExpireWhileTheyAreHeld(t *testing.T) {
	t.Parallel()
	const part, whole = money.Points(40_00), money.Points(100_00)
	d := newDesk(t)
	n := 0
	seconds := func(r *rapid.T, least, most time.Duration, label string) time.Duration {
		return time.Duration(rapid.Int64Range(int64(least/time.Second), int64(most/time.Second)).Draw(r,
			label)) * time.Second
	}
	rapid.Check(t, func(r *rapid.T) {
		n++
		d.now.Store(noon.Unix())
		longest := rapid.SampledFrom([]time.Duration{time.Hour, 40 * 24 * time.Hour}).Draw(r, "scale")
		life := seconds(r, time.Second, longest, "life of the lot")
		card := d.bound(t, n, cards.SuperCard, whole, life)
		ends := d.clock().Add(life)
		d.advance(seconds(r, 0, life-time.Second, "held after"))
		left := ends.Sub(d.clock())
		refund := rapid.Bool().Draw(r, "refunded")
		s := d.take(r, int64(n), card, part, refund)
		d.advance(seconds(r, 0, longest, "held for"))

		rest := d.spendable(r, card) // of the lot, unless it has expired
		for range 2 {                // a repeated call changes nothing
			d.endSpend(r, s, refund)
			require.Equal(r, rest+part, d.spendable(r, card), "returned")
		}
		end := d.clock().Add(min(left, 24*time.Hour))
		if refund || !d.clock().Before(ends) {
			end = d.clock().Add(durations.ReturnedPoints)
		}
		if ends.After(end) {
			end = ends
		}
		d.now.Store(end.Unix() - 1)
		kept := whole
		if !d.clock().Before(ends) {
			kept = part
		}
		require.Equal(r, kept, d.spendable(r, card), "a second before the promised end")
		d.advance(time.Second)
		require.Zero(r, d.spendable(r, card), "at the promised end")
	})
}

// A refund a second before the end of the lot gives the same time as one at the end and one after it.
func TestReturnedPoints_LiveAsLongAroundTheEndOfTheirLot(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	for i, after := range []time.Duration{-time.Second, 0, time.Second} {
		d.now.Store(noon.Unix())
		card := d.bound(t, i, cards.SuperCard, 50_00, time.Hour)
		s := d.take(t, int64(i+1), card, 50_00, true)
		d.advance(time.Hour + after)
		d.endSpend(t, s, true)
		d.advance(durations.ReturnedPoints - time.Second)
		assert.EqualValues(t, 50_00, d.spendable(t, card), after)
		d.advance(time.Second)
		assert.Zero(t, d.spendable(t, card), after)
	}
}

// A buyer who opens and abandons payments cannot extend the life of points forever: the time of
// durations.ReturnedPoints is given only once, even if the card is merged, and after that the time only stops while
// they are held.
func TestReturnedPoints_CannotBeProlongedByHoldingThem(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	card := d.bound(t, 1, cards.SuperCard, 50_00, time.Hour)
	ends, held := d.clock().Add(time.Hour), time.Duration(0)
	leg := int64(0)
	holdOverTheEnd := func(end time.Time) {
		leg++
		d.now.Store(end.Unix() - 60)
		s := d.take(t, leg, card, 50_00, false)
		d.advance(2 * time.Minute)
		held += 2 * time.Minute
		require.Zero(t, d.spendable(t, card))
		d.endSpend(t, s, false)
		require.EqualValues(t, 50_00, d.spendable(t, card))
	}
	holdOverTheEnd(ends)
	ends = d.clock().Add(durations.ReturnedPoints)
	other := d.bound(t, 2, cards.SuperCard, 60_00, 2*time.Hour)
	p, err := d.CheckMerge(t.Context(), 7, []int64{card, other}, cards.SuperCard)
	require.NoError(t, err)
	card, err = d.Merge(t.Context(), 7, []int64{card, other}, cards.SuperCard, p.Code)
	require.NoError(t, err)
	for range 5 {
		holdOverTheEnd(ends)
		ends = ends.Add(2 * time.Minute)
	}
	assert.WithinDuration(t, noon.Add(time.Hour+durations.ReturnedPoints+held), ends, 2*time.Minute)
	d.now.Store(ends.Unix() - 1)
	assert.EqualValues(t, 50_00, d.spendable(t, card))
	d.advance(time.Second)
	assert.Zero(t, d.spendable(t, card))
}
