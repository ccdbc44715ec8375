package store

import (
	"context"

	"marquee/server/backoffice"
	"marquee/server/beijing"
	"marquee/server/catalog"
	"marquee/server/order"
	"marquee/server/reconcile"
)

// DayTotals implements backoffice.DayTotals. Every part reads only rows of the day, by an index.
func (b *BackOffice) DayTotals(ctx context.Context, day reconcile.Day) (t backoffice.Totals, err error) {
	from, to := toEpoch(day.Start()), toEpoch(day.Add(1).Start())
	err = b.db.view(ctx, func(q querier) (err error) {
		if t.Orders, err = ordersOfDay(ctx, q, day); err != nil {
			return err
		}
		if t.Captured, err = sumsBy[order.LegKind](ctx, q, `SELECT kind, count(*), sum(captured) FROM legs
				WHERE kind = 'wx' AND captured > 0 AND captured_at >= $1 AND captured_at < $2 GROUP BY kind
			UNION ALL SELECT kind, count(*), sum(captured) FROM legs
				WHERE kind = 'card' AND captured > 0 AND captured_at >= $1 AND captured_at < $2 GROUP BY kind`,
			from, to); err != nil {
			return err
		}
		if t.Returned, err = sumsBy[order.LegKind](ctx, q, `SELECT kind, count(*), sum(amount) FROM refunds
			WHERE state = 'done' AND done_at > 0 AND done_at >= $1 AND done_at < $2 GROUP BY kind`, from, to); err != nil {
			return err
		}
		if t.ByHand, err = queryOne(ctx, q, scanSum, nil, `SELECT count(*), coalesce(sum(amount), 0) FROM refunds
			WHERE state IN ('by_hand', 'doubled') AND done_at > 0 AND done_at >= $1 AND done_at < $2`, from, to); err != nil {
			return err
		}
		if t.Spent, err = queryOne(ctx, q, scanSum, nil, `SELECT count(DISTINCT t.id), coalesce(sum(e.cp), 0)
			FROM legs l JOIN ledger_txs t ON t.key = 'commit:' || l.id || ':0'
			JOIN ledger_entries e ON e.tx_id = t.id AND e.account = 'revenue'
			WHERE l.kind = 'card' AND l.captured > 0 AND l.captured_at >= $1 AND l.captured_at < $2`, from, to); err != nil {
			return err
		}
		if t.Restored, err = queryOne(ctx, q, scanSum, nil, `SELECT count(DISTINCT t.id), coalesce(-sum(e.cp), 0)
			FROM refunds f JOIN ledger_txs t ON t.key = 'refund:' || f.leg_id || ':' || f.generation
			JOIN ledger_entries e ON e.tx_id = t.id AND e.account = 'revenue'
			WHERE f.kind = 'card' AND f.state = 'done' AND f.done_at > 0 AND f.done_at >= $1 AND f.done_at < $2`,
			from, to); err != nil {
			return err
		}
		if t.Issued, err = sumsBy[catalog.Source](ctx, q, `SELECT source, count(*), sum(total) FROM orders
			WHERE kind = 'ticket' AND state = 'ISSUED' AND source IN (1, 2) AND created_at >= $1 AND created_at < $2
			GROUP BY source`, from, to); err != nil {
			return err
		}
		if t.Statements, err = statementsOfDay(ctx, q, day); err != nil {
			return err
		}
		t.Differences, err = queryAll(ctx, q, scanDifference, `SELECT `+differenceColumns+` FROM differences
			WHERE ended_at = 0 AND day = $1 ORDER BY id`, string(day))
		return err
	})
	return t, err
}

func scanSum(row scanner) (s backoffice.Sum, err error) { return s, row.Scan(&s.Count, &s.Amount) }

// sumsBy reads rows of a key, a count and a sum.
func sumsBy[K comparable](ctx context.Context, from querier, query string, args ...any) (map[K]backoffice.Sum, error) {
	type keyed struct {
		key K
		backoffice.Sum
	}
	list, err := queryAll(ctx, from, func(row scanner) (k keyed, err error) {
		return k, row.Scan(&k.key, &k.Count, &k.Amount)
	}, query, args...)
	sums := make(map[K]backoffice.Sum, len(list))
	for _, k := range list {
		sums[k.key] = k.Sum
	}
	return sums, err
}

// ordersOfDay adds up the orders that were made on a day. It finds them by their numbers, which begin with the day
// (order.NewNo).
func ordersOfDay(ctx context.Context, from querier, day reconcile.Day) ([]backoffice.OrderTotal, error) {
	prefix := func(d reconcile.Day) string { return d.Start().In(beijing.Time).Format("060102") }
	return queryAll(ctx, from, func(row scanner) (o backoffice.OrderTotal, err error) {
		return o, row.Scan(&o.Kind, &o.State, &o.Count, &o.Amount)
	}, `SELECT kind, state, count(*), sum(total) FROM orders WHERE order_no >= $1 AND order_no < $2
		GROUP BY kind, state ORDER BY kind, state`, prefix(day), prefix(day.Add(1)))
}

// statementsOfDay adds up the rows with the state done in the current statements of a day, by kind. A statement without
// such rows has an empty map.
func statementsOfDay(
	ctx context.Context, from querier, day reconcile.Day,
) (map[reconcile.Book]map[reconcile.RowKind]backoffice.Sum, error) {
	type total struct {
		book reconcile.Book
		kind reconcile.RowKind
		backoffice.Sum
	}
	list, err := queryAll(ctx, from, func(row scanner) (t total, err error) {
		return t, row.Scan(&t.book, &t.kind, &t.Count, &t.Amount)
	}, `SELECT s.book, coalesce(r.kind, ''), count(r.kind), coalesce(sum(r.amount), 0) FROM statements s
		LEFT JOIN statement_rows r ON r.statement_id = s.id AND r.state = 'done'
		WHERE s.day = $1 AND s.is_current = TRUE GROUP BY s.book, r.kind`, string(day))
	sums := map[reconcile.Book]map[reconcile.RowKind]backoffice.Sum{}
	for _, t := range list {
		if sums[t.book] == nil {
			sums[t.book] = map[reconcile.RowKind]backoffice.Sum{}
		}
		if t.kind != "" {
			sums[t.book][t.kind] = t.Sum
		}
	}
	return sums, err
}
