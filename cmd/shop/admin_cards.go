package main

import (
	"context"
	"io"

	"marquee/server/backoffice"
)

// cardCommands are the commands `shop admin card …`. Points stay text here; package backoffice parses them.
type cardCommands struct {
	Issue    issueCards   `cmd:"" help:"Issue a batch; its numbers and passwords are written to a CSV." creates:""`
	Resume   resumeCards  `cmd:"" help:"Issue the cards of a batch whose issue was interrupted."`
	Recharge rechargeCard `cmd:"" help:"Add points to a card."`
	Deduct   deductCard   `cmd:"" help:"Deduct points from a card."`
	Freeze   freezeCard   `cmd:"" help:"Make a card unusable."`
	Unfreeze unfreezeCard `cmd:"" help:"Make a frozen card usable."`
	Packages setPackages  `cmd:"" help:"Replace the recharge packages by those of a CSV (points,price)." creates:""`
	Code     cardOfCode   `cmd:"" help:"Print the number of the card whose page shows a code."`
}

// issueCards issues cards, and writes the only copy of the passwords and the coupon codes into a file: the shop keeps
// only their hashes.
type issueCards struct {
	PID    int    `help:"Type of the cards, 1 to 11." required:""`
	Count  int    `help:"Number of cards." required:""`
	Points string `help:"Points on each card." required:""`
	Days   int    `help:"Days until the points expire." default:"365"`
	Coupon bool   `help:"Give each card a code that binds it."`
	Out    string `help:"The CSV to write; it must not exist." required:"" type:"path"`
}

// Run issues the cards. It writes the file before it issues the first one, so that resumeCards can finish an
// interrupted batch.
func (c issueCards) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	err := office.Cards.Issue(ctx, backoffice.Batch{
		PID: c.PID, Count: c.Count, Points: c.Points, Days: c.Days, Coupons: c.Coupon, Out: c.Out,
	})
	return p.printf(err, "%d cards issued; numbers and passwords are in %s", c.Count, c.Out)
}

// resumeCards reads the file that issueCards has written.
type resumeCards struct {
	File string `arg:"" help:"The CSV of the batch, or - for standard input."`
}

// Run issues the cards of the file that are not issued yet, and prints the total number of cards.
func (c resumeCards) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	var n int
	err := withFile(c.File, func(r io.Reader) (err error) {
		n, err = office.Cards.Resume(ctx, r)
		return err
	})
	return p.printf(err, "all %d cards of the file are issued", n)
}

// adjustment has the arguments that a recharge and a deduction have in common.
type adjustment struct {
	Number string `arg:"" help:"Number of the card."`
	Points string `arg:"" help:"Points, with at most two decimals."`
	Reason string `help:"The reason, which is shown to the buyer." required:""`
	Key    string `help:"Idempotency key: a second call with the same key changes nothing." required:""`
}

// rechargeCard adds points to a card. Buyers see it among the recharges of the card.
type rechargeCard struct {
	adjustment
	Days int `help:"Days until the points expire." default:"365"`
}

// Run adds points that expire after c.Days days.
func (c rechargeCard) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	repeated, err := office.Cards.Recharge(ctx, backoffice.Adjustment{
		Number: c.Number, Points: c.Points, Days: c.Days, Reason: c.Reason, Key: c.Key,
	})
	return p.printf(err, "card %s recharged with %s points%s", c.Number, c.Points, ifRepeated(repeated))
}

// deductCard takes points from a card. Buyers see it among the deductions of the card.
type deductCard struct{ adjustment }

// Run deducts the points that expire first. It fails if the card has fewer points that can be spent.
func (c deductCard) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	repeated, err := office.Cards.Deduct(ctx, backoffice.Adjustment{
		Number: c.Number, Points: c.Points, Reason: c.Reason, Key: c.Key,
	})
	return p.printf(err, "%s points deducted from card %s%s", c.Points, c.Number, ifRepeated(repeated))
}

// ifRepeated returns a note for the end of the printed line if a recharge or deduction with the same idempotency key
// was already made, and otherwise "".
func ifRepeated(repeated bool) string {
	if repeated {
		return ": already done, nothing changed"
	}
	return ""
}

type freezeCard struct {
	Number string `arg:"" help:"Number of the card."`
	Reason string `help:"The reason, for the audit." required:""`
}

// Run freezes the card, even if its owner has deleted it. The card keeps its points.
func (c freezeCard) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	return p.printf(office.Cards.Freeze(ctx, c.Number, c.Reason), "card %s frozen", c.Number)
}

// unfreezeCard takes the arguments of freezeCard.
type unfreezeCard freezeCard

// Run makes the frozen card usable again.
func (c unfreezeCard) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	return p.printf(office.Cards.Unfreeze(ctx, c.Number, c.Reason), "card %s can be used again", c.Number)
}

type setPackages struct {
	File string `arg:"" help:"The CSV, or - for standard input."`
}

// Run replaces all packages in one transaction, or none if a line of the file is invalid.
func (c setPackages) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	err := withFile(c.File, func(r io.Reader) error { return office.Cards.SetPackages(ctx, r) })
	return p.printf(err, "recharge packages replaced")
}

// cardOfCode finds the card of a buyer at a counter, who shows the page of the card. The code on that page changes
// every five minutes.
type cardOfCode struct {
	Code string `arg:"" help:"The code on the card's page."`
}

// Run prints the number of the card. It fails with card_not_found for a code that has expired.
func (c cardOfCode) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	number, err := office.Cards.NumberOfCode(ctx, c.Code)
	return p.printf(err, "%s", number)
}
