package httpapi

import (
	"context"
	"strconv"

	"marquee/server/content"
	"marquee/server/goods"
)

// GoodsShelves shows what the shop sells besides tickets.
type GoodsShelves interface {
	Categories(ctx context.Context) ([]goods.Category, error)
	List(ctx context.Context, f goods.Filter, page, size int) ([]goods.Goods, int, error)
	// Goods fails with goods.ErrGoodsNotFound.
	Goods(ctx context.Context, id int64) (goods.Goods, []goods.SKU, error)
	// CodesOf opens an order's codes, whoever asks.
	CodesOf(ctx context.Context, orderNo string) ([]goods.Code, error)
}

type categoryAnswer struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Img  string `json:"img"`
}

func newCategory(c goods.Category) categoryAnswer {
	return categoryAnswer{strconv.FormatInt(c.ID, 10), c.Name, c.ImageURL}
}

type goodsAnswer struct {
	ID      string `json:"id"`
	Img     string `json:"img"`
	Title   string `json:"title"`
	Price   string `json:"price"`
	Product string `json:"product"`
	Fid     string `json:"fid"`
	Type    int    `json:"type"`
}

func newGoods(g goods.Goods) goodsAnswer {
	return goodsAnswer{
		strconv.FormatInt(g.ID, 10), g.ImageURL, g.Title, g.Price.String(), g.Product, strconv.FormatInt(g.CategoryID, 10), int(g.Type),
	}
}

// entrance is how many goods of each shelf the member home shows.
const entrance = 10

type memberHomeAnswer struct {
	Classes []categoryAnswer `json:"classify"`
	Banners []bannerAnswer   `json:"lbt"`
	Music   []goodsAnswer    `json:"yinyue"`
	Reading []goodsAnswer    `json:"yuedu"`
	Others  []goodsAnswer    `json:"qita"`
}

// FirstPicture returns the first banner's picture.
func (a memberHomeAnswer) FirstPicture() string { return firstBanner(a.Banners) }

// memberHome answers Kaquan/index.
func (h *handler) memberHome(ctx context.Context, _ *request) (any, error) {
	classes, err := h.Goods.Categories(ctx)
	if err != nil {
		return nil, err
	}
	banners, err := h.Showcase.Banners(ctx, content.Members)
	if err != nil {
		return nil, err
	}
	var shown [3][]goodsAnswer
	for i, shelves := range [][]goods.Shelf{{goods.Music}, {goods.Reading, goods.Tools}, {goods.Other, goods.Recharge}} {
		list, _, err := h.Goods.List(ctx, goods.Filter{Shelves: shelves}, 1, entrance)
		if err != nil {
			return nil, err
		}
		shown[i] = each(list, newGoods)
	}
	return memberHomeAnswer{each(classes, newCategory), each(banners, newBanner), shown[0], shown[1], shown[2]}, nil
}

func (h *handler) categories(ctx context.Context, _ *request) (any, error) {
	list, err := h.Goods.Categories(ctx)
	return struct {
		List []categoryAnswer `json:"list"`
	}{each(list, newCategory)}, err
}

// goodsList lists goods of the shelves that the field flag stands for; what flag 0 shows is first.
func (h *handler) goodsList(size int64, byFlag ...[]goods.Shelf) call {
	return func(ctx context.Context, r *request) (any, error) {
		f := r.form
		fid, flag := f.Integer("fid", 0, 1<<62, 0), f.Integer("flag", 0, int64(len(byFlag)-1), 0)
		page, size := f.Integer("pageno", 1, 1e6, 1), f.Integer("pagesize", 1, 1e9, size)
		if f.Err() != nil {
			return nil, f.Err()
		}
		list, total, err := h.Goods.List(ctx, goods.Filter{CategoryID: fid, Shelves: byFlag[flag]}, int(page), int(min(size, maxPage)))
		return struct {
			List  []goodsAnswer `json:"list"`
			Total int           `json:"total"`
		}{each(list, newGoods), total}, err
	}
}

type skuAnswer struct {
	ID    string `json:"id"`
	Name  string `json:"sku"`
	Spec  string `json:"gueige"`
	Img   string `json:"img"`
	Price string `json:"price"`
	Stock int    `json:"stock"`
}

type shownGoods struct {
	goodsAnswer
	Spec    string `json:"gueige"`
	HTML    string `json:"content"`
	Service string `json:"zxkf"`
}

type goodsShowAnswer struct {
	Show shownGoods  `json:"show"`
	List []skuAnswer `json:"list"`
}

// FirstPicture returns the picture of the goods.
func (a goodsShowAnswer) FirstPicture() string { return a.Show.Img }

// goodsShow answers Kaquan/show.
func (h *handler) goodsShow(ctx context.Context, r *request) (any, error) {
	id := r.form.ID("id")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	g, skus, err := h.Goods.Goods(ctx, id)
	if err != nil {
		return nil, err
	}
	return goodsShowAnswer{
		shownGoods{newGoods(g), g.Spec, g.HTML, h.App.Links.Service},
		each(skus, func(k goods.SKU) skuAnswer {
			img := k.ImageURL
			if img == "" {
				img = g.ImageURL
			}
			return skuAnswer{strconv.FormatInt(k.ID, 10), k.Name, k.Spec, img, k.Price.String(), k.Stock}
		}),
	}, nil
}
