package httpapi

import (
	"context"
	"net/url"
	"strings"

	"marquee/server/cards"
	"marquee/server/content"
	"marquee/server/fault"
)

// CardBinder binds cards to a buyer.
type CardBinder interface {
	// Bind binds the card of a card number or coupon code.
	Bind(ctx context.Context, userID int64, number, password string) (cardID int64, err error)
	// BindScanned binds the card in the content of a QR or bar code. own reports whether an address in the content is
	// one of the shop: a coupon code is read only from the shop's addresses.
	BindScanned(ctx context.Context, userID int64, content string, own func(*url.URL) bool) (cardID int64, err error)
}

// Errors of binding a card, before the card is looked up.
var (
	errCardNumberMissing   = fault.New(fault.Invalid, "card_number_required", "请输入卡号")
	errCardPasswordMissing = fault.New(fault.Invalid, "card_password_required", "请输入密码")
)

// cardBinding serves binding cards.
type cardBinding struct {
	binder CardBinder
	texts  Texts
	signer pageSigner
}

// bindFaults are the errors of binding a card.
var bindFaults = []*fault.Fault{cards.ErrCardNotFound, cards.ErrCardBound, cards.ErrCardUnusable, cards.ErrCardLocked}

// CardID is the id of a card.
type CardID struct {
	ID string `json:"id"` // the card's id, for khid
}

// ShowBindingGuide contains the address of the page that shows the guide, so that it can be signed.
type ShowBindingGuide struct {
	URL string `form:"url" max:"2048"` // the address of the page, which must be one of the shop; "" for no signature
}

// BindingGuide is the guide for binding a card. The signature is empty without an address, and if the messaging app
// does not answer.
type BindingGuide struct {
	Guide Text `json:"single"` // the text about binding
	PageSignature
}

// guide returns the text about binding, and the signature with which the page may use the messaging app's scanner.
func (c cardBinding) guide(ctx context.Context, _ *request, in ShowBindingGuide) (BindingGuide, error) {
	text, err := c.texts.Text(ctx, content.BindingGuide)
	if err != nil {
		return BindingGuide{}, err
	}
	var signature PageSignature
	if in.URL != "" {
		if signature, err = c.signer.sign(ctx, in.URL); err != nil && fault.KindOf(err) == fault.Invalid {
			return BindingGuide{}, err
		}
	}
	return BindingGuide{newText(text), signature}, nil
}

// BindCard is a card as it is printed.
type BindCard struct {
	Number   CardNumber   `form:"kahao"` // the card number or the coupon code; it must not be missing
	Password CardPassword `form:"pass"`  // the password of the card; it must not be missing
}

// bindByNumberFaults are the errors of binding a card by its number.
var bindByNumberFaults = errorsOf(bindFaults, []*fault.Fault{errCardNumberMissing, errCardPasswordMissing})

// byNumber binds a card by its number, or by the coupon code, and its password.
func (c cardBinding) byNumber(ctx context.Context, r *request, in BindCard) (CardID, error) {
	switch {
	case in.Number == "":
		return CardID{}, errCardNumberMissing
	case in.Password == "":
		return CardID{}, errCardPasswordMissing
	}
	id, err := c.binder.Bind(ctx, r.user.ID, string(in.Number), string(in.Password))
	return CardID{idText(id)}, err
}

// ScanCard is what a scanner read from a card.
type ScanCard struct {
	// the scanned text: number:password, an address with the query values kahao and pass, or code, or a coupon code; it
	// must not be missing
	Content string `form:"content" max:"512"`
}

// bindByScanFaults are the errors of binding a card by scanning it.
var bindByScanFaults = errorsOf(bindFaults, []*fault.Fault{cards.ErrScanUnreadable})

// byScan binds the card in the scanned content.
func (c cardBinding) byScan(ctx context.Context, r *request, in ScanCard) (CardID, error) {
	scanned := strings.TrimSpace(in.Content)
	if scanned == "" {
		return CardID{}, cards.ErrScanUnreadable
	}
	id, err := c.binder.BindScanned(ctx, r.user.ID, scanned, c.signer.urls.own)
	return CardID{idText(id)}, err
}
