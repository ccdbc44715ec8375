package dataset_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
	"marquee/simulators/testclock"
)

func TestCities_AllOfThemWithTheRightReadings(t *testing.T) {
	t.Parallel()
	w := dataset.NewCountry(1, testclock.New())
	readings := map[string]string{}
	for _, c := range w.Cities() {
		readings[c.Name] = c.Pinyin
		assert.Regexp(t, `^[a-z]+$`, c.Pinyin, c.Name)
		assert.True(t, c.Lat > 3 && c.Lat < 54 && c.Lng > 73 && c.Lng < 136, c.Name)
		if c.Name != "三沙市" {
			assert.NotEmpty(t, c.Regions, c.Name)
		}
	}
	assert.GreaterOrEqual(t, len(readings), 337)
	for name, reading := range map[string]string{
		"重庆市": "chongqing", "长沙市": "changsha", "长春市": "changchun", "厦门市": "xiamen", "六安市": "luan", "亳州市": "bozhou",
		"蚌埠市": "bengbu",
		"朝阳市": "chaoyang", "成都市": "chengdu", "佛山市": "foshan", "昌都市": "changdu", "喀什地区": "kashi", "台州市": "taizhou",
		"乐山市": "leshan", "恩施土家族苗族自治州": "enshi", "西安市": "xian", "石嘴山市": "shizuishan", "上海市": "shanghai",
	} {
		assert.Equal(t, reading, readings[name])
	}
}

func TestFilms_EnoughOfEachKindWithTheirDetails(t *testing.T) {
	t.Parallel()
	w := dataset.NewCountry(1, testclock.New())
	count, codes := map[dataset.ShowState]int{}, map[string]bool{}
	for _, f := range w.Films() {
		count[f.State(w.Now())]++
		codes[f.Code] = true
		assert.Regexp(t, `^\d{12}$`, f.Code)
		assert.NotEmpty(t, f.Synopsis)
		assert.GreaterOrEqual(t, len(f.Cast), 5)
	}
	assert.Len(t, codes, len(w.Films()))
	assert.GreaterOrEqual(t, count[dataset.Showing], 30)
	assert.GreaterOrEqual(t, count[dataset.PreSale]+count[dataset.Coming], 12)
	assert.GreaterOrEqual(t, count[dataset.PreSale], 3)
}

func TestShows_InEveryCityOfBothSources(t *testing.T) {
	t.Parallel()
	w := dataset.NewCountry(1, testclock.New())
	for _, city := range w.Cities() {
		for _, source := range []dataset.Source{dataset.Gateway, dataset.NewMovie} {
			list := w.Cinemas(source, city)
			require.NotEmpty(t, list, city.Name)
			found, ok := w.Cinema(source, list[0].ID)
			require.True(t, ok)
			assert.Equal(t, list[0].Name, found.Name)
			assert.InDelta(t, city.Lat, list[0].Lat, 0.3)
			soon := w.ShowsOn(list[0], "", dataset.Day(w.Now()))
			soon = append(soon, w.ShowsOn(list[0], "", dataset.Day(w.Now()).AddDate(0, 0, 1))...)
			require.NotEmpty(t, soon)
			assert.LessOrEqual(t, soon[0].Starts.Sub(w.Now()), 15*time.Minute, "%s: a showing that is about to begin",
				city.Name)
		}
	}
}

func TestShows_SevenDaysAndEveryIDLeadsBack(t *testing.T) {
	t.Parallel()
	w := dataset.NewCountry(7, testclock.New())
	city, _ := w.City("440300")
	ids := map[string]bool{}
	for _, c := range w.Cinemas(dataset.NewMovie, city)[:3] {
		shows := w.Shows(c, "")
		assert.GreaterOrEqual(t, len(dataset.Dates(shows)), 7-1)
		for _, s := range shows {
			require.False(t, ids[s.ID], "id %s twice", s.ID)
			ids[s.ID] = true
			back, ok := w.Show(dataset.NewMovie, s.ID)
			require.True(t, ok)
			assert.Equal(t, s.Starts, back.Starts)
			assert.Equal(t, s.Film.ID, back.Film.ID)
			assert.False(t, s.Film.Released.After(s.Day))
		}
	}
	for _, id := range []string{"", "1", "abc", "5000000000000", "99999999999999999999", "-100000000000"} {
		_, ok := w.Show(dataset.NewMovie, id)
		assert.False(t, ok, id)
	}
}

func TestLayouts_AsManyAndAsVariedAsReal(t *testing.T) {
	t.Parallel()
	aisles, couples, areas, smallest, biggest, two := 0, 0, 0, 1000, 0, false
	for _, l := range dataset.Layouts() {
		seats := len(l.Seats)
		smallest, biggest, two = min(smallest, seats), max(biggest, seats), two || seats == 200
		if seats < l.Rows*l.Cols {
			aisles++
		}
		if len(l.Areas) > 0 {
			areas++
		}
		for i, s := range l.Seats {
			if s.Pair == dataset.LeftHalf {
				right := l.Seats[i+1]
				assert.Equal(t, dataset.RightHalf, right.Pair)
				assert.Equal(t, s.Col+1, right.Col)
				assert.Equal(t, s.Row, right.Row)
				assert.Equal(t, s.Area, right.Area)
			}
		}
		if l.Seats[len(l.Seats)-1].Pair == dataset.RightHalf {
			couples++
		}
	}
	assert.GreaterOrEqual(t, len(dataset.Layouts()), 6)
	assert.LessOrEqual(t, smallest, 60)
	assert.GreaterOrEqual(t, biggest, 600)
	assert.True(t, two, "a hall of 200 seats")
	assert.Positive(t, aisles)
	assert.GreaterOrEqual(t, couples, 3)
	assert.GreaterOrEqual(t, areas, 2)
}

func TestWorld_TheSameSeedGivesTheSameWorld(t *testing.T) {
	t.Parallel()
	clock := testclock.New()
	tell := func(seed uint64) string {
		w := dataset.NewCountry(seed, clock)
		city, _ := w.City("500100")
		c := w.Cinemas(dataset.Gateway, city)[1]
		s := w.Shows(c, "")[0]
		return fmt.Sprint(dataset.NewCredentials(seed), w.Films(), w.Dramas(), c.Name, c.Address, s.ID, s.Film.Name,
			s.Price, s.Starts)
	}
	assert.Equal(t, tell(3), tell(3))
	assert.NotEqual(t, tell(3), tell(4))
}
