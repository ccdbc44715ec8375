package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"marquee/server/backoffice"
)

// accountCommands are the commands `shop admin account …`. An account is given as its phone, or as # and its id.
type accountCommands struct {
	Show    showAccount    `cmd:"" help:"Print an account and what its closing would mean."`
	Events  accountEvents  `cmd:"" help:"List logins, rejected attempts and changes, the latest first."`
	Export  exportAccount  `cmd:"" help:"Write everything that the shop holds of a buyer to a JSON file."`
	Close   closeAccount   `cmd:"" help:"Close an account for good, at the buyer's request."`
	Phone   assignPhone    `cmd:"" help:"Give an account a phone, after the buyer was identified."`
	Confirm confirmAccount `cmd:"" help:"Restore full access to a dormant account for the holder of its phone, after the buyer was identified."`
	Release releaseAccount `cmd:"" help:"Remove the phone from an account, because the number has a new owner."`
}

type accountArg struct {
	Account string `arg:"" help:"Phone, or #ID."`
}

type showAccount struct{ accountArg }

// Run prints the account, its orders that are not finished, and what the buyer would lose if the account were closed.
func (c showAccount) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	u, closing, err := office.Accounts.Show(ctx, c.Account)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "account #%d phone %s since %s, phone proven %s\n", u.ID, u.Phone,
		u.CreatedAt.Format(time.DateTime), u.PhoneProvenAt.Format(time.DateTime))
	for _, o := range closing.Unfinished {
		fmt.Fprintf(p.stdout, "unfinished order %s %s %s\n", o.OrderNo, o.Kind, o.Reason)
	}
	if listed := len(closing.Unfinished); closing.MayHaveMore() {
		if err := p.noteMore(listed, listed); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(p.stdout, "%d cards with %s points, %d valid vouchers\n", closing.Cards, closing.Points,
		closing.Vouchers)
	return err
}

type accountEvents struct {
	Account string `arg:"" optional:"" help:"Phone, or #ID; all accounts without it."`
	Most    int    `help:"Number of events." default:"100"`
}

// Run prints one event per line: time, kind, account, masked phone, address, actor, detail.
func (c accountEvents) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	events, err := office.Accounts.Events(ctx, c.Account, c.Most)
	for _, e := range events {
		fmt.Fprintf(p.stdout, "%s %s #%d %s %s %s %s\n", e.At.Format(time.DateTime), e.Kind, e.UserID, e.Phone,
			e.Address, e.Actor, e.Detail)
	}
	return err
}

type exportAccount struct {
	accountArg
	Out    string `help:"The file to write; readable by its owner only." required:""`
	Reason string `help:"The request, for the journal." required:""`
}

// Run writes the copy to a new file. It returns an error if the file exists.
func (c exportAccount) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	return p.printf(writeNewFile(c.Out, func(file io.Writer) error {
		data, err := office.Accounts.Export(ctx, c.Account, c.Reason)
		if err != nil {
			return err
		}
		out := json.NewEncoder(file)
		out.SetIndent("", "  ")
		return out.Encode(data)
	}), "account %s written to %s", c.Account, c.Out)
}

// writeNewFile creates a file that only its owner may read, and calls write to fill it. It returns nil once the
// contents are on the disk. After an error there is no file, unless it existed before: then it is kept unchanged.
func writeNewFile(path string, write func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	err = write(file)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(path))
	}
	return nil
}

type closeAccount struct {
	accountArg
	Points string `help:"The exact number of points that the buyer gives up." default:"0"`
	Reason string `help:"The request, for the journal." required:""`
}

// Run closes the account. It fails while orders are unfinished, or if the argument Points is not the sum of the points
// on the buyer's cards.
func (c closeAccount) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	return p.printf(office.Accounts.Close(ctx, c.Account, c.Points, c.Reason), "account %s closed", c.Account)
}

type assignPhone struct {
	accountArg
	Phone  string `arg:"" help:"The new phone."`
	Reason string `help:"How the buyer was identified, for the journal." required:""`
}

// Run gives the account the phone and ends all its sessions. It fails if another account has the phone, unless the
// phone was not proven for a long time (account.User.Dormant).
func (c assignPhone) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	return p.printf(office.Accounts.AssignPhone(ctx, c.Account, c.Phone, c.Reason), "account %s has the phone %s",
		c.Account, c.Phone)
}

type releaseAccount struct {
	accountArg
	Reason string `help:"The reason, for the journal." required:""`
}

// Run removes the phone from the account and ends all its sessions. The next login with the phone creates a new
// account.
func (c releaseAccount) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	return p.printf(office.Accounts.ReleasePhone(ctx, c.Account, c.Reason), "the phone is removed from account %s",
		c.Account)
}

type confirmAccount struct {
	accountArg
	Reason string `help:"How the buyer was identified, for the journal." required:""`
}

// Run gives full access to the sessions with limited access, which were opened by a code to a phone that was not used
// for a long time.
func (c confirmAccount) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	return p.printf(office.Accounts.ConfirmOwner(ctx, c.Account, c.Reason), "the owner of account %s is confirmed",
		c.Account)
}
