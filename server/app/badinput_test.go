package app_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBadInput_Legacy and its sibling try what a seat form can get wrong; each gets its own code and nothing is held.
func TestBadInput_Legacy(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	b := h.browser("13811110007").login()
	opiid, seats := b.legacyShowing()
	var free, sold, left []string
	for _, s := range seats {
		switch {
		case s.Status == 1 && s.Flag == 0:
			free = append(free, s.ID)
		case s.Status == 1 && s.Flag == 1:
			left = append(left, s.ID)
		case s.Status == 0:
			sold = append(sold, s.ID)
		}
	}
	lock := func(show, ids string, more ...string) answer {
		f := map[string]string{"opiid": show, "seatids": ids, "totalSettleAmount": "1"}
		if show == opiid {
			f = b.legacyLock(show, strings.Split(ids, "|")...)
		}
		for i := 0; i < len(more); i += 2 {
			f[more[i]] = more[i+1]
		}
		return b.call("/Film/lockseat", f)
	}
	refused(t, lock(opiid, ""), "no_seats")
	refused(t, lock(opiid, strings.Join(free[:5], "|")), "too_many_seats")
	refused(t, lock(opiid, free[0]+"|nowhere"), "seat_not_in_map")
	refused(t, lock(opiid, free[0]+"|"+free[0]), "invalid_input")
	refused(t, lock("no-such-showing", free[0]), "show_not_found")
	refused(t, lock(opiid, free[0], "totalSettleAmount", "1"), "price_changed")
	refused(t, lock(opiid, free[0], "totalSettleAmount", ""), "invalid_input")
	refused(t, lock(opiid, free[0], "totalSettleAmount", "+"+b.legacyLock(opiid, free[0])["totalSettleAmount"]), "invalid_input")
	refused(t, lock(opiid, free[0], "movieid", "another"), "show_changed")
	refused(t, lock(opiid, free[0], "playtime", "2026-01-01 20:00:00"), "show_changed")
	if len(sold) > 0 {
		refused(t, lock(opiid, sold[0]), "seat_taken")
	}
	if len(left) > 0 {
		refused(t, lock(opiid, left[0]), "couple_seat_split")
	}
	require.Empty(t, want[struct{ Orderid string }](t, b.call("/Film/unpayorder", nil)).Orderid)

	first := want[struct{ Orderid string }](t, lock(opiid, free[0], "key", "k1")).Orderid
	require.Equal(t, first, want[struct{ Orderid string }](t, lock(opiid, free[0], "key", "k1")).Orderid, "the same key is the same order")
	refused(t, lock(opiid, free[1]), "unpaid_order")

	other := h.browser("13811110008").login()
	refused(t, other.call("/Film/lockseat", b.legacyLock(opiid, free[0])), "seat_taken")
	want[any](t, b.call("/Film/unlockseat", map[string]string{"oid": first}))
	want[any](t, other.call("/Film/lockseat", b.legacyLock(opiid, free[0])))
	h.consistent()
}

func TestBadInput_NewMovie(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	b := h.browser("13811110009").login()
	id, seats := b.newmovieSession()
	byArea := map[string][]column{}
	for _, s := range seats {
		if s.ID != "" && s.Type == 1 && (s.State == 1 || s.State == -1 || s.State == 10 || s.State == 11) {
			byArea[s.Area] = append(byArea[s.Area], s)
		}
	}
	lock := func(fields map[string]string) answer {
		if fields["sessionId"] == "" {
			fields["sessionId"] = id
		}
		return b.call("/newmovie/seat/lock", fields)
	}
	var areas []string
	for a, list := range byArea {
		if len(list) >= 5 {
			areas = append(areas, a)
		}
	}
	require.NotEmpty(t, areas)
	free := byArea[areas[0]]
	names := func(list []column) string {
		var n []string
		for _, c := range list {
			n = append(n, c.Name)
		}
		return strings.Join(n, ",")
	}
	refused(t, lock(map[string]string{}), "no_seats")
	refused(t, lock(map[string]string{"seatNames": names(free[:5])}), "too_many_seats")
	refused(t, lock(map[string]string{"seatNames": "99排99座"}), "seat_not_in_map")
	refused(t, lock(map[string]string{"seatIds": free[0].ID, "sessionId": "no-such-session"}), "show_not_found")
	refused(t, lock(map[string]string{"seatIds": free[0].ID, "movieCode": "another"}), "show_changed")
	refused(t, lock(map[string]string{"seatIds": free[0].ID, "sessionBeginTime": "2026-01-01 20:00:00"}), "show_changed")
	refused(t, lock(map[string]string{"seatIds": free[0].ID, "originPrice": "0.01"}), "price_changed")
	if len(areas) > 1 {
		refused(t, lock(map[string]string{"seatIds": free[0].ID + "," + byArea[areas[1]][0].ID}), "mixed_areas")
	}
	no := want[struct{ Orderid string }](t, lock(map[string]string{"seatNames": names(free[:2])})).Orderid
	require.Equal(t, names(free[:2]), b.order(no).Seats)
	h.consistent()
}

func TestBadInput_Paying(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.card("8010000000000001", 100_000)
	h.card("8010000000000002", 100)
	b := h.browser("13811110010").login()
	rich, poor := b.bind("8010000000000001"), b.bind("8010000000000002")
	b.oauth(openID)
	no := lockLegacy(b, 0)
	pay := func(call string, fields map[string]string) answer {
		fields["oid"] = no
		return b.call("/movie/route/Movie/"+call, fields)
	}
	refused(t, pay("flkpay", map[string]string{"ka_ids": rich, "pass": password}), "payment_password_missing")
	b.setPassword()
	refused(t, pay("flkpay", map[string]string{"ka_ids": rich}), "payment_password_required")
	refused(t, pay("flkpay", map[string]string{"ka_ids": rich, "pass": "1234"}), "password_format")
	refused(t, pay("flkpay", map[string]string{"ka_ids": rich, "pass": "000000"}), "payment_password_wrong")
	refused(t, pay("flkpay", map[string]string{"ka_ids": poor, "pass": password}), "points_insufficient")
	refused(t, pay("flkpay", map[string]string{"ka_ids": "999999", "pass": password}), "card_unusable")
	refused(t, pay("wxpay", map[string]string{"openid": openID, "wxprice": "0.01"}), "amount_mismatch")
	refused(t, pay("wxpay", map[string]string{"openid": openID, "ka_ids": poor, "pass": "000000"}), "payment_password_wrong")
	refused(t, pay("wxpay", map[string]string{"openid": "somebody-else"}), "openid_unproven")
	require.Equal(t, "N", b.order(no).Status)

	h.sims.Default().Clock().Advance(16 * time.Minute)
	a := pay("flkpay", map[string]string{"ka_ids": rich, "pass": password})
	refused(t, a, "order_expired")
	b.reaches(no, "E")
	require.Empty(t, want[struct{ Orderid string }](t, b.call("/Film/unpayorder", nil)).Orderid)
	lockLegacy(b, 0) // the seats are free again
	h.consistent()
}

func TestBadInput_PasswordLocks(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.card("8010000000000001", 100_000)
	b := h.browser("13811110011").login()
	b.setPassword()
	card := b.bind("8010000000000001")
	no := lockNewMovie(b, 0)
	pay := func(pass string) answer {
		return b.call("/movie/route/Movie/flkpay", map[string]string{"oid": no, "ka_ids": card, "pass": pass})
	}
	for range 4 {
		refused(t, pay("000000"), "payment_password_wrong")
	}
	refused(t, pay("000000"), "payment_password_locked")
	refused(t, pay(password), "payment_password_locked")
}

func TestNotify_ForgedOnesAreRefused(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	for _, path := range []string{"/notify/wechat/pay", "/notify/wechat/refund"} {
		resp, err := http.Post(h.url+path, "application/json", strings.NewReader(`{"id":"1","event_type":"TRANSACTION.SUCCESS"}`))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusUnauthorized, resp.StatusCode, path)
	}
	resp, err := http.PostForm(h.url+"/notify/gateway", url.Values{"method": {"ticket.push"}, "orderno": {"1"}, "state": {"ISSUED"}})
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusUnauthorized, resp.StatusCode)
}
