package backoffice

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"marquee/server/goods"
	"marquee/server/money"
)

// GoodsService maintains goods, stock and codes. Package goods implements it.
type GoodsService interface {
	// PutCategory adds or changes the category with the code of c, and returns its id. It returns
	// goods.ErrGoodsInvalid.
	PutCategory(ctx context.Context, c goods.Category, actor string) (int64, error)
	// PutGoods adds or changes the goods with the code of g, and returns their id. It returns goods.ErrGoodsInvalid or
	// goods.ErrCategoryNotFound.
	PutGoods(ctx context.Context, categoryCode string, g goods.Goods, actor string) (int64, error)
	// PutSKU adds or changes the specification with the code of k, but not its stock, and returns its id. It returns
	// goods.ErrGoodsInvalid or goods.ErrGoodsNotFound.
	PutSKU(ctx context.Context, goodsCode string, k goods.SKU, actor string) (int64, error)
	// CountStock records the pieces that were counted, including those reserved by orders, and returns how many of them
	// can still be sold. It returns the fault stock_of_codes, goods.ErrStockReserved, goods.ErrGoodsInvalid or
	// goods.ErrGoodsNotFound.
	CountStock(ctx context.Context, skuCode string, counted int, actor string) (left int, err error)
	// AddCodes adds codes in several transactions and returns how many it added; the same call again continues an
	// interrupted one. It returns a *goods.CodeError for a code that is rejected, the fault goods_without_codes or
	// goods.ErrGoodsNotFound.
	AddCodes(ctx context.Context, skuCode string, codes []goods.Code, actor string) (added int, err error)
	// WithdrawCode removes a code that no buyer has. It returns the errors of audit.CheckReason, goods.ErrCodeGiven or
	// goods.ErrCodeNotFound.
	WithdrawCode(ctx context.Context, c goods.Code, reason, actor string) error
	// All returns every specification with its goods, on sale or not.
	All(ctx context.Context) ([]goods.Offer, error)
}

// Goods maintains the goods of the shop.
type Goods struct {
	service GoodsService
	actor   string
}

// PutCategory adds a category, or changes the one that has its code.
func (g *Goods) PutCategory(ctx context.Context, c goods.Category) error {
	_, err := g.service.PutCategory(ctx, c, g.actor)
	return err
}

// Put adds goods to a category, or changes the goods that have the code. It returns goods.ErrCategoryNotFound if there
// is no such category.
func (g *Goods) Put(ctx context.Context, category string, item goods.Goods) error {
	_, err := g.service.PutGoods(ctx, category, item, g.actor)
	return err
}

// PutSKU adds a specification to goods, or changes the one that has its code. price is a text in yuan, such as "9.90".
// It returns goods.ErrGoodsNotFound if there are no such goods.
func (g *Goods) PutSKU(ctx context.Context, goodsCode string, sku goods.SKU, price string) (err error) {
	if sku.Price, err = money.ParseFen(price); err != nil {
		return fmt.Errorf("price %q: %w", price, err)
	}
	_, err = g.service.PutSKU(ctx, goodsCode, sku, g.actor)
	return err
}

// CountStock records how many pieces of a specification were counted, including those reserved by unpaid orders and by
// paid ones that are not delivered yet, and returns how many can still be sold. It returns goods.ErrStockReserved if
// orders have more pieces, and the fault stock_of_codes for goods whose stock is the number of their codes.
func (g *Goods) CountStock(ctx context.Context, sku string, counted int) (left int, err error) {
	return g.service.CountStock(ctx, sku, counted, g.actor)
}

// codeColumns are the columns of a file of codes.
var codeColumns = []string{"num", "pass"}

// AddCodes adds the codes of a CSV with the columns num and pass to the stock, in batches, and returns how many it
// added. A wrong line is reported before anything is added. A first line without any digit is rejected, because it
// probably has column names in another language, unless it follows the line num,pass. Calling it again with the same
// file continues an interrupted call, and adds nothing if all codes are stored.
func (g *Goods) AddCodes(ctx context.Context, sku string, file io.Reader) (int, error) {
	var lines []int // the line of each code in the file
	codes, err := readCSV(file, codeColumns, func(r record) (goods.Code, error) {
		lines = append(lines, r.line)
		c := goods.Code{Num: strings.TrimSpace(r.fields[0]), Pass: strings.TrimSpace(r.fields[1])}
		if r.topmost && c.Num != "" && !strings.ContainsAny(c.Num+c.Pass, "0123456789") {
			return c, fmt.Errorf("%q looks like the names of columns: they are called %s", c.Num,
				strings.Join(codeColumns, ","))
		}
		return c, nil
	})
	if err != nil {
		return 0, err
	}
	added, err := g.service.AddCodes(ctx, sku, codes, g.actor)
	if rejected := new(goods.CodeError); errors.As(err, &rejected) {
		return added, fmt.Errorf("line %d: %w", lines[rejected.Line-1], rejected.Err)
	}
	return added, err
}

// WithdrawCode removes a code from the stock. It returns goods.ErrCodeGiven if a buyer has it already.
func (g *Goods) WithdrawCode(ctx context.Context, num, pass, reason string) error {
	return g.service.WithdrawCode(ctx, goods.Code{Num: num, Pass: pass}, reason, g.actor)
}

// List returns every specification with its goods, on sale or not.
func (g *Goods) List(ctx context.Context) ([]goods.Offer, error) { return g.service.All(ctx) }
