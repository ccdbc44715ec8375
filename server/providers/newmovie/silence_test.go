package newmovie_test

import (
	"context"
	"marquee/server/order"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/providers/newmovie"
)

type operation struct {
	path string
	acts bool
	do   func(context.Context, *newmovie.Client) error
}

func operations() map[string]operation {
	return map[string]operation{
		"seat map": {"/api/seat/map", false, func(ctx context.Context, c *newmovie.Client) error {
			_, err := c.SeatMap(ctx, "o1")
			return err
		}},
		"query": {"/api/order/query", false, func(ctx context.Context, c *newmovie.Client) error {
			_, err := c.Query(ctx, "n1")
			return err
		}},
		"ticket page": {"/api/ticket/token", false, func(ctx context.Context, c *newmovie.Client) error {
			_, err := c.TicketPage(ctx, "n1")
			return err
		}},
		"lock": {"/api/order/lock", true, func(ctx context.Context, c *newmovie.Client) error {
			_, err := c.Lock(ctx, lockRequest())
			return err
		}},
		"unlock": {"/api/order/cancel", true, func(ctx context.Context, c *newmovie.Client) error { return c.Unlock(ctx, "n1") }},
		"issue":  {"/api/order/submit", true, func(ctx context.Context, c *newmovie.Client) error { return c.Issue(ctx, issueRequest()) }},
	}
}

func lockRequest() order.LockRequest {
	return order.LockRequest{
		OrderNo: "n1", Show: catalog.Show{ID: "o1", CinemaCode: "cc1"}, Seats: []catalog.Seat{{ID: "s1"}, {ID: "s2"}}, Mobile: "13900000001",
	}
}

func issueRequest() order.IssueRequest {
	return order.IssueRequest{OrderNo: "n1", Amount: 8400, Mobile: "13900000001"}
}

// After the request may have arrived, an acting call is unknown and a read merely unavailable.
func TestSilence_IsUnknownForActsAndUnavailableForReads(t *testing.T) {
	t.Parallel()
	for opName, op := range operations() {
		for name, silence := range silences(t) {
			t.Run(opName+" "+name, func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				p := newProvider(t).on(op.path, func(w http.ResponseWriter, r *http.Request) {
					if name == "hangs" {
						cancel() // whoever waits gives up once the request is there
					}
					silence(w, r)
				})
				err := op.do(ctx, clientOf(t, newmovie.Config{BaseURL: p.server.URL + "/newmovie", Timeout: 5 * time.Second}))
				require.Error(t, err)
				want := fault.Unavailable
				if op.acts {
					want = fault.Unknown
					assert.Equal(t, 1, p.called(op.path), "an unknown outcome is not tried again behind the caller's back")
				}
				assert.Equal(t, want, fault.KindOf(err), err.Error())
				assert.NotContains(t, err.Error(), "s3cret")
			})
		}
	}
}

func timeout(silence string) time.Duration {
	if silence == "hangs" {
		return 150 * time.Millisecond
	}
	return 5 * time.Second
}

// Without a token nothing else is sent, so that nothing can have happened, whatever befalls the token call.
func TestNoToken_IsUnavailableForAll(t *testing.T) {
	t.Parallel()
	refused := map[string]http.HandlerFunc{"wrong secret": refuses(401004), "no token in it": ok(`{"token_type":"Bearer","expires_in":7200}`), "no life": ok(`{"token_type":"Bearer","access_token":"x"}`)}
	for name, h := range silences(t) {
		refused[name] = h
	}
	for name, h := range refused {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProvider(t).on("/api/oauth/token", h)
			c := clientOf(t, newmovie.Config{BaseURL: p.server.URL + "/newmovie", Timeout: timeout(name)})
			_, err := c.Lock(t.Context(), lockRequest())
			assert.Equal(t, fault.Unavailable, fault.KindOf(err), "%v", err)
			assert.Zero(t, p.called("/api/order/lock"))
		})
	}
}

func TestNobodyListens_IsUnavailableForAll(t *testing.T) {
	t.Parallel()
	p := newProvider(t).on("/api/order/cancel", orderAnswer("CANCELLED", ""))
	// Without a kept connection: writing to one that is being closed may have reached the provider, and is Unknown.
	c := clientOf(t, newmovie.Config{
		BaseURL: p.server.URL + "/newmovie/", HTTPClient: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	})
	require.NoError(t, c.Unlock(t.Context(), "n1"), "now it has a token")
	p.server.Close()
	for name, op := range operations() {
		assert.ErrorIs(t, op.do(t.Context(), c), fault.ErrUnavailable, name)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	for name, op := range operations() {
		assert.ErrorIs(t, op.do(t.Context(), clientOf(t, newmovie.Config{BaseURL: "http://" + l.Addr().String()})), fault.ErrUnavailable, name)
	}
}

func TestContextEndedBeforeSending_IsUnavailable(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, op := range operations() {
		assert.Equal(t, fault.Unavailable, fault.KindOf(op.do(ctx, p.client())), name)
		assert.Zero(t, p.called(op.path))
	}
}
