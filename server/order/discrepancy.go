package order

import (
	"context"
	"log/slog"
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

// LogDiscrepancies logs what Discrepancies finds. It repairs nothing.
func LogDiscrepancies(ctx context.Context, v Verifier, logger *slog.Logger) error {
	found, err := v.Discrepancies(ctx)
	for _, d := range found {
		logger.ErrorContext(ctx, "records contradict each other", "check", d.Check, "subject", d.Subject, "detail", d.Detail)
	}
	return err
}
