package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"marquee/server/goods"
	"marquee/server/money"
)

// The words of the goods, for those who talk to the back office alone.
type (
	Category      = goods.Category
	Ware          = goods.Goods
	Specification = goods.SKU
	Shelf         = goods.Shelf
	Delivery      = goods.Type
	Scope         = goods.Scope
	Offer         = goods.Offer
)

// PutCategory adds or changes a category.
func (b *BackOffice) PutCategory(ctx context.Context, c goods.Category) error {
	_, err := b.app.goods.PutCategory(ctx, c, b.actor)
	return err
}

// PutGoods adds or changes goods.
func (b *BackOffice) PutGoods(ctx context.Context, category string, g goods.Goods) error {
	_, err := b.app.goods.PutGoods(ctx, category, g, b.actor)
	return err
}

// PutSKU adds or changes a specification; price is yuan.
func (b *BackOffice) PutSKU(ctx context.Context, goodsCode string, k goods.SKU, price string) (err error) {
	if k.Price, err = money.ParseFen(price); err != nil {
		return fmt.Errorf("price %q: %w", price, err)
	}
	_, err = b.app.goods.PutSKU(ctx, goodsCode, k, b.actor)
	return err
}

// SetStock says how many pieces of a specification can still be sold.
func (b *BackOffice) SetStock(ctx context.Context, sku string, stock int) error {
	return b.app.goods.SetStock(ctx, sku, stock, b.actor)
}

// AddCodes takes the codes of a CSV (num, pass) into the stock, all or none. An error names the wrong line.
func (b *BackOffice) AddCodes(ctx context.Context, sku string, file io.Reader) (int, error) {
	var lines []int
	codes, err := readLines(file, []string{"num", "pass"}, func(row []string, line int) (goods.Code, error) {
		lines = append(lines, line)
		return goods.Code{Num: strings.TrimSpace(row[0]), Pass: strings.TrimSpace(row[1])}, nil
	})
	if err != nil {
		return 0, err
	}
	err = b.app.goods.AddCodes(ctx, sku, codes, b.actor)
	if wrong := new(goods.CodeError); errors.As(err, &wrong) {
		return 0, fmt.Errorf("line %d: %w", lines[wrong.Line-1], wrong.Err)
	}
	return len(codes), err
}

// WithdrawCode takes a code out that nobody was given yet.
func (b *BackOffice) WithdrawCode(ctx context.Context, num, pass, reason string) error {
	return b.app.goods.WithdrawCode(ctx, goods.Code{Num: num, Pass: pass}, reason, b.actor)
}

// AllGoods lists every specification.
func (b *BackOffice) AllGoods(ctx context.Context) ([]goods.Offer, error) {
	return b.app.goods.All(ctx)
}
