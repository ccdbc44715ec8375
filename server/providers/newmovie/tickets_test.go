package newmovie_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/providers/newmovie"
	"marquee/server/providers/providertest"
	"marquee/server/providers/transport"
)

func TestLock_SettledAtOnce(t *testing.T) {
	t.Parallel()
	p := newProvider(t).on("/api/order/lock", orderAnswer("LOCKED", ""))
	lock, err := p.client().Lock(t.Context(), providertest.LockRequest())
	require.NoError(t, err)
	assert.Equal(t, order.Lock{ProviderNo: "P1", ExpiresAt: time.Unix(1795141800, 0).UTC(), Total: 8400}, lock)
	assert.JSONEq(t, `{"outOrderNo":"n1","sessionId":"o1","cinemaCode":"cc1",
		"seats":[{"originSeatID":"s1"},{"originSeatID":"s2"}],"mobile":"13900000001"}`, p.bodies[0])
}

func TestLock_DoingIsResolvedByQuery(t *testing.T) {
	t.Parallel()
	p := newProvider(t).on("/api/order/lock", orderAnswer("DOING", "")).
		on("/api/order/query", inTurn(orderAnswer("DOING", ""), rejection(500001), answer("<html>"),
			orderAnswer("LOCKED", "")))
	lock, err := p.client().Lock(t.Context(), providertest.LockRequest())
	require.NoError(t, err)
	assert.Equal(t, "P1", lock.ProviderNo)
	assert.Equal(t, 4, p.called("/api/order/query"))
}

func TestLock_DoingThenRejected(t *testing.T) {
	t.Parallel()
	for more, want := range map[string]*fault.Fault{
		`,"failCode":409001,"failReason":"座位已被占用"`: order.ErrSeatTaken,
		`,"failCode":410001`: order.ErrSaleStopped,
		`,"failCode":999999`: fault.ErrUnavailable,
		``:                   fault.ErrUnavailable,
	} {
		p := newProvider(t).on("/api/order/lock", orderAnswer("DOING", "")).
			on("/api/order/query", orderAnswer("LOCK_FAILED", more))
		_, err := p.client().Lock(t.Context(), providertest.LockRequest())
		assert.ErrorIs(t, err, want, more)
	}
}

func TestLock_FreeOfChargeIsUnknown(t *testing.T) {
	t.Parallel()
	p := newProvider(t).on("/api/order/lock",
		success(`{"outOrderNo":"n1","orderNo":"P1","state":"LOCKED","amount":"0.00","expireAt":1795141800}`))
	_, err := p.client().Lock(t.Context(), providertest.LockRequest())
	assert.ErrorIs(t, err, fault.ErrUnknown)
}

func TestLock_StillDoingWhenTimeIsUpIsUnknown(t *testing.T) {
	t.Parallel()
	for name, query := range map[string]http.HandlerFunc{"doing": orderAnswer("DOING", ""),
		"not to be queried": rejection(500001)} {
		p := newProvider(t).on("/api/order/lock", orderAnswer("DOING", "")).on("/api/order/query", query)
		// The limit is long enough for the answer to the lock, also on a slow machine.
		c := clientOf(t, newmovie.Config{
			BaseURL: p.server.URL + "/newmovie", Operations: transport.Operations{Limit: 400 * time.Millisecond},
		})
		_, err := c.Lock(t.Context(), providertest.LockRequest())
		require.ErrorIs(t, err, fault.ErrUnknown, name)

		ctx, cancel := context.WithCancel(t.Context())
		p = newProvider(t).on("/api/order/lock", orderAnswer("DOING", "")).
			on("/api/order/query", func(w http.ResponseWriter, r *http.Request) {
				cancel()
				query(w, r)
			})
		_, err = p.client().Lock(ctx, providertest.LockRequest())
		cancel()
		assert.Equal(t, fault.Unknown, fault.KindOf(err), name)
	}
}

func TestRejections_BecomeTheShopsFaults(t *testing.T) {
	t.Parallel()
	for code, want := range map[int]*fault.Fault{
		400001: fault.ErrInvalidInput, 401001: fault.ErrUnavailable, 404003: catalog.ErrShowNotFound,
		409001: order.ErrSeatTaken, 409002: order.ErrOrderState,
		409004: order.ErrOrderState, 410001: order.ErrSaleStopped, 422001: order.ErrSeatNotInMap,
		422002: order.ErrMixedAreas,
		422003: order.ErrSplitCouple, 422004: order.ErrTooManySeats, 429001: fault.ErrUnavailable,
	} {
		_, err := newProvider(t).on("/api/order/lock", rejection(code)).client().
			Lock(t.Context(), providertest.LockRequest())
		assert.ErrorIs(t, err, want, code)
	}
	_, err := newProvider(t).on("/api/movie/movie_detail", rejection(404001)).client().Film(t.Context(), "m1")
	require.ErrorIs(t, err, catalog.ErrFilmNotFound)
	_, err = newProvider(t).on("/api/movie/cinemas", rejection(404005)).client().Cinemas(t.Context(), "1", "")
	require.ErrorIs(t, err, catalog.ErrCityNotFound)
	_, err = newProvider(t).on("/api/movie/cinema_shows", rejection(404002)).client().CinemaShows(t.Context(), "1", "")
	require.ErrorIs(t, err, catalog.ErrCinemaNotFound)
	_, err = newProvider(t).on("/api/order/query", rejection(404004)).client().Query(t.Context(), "n1")
	require.ErrorIs(t, err, order.ErrProviderOrderNotFound)
	err = newProvider(t).on("/api/order/submit", rejection(409003)).client().
		Issue(t.Context(), providertest.IssueRequest())
	require.ErrorIs(t, err, order.ErrAmountMismatch)
}

func TestUnlock_OfAnUnknownOrderSucceeds(t *testing.T) {
	t.Parallel()
	unlock := func(h http.HandlerFunc) error {
		return newProvider(t).on("/api/order/cancel", h).client().Unlock(t.Context(), "n1")
	}
	require.NoError(t, unlock(rejection(404004)))
	require.NoError(t, unlock(orderAnswer("CANCELLED", "")))
	require.NoError(t, unlock(orderAnswer("EXPIRED", "")))
	require.ErrorIs(t, unlock(rejection(409002)), order.ErrOrderState)
	require.ErrorIs(t, unlock(orderAnswer("LOCKED", "")), fault.ErrUnknown, "the seats are still locked")
}

func TestIssue_BySubmittedState(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]error{
		"ISSUING": nil, "ISSUED": nil, "ISSUE_FAILED": order.ErrIssueRejected, "LOCKED": fault.ErrUnknown,
		"DOING": fault.ErrUnknown, "WHAT": fault.ErrUnknown,
	} {
		p := newProvider(t).on("/api/order/submit", orderAnswer(state, ""))
		assert.ErrorIs(t, p.client().Issue(t.Context(), providertest.IssueRequest()), want, state)
		assert.JSONEq(t, `{"outOrderNo":"n1","amount":"84.00","mobile":"13900000001"}`, p.bodies[0])
	}
}

// 409002 is the code both for an order whose tickets were requested before and for one whose seats are released.
func TestIssue_QueriesTheOrderAfterAStateError(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]error{
		"ISSUING": nil, "CANCELLED": order.ErrIssueRejected, "EXPIRED": order.ErrIssueRejected,
		"ISSUE_FAILED": order.ErrIssueRejected, "LOCKED": fault.ErrUnknown,
	} {
		p := newProvider(t).on("/api/order/submit", rejection(409002)).on("/api/order/query", orderAnswer(state, ""))
		assert.ErrorIs(t, p.client().Issue(t.Context(), providertest.IssueRequest()), want, state)
	}
	p := newProvider(t).on("/api/order/submit", rejection(409002)).on("/api/order/query", rejection(500001))
	assert.Equal(t, fault.Unknown, fault.KindOf(p.client().Issue(t.Context(), providertest.IssueRequest())))
}

func TestQuery_ReadsEveryState(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]order.ProviderState{
		"DOING": order.ProviderPending, "LOCKED": order.ProviderLocked, "LOCK_FAILED": order.ProviderReleased,
		"CANCELLED": order.ProviderReleased,
		"EXPIRED":   order.ProviderReleased, "ISSUING": order.ProviderIssuing, "ISSUED": order.ProviderIssued,
		"ISSUE_FAILED": order.ProviderIssueRejected,
	} {
		p := newProvider(t).on("/api/order/query", orderAnswer(state, `,"ticketCode":[{"name":"取票码",
			"code":"123456"}],
			"smsContent":"sms","failReason":"why"`))
		o, err := p.client().Query(t.Context(), "n1")
		require.NoError(t, err)
		assert.Equal(t, order.ProviderOrder{
			OrderNo: "n1", ProviderNo: "P1", State: want, Amount: 8400, ExpiresAt: time.Unix(1795141800, 0).UTC(),
			Tickets: []order.TicketCode{{Name: "取票码", Code: "123456"}}, SMS: "sms", Reason: "why",
		}, o)
	}
	p := newProvider(t).on("/api/order/query", orderAnswer("ISSUE_FAILED", `,"ticketCode":[{"name":"取\\u0000票码",
		"code":"123456"}],"smsContent":"s`+"\xff"+`ms","failReason":"影院\u0000故障"`))
	o, err := p.client().Query(t.Context(), "n1")
	require.NoError(t, err)
	assert.Equal(t, "影院\uFFFD故障", o.Reason, "only the characters that are not text are replaced")
	assert.Equal(t, "s\uFFFDms", o.SMS)
	assert.Equal(t, `取\u0000票码`, o.Tickets[0].Name, "an escaped backslash")
	for name, data := range map[string]string{
		"unknown state":         `{"outOrderNo":"n1","orderNo":"P1","state":"PAID","amount":"1.00"}`,
		"another order":         `{"outOrderNo":"n2","orderNo":"P1","state":"LOCKED","amount":"1.00"}`,
		"without number":        `{"outOrderNo":"n1","state":"LOCKED","amount":"1.00"}`,
		"three decimals":        `{"outOrderNo":"n1","orderNo":"P1","state":"LOCKED","amount":"1.001"}`,
		"issued without a code": `{"outOrderNo":"n1","orderNo":"P1","state":"ISSUED","amount":"1.00","ticketCode":[]}`,
		"an empty code": `{"outOrderNo":"n1","orderNo":"P1","state":"ISSUED","amount":"1.00",
			"ticketCode":[{}]}`,
	} {
		_, err := newProvider(t).on("/api/order/query", success(data)).client().Query(t.Context(), "n1")
		assert.ErrorIs(t, err, fault.ErrBadAnswer, name)
	}
}

func TestTicketPage_IsShortLived(t *testing.T) {
	t.Parallel()
	p := newProvider(t).on("/api/ticket/token",
		success(`{"token":"x","expires_in":300,"url":"https://tickets.example/x"}`))
	page, err := p.client().TicketPage(t.Context(), "n1")
	require.NoError(t, err)
	require.Len(t, p.bodies, 1)
	assert.JSONEq(t, `{"outOrderNo":"n1"}`, p.bodies[0])
	assert.Equal(t, newmovie.TicketPage{URL: "https://tickets.example/x", ExpiresIn: 5 * time.Minute}, page)
}

// The app opens the URL, so it must not be a script or a file.
func TestTicketPage_IsAnHTTPAddress(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"javascript:alert(1)", "data:text/html,x", "//evil.example", "/x",
		"file:///etc/passwd", "https:", "ht tp://x"} {
		_, err := newProvider(t).on("/api/ticket/token", success(`{"token":"x","expires_in":300,"url":"`+url+`"}`)).
			client().TicketPage(t.Context(), "n1")
		require.ErrorIs(t, err, fault.ErrBadAnswer, url)
	}
}
