package purchase_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
)

// replica returns a second server with a separate connection to the database of the shop.
func (s *shop) replica(t *testing.T) *shop {
	t.Helper()
	r := &shop{clock: s.clock, source: s.source, gateway: s.gateway}
	r.open(t, s.path)
	return r
}

// lockOn locks seats for buyer 7 on each of the servers at the same time, and returns the answers.
func lockOn(req seating.LockSeats, servers ...*shop) (orders []order.Order, errs []error) {
	orders, errs = make([]order.Order, len(servers)), make([]error, len(servers))
	var wg sync.WaitGroup
	for i, s := range servers {
		wg.Go(func() { orders[i], errs[i] = s.Seating.LockSeats(context.Background(), 7, req) })
	}
	wg.Wait()
	return orders, errs
}

// awaitingStore is a store that reports every order that is read outside of a transaction.
type awaitingStore struct {
	order.Store
	read chan string // order numbers
}

func (s *awaitingStore) Order(ctx context.Context, no string) (order.Order, error) {
	select {
	case s.read <- no:
	default:
	}
	return s.Store.Order(ctx, no)
}

// The load balancer sends one tap to two servers: whichever step of the call the second one has reached, it returns the
// order of the first.
func TestLock_OneKeyOnTwoServersIsOneOrder(t *testing.T) {
	t.Parallel()
	req := seatRequest("1-1", "1-2")
	req.Key = "tap"
	for name, arrange := range map[string]func(a, b *shop){
		"at any time": func(*shop, *shop) {},
		"both have looked up the key": func(a, b *shop) {
			g := &keyBarrierStore{Store: a.store.Store, open: make(chan struct{})}
			g.missing.Store(2)
			a.store.intercept(g)
			b.store.intercept(g)
		},
		"both have read the hall": func(a, b *shop) {
			g := &seatBarrierStore{Store: a.store.Store, open: make(chan struct{}), missing: 2}
			a.store.intercept(g)
			b.store.intercept(g)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newShop(t)
			b := a.replica(t)
			arrange(a, b)
			orders, errs := lockOn(req, a, b)
			assert.NoError(t, errs[0])
			assert.NoError(t, errs[1])
			assert.Equal(t, orders[0].No, orders[1].No)
			assert.Equal(t, order.Pending, orders[1].State)
			assert.Equal(t, 1, a.source.Calls("lock"))
		})
	}
}

// The second server waits for the result of the first one, an order or an error.
func TestLock_OneKeyOnASecondServerAwaitsTheAnswer(t *testing.T) {
	t.Parallel()
	for name, rejection := range map[string]error{"locked": nil, "rejected": order.ErrSeatTaken} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newShop(t)
			b := a.replica(t)
			waiting := &awaitingStore{Store: b.store.Store, read: make(chan string, 1)}
			b.store.intercept(waiting)
			req := seatRequest("1-1")
			req.Key = "tap"
			second := make(chan order.Order, 1)
			secondErr := make(chan error, 1)
			a.source.On(purchasetest.Plan{Op: "lock", Err: rejection, Hook: func() {
				go func() {
					o, err := b.Seating.LockSeats(context.Background(), 7, req)
					second <- o
					secondErr <- err
				}()
				<-waiting.read // the second server has found the key and reads the order, which is LOCKING
			}})
			first, err := a.Seating.LockSeats(t.Context(), 7, req)
			assert.ErrorIs(t, err, rejection)
			answer := <-second
			assert.Equal(t, codeOf(rejection), codeOf(<-secondErr))
			if rejection == nil {
				assert.Equal(t, first.No, answer.No)
			}
			assert.Equal(t, 1, a.source.Calls("lock"))
		})
	}
}

// One key for two requests is rejected on the second server as on the first.
func TestLock_OneKeyForTwoRequestsOnTwoServers(t *testing.T) {
	t.Parallel()
	a := newShop(t)
	b := a.replica(t)
	req := seatRequest("1-1")
	req.Key = "tap"
	_, err := a.Seating.LockSeats(t.Context(), 7, req)
	require.NoError(t, err)
	req.SeatIDs = []string{"3-3"}
	_, err = b.Seating.LockSeats(t.Context(), 7, req)
	assert.Equal(t, order.ErrKeyReused.Code, fault.Of(err).Code)
}
