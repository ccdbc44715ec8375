package app

import (
	"context"

	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/reconcile"
)

// wireReconciliation makes the reconciliation service, which reads the statements of other parties through the provider
// clients, and adds its periodic job.
func (a *App) wireReconciliation(p Providers) {
	a.reconciliation = reconcile.New(reconcile.Config{
		Store: a.db.Reconciliation(),
		Statements: map[reconcile.Book]reconcile.Statement{
			reconcile.Trades:                    p.Pay.TradeBill,
			reconcile.Funds:                     p.Pay.FundFlowBill,
			reconcile.Tickets(catalog.Legacy):   p.Legacy.OrderList,
			reconcile.Tickets(catalog.NewMovie): p.NewMovie.OrderList,
		},
		Wake: a.purchase.Jobs.Wake, Now: a.cfg.Now, Logger: a.cfg.Logger,
	})
	a.purchase.Jobs.Every("reconcile", durations.Reconciliation, a.reconciliation.Daily)
}

// Reconcile compares the shop's books of a day with those of the other parties, stores the differences, and returns the
// open ones. It may return differences and an error together, because one statement may be unavailable while another
// book differs.
func (a *App) Reconcile(ctx context.Context, day reconcile.Day) ([]reconcile.Difference, error) {
	return a.reconciliation.Reconcile(ctx, day)
}

// Reconciliations returns the attempts of the last days to reconcile, and the open differences.
func (a *App) Reconciliations(ctx context.Context) ([]reconcile.Attempt, []reconcile.Difference, error) {
	return a.reconciliation.Overview(ctx)
}
