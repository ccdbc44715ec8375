package backoffice

import (
	"context"

	"marquee/server/cards"
	"marquee/server/reconcile"
)

// Reconciliation reads and ends the differences between the shop's books and those of other parties.
type Reconciliation interface {
	// Overview returns how far the reconciliation of the last days got, and the open differences.
	Overview(ctx context.Context) ([]reconcile.Attempt, []reconcile.Difference, error)
	// End ends a difference by hand. It fails with reconcile.ErrDifferenceNotFound or reconcile.ErrDifferenceEnded.
	End(ctx context.Context, id int64, why, actor string) error
}

// Differences lists and ends the differences that the reconciliation left to an operator.
type Differences struct {
	service Reconciliation
	actor   string
}

// Open lists the open differences, by day, at most reconcile.MostListed.
func (d *Differences) Open(ctx context.Context) ([]reconcile.Difference, error) {
	_, open, err := d.service.Overview(ctx)
	return open, err
}

// End records that a difference is dealt with, and why. Nothing else changes.
func (d *Differences) End(ctx context.Context, id int64, why string) error {
	if err := cards.CheckReason(why); err != nil {
		return err
	}
	return d.service.End(ctx, id, why, d.actor)
}
