package legacygateway_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/providers/providertest"
)

const locked = `{"orderno":"n1","orderid":"G1","state":"LOCKED","amount":8400,"expiretime":1795141800}`

func TestLock_SendsTheSeatsSigned(t *testing.T) {
	t.Parallel()
	g := newGateway(t).on("seat.lock", success(locked))
	lock, err := g.client().Lock(t.Context(), providertest.LockRequest())
	require.NoError(t, err)
	assert.Equal(t, order.Lock{ProviderNo: "G1", ExpiresAt: time.Unix(1795141800, 0).UTC(), Total: 8400}, lock)

	form := g.forms[0]
	assert.Equal(t, "s1|s2", form.Get("seatids"))
	assert.Equal(t, "2026-11-20 10:00:00", form.Get("timestamp"))
	assert.Equal(t, "2.0", form.Get("v"))
	assert.Equal(t, appKey, form.Get("appkey"))
	assert.Regexp(t, `^[0-9A-F]{32}$`, form.Get("sign"))
	assert.Empty(t, form.Get("sign_method"))
}

func TestLock_AnswerOfAnotherOrderIsUnknown(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"another order":  `{"orderno":"n2","orderid":"G1","state":"LOCKED","amount":8400,"expiretime":1795141800}`,
		"another state":  `{"orderno":"n1","orderid":"G1","state":"UNLOCKED","amount":8400,"expiretime":1795141800}`,
		"no amount":      `{"orderno":"n1","orderid":"G1","state":"LOCKED","expiretime":1795141800}`,
		"negative":       `{"orderno":"n1","orderid":"G1","state":"LOCKED","amount":-1,"expiretime":1795141800}`,
		"free of charge": `{"orderno":"n1","orderid":"G1","state":"LOCKED","amount":0,"expiretime":1795141800}`,
		"no expiry":      `{"orderno":"n1","orderid":"G1","state":"LOCKED","amount":8400}`,
		"text amount":    `{"orderno":"n1","orderid":"G1","state":"LOCKED","amount":"8400","expiretime":1795141800}`,
	} {
		_, err := newGateway(t).on("seat.lock", success(data)).client().Lock(t.Context(), providertest.LockRequest())
		assert.ErrorIs(t, err, fault.ErrUnknown, name)
	}
}

func TestRejections_BecomeTheShopsFaults(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]*fault.Fault{
		"1001": fault.ErrUnavailable, "1002": fault.ErrUnavailable, "1003": fault.ErrUnavailable,
		"1004": fault.ErrUnavailable,
		"1005": fault.ErrUnavailable, "1006": fault.ErrInvalidInput, "1007": fault.ErrUnavailable,
		"2004": catalog.ErrShowNotFound, "3001": order.ErrSeatTaken, "3002": order.ErrSeatNotInMap,
		"3003": order.ErrSplitCouple,
		"3004": order.ErrTooManySeats, "3005": order.ErrSaleStopped, "4003": order.ErrOrderState,
		"4004": order.ErrOrderState,
	} {
		_, err := newGateway(t).on("seat.lock", rejection(code)).client().Lock(t.Context(), providertest.LockRequest())
		assert.ErrorIs(t, err, want, code)
		assert.ErrorContains(t, err, code, "the code is kept for the log")
	}
	_, err := newGateway(t).on("seat.lock", answer(`{"success":false,"error":{"code":"3001","msg":""},"data":[]}`)).
		client().Lock(t.Context(), providertest.LockRequest())
	require.ErrorIs(t, err, order.ErrSeatTaken, "whatever the data of a rejection is")
	_, err = newGateway(t).on("film.detail", rejection("2002")).client().Film(t.Context(), "m1")
	require.ErrorIs(t, err, catalog.ErrFilmNotFound)
	_, err = newGateway(t).on("cinema.list", rejection("2001")).client().Cinemas(t.Context(), "1", "")
	require.ErrorIs(t, err, catalog.ErrCityNotFound)
	_, _, err = newGateway(t).on("cinema.detail", rejection("2003")).client().Cinema(t.Context(), "1")
	require.ErrorIs(t, err, catalog.ErrCinemaNotFound)
	_, err = newGateway(t).on("order.query", rejection("4001")).client().Query(t.Context(), "n1")
	require.ErrorIs(t, err, order.ErrProviderOrderNotFound)
	err = newGateway(t).on("order.create", rejection("4002")).client().Issue(t.Context(), providertest.IssueRequest())
	require.ErrorIs(t, err, order.ErrAmountMismatch)
}

func TestUnlock_OfAnUnknownOrderSucceeds(t *testing.T) {
	t.Parallel()
	require.NoError(t, newGateway(t).on("seat.unlock", rejection("4001")).client().Unlock(t.Context(), "n1"))
	require.NoError(t, newGateway(t).on("seat.unlock", success(`{"orderno":"n1","state":"UNLOCKED"}`)).client().
		Unlock(t.Context(), "n1"))
	require.ErrorIs(t, newGateway(t).on("seat.unlock", rejection("4003")).client().Unlock(t.Context(), "n1"),
		order.ErrOrderState)
}

func TestIssue_ConfirmsThenRequestsTheTickets(t *testing.T) {
	t.Parallel()
	g := newGateway(t).
		on("order.create", success(`{"orderno":"n1","orderid":"G1","state":"CREATED"}`)).
		on("ticket.issue", success(`{"orderno":"n1","orderid":"G1","state":"ISSUING"}`))
	require.NoError(t, g.client().Issue(t.Context(), providertest.IssueRequest()))
	assert.Equal(t, []string{"order.create", "ticket.issue"}, g.methods())
	assert.Equal(t, "8400", g.forms[0].Get("amount"))
}

// The sale is already confirmed, so no failure of the second call proves that nothing was done.
func TestIssue_ConfirmedButFailedRequestIsUnknown(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]http.HandlerFunc{"not processed": rejection("1004"), "busy": rejection("5001")} {
		g := newGateway(t).on("order.create", success(`{"orderno":"n1","orderid":"G1","state":"CREATED"}`)).
			on("ticket.issue", h)
		err := g.client().Issue(t.Context(), providertest.IssueRequest())
		require.ErrorIs(t, err, fault.ErrUnknown, name)
		assert.Equal(t, fault.Unknown, fault.KindOf(err), name)
	}
}

// 4003 is the code both for an order whose tickets were requested before and for one whose seats are released.
func TestIssue_QueriesTheOrderAfterAStateError(t *testing.T) {
	t.Parallel()
	inState := func(state, more string) http.HandlerFunc {
		return success(`{"orderno":"n1","orderid":"G1","state":"` + state + `","amount":8400,"expiretime":1` + more +
			`}`)
	}
	for state, want := range map[string]error{
		"ISSUING": nil, "UNLOCKED": order.ErrIssueRejected, "EXPIRED": order.ErrIssueRejected,
		"FAILED": order.ErrIssueRejected, "LOCKED": fault.ErrUnknown,
	} {
		g := newGateway(t).on("order.create", rejection("4003")).on("order.query", inState(state, ""))
		assert.ErrorIs(t, g.client().Issue(t.Context(), providertest.IssueRequest()), want, state)
	}
	issued := newGateway(t).on("order.create", rejection("4003")).on("order.query", inState("ISSUED",
		`,"ticketcodeList":[{"name":"取票码","code":"1"}]`))
	require.NoError(t, issued.client().Issue(t.Context(), providertest.IssueRequest()))
	err := newGateway(t).on("order.create", rejection("4003")).on("order.query", rejection("9999")).client().
		Issue(t.Context(), providertest.IssueRequest())
	assert.Equal(t, fault.Unknown, fault.KindOf(err))
}

func TestQuery_ReadsEveryState(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]order.ProviderState{
		"LOCKED": order.ProviderLocked, "CREATED": order.ProviderLocked, "UNLOCKED": order.ProviderReleased,
		"EXPIRED": order.ProviderReleased,
		"ISSUING": order.ProviderIssuing, "ISSUED": order.ProviderIssued, "FAILED": order.ProviderIssueRejected,
	} {
		g := newGateway(t).on("order.query", success(`{"orderno":"n1","orderid":"G1","state":"`+state+`","opiid":"o1",
			"seatids":"s1|s2","amount":8400,
			"expiretime":1795141800,"ticketcodeList":[{"name":"取票码","code":"123456"}],"smscontent":"sms",
			"failreason":"why"}`))
		o, err := g.client().Query(t.Context(), "n1")
		require.NoError(t, err)
		assert.Equal(t, order.ProviderOrder{
			OrderNo: "n1", ProviderNo: "G1", State: want, Amount: money.Fen(8400),
			ExpiresAt: time.Unix(1795141800, 0).UTC(),
			Tickets:   []order.TicketCode{{Name: "取票码", Code: "123456"}}, SMS: "sms", Reason: "why",
		}, o)
	}
}

func TestQuery_RejectsInconsistentAnswers(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{
		"unknown state":          `{"orderno":"n1","orderid":"G1","state":"PAID","amount":1}`,
		"another order":          `{"orderno":"n2","orderid":"G1","state":"LOCKED","amount":1}`,
		"without orderid":        `{"orderno":"n1","state":"LOCKED","amount":1}`,
		"without amount":         `{"orderno":"n1","orderid":"G1","state":"LOCKED"}`,
		"issued without a code":  `{"orderno":"n1","orderid":"G1","state":"ISSUED","amount":1,"ticketcodeList":[]}`,
		"issued with a null one": `{"orderno":"n1","orderid":"G1","state":"ISSUED","amount":1,"ticketcodeList":[null]}`,
	} {
		_, err := newGateway(t).on("order.query", success(data)).client().Query(t.Context(), "n1")
		assert.ErrorIs(t, err, fault.ErrBadAnswer, name)
	}
}
