package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/money"
)

func issueTx(key string, lot, points int64) cards.LedgerTx {
	return cards.LedgerTx{Key: key, Event: cards.EventIssue, Actor: "test", At: noon, Entries: []cards.Entry{
		{Account: cards.Issued, Points: -money.Points(points)}, {Account: cards.Avail, LotID: lot,
			Points: money.Points(points)},
	}}
}

func cardRows(t *testing.T, e Engine) {
	id, lot := e.card(t, 7, 1, 500)
	err := e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		c, err := tx.Cards.Get(id, noon)
		require.NoError(t, err)
		assert.Equal(t, cards.Card{
			ID: id, PID: cards.SuperCard, Number: "8000000701", UserID: 7, Status: cards.Active, Version: 1, CreatedAt: noon,
			Balance: 500, EndTime: noon.Add(24 * time.Hour),
		}, c)
		byNumber, hash, err := tx.Cards.ByNumber(c.Number, noon)
		require.NoError(t, err)
		assert.Equal(t, c, byNumber)
		assert.Equal(t, []byte("hash"), hash)
		stale := c
		c.UserID, c.BoundAt = 9, noon
		require.NoError(t, tx.Cards.Save(c))
		assert.ErrorIs(t, tx.Cards.Save(stale), cards.ErrStale)
		late, err := tx.Cards.Get(id, noon.Add(24*time.Hour))
		require.NoError(t, err)
		assert.Zero(t, late.Balance, "an expired lot does not count")
		assert.Equal(t, noon.Add(24*time.Hour), late.EndTime)
		_, err = tx.Cards.Get(id+1, noon)
		assert.ErrorIs(t, err, cards.ErrCardNotFound)
		_, _, err = tx.Cards.ByNumber("none", noon)
		assert.ErrorIs(t, err, cards.ErrCardNotFound)
		_, err = tx.Cards.Insert(cards.Card{PID: 1, Number: c.Number, Status: cards.Active, Version: 1}, []byte("x"))
		assert.ErrorIs(t, err, cards.ErrCardExists)
		return nil
	})
	require.NoError(t, err)
	list, err := e.Cards.CardsOf(t.Context(), 9, noon)
	require.NoError(t, err)
	require.Len(t, list, 1)
	assert.Equal(t, 2, list[0].Version)
	lapsed, err := e.Cards.ExpiredLots(t.Context(), noon.Add(24*time.Hour), 10)
	require.NoError(t, err)
	require.Len(t, lapsed, 1)
	assert.Equal(t, lot, lapsed[0].ID)
	lapsed, err = e.Cards.ExpiredLots(t.Context(), noon.Add(24*time.Hour-time.Second), 10)
	require.NoError(t, err)
	assert.Empty(t, lapsed)
	err = e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		c := list[0]
		c.Status = cards.Deleted
		return tx.Cards.Save(c)
	})
	assert.Error(t, err, "a card with points stays")
}

func cardTries(t *testing.T, e Engine) {
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		for _, want := range []cards.Tries{{}, {Wrong: 2, Until: noon}, {Wrong: 5, Until: noon.Add(time.Hour)}, {}} {
			require.NoError(t, tx.Tries.Set("user:7", want))
			got, err := tx.Tries.Get("user:7")
			require.NoError(t, err)
			assert.Equal(t, want, got)
		}
		over, standing := cards.Tries{Wrong: 4, Until: noon}, cards.Tries{Wrong: 1, Until: noon.Add(time.Minute)}
		require.NoError(t, tx.Tries.Set("user:8", over))
		require.NoError(t, tx.Tries.Set("card:1", standing))
		require.NoError(t, tx.Tries.DeleteExpired(noon.Add(time.Second)))
		for scope, want := range map[string]cards.Tries{"user:8": {}, "card:1": standing} {
			got, err := tx.Tries.Get(scope)
			require.NoError(t, err)
			assert.Equal(t, want, got, scope)
		}
		return nil
	}))
}

func lotsGuarded(t *testing.T, e Engine) {
	id, lot := e.card(t, 7, 1, 500)
	for _, c := range []struct {
		avail, held money.Points
		fits        bool
	}{{-501, 0, false}, {0, -1, false}, {-200, 200, true}, {-301, 301, false}, {300, -201, false}, {200, -200, true}} {
		err := e.Cards.Update(t.Context(), func(tx cards.Tx) error { return tx.Ledger.MoveLot(lot, c.avail, c.held) })
		if c.fits {
			assert.NoError(t, err)
		} else {
			assert.ErrorIs(t, err, cards.ErrPointsInsufficient)
		}
	}
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		lots, err := tx.Ledger.Lots([]int64{id})
		require.Len(t, lots, 1)
		assert.Equal(t, money.Points(500), lots[0].Avail)
		one, lotErr := tx.Ledger.Lot(lot)
		assert.Equal(t, lots[0], one)
		return errors.Join(err, lotErr, tx.Ledger.SetLotExpiry(lot, noon))
	}))
}

func ledgerOnce(t *testing.T, e Engine) {
	_, lot := e.card(t, 7, 1, 500)
	post := func(tx cards.LedgerTx) error {
		return e.Cards.Update(t.Context(), func(s cards.Tx) error { return cards.Post(s, tx) })
	}
	require.NoError(t, post(issueTx("k", lot, 10)))
	assert.ErrorIs(t, post(issueTx("k", lot, 10)), cards.ErrPosted)
	lame := issueTx("l", lot, 10)
	lame.Entries[0].Points++
	assert.ErrorIs(t, post(lame), cards.ErrUnbalanced)
	require.NoError(t, e.Cards.Update(t.Context(), func(s cards.Tx) error {
		got, found, err := s.Ledger.Find("k")
		assert.True(t, found)
		assert.Equal(t, issueTx("k", lot, 10), got)
		_, found, _ = s.Ledger.Find("l")
		assert.False(t, found)
		l, _ := s.Ledger.Lot(lot)
		assert.Equal(t, money.Points(510), l.Avail)
		return err
	}))
}

// racingSpenders reserve from one card until it is empty: exactly as often as its points allow.
func racingSpenders(t *testing.T, e Engine) {
	id, lot := e.card(t, 7, 1, 500)
	var won atomic.Int64
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			err := e.Cards.Update(context.Background(), func(tx cards.Tx) error {
				return cards.Reserve(tx, cards.Spend{LegID: int64(i + 1), CardID: id, Actor: "test", At: noon}, 70)
			})
			if err == nil {
				won.Add(1)
			} else if !errors.Is(err, cards.ErrPointsInsufficient) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	assert.EqualValues(t, 7, won.Load())
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		l, err := tx.Ledger.Lot(lot)
		assert.Equal(t, "10 490", fmt.Sprintf("%d %d", l.Avail, l.Held))
		return err
	}))
}
