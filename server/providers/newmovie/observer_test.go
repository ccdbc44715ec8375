package newmovie_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/providers/newmovie"
	"marquee/server/providers/providertest"
	"marquee/server/providers/transport"
)

// The observer is called once for an operation, also if it takes several HTTP requests. It gets the error that the
// caller gets, although every answer has status 200.
func TestObserver_GetsTheErrorOfTheOperation(t *testing.T) {
	t.Parallel()
	p := newProvider(t).on("/api/order/lock", orderAnswer("DOING", "")).
		on("/api/order/query", inTurn(orderAnswer("DOING", ""), orderAnswer("LOCK_FAILED", `,"failCode":409001`))).
		on("/api/order/cancel", orderAnswer("CANCELLED", "")).
		on("/api/ticket/token", success(`{}`))
	var operations []string
	var results []error
	c := clientOf(t, newmovie.Config{
		BaseURL: p.server.URL + "/newmovie",
		Operations: transport.Operations{Observer: func(_ context.Context, operation string, start time.Time, err error) {
			operations, results = append(operations, operation), append(results, err)
			assert.WithinDuration(t, time.Now(), start, time.Minute)
		}},
	})
	_, err := c.Lock(t.Context(), providertest.LockRequest())
	assert.ErrorIs(t, err, order.ErrSeatTaken)
	assert.NoError(t, c.Unlock(t.Context(), "n1"))
	_, pageErr := c.TicketPage(t.Context(), "n1")
	assert.ErrorIs(t, pageErr, fault.ErrBadAnswer)
	assert.Equal(t, []string{"lock", "unlock", "ticket_page"}, operations)
	assert.Equal(t, []error{err, nil, pageErr}, results)
}
