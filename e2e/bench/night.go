package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"sync"
	"time"

	"marquee/cmd/sim/cluster"
	"marquee/server/app"
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

// measureOpeningNight lets visitors rush to three replicas on PostgreSQL and kills one of the replicas. It fails if a
// purchase was lost, made twice or not acknowledged, or if an error was answered after the money was taken. Simulators,
// balancer and visitors share this process.
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
	if n.inProcess, err = simulators.Start(simulators.Options{}); err != nil {
		return n, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return n, err
	}
	n.url, n.simulators = "http://"+listener.Addr().String(), n.inProcess.URL()
	world := n.inProcess.Default()
	world.SetAppURL(n.url)
	world.SetPush(n.url + "/notify/gateway")
	// A buyer's account is busy for about five pauses. The arrival rate peaks at twice its mean, and there are twice as
	// many accounts as that needs: 5 * 2 * 2 = 20.
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

// kill records what a replica has used, and ends it as a crash does.
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
