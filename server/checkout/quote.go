package checkout

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"marquee/server/cards"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
)

// Quote returns how the order's total would split between the cards and the messaging app. It is not binding: paying
// quotes again. Points held by the order's open payment count as spendable, because paying again replaces that payment.
func (s *Payer) Quote(ctx context.Context, userID int64, orderNo string, cardIDs []int64) (order.Quote, error) {
	o, err := order.OfBuyer(ctx, s.store, userID, orderNo)
	if err != nil {
		return order.Quote{}, err
	}
	now := s.now()
	if err := o.Payable(now); err != nil {
		return order.Quote{}, err
	}
	chosen, err := s.readCards(ctx, &o, cardIDs, now)
	if err != nil {
		return order.Quote{}, err
	}
	return split(o.Total, chosen), nil
}

// readCards reads the chosen cards of the order's buyer outside a transaction, with the balances of
// order.Store.CardsFor.
func (b base) readCards(ctx context.Context, o *order.Order, ids []int64, now time.Time) ([]cards.Card, error) {
	owned, err := b.store.CardsFor(ctx, o.UserID, o.No, now)
	if err != nil {
		return nil, err
	}
	return chooseCards(ids, func(id int64) (cards.Card, error) {
		if i := slices.IndexFunc(owned, func(c cards.Card) bool { return c.ID == id }); i >= 0 {
			return owned[i], nil
		}
		return cards.Card{}, cards.ErrCardUnusable
	}, o)
}

// chooseCards resolves card ids, soonest expiry first. It fails with cards.ErrCardUnusable for another buyer's card, a
// frozen one, or one of a type that does not pay for the order. Cards without points are not an error.
func chooseCards(ids []int64, find func(int64) (cards.Card, error), o *order.Order) ([]cards.Card, error) {
	if len(ids) > cards.MaxChosen {
		return nil, fault.ErrInvalidInput
	}
	chosen := make([]cards.Card, 0, len(ids))
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		c, err := find(id)
		if errors.Is(err, cards.ErrCardNotFound) {
			return nil, cards.ErrCardUnusable // a card that does not exist must look like another buyer's
		}
		if err != nil {
			return nil, err
		}
		if c.UserID != o.UserID || !c.Payable() || !c.PID.Pays(o.CardScope()) {
			return nil, cards.ErrCardUnusable
		}
		chosen = append(chosen, c)
	}
	slices.SortFunc(chosen, func(a, b cards.Card) int {
		return cmp.Or(a.EndTime.Compare(b.EndTime), cmp.Compare(a.ID, b.ID))
	})
	return chosen, nil
}

func split(total money.Fen, chosen []cards.Card) order.Quote {
	balances := make([]order.CardBalance, 0, len(chosen))
	for _, c := range chosen {
		balances = append(balances, order.CardBalance{CardID: c.ID, Avail: c.Balance})
	}
	return order.Split(total, balances)
}
