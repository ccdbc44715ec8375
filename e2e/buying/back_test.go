package buying

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
)

// Back closes the open sheet. The chosen seats are kept after back and forward, and after a reload. If one of them was
// sold before the reload, the page reports it.
func TestBack_ClosesTheSheetAndKeepsTheSeats(t *testing.T) {
	t.Parallel()
	pages.BothBrowsers(t, func(t *testing.T, open pages.Opener) {
		s := pages.NewStack(t)
		visit := open(s, s.NewBuyer())
		visit.Open(s.Catalog.CinemaPage(harness.Legacy))
		pages.CinemaOn(visit)
		hall := visit.HallOf(harness.Legacy)
		seats := hall.Free(2)
		hall.Pick(seats...)
		require.ElementsMatch(t, seats, hall.Picked())

		hall.OpenNotice()
		visit.SystemBack()
		hall.NoticeIsClosed()
		visit.At("/filmSeat")
		require.ElementsMatch(t, seats, hall.Picked())

		visit.SystemBack()
		visit.At("/multiplexDetail")
		visit.SystemForward()
		visit.At("/filmSeat")
		require.ElementsMatch(t, seats, visit.SeatMap().PickedBefore())

		visit.Reload()
		require.ElementsMatch(t, seats, visit.SeatMap().PickedBefore())

		s.NewBuyer().Lock(hall.Showing(), seats[0])
		visit.Reload()
		lost := visit.SeatMap().LostSeats()
		lost.SeesText(seats[0] + " 已被其他人选走")
	})
}
