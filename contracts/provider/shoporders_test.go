//go:build pact

package provider_test

import (
	"context"
	"maps"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/providers/legacygateway"
	"marquee/server/providers/newmovie"
)

// seatStates are new buyers and seats to lock.
func (s *shop) seatStates() map[string]func() values {
	return map[string]func() values{
		"free seats of a legacy showing":     func() values { return s.seats(catalog.Legacy, singles(2)) },
		"free seats of a newmovie session":   func() values { return s.seats(catalog.NewMovie, singles(2)) },
		"a taken seat of a legacy showing":   func() values { return s.taken(catalog.Legacy) },
		"a taken seat of a newmovie session": func() values { return s.taken(catalog.NewMovie) },
		"two areas of a newmovie session":    func() values { return s.seats(catalog.NewMovie, twoAreas) },
	}
}

// pick finds a showing of the ticketing source with the seats that a state needs.
func (s *shop) pick(source catalog.Source, choose choice) (catalog.Show, []catalog.Seat) {
	k, at := s.Sims.Default().Credentials(), target{now: s.Now}
	p := picker{ctx: s.T.Context()}
	if source == catalog.Legacy {
		client, err := legacygateway.New(legacygateway.Config{
			BaseURL: s.Sims.URL() + "/gateway", AppKey: k.Gateway.AppKey, Secret: k.Gateway.Secret,
		})
		require.NoError(s.T, err)
		p.shows, p.seatMap = (&gatewayStates{target: at, Client: client, ctx: p.ctx}).showsFrom, client.SeatMap
	} else {
		client, err := newmovie.New(newmovie.Config{
			BaseURL: s.Sims.URL() + "/newmovie", EntID: k.NewMovie.EntID, AppSecret: k.NewMovie.AppSecret,
		})
		require.NoError(s.T, err)
		states := &newMovieStates{target: at, Client: client, ctx: p.ctx}
		states.find(s.T)
		p.shows, p.seatMap = states.showsFrom, client.SeatMap
	}
	// A source may have released the seats of an order that the shop still holds.
	ofSource := p.seatMap
	p.seatMap = func(ctx context.Context, id string) (catalog.SeatMap, error) {
		m, err := ofSource(ctx, id)
		if err != nil {
			return m, err
		}
		free := map[string]bool{}
		for _, seat := range s.Catalog.Seats(showing(source, id)) {
			free[seat.ID] = seat.Free
		}
		for i := range m.Seats {
			m.Seats[i].Available = m.Seats[i].Available && free[m.Seats[i].ID]
		}
		return m, nil
	}
	show, seats, err := p.pick(choose)
	require.NoError(s.T, err)
	return show, seats
}

func showing(source catalog.Source, id string) harness.Showing {
	if source == catalog.Legacy {
		return harness.Showing{Opiid: id}
	}
	return harness.Showing{SessionID: id}
}

// moment formats a time as in the shop's answers.
func moment(t time.Time) string {
	return t.In(time.FixedZone("GMT+8", 8*60*60)).Format(time.DateTime)
}

// lockFields are the seats as fields of the source's lock form.
func lockFields(source catalog.Source, show catalog.Show, seats []catalog.Seat) values {
	var ids, names []string
	var total money.Fen
	for _, seat := range seats {
		ids, names, total = append(ids, seat.ID), append(names, seat.Name), total+seat.Price
	}
	if source == catalog.Legacy {
		return values{
			"opiid": show.ID, "seatids": strings.Join(ids, "|"), "seatnames": strings.Join(names, ","),
			"totalSettleAmount": strconv.FormatInt(int64(total), 10), "movieid": show.FilmID,
			"playtime": moment(show.Starts), "cinemaid": show.CinemaID, "key": orderNo(),
		}
	}
	return values{
		"sessionId": show.ID, "cinemaCode": show.CinemaCode, "movieCode": show.FilmCode, "hallName": show.Hall,
		"originPrice": seats[0].Price.String(), "sessionBeginTime": moment(show.Starts),
		"seatIds": strings.Join(ids, ","), "seatNames": strings.Join(names, ","), "key": orderNo(),
	}
}

// seats are a new buyer and free seats.
func (s *shop) seats(source catalog.Source, choose choice) values {
	show, seats := s.pick(source, choose)
	v := valuesOf(s.NewBuyer())
	maps.Copy(v, lockFields(source, show, seats))
	return v
}

// taken are seats that another buyer has just locked.
func (s *shop) taken(source catalog.Source) values {
	v := s.seats(source, singles(2))
	s.lock(source, s.NewBuyer().Token, v)
	v["key"] = orderNo()
	return v
}

// lockForms are the fields of each source's lock form.
var lockForms = map[catalog.Source][]string{
	catalog.Legacy: {
		"opiid", "seatids", "seatnames", "totalSettleAmount", "playtime", "movieid", "cinemaid", "key",
	},
	catalog.NewMovie: {
		"sessionId", "cinemaCode", "movieCode", "seatIds", "seatNames", "sessionBeginTime", "originPrice", "key",
	},
}

// lock posts the lock form for a session and returns the order's number.
func (s *shop) lock(source catalog.Source, token string, v values) string {
	path := "/Film/lockseat"
	if source == catalog.NewMovie {
		path = "/newmovie/seat/lock"
	}
	form := map[string]string{}
	for _, name := range lockForms[source] {
		form[name] = v.text(name)
	}
	var locked struct{ Orderid string }
	require.NoError(s.T, s.Post(token, path, form).Decode(&locked))
	return locked.Orderid
}

// orderStates are ticket orders of a buyer with a payment password, a card and an identity.
func (s *shop) orderStates() map[string]func() values {
	return map[string]func() values{
		"an unpaid legacy order": func() values {
			_, v := s.unpaid(catalog.Legacy, enough)
			return v
		},
		"an unpaid newmovie order": func() values {
			_, v := s.unpaid(catalog.NewMovie, enough)
			return v
		},
		"an unpaid legacy order and a card with too little": func() values { return s.unpaidInPart(catalog.Legacy) },
		"an unpaid newmovie order for the messaging app": func() values {
			v := s.cardless()
			return with(v, "wxprice", s.due(v))
		},
		"an expired legacy order": func() values {
			b, v := s.unpaid(catalog.Legacy, enough)
			s.AdvanceClock(16 * time.Minute)
			b.AwaitState(v.text("oid"), harness.Legacy.Expired)
			return v
		},
		"an issued legacy order":   func() values { return s.paid(catalog.Legacy, harness.Legacy.Issued) },
		"an issued newmovie order": func() values { return s.paid(catalog.NewMovie, harness.NewMovie.Issued) },
		"a refunded legacy order": func() values {
			s.PlanFault("gateway", "ticket.issue", "issue-refused")
			return s.paid(catalog.Legacy, harness.Legacy.Refunded)
		},
		"a paid legacy order in the messaging app": s.paidInApp,
		"another buyer's order": func() values {
			_, v := s.unpaid(catalog.Legacy, enough)
			maps.Copy(v, payerValues(s.NewBuyer(harness.WithCard(enough), s.withIdentity())))
			return v
		},
	}
}

func (s *shop) unpaid(source catalog.Source, points int64) (*harness.Buyer, values) {
	b := s.NewBuyer(harness.WithCard(points), s.withIdentity())
	show, seats := s.pick(source, singles(2))
	v := payerValues(b)
	no := s.lock(source, b.Token, lockFields(source, show, seats))
	v["oid"], v["id"], v["order_no"] = no, no, no
	return b, v
}

// unpaidInPart is an order of which the card leaves a part to the messaging app.
func (s *shop) unpaidInPart(source catalog.Source) values {
	_, v := s.unpaid(source, tooLittle)
	return with(v, "wxprice", s.due(v))
}

// due is the part of the order that the cards leave to the messaging app.
func (s *shop) due(v values) string {
	var quote struct{ Wxprice string }
	s.post(
		v,
		"/movie/route/Movie/pay_date",
		map[string]string{"oid": v.text("oid"), "fulika": v.text("fulika")},
		&quote,
	)
	return quote.Wxprice
}

// cardless is an order whose buyer uses no card: the fields for cards stay as in the pact.
func (s *shop) cardless() values {
	_, v := s.unpaid(catalog.NewMovie, enough)
	delete(v, "fulika")
	delete(v, "ka_ids")
	return v
}

// paid is an order that the card has paid and that has reached the state on the wire.
func (s *shop) paid(source catalog.Source, state string) values {
	b, v := s.unpaid(source, enough)
	b.PayByCards(v.text("oid"))
	b.AwaitState(v.text("oid"), state)
	return v
}

// paidInApp is an order that was paid on the phone. It waits until the order is complete, because a pending request for
// tickets would hit the fault that a later state plans.
func (s *shop) paidInApp() values {
	b, v := s.unpaid(catalog.Legacy, enough)
	var prepaid struct {
		Params struct{ Package string } `json:"jsApiParameters"`
	}
	s.post(v, "/movie/route/Movie/wxpay", map[string]string{"oid": v.text("oid"), "openid": v.text("openid")}, &prepaid)
	s.PayInApp(prepaid.Params.Package, "pay")
	b.AwaitState(v.text("oid"), harness.Legacy.Issued)
	return v
}
