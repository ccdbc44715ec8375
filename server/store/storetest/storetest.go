// Package storetest is what every store of the shop must do: one suite, run against each engine.
package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/goods"
	"marquee/server/jobs"
	"marquee/server/order"
)

// Orders is everything of the order store that the suite holds an engine to.
type Orders interface {
	order.Store
	order.Reader
	order.Verifier
	jobs.Store
	Purge(ctx context.Context, before time.Time) (int, error)
}

// Engine is an empty, migrated database as its users see it.
type Engine struct {
	Orders Orders
	Cards  cards.Store
	Goods  goods.Store
}

// Run runs the suite; open makes a fresh engine for each test.
func Run(t *testing.T, open func(t *testing.T) Engine) {
	for name, test := range map[string]func(*testing.T, Engine){
		"order round trip":                  orderRoundTrip,
		"one open order a buyer":            oneOpenOrder,
		"compare and set of orders":         orderCompareAndSet,
		"provider numbers are unique":       providerNumbers,
		"order lists":                       orderLists,
		"a view is one moment":              views,
		"an update is all or nothing":       allOrNothing,
		"a seat has one active hold":        oneHold,
		"holds of an order move together":   holdsMove,
		"cards":                             cardRows,
		"card tries":                        cardTries,
		"lots are guarded":                  lotsGuarded,
		"ledger keys happen once":           ledgerOnce,
		"racing spenders never overdraw":    racingSpenders,
		"one active payment an order":       oneActivePayment,
		"a leg is captured once":            captureOnce,
		"refunds stay within the capture":   refundsWithin,
		"tasks are leased":                  taskLeases,
		"tasks are claimed by one":          taskClaims,
		"tasks wait in their own lane":      taskLanes,
		"provider calls keep their request": callKeys,
		"idempotency keys":                  idempotencyKeys,
		"purge":                             purge,
		"goods on their shelves":            goodsShelves,
		"stock moves with its order":        stockMoves,
		"codes are given once":              codesGiven,
		"racing buyers never oversell":      racingBuyers,
		"merged cards have an heir":         mergedCards,
		"merge codes are used once":         mergeCodes,
		"coupon codes":                      couponCodes,
		"records and packages":              cardRecords,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

var noon = time.Date(2026, 3, 14, 4, 0, 0, 0, time.UTC)

// newOrder is a LOCKING ticket order of the buyer for the given seats.
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

// update runs fn in a transaction that must succeed.
func (e Engine) update(t *testing.T, fn func(order.Tx) error) {
	t.Helper()
	require.NoError(t, e.try(t, fn))
}

func (e Engine) try(t *testing.T, fn func(order.Tx) error) error {
	t.Helper()
	return e.Orders.Update(t.Context(), fn)
}

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

// pending inserts an order that waits to be paid.
func (e Engine) pending(t *testing.T, no string, user int64, seats ...string) order.Order {
	t.Helper()
	o := newOrder(no, user, seats...)
	e.insert(t, o)
	require.NoError(t, o.MarkLocked(order.Lock{ProviderNo: "P" + no}, noon))
	e.update(t, func(tx order.Tx) error { return tx.Orders.Save(&o) })
	return o
}

// card makes a card of the buyer's with one lot.
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

// openPayment opens a payment of the whole total in the messaging app.
func openPayment(o order.Order, attempt int) order.Payment {
	return order.Payment{
		OrderNo: o.No, Attempt: attempt, State: order.PaymentOpen, Total: o.Total, CreatedAt: noon,
		Legs: []order.Leg{{
			Kind: order.ByApp, Title: "微信支付", Amount: o.Total, OutTradeNo: order.OutTradeNo(o.No,
				attempt), OpenID: "openid", ExpiresAt: noon.Add(time.Hour),
		}},
	}
}
