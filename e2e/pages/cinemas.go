package pages

import (
	"strconv"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"marquee/e2e/stage"
)

// Cinemas is the list of a city's cinemas.
type Cinemas struct{ *Visit }

// Cinemas opens the list by the tab bar's address.
func (v *Visit) Cinemas() Cinemas {
	v.T.Helper()
	v.Open("/multiplex")
	return Cinemas{v}
}

// Enter opens a cinema.
func (c Cinemas) Enter(name string) Cinema {
	c.T.Helper()
	c.must(c.Phone.GetByRole("link", playwright.PageGetByRoleOptions{Name: startsWith(name)}).First().Click())
	c.sees(c.Phone.GetByRole("heading", playwright.PageGetByRoleOptions{Name: name, Exact: playwright.Bool(true)}))
	return Cinema{c.Visit}
}

// Search types into the list's search line.
func (c Cinemas) Search(words string) { c.T.Helper(); c.fill("搜索影院", words) }

// Cinema is a cinema of either source: its films, days and showings.
type Cinema struct{ *Visit }

// Cinema enters some cinema of the source, through the list.
func (v *Visit) Cinema(of stage.Source) Cinema {
	v.T.Helper()
	return v.Cinemas().Enter(v.Stage.CinemaOf(of))
}

// Day chooses the day of the showings: 今天, 明天, …
func (c Cinema) Day(name string) Cinema {
	c.T.Helper()
	c.must(c.tab(name).Click())
	return c
}

func (c Cinema) tab(day string) playwright.Locator {
	return c.Phone.GetByRole("tab", playwright.PageGetByRoleOptions{Name: startsWith(day)})
}

// Buy chooses the first showing of the day.
func (c Cinema) Buy() { c.T.Helper(); c.must(c.buy().First().Click()) }

// Showings are the showings of the day that are on sale, as they are called: 购票 19:30 3号厅.
func (c Cinema) Showings() []string {
	c.T.Helper()
	c.sees(c.buy().First())
	return c.names(c.buy())
}

// UntilStart is how far away a showing of today is. The name is one of Showings.
func (c Cinema) UntilStart(showing string) time.Duration {
	c.T.Helper()
	now := c.Stage.Sims.Clock().Now().In(time.FixedZone("CST", 8*60*60))
	at, err := time.ParseInLocation("2006-01-02 15:04", now.Format(time.DateOnly)+" "+startOf(showing), now.Location())
	c.must(err)
	return at.Sub(now)
}

// HasStopped waits until a showing of the day is shown as 已停售.
func (c Cinema) HasStopped(showing string) {
	c.T.Helper()
	row := c.Phone.GetByRole("listitem").Filter(playwright.LocatorFilterOptions{HasText: startsWith(startOf(showing))})
	stopped := row.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "已停售"})
	c.must(expect.Locator(stopped.First()).ToBeDisabled())
}

func startOf(showing string) string { return strings.Fields(showing)[1] }

func (c Cinema) buy() playwright.Locator {
	return c.Phone.GetByRole("button", playwright.PageGetByRoleOptions{Name: startsWith("购票")})
}

// SeatsOf opens a showing of tomorrow in some cinema of the source that has room for ordinary buyers: some halls have
// nothing but couples seats.
func (v *Visit) SeatsOf(of stage.Source) SeatMap {
	v.T.Helper()
	v.Cinema(of).Day("明天")
	v.Open(v.Stage.SeatAddressOf(of))
	return v.SeatMap()
}

// HasCinemas waits until the list holds so many cinemas.
func (c Cinemas) HasCinemas(n int) {
	c.T.Helper()
	c.Reads("共 " + strconv.Itoa(n) + " 家影院")
}

// Region chooses the first region of the city, and says how it is called and how many cinemas it has.
func (c Cinemas) Region() (name string, cinemas int) {
	c.T.Helper()
	c.press("全部区域")
	options := c.dialog("选择区域").GetByRole("radio")
	c.sees(options.Nth(1))
	text, err := options.Nth(1).InnerText()
	c.must(err)
	parts := strings.Fields(text)
	cinemas, err = strconv.Atoi(parts[1])
	c.must(err)
	c.must(options.Nth(1).Click())
	return parts[0], cinemas
}

// ShowsFilm waits until the cinema's chosen film is this one.
func (c Cinema) ShowsFilm(name string) {
	c.T.Helper()
	c.must(expect.Locator(c.Phone.GetByRole("radio", playwright.PageGetByRoleOptions{Name: name, Exact: playwright.Bool(true)})).ToBeChecked())
}

// HallOf opens a showing of tomorrow in some cinema of the source at its address.
func (v *Visit) HallOf(of stage.Source) SeatMap {
	v.T.Helper()
	v.Open(v.Stage.SeatAddressOf(of))
	return v.SeatMap()
}

// HallCalled chooses a showing in a hall of that kind, in some cinema of the source: 情侣厅, IMAX.
func (v *Visit) HallCalled(of stage.Source, kind string) SeatMap {
	v.T.Helper()
	cinema := v.Cinema(of)
	films, err := cinema.Phone.GetByRole("radio").All()
	v.must(err)
	for _, film := range films {
		v.must(film.Check(playwright.LocatorCheckOptions{Force: playwright.Bool(true)}))
		for _, day := range []string{"明天", "后天"} {
			if there, err := cinema.tab(day).IsVisible(); err != nil || !there {
				continue
			}
			for _, showing := range cinema.Day(day).Showings() {
				if strings.Contains(showing, kind) {
					v.press(showing)
					return v.SeatMap()
				}
			}
		}
	}
	v.T.Fatalf("no showing in a hall called %s", kind)
	return SeatMap{}
}
