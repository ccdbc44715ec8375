// Package stage sets up what a browser test plays on: the simulated providers and a shop over them, in this process,
// on free ports, with a new database and one clock; and it speaks of them in the words of the business. When a test
// ends, whatever happened in it, the shop's ledger, seats and orders must agree.
package stage

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/app"
	"marquee/server/demo"
	"marquee/simulators"
	"marquee/simulators/journal"
	"marquee/simulators/script"
	"marquee/simulators/testclock"
	"marquee/web"
)

// Stage is simulators and a shop, seeded as the demo is.
type Stage struct {
	T    *testing.T
	Sims *simulators.Simulators
	Shop *app.App
	URL  string // of the shop, for a plain browser

	client *http.Client
	last   atomic.Int64 // numbers phones and cards
}

// New builds a stage for the test. Its cleanup cross-checks the books before it takes everything down.
func New(t *testing.T) *Stage {
	t.Helper()
	_, err := fs.Stat(web.Dist(), "index.html")
	require.NoError(t, err, "the web app is not built: run `npm run build`")
	sims, err := simulators.Start(simulators.Options{Clock: testclock.NewAt(beginning(t))})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, sims.Close()) })
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := &Stage{T: t, Sims: sims, URL: "http://" + listener.Addr().String()}
	s.client = s.newClient()
	s.openShop()
	s.serve(listener)
	return s
}

// beginning is the business time at which every stage begins. The world follows from its seed and the day it begins on, so
// that a test meets the same films, halls and seats whenever it is run; in the morning a day has showings that are over
// and many that are not. MARQUEE_START names another.
func beginning(t *testing.T) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, cmp.Or(os.Getenv("MARQUEE_START"), "2030-06-01T10:00:00+08:00"))
	require.NoError(t, err, "MARQUEE_START is no moment like 2030-06-01T10:00:00+08:00")
	return at
}

var shanghai = time.FixedZone("CST", 8*60*60)

func (s *Stage) openShop() {
	s.T.Helper()
	s.Sims.Default().SetAppURL(s.URL)
	s.Sims.Default().SetPush(s.URL + "/notify/gateway")
	cfg, err := app.FromEnvironment(s.Sims.Default().ShopEnvironment())
	require.NoError(s.T, err)
	cfg.DB, cfg.PublicURL = filepath.Join(s.T.TempDir(), "shop.db"), s.URL
	cfg.Web, cfg.Now, cfg.Logger = web.Dist(), s.Sims.Default().Clock().Now, logger()
	s.Shop, err = app.New(s.T.Context(), cfg)
	require.NoError(s.T, err)
	s.T.Cleanup(func() { assert.NoError(s.T, s.Shop.Close()) })
	s.Sims.Default().Clock().OnAdvance(s.Shop.Wake)
	c := s.Sims.Default().Credentials()
	var cards []demo.Card
	for _, card := range c.Cards {
		cards = append(cards, demo.Card(card))
	}
	for _, coupon := range c.Coupons {
		cards = append(cards, demo.Card(coupon))
	}
	require.NoError(s.T, s.Shop.SeedDemo(s.T.Context(), cards))
}

// logger discards, unless MARQUEE_TEST_LOG asks to see what the shop has to say.
func logger() *slog.Logger {
	if os.Getenv("MARQUEE_TEST_LOG") != "" {
		return slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	return slog.New(slog.DiscardHandler)
}

func (s *Stage) serve(listener net.Listener) {
	server := s.Shop.Server()
	served, worked := make(chan error, 1), make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	ctx, stop := context.WithCancel(context.Background())
	go func() { worked <- s.Shop.Run(ctx) }()
	s.T.Cleanup(func() {
		s.client.CloseIdleConnections()
		s.verify()
		assert.NoError(s.T, server.Close())
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			assert.NoError(s.T, err)
		}
		stop()
		assert.NoError(s.T, <-worked)
	})
}

// verify cross-checks ledger, seats, payments and orders.
func (s *Stage) verify() {
	found, err := s.Shop.Orders().Verify(context.Background())
	assert.NoError(s.T, err)
	for _, d := range found {
		s.T.Errorf("the books contradict: %s: %s: %s", d.Check, d.Subject, d.Detail)
	}
}

// AdvanceClock moves business time of shop and simulators.
func (s *Stage) AdvanceClock(by time.Duration) { s.Sims.Default().Clock().Advance(by) }

// FreezeClock stops business time; only AdvanceClock moves it from now on.
func (s *Stage) FreezeClock() { s.Sims.Default().Clock().Freeze() }

// PlanFault makes a provider fail once, at the next call that fits.
func (s *Stage) PlanFault(provider, operation, do string) {
	s.T.Helper()
	s.PlanFaults(script.Fault{Provider: provider, Operation: operation, Do: do, Times: 1})
}

// PlanFaults makes providers fail as written down.
func (s *Stage) PlanFaults(faults ...script.Fault) {
	s.T.Helper()
	for _, f := range faults {
		_, err := s.Sims.Default().Faults().Add(f)
		require.NoError(s.T, err)
	}
}

// FaultHits counts how often planned faults of the word have struck.
func (s *Stage) FaultHits(do string) (hits int) {
	for _, f := range s.Sims.Default().Faults().Faults() {
		if f.Do == do {
			hits += f.Hits
		}
	}
	return hits
}

// Calls lists what a provider has seen of an operation, newest first.
func (s *Stage) Calls(provider, operation string) []journal.Entry {
	return s.Sims.Default().Journal().Entries(journal.Filter{Provider: provider, Operation: operation})
}

// Card is a welfare card as it is printed.
type Card struct{ Number, Password string }

// NewCard issues a super card that is good for a year. Points are hundredths of a point.
func (s *Stage) NewCard(points int64) Card {
	s.T.Helper()
	n := s.last.Add(1)
	card := Card{Number: "80199999" + strconv.FormatInt(10_000_000+n, 10), Password: strconv.FormatInt(20_000_000+n, 10)}
	require.NoError(s.T, s.Shop.SeedDemo(s.T.Context(), []demo.Card{
		{Kahao: card.Number, Pass: card.Password, PID: 1, Points: points, ExpiresInDays: 365},
	}))
	return card
}
