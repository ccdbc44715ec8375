package ticketing

import (
	"fmt"
	"slices"

	"marquee/server/catalog"
)

// Shows collects the showings of one answer. A showing that cannot be read or that appears twice is left out, so that
// the cinema's other showings can still be sold.
type Shows struct {
	list    []catalog.Show
	known   map[string]bool
	reasons []error
}

// NewShows returns an empty collection.
func NewShows() *Shows { return &Shows{known: map[string]bool{}} }

// Add adds a showing. It leaves it out if err is not nil, or if a showing with its id was added before.
func (s *Shows) Add(show catalog.Show, err error) {
	switch {
	case err != nil:
		s.LeaveOut(err)
	case s.known[show.ID]:
		s.LeaveOut(fmt.Errorf("showing %q appears twice", show.ID))
	default:
		s.known[show.ID] = true
		s.list = append(s.list, show)
	}
}

// LeaveOut records why a showing is left out.
func (s *Shows) LeaveOut(reason error) { s.reasons = append(s.reasons, reason) }

// Reasons returns why showings were left out.
func (s *Shows) Reasons() []error { return s.reasons }

// TakeByStart returns the showings that were added since the last call of TakeByStart, earliest first.
func (s *Shows) TakeByStart() []catalog.Show {
	taken := s.list
	s.list = nil
	slices.SortStableFunc(taken, func(x, y catalog.Show) int { return x.Starts.Compare(y.Starts) })
	return taken
}
