package stage

import (
	"strconv"

	"github.com/stretchr/testify/require"

	"marquee/server/backoffice"
	"marquee/server/demo"
)

// NewCardOf issues a card of a type. Points are hundredths of a point, days how long it is good.
func (s *Stage) NewCardOf(pid int, points int64, days int) Card {
	s.T.Helper()
	n := s.last.Add(1)
	card := Card{Number: "80199999" + strconv.FormatInt(10_000_000+n, 10), Password: strconv.FormatInt(20_000_000+n, 10)}
	require.NoError(s.T, s.Shop.SeedDemo(s.T.Context(), []demo.Card{
		{Kahao: card.Number, Pass: card.Password, PID: pid, Points: points, ExpiresInDays: days},
	}))
	return card
}

// Coupons are the demo world's; the password is a code that binds by itself.
func (s *Stage) Coupons() (cards []Card) {
	for _, c := range s.Sims.Default().Credentials().Coupons {
		cards = append(cards, Card{c.Kahao, c.Pass})
	}
	return cards
}

// Credit puts points (12.34) on a card in the back office, and Deduct takes them off.
func (s *Stage) Credit(card Card, points, reason string) {
	s.T.Helper()
	office := s.backOffice()
	_, err := office.Cards.Recharge(s.T.Context(), s.adjustment(card, points, reason))
	require.NoError(s.T, err)
}

// Deduct is Credit's opposite.
func (s *Stage) Deduct(card Card, points, reason string) {
	s.T.Helper()
	office := s.backOffice()
	_, err := office.Cards.Deduct(s.T.Context(), s.adjustment(card, points, reason))
	require.NoError(s.T, err)
}

func (s *Stage) backOffice() *backoffice.BackOffice {
	s.T.Helper()
	office, err := s.Shop.BackOffice("e2e")
	require.NoError(s.T, err)
	return office
}

// adjustment has an idempotency key of its own.
func (s *Stage) adjustment(card Card, points, reason string) backoffice.Adjustment {
	key := "e2e" + strconv.FormatInt(s.last.Add(1), 10)
	return backoffice.Adjustment{Number: card.Number, Points: points, Days: 365, Reason: reason, Key: key}
}

// BoundCard is a card as its owner has it.
type BoundCard struct {
	ID     string
	PID    int
	Points string `json:"price"`
}

// CardOf finds one of the buyer's cards, usable or not, by its number.
func (b *Buyer) CardOf(card Card) BoundCard {
	b.s.T.Helper()
	for _, op := range []string{"lists", "nucard"} {
		var page struct {
			List []struct {
				BoundCard
				Number string `json:"num"`
			} `json:"card_list"`
		}
		b.must(b.s.call(b.Token, "/api/api.php/Card/"+op, nil, &page))
		for _, c := range page.List {
			if c.Number == card.Number {
				return c.BoundCard
			}
		}
	}
	require.Fail(b.s.T, "the buyer has no card "+card.Number)
	return BoundCard{}
}

// HasCard reports whether a card is among the buyer's.
func (b *Buyer) HasCard(card Card) bool {
	b.s.T.Helper()
	var page struct {
		List []struct {
			Number string `json:"num"`
		} `json:"card_list"`
	}
	for _, op := range []string{"lists", "nucard"} {
		b.must(b.s.call(b.Token, "/api/api.php/Card/"+op, nil, &page))
		for _, c := range page.List {
			if c.Number == card.Number {
				return true
			}
		}
	}
	return false
}

// Avatar is the address of the buyer's picture; "" without one.
func (b *Buyer) Avatar() string {
	b.s.T.Helper()
	var me struct{ Img string }
	b.must(b.s.call(b.Token, "/Member/index", nil, &me))
	return me.Img
}
