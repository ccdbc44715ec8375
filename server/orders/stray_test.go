package orders_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"marquee/server/orders"
	"marquee/server/orders/orderstest"
)

func TestIssue_AStrayUnknownAmongManyPollsRefundsNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := paidByBoth(t, s)
	s.after(t, 0)
	for range 8 {
		s.after(t, time.Minute)
	}
	s.source.On(orderstest.Plan{Op: "query", Err: orders.ErrProviderOrderNotFound, Times: 1})
	s.after(t, time.Minute)
	assert.Equal(t, orders.Issuing, s.state(t, o))
	s.source.Deliver(o.No)
	s.after(t, time.Minute)
	assert.Equal(t, orders.Issued, s.state(t, o))
	s.sound(t)
}

func TestIssue_AProviderThatKeepsForgettingTheOrderRefundsIt(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := paidByBoth(t, s)
	s.after(t, 0)
	for range 8 {
		s.after(t, time.Minute)
	}
	s.source.On(orderstest.Plan{Op: "query", Err: orders.ErrProviderOrderNotFound, Times: 50})
	s.after(t, time.Minute)
	assert.Equal(t, orders.Refunded, s.state(t, o))
}
