package harness

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/httpapi"
)

// PaymentPassword is the payment password of all buyers.
const PaymentPassword = "246810"

// Identities of the messaging app that the simulators know.
const (
	BoundOpenID   = "oMarqueeDemo_bound_0001" // pays every order
	UnboundOpenID = "oMarqueeDemo_unbound_02" // is bound to no account
	PoorOpenID    = "oMarqueeDemo_poor_00003" // has no money
)

// Buyer has an account and a session. Calls are made over HTTP, and an error ends the test.
type Buyer struct {
	Phone  string
	Token  string
	UID    string
	OpenID string // the identity in the messaging app; "" without one
	Cards  []Card // in the order in which they were bound

	s *Stack
}

// Trait gives something to a new buyer, such as a card.
type Trait func(*Buyer)

// WithPassword gives the buyer a payment password.
func WithPassword() Trait { return (*Buyer).SetPassword }

// WithCard gives the buyer a payment password and a card. Points are hundredths of a point.
func WithCard(points int64) Trait {
	return func(b *Buyer) {
		if len(b.Cards) == 0 {
			b.SetPassword()
		}
		b.Bind(b.s.Backoffice.NewCard(points))
	}
}

// WithIdentity binds the buyer's account to an identity of the messaging app.
func WithIdentity(openID string) Trait { return func(b *Buyer) { b.Identify(openID) } }

// NewPhone is a phone number that no account has.
func (s *Stack) NewPhone() string { return fmt.Sprintf("138%08d", 11_110_000+s.last.Add(1)) }

// NewBuyer logs in a new buyer, by SMS and code, and gives the buyer the traits.
func (s *Stack) NewBuyer(traits ...Trait) *Buyer {
	b := &Buyer{Phone: s.NewPhone(), s: s}
	b.Post("/Login/sendcode", map[string]string{"phone": b.Phone}, nil)
	var login httpapi.LoginResult
	b.Post("/Login/phoneLogin", map[string]string{"phone": b.Phone, "code": s.Code(b.Phone)}, &login)
	b.Token, b.UID = login.Token, login.UID
	for _, give := range traits {
		give(b)
	}
	return b
}

// Post posts a form with the buyer's token and decodes the data of the answer into the value, which may be nil.
func (b *Buyer) Post(path string, fields map[string]string, into any) {
	b.s.call(b.Token, path, fields, into)
}

// ByLink returns the same buyer with another session: the one that a link with the buyer's token opens.
func (b *Buyer) ByLink() *Buyer {
	linked := *b
	var login httpapi.LoginResult
	b.s.call("", "/Login/linkLogin", map[string]string{"token": b.Token}, &login)
	linked.Token = login.Token
	return &linked
}

// SetPassword sets the payment password. It first advances the clock by the minute that must pass between two codes.
func (b *Buyer) SetPassword() {
	b.s.AdvanceClock(time.Minute)
	b.Post("/Member/getsendcode", nil, nil)
	b.Post("/Member/editpassword", map[string]string{"code": b.s.Code(b.Phone), "password": PaymentPassword}, nil)
}

// Bind binds a card.
func (b *Buyer) Bind(card Card) {
	b.Post("/api/api.php/Card/addbinding", map[string]string{"kahao": card.Number, "pass": card.Password}, nil)
	b.Cards = append(b.Cards, card)
}

// Identify binds the buyer's account to an identity.
func (b *Buyer) Identify(openID string) {
	b.s.ProveIdentity(b.Token, openID)
	b.OpenID = openID
}

// Points is the sum of the buyer's usable cards, in hundredths of a point.
func (b *Buyer) Points() (sum int64) {
	var cards httpapi.CardList
	b.Post("/movie/route/Movie/card", nil, &cards)
	for _, card := range cards.List {
		sum += hundredths(b.s.T, card.Points)
	}
	return sum
}

// hundredths parses an amount with two decimals.
func hundredths(t *testing.T, amount string) int64 {
	n, err := strconv.ParseInt(strings.Replace(amount, ".", "", 1), 10, 64)
	require.NoError(t, err, "%s does not have two decimals", amount)
	return n
}

// boundCards are a buyer's cards, usable or not.
func boundCards(b *Buyer) (all []httpapi.Card) {
	for _, list := range []string{"lists", "nucard"} {
		var page httpapi.CardList
		b.Post("/api/api.php/Card/"+list, nil, &page)
		all = append(all, page.List...)
	}
	return all
}

// CardOf returns one of the buyer's cards, usable or not.
func (b *Buyer) CardOf(card Card) httpapi.Card {
	for _, c := range boundCards(b) {
		if c.Number == card.Number {
			return c
		}
	}
	require.Fail(b.s.T, "the buyer does not have the card "+card.Number)
	return httpapi.Card{}
}

// HasCard reports whether the buyer has a card, usable or not.
func (b *Buyer) HasCard(card Card) bool {
	for _, c := range boundCards(b) {
		if c.Number == card.Number {
			return true
		}
	}
	return false
}

// Picture fetches the buyer's picture.
func (b *Buyer) Picture() []byte {
	resp, err := http.Get(b.s.URL + b.Avatar())
	require.NoError(b.s.T, err)
	defer resp.Body.Close()
	picture, err := io.ReadAll(resp.Body)
	require.NoError(b.s.T, err)
	return picture
}

// Avatar is the address of the buyer's picture; "" without one.
func (b *Buyer) Avatar() string {
	var me httpapi.BuyerPage
	b.Post("/Member/index", nil, &me)
	return me.Img
}
