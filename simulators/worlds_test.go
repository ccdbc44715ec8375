package simulators_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
	controlapi "marquee/simulators/control"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
)

func TestWorlds_FiftyAtOnceDoNotSeeOneAnother(t *testing.T) {
	t.Parallel()
	const count = 50
	s := start(t, simulators.Options{})
	now := time.Now().Add(240 * time.Hour).Truncate(time.Second)
	show, seats := plainShow(t, dataset.NewCountry(7, testclock.NewAt(now)), dataset.Gateway)
	held := make([]string, count)
	var visits sync.WaitGroup
	for i := range count {
		visits.Add(1)
		go func() {
			defer visits.Done()
			t.Run(fmt.Sprint(i), func(t *testing.T) {
				made, v := create(t, s, `{"seed":7,"frozen":true,"now":"`+now.Format(time.RFC3339)+`"}`)
				in := "?world=" + made.ID
				code := fmt.Sprintf("%06d", i)

				held[i] = v.hold("SAME-ORDER", show.ID, seats)
				require.Equal(t, "LOCKED", v.state("SAME-ORDER"))
				require.Equal(t, 0.0, v.newmovie(v.token(), "movie/cities")["code"])
				require.Equal(t, "OK", v.text("13900000009", code))
				prepay := v.announce("SAME-TRADE", s.URL()+"/nowhere")
				status, _ := control(t, s, http.MethodPost, "/wechat/pay"+in,
					`{"prepay_id":"`+prepay+`","outcome":"pay"}`)
				require.Equal(t, http.StatusOK, status)
				require.Equal(t, "SUCCESS", v.trade("SAME-TRADE"))

				_, inbox := control(t, s, http.MethodGet, "/sms/messages"+in, "")
				require.Len(t, inbox["messages"], 1)
				require.Contains(t, fmt.Sprint(inbox["messages"]), "code:"+code)
				_, clock := control(t, s, http.MethodPost, "/clock/advance"+in, fmt.Sprintf(`{"seconds":%d}`, 60+i))
				require.InDelta(t, now.Unix()+60+int64(i), clock["unix"], 0)
				_, counted := control(t, s, http.MethodGet,
					"/journal/count"+in+"&operation=seat.lock&contains=success%22%3Atrue", "")
				require.InDelta(t, 1, counted["count"], 0, "one lock, its own")
			})
		}()
	}
	visits.Wait()
	for i, seat := range held {
		assert.Equal(t, held[0], seat, "the same seat is free in world %d", i)
	}
	assert.NotEmpty(t, held[0])
	assert.Empty(t, s.Default().Journal().Entries(journal.Filter{}), "nothing reached the default world")
	_, list := control(t, s, http.MethodGet, "/worlds", "")
	assert.Len(t, list["worlds"], count+1)
}

func TestWorlds_AFaultHitsOnlyItsWorld(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	one, v := create(t, s, "")
	_, w := create(t, s, "")
	status, _ := control(t, s, http.MethodPost, "/faults?world="+one.ID,
		`{"provider":"gateway","operation":"*","do":"error","code":"9999"}`)
	require.Equal(t, http.StatusCreated, status)
	assert.Equal(t, false, v.gateway("city.list")["success"])
	assert.Equal(t, true, w.gateway("city.list")["success"])
	assert.Equal(t, true, visitor{t, s.URL(), s.Default().Credentials()}.gateway("city.list")["success"])
}

func TestWorlds_TokensAreForTheirWorld(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	one, v := create(t, s, "")
	_, w := create(t, s, "")
	stolen := v
	stolen.keys.NewMovie.AppSecret = w.keys.NewMovie.AppSecret
	_, text := post(t, s.URL()+"/newmovie/api/oauth/token", "application/json",
		`{"entId":"`+stolen.keys.NewMovie.EntID+`","appSecret":"`+stolen.keys.NewMovie.AppSecret+`"}`, nil)
	assert.Contains(t, text, "401004", "an entId with another world's secret")
	token := v.token()
	assert.NotEqual(t, token, w.token(), "worlds of one seed give different tokens")
	assert.InDelta(t, 0, v.newmovie(token, "movie/cities")["code"], 0)

	account := func(v visitor, query string) string {
		_, text := get(t, s.URL()+"/cgi-bin/"+query)
		return text
	}
	k := v.keys.WeChat
	text = account(v, "token?grant_type=client_credential&appid="+k.AppID+"&secret="+k.AppSecret)
	ticket, ok := object(t, text)["access_token"].(string)
	require.True(t, ok, text)
	assert.Contains(t, account(v, "ticket/getticket?type=jsapi&access_token="+ticket), `"ticket"`)
	_, stable := post(t, s.URL()+"/cgi-bin/stable_token", "application/json",
		`{"grant_type":"client_credential","appid":"`+k.AppID+`","secret":"`+k.AppSecret+`"}`, nil)
	assert.Contains(t, stable, "access_token")

	control(t, s, http.MethodDelete, "/worlds/"+one.ID, "")
	assert.InDelta(t, 401003, v.newmovie(token, "movie/cities")["code"], 0, "the world is gone, and its tokens with it")
	assert.Contains(t, fmt.Sprint(v.gateway("city.list")["error"]), "1002")
	assert.Equal(t, true, w.gateway("city.list")["success"])
}

func TestWorlds_AreCreatedAsAskedAndDescribed(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{Seed: 3})
	begun := time.Now()
	made, _ := create(t, s,
		`{"id":"ci-7","seed":9,"now":"2030-02-03T04:05:06+08:00","app_url":"http://127.0.0.1:8080","push_url":"http://127.0.0.1:8080/notify/gateway"}`)
	assert.Equal(t, "ci-7", made.ID)
	assert.Equal(t, uint64(9), made.Seed)
	assert.WithinDuration(t, time.Date(2030, 2, 3, 4, 5, 6, 0, dataset.Zone), made.Now, time.Since(begun)+time.Second)
	assert.Equal(t, dataset.CredentialsOf(9, "ci-7"), made.Credentials)
	assert.Equal(t, made.Credentials.Gateway.AppKey, made.Environment["MARQUEE_GATEWAY_APPKEY"])
	assert.Equal(t, s.URL(), made.Environment["MARQUEE_SIMULATOR_URL"])
	other, _ := create(t, s, `{}`)
	assert.Equal(t, uint64(3), other.Seed, "the default world's")
	_, described := control(t, s, http.MethodGet, "/worlds/ci-7", "")
	assert.Equal(t, "http://127.0.0.1:8080/notify/gateway", described["push_url"])
	_, changed := control(t, s, http.MethodPatch, "/worlds/ci-7", `{"app_url":"http://127.0.0.1:8081"}`)
	assert.Equal(t, "http://127.0.0.1:8081", changed["app_url"])
	assert.Equal(t, "http://127.0.0.1:8080/notify/gateway", changed["push_url"], "what is not named stays")
	_, c := control(t, s, http.MethodGet, "/catalogue?world=ci-7", "")
	assert.Equal(t, "ci-7", c["world"])
	assert.Contains(t, fmt.Sprint(c["gateway"]), made.Credentials.Gateway.AppKey)
	_, standard := control(t, s, http.MethodGet, "/worlds/default", "")
	assert.Nil(t, standard["expires_in_seconds"])
}

func TestWorlds_ErrorsAreClearAndTheWorldsStillWork(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{MaxWorlds: 2})
	create(t, s, `{"id":"first"}`)
	for _, row := range []struct {
		method, path, body string
		status             int
		code, says         string
	}{
		{"GET", "/clock?world=none", "", 404, "world_unknown", "none"},
		{"POST", "/faults?world=none", `{}`, 404, "world_unknown", "none"},
		{"GET", "/journal/wait?world=none", "", 404, "world_unknown", "none"},
		{"GET", "/clock?world=first&world=first", "", 400, "repeated_parameter", "world"},
		{"GET", "/worlds/none", "", 404, "world_unknown", "none"},
		{"GET", "/worlds?world=first", "", 400, "unknown_parameter", "world"},
		{"DELETE", "/worlds/none", "", 404, "world_unknown", "none"},
		{"DELETE", "/worlds/default", "", 409, "default_world", ""},
		{"PUT", "/worlds/first", "", 405, "method_not_allowed", "PATCH"},
		{"POST", "/worlds", `{"id":"first"}`, 409, "world_exists", "first"},
		{"POST", "/worlds", `{"id":"default"}`, 400, "bad_world_id", ""},
		{"POST", "/worlds", `{"id":"UPPER"}`, 400, "bad_world_id", "a-z"},
		{"POST", "/worlds", `{"id":"9000"}`, 400, "bad_world_id", "letter"},
		{"POST", "/worlds", `{"seed":-1}`, 400, "wrong_type", "seed"},
		{"POST", "/worlds", `{"seed":"1"}`, 400, "wrong_type", "seed"},
		{"POST", "/worlds", `{"sed":1}`, 400, "unknown_field", "seed"},
		{"POST", "/worlds", `[]`, 400, "wrong_type", "object"},
		{"POST", "/worlds", `{"now":"yesterday"}`, 400, "bad_time", "yesterday"},
		{"POST", "/worlds", `{"now":"1999-01-01T00:00:00Z"}`, 400, "bad_time", "2020"},
		{"POST", "/worlds", `{"app_url":"javascript:1"}`, 400, "bad_address", "http"},
		{"PATCH", "/worlds/first", `{"push_url":"nowhere"}`, 400, "bad_address", "http"},
		{"PATCH", "/worlds/first", `{"apps":[8081,0]}`, 400, "bad_address", "apps[1]"},
		{"PATCH", "/worlds/first", `{"apps":[65536]}`, 400, "bad_address", "65535"},
		{"PATCH", "/worlds/first", `{"apps":["8081"]}`, 400, "wrong_type", "apps[0]"},
		{"PATCH", "/worlds/first", `{"apps":[` + strings.Repeat("1,", 32) + `1]}`, 400, "bad_address", "apps"},
		{"PATCH", "/worlds/first", `{"seed":1}`, 400, "unknown_field", "push_url"},
		{"POST", "/worlds", `{"id":"` + strings.Repeat("x", 1<<17) + `"}`, 413, "body_too_large", "65536"},
	} {
		status, answer := control(t, s, row.method, row.path, row.body)
		about := row.method + row.path + row.body[:min(50, len(row.body))]
		assert.Equal(t, row.status, status, about)
		rejected, ok := answer["error"].(map[string]any)
		require.True(t, ok, "%v", answer)
		assert.Equal(t, row.code, rejected["code"], about)
		assert.Contains(t, rejected["message"], row.says, about)
	}
	create(t, s, `{"id":"second"}`)
	status, answer := control(t, s, http.MethodPost, "/worlds", `{"id":"third"}`)
	assert.Equal(t, http.StatusTooManyRequests, status)
	assert.Contains(t, fmt.Sprint(answer), "too_many_worlds")
	status, _ = control(t, s, http.MethodDelete, "/worlds/first", "")
	assert.Equal(t, http.StatusOK, status)
	create(t, s, `{"id":"third"}`)
}

func TestWorlds_IdleOnesExpireAndUsedOnesStay(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{Idle: time.Hour})
	create(t, s, `{"id":"idle"}`)
	_, used := create(t, s, `{"id":"used"}`)
	begun := time.Now()
	assert.Equal(t, true, used.gateway("city.list")["success"])
	s.Expire(begun.Add(time.Hour))
	status, answer := control(t, s, http.MethodGet, "/worlds/idle", "")
	assert.Equal(t, http.StatusNotFound, status)
	assert.Contains(t, fmt.Sprint(answer), "world_unknown")
	_, answer = control(t, s, http.MethodGet, "/health?world=used", "")
	assert.Equal(t, "ok", answer["status"])
	s.Expire(time.Now().Add(59 * time.Minute))
	_, answer = control(t, s, http.MethodGet, "/worlds", "")
	assert.Len(t, answer["worlds"], 2, "a call of the control API counts too")
	s.Expire(time.Now().Add(100 * time.Hour))
	_, answer = control(t, s, http.MethodGet, "/worlds", "")
	assert.Len(t, answer["worlds"], 1, "the default world stays for ever")
}

func TestWorlds_ExpireByThemselves(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{Idle: 20 * time.Millisecond})
	create(t, s, "")
	require.Eventually(t, func() bool {
		_, list := control(t, s, http.MethodGet, "/worlds", "")
		worlds, ok := list["worlds"].([]any)
		return ok && len(worlds) == 1
	}, 10*time.Second, 5*time.Millisecond, "listing worlds does not use them")
}

func TestWorlds_ThePhoneIsInTheWorldItWasGivenIn(t *testing.T) {
	t.Parallel()
	app := func(name string) string {
		shop := http.NewServeMux()
		shop.HandleFunc("/",
			func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, name+" cookies:"+r.Header.Get("Cookie")) })
		return serve(t, shop)
	}
	s := start(t, simulators.Options{AppURL: app("default shop")})
	made, _ := create(t, s, `{"app_url":"`+app("world shop")+`"}`)
	at := strings.TrimPrefix(s.URL(), "http://")
	client := &http.Client{Transport: keepHost{at},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	visit := func(target, cookie string) (*http.Response, string) {
		request, err := http.NewRequest(http.MethodGet, target, nil)
		require.NoError(t, err)
		if cookie != "" {
			request.Header.Set("Cookie", cookie)
		}
		answer, err := client.Do(request)
		require.NoError(t, err)
		return answer, body(t, answer)
	}
	_, page := visit("http://inapp.localhost/", "")
	assert.Equal(t, "default shop cookies:", page)
	_, page = visit("http://"+made.ID+".inapp.localhost/", "")
	assert.Equal(t, "world shop cookies:", page)
	started, _ := visit("http://inapp.localhost/__phone/start?to=/x&world="+made.ID, "")
	assert.Equal(t, http.StatusFound, started.StatusCode)
	assert.Contains(t, fmt.Sprint(started.Header.Values("Set-Cookie")), "phone_world="+made.ID)
	_, page = visit("http://inapp.localhost/", "phone_world="+made.ID)
	assert.Equal(t, "world shop cookies:", page, "and the cookie is the phone's own")
	back, _ := visit("http://inapp.localhost/__phone/start?to=/x", "phone_world="+made.ID)
	assert.Contains(t, fmt.Sprint(back.Header.Values("Set-Cookie")), "phone_world=;", "the default world again")
	_, state := visit("http://phone.inapp.localhost/phone/state?world="+made.ID, "")
	assert.Contains(t, state, `"identity"`)
	for _, target := range []string{"http://none.inapp.localhost/", "http://inapp.localhost/__phone/start?world=none",
		"http://phone.inapp.localhost/phone?world=none"} {
		lost, text := visit(target, "")
		assert.Equal(t, http.StatusNotFound, lost.StatusCode, target)
		assert.Contains(t, text, "world_unknown", target)
	}
	login, _ := visit(
		"http://inapp.localhost/connect/oauth2/authorize?response_type=code&scope=snsapi_base&state=1&redirect_uri=http%3A%2F%2F127.0.0.1%2Fback&appid="+made.Credentials.WeChat.AppID, "")
	assert.Equal(t, http.StatusFound, login.StatusCode, "login is in the world of its account")
	assert.Contains(t, login.Header.Get("Location"), "code=")
}

// The phone shows the ports that a world allows: from its creation, after a change, in a fork, and until the world
// ends.
func TestWorlds_AllowAdditionalAppsOnTheirPhone(t *testing.T) {
	t.Parallel()
	app := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "another app") }))
	port := app[strings.LastIndex(app, ":")+1:]
	s := start(t, simulators.Options{})
	client := &http.Client{Transport: keepHost{strings.TrimPrefix(s.URL(), "http://")}}
	shown := func() bool {
		answer, err := client.Get("http://" + port + ".inapp.localhost/")
		require.NoError(t, err)
		return strings.Contains(body(t, answer), "another app") && answer.StatusCode == http.StatusOK
	}
	change := func(method, path, request string) map[string]any {
		status, answer := control(t, s, method, path, request)
		require.Less(t, status, 300, "%v", answer)
		return answer
	}
	apps := func(id string) any { return change(http.MethodGet, "/worlds/"+id, "")["apps"] }
	number, err := strconv.ParseFloat(port, 64)
	require.NoError(t, err)

	require.False(t, shown(), "nothing allows it")
	require.Empty(t, apps("default"))
	change(http.MethodPatch, "/worlds/default", `{"apps":[`+port+`]}`)
	require.True(t, shown())
	require.Equal(t, []any{number}, apps("default"))
	change(http.MethodPatch, "/worlds/default", `{"push_url":""}`)
	change(http.MethodPost, "/worlds/default/reset", "")
	require.True(t, shown(), "what does not name the apps leaves them")
	change(http.MethodPatch, "/worlds/default", `{"apps":[]}`)
	require.False(t, shown())

	change(http.MethodPost, "/worlds", `{"id":"one","apps":[`+port+`]}`)
	require.True(t, shown(), "from its creation")
	change(http.MethodPost, "/worlds/one/fork", `{"id":"fork"}`)
	change(http.MethodPost, "/worlds/one/fork", `{"id":"other","apps":[1]}`)
	change(http.MethodDelete, "/worlds/one", "")
	require.True(t, shown(), "a fork has the apps of its world")
	require.Equal(t, []any{number}, apps("fork"))
	require.Equal(t, []any{1.0}, apps("other"))
	change(http.MethodDelete, "/worlds/fork", "")
	require.False(t, shown(), "they end with the world")
}

func TestWorlds_PicturesAreOfTheirSeed(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	_, v := create(t, s, `{"id":"gallery","seed":77}`)
	detail := fmt.Sprint(v.gateway("film.detail", "movieid", "1301"))
	assert.Contains(t, detail, s.URL()+"/worlds/gallery/art/poster/1301.svg")
	status, picture := get(t, s.URL()+"/worlds/gallery/art/poster/1301.svg")
	assert.Equal(t, http.StatusOK, status)
	_, standard := get(t, s.URL()+"/art/poster/1301.svg")
	assert.NotEqual(t, standard, picture)
	for path, wanted := range map[string]int{"/worlds/none/art/poster/1301.svg": 404, "/worlds/gallery/nothing": 404,
		"/worlds/gallery/gateway": 405} {
		status, _ := get(t, s.URL()+path)
		assert.Equal(t, wanted, status, path)
	}
}

func TestNewWorld_GivesATestASeparateWorld(t *testing.T) {
	t.Parallel()
	one, other := simulators.NewWorld(t), simulators.NewWorld(t, controlapi.NewWorld{Seed: 5})
	assert.Equal(t, one.URL(), other.URL(), "on the same port")
	one.Clock().Advance(time.Hour)
	assert.Zero(t, other.Clock().Offset())
	_, err := one.Faults().Add(faults.Fault{Provider: "gateway", Operation: "*", Do: "error"})
	require.NoError(t, err)
	assert.Equal(t, false, visitor{t, one.URL(), one.Credentials()}.gateway("city.list")["success"])
	assert.Equal(t, true, visitor{t, other.URL(), other.Credentials()}.gateway("city.list")["success"])
	assert.Len(t, other.Journal().Entries(journal.Filter{}), 1)
	assert.Equal(t, uint64(5), other.Country().Seed())
	assert.Equal(t, other.Credentials().SMS.AccessKeyID, other.ShopEnvironment()["MARQUEE_SMS_ACCESS_KEY_ID"])
	one.Close()
	assert.Contains(t, fmt.Sprint(visitor{t, one.URL(), one.Credentials()}.gateway("city.list")), "1002")
}

func TestWorlds_ARandomIDIsNotOneThatAnotherWorldHas(t *testing.T) {
	t.Parallel()
	const first, second = "taken", "taken"
	s := simulators.BuildWithRandomIDs(t, simulators.Options{}, first, second, "third", second, "fourth")
	one, err := s.NewWorld(controlapi.NewWorld{})
	require.NoError(t, err)
	assert.Equal(t, first, one.ID())
	other, err := s.NewWorld(controlapi.NewWorld{})
	require.NoError(t, err)
	assert.Equal(t, "third", other.ID())
	fork, err := s.Restore(other.Snapshot(), controlapi.NewWorld{})
	require.NoError(t, err)
	assert.Equal(t, "fourth", fork.ID())
	_, err = s.NewWorld(controlapi.NewWorld{ID: second})
	assert.ErrorContains(t, err, "world_exists", "an id that the caller chose is refused")
}
