package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"marquee/server/app"
	"marquee/server/backoffice"
	"marquee/server/reconcile"
)

type reconcileCommand struct {
	Day string `arg:"" optional:"" help:"A day in Beijing, 2026-03-14. Default: list days and open differences."`
}

// Help explains the exit codes.
func (reconcileCommand) Help() string {
	return "Fetches the gateway's bills and the ticket sources' order lists of the day, compares them with the " +
		"shop's books, and prints each open difference with one safe action. A running shop does the same " +
		"automatically after 10:30 on the next day.\n\nExit codes: 0 the books agree, 3 there are open differences, 4 a " +
		"statement does not exist yet, 5 the database cannot be used, 9 an argument or a variable is invalid, 1 " +
		"another error."
}

// Run compares the shop's books of one day with the statements of the other parties. Without a day, it lists the days
// that were compared and the open differences.
func (c reconcileCommand) Run(ctx context.Context, p *process) (err error) {
	var day reconcile.Day
	if c.Day != "" {
		if day, err = reconcile.ParseDay(c.Day); err != nil {
			return err
		}
	}
	cfg, err := readConfig(ctx, p.log)
	if err != nil {
		return err
	}
	cfg.MustExist, cfg.ForCommand = true, true
	shop, err := app.New(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shop.Close()) }()
	var open []reconcile.Difference
	if day == "" {
		var attempts []reconcile.Attempt
		attempts, open, err = shop.Reconciliations(ctx)
		err = errors.Join(err, printLines(p.stdout, attempts))
	} else {
		open, err = shop.Reconcile(ctx, day)
	}
	err = errors.Join(err, printLines(p.stdout, open), p.noteMore(len(open), reconcile.MaxListed))
	switch {
	case errors.Is(err, reconcile.ErrNotReady):
		return exitError{err, exitNotReady}
	case err != nil:
		return err
	case len(open) > 0:
		return exitError{fmt.Errorf("%d open differences", len(open)), exitDiffers}
	case day == "":
		return p.printf(nil, "there are no open differences")
	}
	return p.printf(nil, "the books agree")
}

// differenceCommands are the commands `shop admin difference …`.
type differenceCommands struct {
	List listDifferences `cmd:"" help:"List the open differences between the shop's books and those of other parties."`
	End  endDifference   `cmd:"" help:"Record that a difference is dealt with."`
}

type listDifferences struct{}

// Run prints one difference per line, with the action that ends it.
func (listDifferences) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	open, err := office.Differences.Open(ctx)
	return errors.Join(err, printLines(p.stdout, open), p.noteMore(len(open), reconcile.MaxListed))
}

type endDifference struct {
	ID     int64  `arg:"" help:"Number of the difference."`
	Reason string `help:"What was done, for the audit." required:""`
}

// Run ends the difference, and records the operator and the reason.
func (c endDifference) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	return p.printf(office.Differences.End(ctx, c.ID, c.Reason), "difference %d ended", c.ID)
}

// noteMore prints that a list has reached its limit.
func (p *process) noteMore(listed, most int) error {
	if listed < most {
		return nil
	}
	_, err := fmt.Fprintf(p.stdout, "… at most %d are listed\n", most)
	return err
}

// printLines prints each value as one line.
func printLines[T any](to io.Writer, list []T) error {
	for _, v := range list {
		if _, err := fmt.Fprintln(to, v); err != nil {
			return err
		}
	}
	return nil
}
