package httpapi

import (
	"context"
	"time"

	"marquee/server/cards"
	"marquee/server/httpapi/wire"
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
	// Unusable returns the cards that have no spendable points, and those that are frozen.
	Unusable(ctx context.Context, userID int64) ([]cards.Card, error)
	// Code returns the code that the card's page shows. It is opaque and valid for five minutes.
	Code(cardID int64) string
	// Records returns one page, newest first, and the number of records on all pages. The first page is 1.
	Records(ctx context.Context, userID, cardID int64, events []cards.Event, page, size int) (
		[]cards.Record, int, error)
	// Delete removes a card from its owner's list. It returns cards.ErrCardNotFound for the card of another buyer, and
	// cards.ErrCardHasBalance while the card has points that have not expired.
	Delete(ctx context.Context, userID, cardID int64) error
}

// cardPages serves a buyer's cards.
type cardPages struct {
	cards Cards
	now   func() time.Time
}

// Card is a welfare card: the specification's Card (entity-card).
type Card struct {
	ID     string `json:"id"`       // the card's id
	PID    int    `json:"pid"`      // the type, 1 to 11
	Name   string `json:"name"`     // the name of the type
	Number string `json:"num"`      // the card number, in full
	Points string `json:"price"`    // the balance in points with two decimals
	Ends   int64  `json:"end_time"` // unix seconds, when the first of the points expire
	Flag   int    `json:"flag"`     // 1 usable, 2 about to expire, 3 used up, 4 expired, 5 frozen
	// What cards of the type may pay for: "movie", "cake", "book", and "any" for goods that only general cards pay for.
	Pays []cards.Scope `json:"pays"`
}

func newCard(c cards.Card, now time.Time) Card {
	return Card{
		idText(c.ID), int(c.PID), c.PID.Name(), c.Number, c.Balance.String(), unix(c.EndTime), int(c.Flag(now)),
		c.PID.Scopes(),
	}
}

// CardList are cards of a buyer.
type CardList struct {
	List []Card `json:"card_list"` // in the order in which pages show them
}

func newCardList(list []cards.Card, now time.Time) CardList {
	return CardList{each(list, func(c cards.Card) Card { return newCard(c, now) })}
}

// ListCards chooses usable cards.
type ListCards struct {
	// 1 all, those that expire first in front; 2 those about to expire; 3 all by points, fewest first; 4 most first
	Flag int `form:"flag" min:"1" max:"4" default:"1"`
}

// usable returns the cards of the buyer that can pay.
func (c cardPages) usable(ctx context.Context, r *request, in ListCards) (CardList, error) {
	list, err := c.cards.List(ctx, r.user.ID, cards.Filter(in.Flag))
	return newCardList(list, c.now()), err
}

// unusable returns the cards of the buyer that are used up, expired or frozen.
func (c cardPages) unusable(ctx context.Context, r *request, _ none) (CardList, error) {
	list, err := c.cards.Unusable(ctx, r.user.ID)
	return newCardList(list, c.now()), err
}

// ShowCard selects a card of the buyer.
type ShowCard struct {
	ID wire.ID `form:"khid" required:"true"` // the card's id
}

// CardWithCode is a card with the code that its page shows.
type CardWithCode struct {
	Card
	// an even number of digits, for the QR code and the bar code; it is valid for five minutes
	Code string `json:"code"`
}

// CardPage is what the page of a card shows.
type CardPage struct {
	Number string       `json:"card_num"` // the card number, in full
	Card   CardWithCode `json:"card"`     // the card
}

// show returns a card with the code that its page shows.
func (c cardPages) show(ctx context.Context, r *request, in ShowCard) (CardPage, error) {
	card, err := c.cards.Card(ctx, r.user.ID, int64(in.ID))
	if err != nil {
		return CardPage{}, err
	}
	return CardPage{card.Number, CardWithCode{newCard(card, c.now()), c.cards.Code(card.ID)}}, nil
}

// CardRecord are points that a card gained or paid: the specification's Record (entity-record).
type CardRecord struct {
	Flag   int    `json:"flag"`     // 1 consumption, 2 recharge in the app; by the shop: 3 credit, 4 deduction
	At     int64  `json:"add_time"` // unix seconds
	Points string `json:"price"`    // points with two decimals, without a sign
	Remark string `json:"remark"`   // a text for the buyer
	// The number of the order of tickets or goods that the points paid; missing without one.
	OrderNo string `json:"order_no,omitempty"`
	Kind    string `json:"kind,omitempty" enum:"ticket,goods"` // the kind of that order
	Title   string `json:"title,omitempty"`                    // what was bought with the order
}

func newRecord(r cards.Record) CardRecord {
	return CardRecord{
		r.Event.RecordFlag(), unix(r.At), max(r.Points, -r.Points).String(), r.Remark, r.Order.No, r.Order.Kind,
		r.Order.Title,
	}
}

// ListRecords selects one page of a card's records: of the points that it spent, or of those that it gained.
type ListRecords struct {
	ID   wire.ID `form:"khid" required:"true"`                           // the card's id
	Page int     `form:"pageno" min:"1" max:"1000000" default:"1"`       // the first page is 1
	Size int     `form:"pagesize" min:"1" max:"1000000000" default:"10"` // records of a page; more than 100 count as 100
}

// records returns one page of the records of a card, newest first: the points that it paid, or the points that it
// gained.
func (c cardPages) records(
	events []cards.Event,
) func(context.Context, *request, ListRecords) (Page[CardRecord], error) {
	return func(ctx context.Context, r *request, in ListRecords) (Page[CardRecord], error) {
		list, total, err := c.cards.Records(ctx, r.user.ID, int64(in.ID), events, in.Page, in.Size)
		return Page[CardRecord]{each(list, newRecord), total}, err
	}
}

// statusDeleted makes the app leave the page of the deleted card.
const statusDeleted = 3

// DeleteCard selects a card of the buyer.
type DeleteCard struct {
	ID wire.ID `form:"kid" required:"true"` // the card's id
}

// DeletedCard is the answer to deleting a card.
type DeletedCard struct {
	Status int `json:"status"` // 3: the card is deleted, and the app leaves its page
}

// delete removes a card without points from the list of the buyer.
func (c cardPages) delete(ctx context.Context, r *request, in DeleteCard) (DeletedCard, error) {
	return DeletedCard{statusDeleted}, c.cards.Delete(ctx, r.user.ID, int64(in.ID))
}
