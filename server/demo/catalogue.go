package demo

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"marquee/server/cards"
	"marquee/server/content"
	"marquee/server/goods"
	"marquee/server/money"
)

//go:embed catalogue.json
var catalogueJSON []byte

// catalogue is the demo content in catalogue.json. Prices are in fen, points in hundredths of a point.
type catalogue struct {
	Packages   []cards.Package
	Banners    map[content.Place][]banner
	Tiles      map[content.Row][]tile
	Categories []category
}

// banner is a banner whose picture the simulators draw at /art/banner/<picture>.svg.
type banner struct{ Picture, Link, Title string }

// tile advertises goods, identified by their code, at the price of their first specification.
type tile struct{ Goods, Title string }

type category struct {
	Code, Name string
	Goods      []product
}

// product is one of the demo goods. The code is also the name of the picture, /art/goods/<code>.svg.
type product struct {
	Code           string
	Shelf          goods.Shelf
	Type           goods.Type
	Scope          goods.Scope
	Account        goods.AccountFormat
	Title, Product string
	About          string
	Specifications []specification
}

type specification struct {
	Name  string
	Price money.Fen
	Days  int // validity after the purchase; 0: not stated
}

// readCatalogue decodes the embedded catalogue.
func readCatalogue() (c catalogue, err error) {
	if err := json.Unmarshal(catalogueJSON, &c); err != nil {
		return c, fmt.Errorf("read catalogue.json: %w", err)
	}
	return c, nil
}

// sku returns the code of the product's specification with the index i.
func (p product) sku(i int) string { return fmt.Sprintf("%s-%d", p.Code, i+1) }

// complete reports whether all specifications of the product are in skus, a set of codes.
func (p product) complete(skus map[string]bool) bool {
	for i := range p.Specifications {
		if !skus[p.sku(i)] {
			return false
		}
	}
	return true
}

// html returns the description that buyers read.
func (p product) html() string {
	delivery := "<li>付款后立即获得兑换码，可在订单详情中复制。</li>"
	if p.Type == goods.AccountRecharge {
		delivery = "<li>付款后自动充值到您填写的账号，请仔细核对，充错不退。</li>"
	}
	return "<h3>商品说明</h3><p>" + p.Product + "。" + p.About + "</p><h3>使用须知</h3><ul>" + delivery +
		"<li>虚拟商品一经售出，不支持退换。</li><li>客服时间：全年 9:00-21:00。</li></ul>"
}

// pictureURL returns the address of a picture that the simulators draw. It is a path of the shop, which redirects to
// the simulators: their address may change between runs with the same database.
func pictureURL(path string) string { return "/art/" + path + ".svg" }
