package sqlite

import (
	"context"
	"time"

	"marquee/server/order"
)

// checks are the rules that the records must obey at every commit. Each query returns (subject, detail) for every
// record that breaks the rule. Amounts are in fen, points in hundredths of a point.
var checks = []struct{ name, query string }{
	{"ledger_balanced", `SELECT t.key, 'sums to ' || sum(e.cp) FROM ledger_txs t
		JOIN ledger_entries e ON e.tx_id = t.id GROUP BY t.id HAVING sum(e.cp) <> 0`},
	{"ledger_has_entries", `SELECT key, 'has no entries' FROM ledger_txs t WHERE NOT EXISTS (SELECT 1
		FROM ledger_entries WHERE tx_id = t.id)`},
	{"lot_matches_ledger",
		`SELECT 'lot:' || l.id, 'avail ' || l.avail || ' held ' || l.held || ', ledger ' || coalesce(a,
		0) || ' ' || coalesce(h, 0) FROM lots l LEFT JOIN (
		SELECT lot_id, sum(cp) FILTER (WHERE account = 'avail') a, sum(cp) FILTER (WHERE account = 'held') h
		FROM ledger_entries WHERE lot_id IS NOT NULL GROUP BY lot_id
		) e ON e.lot_id = l.id WHERE l.avail <> coalesce(a, 0) OR l.held <> coalesce(h, 0)`},
	{"held_matches_open_legs", `SELECT 'card:' || c.id, 'lots hold ' || coalesce(h,
		0) || ', open payments ' || coalesce(o, 0) FROM cards c
		LEFT JOIN (SELECT card_id, sum(held) h FROM lots GROUP BY card_id) l ON l.card_id = c.id
		LEFT JOIN (SELECT card_id, sum(amount) o FROM legs JOIN payments p ON p.id = payment_id WHERE p.state = 'open'
		AND kind = 'card' GROUP BY card_id) g ON g.card_id = c.id
		WHERE coalesce(h, 0) <> coalesce(o, 0)`},
	{"revenue_matches_legs", `SELECT 'revenue', 'ledger ' || r || ', card legs less refunds ' || l FROM
		(SELECT coalesce(sum(cp), 0) r FROM ledger_entries WHERE account = 'revenue'),
		(SELECT coalesce(sum(captured), 0) - (SELECT coalesce(sum(amount), 0) FROM refunds WHERE kind = 'card') l
		FROM legs WHERE kind = 'card') WHERE r <> l`},
	{"payment_matches_legs", `SELECT 'payment:' || p.id, 'total ' || p.total || ', legs ' || sum(l.amount)
		FROM payments p JOIN legs l ON l.payment_id = p.id GROUP BY p.id HAVING sum(l.amount) <> p.total`},
	{"payment_matches_order", `SELECT 'payment:' || p.id, 'total ' || p.total || ', order ' || o.total
		FROM payments p JOIN orders o USING (order_no) WHERE p.total <> o.total`},
	{"paid_is_captured", `SELECT 'leg:' || l.id, 'of a paid payment is not captured' FROM legs l
		JOIN payments p ON p.id = l.payment_id WHERE p.state = 'paid' AND l.captured = 0`},
	{"unpaid_is_not_captured", `SELECT 'leg:' || l.id, p.state || ' payment, captured ' || l.captured FROM legs l
		JOIN payments p ON p.id = l.payment_id
		WHERE l.captured > 0 AND (p.state IN ('open', 'closed', 'unknown', 'disputed')
		OR (p.state = 'late' AND l.kind = 'card'))`},
	{"paid_order_has_payment", `SELECT 'order:' || order_no, state || ' without a paid payment' FROM orders o
		WHERE state IN ('PAID', 'ISSUING', 'ISSUED', 'ISSUE_FAILED', 'REFUNDED')
		AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_no = o.order_no AND p.state = 'paid')`},
	{"unpaid_order_has_none", `SELECT 'order:' || order_no, o.state || ' with a ' || p.state || ' payment'
		FROM orders o JOIN payments p USING (order_no)
		WHERE (p.state = 'paid' AND o.state IN ('LOCKING', 'PENDING', 'CANCELLED', 'EXPIRED', 'ABANDONED'))
		OR (p.state = 'open' AND o.state <> 'PENDING')`},
	{"seats_match_order",
		`SELECT 'order:' || o.order_no,
		o.state || ': ' || o.seats || ' seats, ' || count(h.id) FILTER (WHERE h.state = 'held') || ' held, ' ||
		count(h.id) FILTER (WHERE h.state = 'sold') || ' sold'
		FROM orders o LEFT JOIN seat_holds h USING (order_no) WHERE o.kind = 'ticket' GROUP BY o.order_no
		HAVING count(h.id) FILTER (WHERE h.state = 'held') <> iif(o.state IN ('LOCKING', 'PENDING'), o.seats, 0)
		OR count(h.id) FILTER (WHERE h.state = 'sold') <> iif(o.state IN ('PAID', 'ISSUING', 'ISSUED'), o.seats, 0)`},
	{"stock_matches_order", `SELECT 'order:' || o.order_no, o.state || ', stock ' || coalesce(h.state, 'not held')
		FROM orders o LEFT JOIN stock_holds h USING (order_no)
		WHERE o.kind = 'goods' AND coalesce(h.state, '') <> CASE WHEN o.state = 'PENDING' THEN 'held'
		WHEN o.state IN ('PAID', 'ISSUING', 'ISSUED') THEN 'sold' ELSE 'released' END`},
	{"stock_matches_codes", `SELECT 'sku:' || k.id, 'stock ' || k.stock || ', free codes ' || count(c.id)
		FROM goods_skus k JOIN goods g ON g.id = k.goods_id AND g.type = 2
		LEFT JOIN goods_codes c ON c.sku_id = k.id AND c.state = 'free' GROUP BY k.id HAVING k.stock <> count(c.id)`},
	{"codes_match_order",
		`SELECT 'order:' || o.order_no,
		o.state || ': ' || h.pieces || ' pieces, ' || count(c.id) || ' codes given'
		FROM orders o JOIN stock_holds h USING (order_no)
		JOIN goods_skus k ON k.id = h.sku_id JOIN goods g ON g.id = k.goods_id AND g.type = 2 LEFT
		JOIN goods_codes c ON c.order_no = o.order_no AND c.state = 'given'
		GROUP BY o.order_no HAVING count(c.id) <> iif(o.state = 'ISSUED', h.pieces, 0)`},
	{"codes_are_of_an_order",
		`SELECT 'code:' || c.id,
		c.state || ' for order ' || c.order_no || ', which is ' || o.state FROM goods_codes c JOIN orders o USING (order_no)
		WHERE (c.state = 'held' AND o.state NOT IN ('PENDING', 'PAID', 'ISSUING')) OR (c.state = 'given'
		AND o.state <> 'ISSUED')`},
	{"recharge_is_credited", `SELECT 'order:' || o.order_no, o.state || ', credited ' || count(t.id) || ' times'
		FROM orders o LEFT JOIN ledger_txs t ON t.key = 'recharge:' || o.order_no
		WHERE o.kind = 'recharge' GROUP BY o.order_no HAVING count(t.id) <> iif(o.state = 'ISSUED', 1, 0)`},
	{"merged_card_is_empty", `SELECT 'card:' || c.id, 'merged, but its lots hold ' || sum(l.avail + l.held)
		FROM cards c JOIN lots l ON l.card_id = c.id
		WHERE c.merged_into IS NOT NULL GROUP BY c.id HAVING sum(l.avail + l.held) <> 0`},
	{"one_active_hold", `SELECT source || ':' || show_id || ':' || seat_id, count(*) || ' active holds'
		FROM seat_holds WHERE state IN ('held', 'sold') GROUP BY source, show_id, seat_id HAVING count(*) > 1`},
	{"refunds_within_capture", `SELECT 'leg:' || l.id, 'captured ' || l.captured || ', refunds ' || sum(r.amount)
		FROM refunds r JOIN legs l ON l.id = r.leg_id GROUP BY l.id HAVING sum(r.amount) > l.captured`},
	{"failed_is_refunded",
		`SELECT 'leg:' || l.id,
		'captured ' || l.captured || ' for a ' || o.state || ' order, refunds ' || coalesce(sum(r.amount), 0)
		FROM legs l JOIN payments p ON p.id = l.payment_id JOIN orders o ON o.order_no = l.order_no LEFT
		JOIN refunds r ON r.leg_id = l.id
		WHERE o.state IN ('ISSUE_FAILED', 'REFUNDED') OR p.state = 'late' GROUP BY l.id
		HAVING coalesce(sum(r.amount), 0) <> l.captured`},
	{"delivered_is_not_refunded", `SELECT 'leg:' || l.id, 'refunded, but the order is ' || o.state FROM refunds r
		JOIN legs l ON l.id = r.leg_id
		JOIN payments p ON p.id = l.payment_id JOIN orders o ON o.order_no = l.order_no WHERE p.state = 'paid'
		AND o.state NOT IN ('ISSUE_FAILED', 'REFUNDED')`},
	{"refunded_is_done", `SELECT 'refund:' || r.id, 'of a REFUNDED order is ' || r.state FROM refunds r
		JOIN legs l ON l.id = r.leg_id JOIN payments p ON p.id = l.payment_id
		JOIN orders o ON o.order_no = r.order_no WHERE o.state = 'REFUNDED' AND p.state = 'paid' AND r.state <> 'done'`},
	{"order_is_watched", `SELECT 'order:' || order_no, state || ' without a task' FROM orders o
		WHERE state IN ('LOCKING', 'PENDING', 'PAID', 'ISSUING')
		AND NOT EXISTS (SELECT 1 FROM tasks WHERE kind = 'order' AND subject = o.order_no)`},
	{"trade_is_watched", `SELECT 'trade:' || l.out_trade_no, 'open without a task' FROM legs l
		JOIN payments p ON p.id = l.payment_id WHERE p.state = 'open' AND l.kind = 'wx'
		AND NOT EXISTS (SELECT 1 FROM tasks WHERE kind = 'trade' AND subject = l.out_trade_no)`},
	{"unknown_payment_is_watched", `SELECT 'trade:' || l.out_trade_no, 'of an unknown payment without a task' FROM legs l
		JOIN payments p ON p.id = l.payment_id WHERE p.state = 'unknown' AND l.kind = 'wx'
		AND NOT EXISTS (SELECT 1 FROM tasks WHERE kind = 'reconcile' AND subject = l.out_trade_no)`},
	{"refund_is_watched", `SELECT 'refund:' || r.id, r.state || ' without a task' FROM refunds r
		WHERE r.state IN ('ready', 'sending', 'unknown')
		AND NOT EXISTS (SELECT 1 FROM tasks WHERE kind = 'refund' AND subject = CAST(r.id AS TEXT))`},
	{"payment_is_known",
		`SELECT 'payment:' || p.id, 'the gateway has not told whether trade ' || l.out_trade_no || ' was paid'
		FROM payments p JOIN legs l ON l.payment_id = p.id AND l.kind = 'wx' WHERE p.state = 'unknown'`},
	{"nothing_disputed", `SELECT 'payment:' || id, 'the gateway reports a payment that differs from the announced one'
		FROM payments WHERE state = 'disputed'`},
	{"foreign_keys", `SELECT "table" || ':' || coalesce(rowid, ''), 'points at a missing row of ' || parent
		FROM pragma_foreign_key_check`},
}

// Discrepancies implements order.Verifier. It runs every check in one read transaction.
func (s *Orders) Discrepancies(ctx context.Context) ([]order.Discrepancy, error) {
	tx, err := s.db.reader.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // a read transaction has nothing to commit
	found := []order.Discrepancy{}
	for _, c := range checks {
		rows, err := tx.QueryContext(ctx, c.query)
		if err != nil {
			return nil, err
		}
		broken, err := scanRows(rows, func(row scanner) (order.Discrepancy, error) {
			d := order.Discrepancy{Check: c.name}
			return d, row.Scan(&d.Subject, &d.Detail)
		})
		if err != nil {
			return nil, err
		}
		found = append(found, broken...)
	}
	return found, nil
}

// SaveVerification records the end of a verification.
func (s *Orders) SaveVerification(ctx context.Context, at time.Time, found int) error {
	return s.db.write(ctx, func(w *writeTx) error {
		_, err := w.exec(`INSERT INTO verification (id, clean_at, found) VALUES (1, iif(?2 = 0, ?1, 0), ?2)
			ON CONFLICT (id) DO UPDATE SET clean_at = iif(?2 = 0, ?1, clean_at), found = ?2`, toEpoch(at), found)
		return err
	})
}

// LastVerification returns the outcome of the last verification, the zero value if there was none.
func (s *Orders) LastVerification(ctx context.Context) (order.Verification, error) {
	scan := func(row scanner) (v order.Verification, err error) {
		var cleanAt int64
		err = row.Scan(&cleanAt, &v.Found)
		v.CleanAt = fromEpoch(cleanAt)
		return v, err
	}
	list, err := queryAll(ctx, s.from, scan, `SELECT clean_at, found FROM verification`)
	if err != nil || len(list) == 0 {
		return order.Verification{}, err
	}
	return list[0], nil
}
