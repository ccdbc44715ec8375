package storetest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/money"
	"marquee/server/order"
)

// oneActivePayment tests that an order has at most one payment that is open or paid: Insert and Move return
// ErrPaymentChanged for a second one. Move also returns it if the payment is not in the expected state. Payments are
// listed in the order of their attempts.
func oneActivePayment(t *testing.T, e Engine) {
	o := e.pending(t, "1", 7)
	first, second := openPayment(o, 1), openPayment(o, 2)
	e.update(t, func(tx order.Tx) error { return tx.Payments.Insert(&first) })
	assert.ErrorIs(t, e.try(t, func(tx order.Tx) error { return tx.Payments.Insert(&second) }), order.ErrPaymentChanged)
	e.update(t, func(tx order.Tx) error {
		got, err := tx.Payments.ByTrade("1-1")
		assert.Equal(t, first, got)
		return err
	})
	assert.ErrorIs(t, e.try(t, func(tx order.Tx) error {
		_, err := tx.Payments.ByTrade("1-9")
		return err
	}), order.ErrTradeNotFound)
	e.update(t, func(tx order.Tx) error { return tx.Payments.Move(first.ID, order.PaymentOpen, order.PaymentClosed) })
	assert.ErrorIs(t, e.try(t, func(tx order.Tx) error {
		return tx.Payments.Move(first.ID, order.PaymentOpen, order.PaymentPaid)
	}), order.ErrPaymentChanged)
	e.update(t, func(tx order.Tx) error { return tx.Payments.Insert(&second) })
	assert.ErrorIs(t, e.try(t, func(tx order.Tx) error {
		return tx.Payments.Move(first.ID, order.PaymentClosed, order.PaymentPaid)
	}), order.ErrPaymentChanged, "the order has another active payment")
	all, err := e.Orders.Payments(t.Context(), "1")
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.Equal(t, second, all[1])
}

// cardsForOrder tests that CardsFor adds the points that the open payment of an order holds to the balances of the
// cards.
func cardsForOrder(t *testing.T, e Engine) {
	first, _ := e.card(t, 7, 1, 500)
	second, _ := e.card(t, 7, 2, 300)
	o := e.pending(t, "1", 7)
	p := openPayment(o, 1)
	p.Legs = append(p.Legs, order.Leg{Kind: order.ByCard, Title: "card", CardID: second, Amount: 200})
	balances := func(orderNo string) map[int64]money.Points {
		list, err := e.Orders.CardsFor(t.Context(), 7, orderNo, noon)
		require.NoError(t, err)
		got := map[int64]money.Points{}
		for _, c := range list {
			got[c.ID] = c.Balance
		}
		return got
	}
	free := map[int64]money.Points{first: 500, second: 300}
	assert.Equal(t, free, balances("1"))
	e.update(t, func(tx order.Tx) error { return tx.Payments.Insert(&p) })
	assert.Equal(t, map[int64]money.Points{first: 500, second: 500}, balances("1"))
	assert.Equal(t, free, balances("2"), "another order")
	assert.Equal(t, free, balances(""), "an order that does not exist yet")
	e.update(t, func(tx order.Tx) error { return tx.Payments.Move(p.ID, order.PaymentOpen, order.PaymentClosed) })
	assert.Equal(t, free, balances("1"), "the payment is not open")
}

// captureOnce tests that a leg can be captured only once (the second call returns ErrPaymentChanged), and that a
// transaction of the gateway can capture only one leg (ErrNotifyRejected).
func captureOnce(t *testing.T, e Engine) {
	a, b := e.pending(t, "1", 7), e.pending(t, "2", 8)
	pa, pb := openPayment(a, 1), openPayment(b, 1)
	e.update(t, func(tx order.Tx) error { return tx.Payments.Insert(&pa) })
	e.update(t, func(tx order.Tx) error { return tx.Payments.Insert(&pb) })
	e.update(t, func(tx order.Tx) error { return tx.Payments.CaptureLeg(pa.Legs[0], "tx-1", noon) })
	assert.ErrorIs(t, e.try(t, func(tx order.Tx) error { return tx.Payments.CaptureLeg(pa.Legs[0], "tx-1", noon) }),
		order.ErrPaymentChanged)
	assert.ErrorIs(t, e.try(t, func(tx order.Tx) error { return tx.Payments.CaptureLeg(pb.Legs[0], "tx-1", noon) }),
		order.ErrNotifyRejected)
	all, err := e.Orders.Payments(t.Context(), "1")
	require.NoError(t, err)
	assert.Equal(t, a.Total, all[0].Legs[0].Captured)
	assert.Equal(t, "tx-1", all[0].Legs[0].TransactionID)
}

// refundsWithin tests that the refunds of a leg never add up to more than was captured, that a generation of a leg is
// unique, and that Save requires the expected state. Otherwise Insert and Save return ErrPaymentChanged.
func refundsWithin(t *testing.T, e Engine) {
	o := e.pending(t, "1", 7)
	p := openPayment(o, 1)
	e.update(t, func(tx order.Tx) error { return tx.Payments.Insert(&p) })
	leg := p.Legs[0]
	leg.Captured = leg.Amount
	insert := func(r order.Refund) (order.Refund, error) {
		err := e.try(t, func(tx order.Tx) error { return tx.Refunds.Insert(&r) })
		return r, err
	}
	_, err := insert(order.NewRefund(leg, 1, "x", noon))
	assert.ErrorIs(t, err, order.ErrPaymentChanged, "the leg is not captured")
	e.update(t, func(tx order.Tx) error { return tx.Payments.CaptureLeg(leg, "tx", noon) })
	half := order.NewRefund(leg, 1, "x", noon)
	half.Amount = leg.Amount - 1
	r, err := insert(half)
	require.NoError(t, err)
	assert.NotZero(t, r.ID)
	_, err = insert(half)
	assert.ErrorIs(t, err, order.ErrPaymentChanged, "a generation of a leg is unique")
	more := order.NewRefund(leg, 2, "x", noon)
	more.Amount = 2
	_, err = insert(more)
	assert.ErrorIs(t, err, order.ErrPaymentChanged)
	more.Amount = 1
	_, err = insert(more)
	assert.NoError(t, err)

	sent := r
	sent.State, sent.SentAt, sent.RefundID = order.RefundSending, noon, "R1"
	e.update(t, func(tx order.Tx) error { return tx.Refunds.Save(sent, order.RefundReady) })
	assert.ErrorIs(t, e.try(t, func(tx order.Tx) error { return tx.Refunds.Save(sent, order.RefundReady) }),
		order.ErrPaymentChanged)
	e.update(t, func(tx order.Tx) error {
		got, err := tx.Refunds.Get(r.ID)
		assert.Equal(t, sent, got)
		return err
	})
	e.update(t, func(tx order.Tx) error {
		got, err := tx.Refunds.ByNumber("1-1-r1")
		assert.Equal(t, sent, got)
		_, missing := tx.Refunds.ByNumber("none")
		assert.ErrorIs(t, missing, order.ErrRefundNotFound)
		return err
	})
	all, err := e.Reader.Refunds(t.Context(), "1")
	require.NoError(t, err)
	assert.Len(t, all, 2)
}

// legsNameThePayer tests that a leg in the messaging app is not inserted without the identity of its payer, unless it
// is paid from a browser. Any other leg without an identity must belong to a closed account, whose data were removed.
func legsNameThePayer(t *testing.T, e Engine) {
	p := openPayment(e.pending(t, "1", 7), 1)
	p.Legs[0].OpenID = ""
	require.Error(t, e.try(t, func(tx order.Tx) error { return tx.Payments.Insert(&p) }))
	p.Legs[0].H5 = true
	e.update(t, func(tx order.Tx) error { return tx.Payments.Insert(&p) })
	e.update(t, func(tx order.Tx) error {
		kept, err := tx.Payments.ByTrade(p.Legs[0].OutTradeNo)
		assert.True(t, kept.Legs[0].H5, "the trade is still a browser's")
		assert.Empty(t, kept.Legs[0].OpenID)
		return err
	})
}
