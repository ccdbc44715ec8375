package httpapi

import (
	"context"
	"reflect"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/httpapi/avatars"
	"marquee/server/httpapi/wire"
	"marquee/server/order"
)

// PaymentPasswords sets the payment password.
type PaymentPasswords interface {
	// SendPasswordCode sends a code to the buyer's own phone. It returns account.ErrPhoneMissing, and the errors of
	// CodeLogin.SendLoginCode.
	SendPasswordCode(ctx context.Context, userID int64, from account.Origin) error
	// SetPaymentPassword sets or changes the six digits of the payment password. code comes from SendPasswordCode. It
	// returns account.ErrPasswordFormat, account.ErrPasswordWeak or an error of the code.
	SetPaymentPassword(ctx context.Context, userID int64, code, password string) error
}

// CardCounter counts a buyer's usable welfare cards.
type CardCounter interface {
	// Count returns how many cards the buyer can pay with.
	Count(ctx context.Context, userID int64) (int, error)
}

// OrderLister lists a buyer's own orders.
type OrderLister interface {
	// List returns one page of the orders of a tab, newest first. Pages count from 1.
	List(ctx context.Context, userID int64, tab order.Tab, page, size int) (order.Page, error)
}

// member serves the buyer's own page and the payment password.
type member struct {
	passwords PaymentPasswords
	cards     CardCounter
	orders    OrderLister
}

// Buyer is the part of the buyer that the session may see: the specification's User (entity-user).
type Buyer struct {
	Img      string `json:"img"`       // the address of the buyer's picture; the default picture with limited access
	Phone    string `json:"phone"`     // the phone number, masked; "" without a phone
	AllPhone string `json:"all_phone"` // the phone number in full; "" without a phone
	CardNum  int    `json:"card_num"`  // the number of welfare cards that can pay; 0 with limited access
	// What the session may do, as in the answer of a login: "link" or "limited"; missing for everything.
	Access account.Access `json:"access,omitempty" enum:"link,limited"`
}

// buyer returns the part of the buyer that the session may see.
func (m member) buyer(ctx context.Context, r *request) (Buyer, error) {
	b := Buyer{Phone: account.MaskPhone(r.user.Phone), AllPhone: r.user.Phone, Access: r.session.Access}
	var err error
	if !r.hasLimitedAccess() {
		b.Img = r.user.AvatarURL
		b.CardNum, err = m.cards.Count(ctx, r.user.ID)
	}
	if b.Img == "" {
		b.Img = avatars.DefaultURL
	}
	return b, err
}

// OrderCounts are the numbers of orders in the tabs of the order list.
type OrderCounts struct {
	All       int `json:"all"`       // orders of every state
	Pending   int `json:"pending"`   // orders that wait for the payment
	ToUse     int `json:"to_use"`    // delivered orders whose film has not ended or whose vouchers are valid
	Completed int `json:"completed"` // other delivered orders
}

func newCounts(c order.Counts) OrderCounts {
	return OrderCounts{c.All, c.Pending, c.ToUse, c.Completed}
}

// BuyerPage is the buyer's own page.
type BuyerPage struct {
	Buyer
	OrderNum    OrderCounts `json:"order_num"`    // the orders in each tab of the order list
	HasPassword bool        `json:"has_password"` // whether the buyer has set a payment password
}

// home returns the buyer, with the number of usable cards and of orders in each tab.
func (m member) home(ctx context.Context, r *request, _ none) (BuyerPage, error) {
	buyer, err := m.buyer(ctx, r)
	if err != nil {
		return BuyerPage{}, err
	}
	page, err := m.orders.List(ctx, r.user.ID, order.TabAll, 1, 1)
	return BuyerPage{buyer, newCounts(page.Counts), r.user.HasPassword}, err
}

// userInfo returns the buyer, with the number of usable cards.
func (m member) userInfo(ctx context.Context, r *request, _ none) (Buyer, error) {
	return m.buyer(ctx, r)
}

// sendPasswordCode sends a code for setting the payment password to the buyer's own phone.
func (m member) sendPasswordCode(ctx context.Context, r *request, _ none) (wire.Wait, error) {
	return codeSent, m.passwords.SendPasswordCode(ctx, r.user.ID, originOf(r))
}

// sendPasswordCodeFaults are the errors of sending the code for the payment password.
var sendPasswordCodeFaults = errorsOf(sendCodeFaults, []*fault.Fault{account.ErrPhoneMissing})

// setPasswordFaults are the errors of setting the payment password.
var setPasswordFaults = errorsOf(codeFaults, []*fault.Fault{
	account.ErrPasswordFormat, account.ErrPasswordWeak, account.ErrPasswordBusy,
})

// pictureUpload describes the call that package avatars serves. It reads its multipart form and the session itself.
var pictureUpload = route{post, "/Member/uploadimg", buyer | loginRate, operation{
	form: wire.NewDecoder(reflect.TypeFor[avatars.UploadPicture]()), data: reflect.TypeFor[avatars.UploadedPicture](),
	handler: "avatars.Handler.Upload",
	faults:  []*fault.Fault{avatars.ErrImageInvalid, avatars.ErrImageTooLarge, avatars.ErrUploadBusy},
}}

// SetPassword is a new payment password.
type SetPassword struct {
	Code     SMSCode `form:"code"`     // the code that getsendcode sent to the buyer's phone; a missing one is an error
	Password string  `form:"password"` // six digits that are not easy to guess; a missing one is an error
}

// setPassword sets the payment password, or changes it.
func (m member) setPassword(ctx context.Context, r *request, in SetPassword) (none, error) {
	return none{}, m.passwords.SetPaymentPassword(ctx, r.user.ID, string(in.Code), in.Password)
}
