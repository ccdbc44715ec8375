package app_test

import (
	"bytes"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/beijing"
	"marquee/server/durations"
	"marquee/server/money"
)

type city struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	ID1    string `json:"cityid1"`
	ID2    string `json:"cityid2"`
	Pinyin string `json:"pinyin"`
}

type cityList struct {
	List []city `json:"list"`
}

func TestCalls_Cities(t *testing.T) {
	t.Parallel()
	b := newTestShop(t).newBuyer("")
	all := dataOf[cityList](t, b.call("/movie/route/Movie/citylist", nil)).List
	require.Greater(t, len(all), 330, "every prefecture-level city")
	found := dataOf[cityList](t, b.call("/movie/route/Movie/citylist", params{"keyword": "上海"})).List
	require.Len(t, found, 1)
	shanghaiCity := found[0]
	require.Equal(t, "310100", shanghaiCity.ID)
	require.NotEmpty(t, shanghaiCity.ID1)
	require.NotEmpty(t, shanghaiCity.ID2)
	for _, path := range []string{"/movie/route/Movie/citylist", "/newmovie/seat/city"} {
		for _, keyword := range []string{"shangh", "sh"} {
			require.Contains(t, dataOf[cityList](t, b.call(path, params{"keyword": keyword})).List, shanghaiCity,
				"%s %s", path, keyword)
		}
		require.Empty(t, dataOf[cityList](t, b.call(path, params{"keyword": "火星"})).List)
	}
	hot := dataOf[cityList](t, b.call("/movie/route/Movie/hotcity", nil)).List
	require.Contains(t, hot, shanghaiCity)
	var hotNames []string
	for _, c := range hot {
		hotNames = append(hotNames, c.Name)
	}
	require.Equal(t, []string{
		"北京市", "成都市", "重庆市", "广州市", "杭州市", "南京市", "上海市", "深圳市", "苏州市", "天津市", "武汉市", "西安市",
	}, hotNames)
	gateway := func(keyword string) (names []string) {
		for _, c := range dataOf[struct {
			List []struct{ Cityname string } `json:"cityList"`
		}](t, b.call("/movie/route", params{"method": "city.list", "keyword": keyword})).List {
			names = append(names, c.Cityname)
		}
		return names
	}
	require.Greater(t, len(gateway("")), 330)
	require.Equal(t, []string{"上海市"}, gateway("shangh"))
}

func TestCalls_Films(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	b := h.newBuyer("")
	type film struct {
		ID      string `json:"movieId"`
		Code    string `json:"movieCode"`
		Name    string `json:"name"`
		Poster  string `json:"posterUrl"`
		Star    string `json:"star"`
		PreShow int    `json:"isPreShow"`
		ShowSt  int    `json:"showSt"`
	}
	type page struct {
		Total int    `json:"total"`
		List  []film `json:"list"`
	}
	byDivision := dataOf[page](t, b.get("/newmovie/api/movie/movies?cityId=310100&pageSize=99999999"))
	require.GreaterOrEqual(t, byDivision.Total, 30)
	require.Len(t, byDivision.List, byDivision.Total)
	require.True(t, strings.HasPrefix(byDivision.List[0].Poster, h.Sims.URL()), "picture addresses must be absolute")
	shanghaiID := dataOf[cityList](t, b.call("/movie/route/Movie/citylist", params{"keyword": "上海"})).List[0].ID2
	require.Equal(t, byDivision,
		dataOf[page](t, b.get("/newmovie/api/movie/movies?pageSize=1000&cityId="+shanghaiID)),
		"both ids of a city must give the same films")
	coming := dataOf[page](t, b.get("/newmovie/api/movie/coming_movies?cityId=310100"))
	require.GreaterOrEqual(t, coming.Total, 12)
	presale := 0
	for _, f := range coming.List {
		presale += f.PreShow
	}
	require.Positive(t, presale, "some coming films must be on presale")
	for _, f := range byDivision.List {
		require.Equal(t, 1, f.ShowSt, "%s is not out yet", f.Name)
	}
	for _, f := range coming.List {
		require.NotEqual(t, 1, f.ShowSt, "%s is out", f.Name)
	}
	detail := dataOf[struct {
		Name, Desc string
		Cast       []struct{ ActorName, CharacterName, AvatarURL string } `json:"workerList"`
	}](t, b.get("/newmovie/api/movie/movie_detail?movieId="+byDivision.List[2].ID))
	require.Equal(t, byDivision.List[2].Name, detail.Name)
	require.NotEmpty(t, detail.Desc)
	require.NotEmpty(t, detail.Cast)
	requireFault(t, b.get("/newmovie/api/movie/movie_detail?movieId=0"), "film_not_found")

	hot := dataOf[struct {
		Total int
		List  []struct{ Movieid, Moviename string } `json:"filmList"`
	}](t, b.call("/movie/route", params{"method": "film.hot", "cityid": "310100", "pageNo": "1",
		"pageSize": "99999999"}))
	require.Len(t, hot.List, hot.Total)
	one := dataOf[struct {
		Film struct{ Movieid, Name string }
	}](t, b.call("/movie/route", params{"method": "film.detail", "movieid": hot.List[2].Movieid}))
	require.Equal(t, hot.List[2].Moviename, one.Film.Name)
	type dramaPage struct {
		Total int
		List  []struct{ ID, Name string } `json:"projectList"`
	}
	const pageSize = 10
	names := map[string]bool{}
	total := 0
	for number := 1; number == 1 || len(names) < total; number++ {
		page := dataOf[dramaPage](t, b.call("/movie/route", params{"method": "drama.list",
			"pageNo": strconv.Itoa(number), "pageSize": strconv.Itoa(pageSize)}))
		total = page.Total
		require.Greater(t, total, pageSize, "there is more than one page")
		require.Len(t, page.List, min(pageSize, total-(number-1)*pageSize), "page %d of %d dramas", number, total)
		for _, d := range page.List {
			require.False(t, names[d.Name], "%s is on two pages", d.Name)
			names[d.Name] = true
		}
	}
	require.Len(t, names, total)
}

func TestCalls_Cinemas(t *testing.T) {
	t.Parallel()
	b := newTestShop(t).newBuyer("")
	type page struct {
		Total   int `json:"city_num"`
		Regions []struct {
			ID, Name string
			Num      int
		} `json:"qu_list"`
		Cinemas []struct {
			Flag                 int
			Name, Name1          string
			CinemaID1, CinemaID2 string
			Juli, Price, QuID    string
			Address, Address1    string
		} `json:"yingyuan"`
	}
	ask := func(fields params) page {
		fields["cityid"] = shanghai
		return dataOf[page](t, b.call("/movie/route/Movie/cinema", fields))
	}
	all := ask(params{})
	require.Len(t, all.Cinemas, all.Total)
	flags := map[int]int{}
	for _, c := range all.Cinemas {
		flags[c.Flag]++
		require.Empty(t, c.Juli, "without a position there is no distance")
		if c.Flag == 1 {
			require.NotEmpty(t, c.Name+c.CinemaID1)
			require.Empty(t, c.Name1+c.CinemaID2+c.Address1)
		} else {
			require.NotEmpty(t, c.Name1+c.CinemaID2)
			require.Empty(t, c.Name+c.CinemaID1+c.Address)
		}
	}
	require.Len(t, flags, 2, "cinemas of both sources must be listed")
	inRegions := 0
	for _, r := range all.Regions {
		inRegions += r.Num
	}
	require.Equal(t, all.Total, inRegions)

	near := ask(params{"lat": "31.2304", "lng": "121.4737"})
	require.Regexp(t, `^\d+\.\d$`, near.Cinemas[0].Juli)
	region := all.Regions[1]
	of := ask(params{"quid": region.ID}).Cinemas
	require.Len(t, of, region.Num)
	for _, c := range of {
		require.Equal(t, region.ID, c.QuID)
	}
	name := all.Cinemas[1].Name + all.Cinemas[1].Name1
	found := ask(params{"keyword": name}).Cinemas
	require.NotEmpty(t, found)
	for _, c := range found {
		require.Contains(t, c.Name+c.Name1+c.Address+c.Address1, name)
	}
	require.Empty(t, ask(params{"keyword": "没有这家影院"}).Cinemas)
	requireFault(t, b.call("/movie/route/Movie/cinema", params{"cityid": "0"}), "city_not_found")
	requireFault(t, b.call("/movie/route/Movie/cinema", params{"cityid": shanghai, "lat": "91", "lng": "0"}),
		"invalid_input")
}

// The list of a film's cinemas has the price that the pages of the cinemas have, for the film and not for any film.
func TestCalls_CinemasOfAFilmHaveItsPrice(t *testing.T) {
	t.Parallel()
	b := newTestShop(t).newBuyer("")
	films := dataOf[struct {
		List []struct{ MovieID, MovieCode string } `json:"filmList"`
	}](t, b.call("/movie/route", params{"method": "film.hot", "cityid": shanghai})).List
	dearer := 0 // cinemas where the film costs more than the cheapest film
	for _, film := range films[:2] {
		type cinema struct {
			Flag                 int
			CinemaID1, CinemaID2 string
			Price                string
			FilmPrice            string `json:"movie_price"`
		}
		var listed []cinema
		// A list does not wait long for prices; those that come later are in the next list.
		require.Eventually(t, func() bool {
			listed = dataOf[struct {
				Cinemas []cinema `json:"yingyuan"`
			}](t, b.call("/movie/route/Movie/cinema",
				params{"cityid": shanghai, "movieId": film.MovieID, "movieCode": film.MovieCode})).Cinemas
			first := map[int]string{}
			for _, c := range slices.Backward(listed) {
				first[c.Flag] = c.FilmPrice
			}
			return first[1] != "" && first[2] != ""
		}, time.Minute, 10*time.Millisecond)
		sources := map[int]bool{}
		for _, c := range listed {
			if sources[c.Flag] {
				continue
			}
			sources[c.Flag] = true
			var want money.Fen
			if c.Flag == 1 {
				want = b.lowestOfShowings(c.CinemaID1, film.MovieID)
			} else {
				want = b.lowestOfSessions(c.CinemaID2, film.MovieCode)
			}
			require.Equal(t, want.String(), c.FilmPrice, "film %s, source %d", film.MovieCode, c.Flag)
			least, err := money.ParseFen(c.Price)
			require.NoError(t, err)
			require.LessOrEqual(t, least, want)
			if least < want {
				dearer++
			}
		}
		require.Len(t, sources, 2, "the film runs at both sources")
	}
	require.NotZero(t, dearer, "a film that costs more than the cinema's cheapest")
}

// lowestOfShowings is the lowest price of a film at a legacy cinema, of the showings that are on sale.
func (b *buyer) lowestOfShowings(cinemaID, filmID string) (least money.Fen) {
	b.T.Helper()
	shown := dataOf[struct {
		List []struct {
			Playtime string
			Price    money.Fen
		} `json:"opiList"`
	}](b.T, b.call("/movie/route", params{"method": "opi.list.v2", "cinemaid": cinemaID, "movieid": filmID}))
	soon := b.Now().Add(durations.StopSale).In(beijing.Time).Format(time.DateTime)
	for _, s := range shown.List {
		if s.Playtime > soon && (least == 0 || s.Price < least) {
			least = s.Price
		}
	}
	return least
}

// lowestOfSessions is the lowest price of a film at a newmovie cinema, of the sessions that are on sale.
func (b *buyer) lowestOfSessions(cinemaID, filmCode string) (least money.Fen) {
	b.T.Helper()
	shown := dataOf[struct {
		Movies []struct {
			MovieCode string
			Shows     []struct {
				Sessions []struct {
					OriginPrice string
					Sellable    bool
				}
			}
		}
	}](b.T, b.get("/newmovie/api/movie/cinema_shows?cinemaId="+cinemaID))
	for _, film := range shown.Movies {
		if film.MovieCode != filmCode {
			continue
		}
		for _, day := range film.Shows {
			for _, s := range day.Sessions {
				price, err := money.ParseFen(s.OriginPrice)
				require.NoError(b.T, err)
				if s.Sellable && (least == 0 || price < least) {
					least = price
				}
			}
		}
	}
	return least
}

func TestCalls_AroundTheGoods(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	require.NoError(t, h.Shop.SeedDemo(t.Context(), nil))
	b := h.newBuyer("")
	for path, banners := range map[string]int{"/movie/route/Movie/sylbt": 3, "/movie/route/Movie/yclbt": 2} {
		page := dataOf[struct {
			Banners []struct{ Img, URL, Title string }   `json:"banners"`
			First   []struct{ Img, Title, Price string } `json:"kaquan_list1"`
			Second  []struct{ Img, Title, Price string } `json:"kaquan_list2"`
		}](t, b.call(path, nil))
		require.Len(t, page.Banners, banners)
		require.NotEmpty(t, page.First)
		require.NotEmpty(t, page.Second)
		resp, err := http.Get(b.URL + page.Banners[0].Img)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusOK, resp.StatusCode, "the picture must exist")
	}
	guide := dataOf[struct{ Goupiao, Guanying string }](t, b.call("/movie/route/Movie/guide", nil))
	require.Contains(t, guide.Goupiao, "不支持退票")
	require.Contains(t, guide.Guanying, "不支持改签")
	for id, title := range map[string]string{"1": "隐私政策", "2": "使用说明"} {
		require.Equal(t, title, dataOf[struct{ Title, Content string }](t,
			b.call("/Login/single", params{"id": id})).Title)
	}
	requireFault(t, b.call("/Login/single", params{"id": "3"}), "text_not_found")
	info := dataOf[struct{ Weblogo, Zxkf string }](t, b.call("/Login/index", nil))
	require.NotEmpty(t, info.Weblogo)
	require.NotEmpty(t, info.Zxkf)
	h.AdvanceClock(24 * time.Hour)
	for _, path := range []string{"/movie/route/Movie/gettime", "/newmovie/seat/time"} {
		require.InDelta(t, h.Now().Unix(),
			dataOf[struct{ Time int64 }](t, b.call(path, nil)).Time, 5, "business time")
	}
}

func TestCalls_Member(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	h.issueCard("8010000000000001", 100_000)
	b := h.newBuyer("13811110020").login()
	type member struct {
		Img     string `json:"img"`
		Phone   string `json:"phone"`
		CardNum int    `json:"card_num"`
		Orders  struct {
			All       int `json:"all"`
			Pending   int `json:"pending"`
			ToUse     int `json:"to_use"`
			Completed int `json:"completed"`
		} `json:"order_num"`
		HasPassword bool `json:"has_password"`
	}
	me := dataOf[member](t, b.call("/Member/index", nil))
	require.Equal(t, "138****0020", me.Phone)
	require.Equal(t, "/avatars/default.svg", me.Img)
	require.False(t, me.HasPassword)
	b.setPaymentPassword()
	card := b.bindCard("8010000000000001")
	no := lockLegacy(b, 0)
	me = dataOf[member](t, b.call("/Member/index", nil))
	require.True(t, me.HasPassword)
	require.Equal(t, 1, me.CardNum)
	require.Equal(t, 1, me.Orders.Pending)
	dataOf[any](t, b.call("/Film/flkpay", params{"oid": no, "ka_ids": card, "pass": password}))
	b.waitForStatus(no, "S")
	me = dataOf[member](t, b.call("/Member/index", nil))
	require.Equal(t, 1, me.Orders.ToUse)
	require.Zero(t, me.Orders.Pending)
	for tab, total := range map[string]int{"0": 1, "1": 0, "2": 1, "3": 0} {
		require.Equal(t, total, dataOf[struct{ Total int }](t, b.call("/Dyorder/order", params{
			"type": tab, "pageno": "1", "pagesize": "1000000",
		})).Total, "tab %s", tab)
	}
	cards := dataOf[struct {
		List []struct {
			ID, Name, Price string
			PID, Flag       int
			EndTime         int64 `json:"end_time"`
		} `json:"card_list"`
	}](t, b.call("/api/api.php/Card/lists", params{"flag": "1"}))
	require.Equal(t, "超级卡", cards.List[0].Name)
	require.Equal(t, 1, cards.List[0].Flag)
	h.AdvanceClock(3 * 24 * time.Hour) // the film has ended, the session has not
	require.Equal(t, 1, dataOf[member](t, b.call("/Member/index", nil)).Orders.Completed)

	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	require.NoError(t, form.WriteField("channel_no", h.Sims.Default().Credentials().Shop.ChannelNo))
	require.NoError(t, form.WriteField("token", b.token))
	part, err := form.CreateFormFile("img", "me.png")
	require.NoError(t, err)
	require.NoError(t, png.Encode(part, image.NewRGBA(image.Rect(0, 0, 64, 64))))
	require.NoError(t, form.Close())
	resp, err := b.http.HTTP.Post(h.URL+"/Member/uploadimg", form.FormDataContentType(), &body)
	require.NoError(t, err)
	img := dataOf[struct{ Img string }](t, b.http.Read(resp)).Img
	require.Equal(t, img, dataOf[member](t, b.call("/Member/index", nil)).Img)
	served, err := b.http.HTTP.Get(h.URL + img)
	require.NoError(t, err)
	require.NoError(t, served.Body.Close())
	require.Equal(t, http.StatusOK, served.StatusCode)
}

func TestCalls_PaymentPageAndTicketPage(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	b := h.newBuyer("13811110021").loginInApp()
	no := lockNewMovie(b, 0)
	page := dataOf[struct {
		Order       orderAnswer
		Time        int64
		HasPassword bool `json:"has_password"`
		OpenID      string
	}](t, b.call("/movie/route/Movie/jsordershow", params{"oid": no}))
	require.Equal(t, no, page.Order.ID)
	require.Equal(t, openID, page.OpenID)
	require.False(t, page.HasPassword)
	require.InDelta(t, 510, page.Order.Expires-page.Time, 5, "LockMargin before the lock of ten minutes ends")
	requireFault(t, b.call("/newmovie/seat/ticketToken", params{"oid": no}), "order_state")
	h.PayInApp(b.prepay(no, "", ""), "pay")
	b.waitForStatus(no, float64(4))
	ticket := dataOf[struct {
		URL     string `json:"url"`
		Expires int    `json:"expires_in"`
	}](t, b.call("/newmovie/seat/ticketToken", params{"oid": no}))
	require.Contains(t, ticket.URL, h.Sims.URL())
	require.Positive(t, ticket.Expires)
	requireFault(t, b.call("/movie/route/Movie/wxpay", params{"oid": no, "openid": openID}), "already_paid")
	requireFault(t, b.call("/newmovie/seat/cancel", params{"oid": no}), "already_paid")
}
