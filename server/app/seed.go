package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

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
		if strings.ContainsFunc(d.Pass, unicode.IsUpper) {
			card.Coupon = d.Pass // the world's coupons are cards whose password is a code that binds by itself
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
	if err := a.seedPackages(ctx); err != nil {
		return err
	}
	ids, err := a.seedGoods(ctx)
	if err != nil {
		return err
	}
	return a.content.Seed(ctx, a.demoContent(ids))
}

func (a *App) seedPackages(ctx context.Context) error {
	have, err := a.cards.Packages(ctx)
	if err != nil || len(have) > 0 {
		return err
	}
	return a.cards.SetPackages(ctx, []cards.Package{
		{Points: 50_00, Price: 50_00}, {Points: 100_00, Price: 99_00}, {Points: 200_00, Price: 196_00},
		{Points: 500_00, Price: 485_00}, {Points: 1000_00, Price: 960_00},
	}, seeder)
}

// art is the address of a picture that the simulators draw: under the shop, which knows where they are now. The
// database may outlive their address.
func (a *App) art(path string) string { return "/art/" + path + ".svg" }

func (a *App) demoContent(goodsIDs map[string]int64) content.Seed {
	art := a.art
	tile := func(name, title, price string) content.Tile {
		return content.Tile{ImageURL: art("goods/" + name), Title: title, Price: price, URL: fmt.Sprintf("/couponsDetail?id=%d", goodsIDs[name])}
	}
	return content.Seed{
		MemberBanners: []content.Banner{
			{ImageURL: art("banner/members"), LinkURL: "/musicmember", Title: "会员福利社"},
			{ImageURL: art("banner/reading"), LinkURL: "/readmember", Title: "读一本好书"},
		},
		HomeBanners: []content.Banner{
			{ImageURL: art("banner/welcome"), LinkURL: "/hotlist", Title: "本周热映，一键选座"},
			{ImageURL: art("banner/cards"), LinkURL: "/securitycards", Title: "福利卡点数抵扣，一点抵一元"},
			{ImageURL: art("banner/presale"), LinkURL: "/hotlist", Title: "新片预售，抢先选座"},
		},
		CinemaBanners: []content.Banner{
			{ImageURL: art("banner/cinema"), LinkURL: "/multiplex", Title: "附近影院，今晚开场"},
			{ImageURL: art("banner/imax"), LinkURL: "/hotlist", Title: "巨幕场次，好座先选"},
		},
		FirstTiles: []content.Tile{
			tile("cinema", "电影兑换券", "39.90"), tile("video", "光影视频会员", "25.00"), tile("melody", "青鸟音乐会员", "15.00"),
		},
		SecondTiles: []content.Tile{
			tile("cake", "蛋糕兑换券", "168.00"), tile("book", "购书代金券", "47.50"), tile("phone", "话费直充", "29.85"),
		},
	}
}
