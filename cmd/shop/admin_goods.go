package main

import (
	"context"
	"fmt"
	"io"

	"marquee/server/backoffice"
	"marquee/server/goods"
)

// goodsCommands are the commands `shop admin goods …`. The first argument of most commands is the code that an operator
// has chosen for a category, goods or a specification (SKU).
type goodsCommands struct {
	List     listGoods    `cmd:"" help:"List every specification with its price and stock."`
	Category putCategory  `cmd:"" help:"Add or change a category." creates:""`
	Put      putGoods     `cmd:"" help:"Add or change goods."`
	Spec     putSpec      `cmd:"" help:"Add or change a specification and its price."`
	Stock    setStock     `cmd:"" help:"Record how many pieces of a specification were counted."`
	Codes    addCodes     `cmd:"" help:"Add the codes of a CSV (num,pass) to the stock; run it again after an interruption."`
	Withdraw withdrawCode `cmd:"" help:"Remove a code that was not delivered to a buyer from the stock."`
}

// listGoods prints one line per specification: the codes of goods and specification, their titles, price, stock and
// state, separated by tabs.
type listGoods struct{}

// Run also prints the specifications that are not on sale.
func (listGoods) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	offers, err := office.Goods.List(ctx)
	for _, o := range offers {
		state := "off"
		if o.Buyable() {
			state = "on sale"
		}
		fmt.Fprintf(p.stdout, "%s\t%s\t%s\t%s\t%s\t%d\t%s\n",
			o.Goods.Code, o.SKU.Code, o.Goods.Title, o.SKU.Name, o.SKU.Price, o.SKU.Stock, state)
	}
	return err
}

type putCategory struct {
	Code     string `arg:"" help:"Its code: lower-case letters, digits, - and _."`
	Name     string `arg:"" help:"The name that buyers read."`
	Image    string `help:"Address of its picture."`
	Position int    `help:"Its position among the categories."`
}

// Run adds the category, or changes the one with the code.
func (c putCategory) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	category := goods.Category{Code: c.Code, Name: c.Name, ImageURL: c.Image, Position: c.Position}
	return p.printf(office.Goods.PutCategory(ctx, category), "category %s saved", c.Code)
}

type putGoods struct {
	Code     string `arg:"" help:"Their code: lower-case letters, digits, - and _."`
	Category string `help:"Code of the category." required:""`
	Title    string `help:"The title that buyers read." required:""`
	Delivery string `help:"How they are delivered: by recharge of an account or by code." enum:"account,code" required:""`
	Shelf    string `help:"The page that shows them." enum:"music,reading,tools,recharge,other" default:"other"`
	Scope    string `help:"Special cards that can pay in addition to general ones." enum:"any,movie,cake,book" default:"any"`
	Account  string `help:"Format of the account that is recharged; member by default." enum:",phone,qq,member,mail" default:""`
	Image    string `help:"Address of the picture."`
	Product  string `help:"A line below the title."`
	Gets     string `help:"What the buyer gets, shown next to the price."`
	HTML     string `help:"File with the description; HTML that could run is removed." type:"existingfile"`
	Position int    `help:"Their position among the goods."`
	Off      bool   `help:"Do not sell them."`
}

// deliveryTypes are the values of --delivery.
var deliveryTypes = map[string]goods.Type{"account": goods.AccountRecharge, "code": goods.VirtualCode}

// Run adds the goods, or changes those with the code. The delivery of existing goods cannot be changed.
func (c putGoods) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	var html []byte
	if c.HTML != "" {
		err := withFile(c.HTML, func(r io.Reader) (err error) { html, err = io.ReadAll(r); return err })
		if err != nil {
			return err
		}
	}
	if c.Account == "" && c.Delivery == "account" {
		c.Account = string(goods.MemberAccount)
	}
	err := office.Goods.Put(ctx, c.Category, goods.Goods{
		Code: c.Code, Title: c.Title, Type: deliveryTypes[c.Delivery], Shelf: goods.Shelf(c.Shelf),
		Scope: goods.Scope(c.Scope), Account: goods.AccountFormat(c.Account), ImageURL: c.Image,
		Product: c.Product, Spec: c.Gets, HTML: string(html), Position: c.Position, OnSale: !c.Off,
	})
	return p.printf(err, "goods %s saved", c.Code)
}

type putSpec struct {
	Code     string `arg:"" help:"Its code: lower-case letters, digits, - and _."`
	Goods    string `help:"Code of the goods." required:""`
	Name     string `help:"The name that buyers read." required:""`
	Price    string `help:"Price in yuan, with at most two decimals." required:""`
	Gets     string `help:"What the buyer gets."`
	Image    string `help:"Address of a separate picture."`
	Days     int    `help:"Days of validity after the purchase; 0: not stated."`
	Position int    `help:"Its position among the specifications."`
	Off      bool   `help:"Do not sell it."`
}

// Run adds the specification, or changes the one with the code.
func (c putSpec) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	err := office.Goods.PutSKU(ctx, c.Goods, goods.SKU{
		Code: c.Code, Name: c.Name, Spec: c.Gets, ImageURL: c.Image, ValidDays: c.Days, Position: c.Position,
		OnSale: !c.Off,
	}, c.Price)
	return p.printf(err, "specification %s saved", c.Code)
}

// setStock sets the stock of goods that recharge an account. Goods with codes need no such command: their stock is the
// number of their codes.
type setStock struct {
	Spec  string `arg:"" help:"Code of the specification."`
	Stock int    `arg:"" help:"Number of pieces that are not delivered, including those of unfinished orders."`
}

// Run sets the number of pieces, and prints how many of them can still be sold.
func (c setStock) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	left, err := office.Goods.CountStock(ctx, c.Spec, c.Stock)
	return p.printf(err, "specification %s has %d pieces, of which %d can still be sold", c.Spec, c.Stock, left)
}

// addCodes adds the codes of a CSV. It checks the entire file before it adds the first one.
type addCodes struct {
	Spec string `arg:"" help:"Code of the specification."`
	File string `arg:"" help:"The CSV, or - for standard input."`
}

// Run adds the codes that are not in the stock yet, and prints their number.
func (c addCodes) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	var n int
	err := withFile(c.File, func(r io.Reader) (err error) {
		n, err = office.Goods.AddCodes(ctx, c.Spec, r)
		return err
	})
	return p.printf(err, "%d codes added", n)
}

type withdrawCode struct {
	Num    string `arg:"" help:"Number of the code."`
	Pass   string `arg:"" optional:"" help:"Its password or link."`
	Reason string `help:"The reason, for the audit." required:""`
}

// Run removes the code from the stock. It fails for a code that was delivered to a buyer.
func (c withdrawCode) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	return p.printf(office.Goods.WithdrawCode(ctx, c.Num, c.Pass, c.Reason), "code %s withdrawn", c.Num)
}
