package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"marquee/server/goods"
)

// Goods implements goods.Store.
type Goods struct{ db *Stores }

// Goods returns the store of goods.
func (s *Stores) Goods() *Goods { return &Goods{s} }

var _ goods.Store = (*Goods)(nil)

// Update implements goods.Store.
func (s *Goods) Update(ctx context.Context, fn func(goods.Tx) error) error {
	return s.db.write(ctx, func(w *writeTx) error { return fn(goods.Tx{Goods: goodsRepo{w}, Audit: auditRepo{w}}) })
}

const categoryColumns = `id, code, name, image_url, position`

func scanCategory(row scanner) (c goods.Category, err error) {
	return c, row.Scan(&c.ID, &c.Code, &c.Name, &c.ImageURL, &c.Position)
}

// Categories implements goods.Store.
func (s *Goods) Categories(ctx context.Context) ([]goods.Category, error) {
	return queryAll(ctx, s.db, scanCategory, `SELECT `+categoryColumns+` FROM goods_categories ORDER BY position, id`)
}

// goodsColumns are the columns that are scanned into goodsFields. The price is that of the cheapest SKU on sale, the
// stock that of all SKUs on sale.
const goodsColumns = `g.id, g.code, g.category_id, g.shelf, g.type, g.scope, g.account_format, g.title, g.image_url, g.product,
	g.spec, g.html, g.position, g.on_sale,
	coalesce((SELECT min(price) FROM goods_skus WHERE goods_id = g.id AND on_sale = TRUE), 0),
	CAST(coalesce((SELECT sum(stock) FROM goods_skus WHERE goods_id = g.id AND on_sale = TRUE), 0) AS BIGINT)`

func goodsFields(g *goods.Goods) []any {
	return []any{&g.ID, &g.Code, &g.CategoryID, &g.Shelf, &g.Type, &g.Scope, &g.Account, &g.Title, &g.ImageURL,
		&g.Product, &g.Spec, &g.HTML, &g.Position, &g.OnSale, &g.Price, &g.Stock}
}

func scanGoods(row scanner) (g goods.Goods, err error) { return g, row.Scan(goodsFields(&g)...) }

// skuColumns are the columns that are scanned into skuFields.
const skuColumns = `k.id, k.code, k.goods_id, k.name, k.spec, k.image_url, k.price, k.stock, k.valid_days,
	k.position, k.on_sale`

func skuFields(k *goods.SKU) []any {
	return []any{&k.ID, &k.Code, &k.GoodsID, &k.Name, &k.Spec, &k.ImageURL, &k.Price, &k.Stock, &k.ValidDays,
		&k.Position, &k.OnSale}
}

func scanSKU(row scanner) (k goods.SKU, err error) { return k, row.Scan(skuFields(&k)...) }

func scanOffer(row scanner) (o goods.Offer, err error) {
	return o, row.Scan(append(goodsFields(&o.Goods), skuFields(&o.SKU)...)...)
}

const offerQuery = `SELECT ` + goodsColumns + `, ` + skuColumns + ` FROM goods_skus k
	JOIN goods g ON g.id = k.goods_id `

// onSale is the condition for goods that buyers see: on sale, with an SKU on sale.
const onSale = `g.on_sale = TRUE AND EXISTS (SELECT 1 FROM goods_skus WHERE goods_id = g.id AND on_sale = TRUE)`

// ListGoods implements goods.Store.
func (s *Goods) ListGoods(ctx context.Context, f goods.Filter) ([]goods.Goods, int, error) {
	where, args := onSale, []any{}
	if f.CategoryID != 0 {
		where, args = where+` AND g.category_id = $1`, append(args, f.CategoryID)
	}
	if len(f.Shelves) > 0 {
		where += ` AND g.shelf IN (` + placeholders(len(args)+1, len(f.Shelves)) + `)`
		for _, shelf := range f.Shelves {
			args = append(args, string(shelf))
		}
	}
	total, err := queryAll(ctx, s.db, scanValue[int], `SELECT count(*) FROM goods g WHERE `+where, args...)
	if err != nil {
		return nil, 0, err
	}
	list, err := queryAll(ctx, s.db, scanGoods, `SELECT `+goodsColumns+` FROM goods g WHERE `+where+`
		ORDER BY g.position, g.id LIMIT `+placeholders(len(args)+1, 1)+planOnce+` OFFSET `+placeholders(len(args)+2, 1),
		append(args, f.Limit, f.Offset)...)
	return list, total[0], err
}

// AllGoods implements goods.Store.
func (s *Goods) AllGoods(ctx context.Context) ([]goods.Offer, error) {
	return queryAll(ctx, s.db, scanOffer, offerQuery+`ORDER BY g.position, g.id, k.position, k.id`)
}

// Goods implements goods.Store.
func (s *Goods) Goods(ctx context.Context, id int64) (goods.Goods, []goods.SKU, error) {
	g, err := queryOne(ctx, s.db, scanGoods, goods.ErrGoodsNotFound, `SELECT `+goodsColumns+` FROM goods g
		WHERE g.id = $1 AND `+onSale, id)
	if err != nil {
		return g, nil, err
	}
	skus, err := queryAll(ctx, s.db, scanSKU, `SELECT `+skuColumns+` FROM goods_skus k WHERE goods_id = $1
		AND on_sale = TRUE ORDER BY position, id`, id)
	return g, skus, err
}

// CodesOf implements goods.Store.
func (s *Goods) CodesOf(ctx context.Context, orderNo string) (sku int64, codes []goods.SealedCode, err error) {
	codes, err = queryAll(ctx, s.db, func(row scanner) (c goods.SealedCode, err error) {
		return c, row.Scan(&sku, &c.Sealed, &c.Hash)
	}, `SELECT sku_id, sealed, hash FROM goods_codes WHERE order_no = $1 AND state = 'given' ORDER BY id`, orderNo)
	return sku, codes, err
}

// CodesOfPepper implements goods.Store.
func (s *Goods) CodesOfPepper(ctx context.Context, prefix []byte, after int64, limit int) ([]goods.StoredCode, error) {
	return queryAll(ctx, s.db, func(row scanner) (c goods.StoredCode, err error) {
		return c, row.Scan(&c.ID, &c.SKUID, &c.Sealed, &c.Hash, &c.Import)
	}, `SELECT id, sku_id, sealed, hash, import FROM goods_codes WHERE substr(sealed, 1, 4) = $1 AND id > $2
		ORDER BY id LIMIT $3`+planOnce, prefix, after, limit)
}

// CodesOfOtherPeppers implements goods.Store.
func (s *Goods) CodesOfOtherPeppers(ctx context.Context, prefixes [][]byte) (int, error) {
	args := make([]any, len(prefixes))
	for i, prefix := range prefixes {
		args[i] = prefix
	}
	return queryOne(ctx, s.db, scanValue[int], nil, `SELECT count(*) FROM goods_codes WHERE substr(sealed, 1, 4)
		NOT IN (`+placeholders(1, len(prefixes))+`)`, args...)
}

// Offer implements order.Store. It returns goods.ErrGoodsNotFound for an unknown SKU.
func (s *Orders) Offer(ctx context.Context, skuID int64) (goods.Offer, error) {
	return queryOne(ctx, s.from, scanOffer, goods.ErrGoodsNotFound, offerQuery+`WHERE k.id = $1`, skuID)
}

// CategoryByCode implements goods.Repository.
func (w goodsRepo) CategoryByCode(code string) (goods.Category, error) {
	return txQueryOne(w.writeTx, scanCategory, goods.ErrCategoryNotFound,
		`SELECT `+categoryColumns+` FROM goods_categories WHERE code = $1`, code)
}

// GoodsByCode implements goods.Repository.
func (w goodsRepo) GoodsByCode(code string) (goods.Goods, error) {
	return txQueryOne(w.writeTx, scanGoods, goods.ErrGoodsNotFound,
		`SELECT `+goodsColumns+` FROM goods g WHERE g.code = $1`, code)
}

// SKUByCode implements goods.Repository.
func (w goodsRepo) SKUByCode(code string) (goods.Offer, error) {
	return txQueryOne(w.writeTx, scanOffer, goods.ErrGoodsNotFound, offerQuery+`WHERE k.code = $1`, code)
}

// upsert runs an INSERT … ON CONFLICT … RETURNING id, and returns the id of the row that was inserted or updated.
func (w goodsRepo) upsert(query string, args ...any) (int64, error) {
	id, err := txQueryOne(w.writeTx, scanValue[int64], nil, query, args...)
	if err != nil {
		return 0, fmt.Errorf("store: save goods: %w", err)
	}
	return id, nil
}

// SaveCategory implements goods.Repository.
func (w goodsRepo) SaveCategory(c goods.Category) (int64, error) {
	return w.upsert(`INSERT INTO goods_categories (code, name, image_url, position) VALUES ($1, $2, $3, $4)
		ON CONFLICT (code) DO UPDATE SET name = $2, image_url = $3, position = $4
		RETURNING id`, c.Code, c.Name, c.ImageURL, c.Position)
}

// SaveGoods implements goods.Repository.
func (w goodsRepo) SaveGoods(g goods.Goods) (int64, error) {
	return w.upsert(`INSERT INTO goods (code, category_id, shelf, type, scope, title, image_url, product, spec, html,
		position, on_sale, account_format)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
		ON CONFLICT (code) DO UPDATE
		SET category_id = $2, shelf = $3, scope = $5, title = $6, image_url = $7, product = $8, spec = $9, html = $10,
		position = $11, on_sale = $12, account_format = $13 RETURNING id`,
		g.Code, g.CategoryID, string(g.Shelf), int(g.Type), string(g.Scope), g.Title, g.ImageURL, g.Product, g.Spec,
		g.HTML, g.Position, g.OnSale, string(g.Account))
}

// SaveSKU implements goods.Repository.
func (w goodsRepo) SaveSKU(k goods.SKU) (int64, error) {
	return w.upsert(`INSERT INTO goods_skus (code, goods_id, name, spec, image_url, price, valid_days, position,
		on_sale)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (code) DO UPDATE
		SET name = $3, spec = $4, image_url = $5, price = $6, valid_days = $7, position = $8, on_sale = $9
		RETURNING id`,
		k.Code, k.GoodsID, k.Name, k.Spec, k.ImageURL, fen(k.Price), k.ValidDays, k.Position, k.OnSale)
}

var errNoSKU = errors.New("store: specification does not exist")

// ReservedPieces implements goods.Repository.
func (w goodsRepo) ReservedPieces(skuID int64) (int, error) {
	if err := w.lockSKU(skuID); err != nil {
		return 0, err
	}
	return txQueryOne(w.writeTx, scanValue[int], nil,
		`SELECT (SELECT coalesce(sum(pieces), 0) FROM stock_holds WHERE sku_id = $1 AND state = 'held')
		+ (SELECT coalesce(sum(h.pieces), 0) FROM orders o JOIN stock_holds h ON h.order_no = o.order_no
			WHERE o.kind = 'goods' AND o.state IN ('PAID', 'ISSUING') AND h.sku_id = $1 AND h.state = 'sold')`, skuID)
}

// SetStock implements goods.Repository.
func (w goodsRepo) SetStock(skuID int64, stock int) error {
	changed, err := w.exec(`UPDATE goods_skus SET stock = $1 WHERE id = $2`, stock, skuID)
	if err != nil {
		return err
	}
	return requireRow(changed, errNoSKU)
}

// maxHashes is the maximum number of hashes in one query of ImportsOf.
const maxHashes = 500

// ImportsOf implements goods.Store.
func (s *Goods) ImportsOf(ctx context.Context, hashes [][]byte) (map[string]string, error) {
	type code struct {
		hash []byte
		list string
	}
	found := map[string]string{}
	for chunk := range slices.Chunk(hashes, maxHashes) {
		args := make([]any, len(chunk))
		for i, hash := range chunk {
			args[i] = hash
		}
		codes, err := queryAll(ctx, s.db,
			func(row scanner) (c code, err error) { return c, row.Scan(&c.hash, &c.list) },
			`SELECT hash, import FROM goods_codes WHERE hash IN (`+placeholders(1, len(chunk))+`)`,
			args...)
		if err != nil {
			return nil, err
		}
		for _, c := range codes {
			found[string(c.hash)] = c.list
		}
	}
	return found, nil
}
