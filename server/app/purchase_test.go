package app_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/script"
)

const shanghai = "310100"

type cinema struct {
	Flag int    `json:"flag"`
	ID1  string `json:"cinemaid1"`
	ID2  string `json:"cinemaid2"`
}

type order struct {
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
}

// source is one of the two ticketing sources as the buyer meets it.
type source struct {
	name    string
	flag    int
	lock    func(b *browser, skip int) string // locks two free seats and returns the order number
	pending any
	issued  any
	failed  any // refunded
}

var sources = []source{
	{"legacy", 1, lockLegacy, "N", "S", "R"},
	{"newmovie", 2, lockNewMovie, float64(0), float64(4), float64(7)},
}

func (b *browser) cinema(flag int) cinema {
	b.t.Helper()
	page := want[struct {
		Cinemas []cinema `json:"yingyuan"`
	}](b.t, b.call("/movie/route/Movie/cinema", map[string]string{"cityid": shanghai}))
	for _, c := range page.Cinemas {
		if c.Flag == flag {
			return c
		}
	}
	b.t.Fatalf("no cinema of source %d in the city", flag)
	return cinema{}
}

// legacyShowing is a showing of tomorrow.
func (b *browser) legacyShowing() (opiid string, seats []legacySeat) {
	b.t.Helper()
	shows := want[struct {
		Dates []string
		List  []struct {
			ID, Playdate, AreaPrice string
			Opiid                   string
		} `json:"opiList"`
	}](b.t, b.call("/movie/route", map[string]string{"method": "opi.list.v2", "cinemaid": b.cinema(1).ID1}))
	tomorrow := b.sims.Default().Clock().Now().Add(24 * time.Hour).In(time.FixedZone("", 8*3600)).Format(time.DateOnly)
	for _, s := range shows.List {
		if s.Playdate == tomorrow && s.AreaPrice == "" {
			hall := want[struct {
				Seats []legacySeat `json:"seatList"`
			}](b.t, b.call("/movie/route", map[string]string{"method": "opi.seat", "opiid": s.Opiid}))
			return s.Opiid, hall.Seats
		}
	}
	b.t.Fatal("no showing tomorrow")
	return "", nil
}

// legacyLock is the form of a lock, with what the seat map shows of the showing.
func (b *browser) legacyLock(opiid string, seats ...string) map[string]string {
	b.t.Helper()
	hall := want[struct {
		Opi struct {
			Movieid, Playtime string
			Price             int
		}
	}](b.t, b.call("/movie/route", map[string]string{"method": "opi.seat", "opiid": opiid}))
	return map[string]string{
		"opiid": opiid, "seatids": strings.Join(seats, "|"), "totalSettleAmount": strconv.Itoa(hall.Opi.Price * len(seats)),
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

func lockLegacy(b *browser, skip int) string {
	b.t.Helper()
	opiid, seats := b.legacyShowing()
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
	require.Len(b.t, ids, 2)
	return want[struct{ Orderid string }](b.t, b.call("/Film/lockseat", b.legacyLock(opiid, ids...))).Orderid
}

type column struct {
	State int    `json:"state"`
	Type  int    `json:"type"`
	Area  string `json:"areaId"`
	ID    string `json:"originSeatID"`
	Name  string `json:"seatName"`
}

func (b *browser) newmovieSession() (id string, seats []column) {
	b.t.Helper()
	shows := want[struct {
		Movies []struct {
			Shows []struct {
				Date     string `json:"showDate"`
				Sessions []struct {
					ID string `json:"sessionId"`
				} `json:"sessions"`
			} `json:"shows"`
		} `json:"movies"`
	}](b.t, b.get("/newmovie/api/movie/cinema_shows?cinemaId="+b.cinema(2).ID2))
	tomorrow := b.sims.Default().Clock().Now().Add(24 * time.Hour).In(time.FixedZone("", 8*3600)).Format(time.DateOnly)
	for _, m := range shows.Movies {
		for _, d := range m.Shows {
			if d.Date != tomorrow {
				continue
			}
			hall := want[struct {
				Rows []struct {
					Columns []column `json:"columns"`
				} `json:"rows"`
			}](b.t, b.call("/newmovie/seat/map", map[string]string{"sessionId": d.Sessions[0].ID}))
			for _, r := range hall.Rows {
				seats = append(seats, r.Columns...)
			}
			return d.Sessions[0].ID, seats
		}
	}
	b.t.Fatal("no session tomorrow")
	return "", nil
}

func lockNewMovie(b *browser, skip int) string {
	b.t.Helper()
	id, seats := b.newmovieSession()
	var ids []string
	area := ""
	for _, s := range seats {
		free := s.State == -1 || s.State == 1 || s.State == 10 || s.State == 11
		if !free || s.Type != 1 || (len(ids) > 0 && s.Area != area) {
			continue
		}
		if skip--; skip < 0 {
			ids, area = append(ids, s.ID), s.Area
		}
		if len(ids) == 2 {
			break
		}
	}
	require.Len(b.t, ids, 2)
	return want[struct{ Orderid string }](b.t, b.call("/newmovie/seat/lock", map[string]string{
		"sessionId": id, "seatIds": strings.Join(ids, ","),
	})).Orderid
}

func (b *browser) order(no string) order {
	b.t.Helper()
	return want[struct {
		Order order `json:"order_show"`
	}](b.t, b.call("/Dyorder/show", map[string]string{"id": no})).Order
}

// reaches waits until the order has the status, moving business time so that delays of the simulated world pass.
func (b *browser) reaches(no string, status any) order {
	b.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		o := b.order(no)
		if o.Status == status {
			return o
		}
		if time.Now().After(deadline) {
			require.Equal(b.t, status, o.Status)
		}
		b.sims.Default().Clock().Advance(2 * time.Second)
		<-time.After(50 * time.Millisecond)
	}
}

const openID = "oMarqueeDemo_bound_0001"

// TestPurchase buys from both sources by points, by the messaging app and by both, over HTTP alone.
func TestPurchase(t *testing.T) {
	t.Parallel()
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.card("8010000000000001", 100_000)
			h.card("8010000000000002", 100)
			b := h.browser("13811110001").login()
			b.setPassword()
			rich, poor := b.bind("8010000000000001"), b.bind("8010000000000002")
			b.oauth(openID)

			b.t = t
			points := s.lock(b, 0)
			require.Equal(t, s.pending, b.order(points).Status)
			paid := want[struct {
				OrderNo string `json:"order_no"`
			}](t, b.call("/movie/route/Movie/flkpay", map[string]string{"oid": points, "ka_ids": rich, "pass": password}))
			require.Equal(t, points, paid.OrderNo)
			b.holdsTickets(s, b.reaches(points, s.issued))

			wx := s.lock(b, 2)
			prepay := b.wxpay(wx, "", "")
			h.pay(prepay, "pay")
			b.holdsTickets(s, b.reaches(wx, s.issued))

			both := s.lock(b, 4)
			q := want[struct {
				Cards string `json:"dkprice"`
				App   string `json:"wxprice"`
				IDs   string `json:"ka_ids"`
			}](t, b.call("/movie/route/Movie/pay_date", map[string]string{"oid": both, "fulika": poor}))
			require.Equal(t, "1.00", q.Cards)
			require.Equal(t, poor, q.IDs)
			prepay = b.wxpay(both, q.IDs, q.App)
			h.pay(prepay, "pay")
			want[any](t, b.call("/movie/route/Movie/pay_success", map[string]string{"order_no": both}))
			b.holdsTickets(s, b.reaches(both, s.issued))
			h.consistent()
		})
	}
}

func (b *browser) wxpay(no, cardIDs, claimed string) (prepay string) {
	b.t.Helper()
	return want[struct {
		Params struct{ Package string } `json:"jsApiParameters"`
	}](b.t, b.call("/movie/route/Movie/wxpay", map[string]string{
		"oid": no, "ka_ids": cardIDs, "openid": openID, "pass": password, "wxprice": claimed,
	})).Params.Package
}

func (b *browser) holdsTickets(s source, o order) {
	b.t.Helper()
	require.Equal(b.t, s.flag, o.Type)
	require.Equal(b.t, 2, o.Quantity)
	require.Len(b.t, strings.Split(o.Seats, ","), 2)
	require.NotEmpty(b.t, o.Address)
	if s.flag == 1 {
		require.NotEmpty(b.t, o.Codes)
	} else {
		require.NotEmpty(b.t, o.Code)
	}
}

func TestPurchase_IssueRefused_BothLegsGoBack(t *testing.T) {
	t.Parallel()
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.card("8010000000000002", 100)
			b := h.browser("13811110002").login()
			b.setPassword()
			poor := b.bind("8010000000000002")
			b.oauth(openID)
			h.plan(script.Fault{Provider: map[string]string{"legacy": "gateway", "newmovie": "newmovie"}[s.name], Operation: "*", Do: "issue-refused", Times: 1})
			no := s.lock(b, 0)
			h.pay(b.wxpay(no, poor, ""), "pay")
			b.reaches(no, s.failed)
			type line struct{ Kind, State, Amount string }
			d := want[struct {
				Money struct{ Refunds []line } `json:"order"`
			}](t, b.call("/Dyorder/show", map[string]string{"id": no}))
			require.Len(t, d.Money.Refunds, 2)
			for deadline := time.Now().Add(15 * time.Second); time.Now().Before(deadline); {
				d = want[struct {
					Money struct{ Refunds []line } `json:"order"`
				}](t, b.call("/Dyorder/show", map[string]string{"id": no}))
				if d.Money.Refunds[0].State == "done" && d.Money.Refunds[1].State == "done" {
					break
				}
				h.sims.Default().Clock().Advance(5 * time.Second)
				<-time.After(50 * time.Millisecond)
			}
			for _, r := range d.Money.Refunds {
				require.Equal(t, "done", r.State, r.Kind)
			}
			cards := want[struct {
				List []struct{ Price string } `json:"card_list"`
			}](t, b.call("/movie/route/Movie/card", nil))
			require.Equal(t, "1.00", cards.List[0].Price)
			h.consistent()
		})
	}
}
