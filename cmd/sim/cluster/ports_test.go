package cluster

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Of 300 ports chosen at random among 12,000, two are the same with a probability of 98 %.
func TestReservePort_NeverTheSamePortTwice(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var group sync.WaitGroup
	times := map[string]int{}
	for range 300 {
		group.Go(func() {
			p, err := ReservePort()
			if !assert.NoError(t, err) {
				return
			}
			t.Cleanup(func() { require.NoError(t, p.Release()) })
			mu.Lock()
			defer mu.Unlock()
			times[p.Address]++
		})
	}
	group.Wait()
	assert.Len(t, times, 300)
}
