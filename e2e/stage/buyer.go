package stage

import (
	"fmt"
	"net/http"
	"time"

	"github.com/stretchr/testify/require"
)

// PaymentPassword is that of every buyer with one.
const PaymentPassword = "246810"

// The people of the messaging app whom the simulators know.
const (
	BoundOpenID   = "oMarqueeDemo_bound_0001" // pays without trouble
	UnboundOpenID = "oMarqueeDemo_unbound_02" // is bound to nobody
	PoorOpenID    = "oMarqueeDemo_poor_00003" // has no money
)

// Buyer is somebody with an account and a session.
type Buyer struct {
	Phone  string
	Token  string
	OpenID string // the identity in the messaging app; "" without one
	Cards  []Card // bound, in the order of binding

	s *Stage
}

// A Trait is what a new buyer has.
type Trait func(*Buyer)

// WithCard is a buyer with a payment password and a bound card of so many hundredths of a point.
func WithCard(points int64) Trait {
	return func(b *Buyer) {
		if len(b.Cards) == 0 {
			b.SetPassword()
		}
		b.Bind(b.s.NewCard(points))
	}
}

// WithIdentity is a buyer whose account is bound to an identity of the messaging app.
func WithIdentity(openID string) Trait { return func(b *Buyer) { b.Identify(openID) } }

// NewPhone is a number nobody has.
func (s *Stage) NewPhone() string { return fmt.Sprintf("138%08d", 11_110_000+s.last.Add(1)) }

// NewBuyer logs a new buyer in over HTTP, with SMS and code, and gives them what they should have.
func (s *Stage) NewBuyer(traits ...Trait) *Buyer {
	s.T.Helper()
	return s.NewBuyerWithPhone(s.NewPhone(), traits...)
}

// NewBuyerWithPhone is NewBuyer for one of the numbers with an outcome of its own.
func (s *Stage) NewBuyerWithPhone(phone string, traits ...Trait) *Buyer {
	s.T.Helper()
	b := &Buyer{Phone: phone, s: s}
	b.must(s.call("", "/Login/sendcode", map[string]string{"phone": phone}, nil))
	var login struct{ Token string }
	b.must(s.call("", "/Login/phoneLogin", map[string]string{"phone": phone, "code": s.Code(phone)}, &login))
	b.Token = login.Token
	for _, give := range traits {
		give(b)
	}
	return b
}

func (b *Buyer) must(err error) {
	b.s.T.Helper()
	require.NoError(b.s.T, err)
}

// SetPassword gives the buyer the payment password. It lets the wait between two codes pass.
func (b *Buyer) SetPassword() {
	b.s.T.Helper()
	b.s.AdvanceClock(time.Minute)
	b.must(b.s.call(b.Token, "/Member/getsendcode", nil, nil))
	b.must(b.s.call(b.Token, "/Member/editpassword", map[string]string{"code": b.s.Code(b.Phone), "password": PaymentPassword}, nil))
}

// Bind binds a card.
func (b *Buyer) Bind(card Card) {
	b.s.T.Helper()
	b.must(b.s.call(b.Token, "/api/api.php/Card/addbinding", map[string]string{"kahao": card.Number, "pass": card.Password}, nil))
	b.Cards = append(b.Cards, card)
}

// Identify binds the buyer's account to an identity, through the messaging app's login.
func (b *Buyer) Identify(openID string) {
	b.s.T.Helper()
	var start struct{ URL string }
	b.must(b.s.call(b.Token, "/Login/wxlogin", map[string]string{"url": b.s.URL + "/quickLogin"}, &start))
	req, err := http.NewRequestWithContext(b.s.T.Context(), http.MethodGet, start.URL, nil)
	b.must(err)
	req.AddCookie(&http.Cookie{Name: "phone_openid", Value: openID})
	resp, err := b.s.client.Do(req)
	b.must(err)
	b.must(resp.Body.Close())
	back, err := resp.Location()
	b.must(err)
	query := back.Query()
	b.must(b.s.call(b.Token, "/Login/getopenid", map[string]string{"code": query.Get("code"), "state": query.Get("state")}, nil))
	b.OpenID = openID
}

// Points are what is left on the buyer's usable cards together, in hundredths.
func (b *Buyer) Points() (sum int64) {
	b.s.T.Helper()
	var cards struct {
		List []struct{ Price string } `json:"card_list"`
	}
	b.must(b.s.call(b.Token, "/movie/route/Movie/card", nil, &cards))
	for _, card := range cards.List {
		sum += hundredths(b.s.T, card.Price)
	}
	return sum
}
