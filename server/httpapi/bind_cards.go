package httpapi

import (
	"context"
	"net/url"
	"strings"

	"marquee/server/cards"
	"marquee/server/content"
	"marquee/server/fault"
	"marquee/server/input"
)

// CardBinder binds cards to a buyer.
type CardBinder interface {
	// Bind binds the card of a card number or coupon code.
	Bind(ctx context.Context, userID int64, number, password string) (cardID int64, err error)
	// BindScanned binds the card that the content of a QR or bar code names. own reports whether an address is of the
	// shop: a coupon code is read in no other one.
	BindScanned(ctx context.Context, userID int64, content string, own func(*url.URL) bool) (cardID int64, err error)
}

// Errors of binding a card, before the card is looked up.
var (
	ErrCardNumberMissing   = fault.New(fault.Invalid, "card_number_required", "请输入卡号")
	ErrCardPasswordMissing = fault.New(fault.Invalid, "card_password_required", "请输入密码")
)

// cardBinding serves binding cards.
type cardBinding struct {
	binder CardBinder
	texts  Texts
	signer pageSigner
}

// idAnswer is the id of a card.
type idAnswer struct {
	ID string `json:"id"`
}

// guide answers /api/api.php/Card/bindingcard: the text about binding, and the signature with which the page in the
// optional field url may use the messaging app's scanner. The signature is empty without url and while the messaging
// app does not answer. Errors: url_not_allowed.
func (c cardBinding) guide(ctx context.Context, r *request) (any, error) {
	text, err := c.texts.Text(ctx, content.BindingGuide)
	if err != nil {
		return nil, err
	}
	var signature PageSignature
	if r.form.Fields()["url"] != "" {
		if signature, err = c.signer.sign(ctx, r.form.Bounded("url", 2048)); err != nil && fault.KindOf(err) == fault.Invalid {
			return nil, err
		}
	}
	return struct {
		Single Text `json:"single"`
		PageSignature
	}{newText(text), signature}, nil
}

// byNumber answers /api/api.php/Card/addbinding: it binds a card by number, or by coupon code, and password. Errors:
// card_number_required, card_password_required, card_not_found, card_bound, card_locked.
func (c cardBinding) byNumber(ctx context.Context, r *request) (any, error) {
	number, password := input.Card.Read(r.form.LongText("kahao")), r.form.Input("pass", input.CardPassword)
	switch {
	case r.form.Err() != nil:
		return nil, r.form.Err()
	case number == "":
		return nil, ErrCardNumberMissing
	case password == "":
		return nil, ErrCardPasswordMissing
	}
	id, err := c.binder.Bind(ctx, r.user.ID, number, password)
	return idAnswer{idText(id)}, err
}

// byScan answers /api/api.php/Card/scanbinding: it binds the card that the scanned content names. Errors:
// scan_unreadable and those of byNumber.
func (c cardBinding) byScan(ctx context.Context, r *request) (any, error) {
	scanned := strings.TrimSpace(r.form.LongText("content"))
	switch {
	case r.form.Err() != nil:
		return nil, r.form.Err()
	case scanned == "":
		return nil, cards.ErrScanUnreadable
	}
	id, err := c.binder.BindScanned(ctx, r.user.ID, scanned, c.signer.urls.own)
	return idAnswer{idText(id)}, err
}
