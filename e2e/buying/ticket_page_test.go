package buying

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// The button below an issued newmovie ticket opens the provider's page, with a new token. The simulated provider has no
// such page.
func TestTicketPage_OfTheProvider(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(500_00))
	order := buyer.LockSomeSeats(harness.NewMovie, 1)
	buyer.PayByCards(order)
	buyer.AwaitState(order, harness.NewMovie.Issued)
	visit := pages.Plain(s, phone.Options{Tolerate: []string{"Failed to load resource"}}).As(buyer)
	visit.Open("/orderpage?id=" + order)
	require.Empty(t, s.Calls("newmovie", "ticket/token"))
	visit.Order().OpensTicketPage(s.Sims.URL() + "/newmovie/ticket?token=")
	require.Len(t, s.Calls("newmovie", "ticket/token"), 1)
}
