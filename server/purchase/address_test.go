package purchase_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/purchase"
)

// blockingVenues is a Venues whose calls block until the test sends the address.
type blockingVenues struct{ answer chan string }

func (v blockingVenues) Cinema(ctx context.Context, _ catalog.Source, _ string) (catalog.Cinema, error) {
	select {
	case text := <-v.answer:
		return catalog.Cinema{Address: text}, nil
	case <-ctx.Done():
		return catalog.Cinema{}, ctx.Err()
	}
}

func TestLock_DoesNotWaitForTheCinemaAddress(t *testing.T) {
	t.Parallel()
	v := blockingVenues{make(chan string)}
	s := newShop(t, func(c *purchase.Config) { c.Venues = v })
	first := s.lock(t, 7, "1-1") // returns although the address is not known yet
	assert.Empty(t, first.Snapshot.CinemaAddress)
	second := s.lock(t, 8, "1-2")
	v.answer <- "人民路1号"
	for _, o := range []string{first.No, second.No} {
		require.Eventually(t, func() bool {
			got, err := s.db.Orders().Order(t.Context(), o)
			return err == nil && got.Snapshot.CinemaAddress == "人民路1号"
		}, 10*time.Second, time.Millisecond, "the address is added to the order when it is known")
	}
	assert.Equal(t, "人民路1号", s.lock(t, 9, "1-3").Snapshot.CinemaAddress, "later orders use the known address")
}

// A server that stops adds the addresses that it is reading before it closes its store.
func TestLock_AddressesAreWaitedForAtTheEnd(t *testing.T) {
	t.Parallel()
	v := blockingVenues{make(chan string)}
	s := newShop(t, func(c *purchase.Config) { c.Venues = v })
	o := s.lock(t, 7, "1-1")
	go func() { v.answer <- "人民路1号" }()
	s.Seating.WaitForAddresses()
	got, err := s.db.Orders().Order(t.Context(), o.No)
	require.NoError(t, err)
	assert.Equal(t, "人民路1号", got.Snapshot.CinemaAddress)
}

// CompleteShow returns the show unchanged: the source of these tests sends cinema and film.
func (blockingVenues) CompleteShow(_ context.Context, show catalog.Show, _ catalog.Venue) catalog.Show {
	return show
}

// countingVenues returns cinemas without an address and counts the calls.
type countingVenues struct{ calls atomic.Int64 }

// CompleteShow returns the show unchanged.
func (*countingVenues) CompleteShow(_ context.Context, show catalog.Show, _ catalog.Venue) catalog.Show {
	return show
}

func (v *countingVenues) Cinema(context.Context, catalog.Source, string) (catalog.Cinema, error) {
	v.calls.Add(1)
	return catalog.Cinema{}, nil
}

func TestLock_AsksOnceForACinemaWithoutAnAddress(t *testing.T) {
	t.Parallel()
	v := &countingVenues{}
	s := newShop(t, func(c *purchase.Config) { c.Venues = v })
	s.lock(t, 7, "1-1")
	require.Eventually(t, func() bool { return v.calls.Load() == 1 }, 10*time.Second, time.Millisecond)
	for i := range 5 {
		s.lock(t, int64(8+i), fmt.Sprintf("2-%d", i+1))
	}
	require.Never(t, func() bool { return v.calls.Load() > 1 }, 100*time.Millisecond, time.Millisecond,
		"an empty address must be remembered as well")
}
