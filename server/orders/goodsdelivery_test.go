package orders_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/fault"
	"marquee/server/goods"
	"marquee/server/money"
	"marquee/server/orders"
)

func TestGoods_WithdrawnCodeIsReplacedOrTheMoneyGoesBack(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 2)
	card, other := s.giveCard(t, 7, 500), s.giveCard(t, 7, 500)
	first, trade := s.buyApp(t, wish(s.codes, card))
	withdraw := func(i int) error {
		return s.goods.WithdrawCode(t.Context(), goods.Code{Num: fmt.Sprintf("N%03d", i), Pass: fmt.Sprintf("secret-%d", i)}, "wrong", "admin:1")
	}
	require.NoError(t, withdraw(0))
	s.sound(t)
	require.NoError(t, s.Capture(t.Context(), s.pay(t, trade)))
	codes, err := s.goods.CodesOf(t.Context(), first.No)
	require.NoError(t, err)
	assert.Equal(t, []goods.Code{{Num: "N001", Pass: "secret-1"}}, codes)
	assert.ErrorIs(t, withdraw(1), goods.ErrCodeGiven)
	s.sound(t)

	require.NoError(t, s.goods.AddCodes(t.Context(), "codes-month", []goods.Code{{Num: "N002", Pass: "secret-2"}}, "admin:1"))
	second, trade := s.buyApp(t, wish(s.codes, other))
	require.NoError(t, withdraw(2))
	require.NoError(t, s.Capture(t.Context(), s.pay(t, trade)))
	assert.Equal(t, orders.Paid, s.state(t, second))
	s.after(t, 0)
	s.after(t, time.Minute)
	assert.Equal(t, orders.Refunded, s.state(t, second))
	avail, _ := s.balance(t, 7, other)
	assert.Equal(t, money.Points(500), avail)
	d, err := s.Order(t.Context(), 7, second.No)
	require.NoError(t, err)
	assert.Len(t, d.Refunds, 2)
	assert.Zero(t, s.stock(t, s.codes), "a withdrawn code does not come back")
	s.sound(t)
}

func TestGoods_RechargeWaitsForTheBackOffice(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 0)
	card := s.giveCard(t, 7, 10_000)
	buy := func() orders.Order {
		o, err := s.BuyGoodsWithCards(t.Context(), 7, wish(s.topup, card))
		require.NoError(t, err)
		s.after(t, 0)
		assert.Equal(t, orders.Issuing, s.state(t, o))
		return o
	}
	o := buy()
	for range 9 {
		s.after(t, time.Minute)
	}
	stuck, err := s.Order(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.True(t, stuck.Order.Stuck, "somebody is told")
	require.NoError(t, s.Retry(t.Context(), o.No, "admin:1"))
	require.NoError(t, s.MarkDelivered(t.Context(), o.No, "admin:1"))
	assert.Equal(t, orders.Issued, s.state(t, o))
	assert.ErrorIs(t, s.GiveUp(t.Context(), o.No, "late", "admin:1"), orders.ErrOrderState)
	assert.ErrorIs(t, s.Retry(t.Context(), o.No, "admin:1"), orders.ErrOrderState)
	o = buy()
	assert.ErrorIs(t, s.GiveUp(t.Context(), o.No, " ", "admin:1"), cards.ErrReasonRequired)
	require.NoError(t, s.GiveUp(t.Context(), o.No, "账号不存在", "admin:1"))
	assert.Equal(t, orders.Refunded, s.state(t, o))
	avail, _ := s.balance(t, 7, card)
	assert.Equal(t, 10_000-money.Points(goodsPrice), avail)
	assert.Equal(t, 4, s.stock(t, s.topup))
	assert.Equal(t, 1, s.audits(t, "order.delivered"))
	assert.Equal(t, 1, s.audits(t, "order.given_up"))
	s.sound(t)
}

// teller recharges accounts; what it is asked, and what it says, the test decides.
type teller struct {
	mu    sync.Mutex
	asked []orders.IssueRequest
	issue error
	state orders.ProviderState
}

func (d *teller) Issue(_ context.Context, r orders.IssueRequest) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.asked = append(d.asked, r)
	return d.issue
}

func (d *teller) Query(_ context.Context, no string) (orders.ProviderOrder, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return orders.ProviderOrder{OrderNo: no, State: d.state}, nil
}

func TestGoods_RechargeByAProvider(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		teller *teller
		want   orders.State
	}{
		"done":               {&teller{state: orders.ProviderIssued}, orders.Issued},
		"refused at once":    {&teller{issue: orders.ErrIssueRefused}, orders.Refunded},
		"refused later":      {&teller{state: orders.ProviderIssueRefused}, orders.Refunded},
		"silence, then done": {&teller{issue: fault.ErrUnknown, state: orders.ProviderIssued}, orders.Issued},
		"on its way":         {&teller{state: orders.ProviderIssuing}, orders.Issuing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShelf(t, 0)
			s.Topup = c.teller
			card := s.giveCard(t, 7, 10_000)
			o, err := s.BuyGoodsWithCards(t.Context(), 7, wish(s.topup, card))
			require.NoError(t, err)
			s.after(t, 0)
			s.after(t, 3*time.Second)
			assert.Equal(t, c.want, s.state(t, o))
			require.Len(t, c.teller.asked, 1)
			assert.Equal(t, orders.IssueRequest{OrderNo: o.No, Amount: goodsPrice, Mobile: "13800000007", Product: "topup-month"}, c.teller.asked[0])
			s.sound(t)
		})
	}
}
