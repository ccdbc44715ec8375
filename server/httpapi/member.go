package httpapi

import (
	"context"

	"marquee/server/account"
	"marquee/server/httpapi/avatars"
	"marquee/server/input"
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

// memberAnswer is the specification's User (entity-user).
type memberAnswer struct {
	Img      string `json:"img"`
	Phone    string `json:"phone"` // masked
	AllPhone string `json:"all_phone"`
	CardNum  int    `json:"card_num"`

	Access account.Access `json:"access,omitempty"` // of the session, as in the answer of a login
}

// member returns what the session may see of its buyer.
func (m member) member(ctx context.Context, r *request) (memberAnswer, error) {
	a := memberAnswer{Phone: account.MaskPhone(r.user.Phone), AllPhone: r.user.Phone, Access: r.session.Access}
	var err error
	if !r.limited() {
		a.Img = r.user.AvatarURL
		a.CardNum, err = m.cards.Count(ctx, r.user.ID)
	}
	if a.Img == "" {
		a.Img = avatars.DefaultURL
	}
	return a, err
}

// countsAnswer is the number of orders in each tab of the order list.
type countsAnswer struct {
	All       int `json:"all"`
	Pending   int `json:"pending"`
	ToUse     int `json:"to_use"`
	Completed int `json:"completed"`
}

func newCounts(c order.Counts) countsAnswer {
	return countsAnswer{c.All, c.Pending, c.ToUse, c.Completed}
}

// home answers /Member/index: the buyer, with the number of usable cards and of orders in each tab.
func (m member) home(ctx context.Context, r *request) (any, error) {
	buyer, err := m.member(ctx, r)
	if err != nil {
		return nil, err
	}
	page, err := m.orders.List(ctx, r.user.ID, order.TabAll, 1, 1)
	return struct {
		memberAnswer
		OrderNum    countsAnswer `json:"order_num"`
		HasPassword bool         `json:"has_password"`
	}{buyer, newCounts(page.Counts), r.user.HasPassword}, err
}

// userInfo answers /newmovie/seat/userinfo: the buyer, with the number of usable cards.
func (m member) userInfo(ctx context.Context, r *request) (any, error) {
	return m.member(ctx, r)
}

// sendPasswordCode answers /Member/getsendcode: it sends a code to the buyer's own phone and returns {wait} in
// seconds. Errors: sms_limited (with {wait,until?}), sms_ceiling.
func (m member) sendPasswordCode(ctx context.Context, r *request) (any, error) {
	return codeSent, m.passwords.SendPasswordCode(ctx, r.user.ID, originOf(r))
}

// setPassword answers /Member/editpassword: it sets the payment password of six digits. Errors: code_wrong,
// code_locked, password_format, password_weak.
func (m member) setPassword(ctx context.Context, r *request) (any, error) {
	return nil, m.passwords.SetPaymentPassword(ctx, r.user.ID, r.form.Input("code", input.Code), r.form.Text("password"))
}
