package legacygateway

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"marquee/server/booking"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/orders"
)

type orderAnswer struct {
	OrderNo    string       `json:"orderno"`
	OrderID    string       `json:"orderid"`
	State      string       `json:"state"`
	Amount     *int64       `json:"amount"` // fen
	ExpireTime int64        `json:"expiretime"`
	Codes      []ticketCode `json:"ticketcodeList"`
	SMS        string       `json:"smscontent"`
	FailReason string       `json:"failreason"`
}

type ticketCode struct {
	Name string `json:"name"`
	Code string `json:"code"`
}

// states are the gateway's order states. CREATED is confirmed but without a ticket.issue it stays so for ever:
// to the shop it is a lock whose Issue has to be sent (again).
var states = map[string]orders.ProviderState{
	"LOCKED":   orders.ProviderLocked,
	"CREATED":  orders.ProviderLocked,
	"UNLOCKED": orders.ProviderReleased,
	"EXPIRED":  orders.ProviderReleased,
	"ISSUING":  orders.ProviderIssuing,
	"ISSUED":   orders.ProviderIssued,
	"FAILED":   orders.ProviderIssueRefused,
}

// Lock holds the seats for 15 minutes of business time. The same number with the same seats is the same lock.
func (c *Client) Lock(ctx context.Context, req orders.LockRequest) (orders.Lock, error) {
	if len(req.Seats) == 0 {
		return orders.Lock{}, booking.ErrNoSeats
	}
	ids := make([]string, len(req.Seats))
	for i, s := range req.Seats {
		ids[i] = s.ID
	}
	var a orderAnswer
	err := c.do(ctx, acts, "seat.lock", map[string]string{
		"orderno": req.OrderNo, "opiid": req.Show.ID, "seatids": strings.Join(ids, "|"), "mobile": req.Mobile,
	}, &a)
	if err != nil {
		return orders.Lock{}, err
	}
	if a.OrderNo != req.OrderNo || a.OrderID == "" || a.State != "LOCKED" || a.Amount == nil || *a.Amount < 0 || a.ExpireTime <= 0 {
		return orders.Lock{}, fmt.Errorf("seat.lock: answer names order %q in state %q: %w", a.OrderNo, a.State, fault.ErrUnknown)
	}
	return orders.Lock{ProviderNo: a.OrderID, ExpiresAt: time.Unix(a.ExpireTime, 0).UTC(), Total: money.Fen(*a.Amount)}, nil
}

// Unlock gives the seats back. An order the gateway never heard of holds none: that is success too. It fails
// with orders.ErrOrderState once the sale is confirmed.
func (c *Client) Unlock(ctx context.Context, orderNo string) error {
	var a orderAnswer
	err := c.do(ctx, acts, "seat.unlock", map[string]string{"orderno": orderNo}, &a)
	switch {
	case refusedWith(err, "4001"):
		return nil
	case err != nil:
		return err
	case a.OrderNo != orderNo || a.State != "UNLOCKED":
		return fmt.Errorf("seat.unlock: answer names order %q in state %q: %w", a.OrderNo, a.State, fault.ErrUnknown)
	}
	return nil
}

// Issue confirms the sale and asks for the tickets, two calls that are each idempotent. When the first went
// through and the second was not heard of, the outcome is unknown: Query still says ProviderLocked, and
// Issue is to be called again.
func (c *Client) Issue(ctx context.Context, req orders.IssueRequest) error {
	var a orderAnswer
	err := c.do(ctx, acts, "order.create", map[string]string{
		"orderno": req.OrderNo, "amount": strconv.FormatInt(int64(req.Amount), 10), "mobile": req.Mobile,
	}, &a)
	switch {
	case refusedWith(err, "4003"):
		return c.issueState(ctx, req.OrderNo, err)
	case err != nil:
		return err
	case a.OrderNo != req.OrderNo:
		return fmt.Errorf("order.create: answer names order %q: %w", a.OrderNo, fault.ErrUnknown)
	}
	err = c.do(ctx, acts, "ticket.issue", map[string]string{"orderno": req.OrderNo}, &a)
	switch {
	case refusedWith(err, "4003"):
		return c.issueState(ctx, req.OrderNo, err)
	case err != nil && fault.KindOf(err) == fault.Unavailable:
		return fmt.Errorf("sale confirmed, tickets not asked for: %w: %w", fault.ErrUnknown, err)
	case err != nil:
		return err
	case a.OrderNo != req.OrderNo:
		return fmt.Errorf("ticket.issue: answer names order %q: %w", a.OrderNo, fault.ErrUnknown)
	}
	return nil
}

// issueState finds out what "order state does not allow it" means: tickets already on their way are a
// success, seats that are gone are a refusal.
func (c *Client) issueState(ctx context.Context, orderNo string, cause error) error {
	o, err := c.Query(ctx, orderNo)
	if err != nil {
		return fmt.Errorf("%w: refused (%v), then not to be queried: %w", fault.ErrUnknown, cause, err)
	}
	switch o.State {
	case orders.ProviderIssuing, orders.ProviderIssued:
		return nil
	case orders.ProviderReleased, orders.ProviderIssueRefused:
		return fmt.Errorf("%w: %w", orders.ErrIssueRefused, cause)
	}
	return fmt.Errorf("%w: refused although the seats are locked: %w", fault.ErrUnknown, cause)
}

// Query tells what the gateway knows of an order.
func (c *Client) Query(ctx context.Context, orderNo string) (orders.ProviderOrder, error) {
	var a orderAnswer
	if err := c.do(ctx, reads, "order.query", map[string]string{"orderno": orderNo}, &a); err != nil {
		return orders.ProviderOrder{}, err
	}
	o, err := a.order(orderNo)
	if err != nil {
		return orders.ProviderOrder{}, fmt.Errorf("order.query: %w: %w", fault.ErrBadAnswer, err)
	}
	return o, nil
}

func (a orderAnswer) order(orderNo string) (orders.ProviderOrder, error) {
	state, ok := states[a.State]
	switch {
	case !ok:
		return orders.ProviderOrder{}, fmt.Errorf("unknown state %q", a.State)
	case a.OrderNo != orderNo:
		return orders.ProviderOrder{}, fmt.Errorf("asked for order %q, got %q", orderNo, a.OrderNo)
	case a.OrderID == "":
		return orders.ProviderOrder{}, fmt.Errorf("order %q without orderid", orderNo)
	case a.Amount == nil || *a.Amount < 0:
		return orders.ProviderOrder{}, fmt.Errorf("order %q without amount", orderNo)
	}
	codes, err := tickets(state, a.Codes)
	if err != nil {
		return orders.ProviderOrder{}, err
	}
	o := orders.ProviderOrder{
		OrderNo: a.OrderNo, ProviderNo: a.OrderID, State: state, Amount: money.Fen(*a.Amount),
		Tickets: codes, SMS: a.SMS, Reason: a.FailReason,
	}
	if a.ExpireTime > 0 {
		o.ExpiresAt = time.Unix(a.ExpireTime, 0).UTC()
	}
	return o, nil
}

// tickets checks that an issued order has codes and that each can be shown at the cinema.
func tickets(state orders.ProviderState, list []ticketCode) ([]orders.TicketCode, error) {
	if state == orders.ProviderIssued && len(list) == 0 {
		return nil, fmt.Errorf("issued without a ticket code")
	}
	var codes []orders.TicketCode
	for _, t := range list {
		if t.Code == "" {
			return nil, fmt.Errorf("ticket code %q is empty", t.Name)
		}
		codes = append(codes, orders.TicketCode{Name: t.Name, Code: t.Code})
	}
	return codes, nil
}
