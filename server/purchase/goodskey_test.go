package purchase_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/checkout"
	"marquee/server/durations"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
)

// keyBarrierStore is a store that blocks callers of IdempotencyKey until all of them have looked up their key.
type keyBarrierStore struct {
	order.Store
	missing atomic.Int64
	open    chan struct{}
}

func (g *keyBarrierStore) IdempotencyKey(
	ctx context.Context, userID int64, route, key string,
) (order.IdempotencyKey, bool, error) {
	i, found, err := g.Store.IdempotencyKey(ctx, userID, route, key)
	if g.missing.Add(-1) == 0 {
		close(g.open)
	}
	<-g.open
	return i, found, err
}

// callInParallel runs call n times in parallel, distributed over the servers, and returns the set of the order numbers.
func callInParallel(t *testing.T, n int, servers []*purchase.Purchase,
	call func(*purchase.Purchase) (string, error)) map[string]bool {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	numbers := map[string]bool{}
	for i := range n {
		wg.Go(func() {
			no, err := call(servers[i%len(servers)])
			assert.NoError(t, err)
			mu.Lock()
			defer mu.Unlock()
			numbers[no] = true
		})
	}
	wg.Wait()
	return numbers
}

// A repeated request with the key of an ended order is rejected and does not make a new order.
func TestGoodsKey_OfAnEndedOrderIsRejected(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		end  func(t *testing.T, s *goodsShop, o order.Order)
		want error
	}{
		"cancelled": {func(t *testing.T, s *goodsShop, o order.Order) {
			require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
		}, order.ErrOrderState},
		"expired": {func(t *testing.T, s *goodsShop, _ order.Order) { s.runDueJobsAfter(t, durations.PayWithin) },
			order.ErrOrderExpired},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newGoodsShop(t, 3)
			card := s.giveCard(t, 7, 10_000)
			b := buyRequest(s.codes)
			b.Key = "k"
			o, _ := s.buyGoodsInApp(t, b)
			c.end(t, s, o)
			b.CardIDs = []int64{card}
			_, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, b)
			assert.ErrorIs(t, err, c.want)
			_, err = s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7, b)
			assert.ErrorIs(t, err, c.want)
			s.assertBalance(t, card, 10_000)
		})
	}
}

// serversThatMissTheKey returns n servers on one store, each for one call: all calls look up their key before one of
// them writes it.
func (s *shop) serversThatMissTheKey(t *testing.T, n int) []*purchase.Purchase {
	t.Helper()
	g := &keyBarrierStore{Store: s.store, open: make(chan struct{})}
	g.missing.Store(int64(n))
	var servers []*purchase.Purchase
	for range n {
		c := purchaseConfig(s.db, s.source, s.gateway, s.clock.Now)
		c.Store = g
		one, err := purchase.New(c)
		require.NoError(t, err)
		servers = append(servers, one)
	}
	return servers
}

func TestGoods_IdenticalCallsWithOneKeyAreOneOrder(t *testing.T) {
	t.Parallel()
	for name, servers := range map[string]func(*shop, *testing.T) []*purchase.Purchase{
		"one server":    func(s *shop, _ *testing.T) []*purchase.Purchase { return []*purchase.Purchase{s.Purchase} },
		"eight servers": func(s *shop, t *testing.T) []*purchase.Purchase { return s.serversThatMissTheKey(t, 8) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newGoodsShop(t, 3)
			card := s.giveCard(t, 7, 10_000)
			b := buyRequest(s.codes, card)
			b.Key = "k1"
			got := callInParallel(t, 8, servers(s.shop, t), func(srv *purchase.Purchase) (string, error) {
				o, err := srv.Checkout.Purchases.BuyGoodsWithCards(context.Background(), 7, b)
				return o.No, err
			})
			assert.Len(t, got, 1)
			assert.Equal(t, 2, s.stock(t, s.codes))
			b.SKUID = s.topup
			_, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, b)
			assert.ErrorIs(t, err, order.ErrKeyReused, "another request with the same key is rejected")
		})
	}
}

// staleKeyStore is a store whose first look-up of a key comes before the order that is made with it.
type staleKeyStore struct {
	order.Store
	looked atomic.Bool
}

func (s *staleKeyStore) IdempotencyKey(
	ctx context.Context, userID int64, route, key string,
) (order.IdempotencyKey, bool, error) {
	if s.looked.CompareAndSwap(false, true) {
		return order.IdempotencyKey{}, false, nil
	}
	return s.Store.IdempotencyKey(ctx, userID, route, key)
}

// If the order takes the last piece, an equal call finds none left, and returns the order all the same.
func TestGoods_AnEqualCallForTheLastPieceIsTheSameOrder(t *testing.T) {
	t.Parallel()
	for name, buy := range map[string]func(*purchase.Purchase, checkout.BuyGoods) (string, error){
		"with cards": func(p *purchase.Purchase, b checkout.BuyGoods) (string, error) {
			o, err := p.Checkout.Purchases.BuyGoodsWithCards(context.Background(), 7, b)
			return o.No, err
		},
		"in the app": func(p *purchase.Purchase, b checkout.BuyGoods) (string, error) {
			b.CardIDs, b.OpenID = nil, purchasetest.OpenID(7)
			announced, err := p.Checkout.Purchases.BuyGoodsWithApp(context.Background(), 7, b)
			return announced.OrderNo, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newGoodsShop(t, 1)
			b := buyRequest(s.codes, s.giveCard(t, 7, 10_000))
			b.Key = "k1"
			no, err := buy(s.Purchase, b)
			require.NoError(t, err)
			s.store.intercept(&staleKeyStore{Store: s.store.Store})
			again, err := buy(s.Purchase, b)
			require.NoError(t, err)
			assert.Equal(t, no, again)
		})
	}
}

func TestGoods_IdenticalCallsInTheAppAreOneOrderAndOneTrade(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 3)
	b := buyRequest(s.codes)
	b.Key = "k1"
	hold := make(chan struct{})
	s.gateway.On(purchasetest.Plan{Op: "prepay", Hook: func() { <-hold }})
	go func() {
		assert.Eventually(t, func() bool { return s.gateway.Calls("prepay") > 0 }, 10*time.Second, time.Millisecond)
		close(hold)
	}()
	got := callInParallel(t, 8, []*purchase.Purchase{s.Purchase}, func(srv *purchase.Purchase) (string, error) {
		announced, err := srv.Checkout.Purchases.BuyGoodsWithApp(context.Background(), 7, b)
		assert.NotEmpty(t, announced.BridgeParams.Package)
		return announced.OrderNo, err
	})
	assert.Len(t, got, 1)
	assert.Equal(t, 2, s.stock(t, s.codes))
	assert.Equal(t, 1, s.count(t, `SELECT count(*) FROM payments WHERE state = 'open'`))
}

func TestRecharge_IdenticalCallsWithOneKeyAreOneOrder(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 100)
	r := checkout.RechargeCard{CardID: card, Points: 50_00, OpenID: purchasetest.OpenID(7), Key: "k1"}
	got := callInParallel(t, 8, []*purchase.Purchase{s.Purchase}, func(srv *purchase.Purchase) (string, error) {
		announced, err := srv.Checkout.Purchases.RechargeCard(context.Background(), 7, r)
		return announced.OrderNo, err
	})
	assert.Len(t, got, 1)
	r.Points = 60_00
	_, err := s.Checkout.Purchases.RechargeCard(t.Context(), 7, r)
	assert.ErrorIs(t, err, order.ErrKeyReused)
}

// Two servers do not share calls in progress: both pay the same order, and the second payment replaces the first.
func TestRecharge_TwoServersMakeOneOrder(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 100)
	r := checkout.RechargeCard{CardID: card, Points: 50_00, OpenID: purchasetest.OpenID(7), Key: "k1"}
	got := callInParallel(t, 2, s.serversThatMissTheKey(t, 2), func(srv *purchase.Purchase) (string, error) {
		announced, err := srv.Checkout.Purchases.RechargeCard(context.Background(), 7, r)
		return announced.OrderNo, err
	})
	assert.Len(t, got, 1)
	assert.Equal(t, 1, s.count(t, `SELECT count(*) FROM orders WHERE kind = 'recharge'`))
}
