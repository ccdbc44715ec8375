package purchase_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/checkout"
	"marquee/server/fault"
	"marquee/server/fulfilment"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
)

// modelRounds is how many random histories TestModel_RandomCommandsKeepTheBooks tries on each engine, unless
// -rapid.checks sets another number, as make model does. A failure prints its seed.
const modelRounds = "40"

// modelRun is a shop under random commands, with three buyers that have two cards each, and providers that fail
// randomly.
type modelRun struct {
	*shop
	t       tb
	cards   map[int64][]int64
	given   money.Points
	trades  []string
	notices []order.Trade
	steps   int
}

const buyers = 3

// plannedErrors are the errors that plan draws from; nil is success.
var plannedErrors = []error{nil, nil, fault.ErrUnknown, fault.ErrUnavailable, order.ErrSeatTaken}

func newModelRun(t tb, path string) *modelRun {
	w := &modelRun{shop: newShopAt(t, path), t: t, cards: map[int64][]int64{}}
	for user := int64(1); user <= buyers; user++ {
		for _, points := range []money.Points{1500, 60_000} {
			w.cards[user] = append(w.cards[user], w.giveCard(t, user, points))
			w.given += points
		}
	}
	return w
}

// pick returns the buyer's order that a command acts on: the unpaid one, or the last one.
func (w *modelRun) pick(user int64) (order.Order, bool) {
	p, err := w.Orders.List(w.t.Context(), user, order.TabAll, 1, 1)
	require.NoError(w.t, err)
	if len(p.Orders) == 0 {
		return order.Order{}, false
	}
	return p.Orders[0], true
}

// drawBuyer draws the id of a buyer.
func drawBuyer(r *rapid.T) int64 { return rapid.Int64Range(1, buyers).Draw(r, "buyer") }

// plan draws the outcome of the next call of an operation.
func (w *modelRun) plan(r *rapid.T, s *purchasetest.Plans, op string) {
	s.Forget(op)
	if err := rapid.SampledFrom(plannedErrors).Draw(r, "failure of "+op); err != nil {
		s.On(purchasetest.Plan{Op: op, Err: err, Acted: fault.KindOf(err) == fault.Unknown &&
			rapid.Bool().Draw(r, "acted")})
	}
}

func (w *modelRun) commands() map[string]func(*rapid.T) {
	ctx := w.t.Context()
	return map[string]func(*rapid.T){
		"lock": func(r *rapid.T) {
			row, col := rapid.IntRange(1, 2).Draw(r, "row"), rapid.IntRange(1, 3).Draw(r, "col")
			w.plan(r, &w.source.Plans, "lock")
			_, _ = w.Seating.LockSeats(ctx, drawBuyer(r), seating.LockSeats{
				Mobile: mobile,
				Source: catalog.Legacy, ShowID: show, SeatIDs: []string{fmt.Sprintf("%d-%d", row, col),
					fmt.Sprintf("%d-%d", row, col+1)},
			})
		},
		"pay with cards": func(r *rapid.T) {
			u := drawBuyer(r)
			if o, ok := w.pick(u); ok {
				_, _ = w.Checkout.Payer.PayWithCards(ctx, u, o.No, w.cards[u], purchasetest.Password)
			}
		},
		"pay in the app": func(r *rapid.T) {
			u := drawBuyer(r)
			o, ok := w.pick(u)
			if !ok {
				return
			}
			w.plan(r, &w.gateway.Plans, "prepay")
			ids := w.cards[u][:rapid.IntRange(0, 1).Draw(r, "cards")]
			_, _ = w.Checkout.Payer.PayWithApp(ctx, u, checkout.PayWithApp{OrderNo: o.No, CardIDs: ids,
				Password: purchasetest.Password, OpenID: purchasetest.OpenID(u)})
			for attempt := 1; attempt <= 4; attempt++ {
				w.trades = append(w.trades, order.OutTradeNo(o.No, attempt))
			}
		},
		"the buyer pays": func(r *rapid.T) {
			if len(w.trades) > 0 {
				if n, ok := w.gateway.Pay(rapid.SampledFrom(w.trades).Draw(r, "trade")); ok {
					w.notices = append(w.notices, n)
				}
			}
		},
		"a notification arrives": func(r *rapid.T) {
			if len(w.notices) > 0 {
				n := rapid.SampledFrom(w.notices).Draw(r, "notification")
				if rapid.IntRange(0, 4).Draw(r, "tampered") == 0 {
					n.Amount++
				}
				_ = w.Checkout.Trades.Capture(ctx, n)
			}
		},
		"confirm": func(r *rapid.T) {
			u := drawBuyer(r)
			if o, ok := w.pick(u); ok {
				w.plan(r, &w.gateway.Plans, "query")
				_, _ = w.Checkout.Payer.Confirm(ctx, u, o.No)
			}
		},
		"cancel": func(r *rapid.T) {
			u := drawBuyer(r)
			if o, ok := w.pick(u); ok {
				w.plan(r, &w.gateway.Plans, "close")
				w.plan(r, &w.source.Plans, "unlock")
				_ = w.Checkout.Canceller.Cancel(ctx, u, o.No)
			}
		},
		"time passes": func(r *rapid.T) {
			w.plan(r, &w.source.Plans, "issue")
			w.plan(r, &w.source.Plans, "query")
			w.plan(r, &w.gateway.Plans, "refund")
			w.runDueJobsAfter(w.t, time.Duration(rapid.SampledFrom([]int{0, 3, 20, 70, 400, 900, 1100}).Draw(r,
				"seconds"))*time.Second)
		},
		"the source is slow": func(r *rapid.T) { w.source.Slow = rapid.Bool().Draw(r, "slow") },
		"the source issues":  func(*rapid.T) { w.source.DeliverAll() },
		"the cinema cancels and an operator refunds": func(r *rapid.T) {
			o, ok := w.pick(drawBuyer(r))
			if !ok || w.state(w.t, o) != order.Issued {
				return
			}
			w.source.Drop(o.No)
			voided := rapid.Bool().Draw(r, "voided")
			w.source.Forget("query")
			require.NoError(w.t, w.Fulfilment.RefundOrder(ctx, o.No, "停映", voided, "admin:1"))
			require.ErrorIs(w.t, w.Fulfilment.RefundOrder(ctx, o.No, "停映", voided, "admin:1"),
				fulfilment.ErrAlreadyRefunded)
		},
		"an operator refunds": func(r *rapid.T) {
			if o, ok := w.pick(drawBuyer(r)); ok {
				w.plan(r, &w.source.Plans, "query")
				_ = w.Fulfilment.RefundOrder(ctx, o.No, "无法出票", false, "admin:1")
			}
		},
		"the show begins": func(r *rapid.T) {
			if w.steps > 20 && rapid.IntRange(0, 9).Draw(r, "soon") == 0 {
				w.runDueJobsAfter(w.t, 4*time.Hour)
			}
		},
		"the gateway reports nothing until a trade has ended": func(r *rapid.T) {
			u := drawBuyer(r)
			_, _ = w.Seating.LockSeats(ctx, u, seating.LockSeats{Mobile: mobile, Source: catalog.Legacy, ShowID: show,
				SeatIDs: []string{fmt.Sprintf("5-%d", rapid.IntRange(1, 3).Draw(r, "col"))}})
			o, ok := w.pick(u)
			if !ok {
				return
			}
			_, _ = w.Checkout.Payer.PayWithApp(ctx, u, checkout.PayWithApp{OrderNo: o.No,
				CardIDs: w.cards[u][:rapid.IntRange(0, 1).Draw(r, "cards")], Password: purchasetest.Password,
				OpenID: purchasetest.OpenID(u)})
			w.silenceGateway()
			for attempt := 1; attempt <= 4 && rapid.Bool().Draw(r, "paid"); attempt++ {
				w.gateway.Pay(order.OutTradeNo(o.No, attempt))
			}
			w.runDueJobsAfter(w.t, 18*time.Minute)
		},
		"the gateway reports again": func(*rapid.T) {
			w.gateway.Forget("query")
			w.gateway.Forget("close")
		},
		"jobs of a new server": func(*rapid.T) {
			require.NoError(w.t, w.secondServer(w.t).Jobs.RunDue(ctx))
		},
		"": func(*rapid.T) {
			if w.steps++; w.steps%4 == 0 {
				for _, check := range w.discrepancies(w.t) {
					require.Equal(w.t, "payment_is_known", check,
						"an unknown payment is the only thing that may be reported")
				}
			}
		},
	}
}

// finishAndVerify removes all plans, runs the jobs until every order has ended, and checks that money, points and seats
// balance.
func (w *modelRun) finishAndVerify() {
	w.source.Clear()
	w.gateway.Clear()
	w.source.Slow = false
	w.runDueJobsAfter(w.t, 0)
	w.source.DeliverAll()
	for _, d := range []time.Duration{0, time.Minute, 20 * time.Minute, time.Minute, time.Hour, time.Hour} {
		w.runDueJobsAfter(w.t, d)
	}
	w.verifyBooks(w.t)
	require.Zero(w.t, w.count(w.t, `SELECT count(*) FROM orders WHERE state NOT IN ('ISSUED', 'REFUNDED',
		'ISSUE_FAILED', 'CANCELLED', 'EXPIRED', 'ABANDONED')`))
	left := money.Points(0)
	for u := int64(1); u <= buyers; u++ {
		list, err := w.shop.cards.List(w.t.Context(), u, cards.AllUsable)
		require.NoError(w.t, err)
		for _, c := range list {
			left += c.Balance
			require.Zero(w.t, c.Held)
		}
	}
	paid, refunded := w.gateway.Money()
	manual := w.count(w.t, `SELECT coalesce(sum(amount), 0) FROM refunds WHERE state = 'manual'`)
	sold := w.count(w.t, `SELECT coalesce(sum(total), 0) FROM orders WHERE state = 'ISSUED'`)
	require.Equal(w.t, sold+manual, int(paid-refunded)+int(w.given-left), "captured = revenue + refunds + in flight")
	if starts := purchasetest.NewClock().Now().Add(4 * time.Hour); !w.clock.Now().Before(starts) {
		w.source.EndLocks() // nothing is unlocked any more once the show has begun
	}
	tickets := w.count(w.t, `SELECT coalesce(sum(seats), 0) FROM orders WHERE state = 'ISSUED'`)
	require.Equal(w.t, tickets, w.source.Taken(show))
	w.requireNoDifferences(w.t)
}

func TestModel_RandomCommandsKeepTheBooks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		w := newModelRun(r, newDatabase(r))
		r.Repeat(w.commands())
		w.finishAndVerify()
	})
}
