package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"os/user"
	"strconv"

	"github.com/alecthomas/kong"

	"marquee/server/app"
	"marquee/server/backoffice"
)

// adminCommands are the commands of the back office. A command with the tag "creates" also works if the database does
// not exist, and creates it: operators may fill a new shop with it. Any other command then returns an error with the
// path, which is probably mistyped.
type adminCommands struct {
	By string `help:"Name of the operator, for the audit." env:"USER,LOGNAME" default:"${operator}"`

	Account    accountCommands    `cmd:"" help:"Accounts: journal, copies, closing and phones, at a buyer's request."`
	Card       cardCommands       `cmd:"" help:"Welfare cards."`
	Goods      goodsCommands      `cmd:"" help:"Goods, specifications, stock and codes."`
	Content    contentCommands    `cmd:"" help:"Banners, tiles and texts." creates:""`
	Order      orderCommands      `cmd:"" help:"Orders: find, explain, refund, and deal with those that need an operator."`
	Showing    showingCommands    `cmd:"" help:"Showings that the shop has sold."`
	Audit      listAudit          `cmd:"" help:"List who changed what, the latest first."`
	Report     reportCommands     `cmd:"" help:"Sums of a day."`
	Difference differenceCommands `cmd:"" help:"Differences that the reconciliation found."`
	Pepper     pepperCommand      `cmd:"" help:"Count the secrets that need each pepper, during a rotation."`
}

// systemUser returns the name of the account that runs this process, or "uid" and its number if it has no name, as in a
// container. It is the name of the operator if neither --by nor the environment contains one.
func systemUser() string {
	id := strconv.Itoa(os.Getuid())
	if found, err := user.LookupId(id); err == nil && found.Username != "" {
		return found.Username
	}
	return "uid " + id
}

// openBackOffice opens the shop without serving it, and its back office for the operator. With mustExist it returns an
// error if the database does not exist, instead of creating it.
func openBackOffice(
	ctx context.Context, log *slog.Logger, operator string, mustExist bool,
) (shop *app.App, office *backoffice.BackOffice, err error) {
	cfg, err := readConfig(ctx, log)
	if err != nil {
		return nil, nil, err
	}
	cfg.MustExist, cfg.ForCommand = mustExist, true
	if shop, err = app.New(ctx, cfg); err != nil {
		return nil, nil, err
	}
	if office, err = shop.BackOffice(operator); err != nil {
		return nil, nil, errors.Join(err, shop.Close())
	}
	return shop, office, nil
}

// creates reports whether a command or the group it belongs to has the tag "creates".
func creates(command *kong.Node) bool {
	for ; command != nil; command = command.Parent {
		if command.Tag != nil && command.Tag.Has("creates") {
			return true
		}
	}
	return false
}

// withFile calls use with the content of a file; "-" is standard input.
func withFile(name string, use func(io.Reader) error) error {
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
