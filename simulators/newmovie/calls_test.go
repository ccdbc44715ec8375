package newmovie_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/newmovie"
	"marquee/simulators/testclock"
)

const (
	mobile = "13812345678"
	secret = "fedcba9876543210"
)

// providerServer is a provider on a socket with its clock, plan and journal.
type providerServer struct {
	*testing.T
	clock   *testclock.Clock
	world   *dataset.Country
	plan    *faults.Plan
	journal *journal.Journal
	url     string
	header  string // the Authorization of every call
}

func startProvider(t *testing.T) *providerServer {
	t.Helper()
	clock := testclock.New()
	r := &providerServer{T: t, clock: clock, world: dataset.NewCountry(1, clock), plan: faults.NewPlan(),
		journal: journal.New(100, clock.Now)}
	provider := newmovie.New(newmovie.Config{
		Country: r.world, Clock: clock, Plan: r.plan, Journal: r.journal,
		BaseURL:     func() string { return "http://sim" },
		Credentials: dataset.NewMovieCredentials{EntID: "ent1", AppSecret: secret},
	})
	server := httptest.NewServer(provider.Handler())
	t.Cleanup(server.Close)
	r.url = server.URL + "/newmovie/api/"
	r.login()
	return r
}

func (r *providerServer) login() {
	r.Helper()
	data := object(r, r.must("POST", "oauth/token", `{"entId":"ent1","appSecret":"`+secret+`"}`))
	assert.InDelta(r, 7200, data["expires_in"], 0)
	r.header = text(r, data, "token_type") + " " + text(r, data, "access_token")
}

// call returns the code and data of a call.
func (r *providerServer) call(method, path, body string) (int, any) {
	r.Helper()
	request, err := http.NewRequest(method, r.url+path, strings.NewReader(body))
	require.NoError(r, err)
	if r.header != "" {
		request.Header.Set("Authorization", r.header)
	}
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(r, err)
	defer response.Body.Close()
	raw, err := io.ReadAll(response.Body)
	require.NoError(r, err)
	require.Equal(r, http.StatusOK, response.StatusCode, string(raw))
	var answer struct {
		Code *int
		Msg  string
		Data any
	}
	require.NoError(r, json.Unmarshal(raw, &answer), string(raw))
	require.NotNil(r, answer.Code)
	assert.NotEmpty(r, answer.Msg)
	if *answer.Code != 0 {
		assert.Nil(r, answer.Data)
	}
	return *answer.Code, answer.Data
}

// must is a call that succeeds.
func (r *providerServer) must(method, path, body string) any {
	r.Helper()
	code, data := r.call(method, path, body)
	require.Zero(r, code, path)
	return data
}

func (r *providerServer) get(path string) map[string]any {
	r.Helper()
	return object(r, r.must("GET", path, ""))
}

// show finds a session hours ahead in a hall of a kind.
func (r *providerServer) show(kind string) dataset.Show {
	r.Helper()
	city, _ := r.world.City("310100")
	for _, c := range r.world.Cinemas(dataset.NewMovie, city) {
		for _, s := range r.world.Shows(c, "") {
			if s.Hall.Layout.Kind == kind && s.Starts.Sub(r.world.Now()) > 6*time.Hour && !s.Blocked {
				return s
			}
		}
	}
	r.Fatalf("no session in a hall %s", kind)
	return dataset.Show{}
}

// seats lists the positions of a session's map that are seats.
func (r *providerServer) seats(session string) []map[string]any {
	r.Helper()
	var seats []map[string]any
	for _, row := range list(r, r.get("seat/map?sessionId="+session), "rows") {
		for _, column := range list(r, row, "columns") {
			if column["originSeatID"] != "" {
				seats = append(seats, column)
			}
		}
	}
	return seats
}

func available(seat map[string]any) bool {
	return seat["state"] == 1.0 || seat["state"] == -1.0 || seat["state"] == 10.0 || seat["state"] == 11.0
}

// free lists the ids of available single seats.
func (r *providerServer) free(session string) []string {
	r.Helper()
	var ids []string
	for _, s := range r.seats(session) {
		if available(s) && s["type"] == 1.0 {
			ids = append(ids, text(r, s, "originSeatID"))
		}
	}
	require.Greater(r, len(ids), 8)
	return ids
}

// lockBody is the body of a lock.
func lockBody(no string, show dataset.Show, mobile string, ids ...string) string {
	seats := make([]map[string]string, len(ids))
	for i, id := range ids {
		seats[i] = map[string]string{"originSeatID": id}
	}
	body, err := json.Marshal(map[string]any{"outOrderNo": no, "sessionId": show.ID, "cinemaCode": show.Cinema.Code,
		"seats": seats, "mobile": mobile})
	if err != nil {
		panic(err)
	}
	return string(body)
}

// settled locks one seat and waits, on the business clock, until the lock is settled.
func (r *providerServer) settled(no string) map[string]any {
	r.Helper()
	show := r.show("激光")
	r.must("POST", "order/lock", lockBody(no, show, mobile, r.free(show.ID)[0]))
	r.clock.Advance(time.Second)
	return r.get("order/query?outOrderNo=" + no)
}

func (r *providerServer) state(no string) string {
	r.Helper()
	return text(r, r.get("order/query?outOrderNo="+no), "state")
}

func submitBody(r *providerServer, order map[string]any, mobile string) string {
	return `{"outOrderNo":"` + text(r, order, "outOrderNo") + `","amount":"` + text(r, order,
		"amount") + `","mobile":"` + mobile + `"}`
}

func (r *providerServer) fault(f faults.Fault) {
	r.Helper()
	f.Provider = newmovie.Name
	_, err := r.plan.Add(f)
	require.NoError(r, err)
}

func object(t testing.TB, data any) map[string]any {
	t.Helper()
	m, ok := data.(map[string]any)
	require.True(t, ok, "no object: %v", data)
	return m
}

func list(t testing.TB, data map[string]any, name string) []map[string]any {
	t.Helper()
	items, ok := data[name].([]any)
	require.True(t, ok, "%s in %v", name, data)
	out := make([]map[string]any, len(items))
	for i, item := range items {
		out[i] = object(t, item)
	}
	return out
}

func text(t testing.TB, m map[string]any, name string) string {
	t.Helper()
	s, ok := m[name].(string)
	require.True(t, ok, "%s is no text: %v", name, m[name])
	return s
}
