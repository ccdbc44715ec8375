package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/url"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

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
// spent in the queue for its cores. Therefore the note also has the durations that the replicas measured.
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

// durationBucket matches how many requests of a route a replica answered successfully within a time in seconds.
var durationBucket = regexp.MustCompile(
	`(?m)^marquee_http_request_duration_seconds_bucket\{route="([^"]+)",status="2xx",le="([^"]+)"\} (\d+)$`)

// durations returns for each route a text with upper bounds of how long the replicas took to answer its requests.
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

// costs returns the processor time and the calls that the night took. It also returns an estimate of what an opening
// night with fullVisitors would take at its peak, when visitors arrive at twice the mean rate.
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
