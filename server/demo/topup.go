package demo

import (
	"context"
	"strings"

	"marquee/server/order"
)

// rejectedSuffix is the end of the accounts that InstantTopUp rejects, so that a refund can be demonstrated.
const rejectedSuffix = "0000"

// InstantTopUp recharges the accounts of goods orders, as a provider would. It implements order.Deliverer. No real
// provider of recharges is known; a shop with real providers uses fulfilment.ManualTopup.
type InstantTopUp struct{}

// Issue recharges the account at once. It returns order.ErrIssueRefused for an account that ends in 0000.
func (InstantTopUp) Issue(_ context.Context, r order.IssueRequest) error {
	if strings.HasSuffix(r.Mobile, rejectedSuffix) {
		return order.ErrIssueRefused
	}
	return nil
}

// Query reports every order as issued, because Issue either succeeds at once or returns an error.
func (InstantTopUp) Query(_ context.Context, orderNo string) (order.ProviderOrder, error) {
	return order.ProviderOrder{OrderNo: orderNo, State: order.ProviderIssued}, nil
}
