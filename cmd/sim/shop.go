package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"marquee/server/app"
	"marquee/server/demo"
	"marquee/simulators"
	"marquee/simulators/dataset"
	"marquee/simulators/testclock"
	"marquee/web"
)

// resumedClock is the clock for a database. An earlier run may have moved business time, and left orders, cards and
// sessions in what real time still calls the future; then time goes on from the last of them.
func resumedClock(ctx context.Context, db string) (clock *testclock.Clock, ahead time.Duration, err error) {
	latest, err := app.LatestTime(ctx, db)
	if err != nil {
		return nil, 0, err
	}
	if ahead = time.Until(latest); ahead <= 0 {
		return testclock.New(), 0, nil
	}
	return testclock.NewAt(latest), ahead, nil
}

// openShop listens first, so that the shop knows its own address even on port 0.
func openShop(ctx context.Context, o options, sims *simulators.Simulators, log *slog.Logger) (*app.App, net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.addr)
	if err != nil {
		return nil, nil, fmt.Errorf("listen for the shop on %s: %w", o.addr, err)
	}
	shop, err := newShop(ctx, o, "http://"+listener.Addr().String(), sims, log)
	if err != nil {
		return nil, nil, errors.Join(err, listener.Close())
	}
	return shop, listener, nil
}

// newShop is a shop whose every provider is simulated, on the simulators' clock.
func newShop(ctx context.Context, o options, publicURL string, sims *simulators.Simulators, log *slog.Logger) (*app.App, error) {
	sims.Default().SetAppURL(publicURL)
	sims.Default().SetPush(publicURL + "/notify/gateway")
	cfg, err := app.FromEnvironment(sims.Default().ShopEnvironment())
	if err != nil {
		return nil, err
	}
	cfg.DB, cfg.PublicURL, cfg.Build, cfg.Web, cfg.Now, cfg.Logger = o.db, publicURL, version, web.Dist(), sims.Default().Clock().Now, log
	shop, err := app.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	sims.Default().Clock().OnAdvance(shop.Wake)
	if err := shop.SeedDemo(ctx, demoCards(sims)); err != nil {
		return nil, errors.Join(err, shop.Close())
	}
	return shop, nil
}

// demoCards returns the cards and coupons that the simulators publish.
func demoCards(sims *simulators.Simulators) (list []demo.Card) {
	c := sims.Default().Credentials()
	for _, card := range append(append([]dataset.Card{}, c.Cards...), c.Coupons...) {
		list = append(list, demo.Card(card))
	}
	return list
}
