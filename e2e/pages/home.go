package pages

import (
	"regexp"

	"github.com/mxschmitt/playwright-go"
)

// Home is the first page: a city's films.
type Home struct{ *Visit }

// Home waits for it.
func (v *Visit) Home() Home {
	v.T.Helper()
	v.At("/index")
	h := Home{v}
	v.sees(h.city())
	return h
}

// InCity waits until the films are those of a city.
func (h Home) InCity(name string) {
	h.T.Helper()
	h.sees(h.Phone.GetByRole("link", playwright.PageGetByRoleOptions{Name: "切换城市，当前" + name}))
}

// ChangeCity goes to the list of cities.
func (h Home) ChangeCity() CityList {
	h.T.Helper()
	h.must(h.city().Click())
	return h.CityList()
}

func (h Home) city() playwright.Locator {
	return h.Phone.GetByRole("link", playwright.PageGetByRoleOptions{Name: regexp.MustCompile("^(切换|选择)城市")})
}

// Search types into the search line.
func (h Home) Search(words string) { h.T.Helper(); h.fill("搜索影片名称", words) }

// Tab chooses between 正在热映 and 即将上映.
func (h Home) Tab(name string) {
	h.T.Helper()
	h.must(h.Phone.GetByRole("tab", playwright.PageGetByRoleOptions{Name: name}).Click())
}

// Films are the names of the films in the list.
func (h Home) Films() (names []string) {
	h.T.Helper()
	h.sees(h.films().First())
	for _, label := range h.names(h.films()) {
		names = append(names, regexp.MustCompile("^(购 票|预 售) ").ReplaceAllString(label, ""))
	}
	return names
}

// HasFilms waits until the list holds so many films.
func (h Home) HasFilms(n int) {
	h.T.Helper()
	h.must(expect.Locator(h.films()).ToHaveCount(n))
}

// ShowsNot waits until a film is not in the list.
func (h Home) ShowsNot(film string) {
	h.T.Helper()
	h.must(expect.Locator(h.link("购 票 " + film)).ToHaveCount(0))
}

// Buy goes to the cinemas that show a film.
func (h Home) Buy(film string) Cinemas {
	h.T.Helper()
	h.must(h.link("购 票 " + film).Click())
	h.At("/multiplex")
	h.sees(h.Phone.GetByRole("heading", playwright.PageGetByRoleOptions{Name: film, Exact: playwright.Bool(true)}))
	return Cinemas{h.Visit}
}

// Read opens a film's own page.
func (h Home) Read(film string) Film {
	h.T.Helper()
	h.must(h.Phone.GetByRole("tabpanel").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: startsWith(film)}).First().Click())
	return h.Film(film)
}

func (h Home) films() playwright.Locator {
	return h.Phone.GetByRole("link", playwright.PageGetByRoleOptions{Name: regexp.MustCompile("^(购 票|预 售) ")})
}

// TabBar goes to one of 影片, 影院 and 我的.
func (v *Visit) TabBar(name string) {
	v.T.Helper()
	v.must(v.Phone.GetByRole("navigation").GetByRole("link", playwright.LocatorGetByRoleOptions{Name: name}).Click())
}

// CityList is where the city is chosen.
type CityList struct{ *Visit }

// CityList waits for it.
func (v *Visit) CityList() CityList {
	v.T.Helper()
	v.At("/citylist")
	v.sees(v.Phone.GetByRole("navigation", playwright.PageGetByRoleOptions{Name: "字母索引"}))
	return CityList{v}
}

// Find searches for cities by name or pinyin and chooses one of those found.
func (c CityList) Find(words, city string) {
	c.T.Helper()
	c.Search(words)
	found := c.Phone.GetByRole("list", playwright.PageGetByRoleOptions{Name: "搜索结果"})
	c.must(found.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: city, Exact: playwright.Bool(true)}).Click())
}

// ChooseCity goes to the films of one of the hot cities.
func (v *Visit) ChooseCity(name string) {
	v.T.Helper()
	v.Open("/citylist")
	v.CityList().Choose("热门城市", name)
	v.Home().InCity(name)
}

// Search types into the search line.
func (c CityList) Search(words string) { c.T.Helper(); c.fill("输入城市名或拼音", words) }

// Letter goes to the cities of a letter.
func (c CityList) Letter(letter string) {
	c.T.Helper()
	c.must(c.Phone.GetByRole("navigation", playwright.PageGetByRoleOptions{Name: "字母索引"}).
		GetByRole("button", playwright.LocatorGetByRoleOptions{Name: letter, Exact: playwright.Bool(true)}).Click())
	c.must(expect.Locator(c.Phone.GetByRole("heading", playwright.PageGetByRoleOptions{Name: letter, Exact: playwright.Bool(true)})).ToBeInViewport())
}

// Choose chooses a city from a group: 定位城市, 最近访问, 热门城市.
func (c CityList) Choose(group, city string) {
	c.T.Helper()
	c.must(c.Phone.GetByRole("group", playwright.PageGetByRoleOptions{Name: group}).
		GetByRole("button", playwright.LocatorGetByRoleOptions{Name: city}).Click())
}

// Film is a film's own page.
type Film struct{ *Visit }

// Film waits for it.
func (v *Visit) Film(name string) Film {
	v.T.Helper()
	v.At("/filmdetail")
	v.sees(v.Phone.GetByRole("heading", playwright.PageGetByRoleOptions{Name: name, Exact: playwright.Bool(true)}).First())
	return Film{v}
}

// Buy goes to the cinemas that show the film.
func (f Film) Buy() Cinemas {
	f.T.Helper()
	f.must(f.link("立即购票").Click())
	f.At("/multiplex")
	return Cinemas{f.Visit}
}

// HotList is the ranking of a city's films.
type HotList struct{ *Visit }

// HotList waits for it.
func (v *Visit) HotList() HotList {
	v.T.Helper()
	v.At("/hotlist")
	v.sees(v.Phone.GetByRole("listitem").First())
	return HotList{v}
}

// First is the name of the leading film.
func (h HotList) First() string {
	h.T.Helper()
	name, err := h.Phone.GetByRole("listitem").First().GetByRole("strong").First().InnerText()
	h.must(err)
	return name
}

// Read opens a film's own page.
func (h HotList) Read(film string) Film {
	h.T.Helper()
	h.must(h.Phone.GetByRole("listitem").Filter(playwright.LocatorFilterOptions{HasText: contains(film)}).GetByRole("link").First().Click())
	return h.Film(film)
}
