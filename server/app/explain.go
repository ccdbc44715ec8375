package app

import (
	"errors"
	"fmt"

	"marquee/server/fault"
)

// meanings say in English, for whoever is at work in the back office, what the codes of its faults mean.
var meanings = map[string]string{
	"invalid_input":         "the amount or the key cannot be",
	"card_not_found":        "there is no such card: it was never issued, was merged or deleted, or its page showed the code too long ago",
	"card_exists":           "a card has this number or coupon code already",
	"card_invalid":          "there must be points, a price, and a last day to come",
	"card_validity_invalid": "points live at least a day and at most 36,500",
	"card_changed":          "somebody else changed the card meanwhile; try again",
	"points_insufficient":   "the card does not hold that many points that can be spent",
	"reason_required":       "say why",
	"reason_invalid":        "a reason is at most 100 characters that can be read",
	"adjustment_key_reused": "the key stands for another recharge or deduction; take a new one",
	"goods_not_found":       "there are no such goods and no such specification",
	"goods_invalid":         "what was said about the goods cannot be",
	"category_not_found":    "there is no such category; goods category adds one",
	"goods_code_exists":     "the code was taken in before",
	"goods_code_invalid":    "the code cannot be given to a buyer",
	"goods_code_given":      "a buyer has the code already",
	"goods_code_not_found":  "there is no such code, or it was withdrawn already",
	"goods_without_codes":   "these goods recharge an account and give no codes",
	"stock_of_codes":        "goods with codes have as many pieces as they have codes",
	"place_unknown":         "no page shows that place",
	"address_invalid":       "an address is a page of the shop's own, or begins with http:// or https://",
	"title_invalid":         "a title is at most 100 characters that can be read",
	"text_not_found":        "no page shows that text",
	"order_not_found":       "there is no such order",
	"order_state":           "the order is not where this can be done, or is being worked on; order waiting lists those that need somebody",
}

// Explain adds to an error with a code what the code means: in English, or else in the words for buyers.
func Explain(err error) error {
	var f *fault.Fault
	if !errors.As(err, &f) {
		return err
	}
	meaning, known := meanings[f.Code]
	if !known {
		meaning = f.Message
	}
	return fmt.Errorf("%w: %s", err, meaning)
}
