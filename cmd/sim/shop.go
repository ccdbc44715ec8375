package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"

	"marquee/server/app"
	"marquee/server/demo"
	"marquee/simulators"
	"marquee/simulators/dataset"
	"marquee/web"
)

// openShop listens and makes the shop. It listens first, because the shop needs its address even if the port is 0.
func openShop(
	ctx context.Context, o options, sims *simulators.Simulators, log *slog.Logger,
) (*app.App, net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Addr)
	if err != nil {
		return nil, nil, fmt.Errorf("listen for the shop on %s: %w", o.Addr, err)
	}
	shop, err := newShop(ctx, o, "http://"+listener.Addr().String(), sims, log)
	if err != nil {
		return nil, nil, errors.Join(err, listener.Close())
	}
	return shop, listener, nil
}

// newShop returns a shop that uses the simulated providers and the clock of the default world. The world must have the
// shop's address before it returns the environment of the shop, and the demo data are added last, because they need the
// shop's store.
func newShop(
	ctx context.Context, o options, publicURL string, sims *simulators.Simulators, log *slog.Logger,
) (*app.App, error) {
	world := sims.Default()
	world.SetAppURL(publicURL)
	world.SetPush(publicURL + "/notify/gateway")
	environment := world.ShopEnvironment()
	if o.Captcha {
		maps.Copy(environment, world.CaptchaEnvironment())
	}
	cfg, err := app.FromEnvironment(environment)
	if err != nil {
		return nil, err
	}
	cfg.DB, cfg.DBMigrate, cfg.PublicURL, cfg.Build, cfg.AdminAddr = o.DB, true, publicURL, version, o.AdminAddr
	cfg.Web, cfg.Now, cfg.Logger = web.Dist(), world.Clock().Now, log
	shop, err := app.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	world.Clock().OnAdvance(shop.Wake)
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
