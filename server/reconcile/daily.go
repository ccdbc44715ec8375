package reconcile

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"marquee/server/durations"
	"marquee/server/fault"
)

const (
	// backlog is how many days back a shop that was down catches up, and how long open differences are checked again.
	backlog = int(durations.Backlog / durations.Day)
	// keepRows is how many days the rows of statements are kept: a refund may take weeks from its request to its end.
	keepRows = int(durations.KeepStatements / durations.Day)
)

// Daily is the periodic job. It reconciles every book for every day that is due: yesterday, after 10:30 in Beijing, and
// all days since the first attempt that were not reconciled. A statement that does not exist yet is requested again by
// the next run. Days with open differences are reconciled again, with a new statement, once a day, and compared again
// by every run, so that a difference ends soon after the books agree.
func (s *Service) Daily(ctx context.Context) error {
	last := DayOf(s.now().Add(-durations.StatementsReady)).Add(-1)
	attempts, err := s.store.Attempts(ctx, last.Add(-backlog))
	if err != nil {
		return err
	}
	var failed []error
	for _, b := range s.books {
		failed = append(failed, s.catchUp(ctx, b, attempts, last))
	}
	return errors.Join(append(failed, s.checkOpen(ctx, attempts), s.deleteOld(ctx))...)
}

// catchUp reconciles those days of a book that were not reconciled yet, from the first day on which it was ever tried
// to the day last. After it has reconciled such a day, it compares the later days again, because whether a record is
// missing depends on the statements of earlier days. It stops at the first error that means that the other party is
// unavailable.
func (s *Service) catchUp(ctx context.Context, b Book, attempts []Attempt, last Day) error {
	first, done := triedDays(b, attempts)
	if first == "" || first > last {
		first = last
	}
	var failed []error
	closed := false
	for day := first; day <= last; day = day.Add(1) {
		var err error
		switch {
		case !done[day]:
			err = s.reconcileBook(ctx, b, day)
			closed = closed || err == nil
		case closed:
			err = s.compare(ctx, b, day, false)
		}
		if err == nil {
			continue
		}
		s.logger.WarnContext(ctx, "reconciliation postponed", "book", string(b), "day", string(day), "error", err)
		if fault.KindOf(err) == fault.Unavailable {
			break // the next run tries again
		}
		failed = append(failed, fmt.Errorf("reconcile %s of %s: %w", b, day, err))
	}
	return errors.Join(failed...)
}

// triedDays returns the first day of a book that was tried, "" if none was, and the days that were reconciled.
func triedDays(b Book, attempts []Attempt) (first Day, done map[Day]bool) {
	done = map[Day]bool{}
	for _, a := range attempts { // ordered by day
		if a.Book != b {
			continue
		}
		if first == "" {
			first = a.Day
		}
		done[a.Day] = !a.DoneAt.IsZero()
	}
	return first, done
}

// ComparedUntil returns the time until which a book was compared without a gap: from the first day that was tried to
// the start of the first later day that is not reconciled. It returns the zero time if no day was tried.
func ComparedUntil(b Book, attempts []Attempt) time.Time {
	day, done := triedDays(b, attempts)
	if day == "" {
		return time.Time{}
	}
	for done[day] {
		day = day.Add(1)
	}
	return day.Start()
}

// checkOpen compares every book and day that has an open difference again. Once a day, it first loads the statement
// again.
func (s *Service) checkOpen(ctx context.Context, attempts []Attempt) error {
	pages, err := s.store.OpenPages(ctx, DayOf(s.now()).Add(-backlog))
	if err != nil {
		return err
	}
	var failed []error
	for _, p := range pages {
		if s.statements[p.Book] == nil {
			continue
		}
		check := func(ctx context.Context, b Book, day Day) error { return s.compare(ctx, b, day, false) }
		for _, a := range attempts {
			if a.Book == p.Book && a.Day == p.Day && s.now().Sub(a.At) >= durations.ReconcileAgain {
				check = s.reconcileBook
			}
		}
		if err := check(ctx, p.Book, p.Day); err != nil && fault.KindOf(err) != fault.Unavailable {
			failed = append(failed, fmt.Errorf("reconcile %s of %s again: %w", p.Book, p.Day, err))
		}
	}
	return errors.Join(failed...)
}

// deleteOld deletes the rows of statements after keepRows days, and those of replaced or interrupted loads after
// durations.ReconcileAgain.
func (s *Service) deleteOld(ctx context.Context) error {
	for {
		n := 0
		err := s.store.Update(ctx, func(tx Tx) (err error) {
			now := s.now()
			n, err = tx.Statements.DeleteOld(DayOf(now).Add(-keepRows), now.Add(-durations.ReconcileAgain), batch)
			return err
		})
		if err != nil || n < batch {
			return err
		}
	}
}

// End marks a difference that an operator has dealt with as ended. The reason is recorded in the audit log. It fails
// with ErrDifferenceNotFound or ErrDifferenceEnded.
func (s *Service) End(ctx context.Context, id int64, why, actor string) error {
	return s.store.Update(ctx, func(tx Tx) error {
		now := s.now()
		d, err := tx.Differences.End(id, actor, why, now)
		if err != nil {
			return err
		}
		return tx.Audit.Record(now, actor, "difference.ended", subject(d), string(d.Kind), why)
	})
}

// Books lists the books that are compared, Trades and Funds first.
func (s *Service) Books() []Book { return slices.Clone(s.books) }

// Progress returns the attempts of the last days, sorted by day and book, and how many differences of each book are
// open. It counts at most MaxListed differences.
func (s *Service) Progress(ctx context.Context) ([]Attempt, map[Book]int, error) {
	attempts, err := s.store.Attempts(ctx, DayOf(s.now()).Add(-backlog))
	if err != nil {
		return nil, nil, err
	}
	open, err := s.store.CountOpen(ctx, MaxListed)
	return attempts, open, err
}

// Overview returns the attempts of the last days and the open differences, at most MaxListed.
func (s *Service) Overview(ctx context.Context) ([]Attempt, []Difference, error) {
	from := DayOf(s.now()).Add(-backlog)
	attempts, err := s.store.Attempts(ctx, from)
	if err != nil {
		return nil, nil, err
	}
	open, err := s.store.Differences(ctx, DifferenceFilter{Open: true, Most: MaxListed})
	return attempts, open, err
}
