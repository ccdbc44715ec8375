//go:build pact

package provider_test

import (
	"fmt"
	"maps"
	"net/http"
	"time"

	"marquee/server/catalog"
	"marquee/server/providers/legacygateway"
	"marquee/server/providers/newmovie"
	"marquee/simulators/script"
)

// paymentPassword is that of every buyer with one. The pacts name it themselves, so that a wrong one can stay wrong.
const paymentPassword = "246810"

// states are the shop's, by name. What each returns is written down in contracts/README.md.
func (s *shop) states() map[string]state {
	all := map[string]state{
		"the catalogue":                     s.catalogue,
		"an unsigned call":                  func() (values, error) { return values{"unsigned": true}, nil },
		"nobody is logged in":               func() (values, error) { return values{"token": "nobody-has-this-token"}, nil },
		"a phone":                           func() (values, error) { return values{"phone": s.newPhone()}, nil },
		"a phone that was sent a code":      s.sentCode,
		"a phone that was just sent a code": s.sentCode,
		"a logged-in buyer":                 func() (values, error) { return s.buyer() },
		"a logged-in buyer with a code":     s.buyerWithCode,
		"a buyer who was sent no code for a minute": func() (values, error) {
			v, err := s.buyer()
			s.sims.Default().Clock().Advance(time.Minute)
			return v, err
		},
		"a buyer with a payment password": func() (values, error) { return s.buyer(s.password) },
		"a buyer with a card":             func() (values, error) { return s.buyer(s.password, s.card(50000)) },
		"a card that is not bound":        s.looseCard,
		"a card that somebody else has":   s.takenCard,

		"free seats of a legacy showing":          func() (values, error) { return s.legacySeats(singles(2)) },
		"free seats of a newmovie session":        func() (values, error) { return s.newSeats(singles(2)) },
		"seat 5排6座 is taken":                      s.takenLegacySeat,
		"a taken seat of a legacy showing":        s.takenLegacySeat,
		"a taken seat of a newmovie session":      s.takenNewSeat,
		"five free seats of a legacy showing":     func() (values, error) { return s.legacySeats(singles(5)) },
		"half a couples seat of a legacy showing": func() (values, error) { return s.legacySeats(halfACouple) },
		"two areas of a newmovie session":         func() (values, error) { return s.newSeats(twoAreas) },

		"an unpaid legacy order":                              s.unpaid(catalog.Legacy, 50000),
		"an unpaid newmovie order":                            s.unpaid(catalog.NewMovie, 50000),
		"an unpaid legacy order and a card with too little":   s.unpaid(catalog.Legacy, 1000),
		"an unpaid newmovie order and a card with too little": s.unpaid(catalog.NewMovie, 1000),
		"an unpaid newmovie order without a card":             s.cardless,
		"an unpaid newmovie order for the messaging app":      s.forTheApp,
		"an expired legacy order":                             s.expired,
		"an issued legacy order":                              s.issued(catalog.Legacy, "S"),
		"an issued newmovie order":                            s.issued(catalog.NewMovie, "4"),
		"a refunded legacy order":                             s.refused(catalog.Legacy, "R"),
		"a paid legacy order in the messaging app":            s.paidInApp,
		"somebody else's order":                               s.foreignOrder,

		"a login at the messaging app":              func() (values, error) { return s.oauth("", s.newOpenID()) },
		"a proven identity without a phone":         s.provenIdentity,
		"a proven identity and a phone with a code": s.identityAndCode,
		"providers that answer nonsense":            s.nonsense,
	}
	maps.Copy(all, s.cardStates())
	maps.Copy(all, s.goodsStates())
	return all
}

// gateways are clients of the simulators, to look for seats with.
func (s *shop) gateways() (*legacygateway.Client, *newmovie.Client, error) {
	k := s.sims.Default().Credentials()
	l, err := legacygateway.New(legacygateway.Config{BaseURL: s.sims.URL() + "/gateway", AppKey: k.Gateway.AppKey, Secret: k.Gateway.Secret})
	if err != nil {
		return nil, nil, err
	}
	n, err := newmovie.New(newmovie.Config{BaseURL: s.sims.URL() + "/newmovie", EntID: k.NewMovie.EntID, AppSecret: k.NewMovie.AppSecret})
	return l, n, err
}

// pickLegacy and pickNew find showings with the seats that a state needs.
func (s *shop) pickLegacy(choose choice) (catalog.Show, []catalog.Seat, error) {
	l, _, err := s.gateways()
	if err != nil {
		return catalog.Show{}, nil, err
	}
	g := &gatewayStates{target: target{now: s.sims.Default().Clock().Now}, Client: l, ctx: s.t.Context()}
	return picker{ctx: s.t.Context(), shows: g.showsFrom, seatMap: l.SeatMap}.pick(choose)
}

func (s *shop) pickNew(choose choice) (catalog.Show, []catalog.Seat, error) {
	_, n, err := s.gateways()
	if err != nil {
		return catalog.Show{}, nil, err
	}
	m := &newMovieStates{target: target{now: s.sims.Default().Clock().Now}, Client: n, ctx: s.t.Context()}
	m.find(s.t)
	return picker{ctx: s.t.Context(), shows: m.showsFrom, seatMap: n.SeatMap}.pick(choose)
}

func (s *shop) catalogue() (values, error) {
	old, _, err := s.pickLegacy(singles(2))
	if err != nil {
		return nil, err
	}
	session, _, err := s.pickNew(singles(2))
	if err != nil {
		return nil, err
	}
	return values{
		"cityid": cityID, "cityId": cityID, "cinemaid": old.CinemaID, "opiid": old.ID, "movieid": old.FilmID,
		"cinemaId": session.CinemaID, "sessionId": session.ID, "movieId": session.FilmID, "movieCode": session.FilmCode,
		"url": s.url + "/index",
	}, nil
}

// trait gives a new buyer something.
type trait func(values) error

// buyer logs a new buyer in over HTTP.
func (s *shop) buyer(traits ...trait) (values, error) {
	v, err := s.sentCode()
	if err != nil {
		return nil, err
	}
	var login struct{ Token string }
	if err := s.call("", "/Login/phoneLogin", map[string]string{"phone": v["phone"].(string), "code": v["code"].(string)}, &login); err != nil {
		return nil, err
	}
	v = values{"phone": v["phone"], "token": login.Token}
	for _, give := range traits {
		if err := give(v); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (s *shop) sentCode() (values, error) {
	phone := s.newPhone()
	if err := s.call("", "/Login/sendcode", map[string]string{"phone": phone}, nil); err != nil {
		return nil, err
	}
	code, err := s.smsCode(phone)
	return values{"phone": phone, "code": code}, err
}

func (s *shop) buyerWithCode() (values, error) {
	v, err := s.buyer()
	if err != nil {
		return nil, err
	}
	v["code"], err = s.ownCode(v)
	return v, err
}

// ownCode sends a code to the buyer's own phone, after the wait between two codes.
func (s *shop) ownCode(v values) (string, error) {
	s.sims.Default().Clock().Advance(time.Minute)
	if err := s.call(v["token"].(string), "/Member/getsendcode", nil, nil); err != nil {
		return "", err
	}
	return s.smsCode(v["phone"].(string))
}

func (s *shop) password(v values) error {
	code, err := s.ownCode(v)
	if err != nil {
		return err
	}
	return s.call(v["token"].(string), "/Member/editpassword", map[string]string{"code": code, "password": paymentPassword}, nil)
}

// card binds a new card with hundredths of a point.
func (s *shop) card(points int64) trait {
	return func(v values) error {
		number, pass, err := s.newCard(points)
		if err != nil {
			return err
		}
		var bound struct{ ID string }
		if err := s.call(v["token"].(string), "/api/api.php/Card/addbinding", map[string]string{"kahao": number, "pass": pass}, &bound); err != nil {
			return err
		}
		v["ka_ids"], v["fulika"] = bound.ID, bound.ID
		return nil
	}
}

func (s *shop) looseCard() (values, error) {
	v, err := s.buyer()
	if err != nil {
		return nil, err
	}
	number, pass, err := s.newCard(50000)
	v["kahao"], v["pass"] = number, pass
	return v, err
}

func (s *shop) takenCard() (values, error) {
	v, err := s.looseCard()
	if err != nil {
		return nil, err
	}
	other, err := s.buyer()
	if err != nil {
		return nil, err
	}
	return v, s.call(other["token"].(string), "/api/api.php/Card/addbinding", map[string]string{"kahao": v["kahao"].(string), "pass": v["pass"].(string)}, nil)
}

// nonsense makes the next call of each ticketing provider be answered by a page.
func (s *shop) nonsense() (values, error) {
	v, err := s.catalogue()
	if err != nil {
		return nil, err
	}
	for _, f := range []script.Fault{{Provider: "gateway", Operation: "*", Do: "html", Times: 1}, {Provider: "newmovie", Operation: "*", Do: "html", Times: 1}} {
		if _, err := s.sims.Default().Faults().Add(f); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// newOpenID is somebody of the messaging app whom the shop does not know.
func (s *shop) newOpenID() string { return fmt.Sprintf("oMarqueePact_%d", s.last.Add(1)) }

// oauth walks to the messaging app's login page and back as the person with the openid.
func (s *shop) oauth(token, openID string) (values, error) {
	var start struct{ URL, State string }
	if err := s.call(token, "/Login/wxlogin", map[string]string{"url": s.url + "/quickLogin"}, &start); err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, start.URL, nil)
	if err != nil {
		return nil, err
	}
	r.AddCookie(&http.Cookie{Name: "phone_openid", Value: openID})
	resp, err := s.client.Do(r)
	if err != nil {
		return nil, err
	}
	_ = resp.Body.Close()
	back, err := resp.Location()
	if err != nil {
		return nil, err
	}
	return values{"code": back.Query().Get("code"), "state": back.Query().Get("state")}, nil
}

// prove exchanges the code that the person came back with; with a token the identity is bound to that buyer.
func (s *shop) prove(token string) (values, error) {
	v, err := s.oauth(token, s.newOpenID())
	if err != nil {
		return nil, err
	}
	var proven struct {
		OpenID string `json:"openid"`
		Proof  string `json:"yz_code"`
	}
	err = s.call(token, "/Login/getopenid", map[string]string{"code": v["code"].(string), "state": v["state"].(string)}, &proven)
	return values{"openid": proven.OpenID, "yz_code": proven.Proof}, err
}

func (s *shop) provenIdentity() (values, error) { return s.prove("") }

// identity binds somebody of the messaging app to the buyer.
func (s *shop) identity(v values) error {
	proven, err := s.prove(v["token"].(string))
	v["openid"] = proven["openid"]
	return err
}

func (s *shop) identityAndCode() (values, error) {
	v, err := s.provenIdentity()
	if err != nil {
		return nil, err
	}
	sent, err := s.sentCode()
	if err != nil {
		return nil, err
	}
	v["phone"], v["code"] = sent["phone"], sent["code"]
	return v, nil
}

// refuseNextTickets makes the legacy gateway refuse the tickets that are asked for next.
func (s *shop) refuseNextTickets() error {
	_, err := s.sims.Default().Faults().Add(script.Fault{Provider: "gateway", Operation: "ticket.issue", Do: "issue-refused", Times: 1})
	return err
}
