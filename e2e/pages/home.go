package pages

import (
	"regexp"
	"strings"

	"github.com/mxschmitt/playwright-go"
)

// homePages opens the pages of films and cities.
type homePages struct{ *Visit }

// Home is the first page: a city's films.
type Home struct{ *Visit }

// Home waits until that page is shown, and returns it.
func (v homePages) Home() Home {
	v.At("/index")
	h := Home{v.Visit}
	v.sees(h.city())
	return h
}

// InCity waits until the page shows the films of a city.
func (h Home) InCity(name string) {
	h.sees(h.role("link", contains("切换城市，当前"+shownCity(name))))
}

// InLocatedCity waits until the page shows the city of the phone's position. If the position came late, the page shows
// another city and offers to change to the located one; InLocatedCity accepts that.
func (h Home) InLocatedCity(name string) {
	offer := h.button("切换到" + shownCity(name))
	h.sees(h.role("link", contains("切换城市，当前"+shownCity(name))).Or(offer))
	if late, err := offer.IsVisible(); err == nil && late {
		h.click(offer)
	}
	h.InCity(name)
}

// ChangeCity goes to the list of cities.
func (h Home) ChangeCity() CityList {
	h.click(h.city())
	return h.CityList()
}

func (h Home) city() playwright.Locator {
	return h.role("link", regexp.MustCompile("^(切换|选择)城市"))
}

// Search types into the search field.
func (h Home) Search(words string) { h.fill("搜索影片名称", words) }

// Tab chooses between 正在热映, 即将上映 and 我想看.
func (h Home) Tab(name string) {
	h.chooseTab(h.role("tab", contains(name)))
}

// Suggests waits for the films that are suggested while words are typed.
func (h Home) Suggests(film string) {
	h.sees(h.role("list", "搜索建议").GetByRole("link", named(contains(film))))
}

// Wish marks the first film of the list that has 想看.
func (h Home) Wish() {
	h.click(h.role("button", startsWith("想看")).First())
	h.sees(h.role("button", startsWith("已想看")).First())
}

// Films are the names of the films in the list. It waits until the list is complete: the films below the first screen
// follow the first paint.
func (h Home) Films() (names []string) {
	h.sees(h.films().First())
	h.must(expect.Locator(h.Phone.Locator("ul[aria-busy]")).ToHaveCount(0))
	for _, label := range h.names(h.films()) {
		names = append(names, regexp.MustCompile("^(购 票|预 售) ").ReplaceAllString(label, ""))
	}
	return names
}

// Wishes are the labels of the buttons 想看 in the list.
func (h Home) Wishes() []string {
	return h.names(h.role("button", startsWith("想看")))
}

// HasFilms waits until the list has n films.
func (h Home) HasFilms(n int) {
	h.must(expect.Locator(h.films()).ToHaveCount(n))
}

// ShowsNot waits until a film is not in the list.
func (h Home) ShowsNot(film string) {
	h.must(expect.Locator(h.link("购 票 " + film)).ToHaveCount(0))
}

// Buy goes to the cinemas that show a film.
func (h Home) Buy(film string) Cinemas {
	h.click(h.link("购 票 " + film))
	h.At("/multiplex")
	h.sees(h.role("heading", film))
	return Cinemas{h.Visit}
}

// Read opens the page of a film.
func (h Home) Read(film string) Film {
	h.click(h.Phone.GetByRole("tabpanel").GetByRole("link", named(startsWith(film))).First())
	return h.Film(film)
}

func (h Home) films() playwright.Locator {
	return h.role("link", regexp.MustCompile("^(购 票|预 售) "))
}

// CityList is the page to choose the city.
type CityList struct{ *Visit }

// CityList waits until the page to choose the city is shown, and returns it.
func (v homePages) CityList() CityList {
	v.At("/citylist")
	v.sees(v.role("slider", contains("字母索引")))
	return CityList{v.Visit}
}

// shownCity is the name of a city as the app shows it: 北京 for 北京市.
func shownCity(name string) string { return strings.TrimSuffix(name, "市") }

// Find searches for cities by name or pinyin and chooses one of those found.
func (c CityList) Find(words, city string) {
	c.Search(words)
	found := c.role("list", contains("搜索结果"))
	c.click(found.GetByRole("button", named(shownCity(city))))
}

// ChooseCity goes to the films of one of the hot cities.
func (v homePages) ChooseCity(name string) {
	v.Open("/citylist")
	v.CityList().Choose("热门城市", name)
	v.Home().InCity(name)
}

// Search types into the search field.
func (c CityList) Search(words string) { c.fill("输入城市名或拼音", words) }

// Letter goes to the cities of a letter.
func (c CityList) Letter(letter string) {
	c.click(c.role("slider", contains("字母索引")).
		GetByText(letter, playwright.LocatorGetByTextOptions{Exact: playwright.Bool(true)}))
	c.must(expect.Locator(c.role("heading", letter)).ToBeInViewport())
}

// NotOpen chooses the city of the phone's position, in which the shop does not sell.
func (c CityList) NotOpen(city string) {
	c.click(c.role("group", "定位城市").GetByRole("button", named(contains(city))))
	c.SeesText(city + "暂未开通")
}

// Choose chooses a city from a group: 定位城市, 最近访问, 热门城市.
func (c CityList) Choose(group, city string) {
	c.click(c.role("group", contains(group)).
		GetByRole("button", named(contains(shownCity(city)))))
}

// Film is the page of a film.
type Film struct{ *Visit }

// Film waits until the page of a film is shown, and returns it.
func (v homePages) Film(name string) Film {
	v.At("/filmdetail")
	v.sees(v.role("heading", name).First())
	return Film{v.Visit}
}

// Buy goes to the cinemas that show the film.
func (f Film) Buy() Cinemas {
	f.click(f.link("立即购票"))
	f.At("/multiplex")
	return Cinemas{f.Visit}
}

// Wish marks the film as one that the buyer wants to see.
func (f Film) Wish() {
	f.press("想看")
	f.sees(f.button("已想看"))
}

// HotList is the ranking of a city's films.
type HotList struct{ *Visit }

// HotList waits until the ranking of films is shown, and returns it.
func (v homePages) HotList() HotList {
	v.At("/hotlist")
	v.sees(v.Phone.GetByRole("listitem").First())
	return HotList{v.Visit}
}

// Board chooses between 热度榜, 口碑榜 and 期待榜.
func (h HotList) Board(name string) { h.chooseTab(h.role("tab", name)) }

// OnBoard waits until a board is chosen.
func (h HotList) OnBoard(name string) { h.onTab(h.role("tab", name)) }

// First returns the name of the first film.
func (h HotList) First() string {
	name, err := h.Phone.GetByRole("listitem").First().GetByRole("strong").First().InnerText()
	h.must(err)
	return name
}

// Read opens the page of a film.
func (h HotList) Read(film string) Film {
	h.must(
		h.Phone.GetByRole("listitem").
			Filter(playwright.LocatorFilterOptions{HasText: contains(film)}).
			GetByRole("link").
			First().
			Click(),
	)
	return h.Film(film)
}
