// Command bench measures the figures for which the project has limits, and prints them as a table. Most figures are
// medians of several rounds. Some are ratios to a reference that is measured in turn with them, because the load of the
// machine affects both. A figure beyond its limit is not a failure.
//
//	go run ./e2e/bench            all rows
//	go run ./e2e/bench -only buy  rows whose name contains "buy"
//	go run ./e2e/bench -only lighthouse -pages /index,/filmSeat
//
// The row opening-night runs only if it is named. It fails if a purchase was lost, made twice or not acknowledged, or
// if a buyer got an error after the money was taken.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/pprof"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"
)

// A figure is one row of the table. Every value is text with its unit, such as "1.2 ms", "900/s" or "× 0.6".
type figure struct {
	what   string // what was measured
	got    string // the measured value
	wanted string // the project's limit, such as "≤ 1.2 ms"
	goal   string // a better value to work towards
	note   string
}

// A row measures one or more figures in one run.
type row struct {
	name string
	run  func(context.Context, settings) ([]figure, error)
}

type settings struct {
	rounds  int
	sim     string // bin/sim
	shop    string // bin/shop
	against string // another checkout, whose shop is measured in turn with this one
	engine  string // the row buy measures only this database engine, without production hashes; empty: both
	profile string // where the row buy writes a CPU profile of the first shop
	orders  int    // how many orders the large shop of the row growth has
	pages   string // Lighthouse audits only these paths, separated by commas; empty: all
	night   nightSettings
}

var rows = []row{
	{"buy", measureBuying},
	{"views", measureViews},
	{"growth", measureGrowth},
	{"signed-call", measureSignedCall},
	{"start", measureStart},
	{"memory", measureMemory},
	{"javascript", measureJavaScript},
	{"hall", measureHall},
	{"lighthouse", measureLighthouse},
	{openingNight, measureOpeningNight},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run reads the flags and measures. It is separate from main because os.Exit skips deferred functions.
func run() (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	only := flag.String("only", "", "measure rows whose name contains this")
	s := settings{}
	flag.IntVar(&s.rounds, "rounds", 3, "rounds of each row")
	flag.StringVar(&s.sim, "sim", "bin/sim", "the simulators' binary")
	flag.StringVar(&s.shop, "shop", "bin/shop", "the shop's binary")
	flag.StringVar(&s.against, "against", "",
		"another checkout with the same schema, whose shop the rows buy and views measure in turn with this one")
	flag.StringVar(&s.engine, "engine", "",
		"the row buy measures only this engine, sqlite or postgres, with cheap hashes")
	flag.StringVar(&s.profile, "shop-profile", "", "write a CPU profile of the shop of the row buy here")
	flag.IntVar(&s.orders, "orders", 100_000,
		"orders of the large shop of the row growth; 10000000 take 14 GB on SQLite")
	flag.StringVar(&s.pages, "pages", "", "have Lighthouse audit only these paths, separated by commas")
	flag.IntVar(&s.night.visitors, "visitors", 8000, "visitors of the opening night; one in five buys")
	flag.DurationVar(&s.night.arrive, "arrive", 2*time.Minute, "how long the visitors of the opening night arrive")
	flag.DurationVar(&s.night.think, "think", 4*time.Second, "the pause of a visitor between two steps")
	profile := flag.String("cpuprofile", "", "write a CPU profile of the whole run here")
	flag.Parse()
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	return bench(ctx, *only, s)
}

func bench(ctx context.Context, only string, s settings) error {
	if !slices.Contains([]string{"", "sqlite", "postgres"}, s.engine) {
		return fmt.Errorf("-engine is sqlite or postgres, not %q", s.engine)
	}
	table := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "what\tgot\twanted\tgoal\tnote")
	for _, r := range rows {
		if !strings.Contains(r.name, only) || only == "" && r.name == openingNight {
			continue
		}
		figures, err := r.run(ctx, s)
		for _, f := range figures { // also those that were measured before an error
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", f.what, f.got, f.wanted, f.goal, f.note)
		}
		if err := errors.Join(err, table.Flush()); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	return nil
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	if len(sorted) == 0 {
		return 0
	}
	return sorted[len(sorted)/2]
}
