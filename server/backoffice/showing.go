package backoffice

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/order"
)

// ErrShowingInvalid means that a text does not identify a showing.
var ErrShowingInvalid = fault.New(fault.Invalid, "showing_invalid", "场次编号有误").WithExplanation(
	"a showing is its source and its id there, such as 1:8801; order show prints that of an order")

// Showing identifies a showing at its source.
type Showing struct {
	Source catalog.Source
	ID     string // the source's id
}

// ParseShowing reads a showing as String writes it. It returns ErrShowingInvalid.
func ParseShowing(text string) (Showing, error) {
	source, id, _ := strings.Cut(strings.TrimSpace(text), ":")
	n, err := strconv.Atoi(source)
	if s := catalog.Source(n); err != nil || id == "" || s != catalog.Legacy && s != catalog.NewMovie {
		return Showing{}, fmt.Errorf("showing %s: %w", fault.Quote(text), ErrShowingInvalid)
	}
	return Showing{catalog.Source(n), id}, nil
}

// showingOf returns the showing of a ticket order.
func showingOf(o order.Order) Showing { return Showing{o.Snapshot.Show.Source, o.Snapshot.Show.ID} }

// String returns the source and the id, such as "1:8801".
func (s Showing) String() string { return fmt.Sprintf("%d:%s", s.Source, s.ID) }

// SeatClaim is the claim of an order on a seat of a showing.
type SeatClaim struct {
	SeatID    string          // the source's id
	State     order.HoldState // held, sold or released
	ChangedAt time.Time       // of the last change of State
	Order     order.Order
}

// SeatName returns the name that buyers see, such as "5排6座".
func (c SeatClaim) SeatName() string {
	for _, s := range c.Order.Snapshot.Seats {
		if s.ID == c.SeatID {
			return s.Name
		}
	}
	return c.SeatID
}
