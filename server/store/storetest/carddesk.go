package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
)

func mergedCards(t *testing.T, e Engine) {
	from, lot := e.card(t, 7, 1, 0)
	into, other := e.card(t, 7, 2, 100)
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		require.NoError(t, tx.Ledger.LinkLot(lot, other))
		l, err := tx.Ledger.Lot(lot)
		require.NoError(t, err)
		assert.Equal(t, other, l.MergedInto)
		c, err := tx.Cards.Get(from, noon)
		require.NoError(t, err)
		c.Status, c.MergedInto = cards.Deleted, into
		require.NoError(t, tx.Cards.Save(c))
		for _, id := range []int64{from, into} {
			heir, err := tx.Cards.MergeTarget(id)
			require.NoError(t, err)
			assert.Equal(t, into, heir)
		}
		_, err = tx.Cards.MergeTarget(999)
		assert.ErrorIs(t, err, cards.ErrCardNotFound)
		for id, want := range map[int64]bool{from: false, into: false} {
			restored, err := tx.Cards.Reinstate(id)
			require.NoError(t, err)
			assert.Equal(t, want, restored, "merged for good, or never gone")
		}
		return nil
	}))
	empty, _ := e.card(t, 7, 3, 0)
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		c, err := tx.Cards.Get(empty, noon)
		require.NoError(t, err)
		c.Status = cards.Deleted
		require.NoError(t, tx.Cards.Save(c))
		restored, err := tx.Cards.Reinstate(empty)
		assert.True(t, restored)
		return err
	}))
	list, err := e.Cards.CardsOf(t.Context(), 7, noon)
	require.NoError(t, err)
	assert.Len(t, list, 2)
}

func mergeCodes(t *testing.T, e Engine) {
	code := cards.MergeCode{Hash: []byte("h"), UserID: 7, PID: 1, Cards: "1=2", ExpiresAt: noon.Add(time.Minute)}
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error { return tx.MergeCodes.Insert(code) }))
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		_, err := tx.MergeCodes.Take([]byte("none"), noon)
		assert.ErrorIs(t, err, cards.ErrMergeCodeInvalid)
		_, err = tx.MergeCodes.Take(code.Hash, noon.Add(time.Minute))
		assert.ErrorIs(t, err, cards.ErrMergeCodeInvalid, "too late")
		got, err := tx.MergeCodes.Take(code.Hash, noon)
		assert.Equal(t, code, got)
		_, again := tx.MergeCodes.Take(code.Hash, noon)
		assert.ErrorIs(t, again, cards.ErrMergeCodeInvalid)
		return err
	}))
}

func couponCodes(t *testing.T, e Engine) {
	first, _ := e.card(t, 7, 1, 100)
	second, _ := e.card(t, 7, 2, 100)
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		require.NoError(t, tx.Cards.SetCoupon(first, []byte("c")))
		assert.ErrorIs(t, tx.Cards.SetCoupon(second, []byte("c")), cards.ErrCardExists)
		c, hash, err := tx.Cards.ByCoupon([]byte("c"), noon)
		assert.Equal(t, first, c.ID)
		assert.Equal(t, []byte("hash"), hash)
		_, _, missing := tx.Cards.ByCoupon([]byte("none"), noon)
		assert.ErrorIs(t, missing, cards.ErrCardNotFound)
		return err
	}))
	c, err := e.Cards.CardNumbered(t.Context(), "8000000701", noon)
	require.NoError(t, err)
	assert.Equal(t, first, c.ID)
	_, err = e.Cards.CardNumbered(t.Context(), "none", noon)
	assert.ErrorIs(t, err, cards.ErrCardNotFound)
}

func cardRecords(t *testing.T, e Engine) {
	id, _ := e.card(t, 7, 1, 500)
	other, _ := e.card(t, 7, 2, 500)
	spend := func(leg, card int64) cards.Spend {
		return cards.Spend{LegID: leg, CardID: card, Actor: "test", At: noon}
	}
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		for leg, card := range map[int64]int64{1: id, 2: id, 3: other} {
			require.NoError(t, cards.Reserve(tx, spend(leg, card), 10))
			require.NoError(t, cards.Commit(tx, spend(leg, card)))
		}
		return nil
	}))
	list, total, err := e.Cards.Records(t.Context(), id, []cards.Event{cards.EventCommit, cards.EventDeduct}, 1, 1)
	require.NoError(t, err)
	assert.Equal(t, 2, total)
	assert.Equal(t, []cards.Record{{Event: cards.EventCommit, Points: -10, At: noon}}, list)
	_, total, err = e.Cards.Records(t.Context(), id, cards.Recharges, 10, 0)
	require.NoError(t, err)
	assert.Zero(t, total)
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		return tx.Packages.Replace([]cards.Package{{Points: 100, Price: 90}, {Points: 10, Price: 10}})
	}))
	packages, err := e.Cards.Packages(t.Context())
	require.NoError(t, err)
	require.Len(t, packages, 2)
	assert.EqualValues(t, 90, packages[0].Price)
}
