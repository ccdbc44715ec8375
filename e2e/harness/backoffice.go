package harness

import (
	"strconv"

	"github.com/stretchr/testify/require"

	"marquee/server/backoffice"
	"marquee/server/demo"
)

// Card is a welfare card as it is printed.
type Card struct{ Number, Password string }

// Backoffice performs operations of the shop's operator. If one fails, the test ends.
type Backoffice struct{ s *Stack }

// Types of welfare cards.
const (
	SuperCard = 1
	FilmCard  = 3
)

// NewCard issues a card of the type SuperCard that is valid for a year. Points are hundredths of a point.
func (o Backoffice) NewCard(points int64) Card { return o.NewCardOf(SuperCard, points, 365) }

// NewCardOf issues a card of a type that is valid for a number of days. Points are hundredths of a point.
func (o Backoffice) NewCardOf(pid int, points int64, days int) Card {
	n := o.s.last.Add(1)
	card := Card{
		Number: "80199999" + strconv.FormatInt(10_000_000+n, 10), Password: strconv.FormatInt(20_000_000+n, 10),
	}
	require.NoError(o.s.T, o.s.Shop.SeedDemo(o.s.T.Context(), []demo.Card{
		{Kahao: card.Number, Pass: card.Password, PID: pid, Points: points, ExpiresInDays: days},
	}))
	return card
}

// DemoCards are the welfare cards of the demo data, of all types.
func (o Backoffice) DemoCards() (cards []Card) {
	for _, c := range o.s.Sims.Default().Credentials().Cards {
		cards = append(cards, Card{c.Kahao, c.Pass})
	}
	return cards
}

// Coupons are the coupons of the demo data. The password of a coupon is a code that binds it without the number.
func (o Backoffice) Coupons() (cards []Card) {
	for _, c := range o.s.Sims.Default().Credentials().Coupons {
		cards = append(cards, Card{c.Kahao, c.Pass})
	}
	return cards
}

// Credit adds points (12.34) to a card.
func (o Backoffice) Credit(card Card, points, reason string) {
	_, err := o.office().Cards.Recharge(o.s.T.Context(), o.adjustment(card, points, reason))
	require.NoError(o.s.T, err)
}

// Deduct removes points (12.34) from a card.
func (o Backoffice) Deduct(card Card, points, reason string) {
	_, err := o.office().Cards.Deduct(o.s.T.Context(), o.adjustment(card, points, reason))
	require.NoError(o.s.T, err)
}

// Freeze makes a card unusable.
func (o Backoffice) Freeze(card Card, reason string) {
	require.NoError(o.s.T, o.office().Cards.Freeze(o.s.T.Context(), card.Number, reason))
}

func (o Backoffice) office() *backoffice.BackOffice {
	office, err := o.s.Shop.BackOffice("tests")
	require.NoError(o.s.T, err)
	return office
}

// adjustment returns an adjustment with a new idempotency key.
func (o Backoffice) adjustment(card Card, points, reason string) backoffice.Adjustment {
	key := "tests" + strconv.FormatInt(o.s.last.Add(1), 10)
	return backoffice.Adjustment{Number: card.Number, Points: points, Days: 365, Reason: reason, Key: key}
}

// CountStock records the result of a stock count: how many pieces of a specification there are, including those that
// orders hold. sku is the code of the specification in the demo data, such as "phone-1".
func (o Backoffice) CountStock(sku string, pieces int) {
	_, err := o.s.Shop.Goods().CountStock(o.s.T.Context(), sku, pieces, "tests")
	require.NoError(o.s.T, err)
}
