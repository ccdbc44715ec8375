package purchase_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/goods"
	"marquee/server/order"
)

// A count includes the pieces that unpaid orders hold and that paid orders wait for, so that they are not sold twice.
func TestGoodsStock_ACountDoesNotSellWhatOrdersHave(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 0)
	s.countStock(t, 5)
	o, _ := s.buyGoodsInApp(t, buyRequest(s.topup))
	rich := s.giveCardOf(t, 7, cards.SuperCard, 100_000, time.Hour)
	waiting, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, buyRequest(s.topup, rich))
	require.NoError(t, err)
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Issuing, s.state(t, waiting), "to be recharged by an operator")
	assert.Equal(t, 3, s.stock(t, s.topup))

	for range 2 { // a repeated count changes nothing
		assert.Equal(t, 8, s.countStock(t, 10), "one piece is held and one is waited for")
		assert.Equal(t, 8, s.stock(t, s.topup))
	}
	_, err = s.goods.CountStock(t.Context(), "topup-month", 1, "admin:1")
	assert.ErrorIs(t, err, goods.ErrStockReserved)
	_, err = s.goods.CountStock(t.Context(), "topup-month", -1, "admin:1")
	assert.ErrorIs(t, err, goods.ErrGoodsInvalid)
	assert.Equal(t, 8, s.stock(t, s.topup), "a rejected count changes nothing")
	assert.Zero(t, s.countStock(t, 2))

	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
	assert.Equal(t, 1, s.stock(t, s.topup), "the held piece returns")
	require.NoError(t, s.Fulfilment.MarkDelivered(t.Context(), waiting.No, "admin:1"))
	assert.Equal(t, 1, s.countStock(t, 1), "a delivered piece is not counted any more")
}
