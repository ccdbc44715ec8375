package purchase_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/checkout"
	"marquee/server/fault"
	"marquee/server/goods"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
)

const goodsPrice = money.Fen(1500)

// goodsShop is a shop with two specifications of goods: one with codes, one that recharges an account.
type goodsShop struct {
	*shop
	goods         *goods.Service
	codes, topup  int64 // ids of the specifications
	numberOfCodes int
}

func newGoodsShop(t *testing.T, codes int, options ...option) *goodsShop {
	t.Helper()
	s := newGoodsShopAt(t, newDatabase(t), codes, options...)
	s.verifyBooksAtEnd(t)
	return s
}

func newGoodsShopAt(t tb, path string, codes int, options ...option) *goodsShop {
	t.Helper()
	s := &goodsShop{shop: newShopAt(t, path, options...), numberOfCodes: codes}
	var err error
	s.goods, err = goods.New(s.db.Goods(), testPeppers, s.clock.Now)
	require.NoError(t, err)
	ctx := t.Context()
	_, err = s.goods.PutCategory(ctx, goods.Category{Code: "music", Name: "音乐会员"}, "admin:1")
	require.NoError(t, err)
	_, err = s.goods.PutGoods(ctx, "music", goods.Goods{Code: "codes", Title: "音乐会员", Type: goods.VirtualCode,
		Shelf: goods.Music, Scope: "any", OnSale: true}, "admin:1")
	require.NoError(t, err)
	s.putTopup(t, goods.MemberAccount)
	put := func(code string) int64 {
		id, err := s.goods.PutSKU(ctx, code, goods.SKU{Code: code + "-month", Name: "月卡", Price: goodsPrice,
			ValidDays: 31, OnSale: true}, "admin:1")
		require.NoError(t, err)
		return id
	}
	s.codes, s.topup = put("codes"), put("topup")
	s.countStock(t, 5)
	var list []goods.Code
	for i := range codes {
		list = append(list, goods.Code{Num: fmt.Sprintf("N%03d", i), Pass: fmt.Sprintf("secret-%d", i)})
	}
	_, err = s.goods.AddCodes(ctx, "codes-month", list, "admin:1")
	require.NoError(t, err)
	return s
}

// putTopup adds or changes the goods that recharge an account.
func (s *goodsShop) putTopup(t tb, format goods.AccountFormat) {
	t.Helper()
	_, err := s.goods.PutGoods(t.Context(), "music", goods.Goods{Code: "topup", Title: "音乐会员",
		Type: goods.AccountRecharge, Shelf: goods.Music, Scope: "book", Account: format, OnSale: true}, "admin:1")
	require.NoError(t, err)
}

// countStock records a count of the goods that recharge an account.
func (s *goodsShop) countStock(t tb, pieces int) (left int) {
	t.Helper()
	left, err := s.goods.CountStock(t.Context(), "topup-month", pieces, "admin:1")
	require.NoError(t, err)
	return left
}

// stock returns the number of pieces that can still be sold.
func (s *goodsShop) stock(t tb, sku int64) int {
	t.Helper()
	o, err := s.db.Orders().Offer(t.Context(), sku)
	require.NoError(t, err)
	return o.SKU.Stock
}

// buyRequest returns a purchase of one piece by buyer 7, with every field that any way of payment needs.
func buyRequest(sku int64, cardIDs ...int64) checkout.BuyGoods {
	return checkout.BuyGoods{SKUID: sku, Pieces: 1, Account: "13800000007", CardIDs: cardIDs,
		Password: purchasetest.Password, OpenID: purchasetest.OpenID(7)}
}

// buyGoodsInApp buys goods with a payment in the messaging app, and returns the order and the number of its trade.
func (s *goodsShop) buyGoodsInApp(t tb, b checkout.BuyGoods) (order.Order, string) {
	t.Helper()
	announced, err := s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7, b)
	require.NoError(t, err)
	return s.orderAndTrade(t, announced.OrderNo)
}

func TestGoods_CodeBoughtWithPoints(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 3)
	card := s.giveCard(t, 7, 10_000)
	q, err := s.Checkout.Purchases.QuoteGoods(t.Context(), 7, buyRequest(s.codes, card))
	require.NoError(t, err)
	assert.Equal(t, order.Quote{Total: goodsPrice, Cards: goodsPrice, CardIDs: []int64{card},
		Parts: []order.QuotePart{{CardID: card, Amount: goodsPrice}}}, q)

	o, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, buyRequest(s.codes, card))
	require.NoError(t, err)
	assert.Equal(t, order.Issued, o.State, "an order of codes is issued at once")
	assert.Equal(t, 2, s.stock(t, s.codes))
	s.assertBalance(t, card, 8500)
	codes, err := s.goods.CodesOf(t.Context(), o.No)
	require.NoError(t, err)
	assert.Equal(t, []goods.Code{{Num: "N000", Pass: "secret-0"}}, codes)
	p, err := s.Orders.List(t.Context(), 7, order.TabToUse, 1, 10)
	require.NoError(t, err)
	require.Len(t, p.Orders, 1, "a code is to be used until its end")
	assert.Equal(t, o.No, p.Orders[0].No)
	assert.Equal(t, s.clock.Now().AddDate(0, 0, 31).Unix(), p.Orders[0].Snapshot.Goods.EndsAt.Unix())
	require.Len(t, p.Money[o.No].Legs, 1)
}

func TestGoods_BoughtWithBothAndInTheApp(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 3)
	card := s.giveCard(t, 7, 500)
	b := buyRequest(s.codes, card)
	wrong := goodsPrice
	b.ClaimedApp = &wrong
	_, err := s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7, b)
	assert.ErrorIs(t, err, order.ErrAmountMismatch)
	assert.Equal(t, 3, s.stock(t, s.codes), "a rejected purchase does not hold stock")
	right := goodsPrice - 500
	b.ClaimedApp = &right
	both, trade := s.buyGoodsInApp(t, b)
	assert.Equal(t, 2, s.stock(t, s.codes))
	s.verifyBooks(t)
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade)))
	assert.Equal(t, order.Issued, s.state(t, both))
	app, trade := s.buyGoodsInApp(t, buyRequest(s.codes))
	n := s.pay(t, trade)
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n))
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n), "a repeated notification is accepted")
	codes, err := s.goods.CodesOf(t.Context(), app.No)
	require.NoError(t, err)
	assert.Equal(t, "N001", codes[0].Num)
}

func TestGoods_OneKeyMakesOneOrder(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 3)
	card := s.giveCard(t, 7, 10_000)
	b := buyRequest(s.codes, card)
	b.Key = "k"
	first, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, b)
	require.NoError(t, err)
	again, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, b)
	require.NoError(t, err)
	assert.Equal(t, first.No, again.No)
	b.SKUID = s.topup
	_, err = s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, b)
	assert.ErrorIs(t, err, order.ErrKeyReused)
	app := buyRequest(s.topup)
	app.Key = "a"
	one, _ := s.buyGoodsInApp(t, app)
	two, err := s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7, app)
	require.NoError(t, err)
	assert.Equal(t, one.No, two.OrderNo)
}

func TestGoods_Rejections(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 1)
	rich, poor, cake := s.giveCard(t, 7, 100_000), s.giveCard(t, 7, 100), s.giveCardOf(t, 7, cards.CakeCard, 10_000,
		time.Hour)
	book := s.giveCardOf(t, 7, cards.BookCard, 10_000, time.Hour)
	foreign := s.giveCard(t, 8, 10_000)
	buy := func(change func(*checkout.BuyGoods)) error {
		b := buyRequest(s.topup, rich)
		change(&b)
		_, err := s.Checkout.Purchases.BuyGoodsWithCards(t.Context(), 7, b)
		return err
	}
	for name, c := range map[string]struct {
		change func(*checkout.BuyGoods)
		want   error
	}{
		"unknown specification":     {func(b *checkout.BuyGoods) { b.SKUID = 999 }, goods.ErrGoodsNotFound},
		"two pieces":                {func(b *checkout.BuyGoods) { b.Pieces = 2 }, checkout.ErrQuantity},
		"zero pieces":               {func(b *checkout.BuyGoods) { b.Pieces = 0 }, checkout.ErrQuantity},
		"missing account":           {func(b *checkout.BuyGoods) { b.Account = "" }, goods.ErrAccountRequired},
		"an account of punctuation": {func(b *checkout.BuyGoods) { b.Account = " --!! " }, goods.ErrAccountRequired},
		"an account of 65 letters": {func(b *checkout.BuyGoods) { b.Account = strings.Repeat("a", 65) },
			goods.ErrAccountInvalid},
		"missing card": {func(b *checkout.BuyGoods) { b.CardIDs = nil }, checkout.ErrMethodRequired},
		"too few points": {func(b *checkout.BuyGoods) { b.CardIDs = []int64{poor} },
			cards.ErrPointsInsufficient},
		"another buyer's card": {func(b *checkout.BuyGoods) { b.CardIDs = []int64{foreign} },
			cards.ErrCardUnusable},
		"a cake card": {func(b *checkout.BuyGoods) { b.CardIDs = []int64{cake} }, cards.ErrCardUnusable},
		"a book card for goods of any scope": {func(b *checkout.BuyGoods) {
			b.SKUID, b.CardIDs = s.codes, []int64{book}
		},
			cards.ErrCardUnusable},
		"a wrong password": {func(b *checkout.BuyGoods) { b.Password = "000000" }, purchasetest.ErrPassword},
		"a book card":      {func(b *checkout.BuyGoods) { b.CardIDs = []int64{book} }, nil},
	} {
		assert.ErrorIs(t, buy(c.change), c.want, name)
	}
	_, err := s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7,
		checkout.BuyGoods{SKUID: s.codes, Pieces: 1, OpenID: "another"})
	assert.Equal(t, "openid_unproven", fault.Of(err).Code)
	require.NoError(t, buy(func(b *checkout.BuyGoods) { b.SKUID = s.codes }))
	assert.ErrorIs(t, buy(func(b *checkout.BuyGoods) { b.SKUID = s.codes }), goods.ErrSoldOut)
	_, err = s.Checkout.Purchases.QuoteGoods(t.Context(), 7, buyRequest(s.codes))
	assert.ErrorIs(t, err, goods.ErrSoldOut)
	assert.Equal(t, 4, s.stock(t, s.topup))
}

func TestGoods_UnpaidOrdersReleaseTheirStock(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 1)
	o, trade := s.buyGoodsInApp(t, buyRequest(s.codes))
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
	assert.Equal(t, order.Cancelled, s.state(t, o))
	assert.Equal(t, 1, s.stock(t, s.codes))
	_, paid := s.gateway.Pay(trade)
	assert.False(t, paid, "the trade is closed")
	o, _ = s.buyGoodsInApp(t, buyRequest(s.codes))
	assert.Zero(t, s.stock(t, s.codes))
	s.runDueJobsAfter(t, 16*time.Minute)
	assert.Equal(t, order.Expired, s.state(t, o))
	assert.Equal(t, 1, s.stock(t, s.codes))
}

func TestGoods_UnpaidOrdersOfABuyerAreLimited(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 20)
	for range 10 {
		s.buyGoodsInApp(t, buyRequest(s.codes))
	}
	_, err := s.Checkout.Purchases.BuyGoodsWithApp(t.Context(), 7, buyRequest(s.codes))
	assert.ErrorIs(t, err, checkout.ErrTooManyUnpaid)
}

func TestGoods_LateCaptureIsRefunded(t *testing.T) {
	t.Parallel()
	s := newGoodsShop(t, 1)
	o, trade := s.buyGoodsInApp(t, buyRequest(s.codes))
	n := s.pay(t, trade)
	s.gateway.On(purchasetest.Plan{Op: "query", Err: order.ErrTradeNotFound, Times: 9})
	s.gateway.On(purchasetest.Plan{Op: "close", Err: order.ErrTradeNotFound, Times: 9})
	s.runDueJobsAfter(t, 16*time.Minute)
	assert.Equal(t, order.Expired, s.state(t, o))
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n))
	s.runDueJobsAfter(t, 0)
	s.assertAllRefunded(t, goodsPrice)
	assert.Equal(t, 1, s.stock(t, s.codes))
}
