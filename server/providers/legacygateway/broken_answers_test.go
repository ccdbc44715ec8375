package legacygateway_test

import (
	"context"
	"maps"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"marquee/server/providers/legacygateway"
	"marquee/server/providers/providertest"
	"marquee/server/providers/transport"
)

func calls() map[string]providertest.Call[*legacygateway.Client] {
	calls := providertest.TicketSourceCalls[*legacygateway.Client](providertest.TicketSourceRoutes{
		SeatMap: "opi.seat", Query: "order.query", Lock: "seat.lock", Unlock: "seat.unlock", Issue: "order.create",
	})
	calls["film"] = providertest.Call[*legacygateway.Client]{
		Route: "film.detail", Kind: transport.Query,
		Do: func(ctx context.Context, c *legacygateway.Client) error {
			_, err := c.Film(ctx, "m1")
			return err
		},
	}
	return calls
}

func TestBrokenAnswer_IsUnknownForCommandsAndUnavailableForQueries(t *testing.T) {
	t.Parallel()
	answers := providertest.BrokenAnswers(t)
	maps.Copy(answers, map[string]http.HandlerFunc{
		"empty":                     answer(""),
		"two values":                answer(`{"success":true,"error":null,"data":{}}{}`),
		"neither success nor error": answer(`{"data":{}}`),
		"success and error":         answer(`{"success":true,"error":{"code":"1","msg":""},"data":{}}`),
		"rejection without error":   answer(`{"success":false,"error":null,"data":null}`),
		"no data":                   answer(`{"success":true,"error":null}`),
		"null data":                 success(`null`),
		"data of another shape":     success(`[1,2]`),
		"empty data":                success(`{}`),
		"an unlisted code":          rejection("7777"),
		"busy":                      rejection("5001"),
		"reload":                    rejection("9999"),
	})
	connect := func(t *testing.T, method string, answer http.HandlerFunc) *legacygateway.Client {
		return newGateway(t).on(method, answer).client()
	}
	providertest.TestBrokenAnswers(t, calls(), answers, secret, connect)
}

func TestNotConnected_IsUnavailableForAll(t *testing.T) {
	t.Parallel()
	c := clientOf(t, "http://"+providertest.ClosedAddress(t)+"/gateway")
	providertest.RequireUnavailable(t.Context(), t, calls(), c)
}

func TestContextEndedBeforeSending_IsUnavailableForAll(t *testing.T) {
	t.Parallel()
	g := newGateway(t)
	providertest.RequireUnavailable(providertest.EndedContext(t), t, calls(), g.client())
	assert.Empty(t, g.methods())
}
