package dataset

import (
	_ "embed"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
)

var (
	//go:embed films.txt
	filmsText string
	//go:embed dramas.txt
	dramasText string
)

// ShowState says whether tickets for a film are on sale. The numbers are those that both providers use.
type ShowState int

const (
	Showing ShowState = 1
	PreSale ShowState = 2 // not released yet, but tickets are on sale
	Coming  ShowState = 3 // not released yet, and no tickets are on sale
)

// Film is a film. All films, names and synopses are invented.
type Film struct {
	ID          string // "1301"
	Code        string // the national film code, twelve digits
	Name        string
	English     string
	Categories  []string
	Edition     string // "2D", "IMAX 3D"
	Minutes     int
	Released    time.Time // midnight of the release day
	Composition string    // the scene of its poster, a name in package art
	Synopsis    string
	Score       string // "9.1"; "" before release
	Wish        int    // how many people want to see it
	Director    Person
	Cast        []Person

	presale    bool // tickets are on sale before its release
	popularity int  // how often halls show it, relative to other films; also its rank in Films
}

// Person is one line of a cast list.
type Person struct {
	Name      string
	Character string // "" for the director
	Avatar    string // path of the picture, "/art/avatar/….svg"
}

// Poster is the path of the film's poster.
func (f Film) Poster() string { return "/art/poster/" + f.ID + ".svg" }

// Stars are the names of the cast, the first four.
func (f Film) Stars() []string {
	var names []string
	for _, p := range f.Cast[:min(4, len(f.Cast))] {
		names = append(names, p.Name)
	}
	return names
}

// State is the film's state at t.
func (f Film) State(t time.Time) ShowState {
	switch {
	case !f.Released.After(t):
		return Showing
	case f.presale:
		return PreSale
	default:
		return Coming
	}
}

// Films lists the films in their current order: showing, pre-sale, coming. Showing films are sorted by popularity, the
// others by release day.
func (country *Country) Films() []Film {
	now := country.Now()
	list := slices.Clone(country.films())
	sort.SliceStable(list, func(i, j int) bool {
		a, b := list[i].State(now), list[j].State(now)
		if a != b {
			return a < b
		}
		if a == Showing {
			return list[i].popularity > list[j].popularity
		}
		return list[i].Released.Before(list[j].Released)
	})
	return list
}

// Film finds a film by id.
func (country *Country) Film(id string) (Film, bool) {
	for _, f := range country.films() {
		if f.ID == id {
			return f, true
		}
	}
	return Film{}, false
}

// FilmByCode finds a film by its national code.
func (country *Country) FilmByCode(code string) (Film, bool) {
	for _, f := range country.films() {
		if f.Code == code {
			return f, true
		}
	}
	return Film{}, false
}

// makeFilms reads the table of films, whose first line explains the columns. Release days are relative to founded. What
// is not in the table is derived from the seed.
func makeFilms(seed uint64, founded time.Time) []Film {
	var films []Film
	for line := range strings.Lines(filmsText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := fields(line)
		days, presale := strings.CutSuffix(f[5], "p")
		age, _ := strconv.Atoi(days)
		minutes, _ := strconv.Atoi(f[4])
		id := strconv.Itoa(1301 + len(films))
		r := RandOf(seed, "film", id)
		film := Film{
			ID: id, Code: fmt.Sprintf("0%s1%06d%s", r.Text("0123456789", 2), r.N(1_000_000), "20")[:12],
			Name: f[0], English: f[1], Categories: strings.Split(f[2], ","), Edition: f[3], Minutes: minutes,
			Released: founded.AddDate(0, 0, -age), Composition: f[6], Synopsis: f[7], presale: presale,
			Wish: r.Between(3_000, 480_000), popularity: r.Between(1, 1000),
		}
		if age >= 0 {
			film.Score = fmt.Sprintf("%d.%d", r.Between(7, 9), r.Between(0, 8))
			film.popularity += 60 * (40 - min(age, 40)) / 2
		}
		film.Director, film.Cast = makeCast(r, id)
		films = append(films, film)
	}
	return films
}

const (
	surnames = "沈顾裴陆纪霍祁温岑白苏江叶秦贺闻季柏尹路简戚桑楚莫易晏程骆栾"
	givens   = "知遥,牧野,清如,望舒,砚秋,子衿,怀瑾,令仪,星回,云起,小满,听澜,长青,未央,阿宁,予安,思齐,南乔,北辰,一苇,见微," +
		"鹿鸣,如初,拾光,晚照,渡川,青禾,既白,惊蛰,临溪"
	nicknames = "老周,阿拾,小满,七婶,林队长,周医生,无名客,店长,渡船人,邻居,记者,掌柜,少年,陌生人,引路人,馆长,外婆,教授," +
		"列车员,邮差,修表匠,二叔,歌手,探长,猎人,船长"
)

// makeCast generates the director and the cast of a film.
func makeCast(r *Rand, film string) (Person, []Person) {
	family, given, roles := []rune(surnames), strings.Split(givens, ","), strings.Split(nicknames, ",")
	f, g, c := r.Perm(len(family)), r.Perm(len(given)), r.Perm(len(roles))
	people := make([]Person, r.Between(6, 8))
	for i := range people {
		people[i] = Person{
			Name: string(family[f[i]]) + given[g[i]], Character: "饰 " + roles[c[i]],
			Avatar: fmt.Sprintf("/art/avatar/%s-%d.svg", film, i),
		}
	}
	people[0].Character = ""
	return people[0], people[1:]
}

// Drama is a stage production.
type Drama struct {
	ID, Name, Kind, Line, Composition string
	Venue                             string
	City                              City
	Starts                            time.Time
	FromFen                           int64
}

// Poster is the path of the drama's poster.
func (d Drama) Poster() string { return "/art/drama/" + d.ID + ".svg" }

// Dramas lists the stage productions, by date.
func (country *Country) Dramas() []Drama { return country.dramas() }

// makeDramas reads the table of stage productions and places each in a big city.
func makeDramas(seed uint64, founded time.Time) []Drama {
	var big []City
	for _, c := range cities() {
		if c.Tier <= 2 {
			big = append(big, c)
		}
	}
	venues := []string{"大剧院", "人民剧场", "文化艺术中心", "小剧场", "音乐厅", "青年剧场"}
	var dramas []Drama
	for line := range strings.Lines(dramasText) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := fields(line)
		id := strconv.Itoa(5001 + len(dramas))
		r := RandOf(seed, "drama", id)
		yuan, _ := strconv.ParseInt(f[4], 10, 64)
		city := Pick(r, big)
		dramas = append(dramas, Drama{
			ID: id, Name: f[0], Kind: f[1], Line: f[2], Composition: f[3], FromFen: yuan * 100, City: city,
			Venue:  strings.TrimSuffix(city.Name, "市") + Pick(r, venues),
			Starts: founded.AddDate(0, 0, r.Between(2, 60)).Add(19*time.Hour + 30*time.Minute),
		})
	}
	sort.SliceStable(dramas, func(i, j int) bool { return dramas[i].Starts.Before(dramas[j].Starts) })
	return dramas
}

// fields splits a line of a table at | and trims the parts.
func fields(line string) []string {
	f := strings.Split(strings.TrimSpace(line), "|")
	for i := range f {
		f[i] = strings.TrimSpace(f[i])
	}
	return f
}
