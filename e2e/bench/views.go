package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/dataset"
)

const (
	viewers     = 16
	viewSeconds = 3 // of one kind of view in a round
	hotCinemas  = 4 // how many cinemas of each source are visited
)

// view is a request of a visitor.
type view struct {
	method, path string
	fields       url.Values // of the form; nil for a page or a GET
	signed       bool       // with the channel's signature, which calls below /movie/route need
}

// viewKind is a row of the table: a kind of request. The requests in views are made in turn.
type viewKind struct {
	name, wanted, goal string
	views              []view
}

// measureViews measures the processor time that the shop needs for requests of visitors who only look: pages, showings,
// seat maps and the calls of the home page, on SQLite. Shop, simulators and visitors are separate processes. With
// -against, bin/shop of the other checkout is measured in turn with this one.
func measureViews(ctx context.Context, s settings) (figures []figure, err error) {
	programs := []string{s.shop}
	if s.against != "" {
		programs = append(programs, filepath.Join(s.against, "bin/shop"))
	}
	var sites []*site
	defer func() {
		for _, site := range sites {
			err = errors.Join(err, site.close())
		}
	}()
	for _, program := range programs {
		site, err := startSite(ctx, siteOptions{name: program, shop: program, sim: s.sim, buyers: 1})
		sites = append(sites, site)
		if err != nil {
			return nil, err
		}
	}
	kinds, err := sites[0].viewKinds(ctx)
	if err != nil {
		return nil, err
	}
	for _, kind := range kinds {
		loads := make([]viewLoad, len(sites))
		for range s.rounds {
			for i, site := range sites {
				if err := loads[i].round(ctx, site, kind.views); err != nil {
					return nil, fmt.Errorf("%s: %s: %w", site.name, kind.name, err)
				}
			}
		}
		for i := range sites {
			f := figure{
				what: kind.name, got: fmt.Sprintf("%.3f ms", median(loads[i].cost)), wanted: kind.wanted, goal: kind.goal,
				note: fmt.Sprintf("processor time of the shop a request; %.0f/s, p99 %.0f ms, %.2f calls of providers a second",
					median(loads[i].rates), median(loads[i].p99), median(loads[i].calls)),
			}
			if i > 0 {
				f.what, f.wanted, f.goal = f.what+", "+s.against, "", ""
			}
			figures = append(figures, f)
		}
	}
	return figures, nil
}

// viewKinds returns the rows. The showings and halls are those of the largest cinemas of a city.
func (s *site) viewKinds(ctx context.Context) ([]viewKind, error) {
	newMovie, gateway := s.largestCinemas(dataset.NewMovie), s.largestCinemas(dataset.Gateway)
	if len(newMovie) < hotCinemas || len(gateway) < hotCinemas {
		return nil, fmt.Errorf("found %d and %d cinemas", len(newMovie), len(gateway))
	}
	var pages, showings, halls []view
	for i := range hotCinemas {
		film := newMovie[i].shows[0].Film
		pages = append(pages,
			view{path: "/index"}, view{path: "/multiplex"}, view{path: "/filmdetail?id=" + film.ID},
			view{path: "/multiplexNewDetail?id=" + newMovie[i].id}, view{path: "/multiplexDetail?id=" + gateway[i].id},
		)
		showings = append(showings, sessions(newMovie[i].id), view{
			method: http.MethodPost, path: "/movie/route", signed: true,
			fields: url.Values{"method": {"opi.list.v2"}, "cinemaid": {gateway[i].id}, "movieid": {gateway[i].shows[0].Film.ID}},
		})
		halls = append(halls, s.newMovieSeats(newMovie[i].last()), s.gatewaySeats(gateway[i].last()))
	}
	home := []view{
		{path: "/newmovie/api/movie/movies?cityId=310100&pageSize=99999999"},
		{method: http.MethodPost, path: "/movie/route/Movie/sylbt", signed: true},
		{method: http.MethodPost, path: "/movie/route/Movie/hotcity", signed: true},
		{method: http.MethodPost, path: "/movie/route", signed: true, fields: url.Values{
			"method": {"film.hot"}, "cityid": {"310100"}, "pageNo": {"1"}, "pageSize": {"99999999"},
		}},
		{method: http.MethodPost, path: "/movie/route/Movie/gettime", signed: true},
	}
	var mix []view
	for i := range 20 { // 40 pages, 25 showings, 30 seat maps and 5 calls of the home page in 100 requests
		mix = append(mix, pages[(2*i)%len(pages)], showings[i%len(showings)], halls[i%len(halls)],
			pages[(2*i+1)%len(pages)])
		if i%2 == 0 {
			mix = append(mix, halls[(i/2+3)%len(halls)])
		}
		if i%4 == 0 {
			mix = append(mix, showings[(i/4+3)%len(showings)], home[i/4])
		}
	}
	buyer := s.customers[0].token
	hall := s.newMovieSeats(newMovie[0].last())
	own := hall
	own.fields = maps.Clone(hall.fields)
	own.fields.Set("token", buyer)
	return []viewKind{
		{"showings, hot", "≤ 1 ms", "0.3 ms", []view{sessions(newMovie[0].id)}},
		{"showings of the gateway, hot", "≤ 1 ms", "0.3 ms", showings[1:2]},
		{"seat map poll, hot", "≤ 0.3 ms", "0.1 ms", []view{hall}},
		{"seat map poll, hot, logged in", "≤ 0.3 ms", "0.1 ms", []view{own}},
		{"seat map poll of the gateway, hot", "≤ 0.3 ms", "0.1 ms", halls[1:2]},
		{"page from memory", "≤ 0.2 ms", "", []view{{path: "/index"}}},
		{"page without answers", "≤ 0.2 ms", "", []view{{path: "/login"}}},
		{"opening-night mix", "≤ 0.5 ms", "0.3 ms", mix},
	}, nil
}

func sessions(cinemaID string) view {
	return view{path: "/newmovie/api/movie/cinema_shows?cinemaId=" + cinemaID}
}

func (s *site) newMovieSeats(show dataset.Show) view {
	return view{method: http.MethodPost, path: "/newmovie/seat/map",
		fields: url.Values{"sessionId": {show.ID}, "cinemaId": {show.Cinema.ID}}}
}

func (s *site) gatewaySeats(show dataset.Show) view {
	return view{method: http.MethodPost, path: "/movie/route", signed: true,
		fields: url.Values{"method": {"opi.seat"}, "opiid": {show.ID}, "cinemaid": {show.Cinema.ID}}}
}

// hotCinema is a cinema with its showings that start in more than 26 hours.
type hotCinema struct {
	id    string
	shows []dataset.Show
}

// last is the showing whose sale ends last.
func (c hotCinema) last() dataset.Show { return c.shows[len(c.shows)-1] }

// largestCinemas returns the cinemas of a source in Shanghai by the number of their showings, the largest first.
func (s *site) largestCinemas(source dataset.Source) (found []hotCinema) {
	world := s.inProcess.Default()
	city, _ := world.Country().City("310100")
	for _, c := range world.Country().Cinemas(source, city) {
		shows := world.Country().Shows(c, "")
		shows = slices.DeleteFunc(slices.Clone(shows), func(show dataset.Show) bool {
			return show.Blocked || show.Starts.Before(world.Clock().Now().Add(26*time.Hour))
		})
		if len(shows) > 0 {
			found = append(found, hotCinema{c.ID, shows})
		}
	}
	slices.SortStableFunc(found, func(a, b hotCinema) int { return cmp.Compare(len(b.shows), len(a.shows)) })
	return found
}

// get makes the request of a view as a browser does, and fails unless it is answered with data.
func (s *site) get(ctx context.Context, v view) error {
	fields := maps.Clone(v.fields)
	if fields == nil {
		fields = url.Values{}
	}
	if v.signed {
		fields = s.signed(fields)
	} else if v.method == http.MethodPost {
		fields.Set("channel_no", s.inProcess.Default().Credentials().Shop.ChannelNo)
	}
	req, err := http.NewRequestWithContext(ctx, cmp.Or(v.method, http.MethodGet), s.url+v.path,
		strings.NewReader(fields.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept-Encoding", "gzip")
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	packed, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	// A failure of a call is a short text that is not compressed.
	if resp.StatusCode != http.StatusOK || bytes.Contains(packed, []byte(`"error":"`)) {
		return fmt.Errorf("%s: status %d: %.200s", v.path, resp.StatusCode, packed)
	}
	return nil
}

// viewLoad is what the rounds of one kind of view measured at one shop.
type viewLoad struct{ cost, rates, p99, calls []float64 }

func (l *viewLoad) round(ctx context.Context, s *site, views []view) error {
	for _, v := range views { // fills the caches
		if err := s.get(ctx, v); err != nil {
			return err
		}
	}
	calls, err := s.providerCalls(ctx)
	if err != nil {
		return err
	}
	before, err := s.spent()
	if err != nil {
		return err
	}
	next := make([]int, viewers)
	began := time.Now()
	got := drive(ctx, viewers, viewSeconds*time.Second, func(ctx context.Context, c int) error {
		next[c]++
		return s.get(ctx, views[(c*len(views)/viewers+next[c])%len(views)])
	})
	if got.failures > 0 {
		return fmt.Errorf("%d requests failed: %w", got.failures, got.failure)
	}
	after, err := s.spent()
	if err != nil {
		return err
	}
	took := time.Since(began)
	callsAfter, err := s.providerCalls(ctx)
	if err != nil {
		return err
	}
	l.cost = append(l.cost, milliseconds(after.minus(before).shop)/float64(len(got.latencies)))
	l.rates, l.p99 = append(l.rates, got.rate), append(l.p99, milliseconds(got.quantile(0.99)))
	l.calls = append(l.calls, (callsAfter-calls)/took.Seconds())
	return nil
}

// providerCall matches the number of calls of one operation of a provider in the shop's metrics.
var providerCall = regexp.MustCompile(`(?m)^marquee_provider_call_duration_seconds_count\{.*\} (\d+)$`)

// providerCalls returns how many calls the shop has made to its providers.
func (s *site) providerCalls(ctx context.Context) (sum float64, err error) {
	return providerCallsOf(ctx, "http://"+s.admin)
}

// providerCallsOf reads the number of provider calls from the metrics at a shop's admin address.
func providerCallsOf(ctx context.Context, admin string) (sum float64, err error) {
	text, err := download(ctx, admin+"/metrics")
	for _, m := range providerCall.FindAllSubmatch(text, -1) {
		n, err := strconv.ParseFloat(string(m[1]), 64)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, err
}
