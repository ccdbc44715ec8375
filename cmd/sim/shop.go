package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"

	"marquee/server/app"
	"marquee/server/httpapi"
	"marquee/simulators"
	"marquee/simulators/world"
	"marquee/web"
)

// openShop listens first, so that the shop knows its own address even on port 0.
func openShop(ctx context.Context, o options, sims *simulators.Simulators, log *slog.Logger) (*app.App, net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.addr)
	if err != nil {
		return nil, nil, fmt.Errorf("listen for the shop on %s: %w", o.addr, err)
	}
	publicURL := "http://" + listener.Addr().String()
	sims.SetAppURL(publicURL)
	sims.SetPush(publicURL + "/notify/gateway")
	cfg := simulatedConfig(sims)
	cfg.DB, cfg.PublicURL, cfg.Logger = o.db, publicURL, log
	shop, err := app.New(ctx, cfg)
	if err != nil {
		return nil, nil, errors.Join(err, listener.Close())
	}
	sims.Clock().OnAdvance(shop.Wake)
	if err := seed(ctx, shop, sims); err != nil {
		return nil, nil, errors.Join(err, shop.Close(), listener.Close())
	}
	return shop, listener, nil
}

// simulatedConfig is a shop whose every provider is simulated, on the simulators' clock.
func simulatedConfig(sims *simulators.Simulators) app.Config {
	c := sims.Credentials()
	return app.Config{
		SimulatorURL: sims.URL(), Build: version, Web: web.Dist(), Now: sims.Clock().Now, Logo: "/favicon.svg",
		Channel:  httpapi.Channel{No: c.Shop.ChannelNo, AppKey: c.Shop.AppKey, Secret: c.Shop.Secret},
		Gateway:  app.Gateway{AppKey: c.Gateway.AppKey, Secret: c.Gateway.Secret},
		NewMovie: app.NewMovie{EntID: c.NewMovie.EntID, AppSecret: c.NewMovie.AppSecret},
		WeChat:   wechatOf(c.WeChat),
		SMS: app.SMS{
			AccessKeyID: c.SMS.AccessKeyID, AccessKeySecret: c.SMS.AccessKeySecret, SignName: c.SMS.SignName, TemplateCode: c.SMS.TemplateCode,
		},
		Links: httpapi.Links{
			Shop: sims.URL() + "/landing/shop", Cake: sims.URL() + "/landing/cake", Book: sims.URL() + "/landing/book",
			Service: sims.URL() + "/landing/service",
		},
	}
}

func wechatOf(c world.WeChatCredentials) app.WeChat {
	return app.WeChat{
		AppID: c.AppID, AppSecret: c.AppSecret, MchID: c.MchID, MchSerial: c.MchSerial, APIv3Key: c.APIv3Key, MchPrivateKeyPEM: c.MchPrivateKeyPEM,
	}
}
