package main

import (
	"fmt"
	"io"

	"marquee/server/goods"
)

type goodsCommands struct {
	List     listGoods    `cmd:"" help:"List every specification with its stock."`
	Category putCategory  `cmd:"" help:"Add or change a category."`
	Put      putGoods     `cmd:"" help:"Add or change goods."`
	Spec     putSpec      `cmd:"" help:"Add or change a specification and its price."`
	Stock    setStock     `cmd:"" help:"Say how many pieces of a specification can still be sold."`
	Codes    addCodes     `cmd:"" help:"Take the codes of a CSV (num,pass) into the stock, all or none."`
	Withdraw withdrawCode `cmd:"" help:"Take out a code that nobody was given."`
}

type listGoods struct{}

func (listGoods) Run(d *desk) error {
	offers, err := d.Goods.List(d.ctx)
	for _, o := range offers {
		fmt.Fprintf(d.out, "%s\t%s\t%s\t%s\t%s\t%d\t%s\n", o.Goods.Code, o.SKU.Code, o.Goods.Title, o.SKU.Name, o.SKU.Price, o.SKU.Stock, onSale(o))
	}
	return err
}

func onSale(o goods.Offer) string {
	if o.Buyable() {
		return "on sale"
	}
	return "off"
}

type putCategory struct {
	Code     string `arg:"" help:"The back office's name for it: small letters, digits, - and _."`
	Name     string `arg:"" help:"What buyers read."`
	Image    string `help:"Address of its picture."`
	Position int    `help:"Its place among the others."`
}

func (c putCategory) Run(d *desk) error {
	err := d.Goods.PutCategory(d.ctx, goods.Category{Code: c.Code, Name: c.Name, ImageURL: c.Image, Position: c.Position})
	return d.say(err, "category %s saved", c.Code)
}

type putGoods struct {
	Code     string `arg:"" help:"The back office's name for them."`
	Category string `help:"Code of the category." required:""`
	Title    string `help:"What buyers read." required:""`
	Delivery string `help:"How they are delivered." enum:"account,code" required:""`
	Shelf    string `help:"Where they are shown." enum:"music,reading,tools,recharge,other" default:"other"`
	Scope    string `help:"Which cards pay besides those for everything." enum:"any,movie,cake,book" default:"any"`
	Image    string `help:"Address of the picture."`
	Product  string `help:"A line below the title."`
	Gets     string `help:"What one gets, beside the price."`
	HTML     string `help:"File with the description; what could run is taken out." type:"existingfile"`
	Position int    `help:"Their place among the others."`
	Off      bool   `help:"Do not sell them."`
}

func (c putGoods) Run(d *desk) error {
	var html []byte
	if c.HTML != "" {
		if err := reading(c.HTML, func(r io.Reader) (err error) { html, err = io.ReadAll(r); return err }); err != nil {
			return err
		}
	}
	err := d.Goods.Put(d.ctx, c.Category, goods.Goods{
		Code: c.Code, Title: c.Title, Type: map[string]goods.Type{"account": goods.AccountRecharge, "code": goods.VirtualCode}[c.Delivery], Shelf: goods.Shelf(c.Shelf),
		Scope: goods.Scope(c.Scope), ImageURL: c.Image, Product: c.Product, Spec: c.Gets, HTML: string(html), Position: c.Position, OnSale: !c.Off,
	})
	return d.say(err, "goods %s saved", c.Code)
}

type putSpec struct {
	Code     string `arg:"" help:"The back office's name for it."`
	Goods    string `help:"Code of the goods." required:""`
	Name     string `help:"What buyers read." required:""`
	Price    string `help:"Yuan, at most two decimals." required:""`
	Gets     string `help:"What one gets."`
	Image    string `help:"Address of a picture of its own."`
	Days     int    `help:"How long it can be used after the purchase; 0: not said."`
	Position int    `help:"Its place among the others."`
	Off      bool   `help:"Do not sell it."`
}

func (c putSpec) Run(d *desk) error {
	err := d.Goods.PutSKU(d.ctx, c.Goods, goods.SKU{
		Code: c.Code, Name: c.Name, Spec: c.Gets, ImageURL: c.Image, ValidDays: c.Days, Position: c.Position, OnSale: !c.Off,
	}, c.Price)
	return d.say(err, "specification %s saved", c.Code)
}

type setStock struct {
	Spec  string `arg:"" help:"Code of the specification."`
	Stock int    `arg:"" help:"How many pieces."`
}

func (c setStock) Run(d *desk) error {
	return d.say(d.Goods.SetStock(d.ctx, c.Spec, c.Stock), "specification %s has %d pieces", c.Spec, c.Stock)
}

type addCodes struct {
	Spec string `arg:"" help:"Code of the specification."`
	File string `arg:"" help:"The CSV, or - for standard input."`
}

func (c addCodes) Run(d *desk) error {
	return reading(c.File, func(r io.Reader) error {
		n, err := d.Goods.AddCodes(d.ctx, c.Spec, r)
		if err == nil {
			fmt.Fprintf(d.out, "%d codes taken in\n", n)
		}
		return err
	})
}

type withdrawCode struct {
	Num    string `arg:"" help:"Number of the code."`
	Pass   string `arg:"" optional:"" help:"Its password or link."`
	Reason string `help:"Why." required:""`
}

func (c withdrawCode) Run(d *desk) error {
	return d.say(d.Goods.WithdrawCode(d.ctx, c.Num, c.Pass, c.Reason), "code %s withdrawn", c.Num)
}

type contentCommands struct {
	Banners setBanners `cmd:"" help:"Replace the banners of a place by those of a CSV (image,link,title)."`
	Tiles   setTiles   `cmd:"" help:"Replace a row of voucher tiles by those of a CSV (image,title,price,url)."`
	Text    setText    `cmd:"" help:"Replace a policy or guide by an HTML file."`
}

type setBanners struct {
	Place string `arg:"" enum:"home,cinemas,members" help:"home, cinemas or members."`
	File  string `arg:"" help:"The CSV, or - for standard input."`
}

func (c setBanners) Run(d *desk) error {
	return d.say(reading(c.File, func(r io.Reader) error { return d.Content.SetBanners(d.ctx, c.Place, r) }), "banners of %s replaced", c.Place)
}

type setTiles struct {
	Row  string `arg:"" enum:"first,second" help:"first or second."`
	File string `arg:"" help:"The CSV, or - for standard input."`
}

func (c setTiles) Run(d *desk) error {
	return d.say(reading(c.File, func(r io.Reader) error { return d.Content.SetTiles(d.ctx, c.Row, r) }), "tiles of the %s row replaced", c.Row)
}

type setText struct {
	Key   string `arg:"" enum:"privacy,usage_rules,buying_guide,viewing_guide,ticket_warning,binding_guide" help:"Which text."`
	File  string `arg:"" help:"The HTML, or - for standard input."`
	Title string `help:"Its title." required:""`
}

func (c setText) Run(d *desk) error {
	return reading(c.File, func(r io.Reader) error {
		html, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		return d.say(d.Content.SetText(d.ctx, c.Key, c.Title, string(html)), "text %s replaced", c.Key)
	})
}
