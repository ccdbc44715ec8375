package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"marquee/server/app"
	"marquee/server/backoffice"
)

// office is the grammar of `shop admin …`.
type office struct {
	By string `help:"Who is at work; stands in the audit." env:"USER" required:""`

	Card    cardCommands    `cmd:"" help:"Welfare cards."`
	Goods   goodsCommands   `cmd:"" help:"Goods, specifications, stock and codes."`
	Content contentCommands `cmd:"" help:"Banners, tiles and texts."`
	Order   orderCommands   `cmd:"" help:"Orders that need somebody."`
}

// desk is what a command works with.
type desk struct {
	*backoffice.BackOffice
	ctx context.Context
	out io.Writer
}

// say prints the line that a success is worth, and hands the error on.
func (d *desk) say(err error, format string, about ...any) error {
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(d.out, format+"\n", about...)
	return err
}

// adjusted says what became of a recharge or deduction.
func (d *desk) adjusted(again bool, err error, format string, about ...any) error {
	if again {
		format += ": already done, nothing changed"
	}
	return d.say(err, format, about...)
}

// runAdmin reads the command before anything is opened, so that a mistake in it costs nothing.
func runAdmin(ctx context.Context, args []string, open func(mustExist bool) (*app.App, error), stdout, stderr io.Writer) (err error) {
	var grammar office
	asked := false // for help, which kong prints and then exits
	parser, err := kong.New(&grammar, kong.Name("shop admin"), kong.Description("The back office. Everything it changes is in the audit."),
		kong.Writers(stdout, stderr), kong.Exit(func(int) { asked = true }))
	if err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	command, err := parser.Parse(args)
	if asked {
		return nil
	}
	if err != nil {
		return fmt.Errorf("admin: %w", err)
	}
	shop, err := open(!founds(command.Command()))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, shop.Close()) }()
	back, err := shop.BackOffice(grammar.By)
	if err != nil {
		return err
	}
	if err := command.Run(&desk{back, ctx, stdout}); err != nil {
		return app.Explain(err)
	}
	return nil
}

// founding are the commands that make sense in a shop that does not exist yet. All others are refused there: the path
// of the database is a mistake.
var founding = []string{"card issue", "card packages", "goods category", "content"}

func founds(command string) bool {
	return slices.ContainsFunc(founding, func(f string) bool { return strings.HasPrefix(command+" ", f+" ") })
}

// reading opens a file that a command was given; "-" is standard input.
func reading(name string, use func(io.Reader) error) error {
	if name == "-" {
		return use(os.Stdin)
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return use(file)
}

type cardCommands struct {
	Issue    issueCards   `cmd:"" help:"Issue a batch; numbers and passwords go to a CSV, once."`
	Recharge adjustCard   `cmd:"" help:"Recharge a card."`
	Deduct   deductCard   `cmd:"" help:"Deduct points from a card."`
	Freeze   freezeCard   `cmd:"" help:"Make a card unusable."`
	Unfreeze unfreezeCard `cmd:"" help:"Make a frozen card usable."`
	Packages setPackages  `cmd:"" help:"Replace the recharge packages by those of a CSV (points,price)."`
	Code     cardCode     `cmd:"" help:"Tell whose card page shows a code."`
}

type issueCards struct {
	PID    int    `help:"Type of the cards, 1 to 11." required:""`
	Count  int    `help:"How many." required:""`
	Points string `help:"Points on each." required:""`
	Days   int    `help:"How long the points live." default:"365"`
	Coupon bool   `help:"Give each a code that binds it by itself."`
	Out    string `help:"The CSV to write; it must not exist." required:"" type:"path"`
}

func (c issueCards) Run(d *desk) error {
	err := d.Cards.Issue(d.ctx, backoffice.Batch{PID: c.PID, Count: c.Count, Points: c.Points, Days: c.Days, Coupons: c.Coupon, Out: c.Out})
	if err == nil {
		fmt.Fprintf(d.out, "%d cards issued; numbers and passwords are in %s\n", c.Count, c.Out)
	}
	return err
}

type adjustCard struct {
	Number string `arg:"" help:"Number of the card."`
	Points string `arg:"" help:"Points, at most two decimals."`
	Reason string `help:"Why; the buyer reads it." required:""`
	Days   int    `help:"How long recharged points live." default:"365"`
	Key    string `help:"The same key again changes nothing."`
}

func (c adjustCard) Run(d *desk) error {
	again, err := d.Cards.Recharge(d.ctx, backoffice.Adjustment{
		Number: c.Number, Points: c.Points, Days: c.Days, Reason: c.Reason, Key: c.Key,
	})
	return d.adjusted(again, err, "card %s recharged with %s points", c.Number, c.Points)
}

type deductCard struct {
	Number string `arg:"" help:"Number of the card."`
	Points string `arg:"" help:"Points, at most two decimals."`
	Reason string `help:"Why; the buyer reads it." required:""`
	Key    string `help:"The same key again changes nothing."`
}

func (c deductCard) Run(d *desk) error {
	again, err := d.Cards.Deduct(d.ctx, backoffice.Adjustment{
		Number: c.Number, Points: c.Points, Reason: c.Reason, Key: c.Key,
	})
	return d.adjusted(again, err, "%[2]s points deducted from card %[1]s", c.Number, c.Points)
}

type freezeCard struct {
	Number string `arg:"" help:"Number of the card."`
	Reason string `help:"Why." required:""`
}

func (c freezeCard) Run(d *desk) error {
	return d.say(d.Cards.Freeze(d.ctx, c.Number, c.Reason), "card %s frozen", c.Number)
}

type unfreezeCard freezeCard

func (c unfreezeCard) Run(d *desk) error {
	return d.say(d.Cards.Unfreeze(d.ctx, c.Number, c.Reason), "card %s can be used again", c.Number)
}

type setPackages struct {
	File string `arg:"" help:"The CSV, or - for standard input."`
}

func (c setPackages) Run(d *desk) error {
	return d.say(reading(c.File, func(r io.Reader) error { return d.Cards.SetPackages(d.ctx, r) }), "recharge packages replaced")
}

type cardCode struct {
	Code string `arg:"" help:"What the card's page shows."`
}

func (c cardCode) Run(d *desk) error {
	number, err := d.Cards.NumberOfCode(d.ctx, c.Code)
	if err == nil {
		fmt.Fprintln(d.out, number)
	}
	return err
}

type orderCommands struct {
	Waiting   waitingOrders  `cmd:"" help:"List orders that need somebody."`
	Retry     retryOrder     `cmd:"" help:"Look at a stuck order, or its refund, again."`
	Refund    refundOrder    `cmd:"" help:"Give up a paid order that cannot be delivered; every leg goes back."`
	Delivered orderDelivered `cmd:"" help:"Say that an account was recharged by hand."`
	Settled   orderSettled   `cmd:"" help:"Say that a disputed payment, or a refund left to a person, was put right by hand."`
}

type waitingOrders struct{}

func (waitingOrders) Run(d *desk) error {
	lines, err := d.Orders.ToReview(d.ctx)
	for _, line := range lines {
		fmt.Fprintln(d.out, line)
	}
	return err
}

type retryOrder struct {
	Order string `arg:"" help:"Number of the order."`
}

func (c retryOrder) Run(d *desk) error {
	return d.say(d.Orders.Retry(d.ctx, c.Order), "order %s is looked at again", c.Order)
}

type refundOrder struct {
	Order  string `arg:"" help:"Number of the order."`
	Reason string `help:"Why." required:""`
}

func (c refundOrder) Run(d *desk) error {
	return d.say(d.Orders.Refund(d.ctx, c.Order, c.Reason), "order %s given up; what was paid goes back", c.Order)
}

type orderDelivered struct {
	Order string `arg:"" help:"Number of the order."`
}

func (c orderDelivered) Run(d *desk) error {
	return d.say(d.Orders.MarkDelivered(d.ctx, c.Order), "order %s delivered", c.Order)
}

type orderSettled struct {
	Order  string `arg:"" help:"Number of the order."`
	Reason string `help:"What was done." required:""`
}

func (c orderSettled) Run(d *desk) error {
	return d.say(d.Orders.MarkSettled(d.ctx, c.Order, c.Reason), "order %s settled", c.Order)
}
