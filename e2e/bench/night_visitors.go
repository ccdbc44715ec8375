package main

import (
	"cmp"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"marquee/e2e/harness"
	"marquee/server/httpapi"
)

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
	latencies []time.Duration // of all requests, also of those without an answer
	failures  map[string]int
}

// lost is the code of a request without an answer of the shop, such as one to a killed replica.
const lost = "no answer"

// shed is the code of a request that the shop did not accept because it is overloaded.
const shed = "shop_busy"

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
		fields.Set("channel_no", n.inProcess.Default().Credentials().Shop.ChannelNo)
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
	form = url.Values{"token": {buyer.token}, "oid": {order}, "ka_ids": {buyer.card}, "pass": {harness.PaymentPassword}}
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
