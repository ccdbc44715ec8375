package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/money"
	"marquee/server/order"
)

// issueTx returns a ledger transaction that issues points (1/100 point) to a lot.
func issueTx(key string, lot, points int64) cards.LedgerTx {
	return cards.LedgerTx{Key: key, Event: cards.EventIssue, Actor: "test", At: noon, Entries: []cards.Entry{
		{Account: cards.Issued, Points: -money.Points(points)},
		{Account: cards.Avail, LotID: lot, Points: money.Points(points)},
	}}
}

// cardRows tests that Get, ByNumber and CardsOf return what was saved, with the balance of the lots that have not
// expired at the given time. Save returns ErrStale if the version has changed. Numbers are unique. A card with points
// cannot be deleted.
func cardRows(t *testing.T, e Engine) {
	id, lot := e.card(t, 7, 1, 500)
	err := e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		c, err := tx.Cards.Get(id, noon)
		require.NoError(t, err)
		assert.Equal(t, cards.Card{
			ID: id, PID: cards.SuperCard, Number: "8000000701", UserID: 7, Status: cards.Active, Version: 1,
			CreatedAt: noon, Balance: 500, EndTime: noon.Add(24 * time.Hour),
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
		assert.Zero(t, late.Balance, "an expired lot is not part of the balance")
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
	expired, err := e.Cards.ExpiredLots(t.Context(), noon.Add(24*time.Hour), 10)
	require.NoError(t, err)
	require.Len(t, expired, 1)
	assert.Equal(t, lot, expired[0].ID)
	expired, err = e.Cards.ExpiredLots(t.Context(), noon.Add(24*time.Hour-time.Second), 10)
	require.NoError(t, err)
	assert.Empty(t, expired)
	err = e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		c := list[0]
		c.Deleted = true
		return tx.Cards.Save(c)
	})
	assert.Error(t, err, "a card with points cannot be deleted")
}

// cardTries tests that the count of wrong card passwords of a buyer or a card is returned as it was set, and that
// DeleteExpired deletes only expired ones.
func cardTries(t *testing.T, e Engine) {
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		for _, want := range []cards.Tries{{}, {Wrong: 2, Until: noon}, {Wrong: 5, Until: noon.Add(time.Hour)}, {}} {
			require.NoError(t, tx.Tries.Set("user:7", want))
			got, err := tx.Tries.Get("user:7")
			require.NoError(t, err)
			assert.Equal(t, want, got)
		}
		expired, counting := cards.Tries{Wrong: 4, Until: noon}, cards.Tries{Wrong: 1, Until: noon.Add(time.Minute)}
		require.NoError(t, tx.Tries.Set("user:8", expired))
		require.NoError(t, tx.Tries.Set("card:1", counting))
		require.NoError(t, tx.Tries.DeleteExpired(noon.Add(time.Second)))
		for scope, want := range map[string]cards.Tries{"user:8": {}, "card:1": counting} {
			got, err := tx.Tries.Get(scope)
			require.NoError(t, err)
			assert.Equal(t, want, got, scope)
		}
		return nil
	}))
}

// lotsGuarded tests that no move makes the available or the held points of a lot negative; MoveLot returns
// ErrPointsInsufficient instead.
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
		return errors.Join(err, lotErr)
	}))
}

// ledgerOnce tests that a ledger transaction is posted once for its key (ErrPosted), only if its entries add up to zero
// (ErrUnbalanced), and moves the lot in the same transaction.
func ledgerOnce(t *testing.T, e Engine) {
	_, lot := e.card(t, 7, 1, 500)
	post := func(tx cards.LedgerTx) error {
		return e.Cards.Update(t.Context(), func(s cards.Tx) error { return cards.Post(s, tx) })
	}
	require.NoError(t, post(issueTx("k", lot, 10)))
	assert.ErrorIs(t, post(issueTx("k", lot, 10)), cards.ErrPosted)
	unbalanced := issueTx("l", lot, 10)
	unbalanced.Entries[0].Points++
	assert.ErrorIs(t, post(unbalanced), cards.ErrUnbalanced)
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

// parallelSpends makes 20 parallel reservations of 0.70 points on a card with 5.00 points: exactly 7 succeed.
func parallelSpends(t *testing.T, e Engine) {
	id, lot := e.card(t, 7, 1, 500)
	errs := inParallel(20, func(i int) error {
		return e.Cards.Update(context.Background(), func(tx cards.Tx) error {
			return cards.Reserve(tx, cards.Spend{LegID: int64(i + 1), CardID: id, Actor: "test", At: noon}, 70)
		})
	})
	assert.Equal(t, 20-7, countRejections(t, errs, cards.ErrPointsInsufficient))
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		l, err := tx.Ledger.Lot(lot)
		assert.Equal(t, "10 490", fmt.Sprintf("%d %d", l.Avail, l.Held))
		return err
	}))
}

// mergedCards tests that MergeTarget follows a merged card to the card that now has its points. Reinstate makes a
// deleted card active again, but neither a merged nor an active one.
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
		c.Deleted, c.MergedInto = true, into
		require.NoError(t, tx.Cards.Save(c))
		for _, id := range []int64{from, into} {
			target, err := tx.Cards.MergeTarget(id)
			require.NoError(t, err)
			assert.Equal(t, into, target)
		}
		_, err = tx.Cards.MergeTarget(999)
		assert.ErrorIs(t, err, cards.ErrCardNotFound)
		for id, want := range map[int64]bool{from: false, into: false} {
			reinstated, err := tx.Cards.Reinstate(id)
			require.NoError(t, err)
			assert.Equal(t, want, reinstated, "a merged card and an active card are not reinstated")
		}
		return nil
	}))
	empty, _ := e.card(t, 7, 3, 0)
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		c, err := tx.Cards.Get(empty, noon)
		require.NoError(t, err)
		c.Deleted = true
		require.NoError(t, tx.Cards.Save(c))
		reinstated, err := tx.Cards.Reinstate(empty)
		assert.True(t, reinstated)
		return err
	}))
	list, err := e.Cards.CardsOf(t.Context(), 7, noon)
	require.NoError(t, err)
	assert.Len(t, list, 2)
}

// mergeCodes tests that a merge code is taken once and before its end; otherwise Take returns ErrMergeCodeInvalid.
func mergeCodes(t *testing.T, e Engine) {
	code := cards.MergeCode{Hash: []byte("h"), UserID: 7, PID: 1, Cards: "1=2", ExpiresAt: noon.Add(time.Minute)}
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error { return tx.MergeCodes.Insert(code) }))
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		_, err := tx.MergeCodes.Take([]byte("none"), noon)
		assert.ErrorIs(t, err, cards.ErrMergeCodeInvalid)
		_, err = tx.MergeCodes.Take(code.Hash, noon.Add(time.Minute))
		assert.ErrorIs(t, err, cards.ErrMergeCodeInvalid, "an expired code is not accepted")
		got, err := tx.MergeCodes.Take(code.Hash, noon)
		assert.Equal(t, code, got)
		_, again := tx.MergeCodes.Take(code.Hash, noon)
		assert.ErrorIs(t, again, cards.ErrMergeCodeInvalid)
		return err
	}))
}

// couponCodes tests that a coupon code belongs to one card, and that ByCoupon returns that card with the hash of its
// password. CardNumbered finds a card without a transaction.
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

// cardRecords tests that Records lists the points of one card by kind of event, latest first, with their total number
// and the order that they paid. Packages returns the recharge packages as they were last replaced.
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
	ticket, bought, foreign := newOrder("t1", 7), goodsOrder("g1"), newOrder("t2", 8)
	e.update(t, func(tx order.Tx) error {
		return errors.Join(tx.Orders.Insert(&ticket), tx.Orders.Insert(&bought), tx.Orders.Insert(&foreign))
	})
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		for leg, no := range []string{"t1", "g1", "t2"} {
			paid := spend(int64(leg+4), other)
			paid.OrderNo = no
			require.NoError(t, errors.Join(cards.Reserve(tx, paid, 10), cards.Commit(tx, paid)))
		}
		return nil
	}))
	list, _, err = e.Cards.Records(t.Context(), other, cards.Consumption, 3, 0)
	require.NoError(t, err)
	require.Len(t, list, 3)
	assert.Zero(t, list[0].Order, "an order of another buyer")
	assert.Equal(t, cards.RecordOrder{No: "g1", Kind: "goods", Title: "会员"}, list[1].Order)
	assert.Equal(t, cards.RecordOrder{No: "t1", Kind: "ticket", Title: "流浪地球"}, list[2].Order)
	require.NoError(t, e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		return tx.Packages.Replace([]cards.Package{{Points: 100, Price: 90}, {Points: 10, Price: 10}})
	}))
	packages, err := e.Cards.Packages(t.Context())
	require.NoError(t, err)
	require.Len(t, packages, 2)
	assert.EqualValues(t, 90, packages[0].Price)
}
