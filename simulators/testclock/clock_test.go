package testclock_test

import (
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/testclock"
)

func TestAdvance_FiresTimersInOrderAtTheirOwnTimes(t *testing.T) {
	t.Parallel()
	clock := testclock.New()
	start := clock.Now()
	var fired []string
	at := map[string]time.Duration{}
	note := func(name string) func() {
		return func() {
			fired = append(fired, name)
			at[name] = clock.Now().Sub(start)
		}
	}
	clock.AfterFunc(3*time.Hour, note("third"))
	clock.AfterFunc(time.Hour, func() {
		note("first")()
		clock.AfterFunc(time.Hour, note("second, set on the way"))
	})
	clock.AfterFunc(5*time.Hour, note("later"))
	clock.Advance(4 * time.Hour)

	assert.Equal(t, []string{"first", "second, set on the way", "third"}, fired)
	assert.InDelta(t, time.Hour, at["first"], float64(time.Second))
	assert.InDelta(t, 2*time.Hour, at["second, set on the way"], float64(time.Second))
	assert.InDelta(t, 4*time.Hour, clock.Now().Sub(start), float64(time.Second))
}

func TestAfterFunc_FiresAsRealTimePassesAndAfterAnAdvance(t *testing.T) {
	t.Parallel()
	clock := testclock.New()
	fired := make(chan struct{})
	clock.AfterFunc(time.Hour+20*time.Millisecond, func() { close(fired) })
	clock.Advance(time.Hour)
	select {
	case <-fired:
	case <-time.After(10 * time.Second):
		t.Fatal("the timer did not fire")
	}
}

func TestStop_PreventsTheCallOnce(t *testing.T) {
	t.Parallel()
	clock := testclock.New()
	timer := clock.AfterFunc(time.Minute, func() { t.Error("fired although stopped") })
	assert.True(t, timer.Stop())
	assert.False(t, timer.Stop())
	clock.Advance(time.Hour)
}

func TestReset_ReturnsToRealTimeAndCallsListeners(t *testing.T) {
	t.Parallel()
	clock := testclock.New()
	calls := 0
	clock.OnAdvance(func() { calls++ })
	clock.Advance(24 * time.Hour)
	require.Equal(t, 1, calls)
	clock.Reset()
	assert.Equal(t, 2, calls)
	assert.Zero(t, clock.Offset())
	assert.WithinDuration(t, time.Now(), clock.Now(), time.Second)
}

func TestAdvance_FromManyGoroutinesAddsUp(t *testing.T) {
	t.Parallel()
	clock := testclock.New()
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			clock.AfterFunc(30*time.Second, func() { _ = clock.Now() })
			clock.Advance(time.Minute)
		})
	}
	wg.Wait()
	assert.Equal(t, 16*time.Minute, clock.Offset())
}

func TestFreeze_StopsTimeThatCanStillBeAdvanced(t *testing.T) {
	t.Parallel()
	clock := testclock.New()
	clock.Freeze()
	at := clock.Now()
	fired := []time.Duration{}
	for _, d := range []time.Duration{2 * time.Hour, time.Hour, time.Nanosecond} {
		clock.AfterFunc(d, func() { fired = append(fired, clock.Now().Sub(at)) })
	}
	time.Sleep(2 * time.Millisecond) // real time passes, nothing else does
	assert.True(t, at.Equal(clock.Now()))
	assert.True(t, clock.Frozen())
	assert.Empty(t, fired)
	clock.Advance(3 * time.Hour)
	assert.Equal(t, []time.Duration{time.Nanosecond, time.Hour, 2 * time.Hour}, fired, "exactly at their times")
	assert.True(t, at.Add(3*time.Hour).Equal(clock.Now()))
	clock.Resume()
	assert.False(t, clock.Frozen())
	assert.Eventually(t, func() bool { return clock.Now().After(at.Add(3 * time.Hour)) }, time.Second, time.Millisecond)
	clock.Freeze()
	clock.Reset()
	assert.False(t, clock.Frozen())
	assert.InDelta(t, 0, clock.Offset(), 0)
}

func TestFreeze_WhatBecameDueFiresOnResume(t *testing.T) {
	t.Parallel()
	clock := testclock.New()
	clock.Freeze()
	fired := make(chan struct{})
	clock.AfterFunc(time.Millisecond, func() { close(fired) })
	clock.Resume()
	<-fired
}

func TestResume_TimersDueDuringItFireAfterwards(t *testing.T) {
	t.Parallel()
	clock := testclock.New()
	clock.Freeze()
	fired := make(chan struct{})
	clock.AfterFunc(time.Millisecond, func() { close(fired) })
	clock.OnChange(func() {
		for end := time.Now().Add(20 * time.Millisecond); time.Now().Before(end); { // a slow watcher
			runtime.Gosched()
		}
	})
	clock.Resume()
	select {
	case <-fired:
	case <-time.After(5 * time.Second):
		t.Fatal("the timer that rang while the clock was being resumed never fired")
	}
}

func TestNewClockAt_StartsThereAndReturnsThere(t *testing.T) {
	t.Parallel()
	at := time.Date(2031, 5, 4, 3, 2, 1, 0, time.UTC)
	clock := testclock.NewAt(at)
	assert.WithinDuration(t, at, clock.Now(), time.Second)
	clock.Advance(time.Hour)
	clock.Reset()
	assert.WithinDuration(t, at, clock.Now(), time.Second)
	clock.Set(testclock.State{Now: at.Add(-time.Hour), Frozen: true})
	assert.Equal(t, testclock.State{Now: at.Add(-time.Hour).In(testclock.Zone), Frozen: true}, clock.State())
}

// While time is being moved, the alarm of a timer that real time makes due cannot lock the clock; the timer must not be
// lost.
func TestAfterFunc_FiresThoughItBecomesDueWhileTheClockIsBusy(t *testing.T) {
	t.Parallel()
	for name, move := range map[string]func(*testclock.Clock){
		"advance": func(c *testclock.Clock) { c.Advance(time.Hour) },
		"reset":   (*testclock.Clock).Reset,
		"set":     func(c *testclock.Clock) { c.Set(c.State()) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			clock := testclock.New()
			fired := make(chan struct{})
			var once sync.Once
			clock.OnAdvance(func() {
				once.Do(func() {
					start := clock.Now()
					clock.AfterFunc(time.Millisecond, func() { close(fired) })
					for clock.Now().Sub(start) < 20*time.Millisecond {
						runtime.Gosched() // a slow listener
					}
				})
			})
			move(clock)
			select {
			case <-fired:
			case <-time.After(5 * time.Second):
				t.Fatal("the timer was forgotten")
			}
		})
	}
}
