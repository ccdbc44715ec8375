// Package storetest tests implementations of the stores: one suite for orders, payments, tasks, cards and goods, and
// further suites for accounts and content. Each database engine runs them in its own tests.
package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/goods"
	"marquee/server/jobs"
	"marquee/server/order"
	"marquee/server/personal"
	"marquee/server/reconcile"
)

// Purger deletes old records: idempotency keys, provider calls and merge codes.
type Purger interface {
	// Purge deletes records that are older than before, in at most the given number of steps. It returns their number,
	// and whether nothing is left to delete.
	Purge(ctx context.Context, before time.Time, steps int) (deleted int, done bool, err error)
}

// Engine is the stores of one empty, migrated database. All fields are required and must use the same database.
type Engine struct {
	Orders         order.Store
	Reader         order.Reader
	Tasks          jobs.Store
	Purger         Purger
	Cards          cards.Store
	Goods          goods.Store
	Reconciliation reconcile.Store
	Accounts       account.SessionStore
	Personal       personal.Store
}

// Run runs the suite. It calls open once for each test, which must return an engine on a new database.
func Run(t *testing.T, open func(t *testing.T) Engine) {
	for name, test := range map[string]func(*testing.T, Engine){
		"order round trip":       orderRoundTrip,
		"one open order a buyer": oneOpenOrder, "ends without payment": unpaidEnds,
		"compare and set of orders":           orderCompareAndSet,
		"provider numbers are unique":         providerNumbers,
		"order lists":                         orderLists,
		"a view sees one commit":              viewsSeeOneCommit,
		"an update is all or nothing":         allOrNothing,
		"texts of other parties":              foreignTexts,
		"broken rules are not store failures": brokenRules,
		"a seat has one active hold":          oneHold,
		"a buyer's own seats":                 ownSeats,
		"holds of an order move together":     holdsMove,
		"cards":                               cardRows,
		"card tries":                          cardTries,
		"lots are guarded":                    lotsGuarded,
		"ledger keys are posted once":         ledgerOnce,
		"parallel spends never overdraw":      parallelSpends,
		"one active payment an order":         oneActivePayment,
		"cards with an order's own points":    cardsForOrder,
		"an app leg names its payer":          legsNameThePayer,
		"closed accounts get nothing new":     closedAccounts,
		"unfinished orders of a buyer":        unfinishedOrders,
		"unfinished money of a buyer":         unfinishedMoney,
		"what a buyer would lose":             lostBelongings,
		"orders without their buyer":          anonymisedOrders,
		"a leg is captured once":              captureOnce,
		"refunds stay within the capture":     refundsWithin,
		"tasks are leased":                    taskLeases,
		"tasks are claimed once":              taskClaims,
		"texts are ordered by their bytes":    textOrder,
		"tasks wait in their own queue":       taskQueues,
		"provider calls keep their request":   callKeys,
		"idempotency keys":                    idempotencyKeys,
		"purge":                               purge,
		"goods on sale":                       goodsOnSale,
		"stock follows its order":             stockFollowsOrder,
		"codes are given once":                codesGiven,
		"parallel buyers never oversell":      parallelBuyers,
		"merge target of merged cards":        mergedCards,
		"merge codes are used once":           mergeCodes,
		"coupon codes":                        couponCodes,
		"records and packages":                cardRecords,
		"statements match our records":        statementsMatch,
		"ticket lists match our orders":       ticketsMatch,
		"statements are replaced":             statementsReplace,
		"statements of a late refund":         statementsLateRefund,
		"differences end":                     differencesEnd,
		"attempts of statements":              attemptsOfStatements,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

// noon is the current time of the tests, 12:00 in Shanghai.
var noon = time.Date(2026, 3, 14, 4, 0, 0, 0, time.UTC)

// newOrder returns a LOCKING ticket order of the buyer for the given seats. It is not inserted.
func newOrder(no string, user int64, seats ...string) order.Order {
	o := order.Order{
		No: no, Kind: order.Ticket, Source: catalog.Legacy, State: order.Locking, Version: 1, UserID: user, Total: 4290,
		CreatedAt: noon, UpdatedAt: noon,
		Snapshot: order.Snapshot{
			Show: catalog.Show{Source: catalog.Legacy, ID: "s1", FilmName: "流浪地球", Starts: noon.Add(3 * time.Hour),
				Ends: noon.Add(5 * time.Hour), Price: 4290},
			CinemaName: "星光影城", CinemaAddress: "人民路1号", Mobile: "13800000000", FilmPoster: "/p.svg",
		},
	}
	for _, s := range seats {
		o.Snapshot.Seats = append(o.Snapshot.Seats, catalog.Seat{ID: s, Name: s, Price: 4290})
	}
	return o
}

// update runs fn in a transaction on the order store, which must succeed.
func (e Engine) update(t *testing.T, fn func(order.Tx) error) {
	t.Helper()
	require.NoError(t, e.try(t, fn))
}

// try runs fn in a transaction on the order store and returns the error of the transaction.
func (e Engine) try(t *testing.T, fn func(order.Tx) error) error {
	t.Helper()
	return e.Orders.Update(t.Context(), fn)
}

// insert inserts the orders in one transaction.
func (e Engine) insert(t *testing.T, list ...order.Order) {
	t.Helper()
	e.update(t, func(tx order.Tx) error {
		for _, o := range list {
			if err := tx.Orders.Insert(&o); err != nil {
				return err
			}
		}
		return nil
	})
}

// save saves a changed order. The function of the transaction changes a copy, because it may run more than once.
func (e Engine) save(t *testing.T, o *order.Order) {
	t.Helper()
	var saved order.Order
	e.update(t, func(tx order.Tx) error {
		saved = *o
		return tx.Orders.Save(&saved)
	})
	*o = saved
}

// pending inserts an order and locks its seats, so that it is PENDING.
func (e Engine) pending(t *testing.T, no string, user int64, seats ...string) order.Order {
	t.Helper()
	o := newOrder(no, user, seats...)
	e.insert(t, o)
	require.NoError(t, o.MarkLocked(order.Lock{ProviderNo: "P" + no}, noon.Add(durations.PayWithin), noon))
	e.save(t, &o)
	return o
}

// card inserts the nth card of the buyer, with one lot of the points (1/100 point) that expires after 24 hours.
func (e Engine) card(t *testing.T, user int64, n int, points int64) (cardID, lotID int64) {
	t.Helper()
	err := e.Cards.Update(t.Context(), func(tx cards.Tx) error {
		var err error
		c := cards.Card{PID: cards.SuperCard, Number: fmt.Sprintf("80%06d%02d", user, n), UserID: user,
			Status: cards.Active, Version: 1, CreatedAt: noon}
		if cardID, err = tx.Cards.Insert(c, []byte("hash")); err != nil {
			return err
		}
		if lotID, err = tx.Ledger.InsertLot(cards.Lot{CardID: cardID, ExpiresAt: noon.Add(24 * time.Hour),
			Origin: "issue"}); err != nil || points == 0 {
			return err
		}
		return cards.Post(tx, issueTx(fmt.Sprintf("issue:%d:0", cardID), lotID, points))
	})
	require.NoError(t, err)
	return cardID, lotID
}

// openPayment returns an open payment of the full total in the messaging app. It is not inserted.
func openPayment(o order.Order, attempt int) order.Payment {
	return order.Payment{
		OrderNo: o.No, Attempt: attempt, State: order.PaymentOpen, Total: o.Total, CreatedAt: noon,
		Legs: []order.Leg{{
			Kind: order.ByApp, Title: "微信支付", Amount: o.Total, OutTradeNo: order.OutTradeNo(o.No, attempt),
			OpenID: "openid", ExpiresAt: noon.Add(time.Hour),
		}},
	}
}
