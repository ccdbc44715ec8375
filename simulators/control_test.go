package simulators_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
	controlapi "marquee/simulators/control"
)

// control makes a call of the control API and decodes its answer.
func control(t *testing.T, s interface{ URL() string }, method, path, body string) (int, map[string]any) {
	t.Helper()
	request, err := http.NewRequest(method, s.URL()+"/sim/v1"+path, strings.NewReader(body))
	require.NoError(t, err)
	status, text := do(t, request)
	return status, object(t, text)
}

func TestControl_ClockMovesAndReturns(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	fired := false
	s.Default().Clock().AfterFunc(time.Hour, func() { fired = true })
	status, answer := control(t, s, http.MethodPost, "/clock/advance", `{"seconds":3600}`)
	assert.Equal(t, http.StatusOK, status)
	assert.InDelta(t, 3600, answer["offset_seconds"], 0)
	assert.True(t, fired)
	_, answer = control(t, s, http.MethodGet, "/clock", "")
	assert.InDelta(t, time.Now().Unix()+3600, answer["unix"], 5)
	_, answer = control(t, s, http.MethodPost, "/clock/reset", "")
	assert.InDelta(t, 0, answer["offset_seconds"], 0)
}

func TestControl_FaultsArePlannedCountedAndRemoved(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	call := func() map[string]any {
		status, text := post(t, s.URL()+"/gateway", "application/x-www-form-urlencoded",
			gatewayForm(t, s.Default(), "city.list").Encode(), nil)
		require.Equal(t, http.StatusOK, status)
		return object(t, text)
	}
	status, planned := control(t, s, http.MethodPost, "/faults",
		`{"provider":"gateway","operation":"city.list","do":"error","skip":1,"times":1,"code":"9999","message":"请重新加载"}`)
	require.Equal(t, http.StatusCreated, status)
	assert.Equal(t, true, call()["success"], "skipped")
	assert.Equal(t, map[string]any{"code": "9999", "msg": "请重新加载"}, call()["error"])
	assert.Equal(t, true, call()["success"], "used up")
	_, list := control(t, s, http.MethodGet, "/faults", "")
	faults, ok := list["faults"].([]any)
	require.True(t, ok)
	require.Len(t, faults, 1)
	assert.Subset(t, faults[0], map[string]any{"hits": 1.0, "seen": 2.0})

	status, _ = control(t, s, http.MethodDelete, fmt.Sprintf("/faults/%s", planned["id"]), "")
	assert.Equal(t, http.StatusOK, status)
	status, answer := control(t, s, http.MethodDelete, fmt.Sprintf("/faults/%s", planned["id"]), "")
	assert.Equal(t, http.StatusNotFound, status)
	assert.Contains(t, fmt.Sprint(answer["error"]), "fault_not_found")

	_, entries := control(t, s, http.MethodGet, "/journal?provider=gateway&verdict=fault", "")
	faulted, ok := entries["entries"].([]any)
	require.True(t, ok)
	require.Len(t, faulted, 1)
	assert.Subset(t, faulted[0], map[string]any{"operation": "city.list",
		"fault": fmt.Sprintf("%s error", planned["id"])})
}

func TestControl_RejectsUnknownValuesAndListsTheValidOnes(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	for _, row := range []struct {
		method, path, body string
		status             int
		code, says         string
	}{
		{"POST", "/clock/advance", `{"seconds":-1}`, 400, "clock_backwards", "reset"},
		{"POST", "/clock/advance", `{"seconds":"60"}`, 400, "wrong_type", "seconds"},
		{"POST", "/clock/advance", `{"minutes":1}`, 400, "unknown_field", "valid fields: seconds"},
		{"POST", "/clock/advance", `{}`, 400, "missing_field", "seconds"},
		{"POST", "/clock/advance", `{"seconds":1}{"seconds":1}`, 400, "bad_json", "continues"},
		{"POST", "/clock/advance", `{"seconds":99999999999}`, 400, "too_far", ""},
		{"POST", "/clock/advance", ``, 400, "bad_json", ""},
		{"POST", "/faults", `{"provider":"gatway","operation":"*","do":"hang"}`, 400, "invalid_fault",
			"gateway, newmovie"},
		{"POST", "/faults", `{"provider":"gateway","operation":"seat.lok","do":"hang"}`, 400, "invalid_fault",
			"seat.lock"},
		{"POST", "/faults", `{"provider":"gateway","operation":"*","do":"explode"}`, 400, "invalid_fault",
			"act-then-hang"},
		{"POST", "/faults", `{"provider":"gateway","operation":"city.list","do":"seat-taken"}`, 400, "invalid_fault",
			"seat.lock"},
		{"POST", "/faults", `{"provider":"newmovie","operation":"*","do":"error","code":"4010O4"}`, 400,
			"invalid_fault", "code of newmovie must be a whole number"},
		{"POST", "/faults", `{"provider":"gateway","operation":"*","do":"hang","tims":1}`, 400, "unknown_field",
			"times"},
		{"POST", "/faults", `{"provider":"gateway","operation":"*","do":"hang","probability":2}`, 400, "invalid_fault",
			"probability"},
		{"POST", "/faults", `{"body":"` + strings.Repeat("x", 1<<17) + `"}`, 413, "body_too_large", "65536"},
		{"GET", "/journal?provider=another", "", 400, "unknown_provider", `"another"`},
		{"GET", "/journal?verdict=great", "", 400, "unknown_verdict", "refused"},
		{"GET", "/journal?limit=0", "", 400, "bad_limit", "1000"},
		{"GET", "/journal?limt=1", "", 400, "unknown_parameter", "limit"},
		{"POST", "/wechat/pay", `{"prepay_id":"wx-none","outcome":"pay"}`, 404, "prepay_unknown", ""},
		{"POST", "/wechat/pay", `{"prepay_id":"x","outcome":"maybe"}`, 400, "bad_outcome", "pay, cancel, fail"},
		{"POST", "/clock/advance", `{"seconds":1,"to":"2040-01-01T00:00:00Z"}`, 400, "conflicting_fields",
			"only one of seconds and to is allowed"},
		{"POST", "/clock/advance", `{}`, 400, "missing_field", "one of seconds and to is required"},
		{"POST", "/worlds/restore", `[1]`, 400, "bad_snapshot", "it cannot be of type array"},
		{"GET", "/nothing", "", 404, "not_found", "/sim/v1/faults"},
		{"PUT", "/clock", "", 405, "method_not_allowed", "PUT"},
	} {
		status, answer := control(t, s, row.method, row.path, row.body)
		assert.Equal(t, row.status, status, row.path+" "+row.body[:min(60, len(row.body))])
		rejected, ok := answer["error"].(map[string]any)
		require.True(t, ok, "%v", answer)
		assert.Equal(t, row.code, rejected["code"], row.body[:min(60, len(row.body))])
		assert.Contains(t, rejected["message"], row.says)
	}
	_, answer := control(t, s, http.MethodGet, "/health", "")
	assert.Equal(t, "ok", answer["status"], "and goes on")
}

func TestControl_APageOfAnotherOriginChangesNothing(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	request, err := http.NewRequest(http.MethodPost, s.URL()+"/sim/v1/clock/advance",
		strings.NewReader(`{"seconds":60}`))
	require.NoError(t, err)
	request.Header.Set("Origin", "https://elsewhere.example")
	status, text := do(t, request)
	assert.Equal(t, http.StatusForbidden, status)
	assert.Contains(t, text, "cross_origin")
	assert.Zero(t, s.Default().Clock().Offset())
}

func TestControl_CatalogueHasWhatAClientNeeds(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{AppURL: "http://127.0.0.1:8080"})
	_, c := control(t, s, http.MethodGet, "/catalogue", "")
	for _, name := range []string{"channel_no", "shop", "gateway", "newmovie", "wechat", "sms", "cards", "coupon_codes",
		"phones", "amounts", "openids", "addresses"} {
		assert.NotEmpty(t, c[name], name)
	}
	cards, ok := c["cards"].([]any)
	require.True(t, ok)
	assert.GreaterOrEqual(t, len(cards), 12)
	expired := false
	for _, card := range cards {
		fields, ok := card.(map[string]any)
		require.True(t, ok)
		assert.NotEmpty(t, fields["kahao"])
		assert.NotEmpty(t, fields["pass"])
		days, ok := fields["expires_in_days"].(float64)
		require.True(t, ok)
		expired = expired || days < 0
	}
	assert.True(t, expired, "an expired card is among them")
}

func TestConsole_WithoutOneAPageListsTheCalls(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	for path, says := range map[string]string{"/": "POST /sim/v1/clock/advance", "/plain.css": "--accent"} {
		status, text := get(t, s.URL()+path)
		assert.Equal(t, http.StatusOK, status)
		assert.Contains(t, text, says)
		assert.NotContains(t, text, "<script")
	}
	status, _ := get(t, s.URL()+"/nothing")
	assert.Equal(t, http.StatusNotFound, status)
	response, err := http.Get(s.URL() + "/")
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	assert.Contains(t, response.Header.Get("Content-Security-Policy"), "script-src 'self'")
}

func TestControl_ClockFreezesAdvancesToATimeAndNeverGoesBack(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, v := create(t, s, `{"now":"2031-01-01T10:00:00+08:00"}`)
	in := "?world=" + made.ID
	_, frozen := control(t, s, http.MethodPost, "/clock/freeze"+in, "")
	assert.Equal(t, true, frozen["frozen"])
	_, advanced := control(t, s, http.MethodPost, "/clock/advance"+in, `{"to":"2031-01-01T12:00:00+08:00"}`)
	assert.Equal(t, "2031-01-01T12:00:00+08:00", advanced["now"])
	_, again := control(t, s, http.MethodGet, "/clock"+in, "")
	assert.Equal(t, advanced["now"], again["now"], "the clock is stopped")
	for body, code := range map[string]string{
		`{"to":"2031-01-01T11:59:59+08:00"}`:             "clock_backwards",
		`{"seconds":-5}`:                                 "clock_backwards",
		`{"seconds":0}`:                                  "clock_backwards",
		`{"seconds":-9223372036854775808}`:               "clock_backwards",
		`{"to":"2039-01-01T11:59:59+08:00"}`:             "too_far",
		`{"to":"noon"}`:                                  "bad_time",
		`{"to":7}`:                                       "bad_time",
		`{"seconds":1,"to":"2031-01-02T00:00:00+08:00"}`: "conflicting_fields",
		`{"seconds":1.5}`:                                "wrong_type",
	} {
		status, answer := control(t, s, http.MethodPost, "/clock/advance"+in, body)
		assert.Equal(t, http.StatusBadRequest, status, body)
		assert.Contains(t, fmt.Sprint(answer["error"]), "code:"+code, body)
	}
	assert.Equal(t, true, v.gateway("city.list")["success"], "wire time is real time all the while")
	_, resumed := control(t, s, http.MethodPost, "/clock/resume"+in, "")
	assert.Equal(t, false, resumed["frozen"])
	_, reset := control(t, s, http.MethodPost, "/clock/reset"+in, "")
	at, err := time.Parse(time.RFC3339, fmt.Sprint(reset["now"]))
	require.NoError(t, err)
	assert.WithinDuration(t, time.Date(2031, 1, 1, 2, 0, 0, 0, time.UTC), at, time.Minute, "where the world began")
	_, standard := control(t, s, http.MethodGet, "/clock", "")
	assert.InDelta(t, 0, standard["offset_seconds"], 0)
}

func TestControl_ClockHasAnEnd(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, v := create(t, s, `{"frozen":true}`)
	for range 400 {
		status, answer := control(t, s, http.MethodPost, "/clock/advance?world="+made.ID, `{"seconds":34560000}`)
		if status == http.StatusOK {
			continue
		}
		assert.Contains(t, fmt.Sprint(answer["error"]), "too_far")
		_, clock := control(t, s, http.MethodGet, "/clock?world="+made.ID, "")
		assert.Regexp(t, "^209[89]-", clock["now"])
		assert.Equal(t, true, v.gateway("city.list")["success"], "the world goes on")
		return
	}
	t.Fatal("the clock goes on for ever")
}

func TestControl_JournalIsCountedWaitedForAndCleared(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, v := create(t, s, "")
	in := "?world=" + made.ID
	v.gateway("city.list")
	_, counted := control(t, s, http.MethodGet, "/journal/count"+in+"&operation=city.list&verdict=ok", "")
	assert.InDelta(t, 1, counted["count"], 0)
	answered := make(chan map[string]any)
	go func() {
		_, answer := control(t, s, http.MethodGet,
			fmt.Sprintf("/journal/wait%s&verdict=refused&after=%v&timeout=60", in, counted["last"]), "")
		answered <- answer
	}()
	v.gateway("city.list")
	v.gateway("film.detail")
	answer := <-answered
	assert.Equal(t, false, answer["timed_out"])
	assert.Contains(t, fmt.Sprint(answer["entries"]), "film.detail")
	_, none := control(t, s, http.MethodGet, "/journal/wait"+in+"&operation=opi.seat&timeout=0", "")
	assert.Equal(t, true, none["timed_out"])
	assert.Empty(t, none["entries"])
	control(t, s, http.MethodDelete, "/journal"+in, "")
	_, counted = control(t, s, http.MethodGet, "/journal/count"+in, "")
	assert.InDelta(t, 0, counted["count"], 0)
	for _, wrong := range []string{"timeout=121", "timeout=soon", "after=-1", "verdict=good", "provider=another",
		"contain=x"} {
		status, rejected := control(t, s, http.MethodGet, "/journal/wait"+in+"&"+wrong, "")
		assert.Equal(t, http.StatusBadRequest, status, wrong)
		assert.Contains(t, rejected, "error")
	}
}

func TestControl_NextCodeOfAPhoneIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, v := create(t, s, "")
	in := "?world=" + made.ID
	answered := make(chan map[string]any)
	go func() {
		_, answer := control(t, s, http.MethodGet, "/sms/messages/next"+in+"&phone=13900000007&timeout=60", "")
		answered <- answer
	}()
	require.Equal(t, "OK", v.text("13900000008", "111111"))
	require.Equal(t, "OK", v.text("13900000007", "222222"))
	first, ok := (<-answered)["message"].(map[string]any)
	require.True(t, ok)
	assert.Equal(t, "222222", first["code"])
	after := fmt.Sprintf("&phone=13900000007&after=%v", first["id"])
	_, none := control(t, s, http.MethodGet, "/sms/messages/next"+in+after+"&timeout=0", "")
	assert.Equal(t, true, none["timed_out"])
	control(t, s, http.MethodPost, "/clock/advance"+in, `{"seconds":60}`)
	require.Equal(t, "OK", v.text("13900000007", "333333"))
	_, second := control(t, s, http.MethodGet, "/sms/messages/next"+in+after, "")
	assert.Contains(t, fmt.Sprint(second), "333333")
	_, removed := control(t, s, http.MethodDelete, "/sms/messages"+in+"&phone=13900000007", "")
	assert.InDelta(t, 2, removed["removed"], 0)
	_, inbox := control(t, s, http.MethodGet, "/sms/messages"+in, "")
	assert.Len(t, inbox["messages"], 1)
}

func TestControl_AWaitEndsWithItsWorld(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, v := create(t, s, "")
	v.gateway("city.list")
	answered := make(chan map[string]any)
	go func() {
		_, answer := control(t, s, http.MethodGet, "/journal/wait?timeout=60&operation=opi.seat&world="+made.ID, "")
		answered <- answer
	}()
	for {
		select {
		case answer := <-answered:
			assert.Regexp(t, "world_gone|world_unknown", fmt.Sprint(answer["error"]))
			return
		case <-time.After(20 * time.Millisecond):
			control(t, s, http.MethodDelete, "/worlds/"+made.ID, "")
		}
	}
}

// hangOn makes waiting calls of the control API, and returns once there are so many that another one is rejected.
// hangUp cancels them and waits until they have ended.
func hangOn(t *testing.T, s *simulators.Simulators, calls int, path string) (hangUp func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	client := &http.Client{Transport: &http.Transport{}}
	var waiting sync.WaitGroup
	for range calls {
		waiting.Go(func() {
			request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL()+"/sim/v1"+path, nil)
			if err != nil {
				return
			}
			if answer, err := client.Do(request); err == nil {
				<-ctx.Done()
				_ = answer.Body.Close()
			}
		})
	}
	require.Eventually(t, func() bool {
		status, answer := control(t, s, http.MethodGet, "/journal/wait?timeout=0", "")
		return status == http.StatusTooManyRequests && strings.Contains(fmt.Sprint(answer["error"]), "too_many_waiting")
	}, 30*time.Second, 10*time.Millisecond)
	return func() {
		cancel()
		waiting.Wait()
	}
}

// awaitRoom waits until waiting calls are accepted again.
func awaitRoom(t *testing.T, s *simulators.Simulators) {
	t.Helper()
	require.Eventually(t, func() bool {
		status, _ := control(t, s, http.MethodGet, "/journal/wait?timeout=0", "")
		return status == http.StatusOK
	}, 30*time.Second, 10*time.Millisecond, "those who hang up make room")
}

func TestControl_AThousandLongPollsAndThenALimit(t *testing.T) {
	t.Parallel()
	const most = 2000
	s := start(t, simulators.Options{})
	hangUp := hangOn(t, s, most+20, "/sms/messages/next?phone=13900000001&timeout=120")
	assert.Equal(t, true, visitor{t, s.URL(), s.Default().Credentials()}.gateway("city.list")["success"],
		"the worlds go on")
	_, answer := control(t, s, http.MethodGet, "/health", "")
	assert.Equal(t, "ok", answer["status"])
	hangUp()
	awaitRoom(t, s)
}

// endless is the body of a request. It still has left bytes.
type endless struct{ left int }

func (e *endless) Read(b []byte) (int, error) {
	n := min(len(b), e.left)
	if n == 0 {
		return 0, errors.New("the body was read to its end")
	}
	for i := range b[:n] {
		b[i] = ' '
	}
	e.left -= n
	return n, nil
}

// hundredMegabytes makes a call with a body of a hundred megabytes. Like curl, it sends Expect: 100-continue, so that
// the server can reject the call before the body is sent.
func hundredMegabytes(t *testing.T, url string) (int, string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, url, &endless{100 << 20})
	require.NoError(t, err)
	request.ContentLength = 100 << 20
	request.Header.Set("Expect", "100-continue")
	patient := http.Client{Transport: &http.Transport{ExpectContinueTimeout: time.Minute, DisableKeepAlives: true}}
	response, err := patient.Do(request)
	require.NoError(t, err)
	return response.StatusCode, body(t, response)
}

func TestControl_AHundredMegabytesAreRejected(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	for _, path := range []string{"/worlds", "/faults", "/clock/advance", "/clock/reset", "/clock/freeze",
		"/wechat/pay"} {
		status, text := hundredMegabytes(t, s.URL()+"/sim/v1"+path)
		assert.Equal(t, http.StatusRequestEntityTooLarge, status, path)
		assert.Contains(t, text, "body_too_large", path)
	}
	request, err := http.NewRequest(http.MethodPost, s.URL()+"/sim/v1/faults",
		io.MultiReader(strings.NewReader(strings.Repeat(" ", 200_000))))
	require.NoError(t, err)
	status, text := do(t, request)
	assert.Equal(t, http.StatusRequestEntityTooLarge, status, "a size that is not announced")
	assert.Contains(t, text, "body_too_large")
	for _, path := range []string{"/gateway", "/newmovie/api/oauth/token", "/cgi-bin/stable_token"} {
		status, _ = hundredMegabytes(t, s.URL()+path)
		assert.Equal(t, http.StatusRequestEntityTooLarge, status, path)
	}
	_, answer := control(t, s, http.MethodGet, "/health", "")
	assert.Equal(t, "ok", answer["status"])
}

// FuzzControl sends any body and any query to any call: the answer is JSON, an error has its code, there is no 500, and
// the default world still works.
func FuzzControl(f *testing.F) {
	var routes []string
	for _, route := range controlapi.Routes() {
		// these calls wait
		if !strings.Contains(route, "/wait") && !strings.Contains(route, "/next") &&
			!strings.Contains(route, "/events") {
			routes = append(routes, route)
		}
	}
	s, err := simulators.Start(simulators.Options{MaxWorlds: 20})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = s.Close() })
	for i := range routes {
		f.Add(i, "default", "", "")
		f.Add(i, "default", "world=none", `{}`)
		f.Add(i, "..", "limit=-1&after=1e9&timeout=x", `{"seconds":1e400}`)
		f.Add(i, "%2f", "id=%zz", `{"id":"a\u0000b","seed":18446744073709551616,"now":"9999-99-99T99:99:99Z"}`)
		f.Add(i, "1", "world=default",
			`{"provider":"gateway","operation":"*","do":"error","times":-9223372036854775808,"probability":-0}`)
		f.Add(i, "5000002519304", "provider=gateway&city=0&day=0000-00-00", `{"seats":[null,"","0101"]}`)
		f.Add(i, "default", "",
			`{"format":"marquee-world","version":1,"founded":"0001-01-01T00:00:00Z","clock":{"now":"9999-12-31T23:59:59Z"}}`)
		f.Add(i, "default", "", strings.Repeat(`{"id":`, 5000))
		f.Add(i, "1", "",
			`{"provider":"wechat","path":"*","answer":{"status":200,"headers":{"A":"b"},"body":"{{json a}}"}}`)
		f.Add(i, "0", "",
			`{"provider":"sms","path":"**","body":"*","times":-1,"expires_in":1e99,"answer":{"body":"{{"}}`)
		f.Add(i, "1", "", `{"url":"http://[::1]:0/\u0000","operation":"report"}`)
		f.Add(i, "1", "", `{"entry":-1}`)
		f.Add(i, "1", "format=har&contains=%00",
			`{"operation":"refund-notify","subject":"\uffff","url":"http://127.0.0.1:1/"}`)
		f.Add(i, "1", "",
			`{"prepay_id":"weixin://wxpay/bizpayurl?pr=","outcome":"pay","signs_with":"moving","for":"login","openid":"o"}`)
	}
	handler := s.Handler()
	call := func(t *testing.T, method, target, body string) int {
		t.Helper()
		request := httptest.NewRequest(method, "/", strings.NewReader(body))
		target, request.URL.RawQuery, _ = strings.Cut(target, "?")
		request.URL.Path = target
		request.Host = "127.0.0.1"
		request.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		rejected := struct {
			Error struct{ Code, Message string }
		}{}
		if !strings.HasPrefix(answer.Header().Get("Content-Type"), "application/json") && answer.Code == http.StatusOK {
			return answer.Code // a file
		}
		if err := json.Unmarshal(answer.Body.Bytes(), &rejected); err != nil {
			t.Fatalf("%s %s: %d, not JSON: %s", method, target, answer.Code, answer.Body)
		}
		if answer.Code >= http.StatusInternalServerError || answer.Code >= http.StatusBadRequest &&
			rejected.Error.Code == "" {
			t.Fatalf("%s %s: %d %s", method, target, answer.Code, answer.Body)
		}
		return answer.Code
	}
	f.Fuzz(func(t *testing.T, i int, id, query, body string) {
		if i < 0 || i >= len(routes) || strings.ContainsAny(id, "/?#") || len(query) > 4<<10 {
			return
		}
		method, path, _ := strings.Cut(routes[i], " ")
		call(t, method, strings.ReplaceAll(path, "{id}", id)+"?"+query, body)
		if status := call(t, http.MethodGet, "/sim/v1/health", ""); status != http.StatusOK {
			t.Fatalf("the default world is gone: %d", status)
		}
	})
}

// The simulators have a page for each other site that the shop links to, so that no link is dead.
func TestLanding_EverySiteThatTheShopLinksTo(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	env := s.Default().ShopEnvironment()
	for variable, name := range map[string]string{
		"MARQUEE_LINK_SHOP": "商城", "MARQUEE_LINK_CAKE": "蛋糕", "MARQUEE_LINK_BOOK": "图书", "MARQUEE_LINK_SERVICE": "客服",
	} {
		status, text := get(t, env[variable])
		assert.Equal(t, http.StatusOK, status, variable)
		assert.Contains(t, text, "<h1>"+name+"</h1>")
		assert.NotContains(t, text, "<script")
	}
	status, _ := get(t, s.URL()+"/landing/nothing")
	assert.Equal(t, http.StatusNotFound, status)
}
