package seating

import (
	"context"
	"fmt"
	"slices"

	"marquee/server/catalog"
)

// SeatMap returns the hall of a show as its source reported it, at most Config.SeatMapLife ago. Seats that orders of
// this shop hold or have bought are marked as sold, even if the source reports them as free: its answer may be older
// than our lock, or the source may have lost the lock. Concurrent requests share one call to the source.
//
// The seats of order.Store.OwnSeats are shown to their buyer as free: no other buyer has taken them, and the buyer can
// lock them again after the order that holds them has ended. userID is 0 for a visitor without a session.
func (s *Service) SeatMap(
	ctx context.Context, userID int64, source catalog.Source, showID string,
) (catalog.SeatMap, error) {
	hall, err := s.halls.Get(ctx, hallKey(source, showID), func(ctx context.Context) (catalog.SeatMap, error) {
		return s.sources.SeatMap(ctx, source, showID)
	})
	if err != nil {
		return hall, err
	}
	if hall, err = s.markHeld(ctx, source, hall); err != nil || userID == 0 {
		return hall, err
	}
	return s.freeOwn(ctx, userID, source, hall)
}

// freeOwn returns the hall with the buyer's seats (order.Store.OwnSeats) marked as free.
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

// readSeats reads the hall of a show from the source and not from the cache: a lock must not depend on an older read.
func (s *Service) readSeats(
	ctx context.Context, source catalog.Source, showID string,
) (catalog.SeatMap, error) {
	hall, err := s.sources.SeatMap(ctx, source, showID)
	if err != nil {
		return hall, err
	}
	// The cached hall is older than this read. If the lock fails, the buyer must see which seats are taken.
	s.halls.Forget(hallKey(source, showID))
	return s.markHeld(ctx, source, hall)
}

// markHeld returns the hall with the seats that orders of this shop hold or have bought marked as sold.
func (s *Service) markHeld(
	ctx context.Context, source catalog.Source, hall catalog.SeatMap,
) (catalog.SeatMap, error) {
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
