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
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/server/demo"
	"marquee/web"
)

// stack is a running shop with its simulators, and the calls of its buyers.
type stack struct {
	*harness.Running
	dir string // on the disk that is measured
}

// startStack starts a shop with the cards. Cheap passwords take almost no time to hash.
func startStack(ctx context.Context, cards []demo.Card, cheapPasswords bool) (*stack, error) {
	// Beside the project and not in a memory file system: a full synchronous write must reach a disk.
	dir, err := os.MkdirTemp(".", ".bench-")
	if err != nil {
		return nil, err
	}
	running, err := harness.Start(ctx, harness.Options{Web: web.Dist(), Dir: dir, Configure: func(cfg *app.Config) {
		cfg.Logger = slog.New(slog.DiscardHandler)
		if cheapPasswords {
			cfg.PasswordCost.MemoryKiB, cfg.PasswordCost.Passes = 8, 1
		}
	}})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	s := &stack{running, dir}
	if err := s.Shop.SeedDemo(ctx, cards); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *stack) close() error { return errors.Join(s.Close(), os.RemoveAll(s.dir)) }

// call posts to the shop and decodes data; a failure in the envelope is an error that holds its stable code.
func (s *stack) call(ctx context.Context, path string, form url.Values, data any) error {
	form.Set("channel_no", s.Sims.Default().Credentials().Shop.ChannelNo)
	text, err := post(ctx, s.URL+path, form)
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
func (s *stack) signed(form url.Values) url.Values {
	c := s.Sims.Default().Credentials().Shop
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

// newBuyer logs a buyer in, sets the payment password and binds a card. It returns the session's token and the card's
// id.
func (s *stack) newBuyer(ctx context.Context, phone string, card demo.Card) (token, cardID string, err error) {
	var login struct{ Token string }
	var bound struct{ ID json.Number }
	steps := []func() error{
		func() error { return s.call(ctx, "/Login/sendcode", url.Values{"phone": {phone}}, nil) },
		func() error {
			return s.call(ctx, "/Login/phoneLogin", url.Values{"phone": {phone}, "code": {s.code(ctx, phone)}}, &login)
		},
		func() error { s.Sims.Default().Clock().Advance(61 * time.Second); return nil },
		func() error { return s.call(ctx, "/Member/getsendcode", url.Values{"token": {login.Token}}, nil) },
		func() error {
			form := url.Values{"token": {login.Token}, "code": {s.code(ctx, phone)}, "password": {payPassword}}
			return s.call(ctx, "/Member/editpassword", form, nil)
		},
		func() error {
			form := url.Values{"token": {login.Token}, "kahao": {card.Kahao}, "pass": {card.Pass}}
			return s.call(ctx, "/api/api.php/Card/addbinding", form, &bound)
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
func (s *stack) code(ctx context.Context, phone string) string {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Sims.URL()+"/sim/v1/sms/messages?phone="+phone, nil)
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
