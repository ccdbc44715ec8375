package orders

import (
	"context"
	"sync"
	"time"

	"marquee/server/catalog"
)

// addressKept is how long a cinema's address is taken for the right one before it is asked for again.
const addressKept = time.Hour

// addresses are those of the cinemas that orders were made for. They are worth having on a ticket, not worth a
// moment of a buyer's wait: a lock takes what is known, and one that is not known yet follows.
type addresses struct {
	mu    sync.Mutex
	known map[cinema]knownAddress
	asked map[cinema]chan struct{} // closed when the answer is there, or will not come
}

type cinema struct {
	source catalog.Source
	id     string
}

type knownAddress struct {
	text string
	at   time.Time
}

func (a *addresses) of(c cinema) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.known[c].text
}

// address is what is known of a cinema's address. What is not known, or old, is asked for meanwhile.
func (s *Service) address(ctx context.Context, show catalog.Show) string {
	if s.Venues == nil {
		return ""
	}
	c := cinema{show.Source, show.CinemaID}
	s.venues.mu.Lock()
	defer s.venues.mu.Unlock()
	k, known := s.venues.known[c]
	if _, asked := s.venues.asked[c]; !asked && (!known || s.Now().Sub(k.at) > addressKept) {
		answered := make(chan struct{})
		s.venues.asked[c] = answered
		go s.askAddress(saga(ctx), c, answered)
	}
	return k.text
}

func (s *Service) askAddress(ctx context.Context, c cinema, answered chan struct{}) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	found, err := s.Venues.Cinema(ctx, c.source, c.id)
	s.venues.mu.Lock()
	if err == nil {
		s.venues.known[c] = knownAddress{found.Address, s.Now()}
	}
	delete(s.venues.asked, c)
	s.venues.mu.Unlock()
	close(answered)
	if err != nil {
		s.Logger.WarnContext(ctx, "cinema of an order not found", "cinema", c.id, "error", err)
	}
}

// addAddress gives a locked order the address that was not known when it was written, as soon as it comes.
func (s *Service) addAddress(ctx context.Context, o Order) {
	c := cinema{o.Source, o.Snapshot.Show.CinemaID}
	s.venues.mu.Lock()
	answered := s.venues.asked[c]
	s.venues.mu.Unlock()
	go func() {
		if answered != nil {
			<-answered
		}
		text := s.venues.of(c)
		if text == "" {
			return
		}
		if err := s.Store.Update(ctx, func(tx Tx) error { return tx.Orders.SetCinemaAddress(o.No, text) }); err != nil {
			s.Logger.WarnContext(ctx, "order stays without its cinema's address", "order", o.No, "error", err)
		}
	}()
}
