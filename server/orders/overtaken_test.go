package orders_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/booking"
	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/orders"
	"marquee/server/orders/orderstest"
	"marquee/server/payment"
)

// overtaken is a store in which something else happens in the middle of what is watched.
type overtaken struct {
	orders.Store
	update, payments, list func() // just before
	key                    func() // just after it was looked up
}

func run(do func()) {
	if do != nil {
		do()
	}
}

func (o *overtaken) Update(ctx context.Context, fn func(orders.Tx) error) error {
	run(o.update)
	return o.Store.Update(ctx, fn)
}

func (o *overtaken) Payments(ctx context.Context, no string) ([]payment.Payment, error) {
	run(o.payments)
	return o.Store.Payments(ctx, no)
}

func (o *overtaken) ListOrders(ctx context.Context, q orders.ListQuery) ([]orders.Order, error) {
	run(o.list)
	return o.Store.ListOrders(ctx, q)
}

func (o *overtaken) Idempotent(ctx context.Context, userID int64, route, key string) (orders.Idempotency, bool, error) {
	defer run(o.key)
	return o.Store.Idempotent(ctx, userID, route, key)
}

// beforeWriting lets something happen once, before what is done next writes for the first time.
func (s *shop) beforeWriting(do func()) {
	plain := s.Store
	s.Store = &overtaken{Store: plain, update: func() {
		s.Store = plain
		do()
	}}
}

func TestConfirm_TellsWhatANotifyDidWhileItLooked(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	trade := s.pay(t, s.openApp(t, o))
	s.Store = &overtaken{Store: s.Store, payments: sync.OnceFunc(func() {
		assert.NoError(t, s.Capture(t.Context(), trade))
	})}
	got, err := s.Confirm(t.Context(), 7, o.No)
	require.NoError(t, err)
	assert.Equal(t, orders.Paid, got.State)
}

func TestCancel_AnswersWhatOvertookIt(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		meanwhile func(t *testing.T, s *shop, o orders.Order, trade string)
		want      error
	}{
		"cancelled in another tab": {func(t *testing.T, s *shop, o orders.Order, _ string) {
			assert.NoError(t, s.Cancel(t.Context(), 7, o.No))
		}, nil},
		"the notify came": {func(t *testing.T, s *shop, _ orders.Order, trade string) {
			assert.NoError(t, s.Capture(t.Context(), s.pay(t, trade)))
		}, payment.ErrAlreadyPaid},
		"its time was up": {func(t *testing.T, s *shop, _ orders.Order, _ string) {
			s.after(t, orders.PayWithin)
		}, orders.ErrOrderExpired},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			o := s.lock(t, 7, "1-1")
			trade := s.openApp(t, o)
			s.beforeWriting(func() { row.meanwhile(t, s, o, trade) })
			assert.ErrorIs(t, s.Cancel(t.Context(), 7, o.No), row.want)
			s.sound(t)
		})
	}
}

// The order in the way ends while the buyer already locks new seats.
func TestLock_AnOverdueOrderThatEndsMeanwhileIsNotInTheWay(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(t *testing.T, s *shop, o orders.Order) orders.State{
		"a job expired it": func(t *testing.T, s *shop, _ orders.Order) orders.State {
			s.clock.Advance(orders.PayWithin)
			s.beforeWriting(func() { assert.NoError(t, s.RunDue(t.Context())) })
			return orders.Expired
		},
		"it turns out paid": func(t *testing.T, s *shop, o orders.Order) orders.State {
			s.pay(t, s.openApp(t, o)) // and the notify is lost
			s.clock.Advance(orders.PayWithin)
			return orders.Paid
		},
		"its money came and went": func(t *testing.T, s *shop, o orders.Order) orders.State {
			trade := s.openApp(t, o)
			s.pay(t, trade)
			s.gateway.Alter(trade, func(n *payment.Trade) { n.State = payment.TradeRefunded })
			s.clock.Advance(orders.PayWithin)
			return orders.Expired
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			o := s.lock(t, 7, "1-1")
			want := prepare(t, s, o)
			s.lock(t, 7, "2-1")
			assert.Equal(t, want, s.state(t, o))
			s.sound(t)
		})
	}
}

// The same call again announces the open trade again; by the time the gateway has answered, the first one is paid.
func TestPayApp_PaidWhileItIsAnnouncedAgain(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 3)
	w := wish(s.codes)
	w.OpenID, w.Key = orderstest.OpenID(7), "k"
	_, no, err := s.BuyGoodsWithApp(t.Context(), 7, w)
	require.NoError(t, err)
	s.beforeWriting(func() {
		assert.NoError(t, s.Capture(t.Context(), s.pay(t, payment.OutTradeNo(no, 1))))
	})
	_, _, err = s.BuyGoodsWithApp(t.Context(), 7, w)
	assert.ErrorIs(t, err, payment.ErrAlreadyPaid)
	assert.Zero(t, s.gateway.Calls("close"))
	s.sound(t)
}

// Two servers are asked with one key, and the provider refuses the first one's lock while the second looks it up.
func TestLock_TheKeysRefusalIsTheSameOnAnotherServer(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	second := s.second(t)
	req := orders.LockSeats{Source: catalog.Legacy, ShowID: show, SeatIDs: []string{"1-1"}, Key: "k"}
	looked, refused, answered := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	second.Store = &overtaken{Store: second.Store, key: sync.OnceFunc(func() {
		close(looked)
		<-refused
	})}
	s.source.On(orderstest.Plan{Op: "lock", Err: booking.ErrSeatTaken, Hook: func() {
		go func() {
			_, err := second.LockSeats(context.Background(), 7, req)
			answered <- err
		}()
		<-looked
	}})
	_, err := s.LockSeats(t.Context(), 7, req)
	close(refused)
	assert.ErrorIs(t, err, booking.ErrSeatTaken)
	assert.ErrorIs(t, <-answered, booking.ErrSeatTaken)
	s.sound(t)
}

// What a page shows is one moment: an order's state, what paid it, what the cards hold and what is counted belong together.
func TestRead_ShowsOneMoment(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 1000)
	o := s.lock(t, 7, "1-1")
	trade := s.openApp(t, o, card)
	meanwhile := func(do func()) {
		plain := s.Store
		once := sync.OnceFunc(func() {
			s.Store = plain
			do()
		})
		s.Store = &overtaken{Store: plain, payments: once, list: once}
	}

	meanwhile(func() {
		require.NoError(t, s.gateway.Close(t.Context(), trade))
		s.after(t, 5*time.Second)
	})
	q, err := s.Quote(t.Context(), 7, o.No, []int64{card})
	require.NoError(t, err)
	assert.Equal(t, money.Fen(1000), q.Cards, "on the card, or held by the payment that was open")

	s.after(t, 5*time.Second)
	trade = s.openApp(t, o, card)
	meanwhile(func() { require.NoError(t, s.Capture(t.Context(), s.pay(t, trade))) })
	d, err := s.Order(t.Context(), 7, o.No)
	require.NoError(t, err)
	for _, l := range d.Legs {
		assert.Equal(t, d.Order.State == orders.Pending, l.Captured == 0, "%s, captured %s", d.Order.State, l.Captured)
	}

	meanwhile(func() { s.after(t, 0); s.lock(t, 7, "2-1") })
	p, err := s.List(t.Context(), 7, orders.TabAll, 1, 10)
	require.NoError(t, err)
	assert.Len(t, p.Orders, p.Total)
}
