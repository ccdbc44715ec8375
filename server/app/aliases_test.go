package app_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/httpapi"
	"marquee/simulators/journal"
)

// The specification has several paths for the steps of a purchase. Each path must do the same step.
func TestAliases_OfALegacyPurchase(t *testing.T) {
	t.Parallel()
	b, card := buyerWithCard(t, "13811110030")
	b.http.ProveIdentity(b.token, openID)
	opiid, seats := b.legacyShowingTomorrow()
	var free []string
	for _, s := range seats {
		if s.Status == 1 && s.Flag == 0 {
			free = append(free, s.ID)
		}
	}
	ours := b.legacyLockForm(opiid, free[0], free[1])

	no := dataOf[httpapi.NewOrder](t, b.call("/movie/route/Movie/create_order", ours)).OrderID
	require.NotEmpty(t, no)
	require.Len(t, strings.Split(b.order(no).Seats, ","), 2)
	for _, path := range []string{"/movie/route/Movie/unpayorder", "/Film/unpayorder", "/newmovie/seat/unpaid"} {
		found := dataOf[httpapi.UnpaidOrder](t, b.call(path, nil))
		require.Equal(t, no, found.OrderID, path)
		require.Equal(t, 1, found.Type, path)
	}
	dataOf[any](t, b.call("/movie/route/Movie/unorder", params{"oid": no}))
	require.Equal(t, "C", b.order(no).Status)
	require.Empty(t, dataOf[httpapi.UnpaidOrder](t, b.call("/movie/route/Movie/unpayorder", nil)))

	no = dataOf[httpapi.NewOrder](t, b.call("/Film/lockseat", ours)).OrderID
	for _, under := range []string{"/movie/route/Movie", "/Film"} {
		page := dataOf[struct{ Order orderAnswer }](t, b.call(under+"/jsordershow", params{"oid": no}))
		require.Equal(t, "N", page.Order.Status, under)
		cards := dataOf[struct {
			List []struct{ ID, Price string } `json:"card_list"`
		}](t, b.call(under+"/card", nil))
		require.Len(t, cards.List, 1, under)
		require.Equal(t, card, cards.List[0].ID, under)
		quote := dataOf[struct {
			Cards string `json:"dkprice"`
			App   string `json:"wxprice"`
			IDs   string `json:"ka_ids"`
		}](t, b.call(under+"/pay_date", params{"oid": no, "fulika": card}))
		require.Equal(t, page.Order.Amount, quote.Cards, under)
		require.Equal(t, "0.00", quote.App, under)
		require.Equal(t, card, quote.IDs, under)
		sheet := dataOf[struct {
			Params params `json:"jsApiParameters"`
			No     string `json:"order_no"`
		}](t, b.call(under+"/wxpay", params{"oid": no, "openid": openID}))
		require.Equal(t, no, sheet.No, under)
		for _, name := range []string{"appId", "timeStamp", "nonceStr", "package", "signType", "paySign"} {
			require.NotEmpty(t, sheet.Params[name], "%s %s", under, name)
		}
		require.Equal(t, "N", dataOf[struct{ Orderstatus any }](t,
			b.call(under+"/pay_success", params{"order_no": no})).Orderstatus, under)
	}
	paid := dataOf[struct {
		No          string `json:"order_no"`
		Orderstatus any
	}](t, b.call("/Film/flkpay", params{"oid": no, "ka_ids": card, "pass": password}))
	require.Equal(t, no, paid.No)
	require.Contains(t, []any{"P", "T", "S"}, paid.Orderstatus)
	b.waitForStatus(no, "S")
	require.Equal(t, "S", dataOf[struct{ Orderstatus any }](t,
		b.call("/Film/pay_success", params{"order_no": no})).Orderstatus)
	b.Verify()
}

// The specification names two paths for a cinema of the new provider. Both must return the same page.
func TestAliases_OfANewCinema(t *testing.T) {
	t.Parallel()
	b := newTestShop(t).newBuyer("")
	id := b.cinemaOf(2).ID2
	type page struct {
		Cinema struct{ CinemaID, CinemaCode, SourceID, Name, Address, Phone string }
		Movies []struct {
			MovieID string
			Shows   []struct {
				ShowDate string
				Sessions []struct {
					SessionID, ShowTime, EndTime, Version, Language, Hall, OriginPrice string
				}
			}
		}
	}
	shown := dataOf[page](t, b.get("/newmovie/api/movie/cinema_shows?cinemaId="+id))
	require.Equal(t, shown, dataOf[page](t, b.call("/newmovie/seat/cinemaDetail", params{"cinemaId": id})))
	require.NotEmpty(t, shown.Cinema.CinemaCode)
	require.NotEmpty(t, shown.Cinema.SourceID)
	film := shown.Movies[0].MovieID
	one := dataOf[page](t, b.call("/newmovie/seat/cinemaDetail", params{"cinemaId": id, "movieId": film}))
	require.Len(t, one.Movies, 1)
	require.Equal(t, shown.Movies[0], one.Movies[0])
	requireFault(t, b.call("/newmovie/seat/cinemaDetail", params{"cinemaId": "0"}), "cinema_not_found")
}

// The signature lets a page call the JS-SDK of the messaging app.
func TestAliases_APageIsSignedForTheMessagingApp(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	b := h.newBuyer("")
	signed := dataOf[map[string]any](t, b.call("/movie/route/Movie/getLocation", params{"url": b.URL + "/multiplex"}))
	require.Equal(t, h.Sims.Default().Credentials().WeChat.AppID, signed["appid"])
	require.InDelta(t, time.Now().Unix(), signed["time"], 60)
	require.NotEmpty(t, signed["nonceStr"])
	require.Regexp(t, `^[0-9a-f]{40}$`, signed["signature"])
	other := dataOf[map[string]any](t, b.call("/movie/route/Movie/getLocation", params{"url": b.URL + "/index"}))
	require.NotEqual(t, signed["signature"], other["signature"])
}

// The page number and the page size of stage projects are optional. Without them, the first 25 projects are requested.
func TestAliases_DramasAreTheFirstTwentyFive(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	list := dataOf[struct {
		List []any `json:"projectList"`
	}](t, h.newBuyer("").call("/movie/route", params{"method": "drama.list"}))
	require.NotEmpty(t, list.List)
	asked := h.Sims.Default().Journal().Entries(journal.Filter{Provider: "gateway", Operation: "drama.list"})
	require.Len(t, asked, 1)
	form, err := url.ParseQuery(asked[0].Request)
	require.NoError(t, err)
	require.Equal(t, "1", form.Get("pageNo"))
	require.Equal(t, "25", form.Get("pageSize"))
}
