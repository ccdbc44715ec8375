package simulators_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"marquee/simulators"
	controlapi "marquee/simulators/control"
)

// FuzzControl sends any body and any query to any call: the answer is JSON, a refusal has its code, nothing is a 500,
// and the default world goes on.
func FuzzControl(f *testing.F) {
	var routes []string
	for _, route := range controlapi.Routes() {
		if !strings.Contains(route, "/wait") && !strings.Contains(route, "/next") && !strings.Contains(route, "/events") { // these wait
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
		f.Add(i, "1", "world=default", `{"provider":"gateway","operation":"*","do":"error","times":-9223372036854775808,"probability":-0}`)
		f.Add(i, "5000002519304", "provider=gateway&city=0&day=0000-00-00", `{"seats":[null,"","0101"]}`)
		f.Add(i, "default", "", `{"format":"marquee-world","version":1,"founded":"0001-01-01T00:00:00Z","clock":{"now":"9999-12-31T23:59:59Z"}}`)
		f.Add(i, "default", "", strings.Repeat(`{"id":`, 5000))
	}
	handler := s.Handler()
	call := func(t *testing.T, method, target, body string) int {
		t.Helper()
		request := httptest.NewRequest(method, "http://127.0.0.1/", strings.NewReader(body))
		target, request.URL.RawQuery, _ = strings.Cut(target, "?")
		request.URL.Path = target
		request.Header.Set("Content-Type", "application/json")
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		refused := struct {
			Error struct{ Code, Message string }
		}{}
		if err := json.Unmarshal(answer.Body.Bytes(), &refused); err != nil {
			t.Fatalf("%s %s: %d is no JSON: %s", method, target, answer.Code, answer.Body)
		}
		if answer.Code >= http.StatusInternalServerError || answer.Code >= http.StatusBadRequest && refused.Error.Code == "" {
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
