package storetest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/durations"
	"marquee/server/order"
	"marquee/server/store"
)

// Changes tests that OnCommit gets the changes of a committed transaction exactly once, even if the function of the
// transaction runs twice, and nothing of a transaction that is rolled back.
func Changes(t *testing.T, stores *store.Stores) {
	t.Helper()
	e := Of(stores)
	var committed []order.Changes
	stores.OnCommit(func(c order.Changes) { committed = append(committed, c) })
	o := newOrder("1", 7)
	failed := errors.New("rolled back")
	require.ErrorIs(t, e.try(t, func(tx order.Tx) error {
		inserted := o
		return errors.Join(tx.Orders.Insert(&inserted), failed)
	}), failed)
	assert.Empty(t, committed)

	e.insert(t, o)
	require.NoError(t, o.MarkLocked(order.Lock{ProviderNo: "P1"}, noon.Add(durations.PayWithin), noon))
	e.save(t, &o)
	e.save(t, &o) // in the same state
	payment := order.Payment{OrderNo: "1", Attempt: 1, State: order.PaymentOpen, Total: 900, CreatedAt: noon,
		Legs: []order.Leg{{Kind: order.ByApp, Amount: 900, OutTradeNo: "1-1", OpenID: "o"}}}
	e.update(t, func(tx order.Tx) error {
		p := payment
		return tx.Payments.Insert(&p)
	})
	e.update(t, func(tx order.Tx) error {
		p, err := tx.Payments.ByTrade("1-1")
		if err != nil {
			return err
		}
		return errors.Join(tx.Payments.CaptureLeg(p.Legs[0], "T1", noon),
			tx.Payments.Move(p.ID, order.PaymentOpen, order.PaymentDisputed))
	})
	e.update(t, func(tx order.Tx) error {
		p, err := tx.Payments.ByTrade("1-1")
		if err != nil {
			return err
		}
		r := order.Refund{LegID: p.Legs[0].ID, OrderNo: "1", Kind: order.ByApp, Generation: 1, Amount: 900,
			State: order.RefundSending, OutRefundNo: "R1", CreatedAt: noon}
		if err := tx.Refunds.Insert(&r); err != nil {
			return err
		}
		r.State, r.DoneAt = order.RefundSettled, noon
		return tx.Refunds.Save(r, order.RefundSending)
	})
	paid := []order.Amount{{Leg: order.ByApp, Fen: 900}}
	assert.Equal(t, []order.Changes{
		{Orders: []order.StateChange{{Kind: order.Ticket, To: order.Locking}}},
		{Orders: []order.StateChange{{Kind: order.Ticket, From: order.Locking, To: order.Pending}}},
		{}, {}, {Captured: paid, Disputed: paid}, {Refunded: paid},
	}, committed)
}
