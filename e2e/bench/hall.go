package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/mxschmitt/playwright-go"

	"marquee/e2e/phone"
	"marquee/server/httpapi"
	"marquee/web"
)

//go:embed hall.js
var hallScript string

// measureHall shows a hall of a thousand seats on a phone four times slower than this machine. It measures the time
// until the hall is painted, and the time from a tap to its paint.
func measureHall(_ context.Context, s settings) ([]figure, error) {
	browser, stop, err := phone.Open()
	if err != nil {
		return nil, err
	}
	defer stop()
	site, err := hallSite()
	if err != nil {
		return nil, err
	}
	defer site.Close()
	var mounts, taps, worst []float64
	for range max(s.rounds, 5) {
		page, err := slowPhone(browser, site.URL+"/filmSeat?opiid=o1&movieid=m1")
		if err != nil {
			return nil, err
		}
		mounted, err := page.WaitForFunction("() => window.mounted", nil)
		if err != nil {
			return nil, err
		}
		ms, err := mounted.JSONValue()
		if err != nil {
			return nil, err
		}
		mounts = append(mounts, number(ms))
		tapped, slowest, err := tapSeats(page)
		if err != nil {
			return nil, err
		}
		taps, worst = append(taps, tapped...), append(worst, slowest)
		_ = page.Context().Close()
	}
	return []figure{
		{what: "seat map of 1,000 seats on a slow phone, answer to paint", got: fmt.Sprintf("%.0f ms", median(mounts))},
		{"tap on a seat until its paint", fmt.Sprintf("%.0f ms", median(taps)), "≤ 40 ms", "25 ms", ""},
		{
			"worst interaction",
			fmt.Sprintf("%.0f ms", median(worst)),
			"≤ 100 ms",
			"50 ms",
			"median of the rounds' worst",
		},
	}, nil
}

// tapSeats taps four free seats near the middle of the screen. It returns the time from each tap to its paint, and the
// duration of the slowest interaction, in milliseconds.
func tapSeats(page playwright.Page) (taps []float64, worst float64, err error) {
	time.Sleep(time.Second)
	for i := range 4 {
		at, err := page.Evaluate(`(i) => {
			const free = [...document.querySelectorAll('[role=gridcell][aria-selected=false]')].map((cell) => {
				const { x, y, width, height } = cell.getBoundingClientRect();
				return { x: x + width / 2, y: y + height / 2 };
			});
			const far = ({ x, y }) => Math.hypot(x - 155 - (i % 2) * 80, y - 330 - (i >> 1) * 60);
			return free.sort((a, b) => far(a) - far(b))[0];
		}`, i)
		if err != nil {
			return nil, 0, err
		}
		point := at.(map[string]any)
		if err := page.Touchscreen().Tap(int(number(point["x"])), int(number(point["y"]))); err != nil {
			return nil, 0, err
		}
		time.Sleep(time.Second) // until the hall has stopped moving, so that only the next tap is measured
	}
	if n, err := page.Locator("[role=gridcell][aria-selected=true]").Count(); err != nil || n != 4 {
		return nil, 0, fmt.Errorf("%d of 4 taps chose a seat: %w", n, err)
	}
	seen, err := page.Evaluate("() => [window.taps, Math.max(...window.interactions)]")
	if err != nil {
		return nil, 0, err
	}
	for _, ms := range seen.([]any)[0].([]any) {
		taps = append(taps, number(ms))
	}
	return taps, number(seen.([]any)[1]), nil
}

func slowPhone(browser playwright.Browser, url string) (playwright.Page, error) {
	held, err := browser.NewContext(playwright.BrowserNewContextOptions{
		Viewport: &playwright.Size{Width: 390, Height: 844}, DeviceScaleFactor: playwright.Float(2),
		IsMobile: playwright.Bool(true), HasTouch: playwright.Bool(true),
	})
	if err != nil {
		return nil, err
	}
	if err := held.AddInitScript(playwright.Script{Content: &hallScript}); err != nil {
		return nil, err
	}
	page, err := held.NewPage()
	if err != nil {
		return nil, err
	}
	cdp, err := held.NewCDPSession(page)
	if err != nil {
		return nil, err
	}
	if _, err := cdp.Send("Emulation.setCPUThrottlingRate", map[string]any{"rate": 4}); err != nil {
		return nil, err
	}
	_, err = page.Goto(url)
	return page, err
}

// hallSite serves the build of the web app with fixed answers for one hall.
func hallSite() (*httptest.Server, error) {
	dist := web.Dist()
	files, err := fs.ReadFile(dist, "index.html")
	if err != nil {
		return nil, fmt.Errorf("no build of the web app: %w", err)
	}
	showing := httpapi.Showing{
		ID: "o1", CinemaName: "星海影城", FilmName: "长安夜未央", Room: "3号厅", Edition: "IMAX", Language: "国语",
		Starts: "2036-05-01 19:30:00", Price: 4290, AreaPrice: "A:3990,B:5990",
	}
	hall, err := json.Marshal(map[string]any{
		"success": true, "data": httpapi.ShowingSeats{Showing: showing, Seats: hallSeats()},
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /assets/", http.FileServerFS(dist))
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(files) })
	mux.HandleFunc("POST /movie/route", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(hall) })
	mux.HandleFunc("POST /", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"code":200,"data":{"orderid":"","type":0}}`)
	})
	return httptest.NewServer(mux), nil
}

func hallSeats() (seats []httpapi.Seat) {
	for row := 1; row <= 25; row++ {
		for col := 1; col <= 40; col++ {
			status, area := 1, "A"
			if (row*7+col*13)%11 < 3 {
				status = 0
			}
			if row > 15 {
				area = "B"
			}
			seats = append(seats, httpapi.Seat{
				ID: fmt.Sprintf("s%d-%d", row, col), Name: fmt.Sprintf("%d排%d座", row, col), RowName: fmt.Sprint(row),
				Row: row, Column: col, Area: area, Status: status,
			})
		}
	}
	return seats
}

// number converts a number of a page: the driver decodes integers as int and others as float64.
func number(v any) float64 {
	switch n := v.(type) {
	case float64:
		return n
	case int:
		return float64(n)
	}
	return math.NaN()
}
