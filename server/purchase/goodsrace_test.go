package purchase_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/goods"
)

// buyInParallel lets n buyers buy in parallel and returns the number of successful purchases. Other errors than
// ErrSoldOut fail the test.
func buyInParallel(t *testing.T, n int, buy func(user int64) error) int {
	t.Helper()
	var bought atomic.Int64
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			switch err := buy(int64(100 + i)); {
			case err == nil:
				bought.Add(1)
			case !errors.Is(err, goods.ErrSoldOut):
				t.Errorf("buyer %d: %v", i, err)
			}
		})
	}
	close(start)
	wg.Wait()
	return int(bought.Load())
}

func TestGoods_StockIsNotOversoldAndACodeIsGivenOnce(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 10)
	cardOf := map[int64]int64{}
	for i := range 64 {
		cardOf[int64(100+i)] = s.giveCard(t, int64(100+i), 10_000)
	}
	assert.Equal(t, 10, buyInParallel(t, 64, func(user int64) error {
		_, err := s.Checkout.Purchases.BuyGoodsWithCards(context.Background(), user, buyRequest(s.codes, cardOf[user]))
		return err
	}))
	assert.Zero(t, s.stock(t, s.codes))
	assert.Equal(t, 10, s.count(t, `SELECT count(DISTINCT order_no) FROM goods_codes WHERE state = 'given'`))
}

// The control: with a check of the stock that is separate from the update, more buyers succeed than there are pieces.
func TestGoods_OversellsWithoutTheGuard(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 10)
	seen := make(chan struct{})
	var readers sync.WaitGroup
	readers.Add(64)
	go func() { readers.Wait(); close(seen) }()
	sold := buyInParallel(t, 64, func(int64) error {
		o, err := s.db.Orders().Offer(context.Background(), s.codes)
		readers.Done()
		<-seen
		if err != nil || o.SKU.Stock < 1 {
			return errors.Join(err, goods.ErrSoldOut)
		}
		return nil
	})
	assert.Greater(t, sold, 10)
}

func TestVerify_DetectsContradictionsOfGoods(t *testing.T) {
	t.Parallel()
	for check, tampering := range map[string]string{
		"stock_matches_codes": `UPDATE goods_skus SET stock = 99 WHERE code = 'codes-month'`,
		"stock_matches_order": `UPDATE stock_holds SET state = 'released'`,
		"codes_are_of_an_order": `UPDATE orders SET state = 'EXPIRED'
			WHERE order_no IN (SELECT order_no FROM goods_codes WHERE state = 'held')`,
		"codes_match_order":    `UPDATE orders SET state = 'PAID' WHERE state = 'ISSUED' AND kind = 'goods'`,
		"recharge_is_credited": `UPDATE orders SET state = 'ISSUED' WHERE kind = 'recharge'`,
		"merged_card_is_empty": `UPDATE cards SET merged_into = id`,
	} {
		t.Run(check, func(t *testing.T) {
			t.Parallel()
			s := newGoodsShop(t, 3)
			card := s.giveCard(t, 7, 10_000)
			_, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, buyRequest(s.codes, card))
			require.NoError(t, err)
			s.buyGoodsInApp(t, buyRequest(s.codes))
			s.shop.recharge(t, card)
			s.verifyBooks(t)
			s.tamper(t, tampering)
			found, err := s.db.Orders().Discrepancies(t.Context())
			require.NoError(t, err)
			names := map[string]bool{}
			for _, d := range found {
				names[d.Check] = true
			}
			assert.True(t, names[check], "%v", found)
		})
	}
}
