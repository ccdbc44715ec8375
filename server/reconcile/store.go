package reconcile

import (
	"context"
	"fmt"
	"time"

	"marquee/server/audit"
	"marquee/server/jobs"
	"marquee/server/money"
	"marquee/server/order"
)

// Record is the shop's record of the payment, refund or order that a row of a statement is about.
type Record struct {
	Kind       RowKind // as in the row of the book
	Number     string  // as in the row of the book
	Ref        string  // the other party's number, if the shop knows it
	OrderNo    string  // of the order that the record belongs to
	OrderKind  order.Kind
	OrderState order.State
	Revoked    bool                 // an operator has refunded the order after its tickets were issued
	Queue      jobs.Queue           // of the order's tasks
	Amount     money.Fen            // the amount that the shop announced to the other party
	Captured   money.Fen            // of a payment
	OpenedAt   time.Time            // when the trade was announced, the refund sent, or the order created
	DoneAt     time.Time            // when it was captured, refunded, or the order created
	Payment    order.PaymentState   // the state of the payment; only for payments
	Refund     order.RefundProgress // the progress of the refund; only for refunds
	RefundID   int64                // id of the refund, for its task; only for refunds
}

// Match is a row of a statement together with the shop's record of the same payment, refund or order.
type Match struct {
	Line     int     // line of the row in the statement, counted from 1
	Row      Row     // what the other party reports
	Ours     *Record // nil: the shop has no record
	Repeated bool    // an earlier row, of this or another day's statement of the book, has the same number
	InTrades bool    // only for rows of Funds: the trade bill lists the same number
}

// Attempt is the progress of the reconciliation of one book and day.
type Attempt struct {
	Book   Book
	Day    Day
	Tries  int       // attempts for the book and day so far; the store counts them
	Fault  string    // stable code of the last attempt's failure; "" if it succeeded
	At     time.Time // of the last try
	DoneAt time.Time // when the books were last reconciled without an error; zero if never
	Rows   int       // of the statement
}

// String formats the attempt as one line for the operator.
func (a Attempt) String() string {
	line := fmt.Sprintf("%s\t%s\t", a.Day, a.Book)
	switch {
	case a.Fault != "":
		return line + fmt.Sprintf("%s at try %d", a.Fault, a.Tries)
	case a.DoneAt.IsZero():
		return line + "not reconciled"
	}
	return line + fmt.Sprintf("reconciled, %d rows", a.Rows)
}

// OpenPage is a book and day with open differences.
type OpenPage struct {
	Book        Book
	Day         Day
	Differences int // how many are open
}

// DifferenceFilter selects differences.
type DifferenceFilter struct {
	Day  Day  // "" for all days
	Open bool // only those that have not ended
	Most int  // maximum number of differences to list
}

// Store keeps statements, attempts and differences.
type Store interface {
	// Update runs fn in one transaction. fn may run more than once.
	Update(ctx context.Context, fn func(tx Tx) error) error
	// Matches lists at most limit rows of a loaded statement with the shop's records, ordered by line. The first row is
	// the one after the line afterLine.
	Matches(ctx context.Context, b Book, load int64, afterLine, limit int) ([]Match, error)
	// Missing lists at most limit records of the shop that were done in [from, to) and that the book should have, but
	// that no current statement of the book has. They are ordered by number, and begin with the next number above
	// after.
	Missing(ctx context.Context, b Book, kind RowKind, from, to time.Time, after string, limit int) ([]Record, error)
	// Moved reports whether the shop has records that the book must list for [from, to): those that were done in that
	// time, but for Trades only those refunds that were also requested in it.
	Moved(ctx context.Context, b Book, from, to time.Time) (bool, error)
	// CurrentLoad returns the id of the current statement of a book and day. It reports false if none was loaded.
	CurrentLoad(ctx context.Context, b Book, day Day) (int64, bool, error)
	// Attempts lists the attempts of the given day and later days, by day and book.
	Attempts(ctx context.Context, from Day) ([]Attempt, error)
	// OpenPages lists the books and days that have open differences, by day and book, beginning with the given day.
	OpenPages(ctx context.Context, from Day) ([]OpenPage, error)
	// CountOpen counts the open differences of each book, those of the latest days first. most is the maximum number
	// for all books together.
	CountOpen(ctx context.Context, most int) (map[Book]int, error)
	// Differences lists the differences that the filter selects, by day and id.
	Differences(ctx context.Context, f DifferenceFilter) ([]Difference, error)
}

// Tx is one transaction over the repositories that a reconciliation writes.
type Tx struct {
	Statements  Statements
	Differences Differences
	Jobs        jobs.Scheduler
	Audit       audit.Log
}

// Statements stores the rows of statements. A load is one attempt to store a statement; its rows are not used until
// MakeCurrent.
type Statements interface {
	// Begin opens a load and returns its id.
	Begin(b Book, day Day, at time.Time) (int64, error)
	// Append adds rows to the load. line is the line number of the first one.
	Append(load int64, line int, rows []Row) error
	// MakeCurrent makes the load the current statement of its book and day, instead of an earlier one, and records the
	// number of its rows.
	MakeCurrent(load int64, rows int) error
	// DeleteOld deletes at most limit rows: of days before the given one, and of loads that are not current and began
	// before the time stale. It returns how many rows and loads it deleted.
	DeleteOld(before Day, stale time.Time, limit int) (int, error)
	// SaveAttempt records an attempt to reconcile a book and day, and counts it.
	SaveAttempt(a Attempt) error
}

// Differences stores differences. Day, book, kind and subject identify one.
type Differences interface {
	// Save inserts a difference, or updates the amounts of the stored one and when it was seen. It fills in the id and
	// the stored fields, and reports whether the difference is new, or is open again after it had ended by itself. A
	// difference that an operator has ended stays ended.
	Save(d *Difference) (opened bool, err error)
	// Touch updates when a difference was last seen, if it is stored and open, so that EndUnseen does not end it.
	Touch(d Difference) error
	// EndUnseen ends at most limit open differences of a book and day that no comparison has seen since the time since,
	// and returns them.
	EndUnseen(b Book, day Day, since, at time.Time, limit int) ([]Difference, error)
	// End ends an open difference by hand. It fails with ErrDifferenceNotFound or ErrDifferenceEnded.
	End(id int64, actor, why string, at time.Time) (Difference, error)
}
