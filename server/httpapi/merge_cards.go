package httpapi

import (
	"context"
	"strings"

	"marquee/server/cards"
	"marquee/server/httpapi/wire"
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

func readMerge(f *wire.Form) (ids []int64, pid cards.PID) {
	return f.IDs("fulika", cards.MaxChosen), cards.PID(f.Integer("pid", 1, 11, 0))
}

// check answers /api/api.php/Card/checkmergecards: the cards that end, the card that stays, the points that move, and
// a code that is valid for one merge within ten minutes. Errors: merge_too_few, merge_mixed_types, card_unusable,
// card_busy.
func (c cardMerging) check(ctx context.Context, r *request) (any, error) {
	ids, pid := readMerge(r.form)
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	p, err := c.merger.CheckMerge(ctx, r.user.ID, ids, pid)
	return struct {
		Gone       string `json:"del_ka_str"`
		Kept       string `json:"hb_ka_str"`
		GonePoints string `json:"del_ka_price"`
		KeptPoints string `json:"hb_ka_price"` // after the merge
		Code       string `json:"code"`
	}{
		strings.Join(each(p.Gone, func(c cards.Card) string { return c.Number }), ","), p.Kept.Number,
		p.GonePoints.String(), p.KeptPoints.String(), p.Code,
	}, err
}

// merge answers /api/api.php/Card/mergecards: the id of the card that stays. Errors: those of check and
// merge_code_invalid.
func (c cardMerging) merge(ctx context.Context, r *request) (any, error) {
	ids, pid := readMerge(r.form)
	code := r.form.Text("code")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	id, err := c.merger.Merge(ctx, r.user.ID, ids, pid, code)
	return idAnswer{idText(id)}, err
}
