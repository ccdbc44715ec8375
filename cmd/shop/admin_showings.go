package main

import (
	"context"
	"errors"
	"fmt"

	"marquee/server/backoffice"
)

// showingCommands are the commands `shop admin showing …`.
type showingCommands struct {
	Holds  showingHolds  `cmd:"" help:"List the seats that orders hold or have bought."`
	Refund refundShowing `cmd:"" help:"Refund every paid order of a cancelled showing."`
}

type showingArg struct {
	Showing string `arg:"" help:"Source and id of the showing, such as 1:8801; order show prints it."`
}

type showingHolds struct{ showingArg }

// Run prints each held or sold seat with its order, one per line.
func (c showingHolds) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	held, err := office.Showings.Holds(ctx, c.Showing)
	return p.printf(err, "%s", held)
}

type refundShowing struct {
	showingArg
	Reason string `help:"The reason, for the audit." required:""`
	Voided bool   `help:"The cinema has cancelled the tickets of the showing."`
}

// Run refunds the orders of the showing. It prints the progress to standard error, and at the end, also after an
// interruption, what happened to each order to standard output.
func (c refundShowing) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	report, err := office.Showings.Refund(ctx, c.Showing, c.Reason, c.Voided, func(done, of int) {
		fmt.Fprintf(p.stderr, "%d of %d orders\n", done, of)
	})
	if len(report.Orders) > 0 || err == nil {
		err = errors.Join(p.printf(nil, "%s", report), err)
	}
	return err
}
