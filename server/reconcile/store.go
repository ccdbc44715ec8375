package reconcile

import (
	"context"
	"fmt"
	"time"

	"marquee/server/cards"
	"marquee/server/jobs"
	"marquee/server/money"
	"marquee/server/order"
)

// Record is what the shop has in its own books about the subject of a row.
type Record struct {
	Kind       RowKind // as in the row of the book
	Number     string  // as in the row of the book
	Ref        string  // the other party's number, if the shop knows it
	OrderNo    string  // of the order that the record belongs to
	OrderKind  order.Kind
	OrderState order.State
	Revoked    bool                 // an operator has refunded the order after its tickets were issued
	Queue      jobs.Queue           // of the order's tasks
	Amount     money.Fen            // announced to the other party
	Captured   money.Fen            // of a payment
	OpenedAt   time.Time            // when the trade was announced, the refund sent, or the order made
	DoneAt     time.Time            // when it was captured, refunded, or the order made
	Payment    order.PaymentState   // of a trade: the state of its payment
	Refund     order.RefundProgress // of a refund: its progress
	RefundID   int64                // of the refund's task
}

// Match is a row of a statement with the shop's record of its subject.
type Match struct {
	Line     int     // of the row in the statement, from 1
	Row      Row     // what the other party reports
	Ours     *Record // nil: the shop has no record
	Repeated bool    // an earlier row of a current statement has the same number
	InTrades bool    // of a row in Funds: the trade bill lists the number
}

// Attempt is the progress of the reconciliation of one book and day.
type Attempt struct {
	Book   Book
	Day    Day
	Tries  int       // of the book and day; the store counts them
	Fault  string    // stable code of the last try's failure; empty if it succeeded
	At     time.Time // of the last try
	DoneAt time.Time // when the books were last compared; zero if never
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
	Most int  // how many are listed at most
}

// Store keeps statements, attempts and differences.
type Store interface {
	// Update runs fn in one transaction. fn may run more than once.
	Update(ctx context.Context, fn func(tx Tx) error) error
	// Matches lists rows of a loaded statement with the shop's records, by line, from the line after the given one.
	Matches(ctx context.Context, b Book, load int64, afterLine, limit int) ([]Match, error)
	// Missing lists the shop's records of a book that are done in [from, to) and that no current statement of the book
	// lists, by number, from the number after the given one.
	Missing(ctx context.Context, b Book, kind RowKind, from, to time.Time, after string, limit int) ([]Record, error)
	// Moved reports whether the shop has records that the book must have in [from, to): those done then, and in Trades
	// only the refunds that were also requested then.
	Moved(ctx context.Context, b Book, from, to time.Time) (bool, error)
	// CurrentLoad returns the id of the statement that was loaded last, and false if there is none.
	CurrentLoad(ctx context.Context, b Book, day Day) (int64, bool, error)
	// Attempts lists the attempts of the days from the given one, by day and book.
	Attempts(ctx context.Context, from Day) ([]Attempt, error)
	// OpenPages lists the books and days from the given one that have open differences, by day and book.
	OpenPages(ctx context.Context, from Day) ([]OpenPage, error)
	// CountOpen counts the open differences of each book: of the latest days, at most so many of all books together.
	CountOpen(ctx context.Context, most int) (map[Book]int, error)
	// Differences lists the differences that the filter selects, by day and id.
	Differences(ctx context.Context, f DifferenceFilter) ([]Difference, error)
}

// Tx is one transaction over the repositories that a reconciliation writes.
type Tx struct {
	Statements  Statements
	Differences Differences
	Jobs        jobs.Scheduler
	Audit       cards.AuditLog
}

// Statements stores the rows of statements. A load is invisible until it is made current.
type Statements interface {
	// Begin opens a load and returns its id.
	Begin(b Book, day Day, at time.Time) (int64, error)
	// Append adds rows, of which the first has the given line.
	Append(load int64, line int, rows []Row) error
	// MakeCurrent replaces the statement of the load's book and day, and records the number of rows.
	MakeCurrent(load int64, rows int) error
	// DeleteOld deletes up to limit rows of loads that are not current and began before stale, and of days before the
	// given one. It returns how many rows and loads it deleted.
	DeleteOld(before Day, stale time.Time, limit int) (int, error)
	// SaveAttempt records a try.
	SaveAttempt(a Attempt) error
}

// Differences stores differences. Day, book, kind and subject identify one.
type Differences interface {
	// Save inserts a difference, or updates its figures and when it was seen. It fills in the id and what is stored,
	// and reports whether the difference is new, or had ended by itself and is open again. A difference that an
	// operator has ended stays ended.
	Save(d *Difference) (opened bool, err error)
	// Touch updates when a difference was seen, if it is stored and open.
	Touch(d Difference) error
	// EndUnseen ends, up to limit, the open differences of a book and day that were not seen since the given time, and
	// returns them.
	EndUnseen(b Book, day Day, since, at time.Time, limit int) ([]Difference, error)
	// End ends an open difference by hand. It fails with ErrDifferenceNotFound or ErrDifferenceEnded.
	End(id int64, actor, why string, at time.Time) (Difference, error)
}
