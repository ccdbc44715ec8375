package pages

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/mxschmitt/playwright-go"

	"marquee/e2e/harness"
)

// bookingPages opens the pages from a cinema to the payment and the orders.
type bookingPages struct{ *Visit }

// Cinemas is the list of a city's cinemas.
type Cinemas struct{ *Visit }

// Cinemas opens the list of cinemas at the address to which the tab bar links.
func (v bookingPages) Cinemas() Cinemas {
	v.Open("/multiplex")
	return Cinemas{v.Visit}
}

// Enter opens a cinema.
func (c Cinemas) Enter(name string) Cinema {
	c.click(c.role("link", startsWith(name)).First())
	c.sees(c.role("heading", name))
	return Cinema{c.Visit}
}

// ChangeCity goes to the list of cities.
func (c Cinemas) ChangeCity() CityList { return Home{c.Visit}.ChangeCity() }

// Names returns the names of the listed cinemas. It waits until there is one.
func (c Cinemas) Names() []string {
	rows := c.Phone.Locator("a .cinema-row__name")
	c.sees(rows.First())
	names, err := rows.AllInnerTexts()
	c.must(err)
	return names
}

// EnterFirst opens the first cinema of the list.
func (c Cinemas) EnterFirst() Cinema {
	c.click(c.Phone.GetByRole("main").GetByRole("listitem").GetByRole("link").First())
	entered := Cinema{c.Visit}
	c.sees(entered.buy().First())
	return entered
}

// Sort chooses the order of the list.
func (c Cinemas) Sort(order string) {
	c.click(c.role("button", regexp.MustCompile("^(离我最近|默认排序)$")))
	c.click(c.dialog("选择排序").GetByRole("radio", named(order)))
	c.SortedBy(order)
}

// SortedBy waits until the list has this order.
func (c Cinemas) SortedBy(order string) { c.sees(c.button(order)) }

// KnownOnly switches between all cinemas and those that the buyer has visited or marked as favorites.
func (c Cinemas) KnownOnly() { c.press("收藏与浏览") }

// Search types into the search field of the list.
func (c Cinemas) Search(words string) { c.fill("搜索影院", words) }

// Cinema is a cinema of either source: its films, days and showings.
type Cinema struct{ *Visit }

// CinemaOn is the cinema whose page the visit has opened by its address.
func CinemaOn(v *Visit) Cinema { return Cinema{v} }

// Cinema enters some cinema of the ticketing source, through the list.
func (v bookingPages) Cinema(of harness.Source) Cinema {
	if v.inApp {
		// The demo persons of the messaging app are in several cities, and a page that does not get the position in
		// time shows another city first.
		v.ChooseCity(v.Stack.Catalog.HomeCity().Name)
	}
	return v.Cinemas().Enter(v.Stack.Catalog.CinemaOf(of))
}

// Film chooses a film of the cinema.
func (c Cinema) Film(name string) Cinema {
	// Choose the film by keyboard: the posters move when a film is chosen, so that a click may miss.
	c.must(c.film(name).Press("Space"))
	c.ShowsFilm(name)
	return c
}

func (c Cinema) film(name string) playwright.Locator {
	return c.role("radio", name)
}

// Day chooses the day of the showings: 今天, 明天, …
func (c Cinema) Day(name string) Cinema {
	c.click(c.tab(name))
	return c
}

func (c Cinema) tab(day string) playwright.Locator {
	return c.role("tab", startsWith(day))
}

// Buy chooses a showing of tomorrow.
func (c Cinema) Buy(show harness.Listed) {
	c.Film(show.Film).Day("明天").press("购票 " + show.Start + " " + show.Hall)
}

// ShowsDay waits until the film of a showing and a day are chosen.
func (c Cinema) ShowsDay(show harness.Listed, day string) {
	c.ShowsFilm(show.Film)
	c.must(expect.Locator(c.tab(day)).ToHaveAttribute("aria-selected", "true"))
}

// Showings returns the labels of the day's showings that are on sale, such as 购票 19:30 3号厅.
func (c Cinema) Showings() []string {
	c.sees(c.buy().First())
	return c.names(c.buy())
}

// ShowsSaleStopped waits until a showing of the day is shown as 已停售.
func (c Cinema) ShowsSaleStopped(show harness.Listed) {
	row := c.Phone.GetByRole("listitem").Filter(playwright.LocatorFilterOptions{HasText: startsWith(show.Start)}).
		Filter(playwright.LocatorFilterOptions{HasText: show.Hall})
	c.must(expect.Locator(row.GetByRole("button", named(contains("已停售")))).ToBeDisabled())
}

// Sells waits until a showing of the day is on sale.
func (c Cinema) Sells(show harness.Listed) {
	c.sees(c.button("购票 " + show.Start + " " + show.Hall))
}

func (c Cinema) buy() playwright.Locator {
	return c.role("button", startsWith("购票"))
}

// SeatsOf goes to a showing of tomorrow in some cinema of the source with enough single seats. Some halls have only
// couples seats.
func (v bookingPages) SeatsOf(of harness.Source) SeatMap {
	v.Cinema(of).Buy(v.Stack.Catalog.ShowingOf(of))
	return v.SeatMap()
}

// HasCinemas waits until the list has n cinemas.
func (c Cinemas) HasCinemas(n int) {
	c.SeesText("共 " + strconv.Itoa(n) + " 家影院")
}

// Region chooses the first region of the city, and returns its name and its number of cinemas.
func (c Cinemas) Region() (name string, cinemas int) {
	c.AskRegion()
	options := c.dialog("选择区域").GetByRole("radio")
	text, err := options.Nth(1).InnerText()
	c.must(err)
	parts := strings.Fields(text)
	cinemas, err = strconv.Atoi(parts[1])
	c.must(err)
	c.click(options.Nth(1))
	return parts[0], cinemas
}

// CanPause waits for the button that stops the moving banners.
func (c Cinemas) CanPause() { c.sees(c.button("暂停轮播")) }

// AskRegion opens the sheet to choose the region.
func (c Cinemas) AskRegion() {
	c.press("全部区域")
	c.sees(c.dialog("选择区域").GetByRole("radio").Nth(1))
}

// AskOrder opens the sheet to choose the order of the list.
func (c Cinemas) AskOrder() {
	c.press("离我最近")
	c.sees(c.dialog("选择排序").GetByRole("radio").Nth(1))
}

// ShowsFilm waits until the cinema's chosen film is this one.
func (c Cinema) ShowsFilm(name string) {
	c.must(expect.Locator(c.film(name)).ToBeChecked())
}

// HallOf opens a showing of tomorrow in some cinema of the source at its address.
func (v bookingPages) HallOf(of harness.Source) SeatMap {
	v.Open(v.Stack.Catalog.SeatPage(of))
	return v.SeatMap()
}

// HallLike opens a showing in a hall of the kind, in some cinema of the source, at its address.
func (v bookingPages) HallLike(kind harness.HallKind, of harness.Source) SeatMap {
	v.Open(v.Stack.Catalog.SeatPageIn(kind, of))
	return v.SeatMap()
}
