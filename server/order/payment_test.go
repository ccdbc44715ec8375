package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"marquee/server/money"
	"marquee/server/order"
)

func TestSplit_AddsUpAndNeverOverdraws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		total := money.Fen(rapid.Int64Range(1, 100_000).Draw(r, "total"))
		var balances []order.CardBalance
		for i, avail := range rapid.SliceOfN(rapid.Int64Range(0, 30_000), 0, 6).Draw(r, "balances") {
			balances = append(balances, order.CardBalance{CardID: int64(i + 1), Avail: money.Points(avail)})
		}
		q := order.Split(total, balances)
		assert.Equal(t, total, q.Cards+q.App)
		var sum money.Fen
		for i, p := range q.Parts {
			assert.Positive(t, p.Amount)
			assert.LessOrEqual(t, p.Amount, balances[p.CardID-1].Avail.Fen())
			assert.Equal(t, q.CardIDs[i], p.CardID)
			sum += p.Amount
		}
		assert.Equal(t, q.Cards, sum)
		if q.App > 0 {
			for _, p := range balances {
				assert.True(t, p.Avail == 0 || containsAll(q, p), "points are left although the app has to pay")
			}
		}
	})
}

func containsAll(q order.Quote, p order.CardBalance) bool {
	for _, part := range q.Parts {
		if part.CardID == p.CardID {
			return part.Amount == p.Avail.Fen()
		}
	}
	return false
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	assert.Equal(t, "26031412-2", order.OutTradeNo("26031412", 2))
	leg := order.Leg{ID: 5, OrderNo: "26031412", Kind: order.ByApp, Amount: 100, Captured: 100,
		OutTradeNo: "26031412-2"}
	r := order.NewRefund(leg, 1, "why", time.Time{})
	assert.Equal(t, "26031412-2-r1", r.OutRefundNo)
	assert.Equal(t, money.Fen(100), r.Amount)
	assert.Equal(t, order.RefundReady, r.State)
	leg.Kind, leg.OutTradeNo = order.ByCard, ""
	assert.Empty(t, order.NewRefund(leg, 1, "why", time.Time{}).OutRefundNo)
	p := order.Payment{Legs: []order.Leg{leg}}
	_, ok := p.App()
	assert.False(t, ok)
}
