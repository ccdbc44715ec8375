package cards_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/audit"
	"marquee/server/cards"
	"marquee/server/money"
	"marquee/server/pepper"
	"marquee/server/store/sqlite"
	"marquee/server/store/sqlite/sqlitetest"
)

var noon = time.Date(2026, 3, 14, 4, 0, 0, 0, time.UTC)

// fixture is a card service on a real database with a simulated clock.
type fixture struct {
	*cards.Service
	*cards.Issuer
	db  *sqlite.DB
	now atomic.Int64
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	db := sqlitetest.Open(t)
	f := &fixture{db: db}
	f.now.Store(noon.Unix())
	f.Service = cards.New(db.Cards(), testPeppers, f.clock)
	f.Issuer = cards.NewIssuer(db.Cards(), testPeppers, f.clock)
	t.Cleanup(func() { f.verifyLedger(t) })
	return f
}

func (f *fixture) clock() time.Time         { return time.Unix(f.now.Load(), 0).UTC() }
func (f *fixture) advance(by time.Duration) { f.now.Add(int64(by / time.Second)) }
func (f *fixture) update(fn func(cards.Tx) error) error {
	return f.db.Cards().Update(context.Background(), fn)
}

func (f *fixture) issue(t *testing.T, n int, pid cards.PID, points money.Points, life time.Duration) cards.NewCard {
	t.Helper()
	c := cards.NewCard{PID: pid, Number: fmt.Sprintf("8000%012d", n), Password: "right", Points: points,
		ExpiresAt: f.clock().Add(life)}
	require.NoError(t, f.Issue(t.Context(), []cards.NewCard{c}, "admin:1"))
	return c
}

func (f *fixture) bound(t *testing.T, n int, pid cards.PID, points money.Points, life time.Duration) int64 {
	t.Helper()
	c := f.issue(t, n, pid, points, life)
	id, err := f.Bind(t.Context(), 7, c.Number, c.Password)
	require.NoError(t, err)
	return id
}

// verifyLedger fails the test if Discrepancies reports a contradiction between records.
func (f *fixture) verifyLedger(t *testing.T) {
	t.Helper()
	found, err := f.db.Orders().Discrepancies(context.WithoutCancel(t.Context()))
	require.NoError(t, err)
	require.Empty(t, found)
}

const year = 365 * 24 * time.Hour

func TestBind_GivesTheCardToOneBuyer(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.issue(t, 2, cards.MovieCard, 300, year)
	c := f.issue(t, 1, cards.SuperCard, 100, year)
	_, err := f.Bind(t.Context(), 7, c.Number, "wrong")
	require.ErrorIs(t, err, cards.ErrCardNotFound)
	id, err := f.Bind(t.Context(), 7, c.Number, "right")
	require.NoError(t, err)
	list, err := f.List(t.Context(), 7, cards.AllUsable)
	require.NoError(t, err)
	require.Len(t, list, 1)
	assert.Equal(t, c.Number, list[0].Number)
	assert.Equal(t, id, list[0].ID)
	again, err := f.Bind(t.Context(), 7, c.Number, "right")
	require.NoError(t, err)
	assert.Equal(t, id, again)
	_, err = f.Bind(t.Context(), 8, c.Number, "right")
	assert.ErrorIs(t, err, cards.ErrCardBound)
	n, err := f.Count(t.Context(), 7)
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	require.NoError(t, f.Freeze(t.Context(), id, "lost", "admin:1"))
	n, err = f.Count(t.Context(), 7)
	require.NoError(t, err)
	assert.Zero(t, n)
}

func TestBind_FrozenCardIsUnusable(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	c := f.issue(t, 1, cards.SuperCard, 100, year)
	require.NoError(t, f.Freeze(t.Context(), 1, "stolen batch", "admin:1"))
	_, err := f.Bind(t.Context(), 7, c.Number, "right")
	assert.ErrorIs(t, err, cards.ErrCardUnusable)
	require.NoError(t, f.Unfreeze(t.Context(), 1, "found", "admin:1"))
	_, err = f.Bind(t.Context(), 7, c.Number, "right")
	assert.NoError(t, err)
}

// A freeze, made before or after the owner deletes the card, lasts until the back office ends it.
func TestFreeze_HoldsThroughDeletingAndRestoring(t *testing.T) {
	t.Parallel()
	for name, frozenFirst := range map[string]bool{"frozen before it is deleted": true,
		"frozen while it is deleted": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			id := f.bound(t, 1, cards.SuperCard, 100, year)
			s := f.take(t, 1, id, 100, true)
			freeze := func() { require.NoError(t, f.Freeze(t.Context(), id, "stolen", "admin:1")) }
			if frozenFirst {
				freeze()
			}
			require.NoError(t, f.Delete(t.Context(), 7, id))
			if !frozenFirst {
				freeze()
			}
			list, err := f.Unusable(t.Context(), 7)
			require.NoError(t, err)
			assert.Empty(t, list, "a deleted card is not listed")
			_, err = f.Bind(t.Context(), 7, "8000000000000001", "right")
			assert.ErrorIs(t, err, cards.ErrCardNotFound)

			f.endSpend(t, s, true)
			list, err = f.Unusable(t.Context(), 7)
			require.NoError(t, err)
			require.Len(t, list, 1, "the refund put it back on the list")
			assert.Equal(t, cards.Frozen, list[0].Status)
			assert.False(t, list[0].Payable())
			n, err := f.Count(t.Context(), 7)
			require.NoError(t, err)
			assert.Zero(t, n)
			require.NoError(t, f.Unfreeze(t.Context(), id, "returned", "admin:1"))
			assert.EqualValues(t, 100, f.spendable(t, id))
		})
	}
}

func TestIssue_IsAllOrNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	good := cards.NewCard{PID: 1, Number: "1", Password: "p", Points: 1, ExpiresAt: noon.Add(year)}
	for name, bad := range map[string]cards.NewCard{
		"type":     {PID: 12, Number: "2", Password: "p", Points: 1, ExpiresAt: noon.Add(year)},
		"number":   {PID: 1, Password: "p", Points: 1, ExpiresAt: noon.Add(year)},
		"password": {PID: 1, Number: "2", Points: 1, ExpiresAt: noon.Add(year)},
		"points":   {PID: 1, Number: "2", Password: "p", ExpiresAt: noon.Add(year)},
		"expired":  {PID: 1, Number: "2", Password: "p", Points: 1, ExpiresAt: noon},
	} {
		err := f.Issue(t.Context(), []cards.NewCard{good, bad}, "admin:1")
		assert.ErrorIs(t, err, cards.ErrCardInvalid, name)
		assert.ErrorContains(t, err, "card 2 of 2", name)
	}
	assert.ErrorIs(t, f.Issue(t.Context(), []cards.NewCard{good, good}, "admin:1"), cards.ErrCardExists)
	_, err := f.Bind(t.Context(), 7, "1", "p")
	assert.ErrorIs(t, err, cards.ErrCardNotFound)
}

func TestList_FiltersAndSorts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	rich := f.bound(t, 1, cards.SuperCard, 900, year)
	soon := f.bound(t, 2, cards.MovieCard, 500, 29*24*time.Hour)
	cake := f.bound(t, 3, cards.CakeCard, 700, 2*year)
	gone := f.bound(t, 4, cards.SuperCard, 100, time.Hour)
	f.advance(2 * time.Hour)
	ids := func(list []cards.Card, err error) []int64 {
		require.NoError(t, err)
		out := []int64{}
		for _, c := range list {
			out = append(out, c.ID)
		}
		return out
	}
	assert.Equal(t, []int64{soon, rich, cake}, ids(f.List(t.Context(), 7, cards.AllUsable)))
	assert.Equal(t, []int64{soon}, ids(f.List(t.Context(), 7, cards.Expiring)))
	assert.Equal(t, []int64{soon, cake, rich}, ids(f.List(t.Context(), 7, cards.PointsAsc)))
	assert.Equal(t, []int64{rich, cake, soon}, ids(f.List(t.Context(), 7, cards.PointsDesc)))
	assert.Equal(t, []int64{gone}, ids(f.Unusable(t.Context(), 7)))
	assert.Equal(t, []int64{soon, rich}, ids(f.Paying(t.Context(), 7, cards.Movies)))
	assert.Empty(t, ids(f.List(t.Context(), 8, cards.AllUsable)))
}

func TestAdjust_RechargesAndDeducts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.bound(t, 1, cards.SuperCard, 100, year)
	credit := cards.Adjustment{Key: "a", CardID: id, Points: 50, Life: time.Hour, Reason: "gift", Actor: "admin:1"}
	_, err := f.Adjust(t.Context(), credit)
	require.NoError(t, err)
	deduct := cards.Adjustment{Key: "b", CardID: id, Points: -120, Reason: "error", Actor: "admin:1"}
	_, err = f.Adjust(t.Context(), deduct)
	require.NoError(t, err)
	deduct.Key = "c"
	_, err = f.Adjust(t.Context(), deduct)
	assert.ErrorIs(t, err, cards.ErrPointsInsufficient)
	deduct.Reason = " "
	_, err = f.Adjust(t.Context(), deduct)
	assert.ErrorIs(t, err, audit.ErrReasonRequired)
	list, err := f.List(t.Context(), 7, cards.AllUsable)
	require.NoError(t, err)
	assert.Equal(t, money.Points(30), list[0].Balance)
	assert.Equal(t, noon.Add(year), list[0].EndTime, "the short-lived lot was spent first")
}

func TestRecharge_AddsASeparateLotOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.bound(t, 1, cards.SuperCard, 100, year)
	for range 2 {
		require.NoError(t, f.update(func(tx cards.Tx) error {
			return cards.Recharge(tx, cards.Credit{Key: "order-1", CardID: id, Points: 5000, Paid: 4900,
				Actor: "user:7", At: noon})
		}))
	}
	list, err := f.List(t.Context(), 7, cards.AllUsable)
	require.NoError(t, err)
	assert.Equal(t, money.Points(5100), list[0].Balance)
	assert.Equal(t, noon.Add(year), list[0].EndTime, "the bought points expire later")
}

func TestExpireLots_KeepsHeldPoints(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.bound(t, 1, cards.SuperCard, 100, time.Hour)
	spend := cards.Spend{LegID: 1, CardID: id, Actor: "test", At: noon}
	require.NoError(t, f.update(func(tx cards.Tx) error { return cards.Reserve(tx, spend, 40) }))
	f.advance(time.Hour)
	n, err := f.ExpireLots(t.Context())
	require.NoError(t, err)
	assert.Equal(t, 1, n)
	n, err = f.ExpireLots(t.Context())
	require.NoError(t, err)
	assert.Zero(t, n)
	require.NoError(t, f.update(func(tx cards.Tx) error {
		lot, err := tx.Ledger.Lot(1)
		assert.Equal(t, money.Points(0), lot.Avail)
		assert.Equal(t, money.Points(40), lot.Held)
		return err
	}))
	require.NoError(t, f.update(func(tx cards.Tx) error { return cards.Release(tx, spend) }))
}

func TestSpend_EachStepHappensOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.bound(t, 1, cards.SuperCard, 100, year)
	s := cards.Spend{LegID: 1, CardID: id, Actor: "test", At: noon}
	step := func(fn func(cards.Tx) error) error {
		return f.update(func(tx cards.Tx) error { return fn(tx) })
	}
	reserve := func(tx cards.Tx) error { return cards.Reserve(tx, s, 60) }
	require.NoError(t, step(reserve))
	assert.ErrorIs(t, step(reserve), cards.ErrPointsInsufficient)
	for range 2 {
		require.NoError(t, step(func(tx cards.Tx) error { return cards.Commit(tx, s) }))
	}
	assert.Error(t, step(func(tx cards.Tx) error { return cards.Release(tx, s) }), "what is spent cannot be released")
	for range 2 {
		require.NoError(t, step(func(tx cards.Tx) error { return cards.Refund(tx, s, 1, "refund") }))
	}
	unknown := s
	unknown.LegID = 2
	assert.ErrorIs(t, step(func(tx cards.Tx) error { return cards.Commit(tx, unknown) }), cards.ErrUnbalanced)
	list, err := f.List(t.Context(), 7, cards.AllUsable)
	require.NoError(t, err)
	assert.Equal(t, money.Points(100), list[0].Balance)
	assert.Zero(t, list[0].Held)
}

// Points that were not held first are spent once, cannot be released, and are refunded to their lots.
func TestSpend_PayTakesThePointsAtOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.bound(t, 1, cards.SuperCard, 100, year)
	s := cards.Spend{LegID: 1, CardID: id, Actor: "test", At: noon}
	balance := func() money.Points {
		list, err := f.List(t.Context(), 7, cards.AllUsable)
		require.NoError(t, err)
		assert.Zero(t, list[0].Held)
		return list[0].Balance
	}
	require.ErrorIs(t, f.update(func(tx cards.Tx) error { return cards.Pay(tx, s, 101) }), cards.ErrPointsInsufficient)
	require.NoError(t, f.update(func(tx cards.Tx) error { return cards.Pay(tx, s, 40) }))
	require.ErrorIs(t, f.update(func(tx cards.Tx) error { return cards.Pay(tx, s, 40) }), cards.ErrPosted)
	require.ErrorIs(t, f.update(func(tx cards.Tx) error { return cards.Release(tx, s) }), cards.ErrStale)
	require.Equal(t, money.Points(60), balance())
	require.NoError(t, f.update(func(tx cards.Tx) error { return cards.Refund(tx, s, 1, "refund") }))
	require.Equal(t, money.Points(100), balance())
}

func TestPID_NamesAndTickets(t *testing.T) {
	t.Parallel()
	names := map[cards.PID]string{
		1: "超级卡", 2: "蛋糕卡", 3: "电影卡", 4: "图书卡", 5: "超级券", 6: "蛋糕券", 7: "电影券", 8: "图书券", 9: "悦享卡", 10: "尊享券", 11: "尊享券", 12: "", 0: "",
	}
	tickets := map[cards.PID]bool{1: true, 3: true, 5: true, 7: true, 9: true, 10: true, 11: true}
	for pid, name := range names {
		assert.Equal(t, name, pid.Name())
		assert.Equal(t, tickets[pid], pid.Pays(cards.Movies), name)
	}
}

func TestEvent_RecordFlags(t *testing.T) {
	t.Parallel()
	for event, flag := range map[cards.Event]int{
		cards.EventCommit: 1, cards.EventRecharge: 2, cards.EventCredit: 3, cards.EventRefund: 3, cards.EventDeduct: 4,
		cards.EventReserve: 0, cards.EventRelease: 0, cards.EventMerge: 0, cards.EventIssue: 0, cards.EventExpire: 0,
		cards.EventForfeit: 0,
	} {
		assert.Equal(t, flag, event.RecordFlag(), string(event))
	}
}

// Points on a deleted card would be lost to its buyer, and a merged card must stay empty.
func TestAdjust_RejectsADeletedOrMergedCard(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	merged, kept := f.bound(t, 1, cards.SuperCard, 100, year), f.bound(t, 2, cards.SuperCard, 200, year)
	p, err := f.CheckMerge(t.Context(), 7, []int64{merged, kept}, cards.SuperCard)
	require.NoError(t, err)
	_, err = f.Merge(t.Context(), 7, []int64{merged, kept}, cards.SuperCard, p.Code)
	require.NoError(t, err)
	deleted := f.bound(t, 3, cards.MovieCard, 50, time.Hour)
	f.advance(time.Hour)
	require.NoError(t, f.Delete(t.Context(), 7, deleted))
	for name, card := range map[string]int64{"merged": merged, "deleted": deleted} {
		_, err := f.Adjust(t.Context(), cards.Adjustment{
			Key: name, CardID: card, Points: 10, Life: year, Reason: "补偿", Actor: "admin:1",
		})
		assert.ErrorIs(t, err, cards.ErrCardNotFound, name)
	}
}

// testPeppers keys the hashes of the tests.
var testPeppers = func() pepper.Ring {
	ring, err := pepper.New([]byte("a pepper for tests only"), nil)
	if err != nil {
		panic(err)
	}
	return ring
}()
