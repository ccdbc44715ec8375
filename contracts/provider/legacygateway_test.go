//go:build pact

package provider_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/beijing"
	"marquee/server/catalog"
	"marquee/server/order"
	"marquee/server/providers/legacygateway"
)

// gatewayStates sets the gateway's states through its protocol, as the shop would.
type gatewayStates struct {
	target
	*legacygateway.Client
	picker
	ctx     context.Context // the test's
	corrupt string          // what the front corrupts in the next request
	bound   values          // what the state returned
}

func legacyGateway(t *testing.T, at target) subject {
	t.Helper()
	c, err := legacygateway.New(
		legacygateway.Config{BaseURL: at.url, AppKey: at.keys.Gateway.AppKey, Secret: at.keys.Gateway.Secret},
	)
	require.NoError(t, err)
	g := &gatewayStates{target: at, Client: c, ctx: t.Context()}
	g.picker = picker{ctx: t.Context(), shows: g.showsFrom, seatMap: c.SeatMap}
	corrupts := func(what string) state {
		return func() (values, error) {
			g.corrupt = what
			return nil, nil
		}
	}
	return subject{
		consumer: "marquee-shop", name: "legacygateway", reset: func() { g.corrupt = "" },
		bind: func(v values) { g.bound = v }, front: resign(http.DefaultClient, g.sign),
		states: map[string]state{
			"the catalogue":                      g.catalogue,
			"no such thing":                      func() (values, error) { return nil, nil },
			"two free seats":                     g.free(2),
			"five free seats":                    g.free(5),
			"a seat is taken":                    g.taken,
			"a seat that the hall does not have": g.noSeat,
			"half a couples seat":                g.couple,
			"a showing that is closed":           g.closed,
			"an order with other seats":          g.otherSeats,
			"locked seats":                       g.locked,
			"locked seats and another amount":    g.otherAmount,
			"unlocked seats":                     g.unlocked,
			"a confirmed order":                  g.confirmed,
			"tickets on their way":               g.issuing,
			"issued tickets":                     g.settled(mobile, order.ProviderIssued),
			"rejected tickets":                   g.settled(mobileRejected, order.ProviderIssueRejected),
			"an unknown appkey":                  corrupts("appkey"),
			"a wrong signature":                  corrupts("sign"),
			"a stale timestamp":                  corrupts("timestamp"),
		},
	}
}

// sign stamps and signs a request of the pact with credentials that the provider knows, and corrupts it if the state
// requires that.
func (g *gatewayStates) sign(r *http.Request, body []byte) ([]byte, error) {
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, err
	}
	for name, v := range g.bound { // the verifier fills these into JSON, queries and paths, but not into forms
		if text, ok := v.(string); ok && form.Has(name) {
			form.Set(name, text)
		}
	}
	form.Set("appkey", g.keys.Gateway.AppKey)
	now := time.Now()
	switch g.corrupt {
	case "appkey":
		form.Set("appkey", "0")
	case "timestamp":
		now = now.Add(-11 * time.Minute)
	}
	legacygateway.Dialect{}.Stamp(form, g.keys.Gateway.Secret, now)
	if g.corrupt == "sign" {
		form.Set("sign", strings.Repeat("0", 32))
	}
	u, err := url.Parse(g.url)
	if err != nil {
		return nil, err
	}
	r.URL, r.Host = u, u.Host
	return []byte(form.Encode()), nil
}

// raw calls a method that the client does not call separately.
func (g *gatewayStates) raw(method string, fields map[string]string) error {
	form := url.Values{"method": {method}, "v": {"2.0"}}
	for k, v := range fields {
		form.Set(k, v)
	}
	r, err := http.NewRequestWithContext(g.ctx, http.MethodPost, g.url, nil)
	if err != nil {
		return err
	}
	g.bound = nil
	body, err := g.sign(r, []byte(form.Encode()))
	if err != nil {
		return err
	}
	resp, err := http.Post(g.url, "application/x-www-form-urlencoded", strings.NewReader(string(body)))
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	var a struct{ Success bool }
	if err := json.Unmarshal(text, &a); err != nil || !a.Success {
		return fmt.Errorf("%s: %s", method, text)
	}
	return nil
}

// useLater calls use with the showings that start three hours after now or later, until use reports true.
func useLater(shows []catalog.Show, now time.Time, use func(catalog.Show) (bool, error)) (done bool, err error) {
	for _, s := range shows {
		if s.Starts.Before(now.Add(3 * time.Hour)) {
			continue
		}
		if done, err = use(s); done || err != nil {
			return done, err
		}
	}
	return false, nil
}

// showsFrom calls use with showings that start in three hours or later, until use reports true.
func (g *gatewayStates) showsFrom(use func(catalog.Show) (bool, error)) error {
	list, err := g.Cinemas(g.ctx, cityID, "")
	if err != nil {
		return err
	}
	for _, cinema := range list.Cinemas {
		showings, err := g.Showings(g.ctx, cinema.ID, "", "")
		if err != nil {
			return err
		}
		if done, err := useLater(showings.Shows, g.now(), use); done || err != nil {
			return err
		}
	}
	return errors.New("no showing fits")
}

// names are the values of an order, by their names in the pact.
func names(no string, show catalog.Show, seats []catalog.Seat, lock order.Lock) values {
	ids := make([]string, len(seats))
	for i, s := range seats {
		ids[i] = s.ID
	}
	return values{
		"orderno": no,
		"opiid":   show.ID,
		"seatids": strings.Join(ids, "|"),
		"amount":  strconv.FormatInt(int64(lock.Total), 10),
	}
}

func (g *gatewayStates) catalogue() (values, error) {
	var v values
	err := g.showsFrom(func(s catalog.Show) (bool, error) {
		v = values{"cityid": cityID, "cinemaid": s.CinemaID, "movieid": s.FilmID, "opiid": s.ID}
		return true, nil
	})
	return v, err
}

func (g *gatewayStates) free(n int) state {
	return func() (values, error) {
		show, seats, err := g.pick(singles(n))
		return names(orderNo(), show, seats, order.Lock{}), err
	}
}

func (g *gatewayStates) noSeat() (values, error) {
	show, seats, err := g.pick(singles(1))
	if err != nil {
		return nil, err
	}
	return names(orderNo(), show, append(seats, catalog.Seat{ID: "no-such-seat"}), order.Lock{}), nil
}

func (g *gatewayStates) couple() (values, error) {
	show, seats, err := g.pick(halfACouple)
	return names(orderNo(), show, seats, order.Lock{}), err
}

// closed moves the clock to a minute before a showing, when its sale has closed. It fails at a real provider, whose
// clock cannot be moved.
func (g *gatewayStates) closed() (values, error) {
	show, seats, err := g.pick(singles(2))
	if err != nil {
		return nil, err
	}
	if g.hurry == nil {
		return nil, errors.New("no clock to move: this state needs a simulator")
	}
	g.hurry(show.Starts.Sub(g.now()) - time.Minute)
	return names(orderNo(), show, seats, order.Lock{}), nil
}

// lock holds two seats for a buyer.
func (g *gatewayStates) lock(buyer string) (values, error) {
	show, seats, err := g.pick(singles(2))
	if err != nil {
		return nil, err
	}
	no := orderNo()
	lock, err := g.Lock(g.ctx, order.LockRequest{OrderNo: no, Show: show, Seats: seats, Mobile: buyer})
	v := names(no, show, seats, lock)
	v["date"] = g.today()
	return v, err
}

func (g *gatewayStates) locked() (values, error) { return g.lock(mobile) }

func (g *gatewayStates) taken() (values, error) {
	v, err := g.locked()
	v["orderno"] = orderNo()
	return v, err
}

func (g *gatewayStates) otherSeats() (values, error) {
	v, err := g.locked()
	if err != nil {
		return nil, err
	}
	show, seats, err := g.pick(singles(2))
	if err != nil {
		return nil, err
	}
	return names(v["orderno"].(string), show, seats, order.Lock{}), nil
}

func (g *gatewayStates) otherAmount() (values, error) {
	v, err := g.locked()
	v["amount"] = "1"
	return v, err
}

func (g *gatewayStates) unlocked() (values, error) {
	v, err := g.locked()
	if err != nil {
		return nil, err
	}
	return v, g.Unlock(g.ctx, v["orderno"].(string))
}

func (g *gatewayStates) confirmed() (values, error) {
	v, err := g.locked()
	if err != nil {
		return nil, err
	}
	return v, g.raw(
		"order.create",
		map[string]string{"orderno": v["orderno"].(string), "amount": v["amount"].(string), "mobile": mobile},
	)
}

func (g *gatewayStates) issue(buyer string) (values, error) {
	v, err := g.lock(buyer)
	if err != nil {
		return nil, err
	}
	if err := g.raw("order.create", map[string]string{"orderno": v["orderno"].(string), "amount": v["amount"].(string),
		"mobile": buyer}); err != nil {
		return nil, err
	}
	return v, g.raw("ticket.issue", map[string]string{"orderno": v["orderno"].(string)})
}

func (g *gatewayStates) issuing() (values, error) { return g.issue(mobile) }

// settled requests the tickets of a buyer's order, and waits until the order is in the state want.
func (g *gatewayStates) settled(buyer string, want order.ProviderState) state {
	return func() (values, error) {
		v, err := g.issue(buyer)
		if err != nil {
			return nil, err
		}
		return v, g.until(func() (bool, error) {
			o, err := g.Query(g.ctx, v["orderno"].(string))
			return o.State == want, err
		})
	}
}

// today is the day in Beijing by the provider's clock. Lists of orders are requested by day.
func (t target) today() string { return t.now().In(beijing.Time).Format(time.DateOnly) }

// until polls, after moving the clock past the delay of tickets if it can.
func (t target) until(done func() (bool, error)) error {
	var hurry func()
	if t.hurry != nil {
		hurry = func() { t.hurry(time.Minute) }
	}
	return poll(hurry, done)
}
