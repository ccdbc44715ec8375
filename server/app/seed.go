package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/cards"
	"marquee/server/content"
	"marquee/server/money"
)

// DemoCard is a welfare card of a simulated world, as the simulators publish it.
type DemoCard struct {
	Kahao         string // the card number
	Pass          string // the card's password
	PID           int    // the card type, 1 to 11
	Points        int64  // balance in hundredths of a point
	ExpiresInDays int    // counted from now; negative: expired
	Note          string // what it is good for; not kept
}

// SeedDemo fills a simulated shop with cards and with something to look at, drawn by the simulators. Doing it again
// adds what is missing and changes nothing.
func (a *App) SeedDemo(ctx context.Context, demo []DemoCard) error {
	now := a.cfg.Now()
	for _, d := range demo {
		card := cards.NewCard{
			PID: cards.PID(d.PID), Number: d.Kahao, Password: d.Pass, Points: money.Points(d.Points),
			ExpiresAt: now.Add(time.Duration(d.ExpiresInDays) * 24 * time.Hour),
		}
		book := a.cards
		if !card.ExpiresAt.After(now) {
			// A card that is over was good when it was issued: a day before it ended.
			before := card.ExpiresAt.Add(-24 * time.Hour)
			book = cards.New(a.db.Cards(), []byte(a.cfg.Pepper), func() time.Time { return before })
		}
		if err := book.Issue(ctx, []cards.NewCard{card}, "seed"); err != nil && !errors.Is(err, cards.ErrCardExists) {
			return fmt.Errorf("seed cards: %w", err)
		}
	}
	return a.content.Seed(ctx, demoContent(a.cfg.SimulatorURL))
}

// demoContent draws its pictures from the simulators.
func demoContent(simulatorURL string) content.Seed {
	art := func(path string) string { return simulatorURL + "/art/" + path + ".svg" }
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
