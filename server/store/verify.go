package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"marquee/server/durations"
	"marquee/server/order"
)

// verifyRows is how many records of a table one step of a verification checks.
const verifyRows = 500

// check is a rule that the records must satisfy at every commit. Its query returns (subject, detail) for each record of
// a page that breaks the rule. Amounts are in fen, points in hundredths of a point.
type check struct{ name, query string }

// checkGroup holds the rules for the records of one table. A page consists of the rows whose key is above $1 and at
// most $2; a rule reads other tables by an index. Each page is checked in one read transaction, so that a rule sees one
// commit, and no transaction is long enough to delay checkpoints of the log.
type checkGroup struct {
	name, table, key string // key is the primary key, a number
	rows             int    // in a page
	checks           []check
}

// revenueOf is an expression: the revenue that the ledger has booked for the leg, found by the keys of its
// transactions. Their entries are read by a subquery for each transaction and not by a join: PostgreSQL cannot estimate
// how few keys the condition selects, and would read all entries of the ledger for each leg.
func revenueOf(leg string) string {
	booked := func(event string) string {
		return fmt.Sprintf(`(SELECT coalesce(sum((SELECT sum(e.cp) FROM ledger_entries e
			WHERE e.tx_id = t.id AND e.account = 'revenue')), 0) FROM ledger_txs t
			WHERE t.key > '%[1]s:' || %[2]s || ':' AND t.key < '%[1]s:' || %[2]s || ';')`, event, leg)
	}
	return `(` + booked("commit") + ` + ` + booked("refund") + `)`
}

// revoked is a condition: an operator has refunded the order after its delivery. Its codes and pieces are not returned
// to the stock.
func revoked(orderNo string) string {
	return `EXISTS (SELECT 1 FROM audit a WHERE a.subject = 'order:' || ` + orderNo + ` AND a.what = 'order.revoked')`
}

// checkGroups returns the rules in the order in which a verification checks them.
func (q *statements) checkGroups() []checkGroup {
	return slices.Concat(q.pointsChecks(), paymentChecks(), orderChecks(), stockChecks())
}

// pointsChecks returns the rules of the ledger, the lots and the cards.
func (q *statements) pointsChecks() []checkGroup {
	return []checkGroup{
		{"ledger", "ledger_txs", "id", verifyRows, []check{
			{"ledger_balanced", `SELECT t.key, 'sums to ' || sum(e.cp) FROM ledger_txs t
			JOIN ledger_entries e ON e.tx_id = t.id WHERE t.id > $1 AND t.id <= $2 GROUP BY t.id
			HAVING sum(e.cp) <> 0`},
			{"ledger_has_entries", `SELECT key, 'has no entries' FROM ledger_txs t WHERE t.id > $1 AND t.id <= $2
			AND NOT EXISTS (SELECT 1 FROM ledger_entries WHERE tx_id = t.id)`},
			// The rule of this name in the group legs compares the revenue of each leg. This rule finds revenue without
			// a leg.
			{"revenue_matches_legs", `SELECT key, 'revenue without a payment leg' FROM (
			SELECT t.key, t.event, ` + q.legOfKey + ` leg FROM ledger_txs t
			WHERE t.id > $1 AND t.id <= $2
			AND (SELECT count(*) FROM ledger_entries WHERE tx_id = t.id AND account = 'revenue') > 0) r
			WHERE (SELECT count(*) FROM legs l WHERE l.id = r.leg AND l.kind = 'card') = 0
			AND (event NOT IN ('commit', 'refund') OR ` + revenueOf(`r.leg`) + ` <> 0)`},
		}},
		{"lots", "lots", "id", 100, []check{
			{"lot_matches_ledger", `SELECT 'lot:' || id, 'avail ' || avail || ' held ' || held || ', ledger ' || a
				|| ' ' || h FROM (
			SELECT l.id, l.avail, l.held, coalesce(sum(e.cp) FILTER (WHERE e.account = 'avail'), 0) a,
				coalesce(sum(e.cp) FILTER (WHERE e.account = 'held'), 0) h
			FROM lots l LEFT JOIN ledger_entries e ON e.lot_id = l.id WHERE l.id > $1 AND l.id <= $2 GROUP BY l.id)
			AS sums WHERE avail <> a OR held <> h`},
		}},
		{"cards", "cards", "id", verifyRows, []check{
			{"held_matches_open_legs", `SELECT 'card:' || id, 'lots hold ' || h || ', open payments ' || o FROM (
			SELECT c.id, (SELECT coalesce(sum(held), 0) FROM lots WHERE card_id = c.id) h,
				(SELECT coalesce(sum(l.amount), 0) FROM legs l
				WHERE l.card_id = c.id AND (SELECT p.state FROM payments p WHERE p.id = l.payment_id) = 'open') o
			FROM cards c WHERE c.id > $1 AND c.id <= $2) AS sums WHERE h <> o`},
			{"merged_card_is_empty", `SELECT 'card:' || c.id, 'merged, but its lots hold ' || sum(l.avail + l.held)
			FROM cards c JOIN lots l ON l.card_id = c.id
			WHERE c.id > $1 AND c.id <= $2 AND c.merged_into IS NOT NULL
			GROUP BY c.id HAVING sum(l.avail + l.held) <> 0`},
		}},
	}
}

// paymentChecks returns the rules of the payments, their legs and refunds.
func paymentChecks() []checkGroup {
	return []checkGroup{
		{"payments", "payments", "id", verifyRows, []check{
			{"payment_matches_legs", `SELECT 'payment:' || p.id, 'total ' || p.total || ', legs ' || sum(l.amount)
			FROM payments p JOIN legs l ON l.payment_id = p.id WHERE p.id > $1 AND p.id <= $2
			GROUP BY p.id HAVING sum(l.amount) <> p.total`},
			{"payment_matches_order", `SELECT 'payment:' || p.id, 'total ' || p.total || ', order ' || o.total
			FROM payments p JOIN orders o USING (order_no) WHERE p.id > $1 AND p.id <= $2 AND p.total <> o.total`},
			{"paid_is_captured", `SELECT 'leg:' || l.id, 'of a paid payment is not captured' FROM payments p
			JOIN legs l ON l.payment_id = p.id WHERE p.id > $1 AND p.id <= $2 AND p.state = 'paid' AND l.captured = 0`},
			{"unpaid_is_not_captured", `SELECT 'leg:' || l.id, p.state || ' payment, captured ' || l.captured
				FROM payments p
			JOIN legs l ON l.payment_id = p.id WHERE p.id > $1 AND p.id <= $2
			AND l.captured > 0 AND (p.state IN ('open', 'closed', 'unknown', 'disputed', 'settled')
			OR (p.state = 'late' AND l.kind = 'card'))`},
			{"trade_is_watched", `SELECT 'trade:' || l.out_trade_no, 'open without a task' FROM payments p
			JOIN legs l ON l.payment_id = p.id WHERE p.id > $1 AND p.id <= $2 AND p.state = 'open' AND l.kind = 'wx'
			AND NOT EXISTS (SELECT 1 FROM tasks WHERE kind = 'trade' AND subject = l.out_trade_no)`},
			{"unknown_payment_is_watched", `SELECT 'trade:' || l.out_trade_no, 'of an unknown payment without a task'
			FROM payments p JOIN legs l ON l.payment_id = p.id WHERE p.id > $1 AND p.id <= $2
			AND p.state = 'unknown' AND l.kind = 'wx'
			AND NOT EXISTS (SELECT 1 FROM tasks WHERE kind = 'recheck_trade' AND subject = l.out_trade_no)`},
			{"payment_is_known",
				`SELECT 'payment:' || p.id, 'the gateway has not reported whether trade ' || l.out_trade_no
				|| ' was paid'
			FROM payments p JOIN legs l ON l.payment_id = p.id AND l.kind = 'wx'
			WHERE p.id > $1 AND p.id <= $2 AND p.state = 'unknown'`},
			{"nothing_disputed", `SELECT 'payment:'
				|| id, 'the gateway reports a payment that differs from the requested one'
			FROM payments p WHERE p.id > $1 AND p.id <= $2 AND state = 'disputed'`},
		}},
		{"legs", "legs", "id", verifyRows, []check{
			{"revenue_matches_legs", `SELECT 'leg:' || id, 'ledger ' || r || ', captured less refunds ' || c FROM (
			SELECT l.id, l.captured - (SELECT coalesce(sum(amount), 0) FROM refunds WHERE leg_id = l.id) c,
				` + revenueOf(`l.id`) + ` r
			FROM legs l WHERE l.id > $1 AND l.id <= $2 AND l.kind = 'card') AS sums WHERE r <> c`},
			{"refunds_within_capture", `SELECT 'leg:' || l.id, 'captured ' || l.captured || ', refunds '
				|| sum(r.amount)
			FROM legs l JOIN refunds r ON r.leg_id = l.id WHERE l.id > $1 AND l.id <= $2
			GROUP BY l.id HAVING sum(r.amount) > l.captured`},
			{"failed_is_refunded",
				`SELECT 'leg:' || id, 'captured ' || captured || ' for a ' || state || ' order, refunds ' || back FROM (
			SELECT l.id, l.captured, o.state, (SELECT coalesce(sum(amount), 0) FROM refunds WHERE leg_id = l.id) back
			FROM legs l JOIN payments p ON p.id = l.payment_id
			JOIN orders o ON o.order_no = l.order_no
			WHERE l.id > $1 AND l.id <= $2 AND (o.state IN ('ISSUE_FAILED', 'REFUNDED') OR p.state = 'late'))
			AS sums WHERE back <> captured`},
		}},
		{"refunds", "refunds", "id", verifyRows, []check{
			{"delivered_is_not_refunded", `SELECT 'leg:' || l.id, 'refunded, but the order is ' || o.state
				FROM refunds r
			JOIN legs l ON l.id = r.leg_id JOIN payments p ON p.id = l.payment_id
			JOIN orders o ON o.order_no = l.order_no
			WHERE r.id > $1 AND r.id <= $2 AND p.state = 'paid' AND o.state NOT IN ('ISSUE_FAILED', 'REFUNDED')`},
			{"refunded_is_done", `SELECT 'refund:' || r.id, 'of a REFUNDED order is ' || r.state FROM refunds r
			JOIN legs l ON l.id = r.leg_id JOIN payments p ON p.id = l.payment_id
			JOIN orders o ON o.order_no = r.order_no
			WHERE r.id > $1 AND r.id <= $2 AND o.state = 'REFUNDED' AND p.state = 'paid'
			AND r.state NOT IN ('done', 'by_hand', 'doubled')`},
			{"refund_is_not_doubled", `SELECT 'refund:' || r.id, 'was settled by hand and by the gateway' FROM refunds r
			WHERE r.id > $1 AND r.id <= $2 AND r.state = 'doubled'`},
			{"refund_is_watched", `SELECT 'refund:' || r.id, r.state || ' without a task' FROM refunds r
			WHERE r.id > $1 AND r.id <= $2 AND r.state IN ('ready', 'sending', 'unknown')
			AND NOT EXISTS (SELECT 1 FROM tasks WHERE kind = 'refund' AND subject = CAST(r.id AS TEXT))`},
		}},
	}
}

// orderChecks returns the rules of the orders and their seats.
func orderChecks() []checkGroup {
	return []checkGroup{
		{"orders", "orders", "id", verifyRows, []check{
			{"paid_order_has_payment", `SELECT 'order:' || order_no, state || ' without a paid payment' FROM orders o
			WHERE o.id > $1 AND o.id <= $2 AND state IN ('PAID', 'ISSUING', 'ISSUED', 'ISSUE_FAILED', 'REFUNDED')
			AND NOT EXISTS (SELECT 1 FROM payments p WHERE p.order_no = o.order_no AND p.state = 'paid')`},
			{"unpaid_order_has_none", `SELECT 'order:' || order_no, o.state || ' with a ' || p.state || ' payment'
			FROM orders o JOIN payments p USING (order_no) WHERE o.id > $1 AND o.id <= $2
			AND ((p.state = 'paid' AND o.state IN ('LOCKING', 'PENDING', 'CANCELLED', 'EXPIRED', 'ABANDONED'))
			OR (p.state = 'open' AND o.state <> 'PENDING'))`},
			{"seats_match_order", `SELECT 'order:' || o.order_no, o.state || ': ' || o.seats || ' seats, '
			|| count(h.id) FILTER (WHERE h.state = 'held') || ' held, '
			|| count(h.id) FILTER (WHERE h.state = 'sold') || ' sold'
			FROM orders o LEFT JOIN seat_holds h USING (order_no)
			WHERE o.id > $1 AND o.id <= $2 AND o.kind = 'ticket' GROUP BY o.id
			HAVING count(h.id) FILTER (WHERE h.state = 'held') <>
				CASE WHEN o.state IN ('LOCKING', 'PENDING') THEN o.seats ELSE 0 END
			OR count(h.id) FILTER (WHERE h.state = 'sold') <> CASE WHEN o.state IN ('PAID', 'ISSUING', 'ISSUED')
				THEN o.seats ELSE 0 END`},
			{"stock_matches_order", `SELECT 'order:' || o.order_no, o.state || ', stock '
				|| coalesce(h.state, 'not held')
			FROM orders o LEFT JOIN stock_holds h USING (order_no) WHERE o.id > $1 AND o.id <= $2
			AND o.kind = 'goods' AND coalesce(h.state, '') <> CASE WHEN o.state = 'PENDING' THEN 'held'
			WHEN o.state IN ('PAID', 'ISSUING', 'ISSUED') THEN 'sold'
			WHEN o.state IN ('ISSUE_FAILED', 'REFUNDED') AND ` + revoked(`o.order_no`) + ` THEN 'sold'
			ELSE 'released' END`},
			{"codes_match_order", `SELECT 'order:' || no, state || ': ' || pieces || ' pieces, ' || given
				|| ' codes given' FROM (
			SELECT o.order_no no, o.state, h.pieces, (SELECT count(*) FROM goods_codes c
				WHERE c.order_no = o.order_no AND c.state = 'given') given
			FROM orders o JOIN stock_holds h USING (order_no) JOIN goods_skus k ON k.id = h.sku_id
			JOIN goods g ON g.id = k.goods_id AND g.type = 2 WHERE o.id > $1 AND o.id <= $2)
			AS sums WHERE given <> CASE WHEN state = 'ISSUED' OR ` + revoked(`no`) + ` THEN pieces ELSE 0 END`},
			{"recharge_is_credited", `SELECT 'order:' || o.order_no, o.state || ', credited ' || count(t.id) || ' times'
			FROM orders o LEFT JOIN ledger_txs t ON t.key = 'recharge:' || o.order_no
			WHERE o.id > $1 AND o.id <= $2 AND o.kind = 'recharge'
			GROUP BY o.id HAVING count(t.id) <> CASE WHEN o.state = 'ISSUED' THEN 1 ELSE 0 END`},
			{"order_is_watched", `SELECT 'order:' || order_no, state || ' without a task' FROM orders o
			WHERE o.id > $1 AND o.id <= $2 AND state IN ('LOCKING', 'PENDING', 'PAID', 'ISSUING')
			AND NOT EXISTS (SELECT 1 FROM tasks WHERE kind = 'order' AND subject = o.order_no)`},
		}},
		{"seats", "seat_holds", "id", verifyRows, []check{
			{"one_active_hold", `SELECT source || ':' || show_id || ':' || seat_id, 'held by order ' || order_no
				|| ' and another'
			FROM seat_holds h WHERE h.id > $1 AND h.id <= $2 AND h.state IN ('held', 'sold')
			AND EXISTS (SELECT 1 FROM seat_holds x WHERE x.source = h.source AND x.show_id = h.show_id
				AND x.seat_id = h.seat_id AND x.state IN ('held', 'sold') AND x.id < h.id)`},
		}},
	}
}

// stockChecks returns the rules of goods: codes and stock.
func stockChecks() []checkGroup {
	return []checkGroup{
		{"codes", "goods_codes", "id", verifyRows, []check{
			{"codes_are_of_an_order", `SELECT 'code:' || c.id, c.state || ' for order ' || c.order_no || ', which is '
				|| o.state
			FROM goods_codes c JOIN orders o USING (order_no) WHERE c.id > $1 AND c.id <= $2
			AND ((c.state = 'held' AND o.state NOT IN ('PENDING', 'PAID', 'ISSUING'))
			OR (c.state = 'given' AND o.state <> 'ISSUED' AND NOT (o.state IN ('ISSUE_FAILED', 'REFUNDED')
				AND ` + revoked(`o.order_no`) + `)))`},
		}},
		{"stock", "goods_skus", "id", 1, []check{ // one row in a page, because the rule counts all free codes of a row
			{"stock_matches_codes", `SELECT 'sku:' || id, 'stock ' || stock || ', free codes ' || free FROM (
			SELECT k.id, k.stock, (SELECT count(*) FROM goods_codes c WHERE c.sku_id = k.id AND c.state = 'free') free
			FROM goods_skus k JOIN goods g ON g.id = k.goods_id AND g.type = 2 WHERE k.id > $1 AND k.id <= $2)
			AS sums WHERE stock <> free`},
		}},
	}
}

// pageEnd returns a query for the key of the last of the $2 rows after the key $1. The query returns NULL if there are
// no rows.
func (g checkGroup) pageEnd() string {
	return fmt.Sprintf(`SELECT max(key) FROM (SELECT %[1]s AS key FROM %[2]s WHERE %[1]s > $1 ORDER BY %[1]s
		LIMIT $2`+planOnce+`)
		AS page`, g.key, g.table)
}

// verifyCursor is the position of a verification: the groups before group are checked, and of group itself the rows up
// to the key row. The zero value means that no verification is in progress.
type verifyCursor struct {
	group string
	row   int64
}

// allGroups returns the groups of checks. On SQLite there is one more for each table with foreign keys, and one for
// each table with indexes.
func (s *Orders) allGroups(ctx context.Context) ([]checkGroup, error) {
	foreign, err := foreignKeyGroups(ctx, s.db)
	if err != nil {
		return nil, err
	}
	integrity, err := integrityGroups(ctx, s.db)
	return slices.Concat(s.db.sql.checkGroups(), foreign, integrity), err
}

// verifyStep checks one page, and returns what it found and the cursor after the page, which is the zero cursor after
// the last group. If this release has no group with the name in the cursor, it starts from the beginning.
func (s *Orders) verifyStep(
	ctx context.Context, groups []checkGroup, at verifyCursor,
) (found []order.Discrepancy, next verifyCursor, err error) {
	i := max(0, slices.IndexFunc(groups, func(g checkGroup) bool { return g.name == at.group }))
	g := groups[i]
	if g.name != at.group {
		at = verifyCursor{}
	}
	next = at
	err = s.db.view(ctx, func(from querier) error {
		end, err := queryOne(ctx, from, scanValue[*int64], nil, g.pageEnd(), at.row, g.rows)
		if err != nil {
			return fmt.Errorf("store: verify %s: %w", g.table, err)
		}
		found = nil
		switch {
		case end != nil:
			next = verifyCursor{g.name, *end}
		case i+1 < len(groups): // the group is done
			next = verifyCursor{group: groups[i+1].name}
			return nil
		default:
			next = verifyCursor{}
			return nil
		}
		for _, c := range g.checks {
			broken, err := queryAll(ctx, from, func(row scanner) (order.Discrepancy, error) {
				d := order.Discrepancy{Check: c.name}
				return d, row.Scan(&d.Subject, &d.Detail)
			}, c.query, at.row, *end)
			if err != nil {
				return fmt.Errorf("store: check %s: %w", c.name, err)
			}
			found = append(found, broken...)
		}
		return nil
	})
	if err != nil {
		return nil, at, err
	}
	return found, next, nil
}

// Discrepancies implements order.Verifier: it checks all records, page by page.
func (s *Orders) Discrepancies(ctx context.Context) ([]order.Discrepancy, error) {
	groups, err := s.allGroups(ctx)
	if err != nil {
		return nil, err
	}
	found := []order.Discrepancy{}
	for at := (verifyCursor{group: groups[0].name}); at != (verifyCursor{}); {
		broken, next, err := s.verifyStep(ctx, groups, at)
		if err != nil {
			return nil, err
		}
		found, at = append(found, broken...), next
	}
	return found, nil
}

// VerifySome runs at most the given number of steps of the verification whose cursor is in the database, and returns
// what they found. It begins a new verification durations.Verification after the start of the last one.
func (s *Orders) VerifySome(ctx context.Context, now time.Time, steps int) ([]order.Discrepancy, error) {
	state, err := s.verification(ctx)
	if err != nil {
		return nil, err
	}
	at, found := state.cursor, []order.Discrepancy{}
	if at == (verifyCursor{}) && now.Before(state.startedAt.Add(durations.Verification)) && !now.Before(state.startedAt) {
		return found, nil
	}
	groups, err := s.allGroups(ctx)
	if err != nil {
		return nil, err
	}
	if at == (verifyCursor{}) {
		at, state.startedAt, state.foundSoFar = verifyCursor{group: groups[0].name}, now, 0
	}
	for ; steps > 0 && at != (verifyCursor{}); steps-- {
		broken, next, err := s.verifyStep(ctx, groups, at)
		if err != nil {
			return found, err
		}
		found, at = append(found, broken...), next
	}
	state.foundSoFar += len(found)
	if done := at == (verifyCursor{}); done {
		state.Found = state.foundSoFar
		if state.Found == 0 {
			state.CleanAt = now
		}
	}
	return found, s.saveVerification(ctx, state, at)
}

// verification is the row of the table verification.
type verification struct {
	order.Verification
	cursor     verifyCursor
	startedAt  time.Time
	foundSoFar int
}

func (s *Orders) verification(ctx context.Context) (verification, error) {
	scan := func(row scanner) (v verification, err error) {
		var startedAt, cleanAt int64
		err = row.Scan(&v.cursor.group, &v.cursor.row, &startedAt, &v.foundSoFar, &v.Found, &cleanAt)
		v.startedAt, v.CleanAt = fromEpoch(startedAt), fromEpoch(cleanAt)
		return v, err
	}
	list, err := queryAll(ctx, s.from, scan,
		`SELECT at_group, at_row, started_at, found_so_far, found, clean_at FROM verification`)
	if err != nil || len(list) == 0 {
		return verification{}, err
	}
	return list[0], nil
}

// saveVerification moves the cursor, unless another server has moved it.
func (s *Orders) saveVerification(ctx context.Context, v verification, to verifyCursor) error {
	return s.db.write(ctx, func(w *writeTx) error {
		_, err := w.exec(`INSERT INTO verification (id, at_group, at_row, started_at, found_so_far, found, clean_at)
			VALUES (1, $1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET
			at_group = $1, at_row = $2, started_at = $3, found_so_far = $4, found = $5, clean_at = $6
			WHERE verification.at_group = $7 AND verification.at_row = $8`,
			to.group, to.row, toEpoch(v.startedAt), v.foundSoFar, v.Found, toEpoch(v.CleanAt), v.cursor.group,
			v.cursor.row)
		return err
	})
}

// LastVerification returns the result of the last verification, or the zero value if there was none. It includes what
// the running verification has found so far.
func (s *Orders) LastVerification(ctx context.Context) (order.Verification, error) {
	v, err := s.verification(ctx)
	v.Found = max(v.Found, v.foundSoFar)
	return v.Verification, err
}

// integrityGroups returns a group for each table with row ids, whose steps read every row of a page and look it up in
// each index of the table that is neither partial nor on an expression. They replace PRAGMA integrity_check, which
// reads all tables at once: a step finds missing index entries, and a damaged page fails the read. PostgreSQL has
// checksums for pages; its extension amcheck checks indexes and needs a superuser.
func integrityGroups(ctx context.Context, s *Stores) ([]checkGroup, error) {
	if s.engine.Dialect() != SQLite {
		return nil, nil
	}
	type indexColumn struct{ table, index, column string }
	columns, err := queryAll(ctx, s, func(row scanner) (c indexColumn, err error) {
		return c, row.Scan(&c.table, &c.index, &c.column)
	}, `SELECT t.name, i.name, c.name FROM pragma_table_list t, pragma_index_list(t.name) i,
			pragma_index_info(i.name) c
		WHERE t.schema = 'main' AND t.type = 'table' AND t.wr = 0 AND t.name NOT LIKE 'sqlite_%' AND i.partial = 0
		AND NOT EXISTS (SELECT 1 FROM pragma_index_info(i.name) e WHERE e.name IS NULL) -- of an expression
		ORDER BY t.name, i.name, c.seqno`)
	if err != nil {
		return nil, err
	}
	var groups []checkGroup
	for len(columns) > 0 {
		first, n := columns[0], 0
		var match []string
		for ; n < len(columns) && columns[n].table == first.table && columns[n].index == first.index; n++ {
			match = append(match, fmt.Sprintf(`i."%[1]s" IS r."%[1]s"`, columns[n].column))
		}
		columns = columns[n:]
		// NOT INDEXED reads the row itself and INDEXED BY its entry, so that the two are compared.
		c := check{"index_has_row", fmt.Sprintf(`SELECT '%[1]s:' || r.rowid, 'is not in the index %[2]s'
			FROM %[1]s r NOT INDEXED WHERE r.rowid > $1 AND r.rowid <= $2 AND NOT EXISTS (
			SELECT 1 FROM %[1]s i INDEXED BY "%[2]s" WHERE %[3]s AND i.rowid = r.rowid)`,
			first.table, first.index, strings.Join(match, " AND "))}
		if last := len(groups) - 1; last >= 0 && groups[last].table == first.table {
			groups[last].checks = append(groups[last].checks, c)
			continue
		}
		groups = append(groups, checkGroup{"indexes of " + first.table, first.table, "rowid", verifyRows, []check{c}})
	}
	return groups, nil
}

// foreignKeyGroups returns a group for each table with foreign keys, in pages of row ids. SQLite checks foreign keys
// only on connections that enable it; PostgreSQL always does, and has no such groups. The groups replace PRAGMA
// foreign_key_check, which reads all tables at once.
func foreignKeyGroups(ctx context.Context, s *Stores) ([]checkGroup, error) {
	if s.sql.foreignKeys == "" {
		return nil, nil
	}
	type column struct {
		table, parent, from, to string
		id                      int
	}
	columns, err := queryAll(ctx, s, func(row scanner) (c column, err error) {
		return c, row.Scan(&c.table, &c.id, &c.parent, &c.from, &c.to)
	}, s.sql.foreignKeys)
	if err != nil {
		return nil, err
	}
	var groups []checkGroup
	for len(columns) > 0 {
		first, n := columns[0], 0
		var set, match []string
		for ; n < len(columns) && columns[n].table == first.table && columns[n].id == first.id; n++ {
			set = append(set, fmt.Sprintf(`c."%s" IS NOT NULL`, columns[n].from))
			match = append(match, fmt.Sprintf(`p."%s" = c."%s"`, columns[n].to, columns[n].from))
		}
		columns = columns[n:]
		c := check{"foreign_keys", fmt.Sprintf(`SELECT '%[1]s:' || c.rowid, 'points at a missing row of %[2]s'
			FROM %[1]s c
			WHERE c.rowid > $1 AND c.rowid <= $2 AND %[3]s AND NOT EXISTS (SELECT 1 FROM %[2]s p WHERE %[4]s)`,
			first.table, first.parent, strings.Join(set, " AND "), strings.Join(match, " AND "))}
		if last := len(groups) - 1; last >= 0 && groups[last].table == first.table {
			groups[last].checks = append(groups[last].checks, c)
			continue
		}
		groups = append(groups, checkGroup{"keys of " + first.table, first.table, "rowid", verifyRows, []check{c}})
	}
	return groups, nil
}
