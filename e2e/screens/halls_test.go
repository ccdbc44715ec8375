package screens

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// A hall after a tap on a seat or an area, couples seats, and a sale that has stopped.
func TestScreens_Halls(t *testing.T) {
	look(t, pages.Plain, func(s *harness.Stack, v *pages.Visit) []scene {
		v.As(s.NewBuyer())
		var hall pages.SeatMap
		return []scene{
			{"filmNewSeat-zoomed", func(v *pages.Visit) {
				hall = v.HallOf(harness.NewMovie)
				hall.Pick(hall.FocusBest())
			}},
			{"filmNewSeat-area", func(v *pages.Visit) {
				hall = v.HallLike(harness.AreasHall, harness.NewMovie)
				hall.ShowArea()
			}},
			{"filmSeat-couples", func(v *pages.Visit) {
				hall = v.HallLike(harness.CouplesHall, harness.Legacy)
				hall.Pick(hall.FreeCouple())
			}},
			{"filmNewSeat-stopped", func(v *pages.Visit) {
				hall = v.HallOf(harness.NewMovie)
				hall.Best(1)
				s.AdvanceClock(48 * time.Hour)
				hall.TrySubmit()
				hall.Stopped()
			}},
		}
	})
}

// A page that was loaded before the network was lost, and a ticket on a phone that starts without a network.
func TestScreens_Offline(t *testing.T) {
	open := func(s *harness.Stack, opts phone.Options) *pages.Visit {
		// Requests that run while the test cuts the network, such as prefetched screens, fail.
		opts.Tolerate = append(opts.Tolerate, "ERR_INTERNET_DISCONNECTED")
		opts.Lean, opts.ReducedMotion = false, true // the service worker starts the app
		return pages.Plain(s, opts)
	}
	look(t, open, func(s *harness.Stack, v *pages.Visit) []scene {
		buyer := s.NewBuyer(harness.WithCard(1000_00))
		order := buyer.LockSomeSeats(harness.Legacy, 2)
		buyer.PayByCards(order)
		buyer.AwaitState(order, harness.Legacy.Issued)
		v.As(buyer)
		return []scene{
			{"citylist-offline", func(v *pages.Visit) {
				v.Open("/citylist")
				v.CityList()
				v.AwaitServiceWorker()
				require.NoError(t, v.Phone.Context.SetOffline(true))
				v.SeesText("网络已断开")
			}},
			{"orderpage-offline", func(v *pages.Visit) {
				require.NoError(t, v.Phone.Context.SetOffline(false))
				v.Open("/orderpage?id=" + order)
				v.Order().ShowsTicket()
				require.NoError(t, v.Phone.Context.SetOffline(true))
				v.Reload()
				v.SeesText("以下是保存在本机的电子票")
				pages.Order{Visit: v}.ShowsKeptTicket()
			}},
			{"personCenter-offline", func(v *pages.Visit) {
				v.Open("/personCenter")
				require.Len(t, v.StoredTickets(), 1)
			}},
			{"orderInfo-offline", func(v *pages.Visit) {
				v.Open("/orderInfo")
				require.Len(t, v.StoredTickets(), 1)
			}},
		}
	})
}
