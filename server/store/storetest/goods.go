package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/goods"
	"marquee/server/order"
)

// addGoods adds goods with one SKU on sale, with n codes or with a stock of n, and returns the id of the SKU.
func (e Engine) addGoods(t *testing.T, code string, typ goods.Type, n int) (sku int64) {
	t.Helper()
	require.NoError(t, e.Goods.Update(t.Context(), func(tx goods.Tx) error {
		category, err := tx.Goods.SaveCategory(goods.Category{Code: "c", Name: "分类"})
		require.NoError(t, err)
		g := goods.Goods{
			Code: code, CategoryID: category, Shelf: goods.Music, Type: typ, Scope: "any", Title: code, OnSale: true,
		}
		if typ == goods.AccountRecharge {
			g.Account = goods.PhoneAccount
		}
		id, err := tx.Goods.SaveGoods(g)
		require.NoError(t, err)
		sku, err = tx.Goods.SaveSKU(goods.SKU{Code: code + "-1", GoodsID: id, Name: "月卡", Price: 1500, OnSale: true})
		require.NoError(t, err)
		if typ == goods.AccountRecharge {
			return tx.Goods.SetStock(sku, n)
		}
		var codes []goods.SealedCode
		for i := range n {
			codes = append(codes, goods.SealedCode{Sealed: []byte{byte(i)}, Hash: []byte(fmt.Sprint(code, i))})
		}
		_, err = tx.Goods.AddCodes(sku, codes, noon)
		return err
	}))
	return sku
}

// offer reads an SKU with its goods.
func (e Engine) offer(t *testing.T, sku int64) goods.Offer {
	t.Helper()
	o, err := e.Orders.Offer(t.Context(), sku)
	require.NoError(t, err)
	return o
}

// hold inserts a pending goods order that holds one piece.
func (e Engine) hold(t *testing.T, no string, sku int64) (order.Order, error) {
	t.Helper()
	o := goodsOrder(no)
	return o, e.try(t, func(tx order.Tx) error { return holdOne(tx, &o, sku) })
}

// goodsOrder returns a PENDING goods order of buyer 7. It is not inserted.
func goodsOrder(no string) order.Order {
	return order.Order{
		No: no, Kind: order.Goods, State: order.Pending, Version: 1, UserID: 7, Total: 1500,
		CreatedAt: noon, UpdatedAt: noon, ExpiresAt: noon.Add(time.Hour),
		Snapshot: order.Snapshot{Goods: &order.BoughtGoods{Title: "会员", Pieces: 1}},
	}
}

// holdOne inserts the order and holds one piece of the SKU for it.
func holdOne(tx order.Tx, o *order.Order, sku int64) error {
	offer, err := tx.Stock.Offer(sku)
	if err != nil {
		return err
	}
	if err := tx.Orders.Insert(o); err != nil {
		return err
	}
	return tx.Stock.Hold(o.No, offer, 1, noon)
}

// goodsOnSale tests that goods on sale are listed, by pages, and counted by shelf and category. Goods that are not on
// sale are ErrGoodsNotFound for buyers. Saving goods again does not change their stock.
func goodsOnSale(t *testing.T, e Engine) {
	sku := e.addGoods(t, "a", goods.AccountRecharge, 3)
	e.addGoods(t, "b", goods.VirtualCode, 0)
	o := e.offer(t, sku)
	assert.Equal(t, 3, o.SKU.Stock)
	assert.Equal(t, o.SKU.Price, o.Goods.Price)
	assert.Equal(t, 3, o.Goods.Stock)
	assert.True(t, o.Buyable())
	list, total, err := e.Goods.ListGoods(t.Context(), goods.Filter{Limit: 1, Offset: 1})
	require.NoError(t, err)
	assert.Equal(t, 2, total)
	require.Len(t, list, 1)
	assert.Equal(t, "b", list[0].Code)
	assert.Zero(t, list[0].Stock)
	_, total, err = e.Goods.ListGoods(t.Context(), goods.Filter{Limit: 9,
		Shelves: []goods.Shelf{goods.Reading, goods.Tools}})
	require.NoError(t, err)
	assert.Zero(t, total)
	_, total, err = e.Goods.ListGoods(t.Context(), goods.Filter{Limit: 9, CategoryID: o.Goods.CategoryID,
		Shelves: []goods.Shelf{goods.Music}})
	require.NoError(t, err)
	assert.Equal(t, 2, total)
	g, skus, err := e.Goods.Goods(t.Context(), o.Goods.ID)
	require.NoError(t, err)
	assert.Equal(t, o.Goods, g)
	assert.Equal(t, []goods.SKU{o.SKU}, skus)
	require.NoError(t, e.Goods.Update(t.Context(), func(tx goods.Tx) error {
		o.Goods.OnSale = false
		_, err := tx.Goods.SaveGoods(o.Goods)
		return err
	}))
	_, _, err = e.Goods.Goods(t.Context(), o.Goods.ID)
	assert.ErrorIs(t, err, goods.ErrGoodsNotFound, "goods that are not on sale are not found")
	assert.False(t, e.offer(t, sku).Buyable())
	assert.Equal(t, 3, e.offer(t, sku).SKU.Stock, "saving the goods again does not change the stock")
	_, err = e.Orders.Offer(t.Context(), 999)
	assert.ErrorIs(t, err, goods.ErrGoodsNotFound)
	offers, err := e.Goods.AllGoods(t.Context())
	require.NoError(t, err)
	assert.Len(t, offers, 2)
}

// stockFollowsOrder tests that the pieces which an unpaid order holds are not for sale, are sold once, and return to
// the stock when the order releases them, for counted stock and for codes. An order of a sold-out SKU fails with
// ErrSoldOut and leaves no order.
func stockFollowsOrder(t *testing.T, e Engine) {
	for _, typ := range []goods.Type{goods.AccountRecharge, goods.VirtualCode} {
		name := fmt.Sprint(typ)
		sku := e.addGoods(t, name, typ, 1)
		_, err := e.hold(t, name+"a", sku)
		require.NoError(t, err)
		assert.Zero(t, e.offer(t, sku).SKU.Stock)
		_, err = e.hold(t, name+"b", sku)
		assert.ErrorIs(t, err, goods.ErrSoldOut)
		_, err = e.Orders.Order(t.Context(), name+"b")
		assert.ErrorIs(t, err, order.ErrOrderNotFound, "the rejected order is not inserted")
		for range 2 { // the second release changes nothing
			e.update(t, func(tx order.Tx) error { return tx.Stock.Release(name+"a", noon) })
			assert.Equal(t, 1, e.offer(t, sku).SKU.Stock)
		}
		_, err = e.hold(t, name+"c", sku)
		require.NoError(t, err)
		e.update(t, func(tx order.Tx) error {
			sold, err := tx.Stock.Sell(name+"c", noon)
			assert.Equal(t, 1, sold)
			again, _ := tx.Stock.Sell(name+"c", noon)
			assert.Zero(t, again)
			return err
		})
		e.update(t, func(tx order.Tx) error { return tx.Stock.Release(name+"c", noon) })
		assert.Equal(t, 1, e.offer(t, sku).SKU.Stock, "a sold piece returns to the stock when it is released")
	}
}

// codesGiven tests that an order gets its codes after its stock is sold, and keeps them. A free code replaces a held
// one that is withdrawn. A code that was given cannot be withdrawn (ErrCodeGiven).
func codesGiven(t *testing.T, e Engine) {
	sku := e.addGoods(t, "x", goods.VirtualCode, 2)
	_, err := e.hold(t, "1", sku)
	require.NoError(t, err)
	e.update(t, func(tx order.Tx) error {
		given, err := tx.Stock.GiveCodes("1", noon)
		assert.Zero(t, given, "codes are not given before the stock is sold")
		_, sellErr := tx.Stock.Sell("1", noon)
		return errors.Join(err, sellErr)
	})
	withdraw := func(hash string) error {
		return e.Goods.Update(t.Context(), func(tx goods.Tx) error { return tx.Goods.WithdrawCode([]byte(hash), noon) })
	}
	require.NoError(t, withdraw("x0"), "a held code can be withdrawn")
	assert.Equal(t, 1, e.offer(t, sku).SKU.Stock)
	e.update(t, func(tx order.Tx) error {
		given, err := tx.Stock.GiveCodes("1", noon)
		assert.Equal(t, 1, given, "a free code replaces the withdrawn one")
		return err
	})
	assert.Zero(t, e.offer(t, sku).SKU.Stock)
	codesOfSKU, codes, err := e.Goods.CodesOf(t.Context(), "1")
	require.NoError(t, err)
	assert.Equal(t, sku, codesOfSKU)
	assert.Equal(t, []goods.SealedCode{{Sealed: []byte{1}, Hash: []byte("x1")}}, codes)
	assert.ErrorIs(t, withdraw("x1"), goods.ErrCodeGiven)
	assert.ErrorIs(t, withdraw("x0"), goods.ErrCodeNotFound, "the code was withdrawn before")
	assert.ErrorIs(t, withdraw("none"), goods.ErrCodeNotFound)
	assert.ErrorIs(t, e.Goods.Update(t.Context(), func(tx goods.Tx) error {
		at, err := tx.Goods.AddCodes(sku, []goods.SealedCode{
			{Sealed: []byte("other"), Hash: []byte("x2")}, {Sealed: []byte("new"), Hash: []byte("x1")},
		}, noon)
		assert.Equal(t, 1, at)
		return err
	}), goods.ErrCodeExists, "a code is stored once, given or not")
	e.update(t, func(tx order.Tx) error { return tx.Stock.Release("1", noon) })
	_, codes, err = e.Goods.CodesOf(t.Context(), "1")
	require.NoError(t, err)
	assert.Len(t, codes, 1, "a given code stays with its order")
	assert.Zero(t, e.offer(t, sku).SKU.Stock)
}

// parallelBuyers lets 30 buyers hold the last 5 pieces in parallel: exactly 5 succeed.
func parallelBuyers(t *testing.T, e Engine) {
	sku := e.addGoods(t, "x", goods.VirtualCode, 5)
	errs := inParallel(30, func(i int) error {
		o := goodsOrder(fmt.Sprint(i))
		return e.Orders.Update(context.Background(), func(tx order.Tx) error { return holdOne(tx, &o, sku) })
	})
	assert.Equal(t, 30-5, countRejections(t, errs, goods.ErrSoldOut))
	e.update(t, func(tx order.Tx) error {
		n, err := tx.Orders.CountUnpaid(7)
		assert.Equal(t, 5, n)
		return err
	})
	counts, err := e.Reader.CountOrders(t.Context(), 7, noon)
	require.NoError(t, err)
	assert.Equal(t, order.Counts{All: 5, Pending: 5}, counts)
}
