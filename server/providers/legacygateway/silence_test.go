package legacygateway_test

import (
	"context"
	"marquee/server/order"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/providers/legacygateway"
)

// operation is one call with the gateway method it sends.
type operation struct {
	method string
	acts   bool
	do     func(context.Context, *legacygateway.Client) error
}

func operations() map[string]operation {
	return map[string]operation{
		"seat map": {"opi.seat", false, func(ctx context.Context, c *legacygateway.Client) error {
			_, err := c.SeatMap(ctx, "o1")
			return err
		}},
		"query": {"order.query", false, func(ctx context.Context, c *legacygateway.Client) error {
			_, err := c.Query(ctx, "n1")
			return err
		}},
		"film": {"film.detail", false, func(ctx context.Context, c *legacygateway.Client) error {
			_, err := c.Film(ctx, "m1")
			return err
		}},
		"lock": {"seat.lock", true, func(ctx context.Context, c *legacygateway.Client) error {
			_, err := c.Lock(ctx, lockRequest())
			return err
		}},
		"unlock": {"seat.unlock", true, func(ctx context.Context, c *legacygateway.Client) error { return c.Unlock(ctx, "n1") }},
		"issue":  {"order.create", true, func(ctx context.Context, c *legacygateway.Client) error { return c.Issue(ctx, issueRequest()) }},
	}
}

func lockRequest() order.LockRequest {
	return order.LockRequest{
		OrderNo: "n1", Show: catalog.Show{ID: "o1"}, Seats: []catalog.Seat{{ID: "s1"}, {ID: "s2"}}, Mobile: "13900000001",
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
				err := op.do(ctx, newGateway(t).on(op.method, func(w http.ResponseWriter, r *http.Request) {
					if name == "hangs" {
						cancel() // whoever waits gives up once the request is there
					}
					silence(w, r)
				}).client())
				require.Error(t, err)
				want := fault.Unavailable
				if op.acts {
					want = fault.Unknown
				}
				assert.Equal(t, want, fault.KindOf(err), err.Error())
				assert.NotContains(t, err.Error(), secret)
			})
		}
	}
}

func TestNobodyListens_IsUnavailableForAll(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	for name, op := range operations() {
		assert.ErrorIs(t, op.do(t.Context(), clientOf(t, "http://"+l.Addr().String()+"/gateway")), fault.ErrUnavailable, name)
	}
}

func TestContextEndedBeforeSending_IsUnavailable(t *testing.T) {
	t.Parallel()
	g := newGateway(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, op := range operations() {
		assert.Equal(t, fault.Unavailable, fault.KindOf(op.do(ctx, g.client())), name)
	}
	assert.Empty(t, g.asked())
}
