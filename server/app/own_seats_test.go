package app_test

import (
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/durations"
	"marquee/simulators/faults"
)

// However a lock fails at either provider, the buyer's map shows the seats as free, even while the provider still holds
// them, and the buyer can lock them again.
func TestOwnSeats_OfAFailedLock(t *testing.T) {
	t.Parallel()
	for _, source := range []struct {
		name, provider, lock, unlock string
		choose                       func(b *buyer) (lock func(extra params) harness.Answer, free func(b *buyer) bool)
	}{
		{"legacy", "gateway", "seat.lock", "seat.unlock", legacySeatToLock},
		{"newmovie", "newmovie", "order/lock", "order/cancel", newMovieSeatToLock},
	} {
		for _, c := range []struct {
			do, want string
			holds    bool // the provider locks the seats
		}{
			{"price-changed", "price_changed", true},
			{faults.ActThenReset, "lock_unanswered", true},
			{faults.Malformed, "lock_unanswered", true},
			{faults.Truncate, "lock_unanswered", true},
			{faults.Status, "lock_unanswered", false},
			{faults.Reset, "lock_unanswered", false},
		} {
			t.Run(source.name+"/"+c.do, func(t *testing.T) {
				t.Parallel()
				h := newTestShop(t)
				b, other := h.newBuyer("13811110081").login(), h.newBuyer("13811110082").login()
				lock, free := source.choose(b)
				b.PlanFaults(
					faults.Fault{Provider: source.provider, Operation: source.lock, Do: c.do, Times: 1},
					faults.Fault{Provider: source.provider, Operation: source.unlock, Do: faults.Status, Times: 99})
				failed := lock(nil)
				requireFault(t, failed, c.want)
				require.True(t, free(b), "no other buyer has the seat")
				if c.holds {
					require.False(t, free(other), "the provider holds it")
				}
				b.Sims.Default().Faults().Clear()
				again := params{}
				if c.want == "price_changed" {
					again["acceptedTotal"] = "99900"
				}
				// A worker may be trying to unlock the seats at this moment, still with the fault: the buyer is asked to
				// try again. The worker's next try comes later than this test waits.
				var locked harness.Answer
				require.Eventually(t, func() bool {
					locked = lock(again)
					return locked.Error != "seats_returning"
				}, durations.FirstRetry-time.Second, 10*time.Millisecond)
				require.NotEmpty(t, orderNo(t, locked))
			})
		}
	}
}

// with returns the form with more fields.
func with(form, extra params) params {
	all := maps.Clone(form)
	maps.Copy(all, extra)
	return all
}

func legacySeatToLock(b *buyer) (func(params) harness.Answer, func(*buyer) bool) {
	opiid, seats := b.legacyShowingTomorrow()
	id := ""
	for _, seat := range seats {
		if seat.Status == 1 && seat.Flag == 0 {
			id = seat.ID
			break
		}
	}
	form := b.legacyLockForm(opiid, id)
	lock := func(extra params) harness.Answer { return b.call("/Film/lockseat", with(form, extra)) }
	free := func(who *buyer) bool {
		hall := dataOf[struct {
			Seats []legacySeat `json:"seatList"`
		}](who.T, who.call("/movie/route", params{"method": "opi.seat", "opiid": opiid}))
		for _, seat := range hall.Seats {
			if seat.ID == id {
				return seat.Status == 1
			}
		}
		return false
	}
	return lock, free
}

func newMovieSeatToLock(b *buyer) (func(params) harness.Answer, func(*buyer) bool) {
	session, seats := b.newmovieSessionTomorrow()
	id := ""
	for _, seat := range seats {
		if seat.ordinary() {
			id = seat.ID
			break
		}
	}
	lock := func(extra params) harness.Answer {
		return b.call("/newmovie/seat/lock", with(params{"sessionId": session, "seatIds": id}, extra))
	}
	free := func(who *buyer) bool {
		for _, seat := range who.newmovieSeats(session) {
			if seat.ID == id {
				return seat.ordinary()
			}
		}
		return false
	}
	return lock, free
}
