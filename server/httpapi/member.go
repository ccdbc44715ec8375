package httpapi

import (
	"context"
	"marquee/server/httpapi/avatars"

	"marquee/server/account"
	"marquee/server/orders"
)

// PaymentPasswords sets the payment password.
type PaymentPasswords interface {
	SendPasswordCode(ctx context.Context, userID int64, ip string) error
	SetPaymentPassword(ctx context.Context, userID int64, code, password string) error
}

// CardCounter counts a buyer's usable welfare cards.
type CardCounter interface {
	Count(ctx context.Context, userID int64) (int, error)
}

type countsAnswer struct {
	All       int `json:"all"`
	Pending   int `json:"pending"`
	ToUse     int `json:"to_use"`
	Completed int `json:"completed"`
}

func newCounts(c orders.Counts) countsAnswer {
	return countsAnswer{c.All, c.Pending, c.ToUse, c.Completed}
}

func (h *handler) memberIndex(ctx context.Context, r *request) (any, error) {
	cards, err := h.Cards.Count(ctx, r.user.ID)
	if err != nil {
		return nil, err
	}
	page, err := h.Orders.List(ctx, r.user.ID, orders.TabAll, 1, 1)
	if err != nil {
		return nil, err
	}
	return struct {
		Img         string       `json:"img"`
		Phone       string       `json:"phone"`
		AllPhone    string       `json:"all_phone"`
		CardNum     int          `json:"card_num"`
		OrderNum    countsAnswer `json:"order_num"`
		HasPassword bool         `json:"has_password"`
	}{avatarURL(r.user), maskedPhone(r.user.Phone), r.user.Phone, cards, newCounts(page.Counts), r.user.HasPassword}, nil
}

func (h *handler) userInfo(ctx context.Context, r *request) (any, error) {
	cards, err := h.Cards.Count(ctx, r.user.ID)
	return struct {
		Img      string `json:"img"`
		Phone    string `json:"phone"`
		AllPhone string `json:"all_phone"`
		CardNum  int    `json:"card_num"`
	}{avatarURL(r.user), maskedPhone(r.user.Phone), r.user.Phone, cards}, err
}

func (h *handler) sendPasswordCode(ctx context.Context, r *request) (any, error) {
	return resend, h.Accounts.SendPasswordCode(ctx, r.user.ID, clientIP(r.Request))
}

func (h *handler) editPassword(ctx context.Context, r *request) (any, error) {
	return nil, h.Accounts.SetPaymentPassword(ctx, r.user.ID, r.form.Text("code"), r.form.Text("password"))
}

// maskedPhone is 138****0000.
func maskedPhone(phone string) string {
	if len(phone) != 11 {
		return ""
	}
	return phone[:3] + "****" + phone[7:]
}

func avatarURL(u account.User) string {
	if u.AvatarURL == "" {
		return avatars.DefaultURL
	}
	return u.AvatarURL
}
