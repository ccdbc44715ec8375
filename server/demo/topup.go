package demo

import (
	"context"
	"strings"

	"marquee/server/order"
)

// refusedSuffix ends the accounts that InstantTopUp refuses, so that a refund can be demonstrated.
const refusedSuffix = "0000"

// InstantTopUp recharges the accounts that goods orders name, as a provider would. It implements order.Deliverer. No
// real provider of recharges is known; a shop with real providers uses fulfilment.ManualTopup.
type InstantTopUp struct{}

// Issue recharges the account at once. It returns order.ErrIssueRefused for an account that ends in 0000.
func (InstantTopUp) Issue(_ context.Context, r order.IssueRequest) error {
	if strings.HasSuffix(r.Mobile, refusedSuffix) {
		return order.ErrIssueRefused
	}
	return nil
}

// Query reports every order as issued, because Issue succeeds at once or refuses.
func (InstantTopUp) Query(_ context.Context, orderNo string) (order.ProviderOrder, error) {
	return order.ProviderOrder{OrderNo: orderNo, State: order.ProviderIssued}, nil
}
