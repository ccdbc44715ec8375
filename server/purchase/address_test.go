package purchase_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/purchase"
)

// venues is a Venues with the answer for all cinemas. It returns the show unchanged: the source of these tests sends
// cinema and film.
type venues func(context.Context) (catalog.Cinema, error)

func (v venues) Cinema(ctx context.Context, _ catalog.Source, _ string) (catalog.Cinema, error) {
	return v(ctx)
}

// noVenues is a Venues without cinemas.
var noVenues = venues(func(context.Context) (catalog.Cinema, error) { return catalog.Cinema{}, nil })

func (venues) CompleteShow(_ context.Context, show catalog.Show, _ catalog.Venue) catalog.Show {
	return show
}

func TestLock_KeepsTheAddressOfTheCinema(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer venues
		want   string
	}{
		"known": {func(context.Context) (catalog.Cinema, error) {
			return catalog.Cinema{Address: "人民路1号"}, nil
		}, "人民路1号"},
		"without one": {func(context.Context) (catalog.Cinema, error) { return catalog.Cinema{}, nil }, ""},
		"the catalogue fails": {func(context.Context) (catalog.Cinema, error) {
			return catalog.Cinema{}, fault.ErrUnavailable
		}, ""},
		"the catalogue hangs": {func(ctx context.Context) (catalog.Cinema, error) {
			<-ctx.Done()
			return catalog.Cinema{}, ctx.Err()
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t, func(cfg *purchase.Config) { cfg.Venues = c.answer })
			o := s.lock(t, 7, "1-1")
			got, err := s.store.Order(t.Context(), o.No)
			assert.NoError(t, err)
			assert.Equal(t, []string{c.want, c.want}, []string{o.Snapshot.CinemaAddress, got.Snapshot.CinemaAddress})
		})
	}
}
