package httpapi

import (
	"context"

	"marquee/server/content"
	"marquee/server/goods"
)

// GoodsCatalog reads what the shop sells besides tickets.
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

// categoryAnswer is a category of goods.
type categoryAnswer struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Img  string `json:"img"`
}

func newCategory(c goods.Category) categoryAnswer {
	return categoryAnswer{idText(c.ID), c.Name, c.ImageURL}
}

// goodsAnswer are goods in a list.
type goodsAnswer struct {
	ID      string `json:"id"`
	Img     string `json:"img"`
	Title   string `json:"title"`
	Price   string `json:"price"` // yuan, of the cheapest specification
	Product string `json:"product"`
	Fid     string `json:"fid"`
	Type    int    `json:"type"`  // 1 recharges an account, 2 delivers codes
	Stock   int    `json:"stock"` // pieces of all specifications
}

func newGoods(g goods.Goods) goodsAnswer {
	return goodsAnswer{
		idText(g.ID), g.ImageURL, g.Title, g.Price.String(), g.Product, idText(g.CategoryID), int(g.Type), g.Stock,
	}
}

// homeShelfSize is how many goods of each shelf the member home shows.
const homeShelfSize = 10

// memberHomeAnswer is the first page of the member area.
type memberHomeAnswer struct {
	Categories []categoryAnswer `json:"classify"`
	Banners    []bannerAnswer   `json:"lbt"`
	Music      []goodsAnswer    `json:"yinyue"`
	Reading    []goodsAnswer    `json:"yuedu"`
	Others     []goodsAnswer    `json:"qita"`
}

// FirstPicture returns the first banner's picture.
func (a memberHomeAnswer) FirstPicture() string { return firstPictureOf(a.Banners) }

// home answers /Kaquan/index: the categories, the banners and the first goods of three groups of shelves.
func (g goodsPages) home(ctx context.Context, _ *request) (any, error) {
	categories, err := g.catalog.Categories(ctx)
	if err != nil {
		return nil, err
	}
	banners, err := g.showcase.Banners(ctx, content.Members)
	if err != nil {
		return nil, err
	}
	var groups [3][]goodsAnswer
	for i, shelves := range [...][]goods.Shelf{
		{goods.Music}, {goods.Reading, goods.Tools}, {goods.Other, goods.Recharge},
	} {
		list, _, err := g.catalog.List(ctx, goods.Filter{Shelves: shelves}, 1, homeShelfSize)
		if err != nil {
			return nil, err
		}
		groups[i] = each(list, newGoods)
	}
	return memberHomeAnswer{
		each(categories, newCategory), each(banners, newBanner), groups[0], groups[1], groups[2],
	}, nil
}

// categories answers /Kaquan/classify.
func (g goodsPages) categories(ctx context.Context, _ *request) (any, error) {
	list, err := g.catalog.Categories(ctx)
	return struct {
		List []categoryAnswer `json:"list"`
	}{each(list, newCategory)}, err
}

// goodsList are the differences between the calls that list goods.
type goodsList struct {
	pageSize int64           // if the field pagesize is missing
	shelves  [][]goods.Shelf // by the field flag; nil for all shelves
}

// The calls that list goods: /Kaquan/lists, /Kaquan/music and /Kaquan/read.
var (
	allGoods   = goodsList{10, [][]goods.Shelf{nil, goods.MemberShelves, {goods.Recharge}}}
	musicGoods = goodsList{maxPageSize, [][]goods.Shelf{{goods.Music}, {goods.Music}}}
	readGoods  = goodsList{maxPageSize, [][]goods.Shelf{{goods.Reading, goods.Tools}, {goods.Reading}, {goods.Tools}}}
)

// list answers /Kaquan/lists, /Kaquan/music and /Kaquan/read: one page of the goods of a category (field fid) and of
// the shelves that the field flag stands for.
func (g goodsPages) list(of goodsList) call {
	return func(ctx context.Context, r *request) (any, error) {
		f := r.form
		category, flag := f.Integer("fid", 0, 1<<62, 0), f.Integer("flag", 0, int64(len(of.shelves)-1), 0)
		number, size := f.Integer("pageno", 1, 1e6, 1), f.Integer("pagesize", 1, 1e9, of.pageSize)
		if f.Err() != nil {
			return nil, f.Err()
		}
		filter := goods.Filter{CategoryID: category, Shelves: of.shelves[flag]}
		list, total, err := g.catalog.List(ctx, filter, int(number), int(min(size, maxPageSize)))
		return totalList[goodsAnswer]{each(list, newGoods), total}, err
	}
}

// skuAnswer is a specification of goods: what is bought.
type skuAnswer struct {
	ID    string `json:"id"`
	Name  string `json:"sku"`
	Spec  string `json:"gueige"`
	Img   string `json:"img"`
	Price string `json:"price"` // yuan
	Stock int    `json:"stock"`
	Days  int    `json:"days"` // of use after the purchase; 0 if not stated
}

// goodsDetail is the specification's CouponDetail (entity-coupondetail).
type goodsDetail struct {
	goodsAnswer
	Spec    string              `json:"gueige"`
	HTML    string              `json:"content"` // sanitized when it was saved
	Service string              `json:"zxkf"`
	Account goods.AccountFormat `json:"account"` // of the account that is recharged; "" for codes
}

// goodsDetailAnswer are goods with their specifications.
type goodsDetailAnswer struct {
	Show goodsDetail `json:"show"`
	List []skuAnswer `json:"list"`
}

// FirstPicture returns the picture of the goods.
func (a goodsDetailAnswer) FirstPicture() string { return a.Show.Img }

// detail answers /Kaquan/show: goods with their specifications. Errors: goods_not_found.
func (g goodsPages) detail(ctx context.Context, r *request) (any, error) {
	id := r.form.ID("id")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	found, skus, err := g.catalog.Goods(ctx, id)
	if err != nil {
		return nil, err
	}
	return goodsDetailAnswer{
		goodsDetail{newGoods(found), found.Spec, found.HTML, g.service, found.Account},
		each(skus, func(k goods.SKU) skuAnswer {
			img := k.ImageURL
			if img == "" {
				img = found.ImageURL
			}
			return skuAnswer{idText(k.ID), k.Name, k.Spec, img, k.Price.String(), k.Stock, k.ValidDays}
		}),
	}, nil
}
