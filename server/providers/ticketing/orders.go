package ticketing

import (
	"context"
	"errors"
	"fmt"

	"marquee/server/fault"
	"marquee/server/order"
)

// TicketCodes is a list of ticket codes as both providers send it.
type TicketCodes []struct {
	Name Text   `json:"name"`
	Code string `json:"code"`
}

// Orders converts the codes to those of package order; nil for none.
func (list TicketCodes) Orders() []order.TicketCode {
	var codes []order.TicketCode
	for _, t := range list {
		codes = append(codes, order.TicketCode{Name: string(t.Name), Code: t.Code})
	}
	return codes
}

// CheckOrder returns o. It fails if o is not the requested order, lacks the provider's number, is issued without a
// ticket code, or has an empty code: such a ticket could not be shown at the cinema.
func CheckOrder(asked string, o order.ProviderOrder) (order.ProviderOrder, error) {
	err := CheckID("order", asked, o.OrderNo)
	switch {
	case err != nil:
	case o.OrderNo == "" || o.ProviderNo == "":
		err = fmt.Errorf("order %q without order numbers", o.OrderNo)
	case o.State == order.ProviderIssued && len(o.Tickets) == 0:
		err = errors.New("issued without a ticket code")
	}
	for _, t := range o.Tickets {
		if t.Code == "" {
			err = errors.Join(err, fmt.Errorf("ticket code %q is empty", t.Name))
		}
	}
	if err != nil {
		return order.ProviderOrder{}, err
	}
	return o, nil
}

// ResolveIssue handles a rejected issue request. A provider rejects it because of the order's state, which may mean
// that the order is already being issued, or that it has lost its seats. ResolveIssue queries the order and returns nil
// if the tickets are issued or being issued, order.ErrIssueRejected if the seats are released or the issue failed, and
// fault.ErrUnknown otherwise. rejection is the error of the issue request.
func ResolveIssue(
	ctx context.Context, query func(ctx context.Context, orderNo string) (order.ProviderOrder, error),
	orderNo string, rejection error,
) error {
	o, err := query(ctx, orderNo)
	if err != nil {
		return fmt.Errorf("%w: rejected (%v), and the query failed: %w", fault.ErrUnknown, rejection, err)
	}
	switch o.State {
	case order.ProviderIssuing, order.ProviderIssued:
		return nil
	case order.ProviderReleased, order.ProviderIssueRejected:
		return fmt.Errorf("%w: %w", order.ErrIssueRejected, rejection)
	}
	return fmt.Errorf("%w: rejected although the seats are locked: %w", fault.ErrUnknown, rejection)
}
