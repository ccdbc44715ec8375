package newmovie

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/booking"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/orders"
	"marquee/server/providers/transport"
)

type orderAnswer struct {
	OutOrderNo string       `json:"outOrderNo"` // ours
	OrderNo    string       `json:"orderNo"`    // the provider's
	State      string       `json:"state"`
	Amount     string       `json:"amount"` // yuan
	ExpireAt   int64        `json:"expireAt"`
	Codes      []ticketCode `json:"ticketCode"`
	SMS        string       `json:"smsContent"`
	FailReason string       `json:"failReason"`
	FailCode   int          `json:"failCode"`
}

type ticketCode struct {
	Name string `json:"name"`
	Code string `json:"code"`
}

var states = map[string]orders.ProviderState{
	"DOING":        orders.ProviderPending,
	"LOCKED":       orders.ProviderLocked,
	"LOCK_FAILED":  orders.ProviderReleased,
	"CANCELLED":    orders.ProviderReleased,
	"EXPIRED":      orders.ProviderReleased,
	"ISSUING":      orders.ProviderIssuing,
	"ISSUED":       orders.ProviderIssued,
	"ISSUE_FAILED": orders.ProviderIssueRefused,
}

// Lock holds the seats for 10 minutes of business time. A DOING answer is resolved by query until ctx ends.
func (c *Client) Lock(ctx context.Context, req orders.LockRequest) (orders.Lock, error) {
	if len(req.Seats) == 0 {
		return orders.Lock{}, booking.ErrNoSeats
	}
	type seat struct {
		ID string `json:"originSeatID"`
	}
	seats := make([]seat, len(req.Seats))
	for i, s := range req.Seats {
		seats[i].ID = s.ID
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.LockWait)
	defer cancel()
	var a orderAnswer
	err := c.post(ctx, acts, "/api/order/lock", map[string]any{
		"outOrderNo": req.OrderNo, "sessionId": req.Show.ID, "cinemaCode": req.Show.CinemaCode, "seats": seats, "mobile": req.Mobile,
	}, &a)
	if err != nil {
		return orders.Lock{}, err
	}
	for a.State == "DOING" && a.OutOrderNo == req.OrderNo {
		if a, err = c.later(ctx, req.OrderNo); err != nil {
			return orders.Lock{}, err
		}
	}
	return a.lock(req.OrderNo)
}

// later waits a moment and queries. A query that fails says nothing about the lock: it is asked again until ctx ends.
func (c *Client) later(ctx context.Context, orderNo string) (orderAnswer, error) {
	wait := time.NewTimer(c.cfg.Poll)
	defer wait.Stop()
	var last error
	for {
		select {
		case <-ctx.Done():
			return orderAnswer{}, fmt.Errorf("lock still DOING: %w: %w", fault.ErrUnknown, errors.Join(ctx.Err(), last))
		case <-wait.C:
		}
		var a orderAnswer
		if last = c.get(ctx, "/api/order/query", map[string]string{"outOrderNo": orderNo}, &a); last == nil {
			return a, nil
		}
		wait.Reset(c.cfg.Poll)
	}
}

// lock reads a settled answer.
func (a orderAnswer) lock(orderNo string) (orders.Lock, error) {
	if a.State == "LOCK_FAILED" && a.OutOrderNo == orderNo {
		r := &refusal{a.FailCode, a.FailReason}
		if f, ok := definite[a.FailCode]; ok {
			return orders.Lock{}, fmt.Errorf("lock failed: %w: %w", f, r)
		}
		// It holds nothing, whatever the reason was.
		return orders.Lock{}, fmt.Errorf("lock failed: %w: %w", fault.ErrUnavailable, r)
	}
	amount, err := money.ParseFen(a.Amount)
	if err != nil || a.OutOrderNo != orderNo || a.OrderNo == "" || a.State != "LOCKED" || a.ExpireAt <= 0 {
		return orders.Lock{}, fmt.Errorf("lock: answer names order %q in state %q, amount %q: %w", a.OutOrderNo, a.State, a.Amount, fault.ErrUnknown)
	}
	return orders.Lock{ProviderNo: a.OrderNo, ExpiresAt: time.Unix(a.ExpireAt, 0).UTC(), Total: amount}, nil
}

// Unlock cancels the lock. An order the provider never heard of holds nothing: that is success too. It fails with
// orders.ErrOrderState once the sale is confirmed.
func (c *Client) Unlock(ctx context.Context, orderNo string) error {
	var a orderAnswer
	err := c.post(ctx, acts, "/api/order/cancel", map[string]string{"outOrderNo": orderNo}, &a)
	switch {
	case refusedWith(err, codeNoOrder):
		return nil
	case err != nil:
		return err
	case a.OutOrderNo != orderNo || states[a.State] != orders.ProviderReleased:
		return fmt.Errorf("cancel: answer names order %q in state %q: %w", a.OutOrderNo, a.State, fault.ErrUnknown)
	}
	return nil
}

// Issue confirms the sale, which asks for the tickets too.
func (c *Client) Issue(ctx context.Context, req orders.IssueRequest) error {
	var a orderAnswer
	err := c.post(ctx, acts, "/api/order/submit", map[string]string{
		"outOrderNo": req.OrderNo, "amount": req.Amount.String(), "mobile": req.Mobile,
	}, &a)
	switch {
	case refusedWith(err, codeOrderState):
		return c.issueState(ctx, req.OrderNo, err)
	case err != nil:
		return err
	case a.OutOrderNo != req.OrderNo:
		return fmt.Errorf("submit: answer names order %q: %w", a.OutOrderNo, fault.ErrUnknown)
	}
	switch states[a.State] {
	case orders.ProviderIssuing, orders.ProviderIssued:
		return nil
	case orders.ProviderIssueRefused:
		return fmt.Errorf("submit: %w: %q", orders.ErrIssueRefused, a.FailReason)
	}
	return fmt.Errorf("submit: order in state %q: %w", a.State, fault.ErrUnknown)
}

// issueState finds out what "order state" means: tickets already on their way are a success, seats that are gone
// are a refusal.
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

// Query tells what the provider knows of an order.
func (c *Client) Query(ctx context.Context, orderNo string) (orders.ProviderOrder, error) {
	var a orderAnswer
	if err := c.get(ctx, "/api/order/query", map[string]string{"outOrderNo": orderNo}, &a); err != nil {
		return orders.ProviderOrder{}, err
	}
	o, err := a.order(orderNo)
	if err != nil {
		return orders.ProviderOrder{}, bad("query", err)
	}
	return o, nil
}

func (a orderAnswer) order(orderNo string) (orders.ProviderOrder, error) {
	state, ok := states[a.State]
	amount, err := money.ParseFen(a.Amount)
	switch {
	case !ok:
		return orders.ProviderOrder{}, fmt.Errorf("unknown state %q", a.State)
	case a.OutOrderNo != orderNo:
		return orders.ProviderOrder{}, fmt.Errorf("asked for order %q, got %q", orderNo, a.OutOrderNo)
	case a.OrderNo == "":
		return orders.ProviderOrder{}, fmt.Errorf("order %q without orderNo", orderNo)
	case err != nil:
		return orders.ProviderOrder{}, fmt.Errorf("order %q with amount %q", orderNo, a.Amount)
	case state == orders.ProviderIssued && len(a.Codes) == 0:
		return orders.ProviderOrder{}, errors.New("issued without a ticket code")
	}
	o := orders.ProviderOrder{
		OrderNo: a.OutOrderNo, ProviderNo: a.OrderNo, State: state, Amount: amount, SMS: a.SMS, Reason: a.FailReason,
	}
	for _, t := range a.Codes {
		if t.Code == "" {
			return orders.ProviderOrder{}, fmt.Errorf("ticket code %q is empty", t.Name)
		}
		o.Tickets = append(o.Tickets, orders.TicketCode{Name: t.Name, Code: t.Code})
	}
	if a.ExpireAt > 0 {
		o.ExpiresAt = time.Unix(a.ExpireAt, 0).UTC()
	}
	return o, nil
}

// TicketPage is a short-lived address of the third-party page that shows a ticket.
type TicketPage struct {
	URL       string
	ExpiresIn time.Duration
}

// TicketPage asks for such an address; the token in it never leaves by another way.
func (c *Client) TicketPage(ctx context.Context, orderNo string) (TicketPage, error) {
	var a struct {
		Token     string `json:"token"`
		ExpiresIn int    `json:"expires_in"`
		URL       string `json:"url"`
	}
	if err := c.post(ctx, reads, "/api/ticket/token", map[string]string{"outOrderNo": orderNo}, &a); err != nil {
		return TicketPage{}, err
	}
	if a.Token == "" || a.URL == "" || a.ExpiresIn <= 0 {
		return TicketPage{}, bad("ticket token", errors.New("no token, address or life"))
	}
	if err := transport.CheckAddress(a.URL); err != nil { // the app will open it
		return TicketPage{}, bad("ticket token", err)
	}
	return TicketPage{URL: a.URL, ExpiresIn: time.Duration(a.ExpiresIn) * time.Second}, nil
}
