//go:build pact

package provider_test

import (
	"maps"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/catalog"
)

// states returns the functions that set the shop's states, by name.
func (s *shop) states() map[string]state {
	all := map[string]state{}
	for _, group := range []map[string]func() values{
		s.accountStates(), s.cardStates(), s.seatStates(), s.orderStates(), s.goodsStates(),
	} {
		for name, set := range group {
			all[name] = s.state(set)
		}
	}
	return all
}

// accountStates are those of the catalogue, of buyers and of identities.
func (s *shop) accountStates() map[string]func() values {
	return map[string]func() values{
		"the catalogue":                     s.catalogue,
		"no session":                        func() values { return values{"token": "a-token-of-no-session"} },
		"a phone":                           func() values { return values{"phone": s.NewPhone()} },
		"a phone that was sent a code":      s.sentCode,
		"a phone that was just sent a code": s.sentCode,
		"a logged-in buyer":                 func() values { return valuesOf(s.NewBuyer()) },
		"a logged-in buyer with a code": func() values {
			b := s.NewBuyer()
			s.AdvanceClock(time.Minute) // the wait between two codes
			b.Post("/Member/getsendcode", nil, nil)
			return with(valuesOf(b), "code", s.Code(b.Phone))
		},
		"a buyer who was sent no code for a minute": func() values {
			b := s.NewBuyer()
			s.AdvanceClock(time.Minute)
			return valuesOf(b)
		},
		"a logged-in buyer and a new phone": func() values {
			b := s.NewBuyer()
			s.AdvanceClock(time.Minute)
			return with(valuesOf(b), "phone", s.NewPhone())
		},
		"a buyer with codes to both phones": func() values {
			b, phone := s.NewBuyer(), s.NewPhone()
			v := with(valuesOf(b), "code", s.codeFor(b, "safety"))
			b.Post("/Member/newphonecode", map[string]string{"phone": phone}, nil)
			return with(with(v, "phone", phone), "newcode", s.Code(phone))
		},
		"a buyer with a code for safety": func() values {
			b := s.NewBuyer()
			return with(valuesOf(b), "code", s.codeFor(b, "safety"))
		},
		"a buyer with a code for closing": func() values {
			b := s.NewBuyer()
			return with(valuesOf(b), "code", s.codeFor(b, "closing"))
		},
		"a buyer with an identity and a code for safety": func() values {
			b := s.NewBuyer()
			s.bindByCode(b)
			return with(valuesOf(b), "code", s.codeFor(b, "safety"))
		},
		"a buyer with an identity and two sessions": func() values {
			b := s.NewBuyer(s.withIdentity())
			b.ByLink()
			return with(valuesOf(b), "id", s.otherSession(b))
		},
		"a page to be signed": func() values { return with(valuesOf(s.NewBuyer()), "url", s.URL+"/bindingCard") },
		"a login link":        func() values { return values{"token": s.NewBuyer().Token} },
		"a session by link with a code": func() values {
			b := s.NewBuyer().ByLink()
			return with(valuesOf(b), "code", s.codeFor(b, "session"))
		},
		"a login at the messaging app": func() values {
			way := s.LogInAtApp("", s.newOpenID())
			return values{"code": way.Code, "state": way.State}
		},
		"a proven identity without a phone": s.provenIdentity,
		"a proven identity and a phone with a code": func() values {
			v := s.provenIdentity()
			maps.Copy(v, s.sentCode())
			return v
		},
		"a dormant account and a code": s.dormantAccount,
		"a session with limited access": func() values {
			v := s.dormantAccount()
			var login struct{ Token string }
			form := map[string]string{"phone": v["phone"].(string), "code": v["code"].(string)}
			require.NoError(s.T, s.aged.Post("", "/Login/phoneLogin", form).Decode(&login))
			return with(v, "token", login.Token)
		},
	}
}

// dormantAccount is an account with a payment password whose phone was last proven 100 days ago, at the aged shop.
func (s *shop) dormantAccount() values {
	b := s.aged.NewBuyer(harness.WithPassword())
	s.aged.AdvanceClock(100 * 24 * time.Hour)
	require.NoError(s.T, s.aged.Post("", "/Login/sendcode", map[string]string{"phone": b.Phone}).Decode(nil))
	return values{"aged": true, "phone": b.Phone, "code": s.aged.Code(b.Phone)}
}

// valuesOf are the values that identify a buyer.
func valuesOf(b *harness.Buyer) values {
	v := values{"phone": b.Phone, "token": b.Token}
	if b.OpenID != "" {
		v["openid"] = b.OpenID
	}
	return v
}

// payerValues are valuesOf, and the buyer's first card under its name in payments.
func payerValues(b *harness.Buyer) values {
	v := valuesOf(b)
	if len(b.Cards) > 0 {
		v["ka_ids"] = b.CardOf(b.Cards[0]).ID
		v["fulika"] = v["ka_ids"]
	}
	return v
}

func with(v values, name, value string) values {
	v[name] = value
	return v
}

func (s *shop) sentCode() values {
	phone := s.NewPhone()
	require.NoError(s.T, s.Post("", "/Login/sendcode", map[string]string{"phone": phone}).Decode(nil))
	return values{"phone": phone, "code": s.Code(phone)}
}

// newOpenID is an identity of the messaging app that the shop does not know.
func (s *shop) newOpenID() string { return "oMarqueePact_" + s.NewPhone() }

// withIdentity binds a new identity to a buyer.
func (s *shop) withIdentity() harness.Trait { return harness.WithIdentity(s.newOpenID()) }

// bindByCode binds a new identity to a buyer. A code to the buyer's phone confirms the identity.
func (s *shop) bindByCode(b *harness.Buyer) {
	v := s.provenIdentity()
	s.AdvanceClock(time.Minute)
	b.Post("/Login/sendcode", map[string]string{"phone": b.Phone}, nil)
	s.Client.Post("", "/Login/wxbindingPhone", map[string]string{
		"phone": b.Phone, "code": s.Code(b.Phone), "openid": v["openid"].(string), "yz_code": v["yz_code"].(string),
	})
}

// codeFor sends a code for the purpose to the buyer's phone, and returns it.
func (s *shop) codeFor(b *harness.Buyer, purpose string) string {
	s.AdvanceClock(time.Minute)
	b.Post("/Member/securitycode", map[string]string{"purpose": purpose}, nil)
	return s.Code(b.Phone)
}

// otherSession returns the id of a session of the buyer that is not the current one.
func (s *shop) otherSession(b *harness.Buyer) string {
	var open struct {
		Sessions []struct {
			ID      string
			Current bool
		}
	}
	b.Post("/Member/sessions", nil, &open)
	for _, listed := range open.Sessions {
		if !listed.Current {
			return listed.ID
		}
	}
	s.T.Fatal("the buyer has one session only")
	return ""
}

func (s *shop) provenIdentity() values {
	openID := s.newOpenID()
	return values{"openid": openID, "yz_code": s.ProveIdentity("", openID)}
}

func (s *shop) catalogue() values {
	old, _ := s.pick(catalog.Legacy, singles(2))
	session, _ := s.pick(catalog.NewMovie, singles(2))
	return values{
		"cityid": cityID, "cityId": cityID, "cinemaid": old.CinemaID, "opiid": old.ID, "movieid": old.FilmID,
		"cinemaId": session.CinemaID, "sessionId": session.ID, "movieId": session.FilmID, "movieCode": session.FilmCode,
		"url": s.URL + "/index",
	}
}

// Hundredths of a point on a card: enough pays for every order, tooLittle for none.
const (
	enough    = 500_00
	tooLittle = 10_00
)

// cardStates are those of welfare cards. On the wire the id of a card has three names.
func (s *shop) cardStates() map[string]func() values {
	return map[string]func() values{
		"a buyer with a card": func() values { return payerValues(s.NewBuyer(harness.WithCard(enough))) },
		"a card that is not bound": func() values {
			v := valuesOf(s.NewBuyer())
			card := s.Backoffice.NewCard(enough)
			v["kahao"], v["pass"] = card.Number, card.Password
			return v
		},
		"a card of the buyer": func() values {
			_, v := s.shownCard(enough, s.withIdentity())
			return v
		},
		"an empty card of the buyer": func() values {
			card, v := s.shownCard(1_00)
			s.Backoffice.Deduct(card, "1.00", reason)
			return v
		},
		"a card with records": func() values {
			card, v := s.shownCard(enough)
			s.record(card)
			return v
		},
		"two cards of a type": func() values { _, v := s.twoCards(harness.SuperCard, harness.SuperCard); return v },
		"two cards whose merge was shown": func() values {
			_, v := s.mergeShown()
			return v
		},
		"a card that can be scanned": func() values {
			card := s.Backoffice.NewCard(enough)
			return with(valuesOf(s.NewBuyer()), "content", card.Number+":"+card.Password)
		},
		"a recharge paid in the messaging app": func() values {
			v, prepayID := s.recharge()
			s.PayInApp(prepayID, "pay")
			return v
		},
		"a recharge that waits for its money": func() values {
			v, _ := s.recharge()
			return v
		},
	}
}

const reason = "契约测试"

// shownCard is a card of a new buyer. The values have the id of the card under its names in the calls of the card's
// page.
func (s *shop) shownCard(points int64, traits ...harness.Trait) (harness.Card, values) {
	b := s.NewBuyer(traits...)
	card := s.Backoffice.NewCard(points)
	b.Bind(card)
	v := valuesOf(b)
	id := b.CardOf(card).ID
	v["khid"], v["kid"], v["card_id"] = id, id, id
	return card, v
}

// record changes a card's points twice in the back office.
func (s *shop) record(card harness.Card) {
	s.Backoffice.Credit(card, "12.34", reason)
	s.Backoffice.Deduct(card, "2.00", reason)
}

// twoCards are a buyer's cards of 300 and 20.5 points. The first is returned.
func (s *shop) twoCards(first, second int) (harness.Card, values) {
	b := s.NewBuyer()
	var ids []string
	for _, card := range []harness.Card{
		s.Backoffice.NewCardOf(first, 300_00, 365), s.Backoffice.NewCardOf(second, 20_50, 365),
	} {
		b.Bind(card)
		ids = append(ids, b.CardOf(card).ID)
	}
	return b.Cards[0], with(valuesOf(b), "fulika", strings.Join(ids, ","))
}

// mergeShown fetches the preview of a merge of two cards, with the code that confirms it.
func (s *shop) mergeShown() (harness.Card, values) {
	card, v := s.twoCards(harness.SuperCard, harness.SuperCard)
	var check struct{ Code string }
	s.post(v, "/api/api.php/Card/checkmergecards", map[string]string{"fulika": v.text("fulika"), "pid": "1"}, &check)
	return card, with(v, "code", check.Code)
}

// recharge is an unpaid order for points, and its prepay id.
func (s *shop) recharge() (v values, prepayID string) {
	_, v = s.shownCard(enough, s.withIdentity())
	var prepaid struct {
		Params  struct{ Package string } `json:"jsApiParameters"`
		OrderNo string                   `json:"order_no"`
	}
	s.post(v, "/api/api.php/Card/czwxpay", map[string]string{
		"card_id": v.text("card_id"), "num": "12.34", "openid": v.text("openid"),
	}, &prepaid)
	return with(v, "order_no", prepaid.OrderNo), prepaid.Params.Package
}

// post posts a form for the buyer of the values and decodes the data of the answer.
func (s *shop) post(v values, path string, fields map[string]string, into any) {
	require.NoError(s.T, s.Post(v.text("token"), path, fields).Decode(into))
}

// text is a value that is a string; "" if the state does not return it.
func (v values) text(name string) string {
	text, _ := v[name].(string)
	return text
}
