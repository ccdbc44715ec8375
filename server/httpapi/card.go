package httpapi

import (
	"context"
	"strconv"
	"strings"

	"marquee/server/cards"
	"marquee/server/fault"
)

// CardBook lists a buyer's welfare cards and binds more.
type CardBook interface {
	List(ctx context.Context, userID int64, f cards.Filter) ([]cards.Card, error)
	Unusable(ctx context.Context, userID int64) ([]cards.Card, error)
	// Bind takes a card number or a coupon code for the number.
	Bind(ctx context.Context, userID int64, number, password string) (cardID int64, err error)
	BindScanned(ctx context.Context, userID int64, content string) (cardID int64, err error)
}

// What binding a card can fail with before the card is looked for.
var (
	ErrCardNumberMissing   = fault.New(fault.Invalid, "card_number_required", "请输入卡号")
	ErrCardPasswordMissing = fault.New(fault.Invalid, "card_password_required", "请输入密码")
)

type cardAnswer struct {
	ID     string `json:"id"`
	PID    int    `json:"pid"`
	Name   string `json:"name"`
	Number string `json:"num"`
	Points string `json:"price"`
	Ends   int64  `json:"end_time"`
	Flag   int    `json:"flag"`
}

type cardListAnswer struct {
	List []cardAnswer `json:"card_list"`
}

func (h *handler) cardList(list []cards.Card) cardListAnswer {
	return cardListAnswer{each(list, h.newCard)}
}

func (h *handler) newCard(c cards.Card) cardAnswer {
	return cardAnswer{
		strconv.FormatInt(c.ID, 10), int(c.PID), c.PID.Name(), c.Number, c.Balance.String(), unix(c.EndTime), int(c.Flag(h.Now())),
	}
}

func (h *handler) usableCards(ctx context.Context, r *request) (any, error) {
	flag := r.form.Integer("flag", int64(cards.AllUsable), int64(cards.PointsDesc), int64(cards.AllUsable))
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	list, err := h.Cards.List(ctx, r.user.ID, cards.Filter(flag))
	return h.cardList(list), err
}

func (h *handler) unusableCards(ctx context.Context, r *request) (any, error) {
	list, err := h.Cards.Unusable(ctx, r.user.ID)
	return h.cardList(list), err
}

func (h *handler) bindCard(ctx context.Context, r *request) (any, error) {
	number, password := strings.TrimSpace(r.form.Text("kahao")), strings.TrimSpace(r.form.Text("pass"))
	switch {
	case r.form.Err() != nil:
		return nil, r.form.Err()
	case number == "":
		return nil, ErrCardNumberMissing
	case password == "":
		return nil, ErrCardPasswordMissing
	}
	id, err := h.Cards.Bind(ctx, r.user.ID, number, password)
	return newID(id), err
}

type idAnswer struct {
	ID string `json:"id"`
}

func newID(id int64) idAnswer { return idAnswer{strconv.FormatInt(id, 10)} }

// scanCard answers scanbinding.
func (h *handler) scanCard(ctx context.Context, r *request) (any, error) {
	content := strings.TrimSpace(r.form.Text("content"))
	switch {
	case r.form.Err() != nil:
		return nil, r.form.Err()
	case content == "":
		return nil, cards.ErrScanUnreadable
	}
	id, err := h.Cards.BindScanned(ctx, r.user.ID, content)
	return newID(id), err
}
