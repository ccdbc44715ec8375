package purchase_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
)

// interruptingStore is a store that calls functions of the test before or after its operations, to interleave other
// writes.
type interruptingStore struct {
	order.Store
	update, payments, cards, list func() // called before the operation
	key                           func() // called after IdempotencyKey
}

// callIfSet calls do unless it is nil.
func callIfSet(do func()) {
	if do != nil {
		do()
	}
}

func (o *interruptingStore) Update(ctx context.Context, fn func(order.Tx) error) error {
	callIfSet(o.update)
	return o.Store.Update(ctx, fn)
}

func (o *interruptingStore) Payments(ctx context.Context, no string) ([]order.Payment, error) {
	callIfSet(o.payments)
	return o.Store.Payments(ctx, no)
}

func (o *interruptingStore) CardsFor(
	ctx context.Context, userID int64, no string, now time.Time,
) ([]cards.Card, error) {
	callIfSet(o.cards)
	return o.Store.CardsFor(ctx, userID, no, now)
}

func (o *interruptingStore) View(ctx context.Context, fn func(order.Reader) error) error {
	return o.Store.View(ctx, func(r order.Reader) error { return fn(interruptingReader{r, o}) })
}

// interruptingReader is the Reader of View on an interruptingStore.
type interruptingReader struct {
	order.Reader
	o *interruptingStore
}

func (r interruptingReader) Payments(ctx context.Context, no string) ([]order.Payment, error) {
	callIfSet(r.o.payments)
	return r.Reader.Payments(ctx, no)
}

func (r interruptingReader) ListOrders(ctx context.Context, q order.ListQuery) ([]order.Order, error) {
	callIfSet(r.o.list)
	return r.Reader.ListOrders(ctx, q)
}

func (o *interruptingStore) IdempotencyKey(
	ctx context.Context, userID int64, route, key string,
) (order.IdempotencyKey, bool, error) {
	defer callIfSet(o.key)
	return o.Store.IdempotencyKey(ctx, userID, route, key)
}

// beforeNextWrite calls do once, before the next write of the store. The test fails if it ends without such a write.
func (s *shop) beforeNextWrite(t *testing.T, do func()) {
	t.Helper()
	called := false
	t.Cleanup(func() { assert.True(t, called, "the store was not written: nothing was interrupted") })
	s.store.intercept(&interruptingStore{Store: s.store.Store, update: func() {
		s.store.restore()
		called = true
		do()
	}})
}

func TestConfirm_ReturnsTheStateAfterAnInterleavedNotification(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	trade := s.pay(t, s.openAppPayment(t, o))
	interrupted := false
	s.store.intercept(&interruptingStore{Store: s.store.Store, payments: sync.OnceFunc(func() {
		interrupted = true
		assert.NoError(t, s.Checkout.Trades.Capture(t.Context(), trade))
	})})
	got, err := s.Checkout.Payer.Confirm(t.Context(), 7, o.No)
	require.NoError(t, err)
	require.True(t, interrupted)
	assert.Equal(t, order.Paid, got.State)
}

func TestCancel_ReturnsTheOutcomeOfAnInterleavedChange(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		during func(t *testing.T, s *shop, o order.Order, trade string)
		want   error
	}{
		"cancelled in another tab": {func(t *testing.T, s *shop, o order.Order, _ string) {
			assert.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
		}, nil},
		"paid by a notification": {func(t *testing.T, s *shop, _ order.Order, trade string) {
			assert.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade)))
		}, order.ErrAlreadyPaid},
		"expired by a job": {func(t *testing.T, s *shop, _ order.Order, _ string) {
			s.runDueJobsAfter(t, durations.PayWithin)
		}, order.ErrOrderExpired},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			o := s.lock(t, 7, "1-1")
			trade := s.openAppPayment(t, o)
			s.beforeNextWrite(t, func() { row.during(t, s, o, trade) })
			assert.ErrorIs(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No), row.want)
		})
	}
}

// An overdue order ends while its buyer locks new seats.
func TestLock_SucceedsWhileAnOverdueOrderEnds(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T, s *shop, o order.Order) order.State{
		"a job expired it": func(t *testing.T, s *shop, _ order.Order) order.State {
			s.clock.Advance(durations.PayWithin)
			s.beforeNextWrite(t, func() { assert.NoError(t, s.Jobs.RunDue(t.Context())) })
			return order.Expired
		},
		"it was paid": func(t *testing.T, s *shop, o order.Order) order.State {
			s.pay(t, s.openAppPayment(t, o)) // the notification is lost
			s.clock.Advance(durations.PayWithin)
			return order.Paid
		},
		"it was paid and refunded": func(t *testing.T, s *shop, o order.Order) order.State {
			trade := s.openAppPayment(t, o)
			s.pay(t, trade)
			s.gateway.Alter(trade, func(n *order.Trade) { n.State = order.TradeRefunded })
			s.clock.Advance(durations.PayWithin)
			return order.Expired
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			o := s.lock(t, 7, "1-1")
			want := prepare(t, s, o)
			s.lock(t, 7, "2-1")
			assert.Equal(t, want, s.state(t, o))
		})
	}
}

// A repeated request prepays the open trade again. Before the answer of the gateway is saved, the trade is paid.
func TestPayWithApp_PaidWhileItIsPrepaidAgain(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 3)
	w := buyRequest(s.codes)
	w.OpenID, w.Key = purchasetest.OpenID(7), "k"
	announced, err := s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7, w)
	require.NoError(t, err)
	s.beforeNextWrite(t, func() {
		assert.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, order.OutTradeNo(announced.OrderNo, 1))))
	})
	_, err = s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7, w)
	assert.ErrorIs(t, err, order.ErrAlreadyPaid)
	assert.Zero(t, s.gateway.Calls("close"))
}

// Two servers receive requests with one key. The provider rejects the lock of the first while the second looks up the
// key.
func TestLock_OneKeyHasTheSameRejectionOnAnotherServer(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	second := s.secondServer(t)
	req := seating.LockSeats{Mobile: mobile, Source: catalog.Legacy, ShowID: show, SeatIDs: []string{"1-1"}, Key: "k"}
	looked, rejected, answered := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	second.store.intercept(&interruptingStore{Store: second.store.Store, key: sync.OnceFunc(func() {
		close(looked)
		<-rejected
	})})
	s.source.On(purchasetest.Plan{Op: "lock", Err: order.ErrSeatTaken, Hook: func() {
		go func() {
			_, err := second.Seating.LockSeats(context.Background(), 7, req)
			answered <- err
		}()
		<-looked
	}})
	_, err := s.Seating.LockSeats(t.Context(), 7, req)
	close(rejected)
	assert.ErrorIs(t, err, order.ErrSeatTaken)
	assert.ErrorIs(t, <-answered, order.ErrSeatTaken)
}

// A page is read from one commit: the state of an order, its payments, the balances of the cards and the counts are
// consistent.
func TestRead_SeesOneCommit(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 1000)
	o := s.lock(t, 7, "1-1")
	trade := s.openAppPayment(t, o, card)
	interruptions := 0
	during := func(do func()) {
		once := sync.OnceFunc(func() {
			s.store.restore()
			interruptions++
			do()
		})
		s.store.intercept(&interruptingStore{Store: s.store.Store, payments: once, cards: once, list: once})
	}

	during(func() {
		require.NoError(t, s.gateway.Close(t.Context(), trade))
		s.runDueJobsAfter(t, 5*time.Second)
	})
	q, err := s.Checkout.Payer.Quote(t.Context(), 7, o.No, []int64{card})
	require.NoError(t, err)
	require.Equal(t, 1, interruptions)
	assert.Equal(t, money.Fen(1000), q.Cards, "the points are on the card, or held by the open payment")

	s.runDueJobsAfter(t, 5*time.Second)
	trade = s.openAppPayment(t, o, card)
	during(func() { require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade))) })
	d, err := s.Orders.Order(t.Context(), 7, o.No)
	require.NoError(t, err)
	require.Equal(t, 2, interruptions)
	require.Len(t, d.Legs, 2, "a card and the messaging app")
	for _, l := range d.Legs {
		assert.Equal(t, d.Order.State == order.Pending, l.Captured == 0, "%s, captured %s", d.Order.State, l.Captured)
	}

	during(func() { s.runDueJobsAfter(t, 0); s.lock(t, 7, "2-1") })
	p, err := s.Orders.List(t.Context(), 7, order.TabAll, 1, 10)
	require.NoError(t, err)
	require.Equal(t, 3, interruptions)
	require.NotEmpty(t, p.Orders)
	assert.Len(t, p.Orders, p.Total)
}
