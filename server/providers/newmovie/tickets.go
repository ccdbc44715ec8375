package newmovie

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/providers/ticketing"
	"marquee/server/providers/transport"
)

// orderJSON is the data of every order call. Each call sends some of the fields.
type orderJSON struct {
	OutOrderNo string                `json:"outOrderNo"` // the shop's
	OrderNo    string                `json:"orderNo"`    // the provider's
	State      string                `json:"state"`
	Amount     string                `json:"amount"`   // yuan
	ExpireAt   int64                 `json:"expireAt"` // epoch seconds
	Codes      ticketing.TicketCodes `json:"ticketCode"`
	SMS        ticketing.Text        `json:"smsContent"`
	FailReason ticketing.Text        `json:"failReason"`
	FailCode   int                   `json:"failCode"` // the error code of a lock with the state LOCK_FAILED
}

// states maps the provider's order states.
var states = map[string]order.ProviderState{
	"DOING":        order.ProviderPending,
	"LOCKED":       order.ProviderLocked,
	"LOCK_FAILED":  order.ProviderReleased,
	"CANCELLED":    order.ProviderReleased,
	"EXPIRED":      order.ProviderReleased,
	"ISSUING":      order.ProviderIssuing,
	"ISSUED":       order.ProviderIssued,
	"ISSUE_FAILED": order.ProviderIssueRejected,
}

// Lock locks the seats for 10 minutes of business time. If the provider answers DOING, it queries every Config.Poll
// until the lock is settled, and returns fault.ErrUnknown when Config.Operations.Limit or ctx ends first. It returns
// the faults of package order for seats that cannot be locked.
func (c *Client) Lock(ctx context.Context, req order.LockRequest) (_ order.Lock, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "lock")
	defer end(&err)
	if len(req.Seats) == 0 {
		return order.Lock{}, order.ErrNoSeats
	}
	type seat struct {
		ID string `json:"originSeatID"`
	}
	seats := make([]seat, len(req.Seats))
	for i, s := range req.Seats {
		seats[i].ID = s.ID
	}
	a, err := c.sendCommand(ctx, "/api/order/lock", req.OrderNo, map[string]any{
		"outOrderNo": req.OrderNo, "sessionId": req.Show.ID, "cinemaCode": req.Show.CinemaCode, "seats": seats,
		"mobile": req.Mobile,
	})
	for err == nil && a.State == "DOING" {
		a, err = c.pollLock(ctx, req.OrderNo)
	}
	if err != nil {
		return order.Lock{}, err
	}
	return a.lock()
}

// pollLock waits for Config.Poll and queries the order. A failed query is repeated until ctx ends; then the error is
// fault.ErrUnknown.
func (c *Client) pollLock(ctx context.Context, orderNo string) (orderJSON, error) {
	var queryErr error
	for {
		select {
		case <-ctx.Done():
			cause := errors.Join(ctx.Err(), queryErr)
			return orderJSON{}, fmt.Errorf("lock still DOING: %w: %w", fault.ErrUnknown, cause)
		case <-time.After(c.cfg.Poll):
		}
		var a orderJSON
		queryErr = c.get(ctx, queryPath, map[string]string{"outOrderNo": orderNo}, &a)
		if queryErr == nil {
			return a, a.check(queryPath, orderNo)
		}
	}
}

// lock converts a settled lock.
func (a orderJSON) lock() (order.Lock, error) {
	if a.State == "LOCK_FAILED" {
		rejection := codes.Rejection(transport.Command, a.FailCode, string(a.FailReason))
		if fault.KindOf(rejection) == fault.Unknown {
			rejection.Fault = fault.ErrUnavailable // the state proves that no seat is locked, whatever the code is
		}
		return order.Lock{}, fmt.Errorf("lock failed: %w", rejection)
	}
	amount, err := money.ParseFen(a.Amount)
	expires := ticketing.EpochTime(a.ExpireAt)
	if err != nil || amount <= 0 || a.OrderNo == "" || a.State != "LOCKED" || expires.IsZero() {
		return order.Lock{}, transport.Command.BadAnswer("/api/order/lock",
			fmt.Errorf("order %q in state %q with number %q, amount %q", a.OutOrderNo, a.State, a.OrderNo, a.Amount))
	}
	return order.Lock{ProviderNo: a.OrderNo, ExpiresAt: expires, Total: amount}, nil
}

// Unlock cancels the lock. It succeeds if the provider does not know the order, because such an order has no seats. It
// returns order.ErrOrderState if the sale is confirmed.
func (c *Client) Unlock(ctx context.Context, orderNo string) (err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "unlock")
	defer end(&err)
	const path = "/api/order/cancel"
	a, err := c.sendCommand(ctx, path, orderNo, map[string]string{"outOrderNo": orderNo})
	switch {
	case transport.RejectedWith(err, codeOrderNotFound):
		return nil
	case err != nil:
		return err
	case states[a.State] != order.ProviderReleased:
		return transport.Command.BadAnswer(path, fmt.Errorf("order %q in state %q", a.OutOrderNo, a.State))
	}
	return nil
}

// Issue confirms the sale, which also requests the tickets. It returns order.ErrIssueRejected if the provider cannot
// issue the tickets.
func (c *Client) Issue(ctx context.Context, req order.IssueRequest) (err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "issue")
	defer end(&err)
	const path = "/api/order/submit"
	a, err := c.sendCommand(ctx, path, req.OrderNo, map[string]string{
		"outOrderNo": req.OrderNo, "amount": req.Amount.String(), "mobile": req.Mobile,
	})
	if transport.RejectedWith(err, codeOrderState) {
		return ticketing.ResolveIssue(ctx, c.Query, req.OrderNo, err)
	}
	if err != nil {
		return err
	}
	switch states[a.State] {
	case order.ProviderIssuing, order.ProviderIssued:
		return nil
	case order.ProviderIssueRejected:
		return fmt.Errorf("submit: %w: %q", order.ErrIssueRejected, a.FailReason)
	}
	return transport.Command.BadAnswer(path, fmt.Errorf("order %q in state %q", a.OutOrderNo, a.State))
}

// sendCommand posts an order call that changes something. It fails with fault.ErrUnknown if the answer is about
// another order.
func (c *Client) sendCommand(ctx context.Context, path, orderNo string, body any) (orderJSON, error) {
	var a orderJSON
	if err := c.post(ctx, transport.Command, path, body, &a); err != nil {
		return orderJSON{}, err
	}
	return a, a.check(path, orderNo)
}

// check returns fault.ErrUnknown unless the answer is about the order.
func (a orderJSON) check(path, orderNo string) error {
	if err := ticketing.CheckID("order", orderNo, a.OutOrderNo); err != nil {
		return transport.Command.BadAnswer(path, err)
	}
	return nil
}

// queryPath is the path of the call that reads an order.
const queryPath = "/api/order/query"

// Query returns an order as the provider has it. It returns order.ErrProviderOrderNotFound if the provider does not
// know it.
func (c *Client) Query(ctx context.Context, orderNo string) (_ order.ProviderOrder, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "query")
	defer end(&err)
	params := map[string]string{"outOrderNo": orderNo}
	return query(ctx, c, queryPath, params, func(a orderJSON) (order.ProviderOrder, error) {
		state, ok := states[a.State]
		amount, err := money.ParseFen(a.Amount)
		if !ok || err != nil {
			err := fmt.Errorf("order %q in state %q with amount %q", a.OutOrderNo, a.State, a.Amount)
			return order.ProviderOrder{}, err
		}
		return ticketing.CheckOrder(orderNo, order.ProviderOrder{
			OrderNo: a.OutOrderNo, ProviderNo: a.OrderNo, State: state, Amount: amount,
			ExpiresAt: ticketing.EpochTime(a.ExpireAt), Tickets: a.Codes.Orders(), SMS: string(a.SMS),
			Reason: string(a.FailReason),
		})
	})
}

// TicketPage is the short-lived URL of the third-party page that shows a ticket.
type TicketPage struct {
	URL       string        // contains a token that is valid for this order only
	ExpiresIn time.Duration // how long the URL is valid
}

// TicketPage fetches the URL of an order's ticket page. The URL contains a token and must be shown only to the buyer.
func (c *Client) TicketPage(ctx context.Context, orderNo string) (_ TicketPage, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "ticket_page")
	defer end(&err)
	var a struct {
		Token     string `json:"token"`
		ExpiresIn int    `json:"expires_in"` // seconds
		URL       string `json:"url"`
	}
	const path = "/api/ticket/token"
	if err := c.post(ctx, transport.Query, path, map[string]string{"outOrderNo": orderNo}, &a); err != nil {
		return TicketPage{}, err
	}
	if a.Token == "" || a.URL == "" || a.ExpiresIn <= 0 {
		return TicketPage{}, transport.Query.BadAnswer(path, errors.New("answer without token, address or life"))
	}
	if err := transport.CheckAddress(a.URL); err != nil { // the app opens it in the browser
		return TicketPage{}, transport.Query.BadAnswer(path, err)
	}
	return TicketPage{URL: a.URL, ExpiresIn: time.Duration(a.ExpiresIn) * time.Second}, nil
}
