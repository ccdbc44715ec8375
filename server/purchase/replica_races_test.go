package purchase_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/checkout"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
)

// race is a buyer with two cards and a locked seat. Two servers on one database work on them at the same time.
type race struct {
	name       string
	buyer      account.User
	rich, poor int64 // cards of 200 and of 10 points
	seat       string
	order      order.Order
	paid       order.Trade // its trade at the gateway; empty if the race starts before a payment
	errs       [2]error
}

const (
	richPoints money.Points = 200_00
	poorPoints money.Points = 10_00
	otherShow               = "show-2"
)

// newRace arranges the nth race of a scene. With paying, the buyer has paid the rest after the poor card in the
// messaging app, and the gateway's notification is on its way.
func newRace(t *testing.T, s *shop, n int, name string, paying bool) *race {
	t.Helper()
	buyer, err := s.db.Accounts().EnsureUser(t.Context(), fmt.Sprintf("1380013%04d", n), s.clock.Now())
	require.NoError(t, err)
	r := &race{name: name, buyer: buyer, seat: fmt.Sprintf("%d-%d", n/10+1, n%10+1)}
	r.rich, r.poor = s.giveCard(t, buyer.ID, richPoints), s.giveCard(t, buyer.ID, poorPoints)
	r.order = s.lock(t, buyer.ID, r.seat)
	if paying {
		r.paid = s.pay(t, s.openAppPayment(t, r.order, r.poor))
	}
	return r
}

// raceSteps are what a buyer, the gateway, a worker and an operator do to the order and the cards of a race.
var raceSteps = map[string]func(t *testing.T, s *shop, r *race) error{
	"pay with cards": func(t *testing.T, s *shop, r *race) error {
		_, err := s.Checkout.Payer.PayWithCards(t.Context(), r.buyer.ID, r.order.No, []int64{r.rich},
			purchasetest.Password)
		return err
	},
	"pay in the app": func(t *testing.T, s *shop, r *race) error {
		_, err := s.Checkout.Payer.PayWithApp(t.Context(), r.buyer.ID, checkout.PayWithApp{
			OrderNo: r.order.No, CardIDs: []int64{r.poor}, Password: purchasetest.Password,
			OpenID: purchasetest.OpenID(r.buyer.ID),
		})
		return err
	},
	"cancel": func(t *testing.T, s *shop, r *race) error {
		return s.Checkout.Canceller.Cancel(t.Context(), r.buyer.ID, r.order.No)
	},
	"notify": func(t *testing.T, s *shop, r *race) error {
		if r.paid.OutTradeNo == "" {
			return nil
		}
		return s.Checkout.Trades.Capture(t.Context(), r.paid)
	},
	"confirm": func(t *testing.T, s *shop, r *race) error {
		_, err := s.Checkout.Payer.Confirm(t.Context(), r.buyer.ID, r.order.No)
		return err
	},
	"work": func(t *testing.T, s *shop, _ *race) error { return s.Jobs.RunDue(t.Context()) },
	"merge": func(t *testing.T, s *shop, r *race) error {
		both := []int64{r.rich, r.poor}
		shown, err := s.cards.CheckMerge(t.Context(), r.buyer.ID, both, cards.SuperCard)
		if err == nil {
			_, err = s.cards.Merge(t.Context(), r.buyer.ID, both, cards.SuperCard, shown.Code)
		}
		return err
	},
	"deduct": func(t *testing.T, s *shop, r *race) error {
		_, err := s.issuer.Adjust(t.Context(), cards.Adjustment{
			Key: "deduct " + r.seat, CardID: r.rich, Points: -richPoints, Reason: "更正", Actor: "admin:li",
		})
		return err
	},
	"delete the card": func(t *testing.T, s *shop, r *race) error {
		return s.cards.Delete(t.Context(), r.buyer.ID, r.poor)
	},
	"close the account": func(t *testing.T, s *shop, r *race) error {
		return s.closeAccount(t, r.buyer, richPoints+poorPoints)
	},
	"lock another seat": func(t *testing.T, s *shop, r *race) error {
		_, err := s.Seating.LockSeats(t.Context(), r.buyer.ID, seating.LockSeats{
			Mobile: mobile,
			Source: catalog.Legacy, ShowID: otherShow, SeatIDs: []string{r.seat},
		})
		return err
	},
}

// Whatever two servers do at the same time to one order and its cards, no money and no points are lost or doubled, the
// seat is sold once or released, and each error is one of the shop's faults.
func TestReplicas_EveryPairOfStepsAtOnce(t *testing.T) {
	t.Parallel()
	for scene, paying := range map[string]bool{"locked": false, "paid at the gateway": true} {
		t.Run(scene, func(t *testing.T) {
			t.Parallel()
			a := newShop(t)
			a.source.AddShow(catalog.Legacy, otherShow, 4*time.Hour, 10, 10, price)
			b := a.replica(t)
			var races []*race
			for first, onA := range raceSteps {
				for second, onB := range raceSteps {
					if first > second {
						continue // the servers are equal
					}
					r := newRace(t, a, len(races), first+", "+second, paying)
					races = append(races, r)
					var wg sync.WaitGroup
					wg.Go(func() { r.errs[0] = onA(t, a, r) })
					wg.Go(func() { r.errs[1] = onB(t, b, r) })
					wg.Wait()
				}
			}
			for _, later := range []time.Duration{0, 5 * time.Second, time.Minute, durations.PayWithin, time.Hour,
				time.Hour} {
				a.runDueJobsAfter(t, later)
				b.runDueJobsAfter(t, 0)
			}
			verifyRaces(t, b, races)
		})
	}
}

// verifyRaces compares the gateway's money and the points with the orders, and lets other buyers lock the seats that
// were not sold.
func verifyRaces(t *testing.T, s *shop, races []*race) {
	t.Helper()
	s.verifyBooks(t)
	var cost money.Fen
	for i, r := range races {
		for _, err := range r.errs {
			if err != nil {
				assert.NotEqual(t, fault.Internal, fault.KindOf(err), "%s: %v", r.name, err)
			}
		}
		sold := s.count(t, `SELECT count(*) FROM seat_holds WHERE seat_id = $1 AND show_id = $2 AND state = 'sold'`,
			r.seat, show)
		if s.state(t, r.order) == order.Issued {
			cost += r.order.Total
			assert.Equal(t, 1, sold, r.name)
			continue
		}
		assert.Zero(t, sold, r.name)
		s.lock(t, int64(10_000+i), r.seat)
	}
	byCards := s.count(t, `SELECT coalesce(sum(l.captured), 0) FROM legs l JOIN orders o ON o.order_no = l.order_no
		WHERE l.kind = 'card' AND o.state = 'ISSUED'`)
	in, back := s.gateway.Money()
	assert.Equal(t, cost, in-back+money.Fen(byCards), "what the issued orders cost")
	assert.NotZero(t, cost)
}
