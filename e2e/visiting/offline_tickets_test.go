package visiting

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// Tickets are stored once they are issued, even if no page showed them. Without a network they are shown, newest first,
// on the pages on which the app may start: the buyer's page and the list of orders.
func TestTickets_ReachedWithoutANetwork(t *testing.T) {
	t.Parallel()
	for _, start := range []string{"/personCenter", "/orderInfo"} {
		t.Run(start[1:], func(t *testing.T) {
			t.Parallel()
			s := pages.NewStack(t)
			buyer := s.NewBuyer(harness.WithCard(500_00))
			var seats [2]string
			for i, source := range harness.Sources {
				id := buyer.LockSomeSeats(source, 1)
				buyer.PayByCards(id)
				seats[i] = buyer.AwaitState(id, source.Issued).Seats
			}
			visit := pages.Plain(s, phone.Options{Tolerate: []string{"ERR_INTERNET_DISCONNECTED"}}).As(buyer)
			visit.Open("/index")
			visit.KeepsTickets(2)
			visit.AwaitServiceWorker() // an interrupted registration would be an error of the page
			visit.Reload()             // through the worker
			visit.Home()
			require.NoError(t, visit.Phone.Context.SetOffline(true))

			visit.Open(start)
			stored := visit.StoredTickets()
			require.Len(t, stored, 2)
			require.Contains(t, stored[0], seats[1], "the newest is first")
			require.Contains(t, stored[1], seats[0])
			visit.OpenStored(0).ShowsKeptTicket(seats[1])

			visit.Open(start)
			visit.StoredTickets()
			require.NoError(t, visit.Phone.Context.SetOffline(false))
			visit.SeesNoText("以下是保存在本机的电子票") // without a reload
		})
	}
}
