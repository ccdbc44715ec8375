// Package goods manages what the shop sells besides tickets: memberships, vouchers and account recharges, their
// specifications (SKUs) with price and stock, and the virtual codes that are given to buyers. Codes are stored
// encrypted.
package goods

import (
	"time"

	"marquee/server/fault"
	"marquee/server/money"
)

// Errors of this package. Each has a stable code, a message for buyers and an explanation for operators.
var (
	ErrGoodsNotFound = fault.New(fault.NotFound, "goods_not_found", "商品不存在或已下架").WithExplanation(
		"the goods or the specification does not exist")
	ErrSoldOut      = fault.New(fault.Conflict, "sold_out", "商品已售罄")
	ErrGoodsInvalid = fault.New(fault.Invalid, "goods_invalid", "商品信息有误").WithExplanation(
		"a field of the goods or of the code is not valid")
	ErrCategoryNotFound = fault.New(fault.NotFound, "category_not_found", "分类不存在").WithExplanation(
		"the category does not exist; add it with the command: goods category")
	ErrCodeExists = fault.New(fault.Conflict, "goods_code_exists", "卡密已存在").WithExplanation(
		"the code is already stored")
	errCodeInvalid = fault.New(fault.Invalid, "goods_code_invalid", "卡密信息有误").WithExplanation(
		"the code cannot be given to a buyer")
	ErrCodeGiven = fault.New(fault.Conflict, "goods_code_given", "卡密已发放").WithExplanation(
		"the code has been given to a buyer")
	ErrCodeNotFound = fault.New(fault.NotFound, "goods_code_not_found", "卡密不存在或已作废").WithExplanation(
		"the code does not exist, or it was withdrawn")
	errWithoutCodes = fault.New(fault.Conflict, "goods_without_codes", "该商品不发放卡密").WithExplanation(
		"these goods recharge an account and have no codes")
	// ErrStockReserved rejects a counted stock that is smaller than the number of pieces in unpaid orders and in paid
	// orders that are not delivered yet.
	ErrStockReserved = fault.New(fault.Conflict, "stock_reserved", "库存少于订单已占用的数量").WithExplanation(
		"unpaid orders and paid orders that are not delivered yet have more pieces than were counted; " +
			"count those pieces too")
	errStockOfCodes = fault.New(fault.Conflict, "stock_of_codes", "卡密商品的库存由卡密数量决定").WithExplanation(
		"the stock of goods with codes is the number of their codes")
)

// Type is how a purchase is delivered. The numbers are those of the wire format.
type Type int

const (
	AccountRecharge Type = 1 // the account that the buyer entered is topped up, by a provider or by an operator
	VirtualCode     Type = 2 // the buyer gets a code: a number with a password or a link
)

// Shelf is the section of the shop in which goods are shown.
type Shelf string

// The shelves.
const (
	Music    Shelf = "music"
	Reading  Shelf = "reading"
	Tools    Shelf = "tools"
	Recharge Shelf = "recharge"
	Other    Shelf = "other"
)

// Shelves lists every shelf.
var Shelves = []Shelf{Music, Reading, Tools, Recharge, Other}

// MemberShelves are the shelves of member goods: all except Recharge.
var MemberShelves = []Shelf{Music, Reading, Tools, Other}

// Scope is the kind of welfare card that can pay for goods, in addition to cards that pay for everything. With "any",
// only cards that pay for everything can.
type Scope string

// Scopes lists every scope.
var Scopes = []Scope{"any", "movie", "cake", "book"}

// Category groups goods. The back office identifies it by Code.
type Category struct {
	ID       int64  // of the shop's table
	Code     string // chosen by an operator, unique
	Name     string // shown to buyers
	ImageURL string
	Position int // lists begin with the lowest
}

// Goods is one product on a shelf. The back office identifies it by Code.
type Goods struct {
	ID         int64  // of the shop's table
	Code       string // chosen by an operator, unique
	CategoryID int64
	Shelf      Shelf         // the section that lists the goods
	Type       Type          // cannot be changed later
	Scope      Scope         // which cards can pay
	Account    AccountFormat // format of the account that is recharged; "" for codes
	Title      string        // shown to buyers
	ImageURL   string
	Product    string    // a line below the title
	Spec       string    // what the buyer gets, shown next to the price
	HTML       string    // sanitized by PutGoods
	Position   int       // lists begin with the lowest
	OnSale     bool      // if false, buyers do not see the goods
	Price      money.Fen // of the cheapest specification on sale
	Stock      int       // pieces of all specifications on sale that can still be sold
}

// SKU is a specification of goods that can be bought.
type SKU struct {
	ID        int64
	Code      string // chosen by an operator, unique
	GoodsID   int64
	Name      string // shown to buyers
	Spec      string // what the buyer gets
	ImageURL  string
	Price     money.Fen // of one piece
	Stock     int       // pieces that can still be sold
	ValidDays int       // days of use after the purchase; 0 if unlimited or unknown
	Position  int       // lists begin with the lowest
	OnSale    bool      // if false, buyers do not see the specification
}

// Offer is a specification (SKU) together with its goods.
type Offer struct {
	Goods Goods
	SKU   SKU
}

// Buyable reports whether buyers can see and buy the offer. It does not check the stock.
func (o Offer) Buyable() bool { return o.Goods.OnSale && o.SKU.OnSale && o.SKU.Price > 0 }

// EndsAt returns the time until which a purchase made at bought can be used, or the zero time if ValidDays is 0.
func (s SKU) EndsAt(bought time.Time) time.Time {
	if s.ValidDays == 0 {
		return time.Time{}
	}
	return bought.AddDate(0, 0, s.ValidDays)
}

// Code is a virtual code in plain text. Pass is a password or a link, or "".
type Code struct{ Num, Pass string }

// SealedCode is a code as it is stored.
type SealedCode struct {
	Sealed []byte // id of the pepper, nonce and AES-256-GCM ciphertext, bound to the id of the specification
	Hash   []byte // id of the pepper and HMAC-SHA-256 of the code, to find duplicates
	// OtherHashes are the hashes under the accepted peppers that are not the current one. They are not stored.
	OtherHashes [][]byte
	Import      string // identifies the list with which Service.AddCodes added the code
}

// Stock changes stock and codes inside a transaction. An order holds at most one specification.
type Stock interface {
	// Offer reads a specification with its goods. It returns ErrGoodsNotFound if it does not exist.
	Offer(skuID int64) (Offer, error)
	// Hold reserves n pieces for the order and, if the goods have codes, one code for each piece. It returns ErrSoldOut
	// if fewer are left.
	Hold(orderNo string, o Offer, n int, now time.Time) error
	// Sell marks the pieces that the order holds as sold and returns their number, 0 if it holds none.
	Sell(orderNo string, now time.Time) (int, error)
	// GiveCodes permanently assigns to a paid order the codes that it holds, and returns their number. It replaces a
	// code that was withdrawn by another one, and returns ErrSoldOut if none is available.
	GiveCodes(orderNo string, now time.Time) (int, error)
	// Release returns the pieces that the order holds or has bought to the stock, except codes that were withdrawn or
	// that the buyer has seen.
	Release(orderNo string, now time.Time) error
}
