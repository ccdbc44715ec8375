// Package goods holds what the shop sells besides tickets: memberships, vouchers and recharges, their
// specifications with price and stock, and the virtual codes that are given to buyers, sealed at rest.
package goods

import (
	"time"

	"marquee/server/fault"
	"marquee/server/money"
)

// What goods can fail with.
var (
	ErrGoodsNotFound = fault.New(fault.NotFound, "goods_not_found", "商品不存在或已下架").WithExplanation(
		"there are no such goods or no such specification")
	ErrSoldOut      = fault.New(fault.Conflict, "sold_out", "商品已售罄")
	ErrGoodsInvalid = fault.New(fault.Invalid, "goods_invalid", "商品信息有误").WithExplanation(
		"a field of the goods or of the code is not valid")
	ErrCategoryNotFound = fault.New(fault.NotFound, "category_not_found", "分类不存在").WithExplanation(
		"there is no such category; goods category adds one")
	ErrCodeExists = fault.New(fault.Conflict, "goods_code_exists", "卡密已存在").WithExplanation(
		"the code is in the stock already")
	ErrCodeInvalid = fault.New(fault.Invalid, "goods_code_invalid", "卡密信息有误").WithExplanation(
		"the code cannot be given to a buyer")
	ErrCodeGiven = fault.New(fault.Conflict, "goods_code_given", "卡密已发放").WithExplanation(
		"the code has been given to a buyer")
	ErrCodeNotFound = fault.New(fault.NotFound, "goods_code_not_found", "卡密不存在或已作废").WithExplanation(
		"there is no such code, or it was withdrawn")
	ErrWithoutCodes = fault.New(fault.Conflict, "goods_without_codes", "该商品不发放卡密").WithExplanation(
		"these goods recharge an account and have no codes")
	ErrStockOfCodes = fault.New(fault.Conflict, "stock_of_codes", "卡密商品的库存由卡密数量决定").WithExplanation(
		"the stock of goods with codes is the number of their codes")
)

// Type is how a purchase is delivered; the numbers are the specification's.
type Type int

const (
	AccountRecharge Type = 1 // somebody tops up the account that the buyer named
	VirtualCode     Type = 2 // the buyer gets a number with a password or link
)

// Shelf is where goods are shown.
type Shelf string

const (
	Music    Shelf = "music"
	Reading  Shelf = "reading"
	Tools    Shelf = "tools"
	Recharge Shelf = "recharge"
	Other    Shelf = "other"
)

// Shelves lists every shelf.
var Shelves = []Shelf{Music, Reading, Tools, Recharge, Other}

// MemberShelves are the shelves of member goods: all but the recharges.
var MemberShelves = []Shelf{Music, Reading, Tools, Other}

// Scope says which welfare cards pay: those for everything always, those of the kind besides.
type Scope string

// Scopes lists every scope.
var Scopes = []Scope{"any", "movie", "cake", "book"}

// Category groups goods. Code is the back office's name for it.
type Category struct {
	ID       int64
	Code     string
	Name     string
	ImageURL string
	Position int
}

// Goods is one thing on a shelf. Code is the back office's name for it.
type Goods struct {
	ID         int64
	Code       string
	CategoryID int64
	Shelf      Shelf
	Type       Type
	Scope      Scope
	Title      string
	ImageURL   string
	Product    string // a line below the title
	Spec       string // what one gets, shown beside the price
	HTML       string // made safe when it was written
	Position   int
	OnSale     bool
	Price      money.Fen // of the cheapest specification on sale
}

// SKU is a specification of goods that can be bought.
type SKU struct {
	ID        int64
	Code      string
	GoodsID   int64
	Name      string
	Spec      string
	ImageURL  string
	Price     money.Fen
	Stock     int // how many can still be sold
	ValidDays int // how long it can be used after the purchase; 0: not said
	Position  int
	OnSale    bool
}

// Offer is a specification with its goods.
type Offer struct {
	Goods Goods
	SKU   SKU
}

// Buyable reports whether the offer is shown and can be bought while stock lasts.
func (o Offer) Buyable() bool { return o.Goods.OnSale && o.SKU.OnSale && o.SKU.Price > 0 }

// EndsAt is until when what is bought now can be used; zero: not said.
func (s SKU) EndsAt(bought time.Time) time.Time {
	if s.ValidDays == 0 {
		return time.Time{}
	}
	return bought.AddDate(0, 0, s.ValidDays)
}

// Code is a virtual code in clear. Pass is a password or a link, or "".
type Code struct{ Num, Pass string }

// SealedCode is a code as it is kept.
type SealedCode struct {
	Sealed []byte
	Hash   []byte // keyed; one code is never taken in twice
}

// Stock is the part of a transaction that moves what is sold. An order holds one specification at most.
type Stock interface {
	// Offer fails with ErrGoodsNotFound.
	Offer(skuID int64) (Offer, error)
	// Hold takes n pieces out of what can be sold, with a code for each where there are codes; ErrSoldOut.
	Hold(orderNo string, o Offer, n int, now time.Time) error
	// Sell makes what the order holds sold and tells how many pieces that is.
	Sell(orderNo string, now time.Time) (int, error)
	// GiveCodes gives the order its codes for good and tells how many. A code that was withdrawn meanwhile is
	// replaced by a free one; ErrSoldOut when there is none.
	GiveCodes(orderNo string, now time.Time) (int, error)
	// Release puts back what the order holds or bought.
	Release(orderNo string, now time.Time) error
}
