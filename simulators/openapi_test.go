package simulators_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"

	"marquee/simulators"
	"marquee/simulators/dataset"
	"marquee/simulators/wechat"
)

// document is the API's description as the port serves it.
func document(t *testing.T, s interface{ URL() string }) *openapi3.T {
	t.Helper()
	status, text := get(t, s.URL()+"/sim/v1/openapi.json")
	require.Equal(t, http.StatusOK, status)
	doc, err := openapi3.NewLoader().LoadFromData([]byte(text))
	require.NoError(t, err)
	return doc
}

// operations are the document's, by "GET /sim/v1/clock".
func operations(doc *openapi3.T) map[string]*openapi3.Operation {
	found := map[string]*openapi3.Operation{}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			found[method+" "+path] = operation
		}
	}
	return found
}

func TestOpenAPI_TheDocumentIsSoundAndItsExamplesFit(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	doc := document(t, s)
	require.NoError(t, doc.Validate(t.Context(), openapi3.EnableExamplesValidation()))

	known, used := doc.Components.Schemas["Error"].Value.Properties["code"].Value.Enum,
		map[string]bool{"not_found": true, "method_not_allowed": true}
	ids := map[string]string{}
	for route, operation := range operations(doc) {
		assert.NotEmpty(t, operation.Summary, route)
		assert.Empty(t, ids[operation.OperationID], "%s has the operationId of another", route)
		ids[operation.OperationID] = route
		for status, codes := range documented(operation) {
			for _, code := range codes {
				used[code] = true
				example := doc.Components.Examples[code]
				require.NotNil(t, example, "%s %d %s: the code has no example in components.examples", route, status,
					code)
				assert.Contains(t, fmt.Sprint(example.Value.Value), code)
			}
		}
	}
	for _, code := range known {
		assert.True(t, used[code.(string)], "no call returns the code %s of components.schemas.Error", code)
	}
	assert.Len(t, used, len(known), "every code is in components.schemas.Error: %v", slices.Sorted(maps.Keys(used)))
	text, err := doc.MarshalJSON()
	require.NoError(t, err)
	for kind, names := range map[string][]string{
		"schemas":    slices.Collect(maps.Keys(doc.Components.Schemas)),
		"parameters": slices.Collect(maps.Keys(doc.Components.Parameters)),
	} {
		for _, name := range names {
			assert.Contains(t, string(text), `"#/components/`+kind+"/"+name+`"`, "nothing uses it")
		}
	}
}

// documented are the error codes of an operation by status: the names of the answers' examples.
func documented(operation *openapi3.Operation) map[int][]string {
	codes := map[int][]string{}
	for status, response := range operation.Responses.Map() {
		if n, _ := strconv.Atoi(status); n >= http.StatusBadRequest {
			codes[n] = slices.Sorted(maps.Keys(response.Value.Content["application/json"].Examples))
		}
	}
	return codes
}

// responseChecker validates real answers against the document and remembers which ones it has seen.
type responseChecker struct {
	*testing.T
	operations map[string]*openapi3.Operation

	mu   sync.Mutex
	seen map[string]map[string]bool // by route: "200", "404 world_unknown"
}

func newResponseChecker(t *testing.T, s *simulators.Simulators) *responseChecker {
	t.Helper()
	return &responseChecker{T: t, operations: operations(document(t, s)), seen: map[string]map[string]bool{}}
}

// call makes a call of a route and checks its answer against the document. wanted is "200" or "404 world_unknown".
func (j *responseChecker) call(base, route, target, body, wanted string, header ...string) map[string]any {
	j.Helper()
	method, template, _ := strings.Cut(route, " ")
	if target == "" || strings.HasPrefix(target, "?") {
		target = template + target
	}
	request, err := http.NewRequest(method, base+target, strings.NewReader(body))
	require.NoError(j, err)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	request.Host = request.Header.Get("Host") // "" means the host of the address
	response, err := http.DefaultClient.Do(request)
	require.NoError(j, err)
	return j.validate(route, response, wanted)
}

// validate checks one answer against the document, and returns it as an object.
func (j *responseChecker) validate(route string, response *http.Response, wanted string) map[string]any {
	j.Helper()
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(j, err)
	status := strconv.Itoa(response.StatusCode)
	operation := j.operations[route]
	if operation == nil {
		j.Errorf("%s is not an operation", route)
		return nil
	}
	described := operation.Responses.Value(status)
	if described == nil {
		j.Errorf("%s answered %s %s, which its operation does not declare", route, status, text)
		return nil
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	content := described.Value.Content[kind]
	if content == nil {
		j.Errorf("%s answered %s as %q, which its operation does not declare", route, status, kind)
		return nil
	}
	var answer any = string(text)
	if kind == "application/json" {
		require.NoError(j, json.Unmarshal(text, &answer), "%s: %s", route, text)
	}
	err = content.Schema.Value.VisitJSON(answer, openapi3.VisitAsResponse(), openapi3.EnableFormatValidation())
	if wrong := (*openapi3.SchemaError)(nil); errors.As(err, &wrong) {
		j.Errorf("%s answered %s what its type does not say: at /%s: %s\n%.200s",
			route, status, strings.Join(wrong.JSONPointer(), "/"), wrong.Reason, text)
	} else {
		require.NoError(j, err)
	}
	object, _ := answer.(map[string]any)
	got := status
	if response.StatusCode >= http.StatusBadRequest {
		rejected, _ := object["error"].(map[string]any)
		code := fmt.Sprint(rejected["code"])
		got += " " + code
		assert.Contains(j, documented(operation)[response.StatusCode], code,
			"%s answered the code %s, which its operation does not declare", route, code)
		assert.NotEmpty(j, rejected["message"])
	}
	assert.Equal(j, wanted, got, "%s: %s", route, text)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.seen[route] == nil {
		j.seen[route] = map[string]bool{}
	}
	j.seen[route][got] = true
	return object
}

func TestOpenAPI_UnknownPathsAndMethodsListTheValidOnes(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	wrongMethods(newResponseChecker(t, s), document(t, s), s.URL())
}

func TestOpenAPI_EveryDocumentedAnswerIsGivenAndFitsItsSchema(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	j := newResponseChecker(t, s)
	checkInvalidRequests(j, s.URL())
	checkCalls(j, s)
	checkPayments(j, s)
	checkReads(j, s)
	checkStalledBodies(j)
	checkStreams(j, s)
	checkWaitTimeouts(j, s)
	for route, operation := range j.operations {
		for status := range operation.Responses.Map() {
			if n, _ := strconv.Atoi(status); n < http.StatusBadRequest {
				assert.True(t, j.seen[route][status], "%s is documented to answer %s, which nothing here makes it "+
					"do: add a call to checkCalls in simulators/openapi_test.go", route, status)
			}
		}
		for status, codes := range documented(operation) {
			for _, code := range codes {
				assert.True(t, j.seen[route][fmt.Sprint(status, " ", code)],
					"%s is documented to answer %d %s, which nothing here makes it do: add a call to checkCalls in "+
						"simulators/openapi_test.go, or take the example out", route, status, code)
			}
		}
	}
}

// checkInvalidRequests makes every call with invalid parameters, and from a foreign host. It makes calls that change
// something also from a foreign origin, with wrong content types and with invalid bodies.
func checkInvalidRequests(j *responseChecker, base string) {
	for route, operation := range j.operations {
		_, template, _ := strings.Cut(route, " ")
		target := strings.ReplaceAll(template, "{id}", "default")
		documents := func(status int, code string) bool { return slices.Contains(documented(operation)[status], code) }
		j.call(base, route, target+"?no-such-parameter=1", "", "400 unknown_parameter")
		j.call(base, route, target+"?world=%zz", "", "400 bad_query")
		j.call(base, route, target, "", "403 foreign_host", "Host", "elsewhere.example")
		for _, p := range operation.Parameters {
			if p.Value.In == "query" {
				j.call(base, route, target+"?"+p.Value.Name+"=1&"+p.Value.Name+"=2", "", "400 repeated_parameter")
			}
			if p.Value.Name == "world" {
				j.call(base, route, target+"?world=none", "", "404 world_unknown")
			}
		}
		if strings.HasPrefix(route, "GET") {
			continue
		}
		j.call(base, route, target, "", "403 cross_origin", "Origin", "https://elsewhere.example")
		for _, header := range [][2]string{
			{"Content-Type", "text/xml"}, {"Content-Type", "text/plain;charset=UTF-8"},
			{"Content-Type", "multipart/form-data; boundary=x"}, {"Content-Type", "json"},
			{"Content-Type", "application/json; charset=gbk"}, {"Content-Encoding", "gzip"},
		} {
			j.call(base, route, target, "{}", "415 wrong_content_type", header[0], header[1])
		}
		large := strings.Repeat(" ", 33<<20)
		if documents(http.StatusBadRequest, "bad_json") {
			large = large[:65<<10]
			for _, body := range []string{"{", "{}{}", "{} x", "seconds=60", "{\"\xff\":1}"} {
				j.call(base, route, target, body, "400 bad_json")
			}
			for _, body := range []string{"[]", "null", "7", `"text"`, "true"} {
				j.call(base, route, target, body, "400 wrong_type")
			}
			j.call(base, route, target, `{"no_such_field":1}`, "400 unknown_field")
			if operation.RequestBody != nil {
				for name := range operation.RequestBody.Value.Content["application/json"].Schema.Value.Properties {
					j.call(base, route, target, `{"`+strings.ToUpper(name)+`":null}`, "400 unknown_field")
					j.call(base, route, target, `{"`+name+`":null,"`+name+`":null}`, "400 bad_json")
				}
			}
		}
		j.call(base, route, target, large, "413 body_too_large")
	}
}

// checkStalledBodies sends an incomplete body with every call except GET.
func checkStalledBodies(j *responseChecker) {
	s := start(j.T, simulators.Options{BodyTimeout: 50 * time.Millisecond})
	for route := range j.operations {
		method, path, _ := strings.Cut(route, " ")
		if method == http.MethodGet {
			continue
		}
		target := strings.NewReplacer("worlds/{id}", "worlds/default", "{id}", "1").Replace(path)
		response := stall(j.T, s, method, target, "127.0.0.1", "Content-Type: application/json")
		j.validate(route, response, "408 body_timeout")
	}
}

// checkCalls makes every call succeed, and fail with each of its specific errors.
func checkCalls(j *responseChecker, s *simulators.Simulators) {
	at := s.URL()
	ok := func(route, target, body string) map[string]any { return j.call(at, route, target, body, "200") }
	no := func(route, target, body, wanted string) { j.call(at, route, target, body, wanted) }

	ok("GET /sim/v1/openapi.json", "", "")
	ok("GET /sim/v1/ca.pem", "", "")
	ok("GET /sim/v1/worlds", "", "")
	made := j.call(at, "POST /sim/v1/worlds", "",
		`{"id":"ci-7","seed":7,"now":"2030-06-01T09:00:00+08:00","frozen":true}`, "201")
	j.call(at, "POST /sim/v1/worlds", "", "", "201")
	no("POST /sim/v1/worlds", "", `{"now":"yesterday"}`, "400 bad_time")
	no("POST /sim/v1/worlds", "", `{"id":"UPPER"}`, "400 bad_world_id")
	no("POST /sim/v1/worlds", "", `{"app_url":"javascript:1"}`, "400 bad_address")
	no("POST /sim/v1/worlds", "", `{"id":"ci-7"}`, "409 world_exists")

	const one = "/sim/v1/worlds/ci-7"
	ok("GET /sim/v1/worlds/{id}", one, "")
	ok("GET /sim/v1/worlds/{id}", "/sim/v1/worlds/default", "")
	no("GET /sim/v1/worlds/{id}", "/sim/v1/worlds/none", "", "404 world_unknown")
	ok("PATCH /sim/v1/worlds/{id}", one, `{"app_url":"http://127.0.0.1:8081"}`)
	no("PATCH /sim/v1/worlds/{id}", one, `{"push_url":"8081"}`, "400 bad_address")
	no("PATCH /sim/v1/worlds/{id}", "/sim/v1/worlds/none", `{}`, "404 world_unknown")

	text, err := json.Marshal(made["credentials"])
	require.NoError(j, err)
	v := visitor{T: j.T, url: at}
	require.NoError(j, json.Unmarshal(text, &v.keys))
	v.gateway("city.list")
	v.gateway("film.detail")
	require.Equal(j, "OK", v.text("13900000007", "222222"))
	v.announce("TRADE-1", at+"/nowhere")
	file, err := json.Marshal(ok("GET /sim/v1/worlds/{id}/snapshot", one+"/snapshot", ""))
	require.NoError(j, err)
	no("GET /sim/v1/worlds/{id}/snapshot", "/sim/v1/worlds/none/snapshot", "", "404 world_unknown")
	old := strings.Replace(string(file), `"version":1`, `"version":7`, 1)
	j.call(at, "POST /sim/v1/worlds/restore", "?id=ci-8&app_url=http://127.0.0.1:8082", string(file), "201")
	for wanted, row := range map[string][2]string{
		"400 bad_snapshot": {"", "{"}, "400 snapshot_version": {"", old}, "400 bad_world_id": {"?id=-", string(file)},
		"400 bad_address": {"?push_url=x", string(file)}, "409 world_exists": {"?id=ci-8", string(file)},
	} {
		no("POST /sim/v1/worlds/restore", row[0], row[1], wanted)
	}
	ok("POST /sim/v1/worlds/{id}/restore", one+"/restore", string(file))
	no("POST /sim/v1/worlds/{id}/restore", one+"/restore", string(file[:900]), "400 bad_snapshot")
	no("POST /sim/v1/worlds/{id}/restore", one+"/restore", old, "400 snapshot_version")
	elsewhere := strings.Replace(string(file), `"app_url":"`, `"app_url":"javascript:`, 1)
	no("POST /sim/v1/worlds/{id}/restore", one+"/restore", elsewhere, "400 bad_address")
	no("POST /sim/v1/worlds/{id}/restore", "/sim/v1/worlds/none/restore", string(file), "404 world_unknown")
	j.call(at, "POST /sim/v1/worlds/{id}/fork", one+"/fork", `{"id":"ci-9"}`, "201")
	for wanted, row := range map[string][2]string{
		"400 bad_world_id": {one, `{"id":"restore"}`}, "400 bad_address": {one, `{"app_url":"x"}`},
		"409 world_exists": {one, `{"id":"ci-9"}`}, "404 world_unknown": {"/sim/v1/worlds/none", ""},
	} {
		no("POST /sim/v1/worlds/{id}/fork", row[0]+"/fork", row[1], wanted)
	}
	full := start(j.T, simulators.Options{MaxWorlds: 1})
	j.call(full.URL(), "POST /sim/v1/worlds", "", `{"id":"ci-7"}`, "201")
	j.call(full.URL(), "POST /sim/v1/worlds", "", "", "429 too_many_worlds")
	j.call(full.URL(), "POST /sim/v1/worlds/restore", "", string(file), "429 too_many_worlds")
	j.call(full.URL(), "POST /sim/v1/worlds/{id}/fork", one+"/fork", "", "429 too_many_worlds")

	const in = "?world=ci-7"
	ok("GET /sim/v1/health", in, "")
	ok("GET /sim/v1/clock", in, "")
	ok("POST /sim/v1/clock/advance", in, `{"seconds":60}`)
	ok("POST /sim/v1/clock/advance", in, `{"to":"2030-06-01T12:00:00+08:00"}`)
	for body, wanted := range map[string]string{
		`{}`: "400 missing_field", `{"seconds":0}`: "400 clock_backwards",
		`{"to":"2030-06-01T11:00:00+08:00"}`: "400 clock_backwards",
		`{"seconds":34560001}`:               "400 too_far", `{"to":"noon"}`: "400 bad_time",
		`{"seconds":1,"to":"2030-06-01T13:00:00+08:00"}`: "400 conflicting_fields",
	} {
		no("POST /sim/v1/clock/advance", in, body, wanted)
	}
	for _, what := range []string{"freeze", "resume", "reset"} {
		ok("POST /sim/v1/clock/"+what, in, "")
		ok("POST /sim/v1/clock/"+what, in, "{}")
	}

	planned := j.call(at, "POST /sim/v1/faults", in,
		`{"provider":"gateway","operation":"seat.lock","do":"act-then-hang","times":1}`, "201")
	j.call(at, "POST /sim/v1/faults", in,
		`{"provider":"newmovie","operation":"*","do":"latency","latency_ms":1,"probability":0.5,"seed":9}`, "201")
	no("POST /sim/v1/faults", in, `{"provider":"gateway","operation":"seat.lok","do":"hang"}`, "400 invalid_fault")
	ok("GET /sim/v1/faults", in, "")
	ok("DELETE /sim/v1/faults", in+"&id="+fmt.Sprint(planned["id"]), "")
	no("DELETE /sim/v1/faults", in+"&id=99", "", "404 fault_not_found")
	no("DELETE /sim/v1/faults/{id}", "/sim/v1/faults/99"+in, "", "404 fault_not_found")
	ok("DELETE /sim/v1/faults/{id}", "/sim/v1/faults/2"+in, "")
	ok("DELETE /sim/v1/faults", in, "")

	j.call(at, "POST /sim/v1/stubs", in, `{"provider":"wechat","path":"/v3/marketing/*","answer":{"status":204}}`,
		"201")
	j.call(at, "POST /sim/v1/stubs", in, `{"provider":"gateway","body":"*x*","answer":{},"expires_in":60}`, "201")
	for _, body := range []string{
		`{"provider":"unknown","path":"/","answer":{}}`, `{"provider":"wechat","path":"v3","answer":{}}`,
		`{"provider":"wechat","answer":{}}`,
		`{"provider":"wechat","path":"/v3/*"}`, `{"provider":"wechat","path":"/v3/*","answer":{"status":99}}`,
		`{"provider":"wechat","path":"/v3/*","answer":{"body":"{{range 9}}{{end}}"}}`,
		`{"provider":"wechat","path":"/v3/*","answer":{"headers":{"a b":"c"}}}`,
		`{"provider":"wechat","path":"/v3/*","method":"post","answer":{}}`,
	} {
		no("POST /sim/v1/stubs", in, body, "400 invalid_stub")
	}
	ok("GET /sim/v1/stubs", in, "")
	ok("DELETE /sim/v1/stubs/{id}", "/sim/v1/stubs/1"+in, "")
	no("DELETE /sim/v1/stubs/{id}", "/sim/v1/stubs/1"+in, "", "404 stub_unknown")
	ok("DELETE /sim/v1/stubs", in, "")

	targets := "/sim/v1/webhooks/targets"
	j.call(at, "POST "+targets, in, `{"url":"`+at+`/nowhere"}`, "201")
	for body, wanted := range map[string]string{
		`{"url":"` + at + `/nowhere"}`: "400 invalid_target", `{"url":"nowhere"}`: "400 bad_address",
		`{}`: "400 missing_field", `{"url":"` + at + `/nowhere","operation":"query"}`: "400 unknown_operation",
	} {
		no("POST "+targets, in, body, wanted)
	}
	ok("GET "+targets, in, "")
	ok("DELETE "+targets+"/{id}", targets+"/1"+in, "")
	no("DELETE "+targets+"/{id}", targets+"/1"+in, "", "404 target_unknown")
	ok("DELETE "+targets, in, "")

	ok("GET /sim/v1/journal", in+"&provider=gateway&verdict=refused&limit=1", "")
	ok("GET /sim/v1/journal/count", in, "")
	ok("GET /sim/v1/journal/export", in+"&limit=2", "")
	ok("GET /sim/v1/journal/export", in+"&format=jsonl", "")
	no("GET /sim/v1/journal/export", in+"&format=pdf", "", "400 unknown_format")
	ok("GET /sim/v1/journal/wait", in+"&operation=city.list", "")
	ok("GET /sim/v1/journal/wait", in+"&operation=opi.seat&timeout=0", "")
	for wanted, query := range map[string]string{"unknown_provider": "provider=unknown",
		"unknown_verdict": "verdict=great", "bad_after": "after=-1", "bad_limit": "limit=1e3",
		"unknown_operation": "operation=seat.lok"} {
		for _, route := range []string{"GET /sim/v1/journal", "GET /sim/v1/journal/count", "GET /sim/v1/journal/wait",
			"GET /sim/v1/journal/export"} {
			if wanted != "bad_limit" || route != "GET /sim/v1/journal/count" {
				no(route, in+"&"+query, "", "400 "+wanted)
			}
		}
	}
	no("GET /sim/v1/journal/wait", in+"&timeout=soon", "", "400 bad_timeout")
	ok("DELETE /sim/v1/journal", in, "")

	ok("GET /sim/v1/sms/messages", in+"&phone=13900000007", "")
	ok("GET /sim/v1/sms/messages/next", in+"&phone=13900000007", "")
	ok("GET /sim/v1/sms/messages/next", in+"&after=99&timeout=0", "")
	no("GET /sim/v1/sms/messages/next", in+"&after=x", "", "400 bad_after")
	no("GET /sim/v1/sms/messages/next", in+"&timeout=121", "", "400 bad_timeout")
	for _, route := range []string{"GET /sim/v1/sms/messages", "GET /sim/v1/sms/messages/next",
		"DELETE /sim/v1/sms/messages"} {
		no(route, in+"&phone=139", "", "400 bad_phone")
	}
	ok("DELETE /sim/v1/sms/messages", in, "")
	ok("GET /sim/v1/wechat/merchant", in, "")
	for body, wanted := range map[string]string{
		`{"openid":"oMarqueeDemo_bound_0001","for":"login"}`: "200", `{"openid":"o","for":"login"}`: "400 bad_openid",
		`{"openid":"oMarqueeDemo_bound_0001","for":"pay"}`: "400 unknown_purpose",
		`{"for":"phone"}`: "400 missing_field",
	} {
		no("POST /sim/v1/wechat/codes", in, body, wanted)
	}
	for _, keys := range []string{"moving", "public-key", "certificates"} {
		answer := ok("PATCH /sim/v1/wechat/merchant", in, `{"signs_with":"`+keys+`"}`)
		assert.Equal(j, keys, answer["signs_with"])
	}
	no("PATCH /sim/v1/wechat/merchant", in, `{"signs_with":"rsa"}`, "400 bad_keys")
	no("PATCH /sim/v1/wechat/merchant", in, `{}`, "400 bad_keys")
	ok("GET /sim/v1/catalogue", in, "")
	ok("GET /sim/v1/catalogue", "", "")

	ok("POST /sim/v1/worlds/{id}/reset", one+"/reset", "")
	no("POST /sim/v1/worlds/{id}/reset", "/sim/v1/worlds/none/reset", "", "404 world_unknown")
	ok("DELETE /sim/v1/worlds/{id}", one, "")
	no("DELETE /sim/v1/worlds/{id}", one, "", "404 world_unknown")
	no("DELETE /sim/v1/worlds/{id}", "/sim/v1/worlds/default", "", "409 default_world")
}

// checkPayments ends payments with each outcome and each error, and sends webhooks again.
func checkPayments(j *responseChecker, s *simulators.Simulators) {
	const route = "POST /sim/v1/wechat/pay"
	made, v := create(j.T, s, `{"frozen":true}`)
	pay := func(id, outcome, wanted string) {
		j.Helper()
		j.call(s.URL(), route, "?world="+made.ID, `{"prepay_id":"`+id+`","outcome":"`+outcome+`"}`, wanted)
	}
	announce := func(no, openID string, expire *time.Time) string {
		k := v.keys.WeChat
		answer, _, err := (&jsapi.JsapiApiService{Client: v.payments()}).Prepay(v.Context(), jsapi.PrepayRequest{
			Appid: &k.AppID, Mchid: &k.MchID, Description: core.String("电影票"), OutTradeNo: &no,
			NotifyUrl: core.String(s.URL() + "/nowhere"), TimeExpire: expire,
			Amount: &jsapi.Amount{Total: core.Int64(100)}, Payer: &jsapi.Payer{Openid: &openID},
		})
		require.NoError(j, err)
		return *answer.PrepayId
	}
	pay("", "pay", "400 missing_field")
	pay("none", "maybe", "400 bad_outcome")
	pay("none", "pay", "404 prepay_unknown")
	id := announce("PAID-1", wechat.BoundOpenID, nil)
	for _, outcome := range []string{"cancel", "fail", "pay"} {
		pay(id, outcome, "200")
	}
	resend := func(body, wanted string) map[string]any {
		j.Helper()
		return j.call(s.URL(), "POST /sim/v1/webhooks/resend", "?world="+made.ID, body, wanted)
	}
	deliveries := resend(`{"operation":"notify","subject":"PAID-1"}`, "200")["deliveries"].([]any)
	entry := deliveries[0].(map[string]any)
	resend(fmt.Sprintf(`{"entry":%v}`, entry["id"]), "200")
	for body, wanted := range map[string]string{
		`{"operation":"notify"}`:                              "400 missing_field",
		`{"entry":1,"operation":"notify","subject":"PAID-1"}`: "400 missing_field",
		`{"operation":"pay","subject":"PAID-1"}`:              "400 unknown_operation",
		`{"entry":9999}`:                                      "404 entry_unknown",
		`{"operation":"notify","subject":"PAID-2"}`:           "404 webhook_unknown",
		`{"entry":1}`:                                         "409 not_a_webhook",
		`{"entry":1,"url":"here"}`:                            "400 bad_address",
	} {
		resend(body, wanted)
	}
	pay(id, "pay", "409 already_paid")
	pay(announce("POOR-1", wechat.PoorOpenID, nil), "pay", "409 balance_insufficient")
	id = announce("CLOSED", wechat.BoundOpenID, nil)
	no := "CLOSED"
	_, err := (&jsapi.JsapiApiService{Client: v.payments()}).CloseOrder(v.Context(),
		jsapi.CloseOrderRequest{OutTradeNo: &no, Mchid: &v.keys.WeChat.MchID})
	require.NoError(j, err)
	pay(id, "pay", "409 trade_closed")
	soon := time.Now().Add(10 * time.Minute)
	brief, long := announce("BRIEF-1", wechat.BoundOpenID, &soon), announce("LONG-1", wechat.BoundOpenID, nil)
	control(j.T, s, http.MethodPost, "/clock/advance?world="+made.ID, `{"seconds":3600}`)
	pay(brief, "pay", "409 time_expired")
	control(j.T, s, http.MethodPost, "/clock/advance?world="+made.ID, `{"seconds":3600}`)
	pay(long, "pay", "409 prepay_expired")
}

// checkWaitTimeouts ends long polls with their world, and opens more of them than the limit.
func checkWaitTimeouts(j *responseChecker, s *simulators.Simulators) {
	routes := []string{"GET /sim/v1/journal/wait", "GET /sim/v1/sms/messages/next", "GET /sim/v1/events"}
	path := func(route string) string { return strings.TrimPrefix(route, "GET ") }
	serve := func(ctx context.Context, target string) *http.Response {
		answer := httptest.NewRecorder()
		s.Handler().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, s.URL()+target, nil).WithContext(ctx))
		return answer.Result()
	}
	for _, route := range routes[:2] {
		for wait := time.Millisecond; ; wait *= 2 { // until the poll had begun when its world ended
			made, _ := create(j.T, s, "")
			answered := make(chan *http.Response)
			go func() { answered <- serve(j.Context(), path(route)+"?timeout=60&world="+made.ID) }()
			<-time.After(wait)
			control(j.T, s, http.MethodDelete, "/worlds/"+made.ID, "")
			answer := <-answered
			text := body(j, answer)
			if strings.Contains(text, "world_gone") {
				answer.Body = io.NopCloser(strings.NewReader(text))
				j.validate(route, answer, "404 world_gone")
				break
			}
			require.Contains(j, text, "world_unknown")
		}
	}
	ctx, hangUp := context.WithCancel(j.Context())
	var polls sync.WaitGroup
	for range 2000 { // each poll is repeated if it was rejected, because a call below may have held its slot
		polls.Go(func() {
			for ctx.Err() == nil {
				_ = serve(ctx, path(routes[1])+"?phone=13900000001&timeout=120").Body.Close()
				select {
				case <-time.After(time.Millisecond):
				case <-ctx.Done():
				}
			}
		})
	}
	for _, route := range routes {
		require.Eventually(j, func() bool {
			query := "?timeout=0"
			if strings.HasSuffix(route, "/events") {
				query = ""
			}
			asked, stop := context.WithTimeout(ctx, time.Second) // an accepted stream does not end by itself
			defer stop()
			answer := serve(asked, path(route)+query)
			if answer.StatusCode != http.StatusTooManyRequests {
				return false
			}
			j.validate(route, answer, "429 too_many_waiting")
			return true
		}, 30*time.Second, 5*time.Millisecond)
	}
	hangUp()
	polls.Wait()
}

// wrongMethods calls every path with methods that it does not have, and paths that do not exist.
func wrongMethods(j *responseChecker, doc *openapi3.T, base string) {
	possible := map[string][]string{}
	for route := range j.operations {
		method, path, _ := strings.Cut(route, " ")
		possible[path] = append(possible[path], method)
	}
	ask := func(method, target string) (*http.Response, map[string]any) {
		request, err := http.NewRequest(method, base+target, nil)
		require.NoError(j, err)
		response, err := http.DefaultClient.Do(request)
		require.NoError(j, err)
		return response, object(j, body(j, response))
	}
	fits := func(answer map[string]any, name string) {
		schema := doc.Components.Responses[name].Value.Content["application/json"].Schema.Value
		assert.NoError(j, schema.VisitJSON(answer, openapi3.VisitAsResponse()), name)
	}
	delete(possible, "/sim/v1/worlds/restore") // with other methods, "restore" is the id of a world
	for path, methods := range possible {
		slices.Sort(methods)
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch,
			http.MethodDelete, http.MethodOptions, "BREW"} {
			if slices.Contains(methods, method) {
				continue
			}
			response, answer := ask(method, strings.ReplaceAll(path, "{id}", "1"))
			assert.Equal(j, http.StatusMethodNotAllowed, response.StatusCode, "%s %s", method, path)
			assert.Equal(j, strings.Join(methods, ", "), response.Header.Get("Allow"), "%s %s", method, path)
			fits(answer, "MethodNotAllowed")
			assert.Contains(j, fmt.Sprint(answer), strings.Join(methods, ", "))
		}
	}
	for _, path := range []string{"", "/", "/nothing", "/clock/", "/clock/advance/1", "/worlds/a/b", "/faults/",
		"/worlds//reset", "/CLOCK", "/../v2", "/showings/%2e%2e/seats", "/showings/%2E/seats", "/worlds/%2e%2e"} {
		response, answer := ask(http.MethodPost, "/sim/v1"+path)
		assert.Equal(j, http.StatusNotFound, response.StatusCode, path)
		fits(answer, "NotFound")
		assert.Contains(j, fmt.Sprint(answer), "/sim/v1/clock", path)
	}
}

// checkReads finds showings, changes seats and reads the books.
func checkReads(j *responseChecker, s *simulators.Simulators) {
	at := s.URL()
	ok := func(route, target, body string) map[string]any {
		j.Helper()
		return j.call(at, route, target, body, "200")
	}
	no := func(route, target, body, wanted string) { j.Helper(); j.call(at, route, target, body, wanted) }
	made, v := create(j.T, s, `{"now":"2031-01-01T10:00:00+08:00","frozen":true}`)
	in := "?world=" + made.ID
	ok("GET /sim/v1/cities", in+"&contains=shang&limit=2", "")
	ok("GET /sim/v1/cinemas", in+"&city=310100", "")
	ok("GET /sim/v1/films", in, "")
	ok("GET /sim/v1/showings", in+"&city=310100&limit=50", "")
	const cinemas, showings = "GET /sim/v1/cinemas", "GET /sim/v1/showings"
	for _, route := range []string{"GET /sim/v1/cities", cinemas, "GET /sim/v1/films", showings, "GET /sim/v1/orders"} {
		query := in
		if route == cinemas || route == showings {
			query += "&city=310100"
		}
		no(route, query+"&limit=0", "", "400 bad_limit")
		no(route, query+"&offset=x", "", "400 bad_offset")
	}
	for wanted, query := range map[string]string{"missing_parameter": "", "unknown_city": "&city=1",
		"unknown_provider": "&city=310100&provider=wechat"} {
		no(cinemas, in+query, "", "400 "+wanted)
		no(showings, in+query, "", "400 "+wanted)
	}
	no(showings, in+"&cinema=1", "", "400 unknown_cinema")
	no(showings, in+"&city=310100&film=1", "", "400 unknown_film")
	no(showings, in+"&city=310100&day=noon", "", "400 bad_day")
	no("GET /sim/v1/films", in+"&state=gone", "", "400 unknown_state")

	show, seats := plainShow(j.T, countryOf(j.T, s, made), dataset.Gateway)
	mine := v.hold("BOOKS-1", show.ID, seats)
	v.announce("BOOKS-2", at+"/nowhere")
	path := "/sim/v1/showings/" + show.ID + "/seats"
	const listed, sell, free = "GET /sim/v1/showings/{id}/seats", "POST /sim/v1/showings/{id}/seats/sell", "POST /sim/v1/showings/{id}/seats/free"
	other := ""
	hall := ok(listed, path+in, "")
	for _, seat := range list(j.T, hall, "seats") {
		if seat["state"] == "free" {
			other = fmt.Sprint(seat["id"])
		}
	}
	ok(sell, path+"/sell"+in, `{"seats":["`+other+`"]}`)
	no(sell, path+"/sell"+in, `{"seats":["`+other+`"]}`, "409 seat_taken")
	ok(free, path+"/free"+in, `{"seats":["`+other+`"]}`)
	no(free, path+"/free"+in, `{"seats":["`+mine+`"]}`, "409 seat_of_order")
	no(listed, "/sim/v1/showings/1/seats"+in, "", "404 showing_unknown")
	for route, do := range map[string]string{sell: "/sell", free: "/free"} {
		no(route, "/sim/v1/showings/1/seats"+do+in, `{"seats":["0101"]}`, "404 showing_unknown")
		no(route, path+do+in, `{"seats":["9999"]}`, "400 seat_unknown")
		no(route, path+do+in, `{}`, "400 missing_field")
	}
	ok("GET /sim/v1/orders", in, "")
	for wanted, query := range map[string]string{"unknown_kind": "kind=meal", "unknown_provider": "provider=unknown",
		"unknown_state": "state=lost"} {
		no("GET /sim/v1/orders", in+"&"+query, "", "400 "+wanted)
	}
}

// checkStreams checks the events of a stream against the document.
func checkStreams(j *responseChecker, s *simulators.Simulators) {
	const route = "GET /sim/v1/events"
	j.call(s.URL(), route, "?topics=weather", "", "400 unknown_topic")
	made, v := create(j.T, s, `{"now":"2031-01-01T10:00:00+08:00","frozen":true}`)
	in := "?world=" + made.ID
	doc := document(j.T, s)
	content := j.operations[route].Responses.Value("200").Value.Content["text/event-stream"]
	require.NotNil(j, content)
	encoded, err := json.Marshal(content.Schema.Value.Extensions["x-events"])
	require.NoError(j, err)
	var schemas map[string]struct {
		Ref string `json:"$ref"`
	}
	require.NoError(j, json.Unmarshal(encoded, &schemas))
	w := watch(j.T, s, "world="+made.ID)
	expect := func(name string) {
		j.Helper()
		e := w.until(name)
		schema := doc.Components.Schemas[schemas[name].Ref[len("#/components/schemas/"):]]
		require.NotNil(j, schema, name)
		assert.NoError(j, schema.Value.VisitJSON(map[string]any(e.data), openapi3.VisitAsResponse(),
			openapi3.EnableFormatValidation()), name)
		delete(schemas, name)
	}
	expect("world")
	control(j.T, s, http.MethodPost, "/clock/advance"+in, `{"seconds":1}`)
	expect("clock")
	control(j.T, s, http.MethodPost, "/faults"+in, `{"provider":"gateway","operation":"city.list","do":"error"}`)
	expect("faults")
	v.gateway("film.hot", "cityid", "310100")
	expect("journal")
	v.text("13800000001", "246810")
	expect("message")
	show, seats := plainShow(j.T, countryOf(j.T, s, made), dataset.Gateway)
	v.hold("LIVE-1", show.ID, seats)
	expect("seats")
	expect("order")
	control(j.T, s, http.MethodDelete, "/journal"+in, "")
	expect("cleared")
	control(j.T, s, http.MethodDelete, "/worlds/"+made.ID, "")
	expect("end")
	assert.Empty(j, schemas, "documented and not seen")
	j.seen[route]["200"] = true
}
