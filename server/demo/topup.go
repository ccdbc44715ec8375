package demo

import (
	"context"
	"strings"
	"sync"

	"marquee/server/order"
)

// rejectedSuffix ends the accounts that InstantTopUp rejects, so that a refund can be demonstrated.
const rejectedSuffix = "0000"

// InstantTopUp simulates the provider that recharges the accounts of goods orders. It implements order.Deliverer. Its
// zero value is ready for use. It forgets its orders when the process ends; a request that is then repeated gets the
// same answer. The specification names no real provider of recharges; a shop with real providers uses
// fulfilment.ManualTopup.
type InstantTopUp struct {
	states sync.Map // order.ProviderState by order number
}

// Issue records the account as recharged. It returns order.ErrIssueRejected for an account that ends in rejectedSuffix.
func (p *InstantTopUp) Issue(_ context.Context, r order.IssueRequest) error {
	if strings.HasSuffix(r.Mobile, rejectedSuffix) {
		p.states.Store(r.OrderNo, order.ProviderIssueRejected)
		return order.ErrIssueRejected
	}
	p.states.Store(r.OrderNo, order.ProviderIssued)
	return nil
}

// Query returns the result of Issue, or order.ErrProviderOrderNotFound if Issue was not called for the order.
func (p *InstantTopUp) Query(_ context.Context, orderNo string) (order.ProviderOrder, error) {
	state, requested := p.states.Load(orderNo)
	if !requested {
		return order.ProviderOrder{}, order.ErrProviderOrderNotFound
	}
	return order.ProviderOrder{OrderNo: orderNo, State: state.(order.ProviderState)}, nil
}
