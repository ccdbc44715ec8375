package purchase_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/audit"
	"marquee/server/backoffice"
	"marquee/server/beijing"
	"marquee/server/catalog"
	"marquee/server/checkout"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
	"marquee/server/reconcile"
	"marquee/server/requestid"
	"marquee/server/store"
)

// office opens the back office of the shop for an operator.
func (s *shop) office(t tb, operator string) *backoffice.BackOffice {
	t.Helper()
	office, err := backoffice.New(backoffice.Config{
		Read: s.db.BackOffice(), Deliveries: s.Fulfilment, Refunds: s.Checkout.Refunds, Now: s.clock.Now,
	}, operator)
	require.NoError(t, err)
	return office
}

// giveAccount gives a buyer an account with the phone.
func (s *shop) giveAccount(t tb, buyer int64, phone string) {
	t.Helper()
	require.NoError(t, s.db.engine.Write(t.Context(), func(tx store.Conn) error {
		_, err := tx.Exec(`INSERT INTO users (id, phone, created_at) VALUES ($1, $2, 1)`, buyer, phone)
		return err
	}))
}

// buyTicket buys seats for a buyer, with the points of the card, if one is given, and the rest in the messaging app.
// The order is issued unless the source is slow.
func (s *shop) buyTicket(t tb, buyer int64, seats []string, cards ...int64) order.Order {
	t.Helper()
	o := s.lock(t, buyer, seats...)
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, s.openAppPayment(t, o, cards...))))
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, requestMayRun)
	o, err := s.db.Orders().Order(t.Context(), o.No)
	require.NoError(t, err)
	return o
}

// numbers returns the numbers of orders.
func numbers(orders []order.Order) (list []string) {
	for _, o := range orders {
		list = append(list, o.No)
	}
	return list
}

func TestFindOrders_ByEveryNumberAndPhone(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	office := s.office(t, "alice")
	s.giveAccount(t, 7, "13800000007")
	s.giveAccount(t, 8, "13800000008")
	o := s.buyTicket(t, 7, []string{"2-1", "2-2"}, s.giveCard(t, 7, 1000))
	require.Equal(t, order.Issued, o.State)
	s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
	other := s.buyTicket(t, 8, []string{"2-3"})
	require.Equal(t, order.Refunded, other.State)
	payments, err := s.db.Orders().Payments(t.Context(), o.No)
	require.NoError(t, err)
	leg, _ := payments[0].App()
	for name, query := range map[string]string{
		"order": o.No, "trade": leg.OutTradeNo, "transaction": leg.TransactionID, "source": o.ProviderNo,
		"ticket code": o.Tickets[0].Code, "phone": "138 0000 0007", "country code": "+8613800000007", "spaces": " " + o.No,
	} {
		found, err := office.Orders.Find(t.Context(), query)
		require.NoError(t, err, name)
		assert.Equal(t, []string{o.No}, numbers(found.Orders), name)
		assert.False(t, found.More)
		assert.Contains(t, found.String(), o.No+"\tticket\tISSUED\t85.80\t", name)
		assert.Contains(t, found.String(), "2排1座, 2排2座", name)
	}
	refund := s.refundOf(t, other)
	for _, query := range []string{refund.OutRefundNo, refund.RefundID} {
		require.NotEmpty(t, query)
		found, err := office.Orders.Find(t.Context(), query)
		require.NoError(t, err)
		assert.Equal(t, []string{other.No}, numbers(found.Orders), query)
	}
	for _, query := range []string{"13800000009", "1", o.No[:23], "%", "取票码", "' OR 1=1 --", "a\x00\xff"} {
		found, err := office.Orders.Find(t.Context(), query)
		require.NoError(t, err, query)
		assert.Empty(t, found.Orders, query)
		assert.Equal(t, "no order matches", found.String())
	}
	for _, query := range []string{"", "  ", strings.Repeat("1", 129)} {
		_, err := office.Orders.Find(t.Context(), query)
		assert.ErrorIs(t, err, backoffice.ErrSearchInvalid, query)
	}
}

func TestFindOrders_ABuyerWithManyOrders(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	office := s.office(t, "alice")
	s.giveAccount(t, 7, "13800000007")
	insert := func(n int) {
		require.NoError(t, s.db.Orders().Update(t.Context(), func(tx order.Tx) error {
			o, err := order.NewPending(order.Recharge, 7, 100, order.Snapshot{Points: &order.BoughtPoints{}},
				s.clock.Now())
			require.NoError(t, err)
			o.No = fmt.Sprintf("%024d", n)
			require.NoError(t, tx.Orders.Insert(&o))
			require.NoError(t, o.MarkExpired(s.clock.Now()))
			return tx.Orders.Save(&o)
		}))
	}
	for n := range backoffice.MaxFound {
		insert(n)
	}
	found, err := office.Orders.Find(t.Context(), "13800000007")
	require.NoError(t, err)
	assert.Len(t, found.Orders, backoffice.MaxFound)
	assert.False(t, found.More)
	insert(backoffice.MaxFound)
	found, err = office.Orders.Find(t.Context(), "13800000007")
	require.NoError(t, err)
	assert.Len(t, found.Orders, backoffice.MaxFound)
	assert.Equal(t, fmt.Sprintf("%024d", backoffice.MaxFound), found.Orders[0].No, "the latest comes first")
	assert.True(t, found.More)
	assert.Contains(t, found.String(), "more than 50 orders match: these are the latest ones")
}

func TestFindOrders_BySeat(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	office := s.office(t, "alice")
	gone := s.lock(t, 7, "2-1")
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, gone.No))
	s.runDueJobsAfter(t, 0)
	o := s.buyTicket(t, 8, []string{"2-1", "2-2"})
	s.buyTicket(t, 9, []string{"2-3"})
	for _, seat := range []string{"2排1座", "2-1"} {
		found, err := office.Orders.FindBySeat(t.Context(), "1:"+show, seat)
		require.NoError(t, err)
		assert.Equal(t, []string{o.No, gone.No}, numbers(found.Orders), "the present order comes first")
	}
	found, err := office.Orders.FindBySeat(t.Context(), "1:"+show, "9排9座")
	require.NoError(t, err)
	assert.Empty(t, found.Orders)
	for _, showing := range []string{"", show, "1:", "3:" + show, "x:" + show} {
		_, err = office.Orders.FindBySeat(t.Context(), showing, "2排1座")
		require.ErrorIs(t, err, backoffice.ErrShowingInvalid, showing)
	}
	_, err = office.Orders.FindBySeat(t.Context(), "2:"+show, "2排1座")
	require.ErrorIs(t, err, catalog.ErrShowNotFound)
	_, err = office.Orders.FindBySeat(t.Context(), "1:"+show, " ")
	require.ErrorIs(t, err, backoffice.ErrSearchInvalid)
}

// whats returns the names of the entries of a timeline.
func whats(list []backoffice.TimelineEntry) (names []string) {
	for _, e := range list {
		names = append(names, e.What)
	}
	return names
}

func TestTraceOrder_FromTheLockToTheRefund(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	office := s.office(t, "alice")
	o := s.lock(t, 7, "2-1", "2-2")
	trade := s.openAppPayment(t, o, s.giveCard(t, 7, 1000))
	records, err := office.Orders.Trace(t.Context(), o.No)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"order.created", "call.lock", "call.lock", "order.changed", "payment.opened", "ledger.reserve", "call.prepay",
		"call.prepay", "task.trade", "task.order",
	}, whats(records.Timeline()), "what happened, and then what is going to happen")

	s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
	s.clock.Advance(time.Minute)
	paid := s.clock.Now()
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade)))
	ctx := requestid.With(t.Context(), "request-of-the-job")
	require.NoError(t, s.Jobs.RunDue(ctx))
	require.Equal(t, order.Refunded, s.state(t, o))
	records, err = office.Orders.Trace(t.Context(), o.No)
	require.NoError(t, err)
	list := records.Timeline()
	assert.Empty(t, records.Tasks)
	assert.True(t, slices.IsSortedFunc(list, func(a, b backoffice.TimelineEntry) int { return a.At.Compare(b.At) }))
	count := map[string]int{}
	for _, e := range list {
		count[e.What]++
	}
	assert.Equal(t, map[string]int{
		"order.created": 1, "order.changed": 1, "payment.opened": 1, "leg.captured": 2, "call.lock": 2,
		"call.prepay": 2, "call.issue": 2, "call.refund": 2, "call.unlock": 2, "ledger.reserve": 1, "ledger.commit": 1,
		"ledger.refund": 1, "refund.decided": 2, "refund.sent": 1, "refund.done": 2, "order.issue_failed": 1,
	}, count)
	for _, e := range list {
		switch e.What {
		case "leg.captured":
			assert.True(t, e.At.Equal(paid))
		case "order.issue_failed":
			assert.Equal(t, audit.System, e.By)
			assert.NotEmpty(t, e.RequestID, "the log lines of the job have it")
		case "ledger.refund":
			assert.Contains(t, e.Detail, "10.00 points")
		}
	}
	text := records.String()
	for _, part := range []string{
		"order: " + o.No, "state: REFUNDED", "showing: 1:" + show, "seats: 2排1座, 2排2座", trade, "42" + trade,
		"\tcall.issue\trefused issue_refused\t", "\trefund.sent\t微信支付 75.80 " + trade + "-r1\t",
	} {
		assert.Contains(t, text, part)
	}
	_, err = office.Orders.Trace(t.Context(), "1")
	require.ErrorIs(t, err, order.ErrOrderNotFound)
}

// An order whose number is the beginning of another one has only its own records.
func TestTraceOrder_OnlyItsOwnRecords(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	office := s.office(t, "alice")
	first := s.buyTicket(t, 7, []string{"2-1"}, s.giveCard(t, 7, 1000))
	before, err := office.Orders.Trace(t.Context(), first.No)
	require.NoError(t, err)
	assert.Len(t, before.Order.Tickets, 1)
	assert.Contains(t, before.String(), "取票码: "+first.Tickets[0].Code)
	s.buyTicket(t, 8, []string{"2-2"}, s.giveCard(t, 8, 1000))
	after, err := office.Orders.Trace(t.Context(), first.No)
	require.NoError(t, err)
	assert.Equal(t, before, after)
}

func TestTraceOrder_PointsAndDifferences(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	office := s.office(t, "alice")
	card := s.giveCard(t, 7, 1000)
	bought, err := s.Checkout.Purchases.RechargeCard(t.Context(), 7, checkout.RechargeCard{
		CardID: card, Points: 1234, OpenID: purchasetest.OpenID(7),
	})
	require.NoError(t, err)
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, order.OutTradeNo(bought.OrderNo, 1))))
	require.NoError(t, s.db.Reconciliation().Update(t.Context(), func(tx reconcile.Tx) error {
		_, err := tx.Differences.Save(&reconcile.Difference{
			Day: "2026-03-14", Book: reconcile.Trades, Kind: reconcile.AmountDiffers, Subject: "trade:1",
			OrderNo: bought.OrderNo, FoundAt: s.clock.Now(), SeenAt: s.clock.Now(),
		})
		return err
	}))
	records, err := office.Orders.Trace(t.Context(), bought.OrderNo)
	require.NoError(t, err)
	assert.Contains(t, whats(records.Timeline()), "ledger.recharge")
	assert.Contains(t, records.String(), "\tbooks.differ\tdifference 1: amount_differs")
	assert.Contains(t, records.String(), "\tledger.recharge\t12.34 points\tuser:7\t")
}

func TestShowingHolds(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	office := s.office(t, "alice")
	gone := s.lock(t, 7, "2-1")
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, gone.No))
	s.runDueJobsAfter(t, 0)
	sold := s.buyTicket(t, 7, []string{"2-1", "2-2"})
	unpaid := s.lock(t, 8, "2-3")
	held, err := office.Showings.Holds(t.Context(), "1:"+show)
	require.NoError(t, err)
	line := func(seat, id, state string, o order.Order, of order.State, rest string) string {
		return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t#%d%s\n", seat, id, state, o.No, of, o.UserID, rest)
	}
	until := "\tuntil " + unpaid.ExpiresAt.In(beijing.Time).Format(time.DateTime)
	assert.Equal(t, line("2排1座", "2-1", "sold", sold, order.Issued, "")+
		line("2排2座", "2-2", "sold", sold, order.Issued, "")+
		line("2排3座", "2-3", "held", unpaid, order.Pending, until)+"1 held, 2 sold", held.String())
	_, err = office.Showings.Holds(t.Context(), "2:none")
	require.ErrorIs(t, err, catalog.ErrShowNotFound)
	_, err = office.Showings.Holds(t.Context(), "none")
	require.ErrorIs(t, err, backoffice.ErrShowingInvalid)
}
