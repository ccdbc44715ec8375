package purchase_test

import (
	"context"
	"marquee/server/order"
	"marquee/server/seating"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/purchase/purchasetest"
)

// overtaken is a store in which something else happens in the middle of what is watched.
type overtaken struct {
	order.Store
	update, payments, list func() // just before
	key                    func() // just after it was looked up
}

func run(do func()) {
	if do != nil {
		do()
	}
}

func (o *overtaken) Update(ctx context.Context, fn func(order.Tx) error) error {
	run(o.update)
	return o.Store.Update(ctx, fn)
}

func (o *overtaken) Payments(ctx context.Context, no string) ([]order.Payment, error) {
	run(o.payments)
	return o.Store.Payments(ctx, no)
}

func (o *overtaken) View(ctx context.Context, fn func(order.Reader) error) error {
	return o.Store.View(ctx, func(r order.Reader) error { return fn(overtakenReader{r, o}) })
}

// overtakenReader is one moment of the store while something else happens.
type overtakenReader struct {
	order.Reader
	o *overtaken
}

func (r overtakenReader) Payments(ctx context.Context, no string) ([]order.Payment, error) {
	run(r.o.payments)
	return r.Reader.Payments(ctx, no)
}

func (r overtakenReader) ListOrders(ctx context.Context, q order.ListQuery) ([]order.Order, error) {
	run(r.o.list)
	return r.Reader.ListOrders(ctx, q)
}

func (o *overtaken) IdempotencyKey(ctx context.Context, userID int64, route, key string) (order.IdempotencyKey, bool,
	error) {
	defer run(o.key)
	return o.Store.IdempotencyKey(ctx, userID, route, key)
}

// beforeWriting lets something happen once, before what is done next writes for the first time.
func (s *shop) beforeWriting(do func()) {
	s.store.intercept(&overtaken{Store: s.store.Store, update: func() {
		s.store.restore()
		do()
	}})
}

func TestConfirm_TellsWhatANotifyDidWhileItLooked(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	trade := s.pay(t, s.openApp(t, o))
	s.store.intercept(&overtaken{Store: s.store.Store, payments: sync.OnceFunc(func() {
		assert.NoError(t, s.Checkout.Trades.Capture(t.Context(), trade))
	})})
	got, err := s.Checkout.Payer.Confirm(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.Equal(t, order.Paid, got.State)
}

func TestCancel_AnswersWhatOvertookIt(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		meanwhile func(t *testing.T, s *shop, o order.Order, trade string)
		want      error
	}{
		"cancelled in another tab": {func(t *testing.T, s *shop, o order.Order, _ string) {
			assert.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
		}, nil},
		"the notify came": {func(t *testing.T, s *shop, _ order.Order, trade string) {
			assert.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade)))
		}, order.ErrAlreadyPaid},
		"its time was up": {func(t *testing.T, s *shop, _ order.Order, _ string) {
			s.runDueJobsAfter(t, order.PayWithin)
		}, order.ErrOrderExpired},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			o := s.lock(t, 7, "1-1")
			trade := s.openApp(t, o)
			s.beforeWriting(func() { row.meanwhile(t, s, o, trade) })
			assert.ErrorIs(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No), row.want)
			s.verifyBooks(t)
		})
	}
}

// The order in the way ends while the buyer already locks new seats.
func TestLock_AnOverdueOrderThatEndsMeanwhileIsNotInTheWay(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T, s *shop, o order.Order) order.State{
		"a job expired it": func(t *testing.T, s *shop, _ order.Order) order.State {
			s.clock.Advance(order.PayWithin)
			s.beforeWriting(func() { assert.NoError(t, s.Jobs.RunDue(t.Context())) })
			return order.Expired
		},
		"it turns out paid": func(t *testing.T, s *shop, o order.Order) order.State {
			s.pay(t, s.openApp(t, o)) // and the notify is lost
			s.clock.Advance(order.PayWithin)
			return order.Paid
		},
		"its money came and went": func(t *testing.T, s *shop, o order.Order) order.State {
			trade := s.openApp(t, o)
			s.pay(t, trade)
			s.gateway.Alter(trade, func(n *order.Trade) { n.State = order.TradeRefunded })
			s.clock.Advance(order.PayWithin)
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
			s.verifyBooks(t)
		})
	}
}

// The same call again announces the open trade again; by the time the gateway has answered, the first one is paid.
func TestPayApp_PaidWhileItIsAnnouncedAgain(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 3)
	w := wish(s.codes)
	w.OpenID, w.Key = purchasetest.OpenID(7), "k"
	announced, err := s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7, w)
	require.NoError(t, err)
	s.beforeWriting(func() {
		assert.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, order.OutTradeNo(announced.OrderNo, 1))))
	})
	_, err = s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7, w)
	assert.ErrorIs(t, err, order.ErrAlreadyPaid)
	assert.Zero(t, s.gateway.Calls("close"))
	s.verifyBooks(t)
}

// Two servers are asked with one key, and the provider refuses the first one's lock while the second looks it up.
func TestLock_TheKeysRefusalIsTheSameOnAnotherServer(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	second := s.secondServer(t)
	req := seating.LockSeats{Source: catalog.Legacy, ShowID: show, SeatIDs: []string{"1-1"}, Key: "k"}
	looked, refused, answered := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	second.store.intercept(&overtaken{Store: second.store.Store, key: sync.OnceFunc(func() {
		close(looked)
		<-refused
	})})
	s.source.On(purchasetest.Plan{Op: "lock", Err: order.ErrSeatTaken, Hook: func() {
		go func() {
			_, err := second.Seating.LockSeats(context.Background(), 7, req)
			answered <- err
		}()
		<-looked
	}})
	_, err := s.Seating.LockSeats(t.Context(), 7, req)
	close(refused)
	assert.ErrorIs(t, err, order.ErrSeatTaken)
	assert.ErrorIs(t, <-answered, order.ErrSeatTaken)
	s.verifyBooks(t)
}

// What a page shows is one moment: an order's state, what paid it, what the cards hold and what is counted belong
// together.
func TestRead_ShowsOneMoment(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 1000)
	o := s.lock(t, 7, "1-1")
	trade := s.openApp(t, o, card)
	meanwhile := func(do func()) {
		once := sync.OnceFunc(func() {
			s.store.restore()
			do()
		})
		s.store.intercept(&overtaken{Store: s.store.Store, payments: once, list: once})
	}

	meanwhile(func() {
		require.NoError(t, s.gateway.Close(t.Context(), trade))
		s.runDueJobsAfter(t, 5*time.Second)
	})
	q, err := s.Checkout.Payer.Quote(t.Context(), 7, o.No, []int64{card})
	require.NoError(t, err)
	assert.Equal(t, money.Fen(1000), q.Cards, "on the card, or held by the payment that was open")

	s.runDueJobsAfter(t, 5*time.Second)
	trade = s.openApp(t, o, card)
	meanwhile(func() { require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade))) })
	d, err := s.Orders.Order(t.Context(), 7, o.No)
	require.NoError(t, err)
	for _, l := range d.Legs {
		assert.Equal(t, d.Order.State == order.Pending, l.Captured == 0, "%s, captured %s", d.Order.State, l.Captured)
	}

	meanwhile(func() { s.runDueJobsAfter(t, 0); s.lock(t, 7, "2-1") })
	p, err := s.Orders.List(t.Context(), 7, order.TabAll, 1, 10)
	require.NoError(t, err)
	assert.Len(t, p.Orders, p.Total)
}
