package seating

import (
	"context"
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/order"
)

const (
	addressCount = 1024 // how many addresses are kept
)

// addressBook caches the addresses of cinemas. A ticket shows the address, but a lock does not wait for it: an address
// that is not cached is added to the order when it has been read.
type addressBook struct {
	venues  Venues
	timeout time.Duration
	now     func() time.Time
	cache   *lru.Cache[string, cachedAddress]
	flights singleflight.Group
}

type cachedAddress struct {
	text string
	at   time.Time
}

func newAddressBook(venues Venues, timeout time.Duration, now func() time.Time) *addressBook {
	cache, _ := lru.New[string, cachedAddress](addressCount) // fails only for a size below 1
	return &addressBook{venues: venues, timeout: timeout, now: now, cache: cache}
}

func cinemaKey(show catalog.Show) string { return fmt.Sprintf("%d/%s", show.Source, show.CinemaID) }

// known returns the address if it is in the cache, however old it is, and "" otherwise.
func (b *addressBook) known(show catalog.Show) string {
	if b == nil {
		return ""
	}
	a, _ := b.cache.Get(cinemaKey(show))
	return a.text
}

// fresh reports whether the address is in the cache and need not be read again.
func (b *addressBook) fresh(show catalog.Show) bool {
	a, ok := b.cache.Get(cinemaKey(show))
	return ok && b.now().Sub(a.at) <= durations.CinemaAddress
}

// ask reads the address from the source; concurrent calls for one cinema share the answer.
func (b *addressBook) ask(ctx context.Context, show catalog.Show) (string, error) {
	text, err, _ := b.flights.Do(cinemaKey(show), func() (any, error) {
		if b.fresh(show) { // read since the caller checked
			return b.known(show), nil
		}
		ctx, cancel := context.WithTimeout(ctx, b.timeout)
		defer cancel()
		cinema, err := b.venues.Cinema(ctx, show.Source, show.CinemaID)
		if err == nil {
			b.cache.Add(cinemaKey(show), cachedAddress{cinema.Address, b.now()})
		}
		return cinema.Address, err
	})
	if err != nil {
		return "", err
	}
	return text.(string), nil
}

// addAddress reads the cinema's address in the background, if it is unknown or old, and adds it to the order if that
// has none. See WaitForAddresses.
func (s *Service) addAddress(ctx context.Context, o order.Order) {
	show := o.Snapshot.Show
	if s.addresses == nil || s.addresses.fresh(show) && s.addresses.known(show) == o.Snapshot.CinemaAddress {
		return
	}
	s.adding.Go(func() {
		text, err := s.addresses.ask(ctx, o.Snapshot.Show)
		if err == nil && text != "" && o.Snapshot.CinemaAddress == "" {
			err = s.store.Update(ctx, func(tx order.Tx) error { return tx.Orders.SetCinemaAddress(o.No, text) })
		}
		if err != nil {
			s.logger.WarnContext(ctx, "adding the cinema address failed", "order", o.No, "error", err)
		}
	})
}

// WaitForAddresses waits until no address is being added to an order. Call it before the store is closed, when no
// requests are running. For each order the wait takes at most one call to a source and one transaction.
func (s *Service) WaitForAddresses() { s.adding.Wait() }
