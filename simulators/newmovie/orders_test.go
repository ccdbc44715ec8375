package newmovie_test

import (
	"fmt"
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
	"marquee/simulators/ticketing/ticketingtest"
)

func TestOrder_FromLockToTicket(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	show := r.Show(dataset.NewMovie, "激光")
	ids := r.free(show.ID)[:2]
	body := lockBody("N1", show, mobile, ids...)
	r.must("POST", "order/lock", body)
	r.Clock.Advance(time.Second)
	locked := ticketingtest.Object(t, r.must("POST", "order/lock", body))
	assert.Equal(t, "LOCKED", locked["state"])
	assert.NotContains(t, r.free(show.ID), ids[0])
	code, _ := r.call("POST", "order/lock", lockBody("N2", show, mobile, ids[1]))
	assert.Equal(t, 409001, code)
	code, _ = r.call("POST", "order/lock", lockBody("N1", show, mobile, ids[1]))
	assert.Equal(t, 409004, code)

	code, _ = r.call("POST", "order/submit", `{"outOrderNo":"N1","amount":"0.01","mobile":"`+mobile+`"}`)
	assert.Equal(t, 409003, code)
	submitted := ticketingtest.Object(t, r.must("POST", "order/submit", submitBody(r, locked, mobile)))
	assert.Equal(t, "ISSUING", submitted["state"])
	assert.Equal(t, submitted, r.must("POST", "order/submit", submitBody(r, locked, mobile)), "the same again")
	code, _ = r.call("POST", "order/cancel", `{"outOrderNo":"N1"}`)
	assert.Equal(t, 409002, code)
	code, _ = r.call("POST", "ticket/token", `{"outOrderNo":"N1"}`)
	assert.Equal(t, 409002, code)
	r.Clock.Advance(3 * time.Second)
	done := r.get("order/query?outOrderNo=N1")
	assert.Equal(t, "ISSUED", done["state"])
	assert.Len(t, ticketingtest.List(t, done, "ticketCode"), 2)
	assert.Contains(t, done["smsContent"], show.Film.Name)
	page := ticketingtest.Object(t, r.must("POST", "ticket/token", `{"outOrderNo":"N1"}`))
	assert.Contains(t, page["url"], page["token"])
}

func TestLock_OneInThreeAnswersDoingFirst(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	show := r.Show(dataset.NewMovie, "激光")
	doing := 0
	for i := range 24 {
		no := fmt.Sprintf("D%d", i)
		order := ticketingtest.Object(t, r.must("POST", "order/lock", lockBody(no, show, mobile, r.free(show.ID)[0])))
		if order["state"] == "DOING" {
			doing++
		}
		r.Clock.Advance(time.Second)
		assert.Equal(t, "LOCKED", r.state(no))
	}
	assert.Greater(t, doing, 2)
	assert.Less(t, doing, 18)
}

func TestLock_NoneIsDoingWhileTheClockIsStopped(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	r.Clock.Freeze()
	show := r.Show(dataset.NewMovie, "激光")
	for i := range 12 {
		order := ticketingtest.Object(t, r.must("POST", "order/lock",
			lockBody(fmt.Sprintf("D%d", i), show, mobile, r.free(show.ID)[0])))
		assert.Equal(t, "LOCKED", order["state"])
	}
}

func TestLock_ExpiresAndCanBeCancelled(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	order := r.settled("E1")
	r.Clock.Advance(10 * time.Minute)
	assert.Equal(t, "EXPIRED", r.state("E1"))
	code, _ := r.call("POST", "order/submit", submitBody(r, order, mobile))
	assert.Equal(t, 409002, code)
	assert.Equal(t, "EXPIRED", ticketingtest.Object(t, r.must("POST", "order/cancel", `{"outOrderNo":"E1"}`))["state"],
		"also when nothing is held")
	r.settled("E2")
	assert.Equal(t, "CANCELLED", ticketingtest.Object(t,
		r.must("POST", "order/cancel", `{"outOrderNo":"E2"}`))["state"])
}

func TestLock_RejectsWhatIsNotForSale(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	show := r.Show(dataset.NewMovie, "VIP沙发")
	var left, right, plain string
	seats := r.seats(show.ID)
	for i, s := range seats {
		switch {
		case available(s) && s["type"] == 2.0 && left == "":
			left, right = ticketingtest.Text(t, s, "originSeatID"), ticketingtest.Text(t, seats[i+1], "originSeatID")
		case available(s) && s["type"] == 1.0:
			plain = ticketingtest.Text(t, s, "originSeatID")
		}
	}
	require.NotEmpty(t, left)
	other, cinema := show, *show.Cinema
	cinema.Code = "00000000"
	other.Cinema = &cinema
	nowhere := show
	nowhere.ID = "42"
	for name, row := range map[string]struct {
		body string
		code int
	}{
		"half a couple":       {lockBody("X", show, mobile, left), 422003},
		"two areas":           {lockBody("X", show, mobile, left, right, plain), 422002},
		"five seats":          {lockBody("X", show, mobile, "1", "2", "3", "4", "5"), 422004},
		"not in the map":      {lockBody("X", show, mobile, "9999"), 422001},
		"no seats":            {lockBody("X", show, mobile), 400001},
		"bad mobile":          {lockBody("X", show, "1", plain), 400001},
		"bad number":          {lockBody("../X", show, mobile, plain), 400001},
		"another cinema code": {lockBody("X", other, mobile, plain), 404002},
		"no session":          {lockBody("X", nowhere, mobile, plain), 404003},
		"not JSON":            {"{", 400001},
		"wrong types":         {`{"outOrderNo":7}`, 400001},
	} {
		code, _ := r.call("POST", "order/lock", row.body)
		assert.Equal(t, row.code, code, name)
	}
	for _, amount := range []string{"", "12", "12.5", "-1.00", "1e2", "12.345", "99999999999.00"} {
		code, _ := r.call("POST", "order/submit", `{"outOrderNo":"X","amount":"`+amount+`","mobile":"`+mobile+`"}`)
		assert.Equal(t, 400001, code, amount)
	}
	code, _ := r.call("POST", "order/submit", `{"outOrderNo":"X","amount":"1.00","mobile":"`+mobile+`"}`)
	assert.Equal(t, 404004, code)
	code, _ = r.call("POST", "order/cancel", `{"outOrderNo":"X"}`)
	assert.Equal(t, 404004, code)
}

func TestFaults_OfTheLock(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	show := r.Show(dataset.NewMovie, "激光")
	lock := func(no string, f faults.Fault) (int, any) {
		f.Operation, f.Times = "order/lock", 1
		r.Fault(newmovie.Name, f)
		return r.call("POST", "order/lock", lockBody(no, show, mobile, r.free(show.ID)[0]))
	}
	code, _ := lock("A", faults.Fault{Do: "seat-taken"})
	assert.Equal(t, 409001, code)
	code, _ = lock("B", faults.Fault{Do: "session-stopped"})
	assert.Equal(t, 410001, code)
	_, data := lock("C", faults.Fault{Do: "doing-late"})
	assert.Equal(t, "DOING", ticketingtest.Object(t, data)["state"])
	r.Clock.Advance(19 * time.Second)
	assert.Equal(t, "DOING", r.state("C"))
	r.Clock.Advance(time.Second)
	assert.Equal(t, "LOCKED", r.state("C"))
	lock("D", faults.Fault{Do: "doing-refused", Message: "被抢走了", Code: "409001"})
	r.Clock.Advance(time.Second)
	rejected := r.get("order/query?outOrderNo=D")
	assert.Equal(t, "LOCK_FAILED", rejected["state"])
	assert.Equal(t, "被抢走了", rejected["failReason"])
	assert.InDelta(t, 409001, rejected["failCode"], 0)
	lock("E", faults.Fault{Do: "doing-never"})
	r.Clock.Advance(9 * time.Minute)
	assert.Equal(t, "DOING", r.state("E"))
	_, data = lock("F", faults.Fault{Do: "price-changed"})
	assert.NotEqual(t, fmt.Sprintf("%d.%02d", show.Price/100, show.Price%100), ticketingtest.Object(t, data)["amount"])
}

func TestFaults_OfTheTickets(t *testing.T) {
	t.Parallel()
	r := startProvider(t)
	submit := func(no string, f faults.Fault) int {
		f.Operation, f.Times = "order/submit", 1
		order := r.settled(no)
		r.Fault(newmovie.Name, f)
		code, _ := r.call("POST", "order/submit", submitBody(r, order, mobile))
		r.Clock.Advance(3 * time.Second)
		return code
	}
	assert.Equal(t, 409002, submit("G", faults.Fault{Do: "lock-lost"}))
	assert.Zero(t, submit("H", faults.Fault{Do: "issue-refused"}))
	rejected := r.get("order/query?outOrderNo=H")
	assert.Equal(t, "ISSUE_FAILED", rejected["state"])
	assert.NotEmpty(t, rejected["failReason"])
	submit("I", faults.Fault{Do: "issue-late", DelayS: 90})
	assert.Equal(t, "ISSUING", r.state("I"))
	r.Clock.Advance(87 * time.Second)
	assert.Equal(t, "ISSUED", r.state("I"))
	submit("J", faults.Fault{Do: "issue-never"})
	r.Clock.Advance(time.Hour)
	assert.Equal(t, "ISSUING", r.state("J"))

	r.Fault(newmovie.Name, faults.Fault{Operation: "movie/session", Do: "session-stopped", Times: 1})
	r.get("movie/session?sessionId=" + r.Show(dataset.NewMovie, "激光").ID)
	var faulted []string
	for _, e := range r.Journal.Entries(journal.Filter{Verdict: journal.Faulted}) {
		faulted = append(faulted, e.Operation+" "+e.Fault)
	}
	assert.Equal(t, []string{
		"movie/session 5 session-stopped", "order/submit 4 issue-never", "order/submit 3 issue-late",
		"order/submit 2 issue-refused", "order/submit 1 lock-lost",
	}, faulted, "each is in the journal, even if its call succeeded")
}

// FuzzLock sends any lock body with a valid token: it locks, or is rejected with a specific code, never "busy".
func FuzzLock(f *testing.F) {
	clock := testclock.New()
	w := dataset.NewCountry(1, clock)
	provider := newmovie.New(newmovie.Config{
		Country: w, Clock: clock, Plan: faults.NewPlan(), Journal: journal.New(1, clock.Now),
		BaseURL:     func() string { return "" },
		Credentials: dataset.NewMovieCredentials{EntID: "ent1", AppSecret: secret},
	}).Handler()
	send := func(path, token, body string) string {
		request := httptest.NewRequest(http.MethodPost, "/newmovie/api/"+path, strings.NewReader(body))
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+token)
		answer := httptest.NewRecorder()
		provider.ServeHTTP(answer, request)
		return answer.Body.String()
	}
	_, rest, _ := strings.Cut(send("oauth/token", "", `{"entId":"ent1","appSecret":"`+secret+`"}`), `"access_token":"`)
	token, _, _ := strings.Cut(rest, `"`)
	city, _ := w.City("310100")
	show := w.Shows(w.Cinemas(dataset.NewMovie, city)[0], "")[5]
	f.Add(lockBody("A1", show, mobile, "0101"))
	f.Add(lockBody("A2", show, mobile, "0101", "0101"))
	f.Add(`{"outOrderNo":"A3","seats":[{"originSeatID":null}]}`)
	f.Add(`{"seats":{}}`)
	f.Fuzz(func(t *testing.T, body string) {
		answer := send("order/lock", token, body)
		if !strings.HasPrefix(answer, `{"code":`) || strings.HasPrefix(answer, `{"code":5`) ||
			strings.HasPrefix(answer, `{"code":401`) {
			t.Fatal(answer)
		}
	})
}
