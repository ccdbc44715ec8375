package simulators_test

import (
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/dataset"
)

// lookedAtInEveryWay finds showings, changes seats and reads the books.
func lookedAtInEveryWay(j *judge, s *simulators.Simulators) {
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
	for wanted, query := range map[string]string{"missing_parameter": "", "unknown_city": "&city=1", "unknown_provider": "&city=310100&provider=wechat"} {
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
	for wanted, query := range map[string]string{"unknown_kind": "kind=meal", "unknown_provider": "provider=nobody", "unknown_state": "state=lost"} {
		no("GET /sim/v1/orders", in+"&"+query, "", "400 "+wanted)
	}
}

// watchedInEveryWay holds what an event stream tells against the document.
func watchedInEveryWay(j *judge, s *simulators.Simulators) {
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
	w := watch(j.T, s, "world="+made.ID, "")
	expect := func(name string) {
		j.Helper()
		e := w.until(name)
		schema := doc.Components.Schemas[schemas[name].Ref[len("#/components/schemas/"):]]
		require.NotNil(j, schema, name)
		assert.NoError(j, schema.Value.VisitJSON(map[string]any(e.data), openapi3.VisitAsResponse(), openapi3.EnableFormatValidation()), name)
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
