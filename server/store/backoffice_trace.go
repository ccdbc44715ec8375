package store

import (
	"context"
	"fmt"
	"time"

	"marquee/server/audit"
	"marquee/server/backoffice"
)

// tracedAudit is the maximum number of audit records that Records reads: the latest ones.
const tracedAudit = 500

// Records implements backoffice.OrderRecords. Every part reads an index: calls, tasks and transactions of the ledger
// are found by their keys, which contain the numbers of the order, its trades, legs and refunds.
func (b *BackOffice) Records(ctx context.Context, no string) (r backoffice.Records, err error) {
	err = b.db.view(ctx, func(q querier) (err error) {
		orders := &Orders{b.db, q}
		if r.Order, err = orders.Order(ctx, no); err != nil {
			return err
		}
		if r.Payments, err = orders.Payments(ctx, no); err != nil {
			return err
		}
		if r.Refunds, err = orders.Refunds(ctx, no); err != nil {
			return err
		}
		if r.CapturedAt, err = capturedAt(ctx, q, no); err != nil {
			return err
		}
		if r.Calls, err = callsOf(ctx, q, no); err != nil {
			return err
		}
		if r.Tasks, err = tasksOf(ctx, q, no); err != nil {
			return err
		}
		if r.Audit, err = auditOf(ctx, q, no); err != nil {
			return err
		}
		if r.Ledger, err = ledgerOf(ctx, q, no); err != nil {
			return err
		}
		r.Differences, err = queryAll(ctx, q, scanDifference,
			`SELECT `+differenceColumns+` FROM differences WHERE ended_at = 0 AND order_no = $1 ORDER BY id`, no)
		return err
	})
	return r, err
}

// capturedAt returns when the captured legs of an order were captured.
func capturedAt(ctx context.Context, from querier, no string) (map[int64]time.Time, error) {
	type capture struct{ leg, at int64 }
	list, err := queryAll(ctx, from, func(row scanner) (c capture, err error) { return c, row.Scan(&c.leg, &c.at) },
		`SELECT l.id, l.captured_at FROM payments p JOIN legs l ON l.payment_id = p.id
		WHERE p.order_no = $1 AND l.captured > 0`, no)
	at := make(map[int64]time.Time, len(list))
	for _, c := range list {
		at[c.leg] = fromEpoch(c.at)
	}
	return at, err
}

// callsOf lists the calls to providers about an order. The numbers of its trades and refunds consist of the order's
// number, "-" and the attempt. In the order of texts they lie between the order's number with "-" and with ".", which
// is the next character.
func callsOf(ctx context.Context, from querier, no string) ([]backoffice.CallRecord, error) {
	return queryAll(ctx, from, func(row scanner) (c backoffice.CallRecord, err error) {
		var sent, answered int64
		err = row.Scan(&c.Key, &c.Tries, &c.Outcome, &c.Answer, &sent, &answered)
		c.SentAt, c.AnsweredAt = fromEpoch(sent), fromEpoch(answered)
		return c, err
	}, `SELECT key, tries, outcome, answer, sent_at, answered_at FROM provider_calls
		WHERE key IN ('lock:' || $1, 'unlock:' || $1, 'issue:' || $1)
		OR (key > 'prepay:' || $1 || '-' AND key < 'prepay:' || $1 || '.')
		OR (key > 'refund:' || $1 || '-' AND key < 'refund:' || $1 || '.') ORDER BY sent_at, key`, no)
}

// tasksOf lists the tasks of an order, its trades and its refunds, by the time at which they are due.
func tasksOf(ctx context.Context, from querier, no string) ([]backoffice.TaskRecord, error) {
	return queryAll(ctx, from, func(row scanner) (t backoffice.TaskRecord, err error) {
		var due int64
		err = row.Scan(&t.Kind, &t.Queue, &due, &t.Tries)
		t.Due = fromEpoch(due)
		return t, err
	}, `SELECT kind, queue, due_at, tries FROM tasks WHERE kind IN ('order', 'unlock') AND subject = $1
		UNION ALL SELECT kind, queue, due_at, tries FROM tasks WHERE kind IN ('trade', 'recheck_trade')
			AND subject IN (SELECT l.out_trade_no FROM payments p JOIN legs l ON l.payment_id = p.id
				WHERE p.order_no = $1)
		UNION ALL SELECT kind, queue, due_at, tries FROM tasks WHERE kind = 'refund'
			AND subject IN (SELECT CAST(id AS TEXT) FROM refunds WHERE order_no = $1)
		ORDER BY due_at`, no)
}

// auditColumns are the columns that scanAudit reads.
const auditColumns = `at, actor, what, subject, before, after, request_id`

func scanAudit(row scanner) (a backoffice.AuditEntry, err error) {
	var at int64
	err = row.Scan(&at, &a.Actor, &a.What, &a.Subject, &a.Before, &a.After, &a.RequestID)
	a.At = fromEpoch(at)
	return a, err
}

// subjectsOfOrder selects the subjects of the audit that belong to the order $1.
const subjectsOfOrder = `SELECT 'order:' || CAST($1 AS TEXT) AS subject
	UNION ALL SELECT 'payment:' || id FROM payments WHERE order_no = $1
	UNION ALL SELECT 'trade:' || l.out_trade_no FROM payments p JOIN legs l ON l.payment_id = p.id
		WHERE p.order_no = $1 AND l.out_trade_no IS NOT NULL
	UNION ALL SELECT 'refund:' || out_refund_no FROM refunds WHERE order_no = $1 AND out_refund_no IS NOT NULL`

// auditOf lists the latest records of the audit about an order, its payments, trades and refunds, the oldest first.
func auditOf(ctx context.Context, from querier, no string) ([]backoffice.AuditEntry, error) {
	return queryAll(ctx, from, scanAudit, `SELECT `+auditColumns+` FROM (SELECT id, `+auditColumns+` FROM audit
		WHERE subject IN (`+subjectsOfOrder+`)
		ORDER BY id DESC LIMIT $2`+planOnce+`) AS latest ORDER BY id`, no, tracedAudit)
}

// subjectsOfBuyer selects the subjects of the audit that belong to the cards and orders of a buyer. %[1]d stands for
// the number of the parameter with the buyer's id.
const subjectsOfBuyer = `SELECT 'card:' || id AS subject FROM cards WHERE user_id = $%[1]d
	UNION ALL SELECT 'order:' || order_no FROM orders WHERE user_id = $%[1]d`

// AuditEntries implements backoffice.AuditEntries. The entries of an actor or of a time are read in the order of an
// index; those of an order or a buyer are found by their subjects.
func (b *BackOffice) AuditEntries(ctx context.Context, q backoffice.AuditQuery) ([]backoffice.AuditEntry, error) {
	where, args := `TRUE`, []any{}
	param := func(v any) int { args = append(args, v); return len(args) }
	if q.OrderNo != "" { // first: its parameter is $1
		param(q.OrderNo)
		where += ` AND subject IN (` + subjectsOfOrder + `)`
	}
	if q.UserID != 0 {
		user := fmt.Sprintf(subjectsOfBuyer, param(q.UserID))
		where += fmt.Sprintf(` AND id IN (SELECT id FROM audit WHERE actor = $%d
			UNION SELECT id FROM audit WHERE subject IN (%s))`, param(audit.User(q.UserID)), user)
	}
	if q.Actor != "" {
		where += fmt.Sprintf(` AND actor = $%d`, param(q.Actor))
	}
	if !q.From.IsZero() {
		where += fmt.Sprintf(` AND at >= $%d AND at < $%d`, param(toEpoch(q.From)), param(toEpoch(q.To)))
	}
	return queryAll(ctx, b.db, scanAudit, fmt.Sprintf(`SELECT `+auditColumns+` FROM audit WHERE %s
		ORDER BY at DESC, id DESC LIMIT $%d`+planOnce, where, param(q.Most)), args...)
}

// ledgerOf lists the transactions of the ledger for the card legs of an order, or for the points that it bought. It
// finds them by their keys.
func ledgerOf(ctx context.Context, from querier, no string) ([]backoffice.LedgerRecord, error) {
	return queryAll(ctx, from, func(row scanner) (l backoffice.LedgerRecord, err error) {
		var at int64
		err = row.Scan(&l.Event, &l.Actor, &l.Remark, &at, &l.Points)
		l.At = fromEpoch(at)
		return l, err
	}, `SELECT t.event, t.actor, t.remark, t.at,
		(SELECT coalesce(sum(e.cp), 0) FROM ledger_entries e WHERE e.tx_id = t.id AND e.cp > 0) AS moved
		FROM (SELECT 'recharge:' || $1 AS key
			UNION ALL SELECT part.event || ':' || l.id || ':0' FROM payments p
				JOIN legs l ON l.payment_id = p.id AND l.kind = 'card'
				JOIN (SELECT 'reserve' AS event UNION ALL SELECT 'commit' UNION ALL SELECT 'release') AS part ON TRUE
				WHERE p.order_no = $1
			UNION ALL SELECT 'refund:' || leg_id || ':' || generation FROM refunds
				WHERE order_no = $1 AND kind = 'card') AS keys
		JOIN ledger_txs t ON t.key = keys.key ORDER BY t.id`, no)
}
