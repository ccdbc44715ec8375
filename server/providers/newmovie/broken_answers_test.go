package newmovie_test

import (
	"context"
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/providers/newmovie"
	"marquee/server/providers/providertest"
	"marquee/server/providers/transport"
)

func calls() map[string]providertest.Call[*newmovie.Client] {
	calls := providertest.TicketSourceCalls[*newmovie.Client](providertest.TicketSourceRoutes{
		SeatMap: "/api/seat/map", Query: "/api/order/query", Lock: "/api/order/lock", Unlock: "/api/order/cancel",
		Issue: "/api/order/submit",
	})
	calls["ticket page"] = providertest.Call[*newmovie.Client]{
		Route: "/api/ticket/token", Kind: transport.Query,
		Do: func(ctx context.Context, c *newmovie.Client) error {
			_, err := c.TicketPage(ctx, "n1")
			return err
		},
	}
	return calls
}

func brokenAnswers(t *testing.T) map[string]http.HandlerFunc {
	t.Helper()
	answers := providertest.BrokenAnswers(t)
	maps.Copy(answers, map[string]http.HandlerFunc{
		"empty":                 answer(""),
		"no code":               answer(`{"msg":"ok","data":{}}`),
		"code as text":          answer(`{"code":"0","msg":"ok","data":{}}`),
		"no data":               answer(`{"code":0,"msg":"ok"}`),
		"null data":             success(`null`),
		"data of another shape": success(`[1,2]`),
		"empty data":            success(`{}`),
		"an unlisted code":      rejection(777777),
		"busy":                  rejection(500001),
	})
	return answers
}

func TestBrokenAnswer_IsUnknownForCommandsAndUnavailableForQueries(t *testing.T) {
	t.Parallel()
	connect := func(t *testing.T, path string, answer http.HandlerFunc) *newmovie.Client {
		p := newProvider(t).on(path, answer)
		return clientOf(t, newmovie.Config{BaseURL: p.server.URL + "/newmovie", Operations: transport.Operations{Limit: 5 * time.Second}})
	}
	providertest.TestBrokenAnswers(t, calls(), brokenAnswers(t), "s3cret", connect)
}

// Without a token the call that needs it is not sent, so it cannot have had an effect.
func TestNoToken_IsUnavailable(t *testing.T) {
	t.Parallel()
	answers := brokenAnswers(t)
	maps.Copy(answers, map[string]http.HandlerFunc{
		"wrong secret": rejection(401004),
		"no token":     success(`{"token_type":"Bearer","expires_in":7200}`),
		"no life":      success(`{"token_type":"Bearer","access_token":"x","expires_in":0}`),
	})
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProvider(t).on("/api/oauth/token", answer)
			timeout := 5 * time.Second
			if name == providertest.Hangs {
				timeout = 150 * time.Millisecond
			}
			c := clientOf(t, newmovie.Config{BaseURL: p.server.URL + "/newmovie", Operations: transport.Operations{Limit: timeout}})
			_, err := c.Lock(t.Context(), providertest.LockRequest())
			assert.Equal(t, fault.Unavailable, fault.KindOf(err), "%v", err)
			assert.Zero(t, p.called("/api/order/lock"))
		})
	}
}

func TestNotConnected_IsUnavailableForAll(t *testing.T) {
	t.Parallel()
	without := clientOf(t, newmovie.Config{BaseURL: "http://" + providertest.ClosedAddress(t)})
	providertest.RequireUnavailable(t.Context(), t, calls(), without)

	p := newProvider(t).on("/api/order/cancel", orderAnswer("CANCELLED", ""))
	// Without kept connections: a request written to a closing connection may have arrived, and is Unknown.
	withToken := clientOf(t, newmovie.Config{
		BaseURL:    p.server.URL + "/newmovie/",
		HTTPClient: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}},
	})
	require.NoError(t, withToken.Unlock(t.Context(), "n1"))
	p.server.Close()
	providertest.RequireUnavailable(t.Context(), t, calls(), withToken)
}

func TestContextEndedBeforeSending_IsUnavailableForAll(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	providertest.RequireUnavailable(providertest.EndedContext(t), t, calls(), p.client())
	for name, call := range calls() {
		assert.Zero(t, p.called(call.Route), name)
	}
}
