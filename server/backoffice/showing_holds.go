package backoffice

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"marquee/server/order"
)

// Showings lists the seats of a showing that orders of the shop hold or have bought, and refunds all paid orders of a
// showing.
type Showings struct {
	read       ReadModel
	deliveries Deliveries
	actor      string
}

// HeldSeats are the seats of a showing that orders of the shop hold or have bought, in the order of their claims.
type HeldSeats []SeatClaim

// Holds lists the seats that orders of the shop hold or have bought. It returns ErrShowingInvalid and
// catalog.ErrShowNotFound.
func (s *Showings) Holds(ctx context.Context, showing string) (HeldSeats, error) {
	parsed, err := ParseShowing(showing)
	if err != nil {
		return nil, err
	}
	claims, err := s.read.SeatClaims(ctx, parsed)
	return slices.DeleteFunc(claims, func(c SeatClaim) bool { return c.State == order.Released }), err
}

// String formats each seat as one line: its name and id, the state of its claim, the order with its state and buyer,
// and until when an unpaid order holds it. The last line has the sums.
func (h HeldSeats) String() string {
	var b strings.Builder
	sum := map[order.HoldState]int{}
	for _, c := range h {
		sum[c.State]++
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\t#%d", c.SeatName(), c.SeatID, c.State, c.Order.No, c.Order.State,
			c.Order.UserID)
		if c.State == order.Held && !c.Order.ExpiresAt.IsZero() {
			b.WriteString("\tuntil " + clock(c.Order.ExpiresAt))
		}
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%d held, %d sold", sum[order.Held], sum[order.Sold])
	return b.String()
}
