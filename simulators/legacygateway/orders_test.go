package legacygateway_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/legacygateway"
	"marquee/simulators/ticketing/ticketingtest"
	"marquee/simulators/webhook"
)

const mobile = "13812345678"

// locked locks n seats for an order and returns its amount.
func (r *gatewayServer) locked(no string, n int) string {
	r.Helper()
	show := r.Show(dataset.Gateway, "激光")
	data := r.must("seat.lock", "orderno", no, "opiid", show.ID, "seatids", strings.Join(r.free(show)[:n], "|"),
		"mobile", mobile)
	return strconv.Itoa(int(number(r, data, "amount")))
}

// state is the state in the answer of order.query.
func (r *gatewayServer) state(no string) string {
	r.Helper()
	return ticketingtest.Text(r, r.must("order.query", "orderno", no), "state")
}

func TestOrder_FromLockToTicket(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	show := r.Show(dataset.Gateway, "激光")
	ids := r.free(show)[:2]
	lock := []string{"orderno", "M1", "opiid", show.ID, "seatids", strings.Join(ids, "|"), "mobile", mobile}
	first := r.must("seat.lock", lock...)
	assert.Equal(t, "LOCKED", first["state"])
	assert.InDelta(t, r.Clock.Now().Unix()+900, first["expiretime"], 2)
	assert.Equal(t, first, r.must("seat.lock", lock...), "the same again")
	assert.NotContains(t, r.free(show), ids[0])
	code, _ := r.call("seat.lock", "orderno", "M2", "opiid", show.ID, "seatids", ids[1], "mobile", mobile)
	assert.Equal(t, "3001", code)
	code, _ = r.call("seat.lock", "orderno", "M1", "opiid", show.ID, "seatids", ids[1], "mobile", mobile)
	assert.Equal(t, "4004", code)
	code, _ = r.call("ticket.issue", "orderno", "M1")
	assert.Equal(t, "4003", code, "not confirmed")

	amount := strconv.Itoa(int(number(t, first, "amount")))
	code, _ = r.call("order.create", "orderno", "M1", "amount", "1", "mobile", mobile)
	assert.Equal(t, "4002", code)
	created := r.must("order.create", "orderno", "M1", "amount", amount, "mobile", mobile)
	assert.Equal(t, created, r.must("order.create", "orderno", "M1", "amount", amount, "mobile", mobile))
	code, _ = r.call("seat.unlock", "orderno", "M1")
	assert.Equal(t, "4003", code)
	assert.Equal(t, "CREATED", r.state("M1"))

	r.must("ticket.issue", "orderno", "M1")
	r.must("ticket.issue", "orderno", "M1")
	assert.Equal(t, "ISSUING", r.state("M1"))
	r.Clock.Advance(3 * time.Second)
	done := r.must("order.query", "orderno", "M1")
	assert.Equal(t, "ISSUED", done["state"])
	assert.Len(t, ticketingtest.List(t, done, "ticketcodeList"), 2)
	assert.Contains(t, done["smscontent"], show.Film.Name)
	assert.Equal(t, strings.Join(ids, "|"), done["seatids"])
}

func TestLock_ExpiresOnTheBusinessClockAndCanBeReleased(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	amount := r.locked("E1", 1)
	r.Clock.Advance(15*time.Minute + time.Second)
	assert.Equal(t, "EXPIRED", r.state("E1"))
	code, _ := r.call("order.create", "orderno", "E1", "amount", amount, "mobile", mobile)
	assert.Equal(t, "4003", code)
	assert.Equal(t, "UNLOCKED", r.must("seat.unlock", "orderno", "E1")["state"], "also when nothing is locked")

	r.locked("E2", 1)
	r.must("seat.unlock", "orderno", "E2")
	assert.Equal(t, "UNLOCKED", r.state("E2"))
}

func TestLock_RejectsWhatIsNotForSale(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	show := r.Show(dataset.Gateway, "情侣")
	var left string
	for _, s := range ticketingtest.List(t, r.must("opi.seat", "opiid", show.ID), "seatList") {
		if s["flag"] == 1.0 && s["status"] == 1.0 {
			left = ticketingtest.Text(t, s, "seatid")
			break
		}
	}
	for name, row := range map[string]struct{ no, show, seats, mobile, code string }{
		"half a couple":  {"N", show.ID, left, mobile, "3003"},
		"five seats":     {"N", show.ID, "0101|0102|0103|0104|0105", mobile, "3004"},
		"not in the map": {"N", show.ID, "9999", mobile, "3002"},
		"no showing":     {"N", "42", "0101", mobile, "2004"},
		"empty id":       {"N", show.ID, "0101||0102", mobile, "1006"},
		"no seats":       {"N", show.ID, "", mobile, "1001"},
		"bad mobile":     {"N", show.ID, left, "12345", "1006"},
		"bad number":     {"N'; --", show.ID, left, mobile, "1006"},
	} {
		code, _ := r.call("seat.lock", "orderno", row.no, "opiid", row.show, "seatids", row.seats, "mobile", row.mobile)
		assert.Equal(t, row.code, code, name)
	}
	for _, method := range []string{"order.query", "seat.unlock", "ticket.issue"} {
		code, _ := r.call(method, "orderno", "UNKNOWN")
		assert.Equal(t, "4001", code, method)
	}
	code, _ := r.call("order.create", "orderno", "UNKNOWN", "amount", "12.5", "mobile", mobile)
	assert.Equal(t, "1006", code)
	r.Clock.Advance(show.Starts.Sub(r.Clock.Now()) - 9*time.Minute)
	code, _ = r.call("seat.lock", "orderno", "late", "opiid", show.ID, "seatids", left+"|0000", "mobile", mobile)
	assert.Equal(t, "3002", code)
	right, err := strconv.Atoi(left)
	require.NoError(t, err)
	code, _ = r.call("seat.lock", "orderno", "late", "opiid", show.ID, "seatids",
		fmt.Sprintf("%s|%04d", left, right+1), "mobile", mobile)
	assert.Equal(t, "3005", code)
}

func TestFaults_OfTheDomain(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	show := r.Show(dataset.Gateway, "激光")
	ids := r.free(show)
	r.Fault(legacygateway.Name, faults.Fault{Operation: "seat.lock", Do: "seat-taken", Times: 1})
	code, _ := r.call("seat.lock", "orderno", "F1", "opiid", show.ID, "seatids", ids[0], "mobile", mobile)
	assert.Equal(t, "3001", code)
	assert.NotContains(t, r.free(show), ids[0], "another buyer has bought it")

	r.Fault(legacygateway.Name, faults.Fault{Operation: "seat.lock", Do: "price-changed", Times: 1})
	data := r.must("seat.lock", "orderno", "F2", "opiid", show.ID, "seatids", ids[1], "mobile", mobile)
	assert.InDelta(t, show.Price+100, data["amount"], 0)

	r.Fault(legacygateway.Name, faults.Fault{Operation: "order.create", Do: "lock-lost", Times: 1})
	amount := r.locked("F3", 1)
	code, _ = r.call("order.create", "orderno", "F3", "amount", amount, "mobile", mobile)
	assert.Equal(t, "4003", code)
	assert.Equal(t, "EXPIRED", r.state("F3"))

	issue := func(no string, f faults.Fault) {
		f.Operation, f.Times = "ticket.issue", 1
		r.Fault(legacygateway.Name, f)
		r.must("order.create", "orderno", no, "amount", r.locked(no, 1), "mobile", mobile)
		r.must("ticket.issue", "orderno", no)
		r.Clock.Advance(3 * time.Second)
	}
	issue("F4", faults.Fault{Do: "issue-refused", Message: "机器故障"})
	done := r.must("order.query", "orderno", "F4")
	assert.Equal(t, "FAILED", done["state"])
	assert.Equal(t, "机器故障", done["failreason"])
	issue("F5", faults.Fault{Do: "issue-late", DelayS: 60})
	assert.Equal(t, "ISSUING", r.state("F5"))
	r.Clock.Advance(time.Minute)
	assert.Equal(t, "ISSUED", r.state("F5"))
	issue("F6", faults.Fault{Do: "issue-never"})
	r.Clock.Advance(24 * time.Hour)
	assert.Equal(t, "ISSUING", r.state("F6"))
}

func TestFaults_AMagicMobileNeedsNoPlan(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	show := r.Show(dataset.Gateway, "激光")
	data := r.must("seat.lock", "orderno", "G1", "opiid", show.ID, "seatids", r.free(show)[0], "mobile", "13900001003")
	r.must("order.create", "orderno", "G1", "amount", strconv.Itoa(int(number(t, data, "amount"))), "mobile",
		"13900001003")
	r.must("ticket.issue", "orderno", "G1")
	r.Clock.Advance(3 * time.Second)
	assert.Equal(t, "FAILED", r.state("G1"))

	r.Fault(legacygateway.Name, faults.Fault{Operation: "seat.lock", Do: "price-changed", Times: 1})
	r.must("seat.lock", "orderno", "G2", "opiid", show.ID, "seatids", r.free(show)[0], "mobile", "13900000001")
	faulted := r.Journal.Entries(journal.Filter{Verdict: journal.Faulted})
	require.Len(t, faulted, 2)
	assert.Equal(t, "seat.lock 1 price-changed", faulted[0].Operation+" "+faulted[0].Fault)
	assert.Equal(t, "ticket.issue magic issue-refused", faulted[1].Operation+" "+faulted[1].Fault,
		"the journal says what changed the outcome")
}

// shop receives pushes and answers them as configured by a test.
type shop struct {
	mu      sync.Mutex
	answers []string // the last one is repeated
	got     []url.Values
}

func (s *shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = r.ParseForm()
	s.got = append(s.got, r.PostForm)
	_, _ = w.Write([]byte(s.answers[0]))
	if len(s.answers) > 1 {
		s.answers = s.answers[1:]
	}
}

func (s *shop) pushes() []url.Values {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]url.Values{}, s.got...)
}

func (r *gatewayServer) issued(no string) {
	r.Helper()
	r.must("order.create", "orderno", no, "amount", r.locked(no, 1), "mobile", mobile)
	r.must("ticket.issue", "orderno", no)
	r.Clock.Advance(3 * time.Second)
}

func TestPush_SignedAndRepeatedUntilAccepted(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	shop := &shop{answers: []string{"fail", "fail", " success\n"}}
	r.pushTo(shop)
	r.issued("P1")
	require.Len(t, shop.pushes(), 1)
	push := shop.pushes()[0]
	assert.Equal(t, "ISSUED", push.Get("state"))
	assert.Contains(t, push.Get("ticketcodes"), `"code"`)
	want, err := legacygateway.Sign(push, secret, legacygateway.Dialect{})
	require.NoError(t, err)
	assert.Equal(t, want, push.Get("sign"))
	r.Clock.Advance(15 * time.Second)
	assert.Len(t, shop.pushes(), 2)
	r.Clock.Advance(24 * time.Hour)
	assert.Len(t, shop.pushes(), 3, "accepted: no more")
	assert.Len(t, r.Journal.Entries(journal.Filter{Operation: "ticket.push", Verdict: journal.Failed}), 2)
	accepted := r.Journal.Entries(journal.Filter{Operation: "ticket.push", Verdict: journal.Sent})
	require.Len(t, accepted, 1)
	sent := accepted[0].Delivery
	form, err := url.ParseQuery(sent.Body)
	require.NoError(t, err)
	assert.Equal(t, form.Get("appkey"), sent.KeyID)
	assert.Equal(t, legacygateway.Joined(form), sent.Over)
	assert.NotContains(t, sent.Over, secret)
}

func TestPush_GivesUpAfterFiveRetries(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	shop := &shop{answers: []string{"no"}}
	r.pushTo(shop)
	r.issued("P2")
	r.Clock.Advance(24 * time.Hour)
	assert.Len(t, shop.pushes(), 6)
}

func TestPush_FaultsOfTheDomain(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	shop := &shop{answers: []string{"success"}}
	r.pushTo(shop)
	for _, row := range []struct {
		do      string
		at      int // pushes when the tickets are issued
		later   int // all pushes until ten minutes later
		genuine bool
	}{{"push-drop", 0, 0, true}, {"push-duplicate", 2, 2, true}, {"push-late", 0, 1, true}, {"push-bad-signature", 1,
		1, false}} {
		before := len(shop.pushes())
		r.Fault(legacygateway.Name, faults.Fault{Operation: "ticket.push", Do: row.do, Times: 1})
		r.issued(row.do)
		assert.Len(t, shop.pushes(), before+row.at, row.do)
		r.Clock.Advance(10 * time.Minute)
		assert.Len(t, shop.pushes(), before+row.later, row.do)
		for _, push := range shop.pushes()[before:] {
			want, err := legacygateway.Sign(push, secret, legacygateway.Dialect{})
			require.NoError(t, err)
			assert.Equal(t, row.genuine, want == push.Get("sign"), row.do)
		}
	}
}

func TestPush_ASnapshotHasAPushOrItsRetry(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	r.pushTo(&shop{answers: []string{"fail"}})
	targets := &webhook.Targets{}
	targets.Declare([]string{"ticket.push"})
	_, err := targets.Add(webhook.Target{URL: r.pushURL + "/copies"})
	require.NoError(t, err)
	var gateway *legacygateway.Gateway
	pending := [][]legacygateway.PushState{}
	gateway = legacygateway.New(legacygateway.Config{
		Country: r.Country, Clock: r.Clock, Plan: faults.NewPlan(), Journal: r.Journal, Targets: targets,
		PushURL: func() string { // read whenever pushes are planned or sent
			pending = append(pending, gateway.Save().Pushes)
			return r.pushURL
		},
	})
	r.Clock.Freeze()
	show := r.Show(dataset.Gateway, "激光")
	order, err := gateway.Office().Hold(boxoffice.HoldRequest{
		No: "P1", ShowID: show.ID, SeatIDs: r.free(show)[:1], Mobile: mobile, Life: time.Hour})
	require.NoError(t, err)
	_, err = gateway.Office().Confirm("P1", order.Amount, false)
	require.NoError(t, err)
	_, _, err = gateway.Office().Issue("P1", 0, "")
	require.NoError(t, err)
	gateway.PushTickets("P1")
	r.Clock.Advance(time.Minute)
	require.NotEmpty(t, pending)
	for _, pushes := range pending {
		receivers := map[string]bool{}
		for _, push := range pushes {
			assert.False(t, receivers[push.Target], "two pushes to one receiver: %v", pushes)
			assert.True(t, push.Tries >= 0 || len(pushes) == 1, "an unplanned push, and its result: %v", pushes)
			receivers[push.Target] = true
		}
	}
}

func TestSnapshot_APushOfADroppedOrderIsLeftOut(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	r.Clock.Freeze()
	config := legacygateway.Config{
		Country: r.Country, Clock: r.Clock, Plan: faults.NewPlan(), Journal: r.Journal,
		PushURL: func() string { return "" },
	}
	gateway := legacygateway.New(config)
	gateway.Office().Keep(1)
	show := r.Show(dataset.Gateway, "激光")
	seats := r.free(show)
	hold := func(no, seat string) boxoffice.Order {
		order, err := gateway.Office().Hold(boxoffice.HoldRequest{
			No: no, ShowID: show.ID, SeatIDs: []string{seat}, Mobile: mobile, Life: time.Hour})
		require.NoError(t, err)
		return order
	}
	_, err := gateway.Office().Confirm("P1", hold("P1", seats[0]).Amount, false)
	require.NoError(t, err)
	_, _, err = gateway.Office().Issue("P1", 0, "出票失败")
	require.NoError(t, err)
	gateway.PushTickets("P1")
	require.Len(t, gateway.Save().Pushes, 1)
	hold("P2", seats[1])
	saved := gateway.Save()
	require.Empty(t, saved.Pushes)
	config.Plan = faults.NewPlan()
	require.NoError(t, legacygateway.New(config).Load(saved))
}
