package simulators_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/dataset"
)

// list returns the objects of a list in an answer.
func list(t *testing.T, answer map[string]any, name string) []map[string]any {
	t.Helper()
	items, ok := answer[name].([]any)
	require.True(t, ok, "%v", answer)
	found := make([]map[string]any, len(items))
	for i, item := range items {
		found[i], ok = item.(map[string]any)
		require.True(t, ok)
	}
	return found
}

// ids are the ids of a list.
func ids(items []map[string]any) []string {
	found := []string{}
	for _, item := range items {
		found = append(found, fmt.Sprint(item["id"]))
	}
	return found
}

func TestShowings_AreFoundOfBothProvidersByCityCinemaFilmAndDay(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, _ := create(t, s, `{"now":"2031-01-01T10:00:00+08:00","frozen":true}`)
	in := "world=" + made.ID
	_, answer := control(t, s, http.MethodGet, "/cities?contains=shanghai&"+in, "")
	assert.Equal(t, []string{"310100"}, ids(list(t, answer, "cities")))

	_, answer = control(t, s, http.MethodGet, "/cinemas?city=310100&"+in, "")
	all := list(t, answer, "cinemas")
	assert.InDelta(t, len(all), answer["total"], 0)
	_, answer = control(t, s, http.MethodGet, "/cinemas?city=310100&limit=10&offset=20&"+in, "")
	assert.Equal(t, ids(all)[20:30], ids(list(t, answer, "cinemas")), "a page of them")
	assert.InDelta(t, len(all), answer["total"], 0)
	_, answer = control(t, s, http.MethodGet, "/cinemas?city=310100&offset=1000&"+in, "")
	assert.Empty(t, list(t, answer, "cinemas"))

	_, answer = control(t, s, http.MethodGet, "/films?state=showing&limit=1&"+in, "")
	assert.Len(t, list(t, answer, "films"), 1)
	assert.InDelta(t, 36, answer["total"], 0)

	_, answer = control(t, s, http.MethodGet, "/showings?city=310100&limit=1000&day=2031-01-02&"+in, "")
	providers := map[any]int{}
	before := ""
	for _, show := range list(t, answer, "showings") {
		providers[show["provider"]]++
		starts := fmt.Sprint(show["starts"])
		assert.GreaterOrEqual(t, starts, before, "by time")
		assert.True(t, strings.HasPrefix(starts, "2031-01-02T"))
		before = starts
	}
	assert.Positive(t, providers["gateway"])
	assert.Positive(t, providers["newmovie"])
	assert.Len(t, answer["days"], 7)
	cinema := all[0]
	_, answer = control(t, s, http.MethodGet, fmt.Sprintf("/showings?cinema=%s&%s", cinema["id"], in), "")
	film, ok := list(t, answer, "showings")[0]["film"].(map[string]any)
	require.True(t, ok)
	_, answer = control(t, s, http.MethodGet, fmt.Sprintf("/showings?provider=gateway&cinema=%s&film=%s&%s",
		cinema["id"], film["id"], in), "")
	shows := list(t, answer, "showings")
	require.NotEmpty(t, shows, "the first one at least")
	for _, show := range shows {
		assert.Subset(t, show["film"], map[string]any{"id": film["id"]})
		assert.Subset(t, show["cinema"], map[string]any{"id": cinema["id"]})
	}
	assert.Equal(t, "2031-01-01", answer["day"], "today, when none is named")
}

func TestSeats_AreSoldAndFreedByATester(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, v := create(t, s, `{"now":"2031-01-01T10:00:00+08:00","frozen":true}`)
	in := "?world=" + made.ID
	show, seats := plainShow(t, countryOf(t, s, made), dataset.Gateway)
	path := "/showings/" + show.ID + "/seats"
	state := func(id string) map[string]any {
		t.Helper()
		_, answer := control(t, s, http.MethodGet, path+in, "")
		for _, seat := range list(t, answer, "seats") {
			if seat["id"] == id {
				return seat
			}
		}
		t.Fatalf("no seat %s", id)
		return nil
	}
	mine := v.hold("S1", show.ID, seats)
	require.NotEmpty(t, mine)
	assert.Subset(t, state(mine), map[string]any{"state": "locked", "order": "S1", "mobile": "13900000001",
		"until": "2031-01-01T10:15:00+08:00"})
	free := ""
	for _, id := range seats {
		if id != mine && state(id)["state"] == "free" {
			free = id
			break
		}
	}
	status, answer := control(t, s, http.MethodPost, path+"/sell"+in, `{"seats":["`+free+`"]}`)
	require.Equal(t, http.StatusOK, status, answer)
	assert.Equal(t, "others", state(free)["state"])
	assert.Equal(t, "", v.hold("S2", show.ID, []string{free}), "a buyer finds it taken")
	for _, rejected := range []struct{ path, body, code string }{
		{"/sell", `{"seats":["` + free + `"]}`, "seat_taken"},
		{"/sell", `{"seats":["` + mine + `"]}`, "seat_taken"},
		{"/free", `{"seats":["` + mine + `"]}`, "seat_of_order"},
		{"/free", `{"seats":["` + free + `","` + mine + `"]}`, "seat_of_order"},
		{"/sell", `{"seats":["9999"]}`, "seat_unknown"},
		{"/sell", `{"seats":[]}`, "missing_field"},
		{"/sell", `{}`, "missing_field"},
		{"/sell", `{"seat":"0101"}`, "unknown_field"},
	} {
		_, answer := control(t, s, http.MethodPost, path+rejected.path+in, rejected.body)
		assert.Contains(t, fmt.Sprint(answer["error"]), "code:"+rejected.code, rejected.path+rejected.body)
	}
	assert.Equal(t, "others", state(free)["state"], "all or none")
	status, answer = control(t, s, http.MethodPost, path+"/free"+in, `{"seats":["`+free+`"]}`)
	require.Equal(t, http.StatusOK, status, answer)
	assert.Equal(t, free, v.hold("S3", show.ID, []string{free}), "now a buyer gets it")

	control(t, s, http.MethodPost, "/clock/advance"+in, `{"seconds":1000}`)
	assert.Equal(t, "free", state(mine)["state"], "the lock ran out")
	_, answer = control(t, s, http.MethodGet, "/orders"+in+"&contains=S1", "")
	order := list(t, answer, "orders")[0]
	assert.Equal(t, "expired", order["state"])
	assert.Equal(t, []any{
		map[string]any{"state": "held", "at": "2031-01-01T10:00:00+08:00"}, map[string]any{"state": "expired",
			"at": "2031-01-01T10:15:00+08:00"},
	}, order["history"], "the time when it ran out, not the time of the read")

	fork, copied := madeBy(t, s, "/worlds/"+made.ID+"/fork", "")
	_, answer = control(t, s, http.MethodGet, "/orders?contains=S1&world="+fork.ID, "")
	assert.Equal(t, order["history"], list(t, answer, "orders")[0]["history"], "a snapshot keeps it")
	assert.Equal(t, "", copied.hold("S4", show.ID, []string{"none"}))
}

func TestSeats_BothHalvesOfACouplesSeatAreSoldAndFreed(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, _ := create(t, s, `{"now":"2031-01-01T10:00:00+08:00","frozen":true}`)
	country := countryOf(t, s, made)
	city, _ := country.City("310100")
	for _, show := range country.Shows(country.Cinemas(dataset.NewMovie, city)[0], "") {
		if show.Hall.Layout.Kind != "情侣" {
			continue
		}
		path := "/showings/" + show.ID + "/seats"
		_, answer := control(t, s, http.MethodGet, path+"?world="+made.ID, "")
		for i, seat := range list(t, answer, "seats") {
			if seat["state"] == "free" && seat["pair"] == "left" {
				for _, row := range []struct{ do, state string }{{"sell", "others"}, {"free", "free"}} {
					_, answer = control(t, s, http.MethodPost, path+"/"+row.do+"?world="+made.ID,
						fmt.Sprintf(`{"seats":[%q]}`, seat["id"]))
					seats := list(t, answer, "seats")
					assert.Equal(t, row.state, seats[i]["state"])
					assert.Equal(t, row.state, seats[i+1]["state"])
				}
				return
			}
		}
	}
	t.Fatal("no free couples seat")
}

func TestOrders_TicketsPaymentsAndRefundsInOneList(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, v := create(t, s, `{"now":"2031-01-01T10:00:00+08:00","frozen":true}`)
	in := "?world=" + made.ID
	show, seats := plainShow(t, countryOf(t, s, made), dataset.Gateway)
	require.NotEmpty(t, v.hold("T1", show.ID, seats))
	control(t, s, http.MethodPost, "/clock/advance"+in, `{"seconds":60}`)
	prepay := v.announce("P10001", "http://127.0.0.1:1/notify")
	_, answer := control(t, s, http.MethodGet, "/orders"+in+"&kind=payment", "")
	assert.Subset(t, list(t, answer, "orders")[0]["payment"], map[string]any{"prepay_id": prepay, "payable": true})
	control(t, s, http.MethodPost, "/clock/advance"+in, `{"seconds":60}`)
	control(t, s, http.MethodPost, "/wechat/pay"+in, `{"prepay_id":"`+prepay+`","outcome":"pay"}`)
	require.Equal(t, "PROCESSING", v.refund("P10001", "http://127.0.0.1:1/notify"))
	control(t, s, http.MethodPost, "/clock/advance"+in, `{"seconds":60}`)

	_, answer = control(t, s, http.MethodGet, "/orders"+in, "")
	orders := list(t, answer, "orders")
	require.Len(t, orders, 3)
	assert.Equal(t, []any{"refund", "payment", "ticket"},
		[]any{orders[0]["kind"], orders[1]["kind"], orders[2]["kind"]}, "the newest first")
	assert.Subset(t, orders[0], map[string]any{"no": "R-P10001", "state": "SUCCESS", "amount_fen": 100.0})
	assert.Equal(t, []any{
		map[string]any{"state": "PROCESSING", "at": "2031-01-01T10:02:00+08:00"}, map[string]any{"state": "SUCCESS",
			"at": "2031-01-01T10:02:05+08:00"},
	}, orders[0]["history"])
	assert.Subset(t, orders[1], map[string]any{"no": "P10001", "state": "REFUND"})
	assert.Subset(t, orders[2], map[string]any{"no": "T1", "state": "held", "provider": "gateway"})

	for query, numbers := range map[string]string{
		"&kind=ticket": "T1", "&provider=wechat": "R-P10001 P10001", "&state=held": "T1",
		"&contains=P10001": "R-P10001 P10001", "&showing=" + show.ID: "T1",
		"&limit=1&offset=1": "P10001", "&provider=newmovie": "", "&contains=13900000001": "T1",
	} {
		_, answer := control(t, s, http.MethodGet, "/orders"+in+query, "")
		found := []string{}
		for _, o := range list(t, answer, "orders") {
			found = append(found, fmt.Sprint(o["no"]))
		}
		assert.Equal(t, numbers, strings.Join(found, " "), query)
	}
}

func TestShowings_RejectUnknownValues(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	for _, row := range []struct {
		path   string
		status int
		code   string
	}{
		{"/cinemas", 400, "missing_parameter"},
		{"/cinemas?city=1", 400, "unknown_city"},
		{"/cinemas?city=310100&provider=wechat", 400, "unknown_provider"},
		{"/cinemas?city=310100&limit=0", 400, "bad_limit"},
		{"/cinemas?city=310100&offset=-1", 400, "bad_offset"},
		{"/films?state=gone", 400, "unknown_state"},
		{"/showings", 400, "missing_parameter"},
		{"/showings?cinema=1", 400, "unknown_cinema"},
		{"/showings?city=310100&film=1", 400, "unknown_film"},
		{"/showings?city=310100&day=tomorrow", 400, "bad_day"},
		{"/showings?city=310100&day=2020-01-01", 400, "bad_day"},
		{"/showings/1/seats", 404, "showing_unknown"},
		{"/showings/99999999999999999999/seats", 404, "showing_unknown"},
		{"/orders?kind=meal", 400, "unknown_kind"},
		{"/orders?state=lost", 400, "unknown_state"},
		{"/orders?provider=unknown", 400, "unknown_provider"},
		{"/orders?limit=1001", 400, "bad_limit"},
	} {
		status, answer := control(t, s, http.MethodGet, row.path, "")
		assert.Equal(t, row.status, status, row.path)
		assert.Contains(t, fmt.Sprint(answer["error"]), "code:"+row.code, row.path)
	}
	status, answer := control(t, s, http.MethodPost, "/showings/1/seats/sell", `{"seats":["0101"]}`)
	assert.Equal(t, http.StatusNotFound, status)
	assert.Contains(t, fmt.Sprint(answer["error"]), "showing_unknown")
}

func TestFaults_EveryKindHasADescription(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	_, answer := control(t, s, http.MethodGet, "/faults", "")
	assert.Len(t, list(t, answer, "wire_kinds"), 10)
	for _, provider := range list(t, answer, "providers") {
		kinds, ok := provider["domain_kinds"].(map[string]any)
		require.True(t, ok)
		effects, ok := provider["effects"].(map[string]any)
		require.True(t, ok)
		assert.Len(t, effects, len(kinds), "%s", provider["name"])
		for kind := range kinds {
			effect, ok := effects[kind].(map[string]any)
			require.True(t, ok, "%s of %s", kind, provider["name"])
			assert.NotEmpty(t, effect["text"])
		}
	}
}

func TestJournal_ShowsWhatIsWrongWithASignature(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	form := gatewayForm(t, s.Default(), "city.list")
	right := form.Get("sign")
	form.Set("sign", strings.Repeat("0", len(right)))
	post(t, s.URL()+"/gateway", "application/x-www-form-urlencoded", form.Encode(), nil)
	_, answer := control(t, s, http.MethodGet, "/journal?verdict=refused", "")
	signature, ok := list(t, answer, "entries")[0]["signature"].(map[string]any)
	require.True(t, ok)
	assert.Equal(t, right, signature["expected"])
	assert.Equal(t, form.Get("sign"), signature["got"])
	assert.Contains(t, signature["over"], "methodcity.list")
}

func TestConsole_IsServedAtEveryAddressThatABrowserAsksForAsAPage(t *testing.T) {
	t.Parallel()
	built := fstest.MapFS{"index.html": {Data: []byte("<!doctype html><title>Console</title>")},
		"assets/app-1.js": {Data: []byte("start()")}}
	s := start(t, simulators.Options{Console: built})
	asks := func(method, path, accept string) (*http.Response, error) {
		request, err := http.NewRequest(method, s.URL()+path, nil)
		require.NoError(t, err)
		request.Header.Set("Accept", accept)
		return http.DefaultClient.Do(request)
	}
	const page = "text/html,application/xhtml+xml"
	for _, row := range []struct {
		method, path, accept string
		status               int
		cache                string
	}{
		{"GET", "/", page, 200, "no-cache"},
		{"GET", "/journal?world=w1", page, 200, "no-cache"},
		{"HEAD", "/journal?world=w1", "*/*", 200, "no-cache"},
		{"GET", "/journal", "*/*", 404, ""},
		{"GET", "/assets/app-1.js", "*/*", 200, "public, max-age=31536000, immutable"},
		{"GET", "/assets/app-2.js", "*/*", 404, ""},
		{"GET", "/getaway", "application/json", 404, ""},
		{"POST", "/journal", page, 404, ""},
		{"GET", "/sim/v1/nothing", page, 404, ""},
	} {
		answer, err := asks(row.method, row.path, row.accept)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		assert.Equal(t, row.status, answer.StatusCode, row.path)
		if row.cache != "" {
			assert.Equal(t, row.cache, answer.Header.Get("Cache-Control"), row.path)
			assert.Contains(t, answer.Header.Get("Content-Security-Policy"), "script-src 'self'")
		}
	}
}
