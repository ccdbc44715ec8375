package preset_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/preset"
)

// order is an order of GET /sim/v1/orders.
type order struct {
	Kind   string `json:"kind"`
	No     string `json:"no"`
	State  string `json:"state"`
	Amount int64  `json:"amount_fen"`
	Ticket *struct {
		Showing struct {
			ID string `json:"id"`
		} `json:"showing"`
		SeatIDs []string `json:"seat_ids"`
		Mobile  string   `json:"mobile"`
		Codes   []any    `json:"codes"`
		Reason  string   `json:"reason"`
	} `json:"ticket"`
	Refund *struct {
		OutTradeNo string `json:"out_trade_no"`
	} `json:"refund"`
}

// read decodes an answer of the control API.
func read(t *testing.T, s *simulators.Simulators, path string, into any) {
	t.Helper()
	response, err := http.Get(s.URL() + "/sim/v1" + path)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, string(text))
	require.NoError(t, json.Unmarshal(text, into), string(text))
}

// ordersOf returns the orders of a world by kind.
func ordersOf(t *testing.T, s *simulators.Simulators, world string) map[string]order {
	t.Helper()
	var answer struct {
		Orders []order `json:"orders"`
	}
	read(t, s, "/orders?world="+world, &answer)
	byKind := map[string]order{}
	for _, o := range answer.Orders {
		byKind[o.Kind] = o
	}
	require.Len(t, byKind, len(answer.Orders), "one order of each kind")
	return byKind
}

// seatStates returns the states of an order's seats in the hall.
func seatStates(t *testing.T, s *simulators.Simulators, world string, o order) (states []string) {
	t.Helper()
	var hall struct {
		Seats []struct {
			ID    string `json:"id"`
			State string `json:"state"`
		} `json:"seats"`
	}
	read(t, s, "/showings/"+o.Ticket.Showing.ID+"/seats?world="+world, &hall)
	for _, id := range o.Ticket.SeatIDs {
		for _, seat := range hall.Seats {
			if seat.ID == id {
				states = append(states, seat.State)
			}
		}
	}
	return states
}

func TestPreset_TicketsOfBothProvidersInEveryState(t *testing.T) {
	t.Parallel()
	s := simulators.StartForTest(t)
	for _, provider := range []string{"gateway", "newmovie"} {
		for _, c := range []struct {
			state, inOffice, seats, payment, refund string
			codes                                   bool
		}{
			{state: "held", inOffice: "held", seats: "locked", payment: "NOTPAY"},
			{state: "issued", inOffice: "issued", seats: "sold", payment: "SUCCESS", codes: true},
			{state: "issue-refused", inOffice: "issue-refused", seats: "free", payment: "SUCCESS"},
			{state: "refunded", inOffice: "issue-refused", seats: "free", payment: "REFUND", refund: "PROCESSING"},
		} {
			world := provider + "-" + c.state
			reason := ""
			if c.inOffice == "issue-refused" {
				reason = ", reason: 影院停电"
			}
			text := fmt.Sprintf(`worlds:
  - id: %s
    create: {frozen: true}
    tickets:
      - {provider: %s, number: TICKET-1, state: %s, seats: 2, mobile: "13900000008", openid: oMarqueeDemo_bound_0001,
         notify_url: "http://127.0.0.1:1/notify"%s}
`, world, provider, c.state, reason)
			require.NoError(t, preset.Apply(s, "p.yaml", []byte(text)), world)
			orders := ordersOf(t, s, world)
			bought := orders["ticket"]
			require.Equal(t, "TICKET-1", bought.No, world)
			require.Equal(t, c.inOffice, bought.State, world)
			require.Equal(t, "13900000008", bought.Ticket.Mobile)
			require.Equal(t, []string{c.seats, c.seats}, seatStates(t, s, world, bought), world)
			require.Equal(t, c.codes, len(bought.Ticket.Codes) > 0, world)
			if reason != "" {
				require.Equal(t, "影院停电", bought.Ticket.Reason)
			}
			require.Equal(t, c.payment, orders["payment"].State, world)
			require.Equal(t, bought.Amount, orders["payment"].Amount, "the payment is of the price of the seats")
			require.Equal(t, c.refund, orders["refund"].State, world)
			require.Empty(t, s.ByID(world).Faults().Faults(), "the fault that rejected the tickets is gone")
		}
	}
}

// The first showings of the next day begin so soon after midnight that their sale ends before midnight.
func TestPreset_TicketsShortlyBeforeMidnight(t *testing.T) {
	t.Parallel()
	s := simulators.StartForTest(t)
	for _, provider := range []string{"gateway", "newmovie"} {
		for _, day := range []string{"2026-11-26", "2026-11-27", "2026-11-28"} {
			world := provider + "-" + day
			text := fmt.Sprintf(`worlds:
  - id: %s
    create: {frozen: true, now: "%sT23:58:00+08:00"}
    tickets:
      - {provider: %s, number: TICKET-1, state: issued, seats: 2, mobile: "13900000008",
         openid: oMarqueeDemo_bound_0001, notify_url: "http://127.0.0.1:1/notify"}
`, world, day, provider)
			require.NoError(t, preset.Apply(s, "p.yaml", []byte(text)), world)
			require.Equal(t, "issued", ordersOf(t, s, world)["ticket"].State)
		}
	}
}

func TestPreset_TheGatewayPushesTheTicketsOfAnOrder(t *testing.T) {
	t.Parallel()
	s := simulators.StartForTest(t)
	pushed := make(chan string, 10)
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pushed <- r.FormValue("orderno")
	}))
	t.Cleanup(shop.Close)
	text := `worlds:
  - id: pushes
    create: {push_url: "` + shop.URL + `"}
    tickets: [{provider: gateway, number: T-3, state: issued}]
`
	require.NoError(t, preset.Apply(s, "p.yaml", []byte(text)))
	select {
	case number := <-pushed:
		require.Equal(t, "T-3", number)
	case <-time.After(20 * time.Second):
		require.Fail(t, "no push reached the shop")
	}
}

// For an order that is made by calls, this mobile number has the effect that the tickets are rejected.
func TestPreset_AMagicMobileDoesNotChangeATicket(t *testing.T) {
	t.Parallel()
	s := simulators.StartForTest(t)
	require.NoError(t, preset.Apply(s, "p.yaml", []byte("worlds:\n  - tickets:\n      - {provider: gateway, number: T-4, "+
		"state: issued, mobile: \"13900001003\"}\n")))
	require.Equal(t, "issued", ordersOf(t, s, "default")["ticket"].State)
}

func TestPreset_ATicketWithoutAPaymentAtAChosenShowing(t *testing.T) {
	t.Parallel()
	s := simulators.StartForTest(t)
	var found struct {
		Showings []struct {
			ID       string `json:"id"`
			Sellable bool   `json:"sellable"`
		} `json:"showings"`
		Days []string `json:"days"`
	}
	read(t, s, "/showings?provider=gateway&city=310100&limit=1", &found)
	read(t, s, "/showings?provider=gateway&city=310100&limit=1&day="+found.Days[2], &found)
	require.NoError(t, preset.Apply(s, "p.yaml", []byte("worlds:\n  - tickets:\n      - {provider: gateway, number: T-2, "+
		"state: issued, showing: \""+found.Showings[0].ID+"\"}\n")))
	orders := ordersOf(t, s, "default")
	require.Len(t, orders, 1)
	require.Equal(t, found.Showings[0].ID, orders["ticket"].Ticket.Showing.ID)
}

func TestPreset_WhatIsWrongWithATicketIsNamedWithItsLine(t *testing.T) {
	t.Parallel()
	const one = "worlds:\n  - tickets:\n      - "
	for text, want := range map[string]string{
		one + "{provider: sms, number: A, state: held}":                    `p.yaml:3: ticket A: provider is "sms"; valid: gateway, newmovie`,
		one + "{provider: gateway, number: A, state: ISSUED}":              `p.yaml:3: ticket A: state is "ISSUED"; valid: held, issued, issue-refused, refunded`,
		one + "{provider: gateway, number: A, state: held, seats: 5}":      `p.yaml:3: ticket A: seats is 5 and must be from 1 to 4`,
		one + "{provider: gateway, number: A, state: refunded}":            `p.yaml:3: ticket A: refunded needs openid`,
		one + "{provider: gateway, number: A, state: held, reason: x}":     `p.yaml:3: ticket A: reason would not change held`,
		one + "{provider: gateway, number: A, state: held, showing: '1'}":  `p.yaml:3: ticket A: no showing 1 of gateway`,
		one + "{provider: gateway, state: held}":                           `p.yaml:3: ticket : number is "" and must be`,
		one + "{provider: newmovie, number: 票, state: held}":               `p.yaml:3: ticket 票: number is "票" and must be`,
		one + "{provider: gateway, number: A, state: held, mobile: '12'}":  `p.yaml:3: ticket A: mobile is "12" and must be`,
		one + "{provider: gateway, number: A, state: held, seats: two}":    "p.yaml:3: a whole number is needed, not `two`",
		one + "{provider: gateway, number: A, state: held, color: red}":    `p.yaml:3: unknown field color; valid: provider, number, state, showing`,
		one + "{provider: newmovie, number: A, state: held, openid: nope}": `p.yaml:3: ticket A: PARAM_ERROR: `,
	} {
		require.ErrorContains(t, preset.Apply(simulators.StartForTest(t), "p.yaml", []byte(text)), want, text)
	}
}
