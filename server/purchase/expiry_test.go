package purchase_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/checkout"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
)

// rejections quotes an order for the card, requests its payment in the app, and looks for it as the unpaid-order check
// does. It returns the code of each error, or "" if there is none.
func (s *shop) rejections(t *testing.T, o order.Order, card int64) (codes map[string]string) {
	t.Helper()
	_, quoted := s.Checkout.Payer.Quote(t.Context(), o.UserID, o.No, []int64{card})
	_, announced := s.Checkout.Payer.PayWithApp(t.Context(), o.UserID, checkout.PayWithApp{
		OrderNo: o.No, OpenID: purchasetest.OpenID(o.UserID),
	})
	_, unpaid, err := s.Orders.Unpaid(t.Context(), o.UserID)
	require.NoError(t, err)
	codes = map[string]string{"quote": codeOf(quoted), "app": codeOf(announced), "unpaid-order check": ""}
	if !unpaid {
		codes["unpaid-order check"] = order.ErrOrderExpired.Code
	}
	return codes
}

// codeOf returns the code of a fault, or "" for nil.
func codeOf(err error) string {
	if err == nil {
		return ""
	}
	return fault.Of(err).Code
}

// The end of the countdown that the buyer sees is the time from which every payment is rejected, whatever ends first.
func TestExpiry_IsWhenPaymentEnds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		startsIn, closesIn, lockFor, want time.Duration
	}{
		"a show tomorrow":                  {24 * time.Hour, 0, 20 * time.Minute, 15 * time.Minute},
		"the lock of the legacy source":    {24 * time.Hour, 0, 15 * time.Minute, 13*time.Minute + 30*time.Second},
		"the lock of newmovie":             {24 * time.Hour, 0, 10 * time.Minute, 8*time.Minute + 30*time.Second},
		"29 minutes before the start":      {29 * time.Minute, 0, 20 * time.Minute, 14 * time.Minute},
		"24 minutes before, newmovie":      {24 * time.Minute, 0, 10 * time.Minute, 8*time.Minute + 30*time.Second},
		"20 minutes before, newmovie":      {20 * time.Minute, 0, 10 * time.Minute, 5 * time.Minute},
		"the cinema closes the sale early": {4 * time.Hour, 7 * time.Minute, 15 * time.Minute, 7 * time.Minute},
		"a closing time behind the stop":   {20 * time.Minute, 10 * time.Minute, 15 * time.Minute, 5 * time.Minute},
		"a closing time after the start":   {20 * time.Minute, time.Hour, 15 * time.Minute, 5 * time.Minute},
		"a quarter of a second later": {17*time.Minute + 250*time.Millisecond, 0, 15 * time.Minute,
			2 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			s.source.LockFor = c.lockFor
			hall := s.source.AddShow(catalog.Legacy, show, c.startsIn, 4, 4, price)
			if c.closesIn != 0 {
				s.source.CloseSale(show, c.closesIn)
			}
			locked := s.clock.Now()
			card := s.giveCard(t, 7, 10_000)
			o := s.lock(t, 7, "1-1")
			assert.Equal(t, c.want, o.ExpiresAt.Sub(locked))

			s.clock.Advance(o.ExpiresAt.Sub(locked) - time.Second)
			none := map[string]string{"quote": "", "app": "", "unpaid-order check": ""}
			assert.Equal(t, none, s.rejections(t, o, card), "a second before the expiry")
			s.clock.Advance(time.Second)
			expired := order.ErrOrderExpired.Code
			all := map[string]string{"quote": expired, "app": expired, "unpaid-order check": expired}
			assert.Equal(t, all, s.rejections(t, o, card), "at the expiry")
			_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
			assert.ErrorIs(t, err, order.ErrOrderExpired)
			assert.False(t, o.ExpiresAt.After(hall.Show.Starts.Add(-durations.StopSale)))
			s.runDueJobsAfter(t, 0)
			assert.Equal(t, order.Expired, s.state(t, o))
		})
	}
}

// Payments of the last second, with cards and in the app, leave the source time to issue within its lock.
func TestExpiry_LeavesTheSourceTimeToIssue(t *testing.T) {
	t.Parallel()
	for name, inApp := range map[string]bool{"with cards": false, "in the app": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			s.source.LockFor = 10 * time.Minute
			card := s.giveCard(t, 7, 10_000)
			lockEnds := s.clock.Now().Add(s.source.LockFor)
			o := s.lock(t, 7, "1-1")
			s.clock.Advance(o.ExpiresAt.Sub(s.clock.Now()) - time.Second)
			if inApp {
				trade := s.openAppPayment(t, o)
				payments, err := s.db.Orders().Payments(t.Context(), o.No)
				require.NoError(t, err)
				leg, _ := payments[0].App()
				assert.GreaterOrEqual(t, leg.ExpiresAt.Sub(s.clock.Now()), durations.ShortestTrade)
				assert.GreaterOrEqual(t, lockEnds.Sub(leg.ExpiresAt), 30*time.Second)
				s.pay(t, trade) // its notification is lost: the expiry queries the gateway
			} else {
				s.payWithCard(t, o, card)
			}
			s.runDueJobsAfter(t, time.Second)
			s.runDueJobsAfter(t, 0)
			s.runDueJobsAfter(t, 3*time.Second)
			assert.Equal(t, order.Issued, s.state(t, o))
			assert.True(t, s.clock.Now().Before(lockEnds))
		})
	}
}

// An app payment of the last minute is closed with its order, although its trade would live longer.
func TestExpiry_ClosesTheTradeOfTheLastMinute(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	s.clock.Advance(o.ExpiresAt.Sub(s.clock.Now()) - time.Second)
	trade := s.openAppPayment(t, o)
	s.runDueJobsAfter(t, time.Second)
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Expired, s.state(t, o))
	assert.Equal(t, order.TradeClosed, s.gateway.TradeState(trade))
}

func TestLock_TooLateToPay(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.AddShow(catalog.Legacy, "soon", 17*time.Minute-time.Second, 4, 4, price)
	s.source.AddShow(catalog.Legacy, "closing", 4*time.Hour, 4, 4, price)
	s.source.CloseSale("closing", 2*time.Minute-time.Second)
	for _, id := range []string{"soon", "closing"} {
		_, err := s.Seating.LockSeats(t.Context(), 7, seating.LockSeats{
			Mobile: mobile,
			Source: catalog.Legacy, ShowID: id, SeatIDs: []string{"1-1"},
		})
		assert.ErrorIs(t, err, order.ErrTooLateToPay, id)
	}
	assert.Zero(t, s.source.Calls("lock"), "the source must not be asked")
	s.lock(t, 7, "1-1") // nothing is left over
}

// A lock that the source grants for too short a time is unlocked and rejected, also when its key is repeated.
func TestLock_TooShortALock(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.LockFor = 2 * time.Minute
	req := seating.LockSeats{Mobile: mobile, Source: catalog.Legacy, ShowID: show, SeatIDs: []string{"1-1"}, Key: "tap"}
	for range 2 {
		_, err := s.Seating.LockSeats(t.Context(), 7, req)
		assert.ErrorIs(t, err, order.ErrTooLateToPay)
	}
	s.runDueJobsAfter(t, 0)
	assert.Zero(t, s.source.Taken(show))
	assert.Equal(t, 1, s.source.Calls("lock"))
}
