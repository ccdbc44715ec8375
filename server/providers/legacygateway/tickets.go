package legacygateway

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/providers/ticketing"
	"marquee/server/providers/transport"
)

// orderJSON is the data of every order method. Each method sends some of the fields.
type orderJSON struct {
	OrderNo    string                `json:"orderno"` // the shop's
	OrderID    string                `json:"orderid"` // the gateway's
	State      string                `json:"state"`
	Amount     *int64                `json:"amount"`     // fen
	ExpireTime int64                 `json:"expiretime"` // epoch seconds
	Codes      ticketing.TicketCodes `json:"ticketcodeList"`
	SMS        ticketing.Text        `json:"smscontent"`
	FailReason ticketing.Text        `json:"failreason"`
}

// states maps the gateway's order states. An order stays CREATED until ticket.issue: for the shop it is locked, and
// Issue must be called again.
var states = map[string]order.ProviderState{
	"LOCKED":   order.ProviderLocked,
	"CREATED":  order.ProviderLocked,
	"UNLOCKED": order.ProviderReleased,
	"EXPIRED":  order.ProviderReleased,
	"ISSUING":  order.ProviderIssuing,
	"ISSUED":   order.ProviderIssued,
	"FAILED":   order.ProviderIssueRejected,
}

// seatSeparator separates the ids in seat.lock's seatids.
const seatSeparator = "|"

// Lock locks the seats for 15 minutes of business time. Repeating it with the same order number and seats returns the
// same lock. It returns the faults of package order for seats that cannot be locked.
func (c *Client) Lock(ctx context.Context, req order.LockRequest) (_ order.Lock, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "lock")
	defer end(&err)
	if len(req.Seats) == 0 {
		return order.Lock{}, order.ErrNoSeats
	}
	ids := make([]string, len(req.Seats))
	for i, s := range req.Seats {
		ids[i] = s.ID
	}
	a, err := c.sendCommand(ctx, "seat.lock", req.OrderNo, map[string]string{
		"opiid": req.Show.ID, "seatids": strings.Join(ids, seatSeparator), "mobile": req.Mobile,
	})
	if err != nil {
		return order.Lock{}, err
	}
	expires := ticketing.EpochTime(a.ExpireTime)
	if a.OrderID == "" || a.State != "LOCKED" || a.Amount == nil || *a.Amount <= 0 || expires.IsZero() {
		return order.Lock{}, transport.Command.BadAnswer("seat.lock",
			fmt.Errorf("order %q in state %q without id, amount or expiry", a.OrderNo, a.State))
	}
	return order.Lock{ProviderNo: a.OrderID, ExpiresAt: expires, Total: money.Fen(*a.Amount)}, nil
}

// Unlock releases the seats. It succeeds if the gateway does not know the order, because such an order has no seats. It
// returns order.ErrOrderState if the sale is confirmed.
func (c *Client) Unlock(ctx context.Context, orderNo string) (err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "unlock")
	defer end(&err)
	a, err := c.sendCommand(ctx, "seat.unlock", orderNo, nil)
	switch {
	case transport.RejectedWith(err, codeOrderNotFound):
		return nil
	case err != nil:
		return err
	case a.State != "UNLOCKED":
		return transport.Command.BadAnswer("seat.unlock", fmt.Errorf("order %q in state %q", a.OrderNo, a.State))
	}
	return nil
}

// Issue confirms the sale and requests the tickets, in two calls that may each be repeated. It returns
// order.ErrIssueRejected if the seats are gone. If the second call fails, the error is fault.ErrUnknown, even if that
// call was not sent: Query then reports order.ProviderLocked, and the caller calls Issue again.
func (c *Client) Issue(ctx context.Context, req order.IssueRequest) (err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "issue")
	defer end(&err)
	_, err = c.sendCommand(ctx, "order.create", req.OrderNo, map[string]string{
		"amount": strconv.FormatInt(int64(req.Amount), 10), "mobile": req.Mobile,
	})
	if err == nil {
		_, err = c.sendCommand(ctx, "ticket.issue", req.OrderNo, nil)
		if fault.KindOf(err) == fault.Unavailable {
			err = fmt.Errorf("sale confirmed, tickets not requested: %w: %w", fault.ErrUnknown, err)
		}
	}
	if transport.RejectedWith(err, codeOrderState) {
		return ticketing.ResolveIssue(ctx, c.Query, req.OrderNo, err)
	}
	return err
}

// sendCommand calls an order method that changes something. It fails with fault.ErrUnknown if the answer is about
// another order.
func (c *Client) sendCommand(ctx context.Context, method, orderNo string, fields map[string]string) (orderJSON, error) {
	all := map[string]string{"orderno": orderNo}
	maps.Copy(all, fields)
	var a orderJSON
	if err := c.call(ctx, transport.Command, method, all, &a); err != nil {
		return orderJSON{}, err
	}
	if err := ticketing.CheckID("order", orderNo, a.OrderNo); err != nil {
		return orderJSON{}, transport.Command.BadAnswer(method, err)
	}
	return a, nil
}

// Query returns an order as the gateway has it. It returns order.ErrProviderOrderNotFound if the gateway does not know
// it.
func (c *Client) Query(ctx context.Context, orderNo string) (_ order.ProviderOrder, err error) {
	ctx, end := c.cfg.Operations.Begin(ctx, "query")
	defer end(&err)
	fields := map[string]string{"orderno": orderNo}
	return query(ctx, c, "order.query", fields, func(a orderJSON) (order.ProviderOrder, error) {
		state, ok := states[a.State]
		if !ok {
			return order.ProviderOrder{}, fmt.Errorf("unknown state %q", a.State)
		}
		if a.Amount == nil || *a.Amount < 0 {
			return order.ProviderOrder{}, errors.New("order without amount")
		}
		return ticketing.CheckOrder(orderNo, order.ProviderOrder{
			OrderNo: a.OrderNo, ProviderNo: a.OrderID, State: state, Amount: money.Fen(*a.Amount),
			ExpiresAt: ticketing.EpochTime(a.ExpireTime), Tickets: a.Codes.Orders(), SMS: string(a.SMS),
			Reason: string(a.FailReason),
		})
	})
}
