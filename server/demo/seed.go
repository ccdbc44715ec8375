// Package demo fills a shop whose providers are simulated with welfare cards, recharge packages, goods with stock,
// banners and tiles. It also simulates the provider that recharges accounts. It is not used with real providers.
package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/sync/errgroup"

	"marquee/server/cards"
	"marquee/server/content"
	"marquee/server/durations"
	"marquee/server/goods"
	"marquee/server/money"
)

// actor is the actor in the audit log of everything that is seeded.
const actor = "seed"

// Stock of each demo specification: pieces of a recharge, or codes.
const (
	demoStock = 500
	demoCodes = 60
)

// Card is a welfare card as the simulators publish it.
type Card struct {
	Kahao         string // card number
	Pass          string // password; if it has a capital letter, it is also the coupon code
	PID           int    // card type, 1 to 11
	Points        int64  // balance in hundredths of a point
	ExpiresInDays int    // days from now; 0 or less: already expired
	Note          string // what the card demonstrates; not stored
}

// Shop holds the services that Seed calls.
type Shop struct {
	// CardsAt returns a card service whose clock is stopped at the given time, so that expired cards can be issued.
	CardsAt       func(time.Time) CardIssuer
	Packages      PackageReader
	PackageWriter PackageWriter
	Goods         GoodsService
	Content       ContentSeeder
	Now           func() time.Time
}

// CardIssuer issues welfare cards. It returns cards.ErrCardExists or cards.ErrCardIssued if a card has the number.
type CardIssuer interface {
	// Issue adds the cards; the same call again continues an interrupted one.
	Issue(ctx context.Context, list []cards.NewCard, actor string) error
}

// PackageReader reads the recharge packages.
type PackageReader interface {
	// Packages returns the packages in the order in which pages show them.
	Packages(ctx context.Context) ([]cards.Package, error)
}

// PackageWriter replaces the recharge packages.
type PackageWriter interface {
	// SetPackages replaces all packages by the list.
	SetPackages(ctx context.Context, list []cards.Package, actor string) error
}

// GoodsService adds goods and their stock.
type GoodsService interface {
	// All returns every specification with its goods, on sale or not.
	All(ctx context.Context) ([]goods.Offer, error)
	// PutCategory adds or changes the category with the code of c, and returns its id.
	PutCategory(ctx context.Context, c goods.Category, actor string) (int64, error)
	// PutGoods adds or changes the goods with the code of g, and returns their id. It returns
	// goods.ErrCategoryNotFound.
	PutGoods(ctx context.Context, categoryCode string, g goods.Goods, actor string) (int64, error)
	// PutSKU adds or changes the specification with the code of k, but not its stock, and returns its id. It returns
	// goods.ErrGoodsNotFound.
	PutSKU(ctx context.Context, goodsCode string, k goods.SKU, actor string) (int64, error)
	// CountStock records the pieces that were counted, and returns how many of them can still be sold. It returns the
	// fault stock_of_codes for goods with codes.
	CountStock(ctx context.Context, skuCode string, counted int, actor string) (left int, err error)
	// AddCodes adds codes and returns how many it added. Codes that an earlier call with the same list has added are
	// not added again.
	AddCodes(ctx context.Context, skuCode string, codes []goods.Code, actor string) (added int, err error)
}

// ContentSeeder fills the places for banners and the rows of tiles that are still empty.
type ContentSeeder interface {
	// Seed adds the content. It does not change a place or a row that has any entry.
	Seed(ctx context.Context, seed content.Seed) error
}

// Seed adds the cards and the demo catalogue to a shop. It is idempotent: existing records are not changed.
func Seed(ctx context.Context, shop Shop, list []Card) error {
	if err := seedCards(ctx, shop, list); err != nil {
		return fmt.Errorf("seed cards: %w", err)
	}
	catalogue, err := readCatalogue()
	if err != nil {
		return err
	}
	packages, err := shop.Packages.Packages(ctx)
	if err == nil && len(packages) == 0 {
		err = shop.PackageWriter.SetPackages(ctx, catalogue.Packages, actor)
	}
	if err != nil {
		return fmt.Errorf("seed recharge packages: %w", err)
	}
	ids, err := seedGoods(ctx, shop.Goods, catalogue.Categories)
	if err != nil {
		return fmt.Errorf("seed goods: %w", err)
	}
	return shop.Content.Seed(ctx, contentSeed(catalogue, ids))
}

func seedCards(ctx context.Context, shop Shop, list []Card) error {
	now := shop.Now()
	for _, c := range list {
		card := cards.NewCard{
			PID: cards.PID(c.PID), Number: c.Kahao, Password: c.Pass, Points: money.Points(c.Points),
			ExpiresAt: now.Add(time.Duration(c.ExpiresInDays) * durations.Day),
		}
		if strings.ContainsFunc(c.Pass, unicode.IsUpper) {
			card.Coupon = c.Pass
		}
		issuedAt := now
		if !card.ExpiresAt.After(now) {
			// the card has expired: it is issued at a time at which it was valid
			issuedAt = card.ExpiresAt.Add(-durations.Day)
		}
		err := shop.CardsAt(issuedAt).Issue(ctx, []cards.NewCard{card}, actor)
		// A card that an earlier start of the shop has issued has another expiry, counted from that start.
		if err != nil && !errors.Is(err, cards.ErrCardExists) && !errors.Is(err, cards.ErrCardIssued) {
			return err
		}
	}
	return nil
}

// seedGoods adds the missing goods and returns the ids of all goods of the catalogue by their codes.
func seedGoods(ctx context.Context, service GoodsService, categories []category) (map[string]int64, error) {
	offers, err := service.All(ctx)
	if err != nil {
		return nil, err
	}
	skus, ids := map[string]bool{}, map[string]int64{}
	for _, o := range offers {
		skus[o.SKU.Code], ids[o.Goods.Code] = true, o.Goods.ID
	}
	var incomplete []product
	for i, c := range categories {
		if !slices.ContainsFunc(c.Goods, func(p product) bool { return !p.complete(skus) }) {
			continue
		}
		_, err := service.PutCategory(ctx, goods.Category{
			Code: c.Code, Name: c.Name, ImageURL: pictureURL("category/" + c.Code), Position: i,
		}, actor)
		if err != nil {
			return nil, fmt.Errorf("category %s: %w", c.Code, err)
		}
		for j, p := range c.Goods {
			if p.complete(skus) {
				continue
			}
			id, err := service.PutGoods(ctx, c.Code, goods.Goods{
				Code: p.Code, Shelf: p.Shelf, Type: p.Type, Scope: p.Scope, Account: p.Account,
				Title: p.Title, ImageURL: pictureURL("goods/" + p.Code), Product: p.Product, Spec: p.Specifications[0].Name,
				HTML: p.html(), Position: j, OnSale: true,
			}, actor)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", p.Code, err)
			}
			ids[p.Code] = id
			incomplete = append(incomplete, p)
		}
	}
	// The products are written concurrently, because concurrent writes share one commit and its wait for the disk. One
	// after the other, they would need 80 commits.
	products, ctx := errgroup.WithContext(ctx)
	for _, p := range incomplete {
		products.Go(func() error {
			if err := seedSpecifications(ctx, service, p, skus); err != nil {
				return fmt.Errorf("%s: %w", p.Code, err)
			}
			return nil
		})
	}
	return ids, products.Wait()
}

// seedSpecifications adds those specifications of a product that are not in skus, with their stock.
func seedSpecifications(ctx context.Context, service GoodsService, p product, skus map[string]bool) error {
	for i, s := range p.Specifications {
		sku := p.sku(i)
		if skus[sku] {
			continue
		}
		_, err := service.PutSKU(ctx, p.Code, goods.SKU{
			Code: sku, Name: s.Name, Spec: s.Name, Price: s.Price, ValidDays: s.Days, Position: i, OnSale: true,
		}, actor)
		if err != nil {
			return err
		}
		if p.Type == goods.AccountRecharge {
			_, err = service.CountStock(ctx, sku, demoStock, actor)
		} else {
			_, err = service.AddCodes(ctx, sku, codesOf(sku), actor)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// codesOf returns the demo codes of a SKU. Every third code has a link in place of a password.
func codesOf(sku string) []goods.Code {
	list := make([]goods.Code, 0, demoCodes)
	for n := range demoCodes {
		c := goods.Code{Num: fmt.Sprintf("DEMO%s%04d", sku, n), Pass: fmt.Sprintf("%08d", (n+1)*7919%100_000_000)}
		if n%3 == 2 {
			c.Pass = "https://redeem.example/" + c.Num
		}
		list = append(list, c)
	}
	return list
}

// contentSeed builds the banners and tiles of the catalogue. A tile links to its goods and shows their first price.
func contentSeed(c catalogue, goodsIDs map[string]int64) content.Seed {
	banners := func(place content.Place) (list []content.Banner) {
		for _, b := range c.Banners[place] {
			list = append(list, content.Banner{ImageURL: pictureURL("banner/" + b.Picture), LinkURL: b.Link,
				Title: b.Title})
		}
		return list
	}
	prices := map[string]money.Fen{}
	for _, category := range c.Categories {
		for _, p := range category.Goods {
			prices[p.Code] = p.Specifications[0].Price
		}
	}
	tiles := func(row content.Row) (list []content.Tile) {
		for _, t := range c.Tiles[row] {
			list = append(list, content.Tile{
				ImageURL: pictureURL("goods/" + t.Goods), Title: t.Title, Price: prices[t.Goods].String(),
				URL: fmt.Sprintf("/couponsDetail?id=%d", goodsIDs[t.Goods]),
			})
		}
		return list
	}
	return content.Seed{
		HomeBanners: banners(content.Home), CinemaBanners: banners(content.Cinemas),
		MemberBanners: banners(content.Members),
		FirstTiles:    tiles(content.FirstRow), SecondTiles: tiles(content.SecondRow),
	}
}
