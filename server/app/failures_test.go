package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/script"
)

// wireFaults is what may happen to one exchange; the provider has acted on some of them and not on others.
var wireFaults = []string{
	script.Status, script.HTML, script.Reset, script.Hang, script.ActThenReset, script.ActThenHang, script.Truncate, script.Malformed,
}

type operations struct{ provider, lock, issue string }

var operationsOf = map[string]operations{
	"legacy":   {"gateway", "seat.lock", "ticket.issue"},
	"newmovie": {"newmovie", "order/lock", "order/submit"},
}

// TestProviderFails_WhileLocking holds that whatever becomes of a lock, the buyer is told in an envelope, seats are
// not lost, and the next try succeeds.
func TestProviderFails_WhileLocking(t *testing.T) {
	t.Parallel()
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			b := h.browser("13811110012").login()
			op := operationsOf[s.name]
			for _, word := range wireFaults {
				h.plan(script.Fault{Provider: op.provider, Operation: op.lock, Do: word, Times: 1})
				a := tryLock(b, s)
				if a.Error != nil {
					require.Contains(t, []any{"provider_unavailable", "lock_unanswered", "provider_bad_answer"}, a.Error, "%s: %s", word, a.Msg)
				}
				b.forgetsUnpaid(s)
				no := s.lock(b, 0) // the same seats
				require.Equal(t, s.pending, b.order(no).Status, word)
				b.forgetsUnpaid(s)
			}
			h.consistent()
		})
	}
}

// tryLock locks as s.lock does, but takes a refusal.
func tryLock(b *browser, s source) answer {
	b.t.Helper()
	if s.flag == 1 {
		opiid, seats := b.legacyShowing()
		for _, seat := range seats {
			if seat.Status == 1 && seat.Flag == 0 {
				return b.call("/Film/lockseat", b.legacyLock(opiid, seat.ID))
			}
		}
	}
	id, seats := b.newmovieSession()
	for _, seat := range seats {
		if seat.Type == 1 && seat.ID != "" && seat.State != 2 && seat.State != 3 && seat.State != 4 {
			return b.call("/newmovie/seat/lock", map[string]string{"sessionId": id, "seatIds": seat.ID})
		}
	}
	b.t.Fatal("no free seat")
	return answer{}
}

// forgetsUnpaid waits until the buyer has no order under way, cancelling one that can be.
func (b *browser) forgetsUnpaid(s source) {
	b.t.Helper()
	deadline := time.Now().Add(15 * time.Second)
	for {
		no := want[struct{ Orderid string }](b.t, b.call("/Film/unpayorder", nil)).Orderid
		if no != "" {
			want[any](b.t, b.call("/Film/unlockseat", map[string]string{"oid": no}))
		}
		b.sims.Default().Clock().Advance(10 * time.Second)
		require.NoError(b.t, b.shop.Orders().RunDue(b.t.Context()))
		a := tryLock(b, s)
		if a.Error == nil {
			got := want[struct{ Orderid string }](b.t, a)
			want[any](b.t, b.call("/Film/unlockseat", map[string]string{"oid": got.Orderid}))
			return
		}
		if time.Now().After(deadline) {
			require.Empty(b.t, a.Error, "%s", a.Msg)
		}
	}
}

// TestProviderFails_WhileIssuing holds that a paid order ends with its tickets and one payment, whatever happens on
// the way.
func TestProviderFails_WhileIssuing(t *testing.T) {
	t.Parallel()
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			h := newHouse(t)
			h.card("8010000000000001", 1_000_000)
			b := h.browser("13811110013").login()
			b.setPassword()
			card := b.bind("8010000000000001")
			op := operationsOf[s.name]
			for _, word := range wireFaults {
				no := s.lock(b, 0)
				h.plan(script.Fault{Provider: op.provider, Operation: op.issue, Do: word, Times: 1})
				want[any](t, b.call("/movie/route/Movie/flkpay", map[string]string{"oid": no, "ka_ids": card, "pass": password}))
				b.holdsTickets(s, b.reaches(no, s.issued))
			}
			h.consistent()
		})
	}
}

// TestPaymentFails plays what the messaging app's payment can do between the prepay and the ticket.
func TestPaymentFails(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	b := h.browser("13811110014").login()
	b.oauth(openID)
	legacy := sources[0]
	for name, f := range map[string]script.Fault{
		"notify lost":               {Operation: "notify", Do: "notify-drop"},
		"notify doubled":            {Operation: "notify", Do: "notify-duplicate", Times: 1},
		"notify badly signed":       {Operation: "notify", Do: "notify-bad-signature", Times: 1},
		"notify with another key":   {Operation: "notify", Do: "notify-wrong-key", Times: 1},
		"notify stale":              {Operation: "notify", Do: "notify-stale", Times: 1},
		"notify of another amount":  {Operation: "notify", Do: "notify-wrong-amount", Times: 1},
		"cancel though paid":        {Operation: "pay", Do: "bridge-cancel-after-pay", Times: 1},
		"query answered badly":      {Operation: "query", Do: "answer-bad-signature", Times: 1},
		"query answers HTML":        {Operation: "query", Do: "html", Times: 1},
		"query hangs, notify is in": {Operation: "query", Do: "hang", Times: 1},
	} {
		f.Provider = "wechat"
		no := legacy.lock(b, 0)
		prepay := b.wxpay(no, "", "")
		h.plan(f)
		h.pay(prepay, "pay")
		b.call("/movie/route/Movie/pay_success", map[string]string{"order_no": no})
		b.reaches(no, legacy.issued)
		h.sims.Default().Faults().Clear()
		require.NotEmpty(t, name)
	}
	no := legacy.lock(b, 0)
	h.pay(b.wxpay(no, "", ""), "cancel")
	a := want[struct{ Orderstatus string }](t, b.call("/movie/route/Movie/pay_success", map[string]string{"order_no": no}))
	require.Equal(t, "N", a.Orderstatus, "nothing was paid, and the order can still be")
	h.pay(b.wxpay(no, "", ""), "pay")
	b.reaches(no, legacy.issued)
	h.consistent()
}

// TestPaymentLate holds that money which arrives after the order ended goes back.
func TestPaymentLate(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	b := h.browser("13811110015").login()
	b.oauth(openID)
	no := lockNewMovie(b, 0)
	prepay := b.wxpay(no, "", "")
	h.plan(script.Fault{Provider: "wechat", Operation: "close", Do: script.Reset})
	h.plan(script.Fault{Provider: "wechat", Operation: "query", Do: script.Reset})
	h.plan(script.Fault{Provider: "wechat", Operation: "notify", Do: "notify-drop"})
	h.pay(prepay, "pay")
	h.sims.Default().Clock().Advance(12 * time.Minute) // the provider's lock is over, and nobody could be asked
	require.NoError(t, h.shop.Orders().RunDue(t.Context()))
	h.sims.Default().Faults().Clear()
	deadline := time.Now().Add(15 * time.Second)
	var status any
	for time.Now().Before(deadline) {
		status = b.order(no).Status
		if status == float64(7) || status == float64(4) {
			break
		}
		h.sims.Default().Clock().Advance(20 * time.Second)
		require.NoError(t, h.shop.Orders().RunDue(t.Context()))
	}
	require.Equal(t, float64(7), status, "no ticket can come of it: the money goes back")
	for time.Now().Before(deadline) {
		d := want[struct {
			Money struct {
				Refunds []struct{ State string }
			} `json:"order"`
		}](t, b.call("/Dyorder/show", map[string]string{"id": no}))
		if len(d.Money.Refunds) == 1 && d.Money.Refunds[0].State == "done" {
			h.consistent()
			return
		}
		h.sims.Default().Clock().Advance(20 * time.Second)
		require.NoError(t, h.shop.Orders().RunDue(t.Context()))
	}
	t.Fatal("the refund did not end")
}
