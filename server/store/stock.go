package store

import (
	"fmt"
	"time"

	"marquee/server/goods"
)

// AddCodes implements goods.Repository. It changes the stock once, not for each code, because purchases wait for the
// transaction.
func (w goodsRepo) AddCodes(skuID int64, codes []goods.SealedCode, now time.Time) (at int, err error) {
	if err := w.lockSKU(skuID); err != nil {
		return 0, err
	}
	for at, c := range codes {
		if err := w.addCode(skuID, c, now); err != nil {
			return at, err
		}
	}
	_, err = w.exec(`UPDATE goods_skus SET stock = stock + $1 WHERE id = $2`, len(codes), skuID)
	return 0, err
}

func (w goodsRepo) addCode(skuID int64, c goods.SealedCode, now time.Time) error {
	for _, hash := range c.OtherHashes {
		stored, err := txQueryAll(w.writeTx, scanValue[int64], `SELECT id FROM goods_codes WHERE hash = $1`, hash)
		if err != nil {
			return fmt.Errorf("store: add code: %w", err)
		}
		if len(stored) > 0 {
			return goods.ErrCodeExists
		}
	}
	inserted, err := w.exec(`INSERT INTO goods_codes (sku_id, sealed, hash, import, state, changed_at)
		VALUES ($1, $2, $3, $4, 'free', $5) ON CONFLICT DO NOTHING`, skuID, c.Sealed, c.Hash, c.Import, toEpoch(now))
	if err != nil {
		return fmt.Errorf("store: add code: %w", err)
	}
	if inserted == 0 {
		return goods.ErrCodeExists
	}
	return nil
}

// WithdrawCode implements goods.Repository.
func (w goodsRepo) WithdrawCode(hash []byte, now time.Time) error {
	if err := w.lockSKUOf(`SELECT sku_id FROM goods_codes WHERE hash = $1`, hash); err != nil {
		return err
	}
	type row struct {
		id, sku int64
		state   string
	}
	found, err := txQueryAll(w.writeTx,
		func(r scanner) (c row, err error) { return c, r.Scan(&c.id, &c.sku, &c.state) },
		`SELECT id, sku_id, state FROM goods_codes WHERE hash = $1 AND state <> 'withdrawn'`, hash)
	switch {
	case err != nil:
		return err
	case len(found) == 0:
		return goods.ErrCodeNotFound
	case found[0].state == "given":
		return goods.ErrCodeGiven
	}
	if _, err := w.exec(`UPDATE goods_codes SET state = 'withdrawn', order_no = NULL, changed_at = $1
		WHERE id = $2`, toEpoch(now), found[0].id); err != nil {
		return err
	}
	if found[0].state == "held" {
		return nil // a held code is not counted in the stock
	}
	_, err = w.exec(`UPDATE goods_skus SET stock = stock - 1 WHERE id = $1`, found[0].sku)
	return err
}

// ResealCode implements goods.Repository.
func (w goodsRepo) ResealCode(id int64, c goods.SealedCode) error {
	_, err := w.exec(`UPDATE goods_codes SET sealed = $1, hash = $2 WHERE id = $3`, c.Sealed, c.Hash, id)
	return err
}

// Offer implements goods.Stock.
func (w stockRepo) Offer(skuID int64) (goods.Offer, error) {
	return txQueryOne(w.writeTx, scanOffer, goods.ErrGoodsNotFound, offerQuery+`WHERE k.id = $1`, skuID)
}

// Hold implements goods.Stock.
func (w stockRepo) Hold(orderNo string, o goods.Offer, n int, now time.Time) error {
	if err := w.takeStock(o.SKU.ID, n); err != nil {
		return err
	}
	if o.Goods.Type == goods.VirtualCode {
		if err := w.holdCodes(orderNo, o.SKU.ID, n, now); err != nil {
			return err
		}
	}
	_, err := w.exec(`INSERT INTO stock_holds (order_no, sku_id, pieces, state, changed_at)
		VALUES ($1, $2, $3, 'held', $4)`, orderNo, o.SKU.ID, n, toEpoch(now))
	if err != nil {
		return fmt.Errorf("store: hold stock for order %s: %w", orderNo, err)
	}
	return nil
}

// takeStock reduces the stock of an SKU by n pieces. It returns goods.ErrSoldOut if fewer are left.
func (w stockRepo) takeStock(skuID int64, n int) error {
	changed, err := w.exec(`UPDATE goods_skus SET stock = stock - $2 WHERE id = $1 AND stock >= $2`, skuID, n)
	if err != nil {
		return fmt.Errorf("store: take stock of specification %d: %w", skuID, err)
	}
	return requireRow(changed, goods.ErrSoldOut)
}

// holdCodes holds n free codes for an order. It fails if the stock and the number of free codes differ.
func (w stockRepo) holdCodes(orderNo string, skuID int64, n int, now time.Time) error {
	held, err := w.exec(`UPDATE goods_codes SET state = 'held', order_no = $1, changed_at = $2
		WHERE id IN (SELECT id FROM goods_codes WHERE sku_id = $3 AND state = 'free' ORDER BY id
		LIMIT $4`+planOnce+`)`, orderNo, toEpoch(now), skuID, n)
	if err != nil {
		return fmt.Errorf("store: hold codes for order %s: %w", orderNo, err)
	}
	if int(held) != n {
		return fmt.Errorf("store: specification %d has %d free codes, but its stock allowed %d", skuID, held, n)
	}
	return nil
}

// Sell implements goods.Stock.
func (w stockRepo) Sell(orderNo string, now time.Time) (int, error) {
	sold, err := txQueryAll(w.writeTx, scanValue[int],
		`UPDATE stock_holds SET state = 'sold', changed_at = $1 WHERE order_no = $2 AND state = 'held'
			RETURNING pieces`, toEpoch(now), orderNo)
	if err != nil || len(sold) == 0 {
		return 0, err
	}
	return sold[0], nil
}

// GiveCodes implements goods.Stock.
func (w stockRepo) GiveCodes(orderNo string, now time.Time) (int, error) {
	if err := w.lockSKUOf(skuOfOrder, orderNo); err != nil {
		return 0, err
	}
	type hold struct {
		sku           int64
		pieces, codes int
	}
	found, err := txQueryAll(w.writeTx, func(row scanner) (h hold, err error) {
		return h, row.Scan(&h.sku, &h.pieces, &h.codes)
	},
		`SELECT sku_id, pieces, (SELECT count(*) FROM goods_codes c WHERE c.order_no = h.order_no AND c.state = 'held')
		FROM stock_holds h WHERE order_no = $1 AND state = 'sold'`, orderNo)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	if missing := found[0].pieces - found[0].codes; missing > 0 {
		if err := w.takeStock(found[0].sku, missing); err != nil {
			return 0, err
		}
		if err := w.holdCodes(orderNo, found[0].sku, missing, now); err != nil {
			return 0, err
		}
	}
	if _, err := w.exec(`UPDATE goods_codes SET state = 'given', changed_at = $1 WHERE order_no = $2
		AND state = 'held'`, toEpoch(now), orderNo); err != nil {
		return 0, fmt.Errorf("store: give codes to order %s: %w", orderNo, err)
	}
	return found[0].pieces, nil
}

// Release implements goods.Stock.
func (w stockRepo) Release(orderNo string, now time.Time) error {
	if err := w.lockSKUOf(skuOfOrder, orderNo); err != nil {
		return err
	}
	type hold struct {
		sku    int64
		pieces int
		typ    goods.Type
	}
	found, err := txQueryAll(w.writeTx, func(row scanner) (h hold, err error) {
		return h, row.Scan(&h.sku, &h.pieces, &h.typ)
	},
		`UPDATE stock_holds SET state = 'released', changed_at = $1 WHERE order_no = $2 AND state IN ('held', 'sold')
		RETURNING sku_id, pieces, (SELECT g.type FROM goods g JOIN goods_skus k ON k.goods_id = g.id
		WHERE k.id = sku_id)`, toEpoch(now), orderNo)
	if err != nil || len(found) == 0 {
		return err
	}
	returned := int64(found[0].pieces)
	if found[0].typ == goods.VirtualCode { // only held codes return: a withdrawn or given code is not sold again
		returned, err = w.exec(`UPDATE goods_codes SET state = 'free', order_no = NULL, changed_at = $1
			WHERE order_no = $2
			AND state = 'held'`, toEpoch(now), orderNo)
		if err != nil {
			return fmt.Errorf("store: free codes of order %s: %w", orderNo, err)
		}
	}
	_, err = w.exec(`UPDATE goods_skus SET stock = stock + $1 WHERE id = $2`, returned, found[0].sku)
	return err
}
