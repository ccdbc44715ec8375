package order

import (
	"context"
	"log/slog"
	"time"
)

// Discrepancy is a record that contradicts another one in the store or at a provider.
type Discrepancy struct {
	Check   string // stable name of the rule
	Subject string // what breaks the rule
	Detail  string
}

// Verifier cross-checks ledger, seats, payments and orders, and returns what contradicts what.
type Verifier interface {
	Discrepancies(ctx context.Context) ([]Discrepancy, error)
}

// LogDiscrepancies logs what Discrepancies finds, and returns how many there are. It repairs nothing.
func LogDiscrepancies(ctx context.Context, v Verifier, logger *slog.Logger) (int, error) {
	found, err := v.Discrepancies(ctx)
	for _, d := range found {
		logger.ErrorContext(ctx, "records contradict each other", "check", d.Check, "subject", d.Subject, "detail", d.Detail)
	}
	return len(found), err
}

// Verification is how the verification of all records ended.
type Verification struct {
	CleanAt time.Time // end of the last verification that found nothing; zero if there was none
	Found   int       // discrepancies that the last verification found
}
