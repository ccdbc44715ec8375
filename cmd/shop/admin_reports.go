package main

import (
	"context"
	"errors"

	"marquee/server/backoffice"
)

// reportCommands are the commands `shop admin report …`.
type reportCommands struct {
	Day reportDay `cmd:"" help:"Add up the orders, payments and refunds of a day, and compare them with the loaded bills."`
}

type reportDay struct {
	Day string `arg:"" help:"A day in Beijing, 2026-03-14."`
}

// Run prints one sum per line. It ends as reconcile does if the books contradict each other.
func (c reportDay) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	report, err := office.Reports.Day(ctx, c.Day)
	if err = p.printf(err, "%s", report); err == nil && report.Contradicts() {
		err = exitError{errors.New("the books of the day contradict each other"), exitDiffers}
	}
	return err
}
