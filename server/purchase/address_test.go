package purchase_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/purchase"
)

// venues answers when it is let.
type venues struct{ answer chan string }

func (v venues) Cinema(ctx context.Context, _ catalog.Source, _ string) (catalog.Cinema, error) {
	select {
	case text := <-v.answer:
		return catalog.Cinema{Address: text}, nil
	case <-ctx.Done():
		return catalog.Cinema{}, ctx.Err()
	}
}

func TestLock_NeverWaitsForTheCinemasAddress(t *testing.T) {
	t.Parallel()
	v := venues{make(chan string)}
	s := newShop(t, func(c *purchase.Config) { c.Venues = v })
	first := s.lock(t, 7, "1-1") // returns, though nobody has said where the cinema is
	assert.Empty(t, first.Snapshot.CinemaAddress)
	second := s.lock(t, 8, "1-2")
	v.answer <- "人民路1号"
	for _, o := range []string{first.No, second.No} {
		require.Eventually(t, func() bool {
			got, err := s.db.Orders().Order(t.Context(), o)
			return err == nil && got.Snapshot.CinemaAddress == "人民路1号"
		}, 10*time.Second, time.Millisecond, "it follows when it comes")
	}
	assert.Equal(t, "人民路1号", s.lock(t, 9, "1-3").Snapshot.CinemaAddress, "and is known from then on")
	s.verifyBooks(t)
}
