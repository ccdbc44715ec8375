package httpapi

import (
	"context"
	"time"

	"marquee/server/cards"
)

// CardReader reads one of a buyer's cards.
type CardReader interface {
	// Card returns cards.ErrCardNotFound for another buyer's card too.
	Card(ctx context.Context, userID, cardID int64) (cards.Card, error)
}

// Cards reads and deletes a buyer's welfare cards.
type Cards interface {
	CardReader
	// List returns the cards that can pay and that the filter selects. Cards that are used up, expired or frozen are
	// not among them.
	List(ctx context.Context, userID int64, f cards.Filter) ([]cards.Card, error)
	// Unusable returns the cards without points that can be spent, and those that are frozen.
	Unusable(ctx context.Context, userID int64) ([]cards.Card, error)
	// Code returns the code that the card's page shows. It is opaque and lives for five minutes.
	Code(cardID int64) string
	// Records returns one page, newest first, and the number of records on all pages. The first page is 1.
	Records(ctx context.Context, userID, cardID int64, events []cards.Event, page, size int) (
		[]cards.Record, int, error)
	// Delete takes a card off its owner's list. It returns cards.ErrCardNotFound for the card of another buyer, and
	// cards.ErrCardHasBalance while the card has points that have not expired.
	Delete(ctx context.Context, userID, cardID int64) error
}

// cardPages serves a buyer's cards.
type cardPages struct {
	cards Cards
	now   func() time.Time
}

// cardAnswer is the specification's Card (entity-card).
type cardAnswer struct {
	ID     string `json:"id"`
	PID    int    `json:"pid"` // type of the card
	Name   string `json:"name"`
	Number string `json:"num"`
	Points string `json:"price"`
	Ends   int64  `json:"end_time"` // unix seconds, when the first of the points end
	Flag   int    `json:"flag"`     // 1 usable, 2 about to expire, 3 used up, 4 expired, 5 frozen
	// Pays is what cards of the type may pay for: movie, cake, book, and any for what only general cards pay for.
	Pays []cards.Scope `json:"pays"`
}

func newCard(c cards.Card, now time.Time) cardAnswer {
	return cardAnswer{
		idText(c.ID), int(c.PID), c.PID.Name(), c.Number, c.Balance.String(), unix(c.EndTime), int(c.Flag(now)),
		c.PID.Scopes(),
	}
}

type cardListAnswer struct {
	List []cardAnswer `json:"card_list"`
}

func newCardList(list []cards.Card, now time.Time) cardListAnswer {
	return cardListAnswer{each(list, func(c cards.Card) cardAnswer { return newCard(c, now) })}
}

// usable answers /api/api.php/Card/lists: the usable cards, by filter and order of the field flag.
func (c cardPages) usable(ctx context.Context, r *request) (any, error) {
	flag := r.form.Integer("flag", int64(cards.AllUsable), int64(cards.PointsDesc), int64(cards.AllUsable))
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	list, err := c.cards.List(ctx, r.user.ID, cards.Filter(flag))
	return newCardList(list, c.now()), err
}

// unusable answers /api/api.php/Card/nucard: the cards that are used up, expired or frozen.
func (c cardPages) unusable(ctx context.Context, r *request) (any, error) {
	list, err := c.cards.Unusable(ctx, r.user.ID)
	return newCardList(list, c.now()), err
}

// readCard reads the card whose id is in the field khid.
func readCard(ctx context.Context, from CardReader, r *request) (cards.Card, error) {
	id := r.form.ID("khid")
	if r.form.Err() != nil {
		return cards.Card{}, r.form.Err()
	}
	return from.Card(ctx, r.user.ID, id)
}

// show answers /api/api.php/Card/show: a card with the code that its page shows. Errors: card_not_found.
func (c cardPages) show(ctx context.Context, r *request) (any, error) {
	card, err := readCard(ctx, c.cards, r)
	if err != nil {
		return nil, err
	}
	type cardWithCode struct {
		cardAnswer
		Code string `json:"code"`
	}
	return struct {
		Number string       `json:"card_num"`
		Card   cardWithCode `json:"card"`
	}{card.Number, cardWithCode{newCard(card, c.now()), c.cards.Code(card.ID)}}, nil
}

// recordAnswer is the specification's Record (entity-record): points that a card gained or paid.
type recordAnswer struct {
	Flag   int    `json:"flag"`
	At     int64  `json:"add_time"` // unix seconds
	Points string `json:"price"`    // without a sign
	Remark string `json:"remark"`
	// The order of tickets or goods that the points paid.
	OrderNo string `json:"order_no,omitempty"`
	Kind    string `json:"kind,omitempty"` // ticket or goods
	Title   string `json:"title,omitempty"`
}

func newRecord(r cards.Record) recordAnswer {
	return recordAnswer{
		r.Event.RecordFlag(), unix(r.At), max(r.Points, -r.Points).String(), r.Remark, r.Order.No, r.Order.Kind,
		r.Order.Title,
	}
}

// records answers /api/api.php/Card/consume and /api/api.php/Card/recharge: one page of a card's records of some
// events. Errors: card_not_found.
func (c cardPages) records(events []cards.Event) call {
	return func(ctx context.Context, r *request) (any, error) {
		f := r.form
		id, number, size := f.ID("khid"), f.Integer("pageno", 1, 1e6, 1), f.Integer("pagesize", 1, 1e9, 10)
		if f.Err() != nil {
			return nil, f.Err()
		}
		list, total, err := c.cards.Records(ctx, r.user.ID, id, events, int(number), int(min(size, maxPageSize)))
		return Page[recordAnswer]{each(list, newRecord), total}, err
	}
}

// statusDeleted tells the app that the card is gone and that it should go back.
const statusDeleted = 3

// delete answers /api/api.php/Card/delcard: it deletes a card that is empty. Errors: card_not_found,
// card_has_balance, card_busy.
func (c cardPages) delete(ctx context.Context, r *request) (any, error) {
	id := r.form.ID("kid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	return struct {
		Status int `json:"status"`
	}{statusDeleted}, c.cards.Delete(ctx, r.user.ID, id)
}
