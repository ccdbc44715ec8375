package reconcile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"marquee/server/audit"
	"marquee/server/durations"
	"marquee/server/fault"
)

const (
	// batch is how many rows are stored or compared in one step. It bounds the memory of a run and the time for which
	// it keeps other transactions of the store waiting.
	batch = 200
)

// Config configures a Service. All fields are required.
type Config struct {
	Store      Store
	Statements map[Book]Statement // one per book
	Wake       func()             // wakes the job runner, which then looks for due tasks
	Now        func() time.Time   // business time
	Logger     *slog.Logger
}

// Service compares the shop's books of a day with those of the other parties.
type Service struct {
	store      Store
	statements map[Book]Statement
	books      []Book // Trades comes before Funds, whose comparison uses the rows of Trades
	wake       func()
	now        func() time.Time
	logger     *slog.Logger
}

// New returns a service.
func New(c Config) *Service {
	s := &Service{store: c.Store, statements: c.Statements, wake: c.Wake, now: c.Now, logger: c.Logger}
	for b := range c.Statements {
		s.books = append(s.books, b)
	}
	rank := map[Book]int{Trades: -2, Funds: -1}
	slices.SortFunc(s.books, func(a, b Book) int { return cmp.Or(cmp.Compare(rank[a], rank[b]), cmp.Compare(a, b)) })
	return s
}

// Reconcile fetches the statements of a day again, compares every book with the shop's, stores the differences and ends
// those that no longer exist. It returns the open differences of the day, at most MaxListed, and ErrNotReady if the
// day is not over. If one statement is unavailable, the other books are still reconciled, and the error is returned
// with their differences.
func (s *Service) Reconcile(ctx context.Context, day Day) ([]Difference, error) {
	if !day.Start().AddDate(0, 0, 1).Before(s.now()) {
		return nil, fmt.Errorf("day %s is not over: %w", day, ErrNotReady)
	}
	var failed []error
	for _, b := range s.books {
		if err := s.reconcileBook(ctx, b, day); err != nil {
			failed = append(failed, fmt.Errorf("reconcile %s of %s: %w", b, day, err))
		}
	}
	open, err := s.store.Differences(ctx, DifferenceFilter{Day: day, Open: true, Most: MaxListed})
	return open, errors.Join(append(failed, err)...)
}

// MaxListed is the maximum number of open differences that are listed together: if a statement of the wrong day was
// loaded, every row may be a difference.
const MaxListed = 1000

// reconcileBook loads and compares one book of a day, and records the attempt.
func (s *Service) reconcileBook(ctx context.Context, b Book, day Day) error {
	rows, err := s.load(ctx, b, day)
	if err == nil {
		err = s.compare(ctx, b, day, true)
	}
	a := Attempt{Book: b, Day: day, At: s.now(), Rows: rows}
	if err == nil {
		a.DoneAt = a.At
	} else {
		a.Fault = fault.Of(err).Code
	}
	return errors.Join(err, s.store.Update(ctx, func(tx Tx) error { return tx.Statements.SaveAttempt(a) }))
}

// load fetches and stores the statement of a book and makes it the current one of its day. If the statement cannot be
// read completely, the earlier one stays current. It returns the number of rows.
func (s *Service) load(ctx context.Context, b Book, day Day) (rows int, err error) {
	var load int64
	if err := s.store.Update(ctx, func(tx Tx) (err error) {
		load, err = tx.Statements.Begin(b, day, s.now())
		return err
	}); err != nil {
		return 0, err
	}
	pending := make([]Row, 0, batch)
	flush := func() error {
		err := s.store.Update(ctx, func(tx Tx) error { return tx.Statements.Append(load, rows+1, pending) })
		rows += len(pending)
		pending = pending[:0]
		return err
	}
	err = s.statements[b](ctx, day, func(r Row) error {
		pending = append(pending, r)
		if len(pending) < batch {
			return nil
		}
		return flush()
	})
	if errors.Is(err, ErrNone) {
		err = s.requireNoMovements(ctx, b, day, err)
	}
	if err == nil && len(pending) > 0 {
		err = flush()
	}
	if err != nil {
		return rows, err
	}
	return rows, s.store.Update(ctx, func(tx Tx) error { return tx.Statements.MakeCurrent(load, rows) })
}

// requireNoMovements decides what it means that a day has no statement. It returns nil if the shop has no movements on
// that day. Otherwise the statement is probably late, and the error matches ErrNotReady.
func (s *Service) requireNoMovements(ctx context.Context, b Book, day Day, none error) error {
	moved, err := s.store.Moved(ctx, b,
		day.Start().Add(durations.StatementEdge), day.Add(1).Start().Add(-durations.StatementEdge))
	if err != nil || !moved {
		return err
	}
	return fmt.Errorf("%w: the shop has movements on that day: %w", ErrNotReady, none)
}

// run is one comparison of a book and day.
type run struct {
	book    Book
	day     Day
	load    int64     // the current statement
	started time.Time // a stored difference that was not found again since then ends
	fresh   bool      // the statement was just loaded: tasks for known differences are scheduled again
}

// compare compares the current statement of a book and day with the shop's books, in both directions: every row with
// the shop's record, and the shop's records that no statement lists. It stores the differences and ends those that were
// not found again.
func (s *Service) compare(ctx context.Context, b Book, day Day, fresh bool) error {
	r := run{book: b, day: day, started: s.now(), fresh: fresh}
	load, found, err := s.store.CurrentLoad(ctx, b, day)
	if err != nil || !found {
		return err
	}
	r.load = load
	defer s.wake()
	for line := 0; ; {
		page, err := s.store.Matches(ctx, b, load, line, batch)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			break
		}
		var verdicts []verdict
		for _, m := range page {
			if v := compareRow(b, m); v.difference != nil {
				verdicts = append(verdicts, v)
			}
		}
		if err := s.record(ctx, r, verdicts); err != nil {
			return err
		}
		line = page[len(page)-1].Line
	}
	for _, k := range kindsOf(b) {
		if err := s.compareMissing(ctx, r, k); err != nil {
			return err
		}
	}
	return s.endUnseen(ctx, r)
}

func kindsOf(b Book) []RowKind {
	if b == Trades || b == Funds {
		return []RowKind{PaymentRow, RefundRow}
	}
	return []RowKind{TicketRow}
}

// compareMissing stores a difference for each record of the shop that was done on the day and that no statement lists.
// A record counts as missing only if the statements of all days on which the other party can have booked it are loaded:
// from the day on which it was opened to the day on which it was done. If they are not, a stored difference of the
// record stays open.
func (s *Service) compareMissing(ctx context.Context, r run, k RowKind) error {
	from, to := r.day.Start().Add(-durations.StatementEdge), r.day.Add(1).Start().Add(-durations.StatementEdge)
	loaded := map[Day]bool{}
	for after := ""; ; {
		page, err := s.store.Missing(ctx, r.book, k, from, to, after, batch)
		if err != nil || len(page) == 0 {
			return err
		}
		var verdicts []verdict
		for _, ours := range page {
			known, err := s.allLoaded(ctx, r.book, DayOf(ours.OpenedAt.Add(-durations.StatementEdge)), r.day, loaded)
			if err != nil {
				return err
			}
			verdicts = append(verdicts, verdict{difference: missingDifference(r.book, ours), uncertain: !known})
		}
		if err := s.record(ctx, r, verdicts); err != nil {
			return err
		}
		after = page[len(page)-1].Number
	}
}

// allLoaded reports whether the statements of all days from first to last are loaded. It caches its results in the map
// loaded. It returns false if first is more than keepRows days before last, because the rows of such old statements are
// deleted.
func (s *Service) allLoaded(ctx context.Context, b Book, first, last Day, loaded map[Day]bool) (bool, error) {
	if first < last.Add(-keepRows) {
		return false, nil
	}
	for d := first; d <= last; d = d.Add(1) {
		known, asked := loaded[d]
		if !asked {
			var err error
			if _, known, err = s.store.CurrentLoad(ctx, b, d); err != nil {
				return false, err
			}
			loaded[d] = known
		}
		if !known {
			return false, nil
		}
	}
	return true, nil
}

// record stores the differences, writes the new ones to the audit log and to the log, and schedules the tasks that may
// end them.
func (s *Service) record(ctx context.Context, r run, verdicts []verdict) error {
	if len(verdicts) == 0 {
		return nil
	}
	var found []Difference
	err := s.store.Update(ctx, func(tx Tx) error {
		found = nil
		now := s.now()
		for _, v := range verdicts {
			d := *v.difference
			d.Book, d.Day, d.FoundAt, d.SeenAt = r.book, r.day, now, now
			if v.uncertain {
				if err := tx.Differences.Touch(d); err != nil {
					return err
				}
				continue
			}
			opened, err := tx.Differences.Save(&d)
			if err != nil {
				return err
			}
			if opened {
				found = append(found, d)
				what := string(d.Kind) + " " + d.Subject
				if err := tx.Audit.Record(now, audit.System, "difference.found", subject(d), "", what); err != nil {
					return err
				}
			}
			if v.task != nil && d.Open() && (opened || r.fresh) {
				if err := tx.Jobs.Ensure(v.task.kind, v.task.subject, v.task.queue, now); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, d := range found {
		s.logger.ErrorContext(ctx, "books differ", "day", string(d.Day), "book", string(d.Book), "kind", string(d.Kind),
			"subject", d.Subject, "order", d.OrderNo, "detail", d.Detail, "action", d.Action())
	}
	return nil
}

func subject(d Difference) string { return fmt.Sprintf("difference:%d", d.ID) }

// endUnseen ends the stored differences that the run did not find again, because the books agree now.
func (s *Service) endUnseen(ctx context.Context, r run) error {
	for {
		n := 0
		err := s.store.Update(ctx, func(tx Tx) error {
			now := s.now()
			ended, err := tx.Differences.EndUnseen(r.book, r.day, r.started, now, batch)
			if err != nil {
				return err
			}
			n = len(ended)
			for _, d := range ended {
				err := tx.Audit.Record(now, audit.System, "difference.ended", subject(d), string(d.Kind),
					"the books agree")
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil || n < batch {
			return err
		}
	}
}
