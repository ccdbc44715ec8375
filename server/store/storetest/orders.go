package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/goods"
	"marquee/server/order"
)

// orderRoundTrip tests that an order is read as it was saved, inside a transaction and outside. An unknown number is
// ErrOrderNotFound.
func orderRoundTrip(t *testing.T, e Engine) {
	o := e.pending(t, "1", 7, "1-1", "1-2")
	require.NoError(t, o.MarkPaid(noon.Add(time.Second)))
	require.NoError(t, o.MarkIssued(order.ProviderOrder{Tickets: []order.TicketCode{{Name: "取票码", Code: "42"}},
		SMS: "短信"}, noon.Add(time.Second)))
	e.save(t, &o)
	got, err := e.Orders.Order(t.Context(), "1")
	require.NoError(t, err)
	assert.Equal(t, o, got)
	e.update(t, func(tx order.Tx) error {
		inside, err := tx.Orders.Get("1")
		assert.Equal(t, o, inside)
		return err
	})
	_, err = e.Orders.Order(t.Context(), "2")
	assert.ErrorIs(t, err, order.ErrOrderNotFound)
}

// oneOpenOrder tests that a buyer has at most one ticket order that is LOCKING or PENDING; Insert returns
// ErrUnpaidOrder for a second one. Order numbers are unique.
func oneOpenOrder(t *testing.T, e Engine) {
	first := e.pending(t, "1", 7)
	o := newOrder("2", 7)
	assert.ErrorIs(t, e.try(t, func(tx order.Tx) error { return tx.Orders.Insert(&o) }), order.ErrUnpaidOrder)
	e.insert(t, newOrder("3", 8))
	got, found, err := e.Orders.OpenOrder(t.Context(), 7)
	require.NoError(t, err)
	assert.True(t, found)
	assert.Equal(t, "1", got.No)
	require.NoError(t, first.MarkCancelled(noon))
	e.save(t, &first)
	_, found, err = e.Orders.OpenOrder(t.Context(), 7)
	require.NoError(t, err)
	assert.False(t, found)
	e.insert(t, o)
	duplicate := newOrder("2", 9)
	err = e.try(t, func(tx order.Tx) error { return tx.Orders.Insert(&duplicate) })
	assert.Error(t, err, "an order number is unique")
	assert.NotErrorIs(t, err, order.ErrUnpaidOrder)
}

// unpaidEnds tests that UnpaidEnds lists how the buyer's orders of a kind were cancelled or expired, the latest first,
// and whether the gateway had opened a payment.
func unpaidEnds(t *testing.T, e Engine) {
	end := func(no string, user int64, at time.Time, mark func(*order.Order, time.Time) error) {
		o := e.pending(t, no, user)
		require.NoError(t, mark(&o, at))
		e.save(t, &o)
	}
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	end("1", 7, at(1), (*order.Order).MarkCancelled)
	end("2", 7, at(2), (*order.Order).MarkExpired)
	end("3", 7, at(3), (*order.Order).MarkPaid)
	end("4", 8, at(4), (*order.Order).MarkCancelled)
	end("5", 7, at(5), (*order.Order).MarkCancelled)
	e.pending(t, "6", 7)
	e.update(t, func(tx order.Tx) error {
		for _, c := range []struct {
			key     string
			outcome order.Outcome
		}{
			{"prepay:1-1", order.OutcomeRejected}, {"prepay:1-2", order.OutcomeOK}, {"prepay:2-1", order.OutcomeRejected},
			{"prepay:2-2", order.OutcomeUnknown}, {"prepay:5", order.OutcomeRejected}, {"prepay:50-1", order.OutcomeRejected},
			{"lock:5-1", order.OutcomeRejected},
		} {
			if err := errors.Join(tx.Calls.Begin(order.Call{Key: c.key, OrderNo: "1", At: noon}),
				tx.Calls.End(c.key, c.outcome, "", noon)); err != nil {
				return err
			}
		}
		return nil
	})
	ends := func(kind order.Kind, after, until time.Time, most int) (list []order.UnpaidEnd) {
		e.update(t, func(tx order.Tx) (err error) {
			list, err = tx.Orders.UnpaidEnds(7, kind, after, until, most)
			return err
		})
		return list
	}
	payable := func(minutes int) order.UnpaidEnd { return order.UnpaidEnd{At: at(minutes)} }
	unpayable := order.UnpaidEnd{At: at(2), Unpayable: true}
	assert.Equal(t, []order.UnpaidEnd{payable(5), unpayable, payable(1)}, ends(order.Ticket, noon, at(5), 9))
	assert.Equal(t, []order.UnpaidEnd{payable(5), unpayable}, ends(order.Ticket, noon, at(5), 2))
	assert.Equal(t, []order.UnpaidEnd{unpayable}, ends(order.Ticket, at(1), at(4), 9))
}

// orderCompareAndSet tests that Save returns ErrOrderState if the state or the version in the store is not the one that
// the order was read with.
func orderCompareAndSet(t *testing.T, e Engine) {
	o := e.pending(t, "1", 7)
	first, second := o, o
	require.NoError(t, first.MarkCancelled(noon))
	require.NoError(t, second.MarkPaid(noon))
	e.save(t, &first)
	assert.ErrorIs(t, e.try(t, func(tx order.Tx) error { return tx.Orders.Save(&second) }), order.ErrOrderState)
	stuck, other := first, first
	stuck.MarkStuck(noon)
	e.save(t, &stuck)
	other.MarkStuck(noon)
	assert.ErrorIs(t, e.try(t, func(tx order.Tx) error { return tx.Orders.Save(&other) }), order.ErrOrderState,
		"the version must match too")
	got, err := e.Orders.Order(t.Context(), "1")
	require.NoError(t, err)
	assert.Equal(t, order.Cancelled, got.State)
	assert.True(t, got.Stuck)
}

// providerNumbers tests that a provider's order number belongs to one order of its source. Two sources may use the same
// number.
func providerNumbers(t *testing.T, e Engine) {
	e.pending(t, "1", 7)
	o := newOrder("2", 8)
	e.insert(t, o)
	require.NoError(t, o.MarkLocked(order.Lock{ProviderNo: "P1"}, noon.Add(durations.PayWithin), noon))
	assert.Error(t, e.try(t, func(tx order.Tx) error { return tx.Orders.Save(&o) }))
	other := newOrder("3", 9)
	other.Source, other.Snapshot.Show.Source = catalog.NewMovie, catalog.NewMovie
	e.insert(t, other)
	require.NoError(t, other.MarkLocked(order.Lock{ProviderNo: "P1"}, noon.Add(durations.PayWithin), noon))
	e.save(t, &other)
}

// orderLists tests that each tab of the order list has the orders that belong to it at a time, latest first, by pages,
// without orders that are still LOCKING, and that CountOrders counts the same orders.
func orderLists(t *testing.T, e Engine) {
	for i, mark := range []func(*order.Order) error{
		func(o *order.Order) error {
			return errors.Join(o.MarkPaid(noon), o.MarkIssued(order.ProviderOrder{}, noon))
		},
		func(o *order.Order) error { return o.MarkCancelled(noon) },
		func(*order.Order) error { return nil },
	} {
		o := e.pending(t, fmt.Sprint(i), 7)
		require.NoError(t, mark(&o))
		if o.State != order.Pending {
			e.save(t, &o)
		}
	}
	e.insert(t, newOrder("hidden", 8))
	list := func(user int64, tab order.Tab, at time.Time, limit, offset int) []string {
		got, err := e.Reader.ListOrders(t.Context(), order.ListQuery{UserID: user, Tab: tab, Now: at, Limit: limit,
			Offset: offset})
		require.NoError(t, err)
		numbers := []string{}
		for _, o := range got {
			numbers = append(numbers, o.No)
		}
		return numbers
	}
	ended := noon.Add(5 * time.Hour)
	assert.Equal(t, []string{"2", "1", "0"}, list(7, order.TabAll, noon, 10, 0))
	assert.Equal(t, []string{"1"}, list(7, order.TabAll, noon, 1, 1))
	assert.Equal(t, []string{"2"}, list(7, order.TabPending, noon, 10, 0))
	assert.Equal(t, []string{"0"}, list(7, order.TabToUse, noon, 10, 0))
	assert.Empty(t, list(7, order.TabToUse, ended, 10, 0))
	assert.Equal(t, []string{"0"}, list(7, order.TabCompleted, ended, 10, 0))
	assert.Empty(t, list(8, order.TabAll, noon, 10, 0), "LOCKING orders are not listed")
	counts, err := e.Reader.CountOrders(t.Context(), 7, noon)
	require.NoError(t, err)
	assert.Equal(t, order.Counts{All: 3, Pending: 1, ToUse: 1}, counts)

	// Vouchers are listed as to be used until their end, or always if they have none. A recharged account is completed.
	for no, bought := range map[string]order.BoughtGoods{
		"v1": {Type: goods.VirtualCode, EndsAt: noon.Add(24 * time.Hour)}, "v2": {Type: goods.VirtualCode},
		"v3": {Type: goods.AccountRecharge},
	} {
		o, err := order.NewPending(order.Goods, 9, 1500, order.Snapshot{Goods: &bought}, noon)
		require.NoError(t, err)
		o.No = no
		e.insert(t, o)
		require.NoError(t, errors.Join(o.MarkPaid(noon), o.MarkIssued(order.ProviderOrder{}, noon)))
		e.save(t, &o)
	}
	assert.ElementsMatch(t, []string{"v1", "v2"}, list(9, order.TabToUse, noon, 10, 0))
	assert.Equal(t, []string{"v3"}, list(9, order.TabCompleted, noon, 10, 0))
	assert.Equal(t, []string{"v2"}, list(9, order.TabToUse, noon.Add(24*time.Hour), 10, 0))
	counts, err = e.Reader.CountOrders(t.Context(), 9, noon)
	require.NoError(t, err)
	assert.Equal(t, order.Counts{All: 3, ToUse: 2, Completed: 1}, counts)
}

// viewsSeeOneCommit tests that all reads of a View see the store as it was at the first of them. Commits of other
// transactions are not seen.
func viewsSeeOneCommit(t *testing.T, e Engine) {
	pending := func(r order.Reader) int {
		c, err := r.CountOrders(t.Context(), 7, noon)
		require.NoError(t, err)
		return c.Pending
	}
	for _, no := range []string{"1", "2"} { // with statements that are not compiled yet, and with compiled ones
		o := e.pending(t, no, 7)
		require.NoError(t, e.Orders.View(t.Context(), func(r order.Reader) error {
			assert.Equal(t, 1, pending(r))
			require.NoError(t, o.MarkCancelled(noon))
			e.save(t, &o)
			assert.Zero(t, pending(e.Reader), "outside the view the order is cancelled")
			assert.Equal(t, 1, pending(r))
			got, err := r.Order(t.Context(), no)
			assert.Equal(t, order.Pending, got.State)
			return err
		}))
	}
	failure := errors.New("rejected")
	assert.ErrorIs(t, e.Orders.View(t.Context(), func(order.Reader) error { return failure }), failure)
}

// allOrNothing tests that a transaction that returns an error or panics leaves nothing behind.
func allOrNothing(t *testing.T, e Engine) {
	failure := errors.New("rejected")
	assert.ErrorIs(t, e.try(t, func(tx order.Tx) error {
		o := newOrder("1", 7)
		if err := tx.Orders.Insert(&o); err != nil {
			return err
		}
		return failure
	}), failure)
	assert.Error(t, e.try(t, func(tx order.Tx) error {
		o := newOrder("1", 7)
		_ = tx.Orders.Insert(&o)
		panic("bug")
	}))
	_, err := e.Orders.Order(t.Context(), "1")
	assert.ErrorIs(t, err, order.ErrOrderNotFound)
}

// holds returns holds of the order on seats of show s1.
func holds(no string, seats ...string) []order.SeatHold {
	var out []order.SeatHold
	for _, s := range seats {
		out = append(out, order.SeatHold{Source: catalog.Legacy, ShowID: "s1", SeatID: s, OrderNo: no,
			State: order.Held})
	}
	return out
}

// oneHold tests that a seat of a showing is held or sold for one order at a time. Hold takes all seats or returns
// ErrSeatTaken and takes none. A released seat can be held again.
func oneHold(t *testing.T, e Engine) {
	e.insert(t, newOrder("1", 7, "a"), newOrder("2", 8, "a", "b"))
	e.update(t, func(tx order.Tx) error { return tx.Seats.Hold(holds("1", "a"), noon) })
	take := func(tx order.Tx) error { return tx.Seats.Hold(holds("2", "b", "a"), noon) }
	assert.ErrorIs(t, e.try(t, take), order.ErrSeatTaken)
	held := func(seats ...string) bool {
		taken, err := e.Orders.HeldSeats(t.Context(), catalog.Legacy, "s1")
		require.NoError(t, err)
		return slices.ContainsFunc(seats, func(id string) bool { return taken[id] })
	}
	assert.True(t, held("b", "a"))
	assert.False(t, held("b"))
	e.update(t, func(tx order.Tx) error { return tx.Seats.Release("2", noon) })
	assert.True(t, held("a"), "the rejected order holds no seats")
	e.update(t, func(tx order.Tx) error { return tx.Seats.Sell("1", 1, noon) })
	assert.ErrorIs(t, e.try(t, take), order.ErrSeatTaken, "a sold seat is taken")
	assert.True(t, held("a"))
	e.update(t, func(tx order.Tx) error { return tx.Seats.Release("1", noon) })
	assert.False(t, held("a"))
	e.update(t, take)
}

// ownSeats tests that a buyer's own seats are those that its orders hold, and those of ended orders that wait for an
// unlock, unless another order has them. They are of one show and one buyer.
func ownSeats(t *testing.T, e Engine) {
	e.insert(t, newOrder("1", 7, "a", "b"), newOrder("2", 8, "a"))
	own := func(userID int64, source catalog.Source, showID string) map[string]string {
		seats, err := e.Orders.OwnSeats(t.Context(), userID, source, showID)
		require.NoError(t, err)
		return seats
	}
	mine := func() map[string]string { return own(7, catalog.Legacy, "s1") }
	assert.Empty(t, mine())
	e.update(t, func(tx order.Tx) error { return tx.Seats.Hold(holds("1", "a", "b"), noon) })
	assert.Equal(t, map[string]string{"a": "1", "b": "1"}, mine())
	assert.Empty(t, own(8, catalog.Legacy, "s1"))
	assert.Empty(t, own(7, catalog.NewMovie, "s1"))
	assert.Empty(t, own(7, catalog.Legacy, "s2"))
	e.update(t, func(tx order.Tx) error { return tx.Seats.Release("1", noon) })
	assert.Empty(t, mine(), "the source has given them back")
	e.update(t, func(tx order.Tx) error { return tx.Jobs.Schedule(order.TaskUnlock, "1", "a", noon) })
	assert.Equal(t, map[string]string{"a": "1", "b": "1"}, mine())
	e.update(t, func(tx order.Tx) error { return tx.Seats.Hold(holds("2", "a"), noon) })
	assert.Equal(t, map[string]string{"b": "1"}, mine())
	e.update(t, func(tx order.Tx) error { return tx.Seats.Sell("2", 1, noon) })
	assert.Equal(t, map[string]string{"b": "1"}, mine())
	assert.Empty(t, own(8, catalog.Legacy, "s1"), "sold")
}

// holdsMove tests that Sell and Release move all holds of an order, and that Sell fails and moves none unless there are
// as many as given. A second Release succeeds.
func holdsMove(t *testing.T, e Engine) {
	e.insert(t, newOrder("1", 7, "a", "b"))
	e.update(t, func(tx order.Tx) error { return tx.Seats.Hold(holds("1", "a", "b"), noon) })
	sell := func(seats int) func(order.Tx) error {
		return func(tx order.Tx) error { return tx.Seats.Sell("1", seats, noon) }
	}
	assert.ErrorIs(t, e.try(t, sell(1)), order.ErrNotHeld)
	assert.ErrorIs(t, e.try(t, sell(3)), order.ErrNotHeld)
	e.update(t, sell(2))
	assert.ErrorIs(t, e.try(t, sell(2)), order.ErrNotHeld, "they are sold")
	for range 2 {
		e.update(t, func(tx order.Tx) error { return tx.Seats.Release("1", noon) })
		taken, err := e.Orders.HeldSeats(t.Context(), catalog.Legacy, "s1")
		require.NoError(t, err)
		assert.Empty(t, taken)
	}
}

// brokenRules tests that a transaction that breaks a rule, or whose function fails, does not return ErrStoreFailed: a
// caller repeats only transactions that the engine failed to run.
func brokenRules(t *testing.T, e Engine) {
	own := errors.New("own")
	o := newOrder("1", 7, "1-1")
	o.Total = -1
	assert.NotErrorIs(t, e.try(t, func(order.Tx) error { return own }), order.ErrStoreFailed)
	assert.NotErrorIs(t, e.try(t, func(tx order.Tx) error { return tx.Orders.Insert(&o) }), order.ErrStoreFailed)
	require.Error(t, e.try(t, func(tx order.Tx) error { return tx.Orders.Insert(&o) }), "a rule of the schema")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	assert.ErrorIs(t, e.Orders.Update(ended, func(order.Tx) error { return nil }), order.ErrStoreFailed)
}

// foreignTexts writes invalid texts of a provider: the order is still saved, with U+FFFD in place of NUL and invalid
// UTF-8.
func foreignTexts(t *testing.T, e Engine) {
	o := e.pending(t, "t1", 7, "s1")
	require.NoError(t, o.MarkPaid(noon))
	require.NoError(t, o.MarkIssueFailed("影院\x00故障\xff", noon))
	e.save(t, &o)
	got, err := e.Reader.Order(t.Context(), "t1")
	require.NoError(t, err)
	assert.Equal(t, "影院\uFFFD故障\uFFFD", got.FailReason)
}
