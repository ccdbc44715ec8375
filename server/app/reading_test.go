package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/script"
)

// TestProviderFails_WhileReading holds that a read from a broken provider is an envelope with a reason, and that the
// next read is whole.
func TestProviderFails_WhileReading(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	b := h.browser("13811110017")
	opiid, _ := b.legacyShowing()
	session, _ := b.newmovieSession()
	legacy, newer := b.cinema(1).ID1, b.cinema(2).ID2
	film := want[struct {
		List []struct {
			ID string `json:"movieId"`
		} `json:"list"`
	}](t, b.get("/newmovie/api/movie/movies?cityId="+shanghai)).List[0].ID
	for name, c := range map[string]struct {
		provider, operation string
		read                func() answer
	}{
		"legacy seat map": {"gateway", "opi.seat", func() answer { return b.call("/movie/route", map[string]string{"method": "opi.seat", "opiid": opiid}) }},
		"legacy showings": {"gateway", "opi.list.v2", func() answer {
			return b.call("/movie/route", map[string]string{"method": "opi.list.v2", "cinemaid": legacy})
		}},
		"legacy cinema": {"gateway", "cinema.detail", func() answer {
			return b.call("/movie/route", map[string]string{"method": "cinema.detail", "cinemaid": legacy})
		}},
		"newmovie seat map": {"newmovie", "seat/map", func() answer { return b.call("/newmovie/seat/map", map[string]string{"sessionId": session}) }},
		"newmovie shows":    {"newmovie", "movie/cinema_shows", func() answer { return b.get("/newmovie/api/movie/cinema_shows?cinemaId=" + newer) }},
		"newmovie session":  {"newmovie", "movie/session", func() answer { return b.get("/newmovie/api/movie/session?sessionId=" + session) }},
		"newmovie film":     {"newmovie", "movie/movie_detail", func() answer { return b.get("/newmovie/api/movie/movie_detail?movieId=" + film) }},
	} {
		for _, word := range []string{script.Status, script.HTML, script.Reset, script.Truncate, script.Malformed, script.Hang} {
			h.plan(script.Fault{Provider: c.provider, Operation: c.operation, Do: word, Times: 1})
			a := c.read()
			if a.Error != nil {
				require.NotEmpty(t, a.Msg+string(a.Data), "%s %s", name, word)
			}
			h.sims.Default().Faults().Clear()
			again := c.read()
			require.Empty(t, again.Error, "%s after %s", name, word)
			require.NotEqual(t, "null", string(again.Data), name)
		}
	}
}

func TestLogin_WhenTheSMSVendorFails(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	b := h.browser("13811110018")
	for _, word := range []string{script.Status, script.HTML, script.Reset, script.Hang} {
		h.plan(script.Fault{Provider: "sms", Operation: "*", Do: word, Times: 1})
		a := b.call("/Login/sendcode", map[string]string{"phone": b.phone})
		require.NotEqual(t, "internal", a.Error, word)
		h.sims.Default().Faults().Clear()
		h.sims.Default().Clock().Advance(61 * time.Second)
	}
	b.login()
	for _, phone := range []string{"", "12345678901", "1380000000", "138000000000", "abc"} {
		refused(t, b.call("/Login/sendcode", map[string]string{"phone": phone}), "phone_invalid")
	}
	refused(t, b.call("/Login/sendcode", map[string]string{"phone": b.phone}), "sms_limited")
	refused(t, b.call("/Login/phoneLogin", map[string]string{"phone": b.phone}), "code_required")
	refused(t, b.call("/Login/phoneLogin", map[string]string{"phone": b.phone, "code": "000000"}), "code_wrong")
}

func TestSale_StopsAQuarterOfAnHourBefore(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.card("8010000000000001", 100_000)
	b := h.browser("13811110019").login()
	b.setPassword()
	card := b.bind("8010000000000001")
	session, seats := b.newmovieSession()
	show := want[struct {
		Starts   string `json:"showTime"`
		Sellable bool   `json:"sellable"`
	}](t, b.get("/newmovie/api/movie/session?sessionId="+session))
	require.True(t, show.Sellable)
	starts, err := time.ParseInLocation(time.DateTime, show.Starts, time.FixedZone("", 8*3600))
	require.NoError(t, err)
	h.sims.Default().Clock().Advance(starts.Add(-19 * time.Minute).Sub(h.sims.Default().Clock().Now()))

	var free []string
	for _, seat := range seats {
		if seat.Type == 1 && seat.ID != "" && seat.State != 2 && seat.State != 3 && seat.State != 4 {
			free = append(free, seat.ID)
		}
	}
	lock := func(seat string) answer {
		return b.call("/newmovie/seat/lock", map[string]string{"sessionId": session, "seatIds": seat})
	}
	pay := func(no string) answer {
		return b.call("/movie/route/Movie/flkpay", map[string]string{"oid": no, "ka_ids": card, "pass": password})
	}
	var locked answer
	for _, seat := range free { // others buy too, as the hour comes closer
		if locked = lock(seat); locked.Error == nil {
			break
		}
		refused(t, locked, "seat_taken")
	}
	no := want[struct{ Orderid string }](t, locked).Orderid
	h.sims.Default().Clock().Advance(5 * time.Minute)
	refused(t, b.call("/newmovie/seat/map", map[string]string{"sessionId": session}), "sale_stopped")
	require.False(t, want[struct {
		Sellable bool `json:"sellable"`
	}](t, b.get("/newmovie/api/movie/session?sessionId="+session)).Sellable)
	refused(t, pay(no), "sale_stopped")
	refused(t, b.call("/movie/route/Movie/pay_date", map[string]string{"oid": no}), "sale_stopped")
	want[any](t, b.call("/newmovie/seat/cancel", map[string]string{"oid": no}))
	refused(t, lock(free[0]), "sale_stopped")
	h.consistent()
}
