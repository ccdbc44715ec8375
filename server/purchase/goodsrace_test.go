package purchase_test

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/goods"
)

// rush lets n buyers buy at once, and counts who got something.
func rush(t *testing.T, n int, buy func(user int64) error) int {
	t.Helper()
	var won atomic.Int64
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			switch err := buy(int64(100 + i)); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, goods.ErrSoldOut):
				t.Errorf("buyer %d: %v", i, err)
			}
		})
	}
	close(start)
	wg.Wait()
	return int(won.Load())
}

func TestGoods_StockIsNeverOversoldAndACodeNeverGivenTwice(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 10)
	cardOf := map[int64]int64{}
	for i := range 64 {
		cardOf[int64(100+i)] = s.giveCard(t, int64(100+i), 10_000)
	}
	assert.Equal(t, 10, rush(t, 64, func(user int64) error {
		_, err := s.Checkout.Purchases.BuyGoodsWithCards(context.Background(), user, wish(s.codes, cardOf[user]))
		return err
	}))
	assert.Zero(t, s.stock(t, s.codes))
	assert.Equal(t, 10, s.count(t, `SELECT count(DISTINCT order_no) FROM goods_codes WHERE state = 'given'`))
	s.verifyBooks(t)
}

// The control: buyers who trust the stock that they read, as a shop without the guarded update would, all get one.
func TestGoods_RaceIsRealWithoutTheGuard(t *testing.T) {
	t.Parallel()
	s := newShelf(t, 10)
	seen := make(chan struct{})
	var readers sync.WaitGroup
	readers.Add(64)
	go func() { readers.Wait(); close(seen) }()
	sold := rush(t, 64, func(int64) error {
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

func TestVerify_SeesGoodsThatDoNotAddUp(t *testing.T) {
	t.Parallel()
	for check, spoil := range map[string]string{
		"stock_matches_codes":   `UPDATE goods_skus SET stock = 99 WHERE code = 'codes-month'`,
		"stock_matches_order":   `UPDATE stock_holds SET state = 'released'`,
		"codes_are_of_an_order": `UPDATE orders SET state = 'EXPIRED' WHERE order_no IN (SELECT order_no FROM goods_codes WHERE state = 'held')`,
		"codes_match_order":     `UPDATE orders SET state = 'PAID' WHERE state = 'ISSUED' AND kind = 'goods'`,
		"recharge_is_credited":  `UPDATE orders SET state = 'ISSUED' WHERE kind = 'recharge'`,
		"merged_card_is_empty":  `UPDATE cards SET merged_into = id`,
	} {
		t.Run(check, func(t *testing.T) {
			t.Parallel()
			s := newShelf(t, 3)
			card := s.giveCard(t, 7, 10_000)
			_, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, wish(s.codes, card))
			require.NoError(t, err)
			s.buyApp(t, wish(s.codes))
			s.shop.recharge(t, card)
			s.verifyBooks(t)
			require.NoError(t, s.db.Write(t.Context(), func(tx *sql.Tx) error { _, err := tx.Exec(spoil); return err }))
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
