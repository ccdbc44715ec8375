package simulators_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/dataset"
	"marquee/simulators/testclock"
)

// event is one server-sent event.
type event struct {
	name string
	data map[string]any
}

// watcher reads a stream of events.
type watcher struct {
	t      *testing.T
	lines  *bufio.Scanner
	hangUp context.CancelFunc
}

// watch opens a stream.
func watch(t *testing.T, at interface{ URL() string }, query string) *watcher {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.URL()+"/sim/v1/events?"+query, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode)
	require.Equal(t, "text/event-stream; charset=utf-8", response.Header.Get("Content-Type"))
	t.Cleanup(func() { cancel(); _ = response.Body.Close() })
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	return &watcher{t, lines, cancel}
}

// next is the next event; no name means that the stream ended.
func (w *watcher) next() event {
	w.t.Helper()
	var e event
	for w.lines.Scan() {
		switch line := w.lines.Text(); {
		case strings.HasPrefix(line, "event: "):
			e.name = line[len("event: "):]
		case strings.HasPrefix(line, "data: "):
			require.NoError(w.t, json.Unmarshal([]byte(line[len("data: "):]), &e.data))
		case line == "" && e.name != "":
			return e
		}
	}
	return event{}
}

// until skips events until one has the name, and returns that event.
func (w *watcher) until(name string) event {
	w.t.Helper()
	for {
		switch e := w.next(); e.name {
		case name:
			return e
		case "":
			w.t.Fatalf("the stream ended before %q", name)
		}
	}
}

func TestEvents_ReportEverythingThatChangesInOneWorld(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, v := create(t, s, `{"now":"2031-01-01T10:00:00+08:00","frozen":true}`)
	in := "?world=" + made.ID
	_, other := create(t, s, "")
	w := watch(t, s, "world="+made.ID)
	first := w.next()
	assert.Equal(t, "world", first.name)
	assert.Equal(t, made.ID, first.data["world"])

	require.Equal(t, true, other.gateway("city.list")["success"], "which is nothing to this world")
	v.gateway("film.hot", "cityid", "310100")
	assert.Equal(t, "film.hot", w.until("journal").data["operation"])

	control(t, s, http.MethodPost, "/clock/advance"+in, `{"seconds":60}`)
	assert.Equal(t, "2031-01-01T10:01:00+08:00", w.until("clock").data["now"])
	control(t, s, http.MethodPost, "/clock/resume"+in, "")
	assert.Equal(t, false, w.until("clock").data["frozen"])

	control(t, s, http.MethodPost, "/faults"+in, `{"provider":"gateway","operation":"city.list","do":"error"}`)
	assert.Contains(t, fmt.Sprint(w.until("faults").data["faults"]), "hits:0")
	v.gateway("city.list")
	assert.Contains(t, fmt.Sprint(w.until("faults").data["faults"]), "hits:1")

	require.Equal(t, "OK", v.text("13800000001", "246810"))
	assert.Equal(t, "246810", w.until("message").data["code"])
	control(t, s, http.MethodDelete, "/sms/messages"+in, "")
	assert.Equal(t, "message", w.until("cleared").data["topic"])

	show, seats := plainShow(t, countryOf(t, s, made), dataset.Gateway)
	seat := v.hold("E1", show.ID, seats)
	require.NotEmpty(t, seat)
	assert.Subset(t, w.until("seats").data, map[string]any{"provider": "gateway", "showing": show.ID})
	order := w.until("order").data
	assert.Subset(t, order, map[string]any{"no": "E1", "state": "held", "kind": "ticket"})

	prepay := v.announce("P10001", "http://127.0.0.1:1/notify")
	assert.Subset(t, w.until("order").data, map[string]any{"no": "P10001", "state": "NOTPAY", "kind": "payment"})
	control(t, s, http.MethodPost, "/wechat/pay"+in, `{"prepay_id":"`+prepay+`","outcome":"pay"}`)
	assert.Subset(t, w.until("order").data, map[string]any{"no": "P10001", "state": "SUCCESS"})

	control(t, s, http.MethodPost, "/worlds/"+made.ID+"/reset", "")
	assert.Equal(t, made.ID, w.until("world").data["world"], "a reset: everything is to be read again")
	require.NotEmpty(t, v.hold("E2", show.ID, seats), "and it reports those of the new office, too")
	assert.Equal(t, "E2", w.until("order").data["no"])
}

// countryOf is the catalogue of a world.
func countryOf(t *testing.T, s *simulators.Simulators, made madeWorld) *dataset.Country {
	t.Helper()
	return dataset.NewCountry(made.Seed, testclock.NewAt(made.Now))
}

func TestEvents_EndWithTheirWorldAndKeepItUntilThen(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{Idle: time.Hour})
	made, _ := create(t, s, "")
	w := watch(t, s, "world="+made.ID+"&topics=message")
	require.Equal(t, "world", w.next().name)
	left, _ := create(t, s, "")
	s.Expire(time.Now().Add(2 * time.Hour))
	_, text := get(t, s.URL()+"/sim/v1/worlds")
	require.NotContains(t, text, left.ID, "the other one has expired")
	status, _ := control(t, s, http.MethodDelete, "/worlds/"+made.ID, "")
	require.Equal(t, http.StatusOK, status, "this one is watched")
	end := w.until("end")
	assert.Contains(t, fmt.Sprint(end.data["error"]), "world_gone")
	assert.Empty(t, w.next().name, "and that was all")
}

func TestEvents_RejectsUnknownTopics(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	for query, code := range map[string]string{
		"?topics=journal,weather":    "unknown_topic",
		"?world=nowhere":             "world_unknown",
		"?topic=journal":             "unknown_parameter",
		"?topics=clock&topics=seats": "repeated_parameter",
	} {
		_, answer := control(t, s, http.MethodGet, "/events"+query, "")
		assert.Contains(t, fmt.Sprint(answer["error"]), "code:"+code, query)
	}
	status, _ := control(t, s, http.MethodPost, "/events", "")
	assert.Equal(t, http.StatusMethodNotAllowed, status)
}

func TestEvents_CountAmongTheLongPolls(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	hangUp := hangOn(t, s, 2020, "/events?topics=message")
	hangUp()
	awaitRoom(t, s)
}
