package httpapi

import (
	"cmp"
	"context"

	"marquee/server/content"
	"marquee/server/goods"
	"marquee/server/httpapi/wire"
)

// GoodsCatalog reads the goods of the shop.
type GoodsCatalog interface {
	// Categories returns all categories in the order in which pages show them.
	Categories(ctx context.Context) ([]goods.Category, error)
	// List returns one page and the number of goods on all pages. The first page is 1.
	List(ctx context.Context, f goods.Filter, page, size int) ([]goods.Goods, int, error)
	// Goods returns goods.ErrGoodsNotFound also for goods that are not on sale.
	Goods(ctx context.Context, id int64) (goods.Goods, []goods.SKU, error)
}

// goodsPages serves the member area. It needs no login.
type goodsPages struct {
	catalog  GoodsCatalog
	showcase Showcase
	service  string // URL of the customer service
}

// Category is a category of goods.
type Category struct {
	ID   string `json:"id"`   // the category's id, for fid
	Name string `json:"name"` // the name that buyers see
	Img  string `json:"img"`  // the address of its picture
}

func newCategory(c goods.Category) Category {
	return Category{idText(c.ID), c.Name, c.ImageURL}
}

// Goods are goods in a list.
type Goods struct {
	ID      string `json:"id"`      // the id of the goods
	Img     string `json:"img"`     // the address of the picture
	Title   string `json:"title"`   // the name that buyers see
	Price   string `json:"price"`   // yuan with two decimals, of the cheapest SKU
	Product string `json:"product"` // what is sold, in a few words
	Fid     string `json:"fid"`     // the id of the category
	Type    int    `json:"type"`    // 1 recharges an account, 2 delivers codes
	Stock   int    `json:"stock"`   // pieces of all SKUs
}

func newGoods(g goods.Goods) Goods {
	return Goods{
		idText(g.ID), g.ImageURL, g.Title, g.Price.String(), g.Product, idText(g.CategoryID), int(g.Type), g.Stock,
	}
}

// homeShelfSize is how many goods of each group the first page of the member area shows.
const homeShelfSize = 10

// MemberHome is the first page of the member area.
type MemberHome struct {
	Categories []Category `json:"classify"` // all categories, in their order
	Banners    []Banner   `json:"lbt"`      // the carousel
	Music      []Goods    `json:"yinyue"`   // the first ten of music
	Reading    []Goods    `json:"yuedu"`    // the first ten of reading and tools
	Others     []Goods    `json:"qita"`     // the first ten of everything else
}

// home returns the first page of the member area: the categories, the banners and the first goods of three groups.
func (g goodsPages) home(ctx context.Context, _ *request, _ none) (MemberHome, error) {
	categories, err := g.catalog.Categories(ctx)
	if err != nil {
		return MemberHome{}, err
	}
	banners, err := g.showcase.Banners(ctx, content.Members)
	if err != nil {
		return MemberHome{}, err
	}
	var groups [3][]Goods
	for i, shelves := range [...][]goods.Shelf{
		{goods.Music}, {goods.Reading, goods.Tools}, {goods.Other, goods.Recharge},
	} {
		list, _, err := g.catalog.List(ctx, goods.Filter{Shelves: shelves}, 1, homeShelfSize)
		if err != nil {
			return MemberHome{}, err
		}
		groups[i] = each(list, newGoods)
	}
	return MemberHome{each(categories, newCategory), each(banners, newBanner), groups[0], groups[1], groups[2]}, nil
}

// Categories are all categories of goods.
type Categories struct {
	List []Category `json:"list"` // in the order in which pages show them
}

// categories returns all categories of goods.
func (g goodsPages) categories(ctx context.Context, _ *request, _ none) (Categories, error) {
	list, err := g.catalog.Categories(ctx)
	return Categories{each(list, newCategory)}, err
}

// goodsList has the values in which the calls that list goods differ.
type goodsList struct {
	pageSize int64           // if the field pagesize is missing
	shelves  [][]goods.Shelf // the sections of the shop that the field flag selects, by its value; nil for all sections
}

// The calls that list goods: /Kaquan/lists, /Kaquan/music and /Kaquan/read.
var (
	allGoods   = goodsList{10, [][]goods.Shelf{nil, goods.MemberShelves, {goods.Recharge}}}
	musicGoods = goodsList{goods.MaxPage, [][]goods.Shelf{{goods.Music}, {goods.Music}}}
	readGoods  = goodsList{goods.MaxPage, [][]goods.Shelf{{goods.Reading, goods.Tools}, {goods.Reading}, {goods.Tools}}}
)

// ListGoods selects goods.
type ListGoods struct {
	Category int64 `form:"fid"` // the id of a category; 0 for all
	// for /Kaquan/lists: 1 member goods, 2 recharges; for /Kaquan/read: 1 reading, 2 tools
	Flag int `form:"flag" max:"2"`
	Page int `form:"pageno" min:"1" max:"1000000" default:"1"` // the first page is 1
	// goods of a page, at most 100; if missing, 10 for /Kaquan/lists, else 100
	Size int64 `form:"pagesize" min:"1" max:"1000000000"`
}

// list returns one page of the goods of a category, of the kinds that flag selects.
func (g goodsPages) list(of goodsList) func(context.Context, *request, ListGoods) (Page[Goods], error) {
	return func(ctx context.Context, _ *request, in ListGoods) (Page[Goods], error) {
		if in.Flag >= len(of.shelves) {
			return Page[Goods]{}, wire.InvalidField("flag", "is not valid for this list")
		}
		size := cmp.Or(in.Size, of.pageSize)
		filter := goods.Filter{CategoryID: in.Category, Shelves: of.shelves[in.Flag]}
		list, total, err := g.catalog.List(ctx, filter, in.Page, int(size))
		return Page[Goods]{each(list, newGoods), total}, err
	}
}

// SKU is a variant of goods, in one size or duration: the unit that buyers buy.
type SKU struct {
	ID    string `json:"id"`     // the id of the SKU, for ggid
	Name  string `json:"sku"`    // the name that buyers choose by
	Spec  string `json:"gueige"` // the size or the duration
	Img   string `json:"img"`    // the address of its picture
	Price string `json:"price"`  // yuan with two decimals
	Stock int    `json:"stock"`  // pieces that are left
	Days  int    `json:"days"`   // how many days it can be used after the purchase; 0 if not stated
}

// GoodsText are goods with the texts of their page: the specification's CouponDetail (entity-coupondetail).
type GoodsText struct {
	Goods
	Spec    string              `json:"gueige"`                               // the size or the duration
	HTML    string              `json:"content"`                              // the description, sanitized when it was saved
	Service string              `json:"zxkf"`                                 // the address of the customer service
	Account goods.AccountFormat `json:"account" enum:",phone,qq,member,mail"` // the format of what is recharged; "" for codes
}

// GoodsDetail are goods with their SKUs.
type GoodsDetail struct {
	Show GoodsText `json:"show"` // the goods
	List []SKU     `json:"list"` // what can be bought
}

// ShowGoods selects goods.
type ShowGoods struct {
	ID wire.ID `form:"id" required:"true"` // the id of the goods
}

// detail returns goods with their SKUs.
func (g goodsPages) detail(ctx context.Context, _ *request, in ShowGoods) (GoodsDetail, error) {
	found, skus, err := g.catalog.Goods(ctx, int64(in.ID))
	if err != nil {
		return GoodsDetail{}, err
	}
	return GoodsDetail{
		GoodsText{newGoods(found), found.Spec, found.HTML, g.service, found.Account},
		each(skus, func(k goods.SKU) SKU {
			return SKU{
				idText(k.ID), k.Name, k.Spec, cmp.Or(k.ImageURL, found.ImageURL), k.Price.String(), k.Stock, k.ValidDays,
			}
		}),
	}, nil
}
