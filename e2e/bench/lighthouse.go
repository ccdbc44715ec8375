package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"marquee/server/httpapi"
	"marquee/simulators/dataset"
	"marquee/simulators/newmovie"
)

// audit is Lighthouse's result for one page: scores out of 100, times in milliseconds, and the layout shift CLS, which
// has no unit.
type audit struct {
	Performance, Accessibility, BestPractices, SEO float64
	FCP, LCP, TBT, CLS, Speed                      float64
	Lost                                           []string // failed audits that lower a score other than Performance
}

// measureLighthouse runs Lighthouse on every page that needs no login and on a seat map of each source, each as a first
// visit. It does so twice: with a slow network that Lighthouse only simulates, and with really throttled requests. Each
// figure is the median of the rounds.
func measureLighthouse(ctx context.Context, s settings) (figures []figure, err error) {
	h, err := startStack(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, h.close()) }()
	shop := &site{url: h.URL, simulators: h.Sims.URL(), inProcess: h.Sims}
	pages, err := shop.publicPages(ctx)
	if err != nil {
		return nil, err
	}
	pages = slices.DeleteFunc(append(pages, shop.seatPages()...), func(page string) bool {
		path, _, _ := strings.Cut(page, "?")
		return s.pages != "" && !slices.Contains(strings.Split(s.pages, ","), path)
	})
	token, err := shop.logIn(ctx, "13900000001")
	if err != nil {
		return nil, err
	}
	for _, way := range []struct {
		throttling, name, wanted, goal string
	}{{"simulate", "Lighthouse", "≥ 95", "98"}, {"devtools", "Lighthouse, real throttling", "≥ 95", "98"}} {
		rounds := make([][]audit, len(pages))
		for range s.rounds {
			audits, err := auditPages(ctx, way.throttling, token, h.URL, pages)
			if err != nil {
				return nil, err
			}
			for i, a := range audits {
				rounds[i] = append(rounds[i], a)
			}
		}
		for i, page := range pages {
			name, _, _ := strings.Cut(page, "?")
			mid := func(of func(audit) float64) float64 {
				var values []float64
				for _, a := range rounds[i] {
					values = append(values, of(a))
				}
				return median(values)
			}
			note := fmt.Sprintf(
				"LCP %.2f s, FCP %.2f s, blocked %.0f ms, CLS %.3f; accessibility %.0f, best practices %.0f, SEO "+
					"%.0f %s",
				mid(func(a audit) float64 { return a.LCP })/1000,
				mid(func(a audit) float64 { return a.FCP })/1000,
				mid(func(a audit) float64 { return a.TBT }),
				mid(func(a audit) float64 { return a.CLS }),
				mid(func(a audit) float64 { return a.Accessibility }),
				mid(func(a audit) float64 { return a.BestPractices }),
				mid(func(a audit) float64 { return a.SEO }),
				strings.Join(rounds[i][0].Lost, " "),
			)
			performance := fmt.Sprintf("%.0f", mid(func(a audit) float64 { return a.Performance }))
			figures = append(
				figures,
				figure{way.name + " " + name, performance, way.wanted, way.goal, strings.TrimSpace(note)},
			)
		}
	}
	return figures, nil
}

// auditPages runs Lighthouse on each page, with the session of a buyer. The seat maps need it, the other pages do not.
func auditPages(ctx context.Context, throttling, token, site string, pages []string) ([]audit, error) {
	args := []string{"e2e/bench/lighthouse.mjs", throttling, token}
	for _, page := range pages {
		args = append(args, site+page)
	}
	cmd := exec.CommandContext(ctx, "node", args...)
	cmd.Stderr = os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it also stops its browser
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("lighthouse.mjs: %w", err)
	}
	var audits []audit
	for lines := json.NewDecoder(bytes.NewReader(text)); ; {
		var a audit
		if err := lines.Decode(&a); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("lighthouse.mjs: %w", err)
		}
		audits = append(audits, a)
	}
	if len(audits) != len(pages) {
		return nil, fmt.Errorf("lighthouse.mjs audited %d of %d pages", len(audits), len(pages))
	}
	return audits, nil
}

// seatPages returns the address of a seat map of each source, of a showing that starts in more than a day.
func (s *site) seatPages() []string {
	world := s.inProcess.Default()
	shanghai, _ := world.Country().City("310100")
	soon := world.Clock().Now().Add(24 * time.Hour)
	first := func(source dataset.Source) dataset.Show {
		for _, c := range world.Country().Cinemas(source, shanghai) {
			for _, show := range world.Country().Shows(c, "") {
				if show.Starts.After(soon) && !show.Blocked {
					return show
				}
			}
		}
		panic("the data set has no showing of tomorrow")
	}
	legacy, other := first(dataset.Gateway), first(dataset.NewMovie)
	return []string{
		"/filmSeat?movieid=" + legacy.Film.ID + "&opiid=" + legacy.ID,
		"/filmNewSeat?movieId=" + newmovie.FilmID(*other.Film) + "&cinemaId=" + other.Cinema.ID +
			"&sessionId=" + other.ID,
	}
}

// publicPages returns the addresses of the pages that need no login, with ids of existing films, cinemas and goods.
func (s *site) publicPages(ctx context.Context) ([]string, error) {
	var cities httpapi.CityList
	if err := s.call(ctx, "/movie/route/Movie/hotcity", s.signed(url.Values{}), &cities); err != nil {
		return nil, err
	}
	var cinemas httpapi.CinemaList
	if len(cities.List) == 0 {
		return nil, errors.New("the list of hot cities is empty")
	}
	if err := s.call(ctx, "/movie/route/Movie/cinema", s.signed(url.Values{"cityid": {cities.List[0].ID}}),
		&cinemas); err != nil {
		return nil, err
	}
	var goods httpapi.Page[httpapi.Goods]
	if err := s.call(ctx, "/Kaquan/lists", url.Values{}, &goods); err != nil {
		return nil, err
	}
	var categories httpapi.Categories
	if err := s.call(ctx, "/Kaquan/classify", url.Values{}, &categories); err != nil {
		return nil, err
	}
	var legacy, other string
	for _, c := range cinemas.Cinemas {
		legacy, other = max(legacy, c.ID1), max(other, c.ID2)
	}
	if legacy == "" || other == "" || len(goods.List) == 0 || len(categories.List) == 0 {
		return nil, errors.New("the demo data lacks a cinema of either source, goods or a category")
	}
	film := newmovie.FilmID(s.inProcess.Default().Country().Films()[0])
	return []string{
		"/index", "/citylist", "/hotlist", "/multiplex", "/filmdetail?id=" + film,
		"/multiplexDetail?id=" + legacy, "/multiplexNewDetail?id=" + other, "/login", "/memberindex", "/musicmember",
		"/readmember",
		"/memberClass?index=0&id=" + categories.List[0].ID, "/movelist", "/couponsDetail?id=" + goods.List[0].ID,
		"/yinsizhengce", "/useexplain", "/helloWord",
	}, nil
}
