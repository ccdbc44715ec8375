package purchase_test

import (
	"marquee/server/order"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"marquee/server/purchase/purchasetest"
)

func TestIssue_AStrayUnknownAmongManyPollsRefundsNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := paidByBoth(t, s)
	s.runDueJobsAfter(t, 0)
	for range 8 {
		s.runDueJobsAfter(t, time.Minute)
	}
	s.source.On(purchasetest.Plan{Op: "query", Err: order.ErrProviderOrderNotFound, Times: 1})
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Issuing, s.state(t, o))
	s.source.Deliver(o.No)
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Issued, s.state(t, o))
	s.verifyBooks(t)
}

func TestIssue_AProviderThatKeepsForgettingTheOrderRefundsIt(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Slow = true
	o, _ := paidByBoth(t, s)
	s.runDueJobsAfter(t, 0)
	for range 8 {
		s.runDueJobsAfter(t, time.Minute)
	}
	s.source.On(purchasetest.Plan{Op: "query", Err: order.ErrProviderOrderNotFound, Times: 50})
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Refunded, s.state(t, o))
}
