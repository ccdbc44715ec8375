package orders

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"marquee/server/cards"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/payment"
)

// maxCards bounds how many cards one payment may name.
const maxCards = 50

// Quote tells how the order's total would split between the cards and the messaging app. It promises nothing:
// paying quotes again.
func (s *Service) Quote(ctx context.Context, userID int64, orderNo string, cardIDs []int64) (q payment.Quote, err error) {
	err = s.Store.View(ctx, func(r Reader) error {
		o, err := mine(ctx, r, userID, orderNo)
		if err != nil {
			return err
		}
		now := s.Now()
		if err := o.Payable(now); err != nil {
			return err
		}
		chosen, err := ownCards(ctx, r, &o, cardIDs, now)
		if err != nil {
			return err
		}
		q, err = withOwnHolds(ctx, r, o, chosen)
		return err
	})
	return q, err
}

// ownCards resolves ids of cards of the order's buyer.
func ownCards(ctx context.Context, r Reader, o *Order, ids []int64, now time.Time) ([]cards.Card, error) {
	owned, err := r.CardsOf(ctx, o.UserID, now)
	if err != nil {
		return nil, err
	}
	return chooseCards(ids, func(id int64) (cards.Card, error) {
		if i := slices.IndexFunc(owned, func(c cards.Card) bool { return c.ID == id }); i >= 0 {
			return owned[i], nil
		}
		return cards.Card{}, cards.ErrCardUnusable
	}, o.UserID, o.payableBy())
}

// withOwnHolds counts the points that this order's open payment holds as spendable: paying again replaces it.
func withOwnHolds(ctx context.Context, r Reader, o Order, chosen []cards.Card) (payment.Quote, error) {
	payments, err := r.Payments(ctx, o.No)
	if err != nil {
		return payment.Quote{}, err
	}
	for _, p := range payments {
		if p.State != payment.Open {
			continue
		}
		for _, l := range p.Legs {
			for i := range chosen {
				if l.Kind == payment.ByCard && chosen[i].ID == l.CardID {
					chosen[i].Balance += l.Amount.Points()
				}
			}
		}
	}
	return split(o.Total, chosen), nil
}

// chooseCards resolves card ids, soonest expiry first. Cards of others, frozen ones and types that do not pay
// for what is bought are refused; a card that is merely empty is passed over.
func chooseCards(ids []int64, find func(int64) (cards.Card, error), userID int64, scope cards.Scope) ([]cards.Card, error) {
	if len(ids) > maxCards {
		return nil, fault.ErrInvalidInput
	}
	chosen := make([]cards.Card, 0, len(ids))
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		c, err := find(id)
		if errors.Is(err, cards.ErrCardNotFound) {
			return nil, cards.ErrCardUnusable // a card that is not there must look like another buyer's
		}
		if err != nil {
			return nil, err
		}
		if c.UserID != userID || c.Status != cards.Active || !c.PID.Pays(scope) {
			return nil, cards.ErrCardUnusable
		}
		chosen = append(chosen, c)
	}
	slices.SortFunc(chosen, func(a, b cards.Card) int {
		return cmp.Or(a.EndTime.Compare(b.EndTime), cmp.Compare(a.ID, b.ID))
	})
	return chosen, nil
}

func split(total money.Fen, chosen []cards.Card) payment.Quote {
	purses := make([]payment.Purse, 0, len(chosen))
	for _, c := range chosen {
		purses = append(purses, payment.Purse{CardID: c.ID, Avail: c.Balance})
	}
	return payment.Split(total, purses)
}

// quoteTx quotes inside a transaction, from what the cards hold at this moment.
func quoteTx(tx Tx, o *Order, cardIDs []int64, now time.Time) (payment.Quote, map[int64]cards.Card, error) {
	byID := map[int64]cards.Card{}
	chosen, err := chooseCards(cardIDs, func(id int64) (cards.Card, error) {
		c, err := tx.Cards.Cards.Get(id, now)
		byID[id] = c
		return c, err
	}, o.UserID, o.payableBy())
	if err != nil {
		return payment.Quote{}, nil, err
	}
	return split(o.Total, chosen), byID, nil
}

// cardLegs are the legs that the quote's cards bear.
func cardLegs(q payment.Quote, byID map[int64]cards.Card) []payment.Leg {
	legs := make([]payment.Leg, 0, len(q.Parts)+1)
	for _, p := range q.Parts {
		c := byID[p.CardID]
		tail := c.Number[max(0, len(c.Number)-4):]
		legs = append(legs, payment.Leg{
			Kind: payment.ByCard, CardID: p.CardID, Amount: p.Amount,
			Title: fmt.Sprintf("%s(尾号%s)", c.PID.Name(), tail),
		})
	}
	return legs
}
