package goods

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"marquee/server/audit"
	"marquee/server/wording"
)

// PutCategory adds a category, or changes the one with the same code, and returns its id. It returns ErrGoodsInvalid
// for a code or a name that is not allowed. As for every change in this file, an audit entry is written in the same
// transaction.
func (s *Service) PutCategory(ctx context.Context, c Category, actor string) (id int64, err error) {
	if err := (entry{code: c.Code, title: c.Name, image: c.ImageURL}).check(); err != nil {
		return 0, fmt.Errorf("category %q: %w", c.Code, err)
	}
	err = s.store.Update(ctx, func(tx Tx) error {
		before, err := tx.Goods.CategoryByCode(c.Code)
		if err != nil && !errors.Is(err, ErrCategoryNotFound) {
			return err
		}
		if id, err = tx.Goods.SaveCategory(c); err != nil {
			return err
		}
		return tx.Audit.Record(s.now(), actor, "category.put", fmt.Sprintf("category:%d", id), before.Name, c.Name)
	})
	return id, err
}

// PutGoods adds goods to a category, or changes those with the same code, and returns their id. It removes scripts and
// other unsafe HTML from the description. It returns ErrGoodsInvalid for a field that is not allowed or a changed Type,
// and ErrCategoryNotFound.
func (s *Service) PutGoods(ctx context.Context, categoryCode string, g Goods, actor string) (id int64, err error) {
	err = entry{code: g.Code, title: g.Title, image: g.ImageURL, lines: []string{g.Product, g.Spec}}.check()
	switch {
	case err != nil:
		return 0, fmt.Errorf("goods %q: %w", g.Code, err)
	case !slices.Contains(Shelves, g.Shelf), !slices.Contains(Scopes, g.Scope), g.Type != AccountRecharge &&
		g.Type != VirtualCode:
		return 0, fmt.Errorf("goods %q: unknown shelf, scope or type: %w", g.Code, ErrGoodsInvalid)
	case !g.accountFits():
		return 0, fmt.Errorf("goods %q: a recharge needs the format of its account, codes have none: %w", g.Code,
			ErrGoodsInvalid)
	}
	html, err := wording.Document(g.HTML)
	if err != nil {
		return 0, fmt.Errorf("goods %q: the description: %w: %w", g.Code, err, ErrGoodsInvalid)
	}
	g.HTML = s.policy.Sanitize(html)
	err = s.store.Update(ctx, func(tx Tx) error {
		category, err := tx.Goods.CategoryByCode(categoryCode)
		if err != nil {
			return fmt.Errorf("category %q: %w", categoryCode, err)
		}
		g.CategoryID = category.ID
		before, err := tx.Goods.GoodsByCode(g.Code)
		switch {
		case errors.Is(err, ErrGoodsNotFound):
		case err != nil:
			return err
		case before.Type != g.Type:
			return fmt.Errorf("goods %q: the type cannot be changed: %w", g.Code, ErrGoodsInvalid)
		}
		if id, err = tx.Goods.SaveGoods(g); err != nil {
			return err
		}
		return tx.Audit.Record(s.now(), actor, "goods.put", fmt.Sprintf("goods:%d", id), summary(before), summary(g))
	})
	return id, err
}

// summary describes the goods in the audit log; it returns "" for goods that did not exist before.
func summary(g Goods) string {
	if g.Code == "" {
		return ""
	}
	if g.Type == AccountRecharge {
		return fmt.Sprintf("%s on sale %t account %s", g.Title, g.OnSale, g.Account)
	}
	return fmt.Sprintf("%s on sale %t", g.Title, g.OnSale)
}

// PutSKU adds a specification to goods, or changes the one with the same code, and returns its id. It does not change
// the stock; CountStock does. It returns ErrGoodsInvalid for a field that is not allowed, and ErrGoodsNotFound for an
// unknown goodsCode.
func (s *Service) PutSKU(ctx context.Context, goodsCode string, k SKU, actor string) (id int64, err error) {
	err = entry{code: k.Code, title: k.Name, image: k.ImageURL, lines: []string{k.Spec}}.check()
	switch {
	case err != nil:
		return 0, fmt.Errorf("specification %q: %w", k.Code, err)
	case k.Price <= 0:
		return 0, fmt.Errorf("specification %q: the price must be above zero: %w", k.Code, ErrGoodsInvalid)
	case k.ValidDays < 0 || k.ValidDays > maxDays:
		return 0, fmt.Errorf("specification %q: the validity must be 0 to %d days: %w", k.Code, maxDays,
			ErrGoodsInvalid)
	}
	err = s.store.Update(ctx, func(tx Tx) error {
		g, err := tx.Goods.GoodsByCode(goodsCode)
		if err != nil {
			return fmt.Errorf("goods %q: %w", goodsCode, err)
		}
		k.GoodsID = g.ID
		before, err := tx.Goods.SKUByCode(k.Code)
		switch {
		case errors.Is(err, ErrGoodsNotFound):
		case err != nil:
			return err
		case before.SKU.GoodsID != g.ID:
			return fmt.Errorf("specification %q belongs to other goods: %w", k.Code, ErrGoodsInvalid)
		}
		if id, err = tx.Goods.SaveSKU(k); err != nil {
			return err
		}
		return tx.Audit.Record(s.now(), actor, "sku.put", fmt.Sprintf("sku:%d", id), before.SKU.Price.String(),
			k.Price.String())
	})
	return id, err
}

// CountStock records how many undelivered pieces of a specification were counted, including those that unpaid orders
// hold and paid orders wait for. It returns how many of them can still be sold. Repeating a count changes nothing. It
// returns errStockOfCodes for goods with codes, whose stock is the number of available codes, ErrStockReserved if
// orders have more pieces than were counted, ErrGoodsInvalid for a negative count, and ErrGoodsNotFound.
func (s *Service) CountStock(ctx context.Context, skuCode string, counted int, actor string) (left int, err error) {
	if counted < 0 {
		return 0, fmt.Errorf("the stock %d is negative: %w", counted, ErrGoodsInvalid)
	}
	err = s.store.Update(ctx, func(tx Tx) error {
		o, err := tx.Goods.SKUByCode(skuCode)
		if err != nil {
			return fmt.Errorf("specification %q: %w", skuCode, err)
		}
		if o.Goods.Type == VirtualCode {
			return errStockOfCodes
		}
		reserved, err := tx.Goods.ReservedPieces(o.SKU.ID)
		if err != nil {
			return err
		}
		if left = counted - reserved; left < 0 {
			return fmt.Errorf("counted %d pieces, but orders have %d: %w", counted, reserved, ErrStockReserved)
		}
		if err := tx.Goods.SetStock(o.SKU.ID, left); err != nil {
			return err
		}
		return tx.Audit.Record(s.now(), actor, "sku.stock", fmt.Sprintf("sku:%d", o.SKU.ID), fmt.Sprint(o.SKU.Stock),
			fmt.Sprintf("%d of %d counted", left, counted))
	})
	return left, err
}

// CodeError is the error of one code of a list that AddCodes rejects.
type CodeError struct {
	Line int // position of the code in the list, counted from 1
	Err  error
}

// Error contains the line of the code but not the code, which is a secret.
func (e *CodeError) Error() string { return fmt.Sprintf("code %d: %v", e.Line, e.Err) }

// Unwrap returns Err.
func (e *CodeError) Unwrap() error { return e.Err }

// WithdrawCode removes from the stock a code that no buyer has been given. If an order holds it, that order gets another
// code when it is paid, or a refund if there is none. WithdrawCode returns the errors of audit.CheckReason, ErrCodeGiven
// if a buyer has the code, and ErrCodeNotFound if the code is not in the stock.
func (s *Service) WithdrawCode(ctx context.Context, c Code, reason, actor string) error {
	if err := audit.CheckReason(reason); err != nil {
		return err
	}
	return s.store.Update(ctx, func(tx Tx) error {
		now := s.now()
		if err := s.withdrawCode(tx, c, now); err != nil {
			return err
		}
		return tx.Audit.Record(now, actor, "code.withdrawn", "code", "", reason)
	})
}
