package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
)

// TestBadInput_Legacy and TestBadInput_NewMovie send wrong seat forms. Each gets a specific code, and no seat is
// locked.
func TestBadInput_Legacy(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	b := h.newBuyer("13811110007").login()
	opiid, seats := b.legacyShowingTomorrow()
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
	lock := func(show, ids string, more ...string) harness.Answer {
		f := params{"opiid": show, "seatids": ids, "totalSettleAmount": "1"}
		if show == opiid {
			f = b.legacyLockForm(show, strings.Split(ids, "|")...)
		}
		for i := 0; i < len(more); i += 2 {
			f[more[i]] = more[i+1]
		}
		return b.call("/Film/lockseat", f)
	}
	requireFault(t, lock(opiid, ""), "no_seats")
	requireFault(t, lock(opiid, strings.Join(free[:5], "|")), "too_many_seats")
	requireFault(t, lock(opiid, free[0]+"|nowhere"), "seat_not_in_map")
	requireFault(t, lock(opiid, free[0]+"|"+free[0]), "invalid_input")
	requireFault(t, lock("no-such-showing", free[0]), "show_not_found")
	requireFault(t, lock(opiid, free[0], "totalSettleAmount", "1"), "price_changed")
	requireFault(t, lock(opiid, free[0], "totalSettleAmount", ""), "invalid_input")
	requireFault(t, lock(opiid, free[0], "totalSettleAmount",
		"+"+b.legacyLockForm(opiid, free[0])["totalSettleAmount"]), "invalid_input")
	requireFault(t, lock(opiid, free[0], "movieid", "another"), "show_changed")
	requireFault(t, lock(opiid, free[0], "playtime", "2026-01-01 20:00:00"), "show_changed")
	if len(sold) > 0 {
		requireFault(t, lock(opiid, sold[0]), "seat_taken")
	}
	if len(left) > 0 {
		requireFault(t, lock(opiid, left[0]), "couple_seat_split")
	}
	require.Empty(t, orderNo(t, b.call("/Film/unpayorder", nil)))

	first := orderNo(t, lock(opiid, free[0], "key", "k1"))
	require.Equal(t, first, orderNo(t, lock(opiid, free[0], "key", "k1")),
		"a repeated idempotency key must return the first order")
	requireFault(t, lock(opiid, free[1]), "unpaid_order")

	other := h.newBuyer("13811110008").login()
	requireFault(t, other.call("/Film/lockseat", b.legacyLockForm(opiid, free[0])), "seat_taken")
	dataOf[any](t, b.call("/Film/unlockseat", params{"oid": first}))
	dataOf[any](t, other.call("/Film/lockseat", b.legacyLockForm(opiid, free[0])))
	h.Verify()
}

func TestBadInput_NewMovie(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	b := h.newBuyer("13811110009").login()
	id, seats := b.newmovieSessionTomorrow()
	var free []newmovieSeat
	for _, s := range seats {
		if s.ordinary() {
			free = append(free, s)
		}
	}
	lock := func(fields params) harness.Answer {
		if fields["sessionId"] == "" {
			fields["sessionId"] = id
		}
		return b.call("/newmovie/seat/lock", fields)
	}
	names := func(list []newmovieSeat) string {
		var n []string
		for _, c := range list {
			n = append(n, c.Name)
		}
		return strings.Join(n, ",")
	}
	requireFault(t, lock(params{}), "no_seats")
	requireFault(t, lock(params{"seatNames": names(free[:5])}), "too_many_seats")
	requireFault(t, lock(params{"seatNames": "99排99座"}), "seat_not_in_map")
	requireFault(t, lock(params{"seatIds": free[0].ID, "sessionId": "no-such-session"}), "show_not_found")
	requireFault(t, lock(params{"seatIds": free[0].ID, "movieCode": "another"}), "show_changed")
	requireFault(t, lock(params{"seatIds": free[0].ID, "sessionBeginTime": "2026-01-01 20:00:00"}), "show_changed")
	requireFault(t, lock(params{"seatIds": free[0].ID, "originPrice": "0.01"}), "price_changed")
	divided, both := b.freeSeatsOfTwoAreas()
	requireFault(t, lock(params{"sessionId": divided, "seatIds": both[0].ID + "," + both[1].ID}), "mixed_areas")
	require.Empty(t, h.Calls("newmovie", "order/lock"), "rejected before the provider is called")
	no := orderNo(t, lock(params{"seatNames": names(free[:2])}))
	require.Equal(t, names(free[:2]), b.order(no).Seats)
	h.Verify()
}

// freeSeatsOfTwoAreas returns a session of tomorrow with price areas, and a free ordinary seat of each of two of them.
func (b *buyer) freeSeatsOfTwoAreas() (session string, both [2]newmovieSeat) {
	b.T.Helper()
	session, _ = b.newmovieSessionWith(func(seats []newmovieSeat) bool {
		both = [2]newmovieSeat{}
		for _, s := range seats {
			switch {
			case !s.ordinary() || s.Area == "":
			case both[0].ID == "":
				both[0] = s
			case s.Area != both[0].Area:
				both[1] = s
				return true
			}
		}
		return false
	})
	return session, both
}

func TestBadInput_Paying(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	h.issueCard("8010000000000001", 100_000)
	h.issueCard("8010000000000002", 100)
	b := h.newBuyer("13811110010").login()
	rich, poor := b.bindCard("8010000000000001"), b.bindCard("8010000000000002")
	b.http.ProveIdentity(b.token, openID)
	no := lockLegacy(b, 0)
	pay := func(call string, fields params) harness.Answer {
		fields["oid"] = no
		return b.call("/movie/route/Movie/"+call, fields)
	}
	requireFault(t, pay("flkpay", params{"ka_ids": rich, "pass": password}), "payment_password_missing")
	b.setPaymentPassword()
	requireFault(t, pay("flkpay", params{"ka_ids": rich}), "payment_password_required")
	requireFault(t, pay("flkpay", params{"ka_ids": rich, "pass": "1234"}), "password_format")
	requireFault(t, pay("flkpay", params{"ka_ids": rich, "pass": "000000"}), "payment_password_wrong")
	requireFault(t, pay("flkpay", params{"pass": password}), "payment_method_required")
	requireFault(t, pay("flkpay", params{"ka_ids": poor, "pass": password}), "points_insufficient")
	requireFault(t, pay("flkpay", params{"ka_ids": "999999", "pass": password}), "card_unusable")
	requireFault(t, pay("wxpay", params{"openid": openID, "wxprice": "0.01"}), "amount_mismatch")
	requireFault(t, pay("wxpay", params{"openid": openID, "ka_ids": poor, "pass": "000000"}), "payment_password_wrong")
	requireFault(t, pay("wxpay", params{"openid": "another-person"}), "openid_unproven")
	require.Equal(t, "N", b.order(no).Status)

	h.AdvanceClock(16 * time.Minute)
	a := pay("flkpay", params{"ka_ids": rich, "pass": password})
	requireFault(t, a, "order_expired")
	b.waitForStatus(no, "E")
	require.Empty(t, orderNo(t, b.call("/Film/unpayorder", nil)))
	lockLegacy(b, 0) // the seats are free again
	h.Verify()
}

func TestBadInput_PasswordLocks(t *testing.T) {
	t.Parallel()
	b, card := buyerWithCard(t, "13811110011")
	no := lockNewMovie(b, 0)
	pay := func(pass string) harness.Answer {
		return b.call("/movie/route/Movie/flkpay", params{"oid": no, "ka_ids": card, "pass": pass})
	}
	for left := 4; left > 0; left-- {
		a := pay("000000")
		requireFault(t, a, "payment_password_wrong")
		require.JSONEq(t, fmt.Sprintf(`{"tries_left":%d}`, left), string(a.Data))
	}
	for _, pass := range []string{"000000", password} {
		a := pay(pass)
		requireFault(t, a, "payment_password_locked")
		var locked struct{ Wait float64 }
		require.NoError(t, json.Unmarshal(a.Data, &locked))
		require.InDelta(t, 1770, locked.Wait, 30, "half an hour, less what the test has taken")
	}
}

func TestNotify_ForgedOnesAreRejected(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	for _, path := range []string{"/notify/wechat/pay", "/notify/wechat/refund"} {
		resp, err := http.Post(h.URL+path, "application/json",
			strings.NewReader(`{"id":"1","event_type":"TRANSACTION.SUCCESS"}`))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusUnauthorized, resp.StatusCode, path)
	}
	resp, err := http.PostForm(h.URL+"/notify/gateway", url.Values{"method": {"ticket.push"}, "orderno": {"1"},
		"state": {"ISSUED"}})
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, http.StatusUnauthorized, resp.StatusCode)
}
