package buying

import (
	"testing"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// A complete purchase that uses only what a buyer sees and touches: city, film, cinema, showing, seats, payment,
// ticket.
func TestCompletePurchase(t *testing.T) {
	bySource(t, func(t *testing.T, s *harness.Stack, source harness.Source) {
		buyer := s.NewBuyer(harness.WithCard(plenty))
		visit := pages.Plain(s, phone.Options{}).As(buyer)
		visit.Open("/")
		home := visit.Home()
		home.ChangeCity().Find("chengdu", "成都市")
		home.InCity("成都市")
		home.ChangeCity().Choose("热门城市", "北京市")
		home.InCity("北京市")
		show := s.Catalog.ShowingOf(source)
		cinema := home.Read(show.Film).Buy().Enter(s.Catalog.CinemaOf(source))
		cinema.ShowsFilm(show.Film)
		cinema.Buy(show)

		buysByCards(t, visit.SeatMap(), buyer).SeesText(show.Film)
	})
}
