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
	"marquee/simulators/newmovie"
	"marquee/simulators/ticketing/ticketingtest"
)

const (
	mobile = "13812345678"
	secret = "fedcba9876543210"
)

// providerServer is a provider on a socket with its clock, plan and journal.
type providerServer struct {
	ticketingtest.World
	url    string
	header string // the Authorization of every call
}

func startProvider(t *testing.T) *providerServer {
	t.Helper()
	r := &providerServer{World: ticketingtest.NewWorld(t)}
	provider := newmovie.New(newmovie.Config{
		Country: r.Country, Clock: r.Clock, Plan: r.Plan, Journal: r.Journal,
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
	data := ticketingtest.Object(r, r.must("POST", "oauth/token", `{"entId":"ent1","appSecret":"`+secret+`"}`))
	assert.InDelta(r, 7200, data["expires_in"], 0)
	r.header = ticketingtest.Text(r, data, "token_type") + " " + ticketingtest.Text(r, data, "access_token")
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

// must makes a call that has to succeed.
func (r *providerServer) must(method, path, body string) any {
	r.Helper()
	code, data := r.call(method, path, body)
	require.Zero(r, code, path)
	return data
}

func (r *providerServer) get(path string) map[string]any {
	r.Helper()
	return ticketingtest.Object(r, r.must("GET", path, ""))
}

// seats lists the seats of a session's map, without aisles.
func (r *providerServer) seats(session string) []map[string]any {
	r.Helper()
	var seats []map[string]any
	for _, row := range ticketingtest.List(r, r.get("seat/map?sessionId="+session), "rows") {
		for _, column := range ticketingtest.List(r, row, "columns") {
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
			ids = append(ids, ticketingtest.Text(r, s, "originSeatID"))
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
	show := r.Show(dataset.NewMovie, "激光")
	r.must("POST", "order/lock", lockBody(no, show, mobile, r.free(show.ID)[0]))
	r.Clock.Advance(time.Second)
	return r.get("order/query?outOrderNo=" + no)
}

func (r *providerServer) state(no string) string {
	r.Helper()
	return ticketingtest.Text(r, r.get("order/query?outOrderNo="+no), "state")
}

func submitBody(r *providerServer, order map[string]any, mobile string) string {
	return `{"outOrderNo":"` + ticketingtest.Text(r, order, "outOrderNo") + `","amount":"` + ticketingtest.Text(r,
		order, "amount") + `","mobile":"` + mobile + `"}`
}
