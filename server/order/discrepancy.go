package order

import (
	"context"
	"time"
)

// Discrepancy is a record that contradicts another one in the store or at a provider.
type Discrepancy struct {
	Check   string // stable name of the rule
	Subject string // what breaks the rule
	Detail  string // the values that contradict each other
}

// Verifier cross-checks ledger, seats, payments and orders, and returns the contradictions. It repairs nothing. Each
// step of a verification checks a bounded number of records in a separate transaction.
type Verifier interface {
	// Discrepancies checks every record.
	Discrepancies(ctx context.Context) ([]Discrepancy, error)
	// VerifySome continues the verification in progress, whose position the store keeps, by at most the given number of
	// steps, and returns what these steps found. If none is in progress, it starts a new one, at the earliest
	// durations.Verification after the start of the last one.
	VerifySome(ctx context.Context, now time.Time, steps int) ([]Discrepancy, error)
}

// Verification is the result of verifying all records.
type Verification struct {
	CleanAt time.Time // end of the last verification that found nothing; zero if there was none
	Found   int       // discrepancies of the last complete verification, or of the present one if it has more
}
