package app_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/simulators/faults"
)

// shanghai is the division code of the city in which the tests buy.
const shanghai = "310100"

type cinema struct {
	Flag int    `json:"flag"`
	ID1  string `json:"cinemaid1"`
	ID2  string `json:"cinemaid2"`
}

type orderAnswer struct {
	ID       string `json:"id"`
	Type     int    `json:"type"`
	Status   any    `json:"orderstatus"`
	Amount   string `json:"showamount"`
	Seats    string `json:"seats"`
	Code     string `json:"ticketCode"`
	Expires  int64  `json:"expiretime"`
	Quantity int    `json:"quantity"`
	Codes    []struct {
		Name, Code string
	} `json:"ticketcodeList"`
	Address string `json:"cinemaaddress"`
	Cinema  string `json:"cinemaname"`
	Film    string `json:"moviename"`
}

// source is one of the two ticketing sources, with the order states that its calls show.
type source struct {
	name    string
	flag    int
	lock    func(b *buyer, skip int) string // locks two free seats and returns the order number
	pending any
	issued  any
	failed  any // refunded
}

var sources = []source{
	{"legacy", 1, lockLegacy, "N", "S", "R"},
	{"newmovie", 2, lockNewMovie, float64(0), float64(4), float64(7)},
}

// cinemaOf returns the first cinema of a source in the city.
func (b *buyer) cinemaOf(flag int) cinema {
	b.T.Helper()
	return b.cinemasOf(flag)[0]
}

// cinemasOf returns the cinemas of a source in the city.
func (b *buyer) cinemasOf(flag int) (of []cinema) {
	b.T.Helper()
	page := dataOf[struct {
		Cinemas []cinema `json:"yingyuan"`
	}](b.T, b.call("/movie/route/Movie/cinema", params{"cityid": shanghai}))
	for _, c := range page.Cinemas {
		if c.Flag == flag {
			of = append(of, c)
		}
	}
	require.NotEmpty(b.T, of, "no cinema of source %d in the city", flag)
	return of
}

// legacyShowingTomorrow returns a showing of tomorrow without price areas, with room, and its seats.
func (b *buyer) legacyShowingTomorrow() (opiid string, seats []legacySeat) {
	b.T.Helper()
	shows := dataOf[struct {
		Dates []string
		List  []struct {
			ID, Playdate, AreaPrice string
			Opiid                   string
		} `json:"opiList"`
	}](b.T, b.call("/movie/route", params{"method": "opi.list.v2", "cinemaid": b.cinemaOf(1).ID1}))
	tomorrow := b.Now().Add(24 * time.Hour).In(time.FixedZone("", 8*3600)).Format(time.DateOnly)
	for _, s := range shows.List {
		if s.Playdate == tomorrow && s.AreaPrice == "" {
			hall := dataOf[struct {
				Seats []legacySeat `json:"seatList"`
			}](b.T, b.call("/movie/route", params{"method": "opi.seat", "opiid": s.Opiid}))
			free := 0
			for _, seat := range hall.Seats {
				if seat.Status == 1 && seat.Flag == 0 {
					free++
				}
			}
			if free >= roomy {
				return s.Opiid, hall.Seats
			}
		}
	}
	b.T.Fatal("no showing tomorrow with room")
	return "", nil
}

// legacyLockForm fills the form of a lock with the film, the time and the price of the seat map.
func (b *buyer) legacyLockForm(opiid string, seats ...string) params {
	b.T.Helper()
	hall := dataOf[struct {
		Opi struct {
			Movieid, Playtime string
			Price             int
		}
	}](b.T, b.call("/movie/route", params{"method": "opi.seat", "opiid": opiid}))
	return params{
		"opiid": opiid, "seatids": strings.Join(seats,
			"|"), "totalSettleAmount": strconv.Itoa(hall.Opi.Price * len(seats)),
		"movieid": hall.Opi.Movieid, "playtime": hall.Opi.Playtime,
	}
}

type legacySeat struct {
	ID     string `json:"seatid"`
	Name   string `json:"name"`
	Area   string `json:"area"`
	Status int    `json:"status"`
	Flag   int    `json:"flag"`
}

// lockLegacy locks two free seats after skipping some, and returns the order number.
func lockLegacy(b *buyer, skip int) string {
	b.T.Helper()
	opiid, seats := b.legacyShowingTomorrow()
	var ids []string
	for _, s := range seats {
		if s.Status != 1 || s.Flag != 0 {
			continue
		}
		if skip--; skip < 0 {
			ids = append(ids, s.ID)
		}
		if len(ids) == 2 {
			break
		}
	}
	require.Len(b.T, ids, 2)
	return orderNo(b.T, b.call("/Film/lockseat", b.legacyLockForm(opiid, ids...)))
}

type newmovieSeat struct {
	State int    `json:"state"`
	Type  int    `json:"type"`
	Area  string `json:"areaId"`
	ID    string `json:"originSeatID"`
	Name  string `json:"seatName"`
}

// ordinary reports whether the seat is free and not half of a couple seat.
func (s newmovieSeat) ordinary() bool {
	return s.Type == 1 && (s.State == -1 || s.State == 1 || s.State == 10 || s.State == 11)
}

// roomy is how many free ordinary seats a showing of the tests must have; how many are sold already depends on the day.
const roomy = 16

// newmovieSessionTomorrow returns a session of tomorrow without price areas, with room, and its seats.
func (b *buyer) newmovieSessionTomorrow() (id string, seats []newmovieSeat) {
	b.T.Helper()
	return b.newmovieSessionWith(func(seats []newmovieSeat) bool {
		free := 0
		for _, s := range seats {
			if s.ordinary() && s.Area == "" {
				free++
			}
		}
		return free >= roomy
	})
}

// newmovieSessionWith returns the first session of tomorrow in the city whose seats fit, and its seats.
func (b *buyer) newmovieSessionWith(fit func(seats []newmovieSeat) bool) (id string, seats []newmovieSeat) {
	b.T.Helper()
	tomorrow := b.Now().Add(24 * time.Hour).In(time.FixedZone("", 8*3600)).Format(time.DateOnly)
	for _, c := range b.cinemasOf(2) {
		shows := dataOf[struct {
			Movies []struct {
				Shows []struct {
					Date     string `json:"showDate"`
					Sessions []struct {
						ID       string `json:"sessionId"`
						Sellable bool   `json:"sellable"`
					} `json:"sessions"`
				} `json:"shows"`
			} `json:"movies"`
		}](b.T, b.get("/newmovie/api/movie/cinema_shows?cinemaId="+c.ID2))
		for _, m := range shows.Movies {
			for _, d := range m.Shows {
				if d.Date != tomorrow {
					continue
				}
				for _, session := range d.Sessions {
					if !session.Sellable {
						continue
					}
					if seats := b.newmovieSeats(session.ID); fit(seats) {
						return session.ID, seats
					}
				}
			}
		}
	}
	b.T.Fatal("no session of tomorrow fits")
	return "", nil
}

// newmovieSeats returns the seats of a session, row by row.
func (b *buyer) newmovieSeats(session string) (seats []newmovieSeat) {
	b.T.Helper()
	hall := dataOf[struct {
		Rows []struct {
			Columns []newmovieSeat `json:"columns"`
		} `json:"rows"`
	}](b.T, b.call("/newmovie/seat/map", params{"sessionId": session}))
	for _, r := range hall.Rows {
		seats = append(seats, r.Columns...)
	}
	return seats
}

// lockNewMovie locks two free ordinary seats of one area after skipping some, and returns the order number.
func lockNewMovie(b *buyer, skip int) string {
	b.T.Helper()
	id, seats := b.newmovieSessionTomorrow()
	var ids []string
	area := ""
	for _, s := range seats {
		if !s.ordinary() || (len(ids) > 0 && s.Area != area) {
			continue
		}
		if skip--; skip < 0 {
			ids, area = append(ids, s.ID), s.Area
		}
		if len(ids) == 2 {
			break
		}
	}
	require.Len(b.T, ids, 2)
	return orderNo(b.T, b.call("/newmovie/seat/lock", params{
		"sessionId": id, "seatIds": strings.Join(ids, ","),
	}))
}

func (b *buyer) order(no string) orderAnswer {
	b.T.Helper()
	return dataOf[struct {
		Order orderAnswer `json:"order_show"`
	}](b.T, b.call("/Dyorder/show", params{"id": no})).Order
}

// waitForStatus waits until the order has the status, and moves business time so that simulated delays pass.
func (b *buyer) waitForStatus(no string, status any) orderAnswer {
	b.T.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		o := b.order(no)
		if o.Status == status {
			return o
		}
		if time.Now().After(deadline) {
			require.Equal(b.T, status, o.Status)
		}
		b.AdvanceClock(2 * time.Second)
		<-time.After(50 * time.Millisecond)
	}
}

// openID is an identity of the simulated messaging app.
const openID = "oMarqueeDemo_bound_0001"

// TestPurchase buys from both sources by points, by the messaging app and by both, using only HTTP.
func TestPurchase(t *testing.T) {
	t.Parallel()
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			h := newTestShop(t)
			h.issueCard("8010000000000001", 100_000)
			h.issueCard("8010000000000002", 100)
			b := h.newBuyer("13811110001").login()
			b.setPaymentPassword()
			rich, poor := b.bindCard("8010000000000001"), b.bindCard("8010000000000002")
			b.http.ProveIdentity(b.token, openID)

			b.T = t
			points := s.lock(b, 0)
			require.Equal(t, s.pending, b.order(points).Status)
			paid := dataOf[struct {
				OrderNo string `json:"order_no"`
			}](t, b.call("/movie/route/Movie/flkpay", params{"oid": points, "ka_ids": rich, "pass": password}))
			require.Equal(t, points, paid.OrderNo)
			b.requireTickets(s, b.waitForStatus(points, s.issued))

			wx := s.lock(b, 2)
			prepay := b.prepay(wx, "", "")
			h.PayInApp(prepay, "pay")
			b.requireTickets(s, b.waitForStatus(wx, s.issued))

			both := s.lock(b, 4)
			q := dataOf[struct {
				Cards string `json:"dkprice"`
				App   string `json:"wxprice"`
				IDs   string `json:"ka_ids"`
			}](t, b.call("/movie/route/Movie/pay_date", params{"oid": both, "fulika": poor}))
			require.Equal(t, "1.00", q.Cards)
			require.Equal(t, poor, q.IDs)
			prepay = b.prepay(both, q.IDs, q.App)
			h.PayInApp(prepay, "pay")
			dataOf[any](t, b.call("/movie/route/Movie/pay_success", params{"order_no": both}))
			b.requireTickets(s, b.waitForStatus(both, s.issued))
			h.Verify()
		})
	}
}

// prepay prepares a payment in the messaging app, with the points of cards before it, and returns the prepay id.
func (b *buyer) prepay(no, cardIDs, claimed string) (prepay string) {
	b.T.Helper()
	return dataOf[struct {
		Params struct{ Package string } `json:"jsApiParameters"`
	}](b.T, b.call("/movie/route/Movie/wxpay", params{
		"oid": no, "ka_ids": cardIDs, "openid": openID, "pass": password, "wxprice": claimed,
	})).Params.Package
}

// requireTickets fails the test unless the order shows two seats and the ticket codes of its source.
func (b *buyer) requireTickets(s source, o orderAnswer) {
	b.T.Helper()
	require.Equal(b.T, s.flag, o.Type)
	require.Equal(b.T, 2, o.Quantity)
	require.Len(b.T, strings.Split(o.Seats, ","), 2)
	require.NotEmpty(b.T, o.Address)
	if s.flag == 1 {
		require.NotEmpty(b.T, o.Codes)
	} else {
		require.NotEmpty(b.T, o.Code)
	}
}

func TestPurchase_IssueRejected_BothLegsAreRefunded(t *testing.T) {
	t.Parallel()
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			h := newTestShop(t)
			h.issueCard("8010000000000002", 100)
			b := h.newBuyer("13811110002").login()
			b.setPaymentPassword()
			poor := b.bindCard("8010000000000002")
			b.http.ProveIdentity(b.token, openID)
			provider := params{"legacy": "gateway", "newmovie": "newmovie"}[s.name]
			h.PlanFaults(faults.Fault{Provider: provider, Operation: "*", Do: "issue-refused", Times: 1})
			no := s.lock(b, 0)
			h.PayInApp(b.prepay(no, poor, ""), "pay")
			b.waitForStatus(no, s.failed)
			type line struct {
				Kind, State, Amount string
				Done                int64 `json:"done_time"`
			}
			d := dataOf[struct {
				Money struct{ Refunds []line } `json:"order"`
			}](t, b.call("/Dyorder/show", params{"id": no}))
			require.Len(t, d.Money.Refunds, 2)
			for deadline := time.Now().Add(15 * time.Second); time.Now().Before(deadline); {
				d = dataOf[struct {
					Money struct{ Refunds []line } `json:"order"`
				}](t, b.call("/Dyorder/show", params{"id": no}))
				if d.Money.Refunds[0].State == "done" && d.Money.Refunds[1].State == "done" {
					break
				}
				h.AdvanceClock(5 * time.Second)
				<-time.After(50 * time.Millisecond)
			}
			for _, r := range d.Money.Refunds {
				require.Equal(t, "done", r.State, r.Kind)
				require.Positive(t, r.Done, r.Kind)
			}
			cards := dataOf[struct {
				List []struct{ Price string } `json:"card_list"`
			}](t, b.call("/movie/route/Movie/card", nil))
			require.Equal(t, "1.00", cards.List[0].Price)
			h.Verify()
		})
	}
}

func TestSale_StopsAQuarterOfAnHourBefore(t *testing.T) {
	t.Parallel()
	b, card := buyerWithCard(t, "13811110019")
	session, seats := b.newmovieSessionTomorrow()
	show := dataOf[struct {
		Starts   string `json:"showTime"`
		Sellable bool   `json:"sellable"`
	}](t, b.get("/newmovie/api/movie/session?sessionId="+session))
	require.True(t, show.Sellable)
	starts, err := time.ParseInLocation(time.DateTime, show.Starts, time.FixedZone("", 8*3600))
	require.NoError(t, err)
	b.AdvanceClock(starts.Add(-19 * time.Minute).Sub(b.Now()))

	var free []string
	for _, seat := range seats {
		if seat.Type == 1 && seat.ID != "" && seat.State != 2 && seat.State != 3 && seat.State != 4 {
			free = append(free, seat.ID)
		}
	}
	lock := func(seat string) harness.Answer {
		return b.call("/newmovie/seat/lock", params{"sessionId": session, "seatIds": seat})
	}
	pay := func(no string) harness.Answer {
		return b.call("/movie/route/Movie/flkpay", params{"oid": no, "ka_ids": card, "pass": password})
	}
	var locked harness.Answer
	for _, seat := range free { // simulated buyers take seats as the hour comes closer
		if locked = lock(seat); locked.Error == nil {
			break
		}
		requireFault(t, locked, "seat_taken")
	}
	no := orderNo(t, locked)
	order := dataOf[struct {
		Show struct{ Expiretime int64 } `json:"order_show"`
	}](t, b.call("/Dyorder/show", params{"id": no}))
	require.Equal(t, starts.Add(-15*time.Minute).Unix(), order.Show.Expiretime, "payment ends with the sale")

	other := b.newBuyer("13811110020").login()
	b.AdvanceClock(starts.Add(-17*time.Minute + time.Second).Sub(b.Now()))
	late := other.call("/newmovie/seat/lock", params{"sessionId": session, "seatIds": free[len(free)-1]})
	for i := len(free) - 2; late.Error == "seat_taken"; i-- {
		late = other.call("/newmovie/seat/lock", params{"sessionId": session, "seatIds": free[i]})
	}
	requireFault(t, late, "too_late_to_pay")

	b.AdvanceClock(3 * time.Minute)
	requireFault(t, b.call("/newmovie/seat/map", params{"sessionId": session}), "sale_stopped")
	require.False(t, dataOf[struct {
		Sellable bool `json:"sellable"`
	}](t, b.get("/newmovie/api/movie/session?sessionId="+session)).Sellable)
	requireFault(t, pay(no), "order_expired")
	requireFault(t, b.call("/movie/route/Movie/pay_date", params{"oid": no}), "order_expired")
	requireFault(t, lock(free[0]), "sale_stopped")
	b.Verify()
}
