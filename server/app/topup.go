package app

import (
	"context"
	"strings"

	"marquee/server/orders"
)

// topup is who recharges the accounts that goods orders name. No provider for that is known, so the back office
// does it by hand (`shop admin order delivered`); with simulated providers a recharge is done at once.
func (c Config) topup() orders.Deliverer {
	if c.SimulatorURL != "" {
		return simulatedTopup{}
	}
	return orders.Manual{}
}

// refusedAccount is the end of an account that the simulated recharge refuses, so that a refund can be seen.
const refusedAccount = "0000"

// simulatedTopup recharges every account at once, but for those that end in refusedAccount.
type simulatedTopup struct{}

func (simulatedTopup) Issue(_ context.Context, r orders.IssueRequest) error {
	if strings.HasSuffix(r.Mobile, refusedAccount) {
		return orders.ErrIssueRefused
	}
	return nil
}

func (simulatedTopup) Query(_ context.Context, orderNo string) (orders.ProviderOrder, error) {
	return orders.ProviderOrder{OrderNo: orderNo, State: orders.ProviderIssued}, nil
}
