package httpapi

import (
	"context"
	"strings"

	"marquee/server/cards"
	"marquee/server/fault"
)

// CardMerger moves the points of several cards of one type to the fullest of them.
type CardMerger interface {
	// CheckMerge returns what a merge would do, with a code that Merge needs.
	CheckMerge(ctx context.Context, userID int64, ids []int64, pid cards.PID) (cards.MergePreview, error)
	// Merge moves the points and returns the id of the card that stays. It returns cards.ErrMergeCodeInvalid if the
	// code was used, is old, or belongs to other cards, or if a balance has changed since CheckMerge.
	Merge(ctx context.Context, userID int64, ids []int64, pid cards.PID, code string) (int64, error)
}

// cardMerging serves merging cards.
type cardMerging struct{ merger CardMerger }

// CheckMerge selects the cards of a merge.
type CheckMerge struct {
	Cards CardIDs `form:"fulika"`               // two or more cards of one type
	Type  int     `form:"pid" min:"1" max:"11"` // the type of the cards; 0 fits no card
}

// checkMergeFaults are the errors of choosing the cards of a merge.
var checkMergeFaults = []*fault.Fault{
	cards.ErrMergeTooFew, cards.ErrMergeMixed, cards.ErrCardUnusable, cards.ErrCardBusy,
}

// MergePreview is what a merge would do.
type MergePreview struct {
	Gone       string `json:"del_ka_str"`   // the numbers of the cards that are removed, joined by commas
	Kept       string `json:"hb_ka_str"`    // the number of the card that stays, which is the fullest
	GonePoints string `json:"del_ka_price"` // the points that move, with two decimals
	KeptPoints string `json:"hb_ka_price"`  // the points of the card that stays after the merge, with two decimals
	Code       string `json:"code"`         // confirms this merge once, within ten minutes
}

// check returns what a merge of the cards would do, with a code that confirms it.
func (c cardMerging) check(ctx context.Context, r *request, in CheckMerge) (MergePreview, error) {
	p, err := c.merger.CheckMerge(ctx, r.user.ID, in.Cards, cards.PID(in.Type))
	return MergePreview{
		strings.Join(each(p.Gone, func(c cards.Card) string { return c.Number }), ","), p.Kept.Number,
		p.GonePoints.String(), p.KeptPoints.String(), p.Code,
	}, err
}

// MergeCards confirms a merge.
type MergeCards struct {
	CheckMerge
	Code string `form:"code"` // from the check of the same cards; no merge is confirmed without it
}

// mergeFaults are the errors of a merge.
var mergeFaults = errorsOf(checkMergeFaults, []*fault.Fault{cards.ErrMergeCodeInvalid})

// merge moves the points of all cards to the fullest and returns the id of that card. The other cards are removed.
func (c cardMerging) merge(ctx context.Context, r *request, in MergeCards) (CardID, error) {
	id, err := c.merger.Merge(ctx, r.user.ID, in.Cards, cards.PID(in.Type), in.Code)
	return CardID{idText(id)}, err
}
