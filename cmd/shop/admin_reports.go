package main

import (
	"context"
	"errors"

	"marquee/server/backoffice"
)

type listAudit struct {
	Order    string `help:"Only entries about the order, its payments and refunds."`
	Account  string `help:"Only entries by the buyer, or about the buyer's cards and orders: phone, or #ID."`
	Operator string `help:"Only entries by the operator, as given with --by."`
	Day      string `help:"Only entries of the day in Beijing, 2026-03-14."`
	Most     int    `help:"Number of entries, at most 1000." default:"100"`
}

// Run prints one entry per line: time, action, subject, values, actor, request id.
func (c listAudit) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	list, err := office.Audit.List(ctx, backoffice.AuditFilter(c))
	return p.printf(err, "%s", list)
}

// reportCommands are the commands `shop admin report …`.
type reportCommands struct {
	Day reportDay `cmd:"" help:"Add up the orders, payments and refunds of a day, and compare them with the loaded bills."`
}

type reportDay struct {
	Day string `arg:"" help:"A day in Beijing, 2026-03-14."`
}

// Run prints one sum per line. If the books contradict each other, the exit code is 3, as that of `shop reconcile` if
// there are open differences.
func (c reportDay) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	report, err := office.Reports.Day(ctx, c.Day)
	if err = p.printf(err, "%s", report); err == nil && report.Contradicts() {
		err = exitError{errors.New("the books of the day contradict each other"), exitDiffers}
	}
	return err
}
