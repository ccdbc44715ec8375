package orders

import (
	"context"
	"fmt"
	"slices"

	"marquee/server/booking"
	"marquee/server/catalog"
	"marquee/server/fault"
)

// draft reads the hall and checks the rules; nothing is written yet.
func (s *Service) draft(ctx context.Context, userID int64, req LockSeats, src TicketSource) (Order, LockRequest, error) {
	mobile, err := s.Buyers.Phone(ctx, userID)
	if err != nil {
		return Order{}, LockRequest{}, err
	}
	hall, err := s.hall(ctx, req.Source, src, req.ShowID)
	if err != nil {
		return Order{}, LockRequest{}, err
	}
	if err := req.Shown.check(hall.Show); err != nil {
		return Order{}, LockRequest{}, err
	}
	now := s.Now()
	choice, err := booking.Choose(hall, booking.Wanted{SeatIDs: req.SeatIDs, SeatNames: req.SeatNames}, now)
	if err != nil {
		return Order{}, LockRequest{}, err
	}
	if choice.Total <= 0 {
		return Order{}, LockRequest{}, fmt.Errorf("show %s has no price: %w", req.ShowID, fault.ErrBadAnswer)
	}
	if req.ClaimedTotal != nil && *req.ClaimedTotal != choice.Total || !req.Shown.priced(hall.Show, choice.Seats) {
		return Order{}, LockRequest{}, booking.ErrPriceChanged
	}
	no, err := newOrderNo(now)
	if err != nil {
		return Order{}, LockRequest{}, err
	}
	o := Order{
		No: no, Kind: Ticket, Source: req.Source, State: Locking, Version: 1, UserID: userID, Total: choice.Total,
		CreatedAt: now, UpdatedAt: now,
		Snapshot: Snapshot{
			Show: hall.Show, Seats: choice.Seats, FilmPoster: hall.Show.FilmPoster,
			CinemaName: hall.Show.CinemaName, Mobile: mobile, CinemaAddress: s.address(ctx, hall.Show),
		},
	}
	return o, LockRequest{OrderNo: no, Show: hall.Show, Seats: choice.Seats, Mobile: mobile}, nil
}

// check refuses a lock for another show than the buyer was shown.
func (w Shown) check(show catalog.Show) error {
	if (w.FilmID != "" && w.FilmID != show.FilmID) || (w.FilmCode != "" && w.FilmCode != show.FilmCode) ||
		(!w.Starts.IsZero() && !w.Starts.Equal(show.Starts)) {
		return booking.ErrShowChanged
	}
	return nil
}

// priced reports whether the price that was shown is one that the buyer can have seen for these seats.
func (w Shown) priced(show catalog.Show, seats []catalog.Seat) bool {
	return w.Price == nil || *w.Price == show.Price ||
		slices.ContainsFunc(seats, func(s catalog.Seat) bool { return s.Price == *w.Price })
}

func seatIDs(seats []catalog.Seat) []string {
	ids := make([]string, 0, len(seats))
	for _, seat := range seats {
		ids = append(ids, seat.ID)
	}
	return ids
}

// Halls reads the seat maps of one source as a buyer here may use them.
type Halls struct {
	service *Service
	source  catalog.Source
}

// Halls are the halls of a source.
func (s *Service) Halls(source catalog.Source) Halls { return Halls{s, source} }

// SeatMap is the provider's hall, less what orders here hold or have bought: between our lock and the provider's
// next answer, or when a provider forgets, a seat of ours never looks free.
func (h Halls) SeatMap(ctx context.Context, showID string) (catalog.SeatMap, error) {
	src, err := h.service.source(h.source)
	if err != nil {
		return catalog.SeatMap{}, err
	}
	return h.service.hall(ctx, h.source, src, showID)
}

func (s *Service) hall(ctx context.Context, source catalog.Source, src TicketSource, showID string) (catalog.SeatMap, error) {
	hall, err := s.seatMap(ctx, src, showID)
	if err != nil {
		return hall, err
	}
	held, err := s.Store.HeldSeats(ctx, source, hall.Show.ID)
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

func (s *Service) seatMap(ctx context.Context, src TicketSource, showID string) (catalog.SeatMap, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	hall, err := src.SeatMap(ctx, showID)
	if fault.KindOf(err) == fault.Unknown && err != nil {
		return hall, fault.ErrUnavailable // reading changes nothing, so there is nothing to be uncertain of
	}
	return hall, err
}
