package seating

import (
	"context"
	"slices"

	"marquee/server/catalog"
	"marquee/server/order"
)

// SeatMap reads the hall of a show from its source, and marks the seats as sold that orders of this shop hold or have
// bought: between our lock and the source's next answer, and after a source has lost a lock, such a seat must not look free.
func (s *Service) SeatMap(ctx context.Context, source catalog.Source, showID string) (catalog.SeatMap, error) {
	src, err := s.source(source)
	if err != nil {
		return catalog.SeatMap{}, err
	}
	return s.readSeatMap(ctx, source, src, showID)
}

func (s *Service) readSeatMap(
	ctx context.Context, source catalog.Source, src order.TicketSource, showID string,
) (catalog.SeatMap, error) {
	hall, err := src.SeatMap(ctx, showID)
	if err != nil {
		return hall, err
	}
	held, err := s.store.HeldSeats(ctx, source, hall.Show.ID)
	if err != nil || len(held) == 0 {
		return hall, err
	}
	hall.Seats = slices.Clone(hall.Seats)
	for i := range hall.Seats {
		if seat := &hall.Seats[i]; seat.Available && held[seat.ID] {
			seat.Available, seat.State = false, catalog.StateSold
		}
	}
	return hall, nil
}
