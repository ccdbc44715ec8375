package purchase_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/audit"
	"marquee/server/fault"
	"marquee/server/fulfilment"
	"marquee/server/goods"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase"
)

func TestGoods_WithdrawnCodeIsReplacedOrTheOrderIsRefunded(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 2)
	card, other := s.giveCard(t, 7, 500), s.giveCard(t, 7, 500)
	first, trade := s.buyGoodsInApp(t, buyRequest(s.codes, card))
	withdraw := func(i int) error {
		return s.goods.WithdrawCode(t.Context(), goods.Code{Num: fmt.Sprintf("N%03d", i),
			Pass: fmt.Sprintf("secret-%d", i)}, "wrong", "admin:1")
	}
	require.NoError(t, withdraw(0))
	s.verifyBooks(t)
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade)))
	codes, err := s.goods.CodesOf(t.Context(), first.No)
	require.NoError(t, err)
	assert.Equal(t, []goods.Code{{Num: "N001", Pass: "secret-1"}}, codes)
	assert.ErrorIs(t, withdraw(1), goods.ErrCodeGiven)
	s.verifyBooks(t)

	_, err = s.goods.AddCodes(t.Context(), "codes-month", []goods.Code{{Num: "N002", Pass: "secret-2"}}, "admin:1")
	require.NoError(t, err)
	second, trade := s.buyGoodsInApp(t, buyRequest(s.codes, other))
	require.NoError(t, withdraw(2))
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade)))
	assert.Equal(t, order.Paid, s.state(t, second))
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, time.Minute)
	assert.Equal(t, order.Refunded, s.state(t, second))
	s.assertBalance(t, other, 500)
	d, err := s.Orders.Order(t.Context(), 7, second.No)
	require.NoError(t, err)
	assert.Len(t, d.Refunds, 2)
	assert.Zero(t, s.stock(t, s.codes), "a withdrawn code does not return to the stock")
}

func TestGoods_RechargeWaitsForTheBackOffice(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 0)
	card := s.giveCard(t, 7, 10_000)
	buy := func() order.Order {
		o, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, buyRequest(s.topup, card))
		require.NoError(t, err)
		s.runDueJobsAfter(t, 0)
		assert.Equal(t, order.Issuing, s.state(t, o))
		return o
	}
	o := buy()
	s.runJobsForMinutes(t, 9)
	stuck, err := s.Orders.Order(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.True(t, stuck.Order.Stuck, "the order is flagged for an operator")
	require.NoError(t, s.Checkout.Refunds.Retry(t.Context(), o.No, "admin:1"))
	require.NoError(t, s.Fulfilment.MarkDelivered(t.Context(), o.No, "admin:1"))
	assert.Equal(t, order.Issued, s.state(t, o))
	assert.ErrorIs(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "late", false, "admin:1"), fulfilment.ErrNotVoided)
	assert.ErrorIs(t, s.Checkout.Refunds.Retry(t.Context(), o.No, "admin:1"), order.ErrOrderState)
	o = buy()
	assert.ErrorIs(t, s.Fulfilment.RefundOrder(t.Context(), o.No, " ", true, "admin:1"), audit.ErrReasonRequired)
	assert.ErrorIs(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "账号不存在", true, "admin:1"), order.ErrOrderState,
		"the request may be running")
	s.clock.Advance(requestMayRun)
	require.NoError(t, s.Fulfilment.RefundOrder(t.Context(), o.No, "账号不存在", true, "admin:1"))
	assert.Equal(t, order.Refunded, s.state(t, o))
	avail, _ := s.balance(t, 7, card)
	assert.Equal(t, 10_000-money.Points(goodsPrice), avail)
	assert.Equal(t, 4, s.stock(t, s.topup))
	assert.Equal(t, 1, s.audits(t, "order.delivered"))
	assert.Equal(t, 1, s.audits(t, "order.given_up"))
}

// fakeTopupProvider implements order.Deliverer: it records the requests and answers with the error and state of the
// test.
type fakeTopupProvider struct {
	mu       sync.Mutex
	requests []order.IssueRequest
	issue    error
	state    order.ProviderState
}

func (d *fakeTopupProvider) Issue(_ context.Context, r order.IssueRequest) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.requests = append(d.requests, r)
	return d.issue
}

func (d *fakeTopupProvider) Query(_ context.Context, no string) (order.ProviderOrder, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return order.ProviderOrder{OrderNo: no, State: d.state}, nil
}

func TestGoods_RechargeByAProvider(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		topup *fakeTopupProvider
		want  order.State
	}{
		"done":             {&fakeTopupProvider{state: order.ProviderIssued}, order.Issued},
		"rejected at once": {&fakeTopupProvider{issue: order.ErrIssueRejected}, order.Refunded},
		"rejected later":   {&fakeTopupProvider{state: order.ProviderIssueRejected}, order.Refunded},
		"not answered, then done": {&fakeTopupProvider{issue: fault.ErrUnknown, state: order.ProviderIssued},
			order.Issued},
		"in progress": {&fakeTopupProvider{state: order.ProviderIssuing}, order.Issuing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newGoodsShop(t, 0, func(config *purchase.Config) { config.Topup = c.topup })
			card := s.giveCard(t, 7, 10_000)
			o, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, buyRequest(s.topup, card))
			require.NoError(t, err)
			s.runDueJobsAfter(t, 0)
			s.runDueJobsAfter(t, 3*time.Second)
			assert.Equal(t, c.want, s.state(t, o))
			require.Len(t, c.topup.requests, 1)
			assert.Equal(t, order.IssueRequest{OrderNo: o.No, Amount: goodsPrice, Mobile: "13800000007",
				Product: "topup-month"}, c.topup.requests[0])
		})
	}
}
