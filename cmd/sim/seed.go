package main

import (
	"context"
	"time"

	"marquee/server/app"
	"marquee/server/cards"
	"marquee/server/content"
	"marquee/server/money"
	"marquee/simulators"
	"marquee/simulators/world"
)

// seed fills the shop with the demo cards that the simulators publish, and with something to look at.
func seed(ctx context.Context, shop *app.App, sims *simulators.Simulators) error {
	c, now := sims.Credentials(), sims.Clock().Now()
	s := app.Seed{Content: showcase(sims)}
	for _, card := range append(append([]world.Card{}, c.Cards...), c.Coupons...) {
		s.Cards = append(s.Cards, cards.NewCard{
			PID: cards.PID(card.PID), Number: card.Kahao, Password: card.Pass, Points: money.Points(card.Points),
			ExpiresAt: now.Add(time.Duration(card.ExpiresInDays) * 24 * time.Hour),
		})
	}
	return shop.Seed(ctx, s)
}

// showcase draws its pictures from the simulators.
func showcase(sims *simulators.Simulators) content.Seed {
	art := func(path string) string { return sims.URL() + "/art/" + path + ".svg" }
	return content.Seed{
		HomeBanners: []content.Banner{
			{ImageURL: art("banner/welcome"), LinkURL: "/hotlist", Title: "本周热映，一键选座"},
			{ImageURL: art("banner/cards"), LinkURL: "/securitycards", Title: "福利卡点数抵扣，一点抵一元"},
			{ImageURL: art("banner/presale"), LinkURL: "/index", Title: "新片预售，抢先选座"},
		},
		CinemaBanners: []content.Banner{
			{ImageURL: art("banner/cinema"), LinkURL: "/multiplex", Title: "附近影院，今晚开场"},
			{ImageURL: art("banner/imax"), LinkURL: "/hotlist", Title: "巨幕场次，好座先选"},
		},
		FirstTiles: []content.Tile{
			{ImageURL: art("tile/super"), Title: "超级卡", Price: "100.00", URL: "/bindingCard"},
			{ImageURL: art("tile/movie"), Title: "电影卡", Price: "50.00", URL: "/bindingCard"},
			{ImageURL: art("tile/voucher"), Title: "电影券", Price: "39.90", URL: "/bindingCard"},
		},
		SecondTiles: []content.Tile{
			{ImageURL: art("tile/cake"), Title: "蛋糕卡", Price: "200.00", URL: "/bindingCard"},
			{ImageURL: art("tile/book"), Title: "图书卡", Price: "100.00", URL: "/bindingCard"},
		},
	}
}
