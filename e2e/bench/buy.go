package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"marquee/e2e/harness"
	"marquee/server/httpapi"
	"marquee/simulators/dataset"
)

const (
	buyers       = 64
	roundSeconds = 4 // of buying
)

// seatStock holds the free seats of one showing, which a single buyer uses one by one.
type seatStock struct {
	opiid, movieid, playtime string
	seats                    []seat
}

type seat struct{ id, price string }

// measureBuying drives 64 buyers over HTTP. Each locks a seat and pays for it with points, again and again. Shop,
// simulators and buyers are separate processes. Several shops are measured in turn: one on SQLite, one on PostgreSQL,
// one with the password hashes of production, and with -against the shops that are built from another checkout. A round
// ends when the tickets are issued.
func measureBuying(ctx context.Context, s settings) (figures []figure, err error) {
	sites, stop, err := buyingSites(ctx, s)
	defer func() { err = errors.Join(err, stop()) }()
	if err != nil {
		return nil, err
	}
	reference, stopBare, err := bare([]byte(`{"code":200,"msg":"","data":{"orderid":"26112019370840568321"}}`))
	if err != nil {
		return nil, err
	}
	defer func() { _ = stopBare() }()
	loads := make([]buyingLoad, len(sites))
	var syncs, floors, bareCosts []float64
	for range s.rounds {
		sync, err := syncRate(sites[0].dir, time.Second)
		if err != nil {
			return nil, err
		}
		plain := drive(ctx, buyers, 2*time.Second, func(ctx context.Context, _ int) error {
			_, err := post(ctx, reference+"/Film/lockseat", url.Values{"token": {"t"}, "oid": {"1"}})
			return err
		})
		syncs, floors = append(syncs, sync), append(floors, plain.rate)
		bareCosts = append(bareCosts, milliseconds(plain.cpu))
		for i, site := range sites {
			if err := loads[i].round(ctx, site); err != nil {
				return nil, fmt.Errorf("%s: %w", site.name, err)
			}
		}
	}
	if s.profile != "" {
		profiled := make(chan error, 1)
		go func() { profiled <- sites[0].profile(ctx, roundSeconds, s.profile) }()
		var load buyingLoad // not part of the figures
		if err := errors.Join(load.round(ctx, sites[0]), <-profiled); err != nil {
			return nil, fmt.Errorf("profile: %w", err)
		}
	}
	for i, site := range sites {
		if err := site.verify(ctx, s.shop); err != nil {
			return nil, fmt.Errorf("%s: %w", site.name, err)
		}
		figures = append(figures, loads[i].figures(site, median(bareCosts))...)
		if i == 0 {
			continue
		}
		ratio := figure{
			what: site.name + " ÷ " + sites[0].name + ", purchases/s",
			got:  fmt.Sprintf("%.2f", median(loads[i].rates)/median(loads[0].rates)),
			note: fmt.Sprintf("processor time of the shop %.2f times; same run, in turn",
				median(loads[i].shop)/median(loads[0].shop)),
		}
		if site.postgres != nil && sites[0].postgres == nil {
			ratio.wanted, ratio.goal = "≥ 0.53", "0.6"
		}
		figures = append(figures, ratio)
	}
	figures[0].note += fmt.Sprintf("; sync %.0f/s, bare requests %.0f/s", median(syncs), median(floors))
	return figures, nil
}

// The parameters of cheap password hashes, which take almost no time. A hash with the parameters of production takes
// longer than the rest of a purchase, so that a change in the rest would not be visible.
const cheapMemoryKiB, cheapPasses = 8, 1

// cheapShop builds the shop of a checkout with cheap password hashes and writes the program to a folder. It uses the
// compiler's overlay, because the cost of hashes is not a setting of the binary.
func cheapShop(ctx context.Context, checkout, folder string) (program string, err error) {
	const cost = "Cost{MemoryKiB: 8 * 1024, Passes: 1}"
	folder, err = filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	file, err := filepath.Abs(filepath.Join(checkout, "server/account/password.go"))
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	cheap := strings.Replace(string(text), cost, fmt.Sprintf("Cost{MemoryKiB: %d, Passes: %d}", cheapMemoryKiB,
		cheapPasses), 1)
	if cheap == string(text) {
		return "", fmt.Errorf("%s has no %s", file, cost)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", err
	}
	replaced, overlay := filepath.Join(folder, "password.go"), filepath.Join(folder, "overlay.json")
	mapping, err := json.Marshal(map[string]any{"Replace": map[string]string{file: replaced}})
	if err != nil {
		return "", err
	}
	if err := errors.Join(os.WriteFile(replaced, []byte(cheap), 0o600), os.WriteFile(overlay, mapping, 0o600)); err != nil {
		return "", err
	}
	program = filepath.Join(folder, "shop")
	build := exec.CommandContext(ctx, "go", "build", "-overlay", overlay, "-o", program, "./cmd/shop")
	build.Dir = checkout
	build.Env, build.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	return program, build.Run()
}

// buyingSites starts the shops that measureBuying compares. The first one is the reference.
func buyingSites(ctx context.Context, s settings) (sites []*site, stop func() error, err error) {
	folder, err := benchFolder()
	if err != nil {
		return nil, func() error { return nil }, err
	}
	stop = func() (err error) {
		for _, site := range sites {
			err = errors.Join(err, site.close())
		}
		return errors.Join(err, os.RemoveAll(folder))
	}
	cheap, err := cheapShop(ctx, ".", filepath.Join(folder, "here"))
	if err != nil {
		return nil, stop, fmt.Errorf("build the shop with cheap hashes: %w", err)
	}
	options := []siteOptions{
		{name: "SQLite", shop: cheap, cheap: true},
		{name: "PostgreSQL", shop: cheap, cheap: true, postgres: true},
		{name: "SQLite, argon2id", shop: s.shop},
	}
	if s.against != "" {
		other, err := cheapShop(ctx, s.against, filepath.Join(folder, "other"))
		if err != nil {
			return nil, stop, fmt.Errorf("build the shop of %s with cheap hashes: %w", s.against, err)
		}
		options = append(options,
			siteOptions{name: "SQLite, " + s.against, shop: other, cheap: true},
			siteOptions{name: "PostgreSQL, " + s.against, shop: other, cheap: true, postgres: true})
	}
	if s.engine != "" { // all with cheap hashes: the time of production hashes would hide a difference
		options = slices.DeleteFunc(options, func(o siteOptions) bool {
			return !o.cheap || o.postgres != (s.engine == "postgres")
		})
	}
	for _, o := range options {
		o.sim, o.buyers = s.sim, buyers
		site, err := startSite(ctx, o)
		if err != nil {
			return sites, stop, fmt.Errorf("%s: %w", o.name, err)
		}
		sites = append(sites, site)
	}
	return sites, stop, nil
}

// buyingLoad is what the rounds of one shop measured.
type buyingLoad struct {
	wal, growth, hot, dead        []float64 // of PostgreSQL: kB, kB, percent of updates, rows; for a purchase
	rates, p50, p99, worst        []float64 // purchases a second; ms
	shop, simulators, client, sql []float64 // milliseconds of processor time a purchase
}

func (l *buyingLoad) round(ctx context.Context, s *site) error {
	written, err := s.written(ctx)
	if err != nil {
		return err
	}
	before, err := s.spent()
	if err != nil {
		return err
	}
	got := drive(ctx, buyers, roundSeconds*time.Second, func(ctx context.Context, c int) error {
		return s.customers[c].buy(ctx, s)
	})
	if got.failures > 0 {
		return fmt.Errorf("%d purchases failed: %w", got.failures, got.failure)
	}
	if err := s.quiesce(ctx); err != nil {
		return err
	}
	after, err := s.spent()
	if err != nil {
		return err
	}
	n, used := float64(len(got.latencies)), after.minus(before)
	ms := milliseconds
	l.rates = append(l.rates, got.rate)
	l.p50, l.p99 = append(l.p50, ms(got.quantile(0.5))), append(l.p99, ms(got.quantile(0.99)))
	l.worst = append(l.worst, ms(got.quantile(1)))
	l.shop, l.simulators = append(l.shop, ms(used.shop)/n), append(l.simulators, ms(used.simulators)/n)
	l.client, l.sql = append(l.client, ms(used.client)/n), append(l.sql, ms(used.database)/n)
	end, err := s.written(ctx)
	if err != nil || s.postgres == nil {
		return err
	}
	d := end.minus(written)
	l.wal, l.growth = append(l.wal, d.wal/1000/n), append(l.growth, d.size/1000/n)
	l.hot, l.dead = append(l.hot, 100*d.hot/max(1, d.updates)), append(l.dead, d.dead/n)
	return nil
}

// written has figures of a PostgreSQL database: the bytes that it has written to the log (WAL), its size in bytes, and
// the numbers of updates, of HOT updates among them, and of dead rows. A HOT update leaves the indexes alone.
type written struct{ wal, size, updates, hot, dead float64 } // bytes, bytes, and numbers of rows

func (w written) minus(before written) written {
	return written{w.wal - before.wal, w.size - before.size, w.updates - before.updates, w.hot - before.hot,
		w.dead - before.dead}
}

// written reads these figures of the shop's database; they are zero on SQLite. The field dead counts updates and
// deletes: each leaves a row that autovacuum has to remove.
func (s *site) written(ctx context.Context) (w written, err error) {
	if s.postgres == nil {
		return w, nil
	}
	conn, err := pgx.Connect(ctx, s.db)
	if err != nil {
		return w, err
	}
	err = conn.QueryRow(ctx, `SELECT (pg_current_wal_lsn() - '0/0')::float8, pg_database_size(current_database())::float8,
		sum(n_tup_upd)::float8, sum(n_tup_hot_upd)::float8, sum(n_tup_upd + n_tup_del)::float8
		FROM pg_stat_user_tables`).Scan(&w.wal, &w.size, &w.updates, &w.hot, &w.dead)
	return w, errors.Join(err, conn.Close(ctx))
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// figures returns the figures of a shop. bareCost is the processor time of a request to a bare handler, client and
// server together: the purchase is compared with it, because the load of the machine affects both.
func (l *buyingLoad) figures(s *site, bareCost float64) []figure {
	database := ""
	if cost := median(l.sql); cost > 0 {
		database = fmt.Sprintf(", database %.2f ms", cost)
	}
	// With production hashes the limit is for the processor time, otherwise for the rate of purchases.
	var rate, rateGoal, cost, costGoal string
	switch {
	case !s.cheap:
		cost, costGoal = "≤ 12 ms", "10 ms"
	case s.postgres != nil:
		rate = "≥ 175/s" // the aim is the ratio to SQLite
	default:
		rate, rateGoal = "≥ 328/s", "500/s"
	}
	var disk []figure
	if len(l.wal) > 0 {
		disk = []figure{{
			what: "card purchase, WAL, " + s.name, got: fmt.Sprintf("%.0f kB", median(l.wal)),
			note: fmt.Sprintf("with its jobs; the database grows by %.0f kB; autovacuum removes %.0f rows; "+
				"%.0f %% of the updates leave the indexes alone", median(l.growth), median(l.dead), median(l.hot)),
		}}
	}
	return append([]figure{
		{
			what: "lock → card-paid, 64 buyers, HTTP, " + s.name, got: fmt.Sprintf("%.0f/s", median(l.rates)),
			wanted: rate, goal: rateGoal,
			note: fmt.Sprintf("p50 %.0f ms, p99 %.0f ms, worst %.0f ms", median(l.p50), median(l.p99), median(l.worst)),
		},
		{
			what: "card purchase, processor time of the shop, " + s.name, got: fmt.Sprintf("%.2f ms", median(l.shop)),
			wanted: cost, goal: costGoal,
			note: fmt.Sprintf("with its jobs, %.0f bare requests; simulators %.2f ms, buyers %.2f ms%s",
				median(l.shop)/bareCost, median(l.simulators), median(l.client), database),
		},
	}, disk...)
}

type customer struct {
	token, card string
	openID      string // in the messaging app; "" without an identity
	stock       seatStock
}

func (c *customer) buy(ctx context.Context, h *site) error {
	order, err := c.lock(ctx, h)
	if err != nil {
		return err
	}
	return h.call(
		ctx,
		"/Film/flkpay",
		url.Values{"token": {c.token}, "ka_ids": {c.card}, "oid": {order}, "pass": {harness.PaymentPassword}},
		nil,
	)
}

// lock locks the next seat of the buyer's stock that is still free. The simulators' other buyers take some of them.
func (c *customer) lock(ctx context.Context, h *site) (string, error) {
	for len(c.stock.seats) > 0 {
		s := c.stock.seats[0]
		c.stock.seats = c.stock.seats[1:]
		var locked httpapi.NewOrder
		err := h.call(ctx, "/Film/lockseat", url.Values{
			"token": {c.token}, "opiid": {c.stock.opiid}, "seatids": {s.id}, "totalSettleAmount": {s.price},
			"playtime": {c.stock.playtime}, "movieid": {c.stock.movieid},
		}, &locked)
		if err == nil || !strings.Contains(err.Error(), "seat_taken") {
			return locked.OrderID, err
		}
	}
	return "", fmt.Errorf("showing %s is sold out", c.stock.opiid)
}

// stocks returns the free seats of n showings that are in large halls and start in more than a day.
func (s *site) stocks(ctx context.Context, n int) (found []seatStock, err error) {
	city, _ := s.inProcess.Default().Country().City("310100")
	soon := s.inProcess.Default().Clock().Now().Add(26 * time.Hour)
	for _, c := range s.inProcess.Default().Country().Cinemas(dataset.Gateway, city) {
		for _, show := range s.inProcess.Default().Country().Shows(c, "") {
			if len(show.Hall.Layout.Seats) < 150 || show.Starts.Before(soon) {
				continue
			}
			free, err := s.stock(ctx, show.ID)
			if err != nil {
				return nil, err
			}
			if found = append(found, free); len(found) == n {
				return found, nil
			}
		}
	}
	return nil, fmt.Errorf("found %d showings for %d buyers", len(found), n)
}

// stock reads the free single seats of a showing.
func (s *site) stock(ctx context.Context, opiid string) (seatStock, error) {
	var hall httpapi.ShowingSeats
	if err := s.call(ctx, "/movie/route", s.signed(url.Values{"method": {"opi.seat"}, "opiid": {opiid}}),
		&hall); err != nil {
		return seatStock{}, err
	}
	return newSeatStock(opiid, hall), nil
}

// newSeatStock returns the free single seats of a hall.
func newSeatStock(opiid string, hall httpapi.ShowingSeats) seatStock {
	free := seatStock{opiid: opiid, movieid: hall.Showing.FilmID, playtime: hall.Showing.Starts}
	prices := areaPrices(hall.Showing.AreaPrice)
	for _, x := range hall.Seats {
		if x.Status != 1 || x.Flag != 0 {
			continue
		}
		price, ok := prices[x.Area]
		if !ok {
			price = strconv.FormatInt(hall.Showing.Price, 10)
		}
		free.seats = append(free.seats, seat{x.ID, price})
	}
	return free
}

// areaPrices parses the prices of a hall's areas: "A:4200,B:5200", in fen.
func areaPrices(text string) map[string]string {
	prices := map[string]string{}
	for pair := range strings.SplitSeq(text, ",") {
		if area, price, ok := strings.Cut(pair, ":"); ok {
			prices[area] = price
		}
	}
	return prices
}
