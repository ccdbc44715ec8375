package backoffice

import (
	"context"
	"fmt"
	"strings"
	"time"

	"marquee/server/audit"
	"marquee/server/fault"
	"marquee/server/reconcile"
)

// MaxAudit is the maximum number of entries in a list of the audit log.
const MaxAudit = 1000

// ErrMostInvalid means that the requested number of entries is not between 1 and MaxAudit.
var ErrMostInvalid = fault.New(fault.Invalid, "most_invalid", "条数有误").WithExplanation(
	fmt.Sprintf("a list has between 1 and %d entries", MaxAudit))

// AuditEntry is an entry of the audit log.
type AuditEntry struct {
	At            time.Time // business time
	Actor         string    // "admin:<operator>", "user:<id>", or "system"
	What          string    // the action, such as "order.given_up"
	Subject       string    // kind and number, such as "order:260314120000000000000001"
	Before, After string    // values of the subject; After may be the operator's reason
	RequestID     string    // of the request or job that made the change
}

// AuditQuery selects entries of the audit log. Most is required; any other zero field selects all.
type AuditQuery struct {
	OrderNo string // entries about the order, its payments, trades and refunds
	UserID  int64  // entries by the buyer, or about the buyer's cards and orders
	Actor   string
	From    time.Time // inclusive
	To      time.Time // exclusive
	Most    int
}

// AuditEntries reads the audit log.
type AuditEntries interface {
	// AuditEntries lists entries that the query selects, the latest first.
	AuditEntries(ctx context.Context, q AuditQuery) ([]AuditEntry, error)
}

// Audit lists entries of the audit log, which records each change and its actor.
type Audit struct {
	entries  AuditEntries
	accounts *Accounts
}

// AuditFilter selects entries in the form in which an operator types it. Most is required; any other empty field
// selects all.
type AuditFilter struct {
	Order    string
	Account  string // phone, or # and the id
	Operator string // name, as in the option --by of shop admin
	Day      string // in Beijing, "2026-03-14"
	Most     int    // 1 to MaxAudit
}

// AuditList holds entries of the audit log, the latest first.
type AuditList struct {
	Entries []AuditEntry
	More    bool // older entries match, too
}

// List lists entries of the audit log. It returns ErrMostInvalid, reconcile.ErrDay, or an error if no account has the
// phone.
func (a *Audit) List(ctx context.Context, f AuditFilter) (list AuditList, err error) {
	if f.Most < 1 || f.Most > MaxAudit {
		return list, ErrMostInvalid
	}
	q := AuditQuery{OrderNo: f.Order, Most: f.Most + 1}
	if f.Account != "" {
		if q.UserID, err = a.accounts.idOf(ctx, f.Account); err != nil {
			return list, err
		}
	}
	if f.Operator != "" {
		q.Actor = audit.Operator(f.Operator)
	}
	if f.Day != "" {
		day, err := reconcile.ParseDay(f.Day)
		if err != nil {
			return list, err
		}
		q.From, q.To = day.Start(), day.Add(1).Start()
	}
	list.Entries, err = a.entries.AuditEntries(ctx, q)
	if list.More = len(list.Entries) > f.Most; list.More {
		list.Entries = list.Entries[:f.Most]
	}
	return list, err
}

// String formats each entry as one line, and adds a line if more entries match. It returns a message if no entry
// matches.
func (l AuditList) String() string {
	var lines []string
	for _, e := range l.Entries {
		lines = append(lines, e.String())
	}
	switch {
	case l.More:
		lines = append(lines, fmt.Sprintf("more than %d entries match: these are the latest ones", len(l.Entries)))
	case len(lines) == 0:
		return "no entry matches"
	}
	return strings.Join(lines, "\n")
}

// change returns the values before and after, as "before → after", or the only one that is not "".
func (a AuditEntry) change() string {
	switch {
	case a.Before == "":
		return a.After
	case a.After == "":
		return a.Before
	}
	return a.Before + " → " + a.After
}

// String formats the entry as one line: time, action, subject, values, actor and request id, separated by tabs.
func (a AuditEntry) String() string {
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s", clock(a.At), a.What, a.Subject, a.change(), a.Actor, a.RequestID)
}
