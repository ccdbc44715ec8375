//go:build pact

package provider_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/providers/newmovie"
)

const tokenPath = "/api/oauth/token"

// newMovieStates sets the provider's states through its protocol, as the shop would.
type newMovieStates struct {
	target
	*newmovie.Client
	picker
	ctx     context.Context // the test's
	cityID  string          // at the provider
	corrupt string          // what the front corrupts in the next request
}

func newMovie(t *testing.T, at target) subject {
	t.Helper()
	c, err := newmovie.New(
		newmovie.Config{BaseURL: at.url, EntID: at.keys.NewMovie.EntID, AppSecret: at.keys.NewMovie.AppSecret},
	)
	require.NoError(t, err)
	n := &newMovieStates{target: at, Client: c, ctx: t.Context()}
	n.picker = picker{ctx: t.Context(), shows: n.showsFrom, seatMap: c.SeatMap}
	n.find(t)
	corrupts := func(what string) state {
		return func() (values, error) {
			n.corrupt = what
			return nil, nil
		}
	}
	nothing := corrupts("")
	return subject{
		consumer: "marquee-shop", name: "newmovie", reset: func() { n.corrupt = "" },
		front: resign(http.DefaultClient, n.authorize),
		states: map[string]state{
			"known credentials":                  nothing,
			"unknown credentials":                corrupts("credentials"),
			"an unknown token":                   corrupts("token"),
			"no such thing":                      nothing,
			"the catalogue":                      n.catalogue(func(catalog.SeatMap) bool { return true }),
			"a hall with areas":                  n.catalogue(func(m catalog.SeatMap) bool { return len(m.Areas) > 0 }),
			"two free seats":                     n.free(mobile, singles(2)),
			"two free seats and a slow cinema":   n.free(mobileLate, singles(2)),
			"seats of two areas":                 n.free(mobile, twoAreas),
			"half a couples seat":                n.free(mobile, halfACouple),
			"a seat that the hall does not have": n.free(mobile, noSeat),
			"a session that is stopped":          n.stopped,
			"a seat is taken":                    n.taken,
			"an order with other seats":          n.otherSeats,
			"locked seats":                       n.locked,
			"locked seats and another amount":    n.otherAmount,
			"cancelled seats":                    n.cancelled,
			"a lock under way":                   n.lockBy(mobileLate, order.ProviderPending),
			"a lock that was rejected later":     n.lockBy(mobileLockRejected, order.ProviderReleased),
			"tickets on their way":               n.issued(mobile, order.ProviderIssuing),
			"issued tickets":                     n.issued(mobile, order.ProviderIssued),
			"rejected tickets":                   n.issued(mobileRejected, order.ProviderIssueRejected),
		},
	}
}

// find looks up the provider's id of the city in which states look for cinemas.
func (n *newMovieStates) find(t *testing.T) {
	t.Helper()
	cities, err := n.Cities(n.ctx)
	require.NoError(t, err)
	for _, c := range cities {
		if c.ID == cityID {
			n.cityID = c.NewMovieID
		}
	}
	require.NotEmpty(t, n.cityID)
}

// bearer requests a new token, because states move the clock and older tokens may have expired.
func (n *newMovieStates) bearer() (string, error) {
	var token struct {
		Type  string `json:"token_type"`
		Token string `json:"access_token"`
	}
	err := n.call(
		tokenPath,
		"",
		map[string]string{"entId": n.keys.NewMovie.EntID, "appSecret": n.keys.NewMovie.AppSecret},
		&token,
	)
	return token.Type + " " + token.Token, err
}

// authorize sets credentials that the provider knows, and corrupts them if the state requires that.
func (n *newMovieStates) authorize(r *http.Request, body []byte) ([]byte, error) {
	u, err := url.Parse(n.url + strings.TrimPrefix(r.URL.Path, "/newmovie"))
	if err != nil {
		return nil, err
	}
	u.RawQuery = r.URL.RawQuery
	r.URL, r.Host = u, u.Host
	if strings.HasSuffix(u.Path, tokenPath) {
		keys := map[string]string{"entId": n.keys.NewMovie.EntID, "appSecret": n.keys.NewMovie.AppSecret}
		if n.corrupt == "credentials" {
			keys["appSecret"] = "wrong"
		}
		return json.Marshal(keys)
	}
	bearer, err := n.bearer()
	if n.corrupt == "token" {
		bearer = "Bearer unknown-token"
	}
	r.Header.Set("Authorization", bearer)
	return body, err
}

// raw calls a path that the client does not call separately.
func (n *newMovieStates) raw(path string, body any) error {
	bearer, err := n.bearer()
	if err != nil {
		return err
	}
	return n.call(path, bearer, body, nil)
}

// call posts body as JSON, and decodes the data of the answer into the value into, which may be nil.
func (n *newMovieStates) call(path, bearer string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(n.ctx, http.MethodPost, n.url+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if bearer != "" {
		r.Header.Set("Authorization", bearer)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if text, err = io.ReadAll(resp.Body); err != nil {
		return err
	}
	a := struct {
		Code int
		Data any
	}{Code: -1, Data: into}
	if err := json.Unmarshal(text, &a); err != nil || a.Code != 0 {
		return fmt.Errorf("%s: %s", path, text)
	}
	return nil
}

// showsFrom calls use with sessions that start in three hours or later, until use reports true.
func (n *newMovieStates) showsFrom(use func(catalog.Show) (bool, error)) error {
	list, err := n.Cinemas(n.ctx, n.cityID, "")
	if err != nil {
		return err
	}
	for _, cinema := range list.Cinemas {
		shows, err := n.CinemaShows(n.ctx, cinema.ID, "")
		if err != nil {
			return err
		}
		for _, film := range shows.Films {
			if done, err := useLater(film.Shows, n.now(), use); done || err != nil {
				return err
			}
		}
	}
	return errors.New("no session fits")
}

func (n *newMovieStates) catalogue(fits func(catalog.SeatMap) bool) state {
	return func() (values, error) {
		show, _, err := n.pick(func(m catalog.SeatMap) []catalog.Seat {
			if fits(m) {
				return m.Seats
			}
			return nil
		})
		return values{"cityId": n.cityID, "cinemaId": show.CinemaID, "movieId": show.FilmID, "sessionId": show.ID}, err
	}
}

// lockValues are the values of an order, by their names in the pact.
func lockValues(no, buyer string, show catalog.Show, seats []catalog.Seat) values {
	v := values{
		"outOrderNo": no,
		"sessionId":  show.ID,
		"cinemaCode": show.CinemaCode,
		"mobile":     buyer,
		"amount":     "0.00",
	}
	for i, s := range seats {
		v[fmt.Sprintf("seat%d", i+1)] = s.ID
	}
	return v
}

func (n *newMovieStates) free(buyer string, choose choice) state {
	return func() (values, error) {
		show, seats, err := n.pick(choose)
		return lockValues(orderNo(), buyer, show, seats), err
	}
}

// noSeat is a free seat and one that does not exist.
func noSeat(m catalog.SeatMap) []catalog.Seat {
	seats := singles(1)(m)
	if len(seats) == 0 {
		return nil
	}
	return []catalog.Seat{seats[0], {ID: "no-such-seat"}}
}

// stopped moves the clock to a minute before a session, when its sale has stopped. It fails at a real provider, whose
// clock cannot be moved.
func (n *newMovieStates) stopped() (values, error) {
	show, seats, err := n.pick(singles(2))
	if err != nil {
		return nil, err
	}
	if n.hurry == nil {
		return nil, errors.New("no clock to move: this state needs a simulator")
	}
	n.hurry(show.Starts.Sub(n.now()) - time.Minute)
	return lockValues(orderNo(), mobile, show, seats), nil
}

// lockBy locks two seats for a buyer and waits for the state.
func (n *newMovieStates) lockBy(buyer string, want order.ProviderState) state {
	return func() (values, error) {
		show, seats, err := n.pick(singles(2))
		if err != nil {
			return nil, err
		}
		no := orderNo()
		v := lockValues(no, buyer, show, seats)
		v["date"] = n.today()
		err = n.raw("/api/order/lock", map[string]any{
			"outOrderNo": no, "sessionId": show.ID, "cinemaCode": show.CinemaCode, "mobile": buyer,
			"seats": []any{map[string]any{"originSeatID": v["seat1"]}, map[string]any{"originSeatID": v["seat2"]}},
		})
		if err != nil {
			return nil, err
		}
		return v, n.await(v, want)
	}
}

// await waits until the order is in the state, and fills in its amount.
func (n *newMovieStates) await(v values, want order.ProviderState) error {
	reached := func() (bool, error) {
		o, err := n.Query(n.ctx, v["outOrderNo"].(string))
		v["amount"] = o.Amount.String()
		return o.State == want, err
	}
	if ok, err := reached(); ok || err != nil {
		return err
	}
	return n.until(reached)
}

func (n *newMovieStates) locked() (values, error) { return n.lockBy(mobile, order.ProviderLocked)() }

func (n *newMovieStates) taken() (values, error) {
	v, err := n.locked()
	if err != nil {
		return nil, err
	}
	v["outOrderNo"] = orderNo()
	return v, nil
}

func (n *newMovieStates) otherSeats() (values, error) {
	v, err := n.locked()
	if err != nil {
		return nil, err
	}
	show, seats, err := n.pick(singles(2))
	return lockValues(v["outOrderNo"].(string), mobile, show, seats), err
}

func (n *newMovieStates) otherAmount() (values, error) {
	v, err := n.locked()
	if err != nil {
		return nil, err
	}
	v["amount"] = "0.01"
	return v, nil
}

func (n *newMovieStates) cancelled() (values, error) {
	v, err := n.locked()
	if err != nil {
		return nil, err
	}
	return v, n.Unlock(n.ctx, v["outOrderNo"].(string))
}

func (n *newMovieStates) issued(buyer string, want order.ProviderState) state {
	return func() (values, error) {
		v, err := n.lockBy(buyer, order.ProviderLocked)()
		if err != nil {
			return nil, err
		}
		amount, err := money.ParseFen(v["amount"].(string))
		if err != nil {
			return nil, err
		}
		if err := n.Issue(n.ctx, order.IssueRequest{OrderNo: v["outOrderNo"].(string), Amount: amount,
			Mobile: buyer}); err != nil {
			return nil, err
		}
		return v, n.await(v, want)
	}
}
