package simulators_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/captcha"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/sms"
	"marquee/simulators/wechat"
)

// stall sends a request whose body ends in the middle, without closing the connection, and returns the answer.
func stall(t *testing.T, s *simulators.Simulators, method, target, host string, header ...string) *http.Response {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	require.NoError(t, connection.SetDeadline(time.Now().Add(20*time.Second)))
	header = append(header, "Host: "+host, "Content-Length: 100")
	_, err = fmt.Fprintf(connection, "%s %s HTTP/1.1\r\n%s\r\n\r\n{", method, target, strings.Join(header, "\r\n"))
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	require.NoError(t, err, "%s %s is not timed out", method, target)
	t.Cleanup(func() { _ = response.Body.Close() })
	return response
}

// bodies has a call with a body for each provider, and a part of the error in that provider's format.
var bodies = []struct{ host, path, header, dialect string }{
	{"localhost", "/gateway", "X-None: 1", `"code":"1006"`},
	{"localhost", "/newmovie/api/oauth/token", "X-None: 1", `"code":400001`},
	{sms.Host, "/", "x-acs-action: SendSms", `"Code":"InvalidParameter"`},
	{sms.TencentHost, "/", "X-TC-Action: SendSms", `"Code":"RequestSizeLimitExceeded"`},
	{captcha.Host, "/", "X-TC-Action: DescribeCaptchaResult", `"Code":"RequestSizeLimitExceeded"`},
	{wechat.PayHost, "/v3/pay/transactions/jsapi", "X-None: 1", `"code":"PARAM_ERROR"`},
	{wechat.APIHost, "/cgi-bin/stable_token", "X-None: 1", `"errcode":47001`},
}

func TestProviders_ABodyThatStallsIsTimedOutInTheProvidersFormat(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{BodyTimeout: 50 * time.Millisecond})
	for _, at := range bodies {
		response := stall(t, s, http.MethodPost, at.path, at.host, at.header)
		assert.Equal(t, http.StatusRequestTimeout, response.StatusCode, at.host+at.path)
		assert.Contains(t, bodyOf(t, response), at.dialect)
	}
	entries := s.Default().Journal().Entries(journal.Filter{})
	require.Len(t, entries, len(bodies), "each call is in the journal")
	for _, e := range entries {
		assert.Equal(t, journal.Rejected, e.Verdict)
		assert.Equal(t, http.StatusRequestTimeout, e.Status)
	}
}

func TestProviders_ABodyThatIsTooLargeIsRejectedInTheProvidersFormat(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	for _, at := range bodies {
		request, err := http.NewRequest(http.MethodPost, s.URL()+at.path, strings.NewReader(strings.Repeat(" ", 2<<20)))
		require.NoError(t, err)
		request.Host = at.host
		name, value, _ := strings.Cut(at.header, ": ")
		request.Header.Set(name, value)
		status, text := do(t, request)
		assert.Equal(t, http.StatusRequestEntityTooLarge, status, at.host+at.path)
		assert.Contains(t, text, at.dialect)
	}
}

func TestControl_WaitsLongerThanABodyMayTake(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{BodyTimeout: 100 * time.Millisecond})
	status, text := get(t, s.URL()+"/sim/v1/journal/wait?timeout=1")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, `"timed_out":true`)
}

func TestControl_ErrorsUseTermsOfJSONAndNotOfGo(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	values := []string{`{"a":[1]}`, `[1,{"b":2}]`, `1.5`, `-1`, `1e300`, `true`, `"x"`, `null`}
	errors := 0
	for route, operation := range operations(document(t, s)) {
		if operation.RequestBody == nil || strings.Contains(route, "restore") {
			continue
		}
		method, path, _ := strings.Cut(route, " ")
		target := strings.NewReplacer("worlds/{id}", "worlds/default", "{id}", "1").Replace(path)
		for name := range operation.RequestBody.Value.Content["application/json"].Schema.Value.Properties {
			for _, value := range values {
				request, err := http.NewRequest(method, s.URL()+target, strings.NewReader(`{"`+name+`":`+value+`}`))
				require.NoError(t, err)
				status, text := do(t, request)
				if status < http.StatusBadRequest {
					continue // the value is right
				}
				errors++
				for _, goSyntax := range []string{"map[", "[]", "%!", "Go struct", "interface", "&{", "json."} {
					assert.NotContains(t, text, goSyntax, "%s %s=%s", route, name, value)
				}
			}
		}
	}
	require.Greater(t, errors, 100)
	for from, to := range map[string]string{
		`"trades": []`: `"trades": {"a":1}`, `"serial": 0`: `"serial": "x"`, `"frozen": false`: `"frozen": [1]`,
		`"number": 0`: `"number": 1e30`, `"last_id": 0`: `"last_id": 1e30`,
		`"format": "marquee-world"`: `"format": {"a":1}`,
	} {
		file := strings.Replace(string(s.Default().Snapshot()), from, to, 1)
		require.Contains(t, file, to)
		status, text := post(t, s.URL()+"/sim/v1/worlds/restore", "application/json", file, nil)
		require.Equal(t, http.StatusBadRequest, status)
		for _, goSyntax := range []string{"map[", "[]", "%!", "Go struct", "Go value", "interface", "json:"} {
			assert.NotContains(t, text, goSyntax, to)
		}
	}
}

func TestControl_AFaultThatCannotHitOrWhoseFieldsDoNothingIsRejected(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	for body, want := range map[string]string{
		`"do":"error","probability":0`: "above 0 and at most 1",
		`"do":"error","nth":0`:         "nth must be at least 1",
		`"do":"error","status":500`: "status would not change error; fields that do: code, message, " +
			"latency_ms",
		`"do":"reset","body":"x"`:                  "body would not change reset; fields that do: latency_ms",
		`"do":"seat-taken","latency_ms":5`:         "latency_ms would not change seat-taken; fields that do: none",
		`"do":"latency","latency_ms":5,"code":"1"`: "code would not change latency",
	} {
		operation := `"provider":"gateway","operation":"seat.lock",`
		status, text := post(t, s.URL()+"/sim/v1/faults", "application/json", "{"+operation+body+"}", nil)
		assert.Equal(t, http.StatusBadRequest, status, body)
		assert.Contains(t, text, want)
	}
	require.Empty(t, s.Default().Faults().Faults())
}

func TestControl_AFaultOfHTTPCanBeLateToo(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	status, text := post(t, s.URL()+"/sim/v1/faults", "application/json",
		`{"provider":"gateway","operation":"city.list","do":"status","status":503,"latency_ms":120}`, nil)
	require.Equal(t, http.StatusCreated, status, text)
	began := time.Now()
	status, _ = post(t, s.URL()+"/gateway", "application/x-www-form-urlencoded",
		gatewayForm(t, s.Default(), "city.list").Encode(), nil)
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.GreaterOrEqual(t, time.Since(began), 120*time.Millisecond)
}

func TestJournal_AFilterWithAnUnknownNameListsTheValidOnes(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	var names []string
	for _, p := range s.Default().Faults().Providers() {
		names = append(names, p.Name)
	}
	for query, want := range map[string]string{
		"operation=seat.lok":                    "seat.lock",
		"operation=seat.lock&provider=newmovie": "order/lock",
		"provider=cinema":                       "valid: " + strings.Join(slices.Sorted(slices.Values(names)), ", "),
	} {
		status, text := get(t, s.URL()+"/sim/v1/journal/wait?timeout=5&"+query)
		assert.Equal(t, http.StatusBadRequest, status)
		assert.Contains(t, text, want)
	}
}

func TestJournal_EveryRecordedOperationCanBeAskedFor(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	for _, p := range s.Default().Faults().Providers() {
		for _, operation := range p.Operations {
			status, text := get(t, s.URL()+"/sim/v1/journal/count?provider="+p.Name+"&operation="+operation)
			assert.Equal(t, http.StatusOK, status, text)
		}
	}
}

func TestJournal_AnEntryHasRealTimeAndBusinessTime(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	w := s.Default()
	w.Clock().Advance(40 * 24 * time.Hour)
	began := time.Now()
	_, _ = post(t, s.URL()+"/gateway", "application/x-www-form-urlencoded", gatewayForm(t, w, "city.list").Encode(),
		nil)
	entry := w.Journal().Entries(journal.Filter{})[0]
	require.WithinRange(t, entry.WireAt, began, time.Now())
	require.Greater(t, entry.At.Sub(entry.WireAt), 39*24*time.Hour)
}

// The zero Probability of a Fault in Go means that every call is hit, so Add must accept it.
func TestPlan_GoCallersMeanAlwaysByNoProbability(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	_, err := s.Default().Faults().Add(faults.Fault{Provider: "sms", Operation: "*", Do: faults.Error})
	require.NoError(t, err)
}

func bodyOf(t *testing.T, response *http.Response) string {
	t.Helper()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(text)
}
