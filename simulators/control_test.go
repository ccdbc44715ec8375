package simulators_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
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
		status, text := post(t, s.URL()+"/gateway", "application/x-www-form-urlencoded", gatewayForm(t, s.Default(), "city.list").Encode(), nil)
		require.Equal(t, http.StatusOK, status)
		return object(t, text)
	}
	status, planned := control(t, s, http.MethodPost, "/faults", `{"provider":"gateway","operation":"city.list","do":"error","skip":1,"times":1,"code":"9999","message":"请重新加载"}`)
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
	assert.Subset(t, faulted[0], map[string]any{"operation": "city.list", "fault": fmt.Sprintf("%s error", planned["id"])})
}

func TestControl_RefusesWhatItDoesNotKnowAndNamesWhatIsValid(t *testing.T) {
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
		{"POST", "/clock/advance", `{"seconds":1}{"seconds":1}`, 400, "bad_json", "goes on"},
		{"POST", "/clock/advance", `{"seconds":99999999999}`, 400, "too_far", ""},
		{"POST", "/clock/advance", ``, 400, "bad_json", ""},
		{"POST", "/faults", `{"provider":"gatway","operation":"*","do":"hang"}`, 400, "invalid_fault", "gateway, newmovie"},
		{"POST", "/faults", `{"provider":"gateway","operation":"seat.lok","do":"hang"}`, 400, "invalid_fault", "seat.lock"},
		{"POST", "/faults", `{"provider":"gateway","operation":"*","do":"explode"}`, 400, "invalid_fault", "act-then-hang"},
		{"POST", "/faults", `{"provider":"gateway","operation":"city.list","do":"seat-taken"}`, 400, "invalid_fault", "seat.lock"},
		{"POST", "/faults", `{"provider":"newmovie","operation":"*","do":"error","code":"4010O4"}`, 400, "invalid_fault", "code of newmovie must be a whole number"},
		{"POST", "/faults", `{"provider":"gateway","operation":"*","do":"hang","tims":1}`, 400, "unknown_field", "times"},
		{"POST", "/faults", `{"provider":"gateway","operation":"*","do":"hang","probability":2}`, 400, "invalid_fault", "probability"},
		{"POST", "/faults", `{"body":"` + strings.Repeat("x", 1<<17) + `"}`, 413, "body_too_large", "65536"},
		{"GET", "/journal?provider=nobody", "", 400, "unknown_provider", "nobody"},
		{"GET", "/journal?verdict=great", "", 400, "unknown_verdict", "refused"},
		{"GET", "/journal?limit=0", "", 400, "bad_limit", "1000"},
		{"GET", "/journal?limt=1", "", 400, "unknown_parameter", "limit"},
		{"POST", "/wechat/pay", `{"prepay_id":"wx-none","outcome":"pay"}`, 404, "prepay_unknown", ""},
		{"POST", "/wechat/pay", `{"prepay_id":"x","outcome":"maybe"}`, 400, "bad_outcome", "pay, cancel, fail"},
		{"GET", "/nothing", "", 404, "not_found", "/sim/v1/faults"},
		{"PUT", "/clock", "", 405, "method_not_allowed", "PUT"},
	} {
		status, answer := control(t, s, row.method, row.path, row.body)
		assert.Equal(t, row.status, status, row.path+" "+row.body[:min(60, len(row.body))])
		refused, ok := answer["error"].(map[string]any)
		require.True(t, ok, "%v", answer)
		assert.Equal(t, row.code, refused["code"], row.body[:min(60, len(row.body))])
		assert.Contains(t, refused["message"], row.says)
	}
	_, answer := control(t, s, http.MethodGet, "/health", "")
	assert.Equal(t, "ok", answer["status"], "and goes on")
}

func TestControl_APageOfAnotherOriginChangesNothing(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	request, err := http.NewRequest(http.MethodPost, s.URL()+"/sim/v1/clock/advance", strings.NewReader(`{"seconds":60}`))
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
	for _, name := range []string{"channel_no", "shop", "gateway", "newmovie", "wechat", "sms", "cards", "coupon_codes", "phones", "amounts", "openids", "addresses"} {
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

func TestConsole_WithoutOneAPageNamesTheCalls(t *testing.T) {
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
