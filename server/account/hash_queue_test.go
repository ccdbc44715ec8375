package account

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestHashQueue_BuyersTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newHashQueue(1)
		require.NoError(t, q.acquire(t.Context(), 1))
		var mu sync.Mutex
		var order []string
		for _, request := range []struct {
			buyer int64
			name  string
		}{{1, "1a"}, {1, "1b"}, {1, "1c"}, {2, "2a"}, {2, "2b"}, {3, "3a"}} {
			go func() {
				require.NoError(t, q.acquire(t.Context(), request.buyer))
				mu.Lock()
				order = append(order, request.name)
				mu.Unlock()
				time.Sleep(25 * time.Millisecond) // the hash; the time in the bubble is fake
				q.release(request.buyer)
			}()
			synctest.Wait()
		}
		require.ErrorIs(t, q.acquire(t.Context(), 1), ErrPasswordBusy, "three requests of one buyer wait")
		q.release(1)
		time.Sleep(time.Second)
		synctest.Wait()
		require.Equal(t, []string{"2a", "3a", "1a", "2b", "1b", "1c"}, order)
		require.Empty(t, q.buyers)
		require.Equal(t, 1, q.free)
		require.Equal(t, waitingPerCore, q.room)
	})
}

func TestHashQueue_IsBoundedAndARequestThatEndsLeaves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := newHashQueue(2)
		require.NoError(t, q.acquire(t.Context(), 1))
		require.NoError(t, q.acquire(t.Context(), 2))
		ctx, leave := context.WithCancel(t.Context())
		var left atomic.Int32
		for i := range 2 * waitingPerCore {
			go func() {
				if q.acquire(ctx, int64(i+3)) != nil {
					left.Add(1)
				}
			}()
		}
		synctest.Wait()
		err := q.acquire(t.Context(), 100)
		require.ErrorIs(t, err, ErrPasswordBusy)
		require.Positive(t, ErrPasswordBusy.RetryAfter)
		require.Len(t, q.buyers, 2+2*waitingPerCore, "a rejected buyer is forgotten")
		leave()
		synctest.Wait()
		require.EqualValues(t, 2*waitingPerCore, left.Load())
		go func() { require.NoError(t, q.acquire(t.Context(), 100)) }()
		synctest.Wait()
		q.release(1)
		synctest.Wait()
		q.release(100)
		q.release(2)
		require.Empty(t, q.buyers)
		require.Equal(t, 2, q.free)
	})
}

// Requests end at random moments, also when their turn has just come. No core is lost, and none is used twice.
func TestHashQueue_LosesNoCore(t *testing.T) {
	t.Parallel()
	const cores = 2
	q := newHashQueue(cores)
	var running atomic.Int32
	perBuyer := [5]atomic.Int32{}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 200 {
				buyer := rand.Int64N(int64(len(perBuyer)))
				ctx, cancel := context.WithCancel(t.Context())
				go cancel()
				if q.acquire(ctx, buyer) != nil {
					continue
				}
				if n := running.Add(1); n > cores {
					t.Error(fmt.Sprint(n, " hashes at once"))
				}
				if n := perBuyer[buyer].Add(1); n > 1 {
					t.Error(fmt.Sprint(n, " hashes of one buyer at once"))
				}
				perBuyer[buyer].Add(-1)
				running.Add(-1)
				q.release(buyer)
			}
		})
	}
	wg.Wait()
	require.Empty(t, q.buyers)
	require.Empty(t, q.waiting)
	require.Equal(t, cores, q.free)
	require.Equal(t, cores*waitingPerCore, q.room)
}
