package main

import (
	"cmp"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"marquee/cmd/sim/cluster"
	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/server/httpapi"
	"marquee/server/platform"
	"marquee/server/store/postgres/pgserver"
	"marquee/simulators"
	"marquee/simulators/dataset"
)

// openingNight is the name of the row that simulates the start of sales for a much wanted film.
const openingNight = "opening-night"

// nightSettings are the scale of an opening night.
type nightSettings struct {
	visitors int
	arrive   time.Duration // from the first to the last arrival; the rate falls evenly from twice the mean to zero
	think    time.Duration // between two steps of a visitor; a seat map is read again after twice as long
}

const (
	nightReplicas = 3
	// One of visitorsPerBuyer visitors buys, half of them with a card and half in the messaging app.
	visitorsPerBuyer = 5
	// seatMapReads is how often a visitor reads the seat map of one showing.
	seatMapReads = 4
	// A buyer chooses among the first wantedSeats free seats of a hall: few, so that buyers compete.
	wantedSeats = 12
	// seatsTried is how many seats a buyer tries to lock before leaving.
	seatsTried = 4
	// The full opening night, which the measured figures are extrapolated to.
	fullVisitors, fullArrive = 100_000, 10 * time.Minute
)

// night is one run: a site whose shop is a cluster of replicas, its visitors and the answers that they got.
type night struct {
	*site
	nightSettings
	cluster *cluster.Cluster
	free    chan *customer // accounts of buyers that no visitor uses at the moment

	pages, browsed []view   // pages of cinemas, and calls for their showings
	halls          []view   // seat maps for visitors who do not buy
	showings       []string // ids of the showings for which seats are bought

	mu        sync.Mutex
	kinds     map[string]*callTally
	sold      map[string][]string // acknowledged orders by showing and seat
	acked     map[string]int      // acknowledgements by order
	leftOver  map[string]int      // visitors that left, by reason
	afterPaid []string            // answers with errors after the money was taken

	killed      spent   // the processor time of the killed replica
	killedCalls float64 // the provider calls of the killed replica
}

// visitorsClient has enough connections for an overloaded shop. More would take the file descriptors of this process,
// which is also the balancer.
var visitorsClient = &http.Client{
	Timeout: 30 * time.Second,
	Transport: &http.Transport{
		MaxConnsPerHost: 3000, MaxIdleConnsPerHost: 3000, IdleConnTimeout: time.Minute, DisableCompression: true,
	},
}

// callTally has the latencies of the requests of one kind, and their failures by stable code.
type callTally struct {
	path      string          // of the last request
	latencies []time.Duration // of all answers
	failures  map[string]int
}

// lost is the code of a request without an answer of the shop, such as one to a killed replica.
const lost = "no answer"

// shed is the code of a request that the shop did not accept because it is overloaded.
const shed = "shop_busy"

// measureOpeningNight lets visitors rush to three replicas on PostgreSQL, kills one of them, and fails if a purchase
// was lost, made twice or not acknowledged, or if an error was answered after the money was taken. Simulators, balancer
// and visitors share this process.
func measureOpeningNight(ctx context.Context, s settings) ([]figure, error) {
	n, err := startNight(ctx, s.shop, s.night, true)
	if err != nil {
		return nil, errors.Join(err, n.end())
	}
	figures, err := n.run(ctx)
	return figures, errors.Join(err, n.closeShop(), n.verifyBooks(ctx, s.shop), n.end())
}

// startNight starts the database, the simulators and the replicas, and creates the buyers. If durable is true, commits
// wait for the disk of the project's folder. The caller calls end, also after an error.
func startNight(ctx context.Context, shop string, o nightSettings, durable bool) (n *night, err error) {
	folder := func() (string, error) { return os.MkdirTemp("", "marquee-night-") }
	if durable {
		folder = benchFolder
	}
	n = &night{site: &site{name: openingNight}, nightSettings: o, kinds: map[string]*callTally{},
		sold: map[string][]string{}, acked: map[string]int{}, leftOver: map[string]int{}}
	if n.dir, err = folder(); err != nil {
		return n, err
	}
	if n.postgres, err = pgserver.Start(ctx, pgserver.Options{Durable: durable}); err != nil {
		return n, err
	}
	if n.db, err = n.postgres.Database(ctx, "night"); err != nil {
		return n, err
	}
	if _, err := app.Migrate(ctx, n.db, ""); err != nil {
		return n, err
	}
	if n.twin, err = simulators.Start(simulators.Options{}); err != nil {
		return n, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return n, err
	}
	n.url, n.simulators = "http://"+listener.Addr().String(), n.twin.URL()
	world := n.twin.Default()
	world.SetAppURL(n.url)
	world.SetPush(n.url + "/notify/gateway")
	// A visitor uses a buyer's account for about five steps. There are twice as many accounts as are needed at the
	// peak.
	accounts := 10 + int(20*o.think.Seconds()*float64(o.visitors)/visitorsPerBuyer/o.arrive.Seconds())
	if _, err := n.fill(ctx, siteOptions{buyers: min(accounts, o.visitors/visitorsPerBuyer+1), inApp: true}); err != nil {
		return n, errors.Join(fmt.Errorf("fill the shop: %w", err), listener.Close())
	}
	n.free = make(chan *customer, len(n.customers))
	for _, buyer := range n.customers {
		n.free <- buyer
	}
	environment := maps.Clone(world.ShopEnvironment())
	environment["MARQUEE_DB"], environment["MARQUEE_PEPPER"] = n.db, benchPepper
	if n.cluster, err = cluster.Start(ctx, cluster.Options{
		Listener: listener, Binary: shop, Replicas: nightReplicas, Environment: environment, Dir: n.dir,
	}); err != nil {
		return n, err
	}
	return n, n.chooseViews()
}

// closeShop stops the replicas.
func (n *night) closeShop() error {
	running := n.cluster
	n.cluster = nil
	if running == nil {
		return nil
	}
	return running.Close()
}

// end stops what still runs, and deletes the folder.
func (n *night) end() error { return errors.Join(n.closeShop(), n.close()) }

// chooseViews chooses what visitors look at: the largest cinemas of both sources, and enough showings for the buyers.
func (n *night) chooseViews() error {
	newMovie, gateway := n.largestCinemas(dataset.NewMovie), n.largestCinemas(dataset.Gateway)
	if len(newMovie) < hotCinemas || len(gateway) < hotCinemas {
		return fmt.Errorf("found %d and %d cinemas", len(newMovie), len(gateway))
	}
	for i := range hotCinemas {
		n.pages = append(n.pages, view{path: "/multiplexNewDetail?id=" + newMovie[i].id},
			view{path: "/multiplexDetail?id=" + gateway[i].id})
		n.browsed = append(n.browsed, sessions(newMovie[i].id), view{
			method: http.MethodPost, path: "/movie/route", signed: true,
			fields: url.Values{"method": {"opi.list.v2"}, "cinemaid": {gateway[i].id}, "movieid": {gateway[i].shows[0].Film.ID}},
		})
		n.halls = append(n.halls, n.newMovieSeats(newMovie[i].last()), n.gatewaySeats(gateway[i].last()))
	}
	const buyersOfShowing = 60 // a hall has more seats, but the simulators' visitors buy, too
	wanted := 2 + n.visitors/visitorsPerBuyer/buyersOfShowing
	for _, c := range gateway {
		for _, show := range c.shows {
			if len(show.Hall.Layout.Seats) >= 150 && len(n.showings) < wanted {
				n.showings = append(n.showings, show.ID)
			}
		}
	}
	if len(n.showings) < wanted {
		return fmt.Errorf("found %d of %d showings", len(n.showings), wanted)
	}
	return nil
}

// run lets the visitors arrive, kills a replica after half of that time, and waits until the last purchase is complete.
func (n *night) run(ctx context.Context) ([]figure, error) {
	before, err := n.used(ctx)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, n.arrive+10*time.Minute)
	defer cancel()
	began := time.Now()
	var visits sync.WaitGroup
	for i := range n.visitors {
		visits.Go(func() {
			if n.pause(ctx, arrival(i, n.visitors, n.arrive)) == nil {
				n.visit(ctx, i)
			}
		})
	}
	killed := make(chan error, 1)
	go func() { killed <- errors.Join(n.pause(ctx, n.arrive/2), n.kill(ctx)) }()
	visits.Wait()
	took := time.Since(began)
	if err := errors.Join(<-killed, ctx.Err()); err != nil {
		return nil, err
	}
	ends, err := n.orders(ctx)
	if err != nil {
		return nil, err
	}
	after, err := n.used(ctx)
	if err != nil {
		return nil, err
	}
	inShop, err := n.durations(ctx)
	if err != nil {
		return nil, err
	}
	figures := append(n.costs(after.minus(before), took), n.calls(inShop)...)
	results, err := n.results(ends)
	return append(figures, results...), err
}

// arrival returns when a visitor arrives. The rate falls evenly from twice the mean to zero.
func arrival(i, of int, within time.Duration) time.Duration {
	return time.Duration(float64(within) * (1 - math.Sqrt(1-(float64(i)+0.5)/float64(of))))
}

func (n *night) pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// kill ends a replica as a crash does.
func (n *night) kill(ctx context.Context) (err error) {
	victim := n.cluster.Replicas[nightReplicas-1]
	if n.killed.shop, err = processorTimeOf(victim.PID()); err != nil {
		return err
	}
	if n.killedCalls, err = providerCallsOf(ctx, victim.AdminURL); err != nil {
		return err
	}
	return victim.Kill()
}

// nightSpent is the processor time and the number of provider calls that a night has used so far.
type nightSpent struct {
	spent
	calls float64 // calls of providers
}

func (u nightSpent) minus(before nightSpent) nightSpent {
	return nightSpent{u.spent.minus(before.spent), u.calls - before.calls}
}

func (n *night) used(ctx context.Context) (u nightSpent, err error) {
	u.spent, u.calls = n.killed, n.killedCalls
	for _, replica := range n.cluster.Replicas {
		one, err := processorTimeOf(replica.PID())
		if err != nil {
			return u, err
		}
		calls, err := providerCallsOf(ctx, replica.AdminURL)
		if err != nil {
			return u, err
		}
		u.shop += one
		u.calls += calls
	}
	u.client = platform.ProcessorTime()
	u.database, err = processorTimeOfTree(n.postgres.PID())
	return u, err
}

// visit makes the requests of one visitor. A visitor leaves if a request is shed several times in a row, or fails.
func (n *night) visit(ctx context.Context, i int) {
	steps := []struct {
		kind string
		view view
	}{
		{"page: home", view{path: "/index"}}, {"page: cinemas", view{path: "/multiplex"}},
		{"page: cinema", n.pages[i%len(n.pages)]}, {"showings", n.browsed[i%len(n.browsed)]},
	}
	for _, step := range steps {
		if _, code := n.look(ctx, step.kind, step.view, nil); code != "" {
			n.leaves(step.kind + ", " + code)
			return
		}
		if n.pause(ctx, n.think) != nil {
			return
		}
	}
	buys := i%visitorsPerBuyer == 0
	hall := n.halls[i%len(n.halls)]
	for range seatMapReads {
		if _, code := n.look(ctx, "seat map", hall, nil); code != "" {
			n.leaves("seat map, " + code)
			return
		}
		if n.pause(ctx, 2*n.think) != nil {
			return
		}
		if buys {
			break
		}
	}
	if buys {
		n.buy(ctx, i/visitorsPerBuyer%2 == 0)
	}
}

func (n *night) leaves(why string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.leftOver[why]++
}

// look makes the request of a view. Like the app, it repeats a request that was shed or lost, up to three times.
func (n *night) look(ctx context.Context, kind string, v view, into any) (status int, code string) {
	const tries = 4
	for try := range tries {
		var retryAfter time.Duration
		fields := maps.Clone(v.fields)
		if v.signed {
			fields = n.signed(fields)
		}
		status, code, retryAfter = n.ask(ctx, kind, cmp.Or(v.method, http.MethodGet), v.path, fields, into)
		if code != shed && code != lost || try == tries-1 || n.pause(ctx, jittered(retryAfter)) != nil {
			break
		}
	}
	return status, code
}

// jittered returns a pause of d, at least 50 ms, plus a random part of up to half of that, so that clients whose
// requests were shed at the same time do not all come back at the same time.
func jittered(d time.Duration) time.Duration {
	d = max(d, 50*time.Millisecond)
	return d + mathrand.N(d)/2
}

// ask makes one request. The code is "" after a success.
func (n *night) ask(
	ctx context.Context, kind, method, path string, fields url.Values, into any,
) (status int, code string, retryAfter time.Duration) {
	began := time.Now()
	status, code, retryAfter, err := n.exchange(ctx, method, path, fields, into)
	if err != nil {
		code = lost
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	tally := n.kinds[kind]
	if tally == nil {
		tally = &callTally{failures: map[string]int{}}
		n.kinds[kind] = tally
	}
	tally.latencies = append(tally.latencies, time.Since(began))
	tally.path, _, _ = strings.Cut(path, "?")
	if code != "" {
		tally.failures[code]++
	}
	return status, code, retryAfter
}

// exchange sends one request, and returns an error if it was not answered by the shop.
func (n *night) exchange(
	ctx context.Context, method, path string, fields url.Values, into any,
) (status int, code string, retryAfter time.Duration, err error) {
	if method == http.MethodPost {
		fields.Set("channel_no", n.twin.Default().Credentials().Shop.ChannelNo)
	}
	req, err := http.NewRequestWithContext(ctx, method, n.url+path, strings.NewReader(fields.Encode()))
	if err != nil {
		return 0, "", 0, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept-Encoding", "gzip")
	if isPage := method == http.MethodGet && fields == nil; isPage {
		req.Header.Set("Accept", "text/html")
	}
	resp, err := visitorsClient.Do(req)
	if err != nil {
		return 0, "", 0, err
	}
	defer resp.Body.Close()
	seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After")) // 0 without the header
	retryAfter = time.Duration(seconds) * time.Second
	body, err := readBody(resp)
	if err != nil {
		return resp.StatusCode, "", retryAfter, err
	}
	kind := resp.Header.Get("Content-Type")
	switch {
	case strings.HasPrefix(kind, "text/html") && resp.StatusCode == http.StatusServiceUnavailable:
		return resp.StatusCode, shed, retryAfter, nil
	case strings.HasPrefix(kind, "text/html"):
		return resp.StatusCode, "", 0, nil
	case !strings.HasPrefix(kind, "application/json"):
		return resp.StatusCode, "", retryAfter, fmt.Errorf("%s: status %d", path, resp.StatusCode) // of the balancer
	}
	var answer harness.Answer
	if err := json.Unmarshal(body, &answer); err != nil {
		return resp.StatusCode, "", retryAfter, err
	}
	if code = cmp.Or(answer.ErrorCode, textOf(answer.Error)); code != "" || into == nil {
		return resp.StatusCode, code, retryAfter, nil
	}
	return resp.StatusCode, "", 0, json.Unmarshal(answer.Data, into)
}

func textOf(code any) string {
	text, _ := code.(string) // null after a success of the gateway
	return text
}

func readBody(resp *http.Response) ([]byte, error) {
	if resp.Header.Get("Content-Encoding") != "gzip" {
		return io.ReadAll(resp.Body)
	}
	packed, err := gzip.NewReader(resp.Body)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(packed)
}

// repeats reports whether a buyer repeats a call, with the same key or order, after an answer with the code.
func repeats(code string) bool {
	switch code {
	case lost, "internal", "service_unavailable", "lock_in_progress", "payment_changed", "payment_password_busy":
		return true
	}
	return false
}

// insist repeats a call until the answer is definite, like a buyer who has already chosen seats or is paying. If
// moneyTaken is true, it also records an answer with an error in afterPaid.
func (n *night) insist(
	ctx context.Context, kind, path string, fields url.Values, moneyTaken bool, into any,
) (code string) {
	for {
		var retryAfter time.Duration
		_, code, retryAfter = n.ask(ctx, kind, http.MethodPost, path, maps.Clone(fields), into)
		if moneyTaken && code != "" && code != lost {
			n.mu.Lock()
			n.afterPaid = append(n.afterPaid, kind+": "+code)
			n.mu.Unlock()
		}
		if !repeats(code) || n.pause(ctx, jittered(retryAfter)) != nil {
			return code
		}
	}
}

// buy locks a seat and pays for it, with the account of a buyer that no other visitor uses at the moment.
func (n *night) buy(ctx context.Context, byCard bool) {
	var buyer *customer
	select {
	case buyer = <-n.free:
	case <-ctx.Done():
		return
	}
	order, seat, code := n.lockSeat(ctx, buyer)
	if code != "" {
		n.leaves("lock, " + code)
		n.free <- buyer
		return
	}
	if n.pause(ctx, n.think) != nil {
		return
	}
	if byCard {
		code = n.payByCard(ctx, buyer, order)
	} else {
		code = n.payInApp(ctx, buyer, order)
	}
	if code != "" {
		n.leaves("payment, " + code) // with an unpaid order, so that no other visitor can use this account
		return
	}
	n.mu.Lock()
	n.acked[order]++
	n.sold[seat] = append(n.sold[seat], order)
	n.mu.Unlock()
	n.free <- buyer
}

// lockSeat locks one of the first free seats of a showing, more often of the first showings than of the last.
func (n *night) lockSeat(ctx context.Context, buyer *customer) (order, seat, code string) {
	for range seatsTried {
		r := mathrand.Float64()
		opiid := n.showings[int(r*r*float64(len(n.showings)))]
		var hall httpapi.ShowingSeats
		if _, code = n.look(ctx, "seat map", view{
			method: http.MethodPost, path: "/movie/route", signed: true,
			fields: url.Values{"method": {"opi.seat"}, "opiid": {opiid}, "token": {buyer.token}},
		}, &hall); code != "" {
			return "", "", code
		}
		stock := newSeatStock(opiid, hall)
		if len(stock.seats) == 0 {
			code = "sold out"
			continue
		}
		chosen := stock.seats[mathrand.IntN(min(wantedSeats, len(stock.seats)))]
		if err := n.pause(ctx, n.think); err != nil {
			return "", "", err.Error()
		}
		if order, code = n.lockOne(ctx, buyer, stock, chosen); code != "seat_taken" && code != "seats_returning" {
			return order, opiid + "/" + chosen.id, code
		}
	}
	return "", "", code
}

func (n *night) lockOne(ctx context.Context, buyer *customer, stock seatStock, chosen seat) (order, code string) {
	form := url.Values{
		"token": {buyer.token}, "opiid": {stock.opiid}, "seatids": {chosen.id}, "totalSettleAmount": {chosen.price},
		"playtime": {stock.playtime}, "movieid": {stock.movieid}, "key": {rand.Text()},
	}
	const tries = 4
	for range tries {
		var locked httpapi.NewOrder
		switch code = n.insist(ctx, "lock", "/Film/lockseat", form, false, &locked); code {
		case shed:
			if n.pause(ctx, jittered(time.Second)) != nil {
				return "", code
			}
		case "lock_unanswered": // the replica that was locking was killed, and the order has been abandoned
			form.Set("key", rand.Text())
		default:
			return locked.OrderID, code
		}
	}
	return "", code
}

func (n *night) payByCard(ctx context.Context, buyer *customer, order string) (code string) {
	form := url.Values{"token": {buyer.token}, "oid": {order}}
	if code = n.insist(ctx, "quote", "/Film/pay_date", form, false, nil); code != "" {
		return code
	}
	form = url.Values{"token": {buyer.token}, "oid": {order}, "ka_ids": {buyer.card}, "pass": {payPassword}}
	code = n.insist(ctx, "pay by card", "/Film/flkpay", form, false, nil)
	if code == "already_paid" { // an earlier try has paid, and its answer was lost
		code = ""
	}
	return code
}

func (n *night) payInApp(ctx context.Context, buyer *customer, order string) (code string) {
	form := url.Values{"token": {buyer.token}, "oid": {order}, "openid": {buyer.openID}}
	var opened httpapi.Prepaid
	if code = n.insist(ctx, "open a payment", "/Film/wxpay", form, false, &opened); code != "" {
		return code
	}
	body := fmt.Sprintf(`{"prepay_id":%q,"outcome":"pay"}`, strings.TrimPrefix(opened.Bridge.Package, "prepay_id="))
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, n.simulators+"/sim/v1/wechat/pay",
		strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := client.Do(req)
	if err != nil {
		return err.Error()
	}
	if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusOK {
		return "not paid in the messaging app: " + resp.Status
	}
	for {
		var shown struct{ Orderstatus any }
		form := url.Values{"token": {buyer.token}, "order_no": {order}}
		code = n.insist(ctx, "payment result", "/Film/pay_success", form, true, &shown)
		if code != "" || shown.Orderstatus != "N" {
			return code
		}
		if err := n.pause(ctx, time.Second); err != nil { // the app polls once a second
			return err.Error()
		}
	}
}

// orders waits until no order is in progress, and returns the states of all by number: S is issued.
func (n *night) orders(ctx context.Context) (map[string]string, error) {
	states := map[string]string{}
	for _, buyer := range n.customers {
		for {
			var list struct {
				List []struct{ ID, Orderstatus string }
			}
			form := url.Values{"token": {buyer.token}, "type": {"0"}, "pageno": {"1"}, "pagesize": {"100"}}
			if err := n.call(ctx, "/Dyorder/order", form, &list); err != nil {
				return nil, err
			}
			inProgress := false
			for _, o := range list.List {
				states[o.ID] = o.Orderstatus
				inProgress = inProgress || o.Orderstatus == "P" || o.Orderstatus == "T"
			}
			if len(list.List) == 100 {
				return nil, errors.New("a buyer has more orders than a page")
			}
			if !inProgress {
				break
			}
			if err := n.pause(ctx, 100*time.Millisecond); err != nil {
				return nil, fmt.Errorf("orders do not come to an end: %w", err)
			}
		}
	}
	return states, nil
}

// results compares the answers that the buyers got with their orders. It returns an error if a seat was sold twice,
// if a purchase was lost or not acknowledged, or if there was an error after the money was taken.
func (n *night) results(states map[string]string) ([]figure, error) {
	missing, twice, issued, unacknowledged := 0, 0, 0, 0
	for order := range n.acked {
		if states[order] != "S" {
			missing++
		}
	}
	for order, state := range states {
		if state == "S" {
			issued++
			if n.acked[order] == 0 {
				unacknowledged++
			}
		}
	}
	for _, orders := range n.sold {
		twice += len(orders) - 1
	}
	left := 0
	for _, count := range n.leftOver {
		left += count
	}
	figures := []figure{
		{what: "visitors that left without what they came for", got: fmt.Sprint(left), note: counts(n.leftOver)},
		{what: "purchases acknowledged", got: fmt.Sprint(len(n.acked)), note: fmt.Sprintf("%d issued", issued)},
		{what: "sold twice", got: fmt.Sprint(twice), wanted: "0"},
		{what: "lost", got: fmt.Sprint(missing), wanted: "0"},
		{what: "issued without an acknowledgement", got: fmt.Sprint(unacknowledged), wanted: "0"},
		{what: "errors after money was taken", got: fmt.Sprint(len(n.afterPaid)), wanted: "0",
			note: strings.Join(n.afterPaid, ", ")},
	}
	if twice+missing+unacknowledged+len(n.afterPaid) > 0 {
		return figures, errors.New(
			"purchases were lost, made twice or not acknowledged, or failed after the money was taken")
	}
	return figures, nil
}

// counts prints how often each thing occurred.
func counts(of map[string]int) string {
	var parts []string
	for _, what := range slices.Sorted(maps.Keys(of)) {
		parts = append(parts, fmt.Sprintf("%s %d", what, of[what]))
	}
	return strings.Join(parts, "; ")
}

// calls returns a figure for each kind of request. If one machine runs all parties, most of a visitor's waiting time is
// spent in the queue for its cores. The note has the durations that the replicas measured.
func (n *night) calls(inShop map[string]string) (figures []figure) {
	for _, kind := range slices.Sorted(maps.Keys(n.kinds)) {
		tally := n.kinds[kind]
		slices.Sort(tally.latencies)
		r := result{latencies: tally.latencies}
		note := []string{fmt.Sprintf("%d requests", len(tally.latencies))}
		if took := inShop[tally.path]; took != "" {
			note = append(note, took)
		}
		if len(tally.failures) > 0 {
			note = append(note, counts(tally.failures))
		}
		figures = append(figures, figure{
			what: kind,
			got:  fmt.Sprintf("p50 %.1f ms, p99 %.0f ms", milliseconds(r.quantile(0.5)), milliseconds(r.quantile(0.99))),
			note: strings.Join(note, "; "),
		})
	}
	return figures
}

// durationBucket matches how many requests of a route a replica answered within a time in seconds, by class of status.
var durationBucket = regexp.MustCompile(
	`(?m)^marquee_http_request_duration_seconds_bucket\{route="([^"]+)",status="2xx",le="([^"]+)"\} (\d+)$`)

// durations returns bounds of how long the replicas took to answer the requests of each route.
func (n *night) durations(ctx context.Context) (map[string]string, error) {
	within := map[string]map[float64]int{} // by route: how many requests took at most so many seconds
	for _, replica := range n.cluster.Replicas {
		text, err := download(ctx, replica.AdminURL+"/metrics")
		if err != nil {
			return nil, err
		}
		for _, m := range durationBucket.FindAllStringSubmatch(string(text), -1) {
			bound, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				return nil, err
			}
			count, err := strconv.Atoi(m[3])
			if err != nil {
				return nil, err
			}
			if within[m[1]] == nil {
				within[m[1]] = map[float64]int{}
			}
			within[m[1]][bound] += count
		}
	}
	bounds := map[string]string{}
	for route, counts := range within {
		all := counts[math.Inf(1)]
		below := func(quantile float64) float64 {
			for _, bound := range slices.Sorted(maps.Keys(counts)) {
				if float64(counts[bound]) >= quantile*float64(all) {
					return 1000 * bound
				}
			}
			return math.Inf(1)
		}
		bounds[route] = fmt.Sprintf("in the shop p50 ≤ %g ms, p99 ≤ %g ms", below(0.5), below(0.99))
	}
	return bounds, nil
}

// costs returns the processor time and the calls that the night took, and an estimate of what an opening night with
// fullVisitors would take at its peak, when visitors arrive at twice the mean rate.
func (n *night) costs(used nightSpent, took time.Duration) []figure {
	answers := 0
	for _, tally := range n.kinds {
		answers += len(tally.latencies) - tally.failures[lost]
	}
	perVisitor := func(d time.Duration) float64 { return milliseconds(d) / float64(n.visitors) }
	peak := 2 * fullVisitors / fullArrive.Seconds() // visitors a second
	return []figure{
		{what: "visitors", got: fmt.Sprint(n.visitors), note: fmt.Sprintf(
			"arrive within %s, the last left after %s; %d cores for all parties", n.arrive, took.Round(time.Second),
			runtime.NumCPU())},
		{what: "answers a second", got: fmt.Sprintf("%.0f", float64(answers)/took.Seconds()),
			note: fmt.Sprintf("%d answers", answers)},
		{what: "answers a second and core of the replicas", got: fmt.Sprintf("%.0f", float64(answers)/used.shop.Seconds())},
		{what: "processor time an answer, replicas", got: fmt.Sprintf("%.2f ms", milliseconds(used.shop)/float64(answers)),
			note: fmt.Sprintf("a visitor %.1f ms, and %.1f ms of the database; visitors, balancer and simulators %.1f ms",
				perVisitor(used.shop), perVisitor(used.database), perVisitor(used.client))},
		{what: "calls of providers a second", got: fmt.Sprintf("%.1f", used.calls/took.Seconds()),
			note: fmt.Sprintf("%.0f calls", used.calls)},
		{what: fmt.Sprintf("on paper: %d visitors within %s, at the peak", fullVisitors, fullArrive),
			got: fmt.Sprintf("%.1f cores of replicas, %.1f of the database", peak*perVisitor(used.shop)/1000,
				peak*perVisitor(used.database)/1000),
			note: fmt.Sprintf("%.0f visitors, %.0f answers and at most %.0f calls of providers a second, %.0f purchases",
				peak, peak*float64(answers)/float64(n.visitors), peak*used.calls/float64(n.visitors),
				peak*float64(len(n.acked))/float64(n.visitors))},
	}
}
