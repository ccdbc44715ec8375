package orders

import (
	"context"
	"sync"
	"time"
)

// House tasks: one row each, so that one server at a time does them.
const (
	houseLots   = "lots"
	housePurge  = "purge"
	houseVerify = "verify"
)

var houseEvery = map[string]time.Duration{houseLots: time.Minute, housePurge: time.Hour, houseVerify: time.Hour}

// keepRecords is how long idempotency keys and answers of providers are kept, and calls without an answer of orders that are over.
const keepRecords = 30 * 24 * time.Hour

// house is whether the recurring tasks are known to be there.
type house struct {
	sync.Mutex
	kept bool
}

// keepHouse sees that the recurring tasks are there. A first try that fails is followed by another.
func (s *Service) keepHouse(ctx context.Context) (err error) {
	s.house.Lock()
	defer s.house.Unlock()
	if s.house.kept {
		return nil
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		for name := range houseEvery {
			if err := tx.Jobs.Ensure(TaskHouse, name, LaneHouse, s.Now()); err != nil {
				return err
			}
		}
		return nil
	})
	s.house.kept = err == nil
	return err
}

func (s *Service) housework(ctx context.Context, t Task) error {
	every, known := houseEvery[t.Subject]
	if !known {
		return s.finish(ctx, t)
	}
	var err error
	switch t.Subject {
	case houseLots:
		if s.Lots != nil {
			_, err = s.Lots.ExpireLots(ctx)
		}
	case housePurge:
		_, err = s.Store.Purge(ctx, s.Now().Add(-keepRecords))
	case houseVerify:
		err = s.report(ctx)
	}
	if err != nil {
		return err
	}
	return s.Store.Update(ctx, func(tx Tx) error { return tx.Jobs.Schedule(TaskHouse, t.Subject, LaneHouse, s.Now().Add(every)) })
}

// report logs what does not add up; it repairs nothing.
func (s *Service) report(ctx context.Context) error {
	found, err := s.Verify(ctx)
	for _, d := range found {
		s.Logger.ErrorContext(ctx, "books do not agree", "check", d.Check, "subject", d.Subject, "detail", d.Detail)
	}
	return err
}

// Verify cross-checks ledger, seats, payments and orders and returns what contradicts what; nothing is well.
func (s *Service) Verify(ctx context.Context) ([]Discrepancy, error) {
	return s.Store.Discrepancies(ctx)
}
