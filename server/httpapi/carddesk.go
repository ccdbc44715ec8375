package httpapi

import (
	"context"
	"strconv"
	"strings"

	"marquee/server/cards"
	"marquee/server/content"
	"marquee/server/fault"
)

// CardDesk shows one of a buyer's cards, deletes it, and merges several.
type CardDesk interface {
	// Card fails with cards.ErrCardNotFound for another buyer's card too.
	Card(ctx context.Context, userID, cardID int64) (cards.Card, error)
	// Code is what the card's page shows as a code.
	Code(cardID int64) string
	Records(ctx context.Context, userID, cardID int64, events []cards.Event, page, size int) ([]cards.Record, int, error)
	Delete(ctx context.Context, userID, cardID int64) error
	CheckMerge(ctx context.Context, userID int64, ids []int64, pid cards.PID) (cards.MergePreview, error)
	Merge(ctx context.Context, userID int64, ids []int64, pid cards.PID, code string) (int64, error)
}

// showCard answers Card/show.
func (h *handler) showCard(ctx context.Context, r *request) (any, error) {
	id := r.form.ID("khid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	card, err := h.Cards.Card(ctx, r.user.ID, id)
	if err != nil {
		return nil, err
	}
	return struct {
		Number string `json:"card_num"`
		Card   any    `json:"card"`
	}{card.Number, struct {
		cardAnswer
		Code string `json:"code"`
	}{h.newCard(card), h.Cards.Code(card.ID)}}, nil
}

// bindingGuide answers bindingcard: what to know about binding, and the page's signature for the scanner. Outside
// the messaging app, or when it does not answer, the text comes alone.
func (h *handler) bindingGuide(ctx context.Context, r *request) (any, error) {
	text, err := h.Texts.Text(ctx, content.BindingGuide)
	if err != nil {
		return nil, err
	}
	var signed jsAnswer
	if r.form.Text("url") != "" {
		if signed, err = h.signPage(ctx, r.form); err != nil && fault.KindOf(err) == fault.Invalid {
			return nil, err
		}
	}
	return struct {
		Single textAnswer `json:"single"`
		jsAnswer
	}{textAnswer{text.Title, text.HTML}, signed}, nil
}

type recordAnswer struct {
	Flag   int    `json:"flag"`
	At     int64  `json:"add_time"`
	Points string `json:"price"`
	Remark string `json:"remark"`
}

// cardRecords answers consume and recharge.
func (h *handler) cardRecords(events []cards.Event) call {
	return func(ctx context.Context, r *request) (any, error) {
		f := r.form
		id, page, size := f.ID("khid"), f.Integer("pageno", 1, 1e6, 1), f.Integer("pagesize", 1, 1e9, 10)
		if f.Err() != nil {
			return nil, f.Err()
		}
		list, total, err := h.Cards.Records(ctx, r.user.ID, id, events, int(page), int(min(size, maxPage)))
		return struct {
			List  []recordAnswer `json:"list"`
			Total int            `json:"total"`
		}{each(list, newRecord), total}, err
	}
}

func newRecord(r cards.Record) recordAnswer {
	return recordAnswer{r.Event.RecordFlag(), unix(r.At), max(r.Points, -r.Points).String(), r.Remark}
}

// cardDeleted is the status that tells the app to go back.
const cardDeleted = 3

func (h *handler) deleteCard(ctx context.Context, r *request) (any, error) {
	id := r.form.ID("kid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	return struct {
		Status int `json:"status"`
	}{cardDeleted}, h.Cards.Delete(ctx, r.user.ID, id)
}

// checkMerge answers checkmergecards.
func (h *handler) checkMerge(ctx context.Context, r *request) (any, error) {
	ids, pid := r.form.IDs("fulika", maxCards), r.form.Integer("pid", 1, 11, 0)
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	p, err := h.Cards.CheckMerge(ctx, r.user.ID, ids, cards.PID(pid))
	return struct {
		Gone       string `json:"del_ka_str"`
		Kept       string `json:"hb_ka_str"`
		GonePoints string `json:"del_ka_price"`
		KeptPoints string `json:"hb_ka_price"`
		Code       string `json:"code"`
	}{
		strings.Join(each(p.Gone, func(c cards.Card) string { return c.Number }), ","), p.Kept.Number,
		p.GonePoints.String(), p.KeptPoints.String(), p.Code,
	}, err
}

func (h *handler) mergeCards(ctx context.Context, r *request) (any, error) {
	f := r.form
	ids, pid, code := f.IDs("fulika", maxCards), f.Integer("pid", 1, 11, 0), f.Text("code")
	if f.Err() != nil {
		return nil, f.Err()
	}
	id, err := h.Cards.Merge(ctx, r.user.ID, ids, cards.PID(pid), code)
	return idAnswer{strconv.FormatInt(id, 10)}, err
}
