//go:build pact

package provider_test

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"time"

	"marquee/server/catalog"
	"marquee/server/money"
)

// moment is a time as the shop's answers show it.
func moment(t time.Time) string {
	return t.In(time.FixedZone("GMT+8", 8*60*60)).Format(time.DateTime)
}

// legacyFields are seats of the legacy source in the words of the lock's form.
func legacyFields(show catalog.Show, seats []catalog.Seat) values {
	var ids, names []string
	var total money.Fen
	for _, seat := range seats {
		ids, names, total = append(ids, seat.ID), append(names, seat.Name), total+seat.Price
	}
	return values{
		"opiid": show.ID, "seatids": strings.Join(ids, "|"), "seatnames": strings.Join(names, ","), "totalSettleAmount": strconv.FormatInt(int64(total), 10),
		"movieid": show.FilmID, "playtime": moment(show.Starts), "cinemaid": show.CinemaID, "key": orderNo(),
	}
}

func newFields(show catalog.Show, seats []catalog.Seat) values {
	var ids, names []string
	for _, seat := range seats {
		ids, names = append(ids, seat.ID), append(names, seat.Name)
	}
	return values{
		"sessionId": show.ID, "cinemaCode": show.CinemaCode, "movieCode": show.FilmCode, "hallName": show.Hall, "originPrice": seats[0].Price.String(),
		"sessionBeginTime": moment(show.Starts),
		"seatIds":          strings.Join(ids, ","), "seatNames": strings.Join(names, ","), "key": orderNo(),
	}
}

// legacySeats are a new buyer and seats to lock.
func (s *shop) legacySeats(choose choice) (values, error) {
	show, seats, err := s.pickLegacy(choose)
	if err != nil {
		return nil, err
	}
	v, err := s.buyer()
	maps.Copy(v, legacyFields(show, seats))
	return v, err
}

func (s *shop) newSeats(choose choice) (values, error) {
	show, seats, err := s.pickNew(choose)
	if err != nil {
		return nil, err
	}
	v, err := s.buyer()
	maps.Copy(v, newFields(show, seats))
	return v, err
}

// lock sends the lock's form for the buyer.
func (s *shop) lock(source catalog.Source, token string, v values) (string, error) {
	path, names := "/Film/lockseat", []string{"opiid", "seatids", "seatnames", "totalSettleAmount", "playtime", "movieid", "cinemaid", "key"}
	if source == catalog.NewMovie {
		path, names = "/newmovie/seat/lock", []string{"sessionId", "cinemaCode", "movieCode", "seatIds", "seatNames", "sessionBeginTime", "originPrice", "key"}
	}
	form := map[string]string{}
	for _, name := range names {
		form[name] = v[name].(string)
	}
	var locked struct{ Orderid string }
	err := s.call(token, path, form, &locked)
	return locked.Orderid, err
}

// taken are seats that somebody else has locked a moment ago.
func (s *shop) taken(source catalog.Source, v values, err error) (values, error) {
	if err != nil {
		return nil, err
	}
	other, err := s.buyer()
	if err != nil {
		return nil, err
	}
	if _, err = s.lock(source, other["token"].(string), v); err != nil {
		return nil, err
	}
	v["key"] = orderNo()
	return v, nil
}

func (s *shop) takenLegacySeat() (values, error) {
	v, err := s.legacySeats(singles(2))
	return s.taken(catalog.Legacy, v, err)
}

func (s *shop) takenNewSeat() (values, error) {
	v, err := s.newSeats(singles(2))
	return s.taken(catalog.NewMovie, v, err)
}

// unpaid is an order of a buyer with a payment password, a card with hundredths of a point, and an identity in the
// messaging app.
func (s *shop) unpaid(source catalog.Source, points int64) state {
	return func() (values, error) {
		v, err := s.buyer(s.password, s.card(points), s.identity)
		if err != nil {
			return nil, err
		}
		pick, fields := s.pickLegacy, legacyFields
		if source == catalog.NewMovie {
			pick, fields = s.pickNew, newFields
		}
		show, seats, err := pick(singles(2))
		if err != nil {
			return nil, err
		}
		no, err := s.lock(source, v["token"].(string), fields(show, seats))
		if err != nil {
			return nil, err
		}
		v["oid"], v["id"], v["order_no"] = no, no, no
		if points < 5000 { // the card leaves a rest to the messaging app
			v["wxprice"], err = s.due(v, v["fulika"].(string))
		}
		return v, err
	}
}

// due is what the messaging app has to pay of the order when the cards pay their part.
func (s *shop) due(v values, cards string) (string, error) {
	var quote struct{ Wxprice string }
	err := s.call(v["token"].(string), "/movie/route/Movie/pay_date", map[string]string{"oid": v["oid"].(string), "fulika": cards}, &quote)
	return quote.Wxprice, err
}

// cardless is an order whose buyer uses no card: the fields for cards stay as the pact has them.
func (s *shop) cardless() (values, error) {
	v, err := s.unpaid(catalog.NewMovie, 50000)()
	delete(v, "fulika")
	delete(v, "ka_ids")
	return v, err
}

func (s *shop) forTheApp() (values, error) {
	v, err := s.cardless()
	if err != nil {
		return nil, err
	}
	v["wxprice"], err = s.due(v, "")
	return v, err
}

func (s *shop) expired() (values, error) {
	v, err := s.unpaid(catalog.Legacy, 50000)()
	if err != nil {
		return nil, err
	}
	s.sims.Default().Clock().Advance(16 * time.Minute)
	return v, s.reaches(v, "E")
}

// status reads the order's state on the wire.
func (s *shop) status(v values) (string, error) {
	var shown struct {
		Order struct{ Orderstatus any } `json:"order_show"`
	}
	err := s.call(v["token"].(string), "/Dyorder/show", map[string]string{"id": v["id"].(string)}, &shown)
	return fmt.Sprint(shown.Order.Orderstatus), err
}

// reaches lets business time pass until the order is in the state.
func (s *shop) reaches(v values, want string) error {
	return poll(nil, func() (bool, error) {
		got, err := s.status(v)
		if err == nil && got != want {
			s.sims.Default().Clock().Advance(2 * time.Second)
		}
		return got == want, err
	})
}

func (s *shop) payWithCard(v values) error {
	return s.call(v["token"].(string), "/movie/route/Movie/flkpay", map[string]string{
		"oid": v["oid"].(string), "ka_ids": v["ka_ids"].(string), "pass": paymentPassword,
	}, nil)
}

func (s *shop) issued(source catalog.Source, wire string) state {
	return func() (values, error) {
		v, err := s.unpaid(source, 50000)()
		if err != nil {
			return nil, err
		}
		if err := s.payWithCard(v); err != nil {
			return nil, err
		}
		return v, s.reaches(v, wire)
	}
}

// refused is an order whose tickets the provider refused, with everything paid back.
func (s *shop) refused(source catalog.Source, wire string) state {
	return func() (values, error) {
		v, err := s.unpaid(source, 50000)()
		if err != nil {
			return nil, err
		}
		if err := s.refuseNextTickets(); err != nil {
			return nil, err
		}
		if err := s.payWithCard(v); err != nil {
			return nil, err
		}
		return v, s.reaches(v, wire)
	}
}

// paidInApp is an order that the phone has paid, though the shop may not have been told yet.
func (s *shop) paidInApp() (values, error) {
	v, err := s.unpaid(catalog.Legacy, 50000)()
	if err != nil {
		return nil, err
	}
	var prepaid struct {
		Params struct{ Package string } `json:"jsApiParameters"`
	}
	err = s.call(v["token"].(string), "/movie/route/Movie/wxpay", map[string]string{"oid": v["oid"].(string), "openid": v["openid"].(string)}, &prepaid)
	if err != nil {
		return nil, err
	}
	return v, s.payOnPhone(prepaid.Params.Package)
}

// foreignOrder is a buyer, and the unpaid order of another.
func (s *shop) foreignOrder() (values, error) {
	v, err := s.unpaid(catalog.Legacy, 50000)()
	if err != nil {
		return nil, err
	}
	other, err := s.buyer(s.password, s.card(50000), s.identity)
	maps.Copy(v, other)
	return v, err
}
