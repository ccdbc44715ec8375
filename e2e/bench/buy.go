package main

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"marquee/server/demo"
	"marquee/simulators/dataset"
)

const buyers = 64

// seatStock holds the free seats of one showing. One buyer takes them one by one.
type seatStock struct {
	opiid, movieid, playtime string
	seats                    []seat
}

type seat struct{ id, price string }

// measureBuying drives 64 buyers over HTTP, with the gateway simulated in this process. Each buyer locks a seat and
// pays for it with points. It measures twice: with the production cost of payment passwords, and with cheap hashes,
// because argon2id alone occupies a core for 24 ms a payment and hides everything else.
func measureBuying(ctx context.Context, s settings) ([]figure, error) {
	whole, err := purchases(ctx, s, false)
	if err != nil {
		return nil, err
	}
	cheap, err := purchases(ctx, s, true)
	if err != nil {
		return nil, err
	}
	return []figure{
		{
			"lock → card-paid, 64 buyers, HTTP, ×sync",
			fmt.Sprintf("%.2f", cheap.sync),
			"≥ 1.0",
			"1.5",
			cheap.note + "; without the cost of argon2id",
		},
		{"the same, ×bare (two requests each)", fmt.Sprintf("%.2f", cheap.bare), "≥ 0.25", "0.40", ""},
		{"processor time a purchase ÷ two bare requests", fmt.Sprintf("%.0f", cheap.cpu/cheap.floor), "", "",
			fmt.Sprintf("%.2f ms ÷ %.3f ms of one process: buyers, shop and gateway", cheap.cpu, cheap.floor)},
		{"worst latency of that run ÷ p99", fmt.Sprintf("%.1f", cheap.tail), "≤ 5", "2", ""},
		{"the same purchases with argon2id, ×sync", fmt.Sprintf("%.2f", whole.sync), "", "", whole.note},
	}, nil
}

type bought struct {
	sync, bare, tail float64
	cpu, floor       float64 // ms of this process for a purchase, buyers and gateway included; and for two bare requests
	note             string
}

// purchases runs the load with its references in between: the disk's fdatasync rate, and 64 clients on a bare chi
// handler with as many requests an operation.
func purchases(ctx context.Context, s settings, cheapPasswords bool) (b bought, err error) {
	var cards []demo.Card
	for i := range buyers {
		card := demo.Card{
			Kahao:         fmt.Sprintf("99%014d", i),
			Pass:          "12345678",
			PID:           1,
			Points:        900_000_00,
			ExpiresInDays: 300,
		}
		cards = append(cards, card)
	}
	h, err := startStack(ctx, cards, cheapPasswords)
	if err != nil {
		return b, err
	}
	defer func() {
		if e := h.close(); err == nil {
			err = e
		}
	}()
	customers, err := h.customers(ctx, cards)
	if err != nil {
		return b, err
	}
	reference, stop, err := bare([]byte(`{"code":200,"msg":"","data":{"orderid":"26112019370840568321"}}`))
	if err != nil {
		return b, err
	}
	defer func() { _ = stop() }()
	var sync, ground, shop, tail, cpu, floor []float64
	var last result
	for range s.rounds {
		rate, err := syncRate(h.dir, time.Second)
		if err != nil {
			return b, err
		}
		plain := drive(ctx, buyers, 3*time.Second, func(ctx context.Context, _ int) error {
			for range 2 {
				if _, err := post(ctx, reference+"/Film/lockseat", url.Values{"token": {"t"}, "oid": {"1"}}); err != nil {
					return err
				}
			}
			return nil
		})
		last = drive(
			ctx,
			buyers,
			4*time.Second,
			func(ctx context.Context, c int) error { return customers[c].buy(ctx, h) },
		)
		if last.failures > 0 {
			return b, fmt.Errorf("%d purchases failed: %w", last.failures, last.failure)
		}
		sync, ground, shop = append(sync, rate), append(ground, plain.rate), append(shop, last.rate)
		cpu, floor = append(cpu, last.cpu.Seconds()*1000), append(floor, plain.cpu.Seconds()*1000)
		tail = append(tail, float64(last.quantile(1))/float64(last.quantile(0.99)))
	}
	found, err := h.Shop.Verify(ctx)
	if err != nil || len(found) > 0 {
		return b, fmt.Errorf("the books after the load: %v %w", found, err)
	}
	return bought{
		sync: median(shop) / median(sync), bare: median(shop) / median(ground), tail: median(tail), cpu: median(cpu),
		floor: median(floor),
		note: fmt.Sprintf(
			"%.0f purchases/s, sync %.0f/s, bare %.0f/s, p50 %s, p99 %s",
			median(shop),
			median(sync),
			median(ground),
			last.quantile(0.5).Round(time.Millisecond),
			last.quantile(0.99).Round(time.Millisecond),
		),
	}, nil
}

type customer struct {
	token, card string
	stock       seatStock
}

func (c *customer) buy(ctx context.Context, h *stack) error {
	order, err := c.lock(ctx, h)
	if err != nil {
		return err
	}
	return h.call(
		ctx,
		"/Film/flkpay",
		url.Values{"token": {c.token}, "ka_ids": {c.card}, "oid": {order}, "pass": {payPassword}},
		nil,
	)
}

// lock locks the buyer's next seat that is still free: the simulators' own visitors buy seats too.
func (c *customer) lock(ctx context.Context, h *stack) (string, error) {
	for len(c.stock.seats) > 0 {
		s := c.stock.seats[0]
		c.stock.seats = c.stock.seats[1:]
		var locked struct{ Orderid string }
		err := h.call(ctx, "/Film/lockseat", url.Values{
			"token": {c.token}, "opiid": {c.stock.opiid}, "seatids": {s.id}, "totalSettleAmount": {s.price},
			"playtime": {c.stock.playtime}, "movieid": {c.stock.movieid},
		}, &locked)
		if err == nil || !strings.Contains(err.Error(), "seat_taken") {
			return locked.Orderid, err
		}
	}
	return "", fmt.Errorf("showing %s is sold out", c.stock.opiid)
}

func (s *stack) customers(ctx context.Context, cards []demo.Card) ([]*customer, error) {
	stocks, err := s.stocks(ctx, len(cards))
	if err != nil {
		return nil, err
	}
	all := make([]*customer, len(cards))
	for i, card := range cards {
		// One after the other: each lets a minute of business time pass, and a code lives for five.
		token, id, err := s.newBuyer(ctx, "139"+fmt.Sprintf("%08d", 20_000_000+i), card)
		if err != nil {
			return nil, err
		}
		all[i] = &customer{token, id, stocks[i]}
	}
	return all, nil
}

// stocks finds showings with plenty of free single seats, far enough from their start.
func (s *stack) stocks(ctx context.Context, n int) (found []seatStock, err error) {
	city, _ := s.Sims.Default().Country().City("310100")
	soon := s.Sims.Default().Clock().Now().Add(26 * time.Hour)
	for _, c := range s.Sims.Default().Country().Cinemas(dataset.Gateway, city) {
		for _, show := range s.Sims.Default().Country().Shows(c, "") {
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
func (s *stack) stock(ctx context.Context, opiid string) (seatStock, error) {
	var hall struct {
		Opi struct {
			Movieid, Playtime string
			Price             int
			AreaPrice         string
		}
		SeatList []struct {
			Seatid, Area, Flag any
			Status             any
		}
	}
	if err := s.call(ctx, "/movie/route", s.signed(url.Values{"method": {"opi.seat"}, "opiid": {opiid}}), &hall); err != nil {
		return seatStock{}, err
	}
	free := seatStock{opiid: opiid, movieid: hall.Opi.Movieid, playtime: hall.Opi.Playtime}
	prices := areaPrices(hall.Opi.AreaPrice)
	for _, x := range hall.SeatList {
		if fmt.Sprint(x.Status) != "1" || fmt.Sprint(x.Flag) != "0" {
			continue
		}
		price, ok := prices[fmt.Sprint(x.Area)]
		if !ok {
			price = strconv.Itoa(hall.Opi.Price)
		}
		free.seats = append(free.seats, seat{fmt.Sprint(x.Seatid), price})
	}
	return free, nil
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
