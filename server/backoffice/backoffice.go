// Package backoffice holds the use cases of the shop's operators: issue and change welfare cards, maintain goods and
// content, and act on orders that the shop cannot finish by itself.
//
// Each change writes a row of the audit log, or for an account of its journal, with the name of the operator, in the
// same transaction. Amounts are text as an operator types them: yuan or points with at most two decimals. Files are CSV
// and are read completely before the first change, so that a wrong line changes nothing.
package backoffice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"marquee/server/audit"
	"marquee/server/pepper"
	"marquee/server/wording"
)

// BackOffice is the back office as one operator uses it.
type BackOffice struct {
	Accounts    *Accounts
	Cards       *Cards
	Goods       *Goods
	Content     *Content
	Orders      *Orders
	Showings    *Showings
	Reports     *Reports
	Audit       *Audit
	Differences *Differences
	Peppers     *Peppers
}

// Config holds the services and read models that the use cases call.
type Config struct {
	Accounts        AccountDirectory // finds accounts
	Phones          PhoneKeeper      // assigns and releases phones
	AccountRequests AccountRequests  // closes accounts
	DataCopies      DataCopies       // exports personal data
	Events          AccountEvents    // reads the journal of accounts

	Cards          CardService
	CardCodes      CardCodes
	Lookup         CardLookup
	Goods          GoodsService
	Content        ContentService
	Deliveries     Deliveries
	Refunds        Refunds
	Reconciliation Reconciliation
	Read           ReadModel
	Pepper         pepper.Ring
	Now            func() time.Time // business time
}

// ReadModel runs the queries that only the back office needs. The store implements it.
type ReadModel interface {
	OrderSearch
	OrderRecords
	DayTotals
	AuditEntries
	// CardNumber returns the number of the card with the id, or cards.ErrCardNotFound.
	CardNumber(ctx context.Context, cardID int64) (string, error)
	// OrdersToReview lists the orders that need an operator, oldest first; most is the maximum number.
	OrdersToReview(ctx context.Context, most int) ([]OrderToReview, error)
	// PepperUses counts the stored secrets that need a pepper to be decrypted or compared, by the id of the pepper.
	PepperUses(ctx context.Context) ([]PepperUse, error)
}

// longestName is the maximum number of characters of an operator's name.
const longestName = 100

// New opens the back office for an operator, whose name is recorded in the audit as "admin:<operator>". It returns an
// error if the name is blank, too long, or has a character that cannot be shown.
func New(cfg Config, operator string) (*BackOffice, error) {
	if strings.TrimSpace(operator) == "" {
		return nil, errors.New("the back office needs the name of the operator")
	}
	if err := wording.Check(operator, longestName); err != nil {
		return nil, fmt.Errorf("the name of the operator: %w", err)
	}
	actor := audit.Operator(operator)
	accounts := &Accounts{
		directory: cfg.Accounts, phones: cfg.Phones, requests: cfg.AccountRequests, copies: cfg.DataCopies,
		journal: cfg.Events, actor: actor,
	}
	return &BackOffice{
		Accounts: accounts,
		Audit:    &Audit{cfg.Read, accounts},
		Cards: &Cards{
			service: cfg.Cards, codes: cfg.CardCodes, lookup: cfg.Lookup, read: cfg.Read, now: cfg.Now, actor: actor,
		},
		Goods:       &Goods{service: cfg.Goods, actor: actor},
		Content:     &Content{service: cfg.Content, now: cfg.Now, actor: actor},
		Differences: &Differences{service: cfg.Reconciliation, actor: actor},
		Peppers:     &Peppers{ring: cfg.Pepper, read: cfg.Read},
		Orders: &Orders{
			deliveries: cfg.Deliveries, refunds: cfg.Refunds, read: cfg.Read,
			actor: actor,
		},
		Reports: &Reports{totals: cfg.Read},
		Showings: &Showings{
			read: cfg.Read, deliveries: cfg.Deliveries, actor: actor,
		},
	}, nil
}
