package backoffice

import (
	"context"

	"marquee/server/audit"
	"marquee/server/reconcile"
)

// Reconciliation reads and ends the differences between the shop's books and those of other parties.
type Reconciliation interface {
	// Overview returns the state of the reconciliation of the last days, and the open differences.
	Overview(ctx context.Context) ([]reconcile.Attempt, []reconcile.Difference, error)
	// End marks a difference as dealt with by hand. It fails with reconcile.ErrDifferenceNotFound or
	// reconcile.ErrDifferenceEnded.
	End(ctx context.Context, id int64, why, actor string) error
}

// Differences lists and ends the differences that the reconciliation could not resolve and left to an operator.
type Differences struct {
	service Reconciliation
	actor   string
}

// Open lists the open differences, ordered by day, at most reconcile.MaxListed.
func (d *Differences) Open(ctx context.Context) ([]reconcile.Difference, error) {
	_, open, err := d.service.Overview(ctx)
	return open, err
}

// End records that an operator has dealt with a difference, and why. Nothing else changes.
func (d *Differences) End(ctx context.Context, id int64, why string) error {
	if err := audit.CheckReason(why); err != nil {
		return err
	}
	return d.service.End(ctx, id, why, d.actor)
}
