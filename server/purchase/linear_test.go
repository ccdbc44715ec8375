package purchase_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
)

// seatOp is one call of a buyer on one seat.
type seatOp struct {
	seat string
	user int64
	back bool // the buyer releases the seat; otherwise the buyer takes it
}

// seatModel is the sequential specification of a seat: the state is the id of the buyer that holds it, or 0 if it is
// free.
var seatModel = porcupine.Model{
	Partition: func(history []porcupine.Operation) [][]porcupine.Operation {
		bySeat := map[string][]porcupine.Operation{}
		for _, op := range history {
			seat := op.Input.(seatOp).seat
			bySeat[seat] = append(bySeat[seat], op)
		}
		var parts [][]porcupine.Operation
		for _, part := range bySeat {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any { return int64(0) },
	Step: func(state, input, output any) (bool, any) {
		owner, in := state.(int64), input.(seatOp)
		switch out := output.(string); {
		case in.back:
			return owner == in.user, int64(0)
		case out == "mine":
			return owner == 0, in.user
		default: // taken
			return owner != 0, owner
		}
	},
	Equal: func(a, b any) bool { return a == b },
}

// holdRounds is how often each of the 24 buyers of TestHolds_AreLinearizable takes a seat. make model sets it so that
// there are 100,000 operations.
var holdRounds = flag.Int("hold.rounds", 60, "rounds of each buyer in TestHolds_AreLinearizable")

// Many buyers take and release a few seats in parallel. The provider does not reject taken seats and often fails. The
// results of the calls must be possible in some sequential order of the calls.
func TestHolds_AreLinearizable(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Blind = true
	const buyers = 24
	var mu sync.Mutex
	var history []porcupine.Operation
	start := time.Now()
	record := func(client int, in seatOp, call time.Duration, out string) {
		mu.Lock()
		defer mu.Unlock()
		history = append(history, porcupine.Operation{ClientId: client, Input: in, Call: int64(call), Output: out,
			Return: int64(time.Since(start))})
	}
	var wg sync.WaitGroup
	for c := range buyers {
		wg.Go(func() {
			ctx, user, dice := context.Background(), int64(c+1), rand.New(rand.NewPCG(1, uint64(c)))
			for range *holdRounds {
				seat := fmt.Sprintf("1-%d", dice.IntN(4)+1)
				switch dice.IntN(8) {
				case 0:
					s.source.On(purchasetest.Plan{Op: "lock", Err: fault.ErrUnavailable})
				case 1:
					s.source.On(purchasetest.Plan{Op: "unlock", Err: fault.ErrUnknown})
				}
				call := time.Since(start)
				o, err := s.Seating.LockSeats(ctx, user, seatRequest(seat))
				switch {
				case errors.Is(err, order.ErrSeatTaken), errors.Is(err, seating.ErrSeatsReturning):
					// the source is blind: another order had the seat
					record(c, seatOp{seat, user, false}, call, "taken")
					continue
				case fault.KindOf(err) == fault.Unavailable && err != nil:
					// the seat was held during the call of the provider and then released: a take and a release
					record(c, seatOp{seat, user, false}, call, "mine")
					record(c, seatOp{seat, user, true}, call, "")
					continue
				case err != nil:
					t.Error(err)
					return
				}
				record(c, seatOp{seat, user, false}, call, "mine")
				call = time.Since(start)
				if err := s.Checkout.Canceller.Cancel(ctx, user, o.No); err != nil {
					t.Error(err)
					return
				}
				record(c, seatOp{seat, user, true}, call, "")
			}
		})
	}
	wg.Wait()
	t.Logf("%d operations", len(history))
	require.True(t, porcupine.CheckOperations(seatModel, history))
	s.verifyBooks(t)

	// the control: a history in which two buyers hold the same seat is not linearizable
	invalid := append([]porcupine.Operation(nil), history...)
	last := int64(time.Since(start))
	for i, user := range []int64{100, 101} {
		invalid = append(invalid, porcupine.Operation{ClientId: 100 + i, Input: seatOp{"9-9", user, false},
			Call: last + int64(i), Output: "mine", Return: last + int64(i)})
	}
	require.False(t, porcupine.CheckOperations(seatModel, invalid))
}
