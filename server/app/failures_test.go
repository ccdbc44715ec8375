package app_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/simulators/faults"
)

// transportFaults are the faults of one exchange. With the act-then faults the provider has acted.
var transportFaults = []string{
	faults.Status, faults.HTML, faults.Reset, faults.Hang, faults.ActThenReset, faults.ActThenHang,
	faults.Truncate, faults.Malformed,
}

type operations struct{ provider, lock, issue string }

var operationsOf = map[string]operations{
	"legacy":   {"gateway", "seat.lock", "ticket.issue"},
	"newmovie": {"newmovie", "order/lock", "order/submit"},
}

// TestProviderFails_WhileLocking proves that after any fault of a lock the buyer gets an envelope, no seat stays
// locked, and the next lock succeeds.
func TestProviderFails_WhileLocking(t *testing.T) {
	t.Parallel()
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			h := newImpatientShop(t)
			op := operationsOf[s.name]
			for i, word := range transportFaults {
				b := h.newBuyer(fmt.Sprintf("1381111%04d", i)).login() // a buyer's cancelled locks are limited
				h.PlanFaults(faults.Fault{Provider: op.provider, Operation: op.lock, Do: word, Times: 1})
				a := tryLock(b, s)
				if a.Error != nil {
					require.Contains(t, []any{"provider_unavailable", "lock_unanswered", "provider_bad_answer"},
						a.Error, "%s: %s", word, a.Msg)
				}
				b.releaseUnpaidOrder(s)
				no := s.lock(b, 0) // the same seats
				require.Equal(t, s.pending, b.order(no).Status, word)
				b.releaseUnpaidOrder(s)
			}
			h.Verify()
		})
	}
}

// tryLock locks one free seat and returns the answer, which may be an error.
func tryLock(b *buyer, s source) harness.Answer {
	b.T.Helper()
	if s.flag == 1 {
		opiid, seats := b.legacyShowingTomorrow()
		for _, seat := range seats {
			if seat.Status == 1 && seat.Flag == 0 {
				return b.call("/Film/lockseat", b.legacyLockForm(opiid, seat.ID))
			}
		}
	}
	id, seats := b.newmovieSessionTomorrow()
	for _, seat := range seats {
		if seat.Type == 1 && seat.ID != "" && seat.State != 2 && seat.State != 3 && seat.State != 4 {
			return b.call("/newmovie/seat/lock", params{"sessionId": id, "seatIds": seat.ID})
		}
	}
	b.T.Fatal("no free seat")
	return harness.Answer{}
}

// releaseUnpaidOrder cancels the unpaid order and waits until the buyer can lock seats again.
func (b *buyer) releaseUnpaidOrder(s source) {
	b.T.Helper()
	deadline := time.Now().Add(15 * time.Second)
	for {
		no := orderNo(b.T, b.call("/Film/unpayorder", nil))
		if no != "" {
			dataOf[any](b.T, b.call("/Film/unlockseat", params{"oid": no}))
		}
		b.AdvanceClock(10 * time.Second)
		require.NoError(b.T, b.Shop.Purchase().Jobs.RunDue(b.T.Context()))
		a := tryLock(b, s)
		if a.Error == nil {
			got := dataOf[struct{ Orderid string }](b.T, a)
			dataOf[any](b.T, b.call("/Film/unlockseat", params{"oid": got.Orderid}))
			return
		}
		if time.Now().After(deadline) {
			require.Empty(b.T, a.Error, "%s", a.Msg)
		}
	}
}

// TestProviderFails_WhileIssuing proves that after any fault of an issue a paid order ends with its tickets and one
// payment.
func TestProviderFails_WhileIssuing(t *testing.T) {
	t.Parallel()
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			b, card := buyerWithCard(t, "13811110013")
			op := operationsOf[s.name]
			for _, word := range transportFaults {
				no := s.lock(b, 0)
				b.PlanFaults(faults.Fault{Provider: op.provider, Operation: op.issue, Do: word, Times: 1})
				dataOf[any](t, b.call("/movie/route/Movie/flkpay", params{"oid": no, "ka_ids": card, "pass": password}))
				b.requireTickets(s, b.waitForStatus(no, s.issued))
			}
			b.Verify()
		})
	}
}

// TestPaymentFails plans every fault of a payment in the messaging app between prepay and ticket.
func TestPaymentFails(t *testing.T) {
	t.Parallel()
	h := newImpatientShop(t)
	b := h.newBuyer("13811110014").loginInApp()
	legacy := sources[0]
	for name, f := range map[string]faults.Fault{
		"notify lost":              {Operation: "notify", Do: "notify-drop"},
		"notify doubled":           {Operation: "notify", Do: "notify-duplicate", Times: 1},
		"notify badly signed":      {Operation: "notify", Do: "notify-bad-signature", Times: 1},
		"notify with another key":  {Operation: "notify", Do: "notify-wrong-key", Times: 1},
		"notify stale":             {Operation: "notify", Do: "notify-stale", Times: 1},
		"notify of another amount": {Operation: "notify", Do: "notify-wrong-amount", Times: 1},
		"cancel though paid":       {Operation: "pay", Do: "bridge-cancel-after-pay", Times: 1},
		"query answered badly":     {Operation: "query", Do: "answer-bad-signature", Times: 1},
		"query answers HTML":       {Operation: "query", Do: "html", Times: 1},
		"query hangs":              {Operation: "query", Do: "hang", Times: 1},
	} {
		f.Provider = "wechat"
		no := legacy.lock(b, 0)
		prepay := b.prepay(no, "", "")
		h.PlanFaults(f)
		if f.Operation == "query" { // without its notify, only a query reports the payment
			h.PlanFaults(faults.Fault{Provider: "wechat", Operation: "notify", Do: "notify-drop"})
		}
		h.PayInApp(prepay, "pay")
		b.call("/movie/route/Movie/pay_success", params{"order_no": no})
		b.waitForStatus(no, legacy.issued)
		require.Eventually(t, func() bool { return h.FaultHits(f.Do) > 0 }, 10*time.Second, 5*time.Millisecond,
			"%s: the fault was not hit", name)
		h.Sims.Default().Faults().Clear()
	}
	no := legacy.lock(b, 0)
	h.PayInApp(b.prepay(no, "", ""), "cancel")
	a := dataOf[struct{ Orderstatus string }](t, b.call("/movie/route/Movie/pay_success", params{"order_no": no}))
	require.Equal(t, "N", a.Orderstatus, "a cancelled payment must leave the order payable")
	h.PayInApp(b.prepay(no, "", ""), "pay")
	b.waitForStatus(no, legacy.issued)
	h.Verify()
}

// TestPaymentLate proves that money is refunded if it arrives after the order has ended.
func TestPaymentLate(t *testing.T) {
	t.Parallel()
	h := newImpatientShop(t)
	b := h.newBuyer("13811110015").loginInApp()
	no := lockNewMovie(b, 0)
	prepay := b.prepay(no, "", "")
	h.PlanFaults(faults.Fault{Provider: "wechat", Operation: "close", Do: faults.Reset})
	h.PlanFaults(faults.Fault{Provider: "wechat", Operation: "query", Do: faults.Reset})
	h.PlanFaults(faults.Fault{Provider: "wechat", Operation: "notify", Do: "notify-drop"})
	h.PayInApp(prepay, "pay")
	h.AdvanceClock(11 * time.Minute) // the provider's lock has ended, and the gateway did not answer
	require.NoError(t, h.Shop.Purchase().Jobs.RunDue(t.Context()))
	h.Sims.Default().Faults().Clear()
	deadline := time.Now().Add(15 * time.Second)
	var status any
	for time.Now().Before(deadline) {
		status = b.order(no).Status
		if status == float64(7) || status == float64(4) {
			break
		}
		h.AdvanceClock(20 * time.Second)
		require.NoError(t, h.Shop.Purchase().Jobs.RunDue(t.Context()))
	}
	require.Equal(t, float64(7), status, "the order cannot be issued, so it must be refunded")
	for time.Now().Before(deadline) {
		d := dataOf[struct {
			Money struct {
				Refunds []struct{ State string }
			} `json:"order"`
		}](t, b.call("/Dyorder/show", params{"id": no}))
		if len(d.Money.Refunds) == 1 && d.Money.Refunds[0].State == "done" {
			h.Verify()
			return
		}
		h.AdvanceClock(20 * time.Second)
		require.NoError(t, h.Shop.Purchase().Jobs.RunDue(t.Context()))
	}
	t.Fatal("the refund was not completed")
}

// TestProviderFails_WhileReading proves that a read from a failing provider returns an envelope with a reason, and that
// the next read is complete.
func TestProviderFails_WhileReading(t *testing.T) {
	t.Parallel()
	h := newImpatientShop(t)
	b := h.newBuyer("13811110017")
	opiid, _ := b.legacyShowingTomorrow()
	session, _ := b.newmovieSessionTomorrow()
	legacy, newer := b.cinemaOf(1).ID1, b.cinemaOf(2).ID2
	film := dataOf[struct {
		List []struct {
			ID string `json:"movieId"`
		} `json:"list"`
	}](t, b.get("/newmovie/api/movie/movies?cityId="+shanghai)).List[0].ID
	// failure is the stable code of a fault; in the gateway's own dialect it is 5001, with a text for buyers.
	const failure = `^(provider_unavailable|provider_bad_answer|map\[code:5001 msg:\p{Han}.*\])$`
	for name, c := range map[string]struct {
		provider, operation string
		read                func() harness.Answer
	}{
		"legacy seat map": {"gateway", "opi.seat",
			func() harness.Answer { return b.call("/movie/route", params{"method": "opi.seat", "opiid": opiid}) }},
		"legacy showings": {"gateway", "opi.list.v2", func() harness.Answer {
			return b.call("/movie/route", params{"method": "opi.list.v2", "cinemaid": legacy})
		}},
		"legacy cinema": {"gateway", "cinema.detail", func() harness.Answer {
			return b.call("/movie/route", params{"method": "cinema.detail", "cinemaid": legacy})
		}},
		"newmovie seat map": {"newmovie", "seat/map",
			func() harness.Answer { return b.call("/newmovie/seat/map", params{"sessionId": session}) }},
		"newmovie shows": {"newmovie", "movie/cinema_shows",
			func() harness.Answer { return b.get("/newmovie/api/movie/cinema_shows?cinemaId=" + newer) }},
		"newmovie session": {"newmovie", "movie/session",
			func() harness.Answer { return b.get("/newmovie/api/movie/session?sessionId=" + session) }},
		"newmovie film": {"newmovie", "movie/movie_detail",
			func() harness.Answer { return b.get("/newmovie/api/movie/movie_detail?movieId=" + film) }},
	} {
		for _, word := range []string{faults.Status, faults.HTML, faults.Reset, faults.Truncate, faults.Malformed,
			faults.Hang} {
			h.AdvanceClock(5 * time.Minute) // no list is kept longer
			h.PlanFaults(faults.Fault{Provider: c.provider, Operation: c.operation, Do: word, Times: 1})
			var a harness.Answer                // may be one that was kept for the time of failures
			require.Eventually(t, func() bool { // a seat map is kept for a moment of real time
				a = c.read()
				return h.FaultHits(word) > 0
			}, 10*time.Second, 20*time.Millisecond, "%s %s: the provider was not asked", name, word)
			if a.Error != nil {
				require.Regexp(t, failure, fmt.Sprint(a.Error), "%s %s", name, word)
			}
			h.Sims.Default().Faults().Clear()
			again := c.read()
			require.Empty(t, again.Error, "%s after %s", name, word)
			require.NotEqual(t, "null", string(again.Data), name)
		}
	}
}

func TestLogin_WhenTheSMSVendorFails(t *testing.T) {
	t.Parallel()
	h := newImpatientShop(t)
	b := h.newBuyer("13811110018")
	for _, word := range []string{faults.Status, faults.HTML, faults.Reset, faults.Hang} {
		h.PlanFaults(faults.Fault{Provider: "sms", Operation: "*", Do: word, Times: 1})
		a := b.call("/Login/sendcode", params{"phone": b.phone})
		require.NotEqual(t, "internal", a.Error, word)
		h.Sims.Default().Faults().Clear()
		h.AdvanceClock(61 * time.Second)
	}
	b.login()
	for _, phone := range []string{"", "12345678901", "1380000000", "138000000000", "abc"} {
		requireFault(t, b.call("/Login/sendcode", params{"phone": phone}), "phone_invalid")
	}
	requireFault(t, b.call("/Login/sendcode", params{"phone": b.phone}), "sms_limited")
	requireFault(t, b.call("/Login/phoneLogin", params{"phone": b.phone}), "code_required")
	requireFault(t, b.call("/Login/phoneLogin", params{"phone": b.phone, "code": "000000"}), "code_wrong")
}
