package main

import (
	"cmp"
	"context"
	"crypto/md5" //nolint:gosec // the channel's signature is defined with it
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"marquee/server/app"
	"marquee/server/demo"
	"marquee/simulators"
	"marquee/web"
)

// house is simulators and a shop on real sockets in this process, with a database on the disk that is measured.
type house struct {
	sims  *simulators.Simulators
	shop  *app.App
	url   string
	dir   string
	close func() error
}

// openHouse starts simulators and a shop with the cards. With cheapPasswords a payment password takes next to no time to hash.
func openHouse(ctx context.Context, cards []demo.Card, cheapPasswords bool) (*house, error) {
	// Beside the project rather than in a memory file system: FULL must reach a disk.
	dir, err := os.MkdirTemp(".", ".bench-")
	if err != nil {
		return nil, err
	}
	sims, err := simulators.Start(simulators.Options{})
	if err != nil {
		return nil, err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	h := &house{sims: sims, url: "http://" + listener.Addr().String(), dir: dir}
	sims.Default().SetAppURL(h.url)
	sims.Default().SetPush(h.url + "/notify/gateway")
	cfg, err := app.FromEnvironment(sims.Default().ShopEnvironment())
	if err != nil {
		return nil, err
	}
	cfg.DB, cfg.PublicURL, cfg.Web, cfg.Now = filepath.Join(dir, "shop.db"), h.url, web.Dist(), sims.Default().Clock().Now
	cfg.Logger = slog.New(slog.DiscardHandler)
	if cheapPasswords {
		cfg.PasswordCost.MemoryKiB, cfg.PasswordCost.Passes = 8, 1
	}
	if h.shop, err = app.New(ctx, cfg); err != nil {
		return nil, err
	}
	sims.Default().Clock().OnAdvance(h.shop.Wake)
	if err := h.shop.SeedDemo(ctx, cards); err != nil {
		return nil, err
	}
	server := h.shop.Server()
	go func() { _ = server.Serve(listener) }()
	work, stop := context.WithCancel(ctx)
	worked := make(chan error, 1)
	go func() { worked <- h.shop.Run(work) }()
	h.close = func() error {
		err := server.Close()
		stop()
		return errors.Join(err, <-worked, h.shop.Close(), sims.Close(), os.RemoveAll(dir))
	}
	return h, nil
}

// call posts to the shop and decodes data; a failure in the envelope is an error that holds its stable code.
func (h *house) call(ctx context.Context, path string, form url.Values, data any) error {
	form.Set("channel_no", h.sims.Default().Credentials().Shop.ChannelNo)
	text, err := post(ctx, h.url+path, form)
	if err != nil {
		return err
	}
	var e struct {
		Error   string
		Success *bool
		Data    json.RawMessage
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return fmt.Errorf("%s: %w: %.80s", path, err, text)
	}
	if e.Error != "" || (e.Success != nil && !*e.Success) {
		return fmt.Errorf("%s: %s", path, cmp.Or(e.Error, string(text)))
	}
	if data == nil {
		return nil
	}
	return json.Unmarshal(e.Data, data)
}

// signed adds the channel's signature to a form for /movie/route.
func (h *house) signed(form url.Values) url.Values {
	c := h.sims.Default().Credentials().Shop
	form.Set("channel_no", c.ChannelNo)
	form.Set("appkey", c.AppKey)
	form.Set("v", "2.0")
	form.Set("timestamp", time.Now().In(time.FixedZone("", 8*3600)).Format(time.DateTime))
	return sign(form, c.Secret)
}

func sign(form url.Values, secret string) url.Values {
	var joined strings.Builder
	for _, k := range slices.Sorted(maps.Keys(form)) {
		if v := form.Get(k); v != "" && k != "sign" {
			joined.WriteString(k + v)
		}
	}
	sum := md5.Sum([]byte(secret + joined.String() + secret)) //nolint:gosec // see above
	form.Set("sign", strings.ToUpper(hex.EncodeToString(sum[:])))
	return form
}

const payPassword = "246810"

// newBuyer logs a buyer in, sets the payment password and binds a card. It returns the session's token and the card's id.
func (h *house) newBuyer(ctx context.Context, phone string, card demo.Card) (token, cardID string, err error) {
	var login struct{ Token string }
	var bound struct{ ID json.Number }
	steps := []func() error{
		func() error { return h.call(ctx, "/Login/sendcode", url.Values{"phone": {phone}}, nil) },
		func() error {
			return h.call(ctx, "/Login/phoneLogin", url.Values{"phone": {phone}, "code": {h.code(ctx, phone)}}, &login)
		},
		func() error { h.sims.Default().Clock().Advance(61 * time.Second); return nil },
		func() error { return h.call(ctx, "/Member/getsendcode", url.Values{"token": {login.Token}}, nil) },
		func() error {
			form := url.Values{"token": {login.Token}, "code": {h.code(ctx, phone)}, "password": {payPassword}}
			return h.call(ctx, "/Member/editpassword", form, nil)
		},
		func() error {
			form := url.Values{"token": {login.Token}, "kahao": {card.Kahao}, "pass": {card.Pass}}
			return h.call(ctx, "/api/api.php/Card/addbinding", form, &bound)
		},
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return "", "", err
		}
	}
	return login.Token, bound.ID.String(), nil
}

// code is the newest SMS code of a phone.
func (h *house) code(ctx context.Context, phone string) string {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, h.sims.URL()+"/sim/v1/sms/messages?phone="+phone, nil)
	if err != nil {
		return ""
	}
	resp, err := client.Do(req)
	if err != nil {
		return ""
	}
	defer resp.Body.Close()
	var inbox struct{ Messages []struct{ Code string } }
	if json.NewDecoder(resp.Body).Decode(&inbox) != nil || len(inbox.Messages) == 0 {
		return ""
	}
	return inbox.Messages[0].Code
}
