package seating

import (
	"context"
	"fmt"
	"slices"

	"marquee/server/catalog"
	"marquee/server/order"
)

// SeatMap returns the hall of a show as its source has it, at most SeatMapLife ago, and marks the seats as sold that
// orders of this shop hold or have bought: between our lock and the source's next answer, and after a source has lost a
// lock, such a seat must not look free. Requests at the same time share one call to the source.
//
// The seats of the buyer's own open or failed lock are free for that buyer: nobody else has taken them, and the buyer's
// next lock takes them back first. userID 0 is a visitor without a session.
func (s *Service) SeatMap(
	ctx context.Context, userID int64, source catalog.Source, showID string,
) (catalog.SeatMap, error) {
	src, err := s.source(source)
	if err != nil {
		return catalog.SeatMap{}, err
	}
	hall, err := s.halls.Get(ctx, hallKey(source, showID), func(ctx context.Context) (catalog.SeatMap, error) {
		return src.SeatMap(ctx, showID)
	})
	if err != nil {
		return hall, err
	}
	if hall, err = s.markHeld(ctx, source, hall); err != nil || userID == 0 {
		return hall, err
	}
	return s.freeOwn(ctx, userID, source, hall)
}

// freeOwn returns the hall with the seats of the buyer's own open or failed locks as free.
func (s *Service) freeOwn(
	ctx context.Context, userID int64, source catalog.Source, hall catalog.SeatMap,
) (catalog.SeatMap, error) {
	own, err := s.store.OwnSeats(ctx, userID, source, hall.Show.ID)
	if err != nil || len(own) == 0 {
		return hall, err
	}
	hall.Seats = slices.Clone(hall.Seats)
	for i := range hall.Seats {
		if seat := &hall.Seats[i]; own[seat.ID] != "" {
			seat.Available, seat.State = true, catalog.StateFree
		}
	}
	return hall, nil
}

func hallKey(source catalog.Source, showID string) string {
	return fmt.Sprint(int(source), " ", showID)
}

// readSeats reads the hall of a show, or at least the seats with the ids, with a call to the source of its own: a lock
// must not decide by what others have read.
func (s *Service) readSeats(
	ctx context.Context, source catalog.Source, src order.TicketSource, showID string, seatIDs []string,
) (catalog.SeatMap, error) {
	hall, err := src.Seats(ctx, showID, seatIDs)
	if err != nil {
		return hall, err
	}
	s.halls.Forget(hallKey(source, showID)) // what is kept is older: a buyer whose seat is taken must see it
	return s.markHeld(ctx, source, hall, seatIDs...)
}

// markHeld returns the hall with the seats marked as sold that orders of this shop hold or have bought. With the ids of
// seats it marks only those.
func (s *Service) markHeld(
	ctx context.Context, source catalog.Source, hall catalog.SeatMap, seatIDs ...string,
) (catalog.SeatMap, error) {
	held, err := s.store.HeldSeats(ctx, source, hall.Show.ID, seatIDs...)
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
