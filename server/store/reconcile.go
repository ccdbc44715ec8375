package store

import (
	"cmp"
	"context"
	"errors"
	"time"

	"marquee/server/audit"
	"marquee/server/order"
	"marquee/server/reconcile"
)

// Reconciliation implements reconcile.Store.
type Reconciliation struct{ db *Stores }

// Reconciliation returns the store of statements and differences.
func (s *Stores) Reconciliation() *Reconciliation { return &Reconciliation{s} }

var _ reconcile.Store = (*Reconciliation)(nil)

// Update implements reconcile.Store.
func (s *Reconciliation) Update(ctx context.Context, fn func(reconcile.Tx) error) error {
	return s.db.write(ctx, func(w *writeTx) error {
		return fn(reconcile.Tx{
			Statements: statementRepo{w}, Differences: differenceRepo{w}, Jobs: jobRepo{w}, Audit: auditRepo{w},
		})
	})
}

// recordColumns are the columns that scanRecord reads: of an order o, and of its payment leg l with the payment p, or
// of its refund f. The row of a ticket has neither leg nor refund.
const recordColumns = `coalesce(o.order_no, ''), coalesce(o.kind, ''), coalesce(o.state, ''),
	coalesce(o.state IN ('ISSUE_FAILED', 'REFUNDED') AND o.tickets <> '[]', FALSE), coalesce(o.source, 0),
	coalesce(l.amount, f.amount, o.total, 0), coalesce(l.captured, 0),
	coalesce(p.created_at, f.sent_at, o.created_at, 0), coalesce(l.captured_at, f.done_at, o.created_at, 0),
	coalesce(p.state, ''), coalesce(f.state, ''), coalesce(f.id, 0)`

// scanRecord returns pointers into r for scanning recordColumns, and a function that fills the remaining fields of r
// after the scan.
func scanRecord(r *reconcile.Record) (into []any, complete func()) {
	var opened, done int64
	var o order.Order
	into = []any{
		&r.OrderNo, &r.OrderKind, &r.OrderState, &r.Revoked, &o.Source, &r.Amount, &r.Captured, &opened, &done,
		&r.Payment, &r.Refund,
		&r.RefundID,
	}
	return into, func() {
		o.Kind = r.OrderKind
		r.Queue, r.OpenedAt, r.DoneAt = o.Queue(), fromEpoch(opened), fromEpoch(done)
	}
}

// listed is a condition: one of the current statements of the book $1 has a row of the given kind with the given
// number. The CASE makes PostgreSQL search the index for each number. Otherwise PostgreSQL would join the two tables.
// It has no statistics of rows that have just been stored, and would compare each row of one table with each of the
// other.
func listed(kind, number string) string {
	return `CASE WHEN EXISTS (SELECT 1 FROM statement_rows x JOIN statements t ON t.id = x.statement_id
		WHERE x.number = ` + number + ` AND x.kind = '` + kind + `' AND t.book = $1 AND t.is_current = TRUE)
		THEN TRUE ELSE FALSE END`
}

// inStatements is a condition: among the current statements t that satisfy the given condition, one has a row x of the
// same kind as the row r whose column equals the number of r. It searches each statement by the index of the column, so
// that a number that a provider repeats a thousand times, also in replaced statements, is not read a thousand times for
// each row. It first checks whether any other statement has the number at all, so that the search of each kept
// statement is spared for ordinary rows.
func inStatements(statements, column string) string {
	found := `SELECT 1 FROM statement_rows x WHERE ` + column + ` = r.number AND x.kind = r.kind AND x.statement_id `
	return `CASE WHEN EXISTS (` + found + `< r.statement_id) OR EXISTS (` + found + `> r.statement_id)
		THEN EXISTS (SELECT 1 FROM statements t WHERE t.is_current = TRUE AND ` + statements + `
			AND EXISTS (` + found + `= t.id)) ELSE FALSE END`
}

// matchQuery returns a query that reads the rows of a statement, each with the shop's record of the same number. leg
// and refund are the columns of the shop's records that contain the number of a row, legRef and refundRef those that
// contain the other party's number. inTrades is the condition that the trade bill lists the row, too. A column may be
// preceded by the condition of its partial index.
func matchQuery(leg, refund, legRef, refundRef, inTrades string) string {
	return `SELECT r.line, r.kind, r.number, r.ref, r.state, r.amount,
		EXISTS (SELECT 1 FROM statement_rows x WHERE x.number = r.number AND x.kind = r.kind
			AND x.statement_id = r.statement_id AND x.line < r.line)
		OR ` + inStatements(`t.book = $1 AND t.day < s.day`, `x.number`) + `,
		` + inTrades + `,
		coalesce(CASE r.kind WHEN 'payment' THEN ` + legRef + ` WHEN 'refund' THEN ` + refundRef + `
			ELSE o.provider_no END, ''), ` + recordColumns + `
		FROM statement_rows r JOIN statements s ON s.id = r.statement_id
		LEFT JOIN legs l ON r.kind = 'payment' AND ` + leg + ` = r.number
		LEFT JOIN payments p ON p.id = l.payment_id
		LEFT JOIN refunds f ON r.kind = 'refund' AND ` + refund + ` = r.number
		LEFT JOIN orders o ON o.order_no = CASE r.kind WHEN 'payment' THEN l.order_no WHEN 'refund' THEN f.order_no
			ELSE r.number END AND (r.kind <> 'ticket' OR (o.kind = 'ticket' AND o.source = $2))
		WHERE r.statement_id = $3 AND r.line > $4 ORDER BY r.line LIMIT $5` + planOnce
}

var (
	matchesByOurNumber = matchQuery(`l.out_trade_no`, `f.out_refund_no`, `l.transaction_id`, `f.refund_id`, `FALSE`)
	matchesInFunds     = matchQuery(`l.transaction_id`, `f.refund_id <> '' AND f.refund_id`, `l.out_trade_no`,
		`f.out_refund_no`, inStatements(`t.book = 'trades'`, `x.ref`))
)

// Matches implements reconcile.Store.
func (s *Reconciliation) Matches(
	ctx context.Context, b reconcile.Book, load int64, afterLine, limit int,
) ([]reconcile.Match, error) {
	query := matchesByOurNumber
	if b == reconcile.Funds {
		query = matchesInFunds
	}
	return queryAll(ctx, s.db, func(row scanner) (m reconcile.Match, err error) {
		var ours reconcile.Record
		columns, complete := scanRecord(&ours)
		err = row.Scan(append([]any{&m.Line, &m.Row.Kind, &m.Row.Number, &m.Row.Ref, &m.Row.State, &m.Row.Amount,
			&m.Repeated, &m.InTrades, &ours.Ref}, columns...)...)
		if ours.OrderNo != "" {
			complete()
			ours.Kind, ours.Number = m.Row.Kind, m.Row.Number
			m.Ours = &ours
		}
		return m, err
	}, query, string(b), int(b.Source()), load, afterLine, limit)
}

// missingPayments, missingRefunds and missingTickets are queries that find the shop's records that no current statement
// of the book $1 lists. number is the column with the number by which the book lists a record, ref the column with the
// other party's number.
func missingPayments(number, ref string) string {
	return `SELECT ` + number + `, ` + ref + `, ` + recordColumns + `
		FROM legs l JOIN payments p ON p.id = l.payment_id JOIN orders o ON o.order_no = l.order_no
		LEFT JOIN refunds f ON f.id = NULL
		WHERE l.kind = 'wx' AND l.captured > 0 AND l.captured_at >= $2 AND l.captured_at < $3 AND ` + number + ` > $4
		AND NOT ` + listed("payment", number) + ` ORDER BY ` + number + ` LIMIT $5` + planOnce
}

func missingRefunds(number, ref string) string {
	return `SELECT ` + number + `, ` + ref + `, ` + recordColumns + `
		FROM refunds f JOIN orders o ON o.order_no = f.order_no
		LEFT JOIN legs l ON l.id = NULL LEFT JOIN payments p ON p.id = NULL
		WHERE f.kind = 'wx' AND f.state = 'done' AND f.done_at >= $2 AND f.done_at < $3 AND ` + number + ` > $4
		AND NOT ` + listed("refund", number) + ` ORDER BY ` + number + ` LIMIT $5` + planOnce
}

var missingTickets = `SELECT o.order_no, coalesce(o.provider_no, ''), ` + recordColumns + ` FROM orders o
	LEFT JOIN legs l ON l.id = NULL LEFT JOIN payments p ON p.id = NULL LEFT JOIN refunds f ON f.id = NULL
	WHERE o.kind = 'ticket' AND o.state = 'ISSUED' AND o.created_at >= $2 AND o.created_at < $3 AND o.order_no > $4
	AND o.source = $6 AND NOT ` + listed("ticket", "o.order_no") + ` ORDER BY o.order_no LIMIT $5` + planOnce

// missingQueries are the queries of the gateway's books by kind of row.
var missingQueries = map[reconcile.Book]map[reconcile.RowKind]string{
	reconcile.Trades: {
		reconcile.PaymentRow: missingPayments(`l.out_trade_no`, `l.transaction_id`),
		reconcile.RefundRow:  missingRefunds(`f.out_refund_no`, `f.refund_id`),
	},
	reconcile.Funds: {
		reconcile.PaymentRow: missingPayments(`l.transaction_id`, `l.out_trade_no`),
		reconcile.RefundRow:  missingRefunds(`f.refund_id`, `f.out_refund_no`),
	},
}

// Missing implements reconcile.Store.
func (s *Reconciliation) Missing(
	ctx context.Context, b reconcile.Book, kind reconcile.RowKind, from, to time.Time, after string, limit int,
) ([]reconcile.Record, error) {
	args := []any{string(b), toEpoch(from), toEpoch(to), after, limit}
	query, ofGateway := missingQueries[b][kind]
	if !ofGateway {
		query, args = missingTickets, append(args, int(b.Source()))
	}
	return queryAll(ctx, s.db, func(row scanner) (r reconcile.Record, err error) {
		columns, complete := scanRecord(&r)
		err = row.Scan(append([]any{&r.Number, &r.Ref}, columns...)...)
		complete()
		r.Kind = kind
		return r, err
	}, query, args...)
}

// Moved implements reconcile.Store.
func (s *Reconciliation) Moved(ctx context.Context, b reconcile.Book, from, to time.Time) (bool, error) {
	// The trade bill has a refund on the day of its request, the fund flow bill on the day of its end.
	refunded := `done_at >= $1`
	if b == reconcile.Trades {
		refunded = `sent_at >= $1`
	}
	args := []any{toEpoch(from), toEpoch(to)}
	query := `SELECT EXISTS (SELECT 1 FROM legs WHERE kind = 'wx' AND captured > 0 AND captured_at >= $1
			AND captured_at < $2)
		OR EXISTS (SELECT 1 FROM refunds WHERE kind = 'wx' AND state = 'done' AND ` + refunded + ` AND done_at < $2)`
	if source := b.Source(); source != 0 {
		args = append(args, int(source))
		query = `SELECT EXISTS (SELECT 1 FROM orders WHERE kind = 'ticket' AND state = 'ISSUED' AND source = $3
			AND created_at >= $1 AND created_at < $2)`
	}
	return queryOne(ctx, s.db, scanValue[bool], nil, query, args...)
}

var errNoLoad = errors.New("store: no statement is loaded")

// CurrentLoad implements reconcile.Store.
func (s *Reconciliation) CurrentLoad(
	ctx context.Context, b reconcile.Book, day reconcile.Day,
) (id int64, found bool, err error) {
	id, err = queryOne(ctx, s.db, scanValue[int64], errNoLoad,
		`SELECT id FROM statements WHERE book = $1 AND day = $2 AND is_current = TRUE`, string(b), string(day))
	if errors.Is(err, errNoLoad) {
		return 0, false, nil
	}
	return id, err == nil, err
}

// Attempts implements reconcile.Store.
func (s *Reconciliation) Attempts(ctx context.Context, from reconcile.Day) ([]reconcile.Attempt, error) {
	return queryAll(ctx, s.db, func(row scanner) (a reconcile.Attempt, err error) {
		var at, done int64
		err = row.Scan(&a.Book, &a.Day, &a.Tries, &a.Fault, &at, &done, &a.Rows)
		a.At, a.DoneAt = fromEpoch(at), fromEpoch(done)
		return a, err
	}, `SELECT book, day, tries, fault, tried_at, done_at, line_count FROM reconciliations WHERE day >= $1
		ORDER BY day, book`, string(from))
}

// OpenPages implements reconcile.Store.
func (s *Reconciliation) OpenPages(ctx context.Context, from reconcile.Day) ([]reconcile.OpenPage, error) {
	return queryAll(ctx, s.db, func(row scanner) (p reconcile.OpenPage, err error) {
		return p, row.Scan(&p.Book, &p.Day, &p.Differences)
	}, `SELECT book, day, count(*) FROM differences WHERE ended_at = 0 AND day >= $1 GROUP BY day, book
		ORDER BY day, book`,
		string(from))
}

const openDifferences = `SELECT book, count(*) FROM (SELECT book FROM differences WHERE ended_at = 0
	ORDER BY day DESC LIMIT $1` + planOnce + `) AS latest GROUP BY book`

// CountOpen implements reconcile.Store.
func (s *Reconciliation) CountOpen(ctx context.Context, most int) (map[reconcile.Book]int, error) {
	type count struct {
		book reconcile.Book
		open int
	}
	counts, err := queryAll(ctx, s.db, func(row scanner) (c count, err error) {
		return c, row.Scan(&c.book, &c.open)
	}, openDifferences, most)
	byBook := map[reconcile.Book]int{}
	for _, c := range counts {
		byBook[c.book] = c.open
	}
	return byBook, err
}

// differenceColumns are the columns that scanDifference reads.
const differenceColumns = `id, day, book, kind, subject, order_no, ours, theirs, detail, found_at, seen_at, ended_at,
	ended_by, note`

func scanDifference(row scanner) (d reconcile.Difference, err error) {
	var found, seen, ended int64
	err = row.Scan(&d.ID, &d.Day, &d.Book, &d.Kind, &d.Subject, &d.OrderNo, &d.Ours, &d.Theirs, &d.Detail, &found,
		&seen, &ended, &d.EndedBy, &d.Note)
	d.FoundAt, d.SeenAt, d.EndedAt = fromEpoch(found), fromEpoch(seen), fromEpoch(ended)
	return d, err
}

// Differences implements reconcile.Store.
func (s *Reconciliation) Differences(
	ctx context.Context, f reconcile.DifferenceFilter,
) ([]reconcile.Difference, error) {
	const lastDay = "9999-12-31"
	query := `SELECT ` + differenceColumns + ` FROM differences WHERE day >= $1 AND day <= $2
		ORDER BY day, id LIMIT $3` + planOnce
	if f.Open {
		query = `SELECT ` + differenceColumns + ` FROM differences WHERE ended_at = 0 AND day >= $1 AND day <= $2
			ORDER BY day, id LIMIT $3` + planOnce
	}
	return queryAll(ctx, s.db, scanDifference, query, string(f.Day), cmp.Or(string(f.Day), lastDay), f.Most)
}

// statementRepo holds the statements of a reconciliation, their rows and the attempts.
type statementRepo struct{ *writeTx }

// Begin implements reconcile.Statements.
func (w statementRepo) Begin(b reconcile.Book, day reconcile.Day, at time.Time) (int64, error) {
	return txQueryOne(w.writeTx, scanValue[int64], nil,
		`INSERT INTO statements (book, day, started_at) VALUES ($1, $2, $3) RETURNING id`,
		string(b), string(day), toEpoch(at))
}

// Append implements reconcile.Statements.
func (w statementRepo) Append(load int64, line int, rows []reconcile.Row) error {
	for i, r := range rows {
		if _, err := w.exec(`INSERT INTO statement_rows (statement_id, line, kind, number, ref, state, amount)
			VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			load, line+i, string(r.Kind), r.Number, r.Ref, string(r.State), fen(r.Amount)); err != nil {
			return err
		}
	}
	return nil
}

// MakeCurrent implements reconcile.Statements.
func (w statementRepo) MakeCurrent(load int64, rows int) error {
	// If two servers load a statement at the same time, the later one waits, and replaces the other's.
	if err := w.lock("current statements"); err != nil {
		return err
	}
	if _, err := w.exec(`UPDATE statements SET is_current = FALSE WHERE is_current = TRUE AND id <> $1
		AND (book, day) = (SELECT book, day FROM statements WHERE id = $1)`, load); err != nil {
		return err
	}
	_, err := w.exec(`UPDATE statements SET is_current = TRUE, line_count = $1 WHERE id = $2`, rows, load)
	return err
}

// DeleteOld implements reconcile.Statements. A statement is deleted after its last row.
func (w statementRepo) DeleteOld(before reconcile.Day, stale time.Time, limit int) (int, error) {
	const old = `SELECT id FROM statements WHERE day < $1 OR (is_current = FALSE AND started_at < $2)`
	n := 0
	for _, query := range []string{
		`DELETE FROM statement_rows WHERE (statement_id, line) IN (SELECT statement_id, line FROM statement_rows
			WHERE statement_id IN (` + old + `) LIMIT $3` + planOnce + `)`,
		`DELETE FROM statements WHERE id IN (SELECT id FROM (` + old + `) o
			WHERE NOT EXISTS (SELECT 1 FROM statement_rows r WHERE r.statement_id = o.id) LIMIT $3` + planOnce + `)`,
	} {
		deleted, err := w.exec(query, string(before), toEpoch(stale), limit-n)
		if n += int(deleted); err != nil || n >= limit {
			return n, err
		}
	}
	return n, nil
}

// SaveAttempt implements reconcile.Statements.
func (w statementRepo) SaveAttempt(a reconcile.Attempt) error {
	_, err := w.exec(`INSERT INTO reconciliations (book, day, tries, fault, tried_at, done_at, line_count)
		VALUES ($1, $2, 1, $3, $4, $5, $6) ON CONFLICT (day, book) DO UPDATE
		SET tries = reconciliations.tries + 1, fault = $3,
		tried_at = $4, done_at = CASE WHEN $5 > 0 THEN $5 ELSE reconciliations.done_at END,
		line_count = CASE WHEN $5 > 0 THEN $6 ELSE reconciliations.line_count END`,
		string(a.Book), string(a.Day), a.Fault, toEpoch(a.At), toEpoch(a.DoneAt), a.Rows)
	return err
}

// differenceRepo holds the differences that reconciliations have found.
type differenceRepo struct{ *writeTx }

// Save implements reconcile.Differences.
func (w differenceRepo) Save(d *reconcile.Difference) (opened bool, err error) {
	if err := w.lock("differences " + string(d.Day) + string(d.Book) + string(d.Kind) + d.Subject); err != nil {
		return false, err
	}
	known, err := txQueryAll(w.writeTx, scanDifference, `SELECT `+differenceColumns+` FROM differences
		WHERE day = $1 AND book = $2 AND kind = $3 AND subject = $4`,
		string(d.Day), string(d.Book), string(d.Kind), d.Subject)
	if err != nil {
		return false, err
	}
	if len(known) == 0 {
		d.ID, err = txQueryOne(w.writeTx, scanValue[int64], nil, `INSERT INTO differences (day, book, kind, subject,
			order_no, ours, theirs, detail, found_at, seen_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id`,
			string(d.Day), string(d.Book), string(d.Kind), d.Subject, d.OrderNo,
			fen(d.Ours), fen(d.Theirs), d.Detail, toEpoch(d.FoundAt), toEpoch(d.SeenAt))
		return err == nil, err
	}
	was := known[0]
	d.ID, d.FoundAt, d.EndedAt, d.EndedBy, d.Note = was.ID, was.FoundAt, was.EndedAt, was.EndedBy, was.Note
	if opened = !was.Open() && was.EndedBy == audit.System; opened {
		d.EndedAt, d.EndedBy, d.Note = time.Time{}, "", ""
	}
	_, err = w.exec(`UPDATE differences SET order_no = $1, ours = $2, theirs = $3, detail = $4, seen_at = $5,
		ended_at = $6,
		ended_by = $7, note = $8 WHERE id = $9`,
		d.OrderNo, fen(d.Ours), fen(d.Theirs), d.Detail, toEpoch(d.SeenAt), toEpoch(d.EndedAt), d.EndedBy, d.Note, d.ID)
	return opened, err
}

// Touch implements reconcile.Differences.
func (w differenceRepo) Touch(d reconcile.Difference) error {
	_, err := w.exec(`UPDATE differences SET seen_at = $1 WHERE day = $2 AND book = $3 AND kind = $4 AND subject = $5
		AND ended_at = 0`, toEpoch(d.SeenAt), string(d.Day), string(d.Book), string(d.Kind), d.Subject)
	return err
}

// EndUnseen implements reconcile.Differences.
func (w differenceRepo) EndUnseen(
	b reconcile.Book, day reconcile.Day, since, at time.Time, limit int,
) ([]reconcile.Difference, error) {
	return txQueryAll(w.writeTx, scanDifference, `UPDATE differences SET ended_at = $1, ended_by = $2 WHERE id IN (
		SELECT id FROM differences WHERE day = $3 AND book = $4 AND ended_at = 0 AND seen_at < $5 ORDER BY id
		LIMIT $6`+planOnce+`)
		RETURNING `+differenceColumns,
		toEpoch(at), audit.System, string(day), string(b), toEpoch(since), limit)
}

// End implements reconcile.Differences.
func (w differenceRepo) End(id int64, actor, why string, at time.Time) (d reconcile.Difference, err error) {
	known, err := txQueryAll(w.writeTx, scanDifference,
		`SELECT `+differenceColumns+` FROM differences WHERE id = $1`+w.db.sql.lockRow, id)
	switch {
	case err != nil:
		return d, err
	case len(known) == 0:
		return d, reconcile.ErrDifferenceNotFound
	case !known[0].Open():
		return d, reconcile.ErrDifferenceEnded
	}
	_, err = w.exec(`UPDATE differences SET ended_at = $1, ended_by = $2, note = $3 WHERE id = $4`,
		toEpoch(at), actor, why, id)
	return known[0], err
}
