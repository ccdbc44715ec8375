package admission

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestGate_ShedsBrowsingThenStartingAndNeverPaying(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := New(Limits{Browsing: 2, Starting: 3, Wait: time.Second}, nil)
		admitted := func(c Class) bool { return g.enter(t.Context(), c) }
		require.True(t, admitted(Paying))
		require.True(t, admitted(Browsing))
		require.False(t, admitted(Browsing), "payments count")
		require.True(t, admitted(Starting))
		require.False(t, admitted(Starting))
		for range 100 {
			require.True(t, admitted(Paying))
		}
		require.False(t, admitted(Starting))
	})
}

func TestGate_ARequestWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := New(Limits{Browsing: 1, Starting: 1, Wait: time.Second}, nil)
		require.True(t, g.enter(t.Context(), Paying))
		var mu sync.Mutex
		var order []Class
		enter := func(c Class) {
			if g.enter(t.Context(), c) {
				mu.Lock()
				defer mu.Unlock()
				order = append(order, c)
			}
		}
		go enter(Browsing)
		synctest.Wait()
		go enter(Starting)
		synctest.Wait()
		require.False(t, g.enter(t.Context(), Browsing), "the queue is full")
		time.Sleep(999 * time.Millisecond)
		g.leave()
		synctest.Wait()
		require.Equal(t, []Class{Starting}, order, "the higher class first")
		time.Sleep(2 * time.Millisecond)
		g.leave()
		synctest.Wait()
		require.Equal(t, []Class{Starting}, order, "the other one has waited for too long")
		require.True(t, g.enter(t.Context(), Browsing), "and its place is free again")
	})
}

func TestGate_ARequestWhoseClientIsGoneLeavesTheQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := New(Limits{Browsing: 1, Starting: 1, Wait: time.Second}, nil)
		require.True(t, g.enter(t.Context(), Browsing))
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan bool)
		go func() { gone <- g.enter(ctx, Browsing) }()
		synctest.Wait()
		cancel()
		require.False(t, <-gone)
		next := make(chan bool)
		go func() { next <- g.enter(t.Context(), Browsing) }()
		synctest.Wait()
		g.leave()
		require.True(t, <-next)
	})
}

// However requests come and go, no place is lost or given twice.
func TestGate_KeepsItsCount(t *testing.T) {
	t.Parallel()
	g := New(Limits{Browsing: 4, Starting: 8, Wait: time.Millisecond}, nil)
	var requests sync.WaitGroup
	for i := range 64 {
		requests.Go(func() {
			for range 200 {
				if g.enter(t.Context(), Class(i%3)) {
					g.leave()
				}
			}
		})
	}
	requests.Wait()
	require.Zero(t, g.busy)
	require.Empty(t, g.waiting[Browsing])
	require.Empty(t, g.waiting[Starting])
}
