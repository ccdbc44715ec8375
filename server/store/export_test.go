package store

import (
	"context"
	"reflect"
	"time"

	"marquee/server/durations"
	"marquee/server/reconcile"
)

// Limits of the steps.
const (
	VerifyRows  = verifyRows
	VerifyEvery = durations.Verification
	PurgeRows   = purgeRows
)

// Queries of a reconciliation.
var (
	MissingQueries = missingQueries
	MissingTickets = missingTickets

	MatchesByOurNumber = matchesByOurNumber
)

// CardsForOrder is the query of CardsFor.
const CardsForOrder = cardsForOrder

// Purged returns how long the rows are kept that Purge and PurgeAccounts delete, by table.
func Purged() map[string]time.Duration {
	kept := map[string]time.Duration{}
	for _, p := range accountPurges {
		kept[p.table] = p.keep
	}
	for _, p := range purges {
		kept[p.table] = durations.KeepRecords // purchase.New passes it to Purge
	}
	return kept
}

// ScrapeStatements are the statements that a scrape of the metrics runs over rows without a natural bound.
func ScrapeStatements(now int64, most int) []Statement {
	return []Statement{
		{queueLoads, []any{now, most}}, {reviewCounts, []any{most}}, {openRefunds, []any{most}},
		{openDifferences, []any{most}},
	}
}

// ReviewList is the statement of the list of orders that need an operator.
const ReviewList = reviewList

// Statement is a text with arguments for its placeholders.
type Statement struct {
	Text string
	Args []any
}

// PagedStatements returns the statements of one step of a verification or a purge.
func (s *Stores) PagedStatements(ctx context.Context) ([]Statement, error) {
	groups, err := s.Orders().allGroups(ctx)
	var list []Statement
	for _, g := range groups {
		list = append(list, Statement{g.pageEnd(), []any{0, g.rows}})
		for _, c := range g.checks {
			list = append(list, Statement{c.query, []any{0, g.rows}})
		}
	}
	for _, p := range append(append([]purge{}, purges...), accountPurges...) {
		list = append(list, Statement{p.count(), []any{0, purgeRows, 0}},
			Statement{p.statement(), []any{0, purgeRows, 0}})
	}
	return list, err
}

// ReconciliationStatements returns the statements that compare a statement of another party with the shop's records.
func ReconciliationStatements() []Statement {
	list := []Statement{
		{matchesByOurNumber, []any{string(reconcile.Trades), 0, 1, 0, 200}},
		{matchesInFunds, []any{string(reconcile.Funds), 0, 1, 0, 200}},
		{missingTickets, []any{"tickets-1", 0, 1000, "", 200, 1}},
	}
	for book, queries := range missingQueries {
		for _, query := range queries {
			list = append(list, Statement{query, []any{string(book), 0, 1000, "", 200}})
		}
	}
	return list
}

// VerificationRuns reports whether a verification is unfinished.
func (s *Stores) VerificationRuns(ctx context.Context) (bool, error) {
	v, err := s.Orders().verification(ctx)
	return v.cursor.group != "", err
}

// VerifySteps runs the first n steps of a verification, and calls after each of them.
func (s *Stores) VerifySteps(ctx context.Context, n int, after func()) error {
	groups, err := s.Orders().allGroups(ctx)
	at := verifyCursor{group: groups[0].name}
	for range n {
		if err != nil {
			return err
		}
		_, at, err = s.Orders().verifyStep(ctx, groups, at)
		after()
	}
	return err
}

// Differing returns the texts that differ between the engines, by the name of their field in statements.
func (s *Stores) Differing() map[string]string {
	texts, fields := map[string]string{}, reflect.ValueOf(*s.sql)
	for i := range fields.NumField() {
		texts[fields.Type().Field(i).Name] = fields.Field(i).String()
	}
	return texts
}
