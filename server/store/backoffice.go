package store

import (
	"context"
	"fmt"
	"time"

	"marquee/server/backoffice"
	"marquee/server/cards"
)

// BackOffice implements backoffice.ReadModel.
type BackOffice struct{ db *Stores }

// BackOffice returns the read models of the back office.
func (s *Stores) BackOffice() *BackOffice { return &BackOffice{s} }

// CardNumber returns the number of the card with the id, or cards.ErrCardNotFound.
func (b *BackOffice) CardNumber(ctx context.Context, cardID int64) (string, error) {
	scan := func(row scanner) (number string, err error) { return number, row.Scan(&number) }
	return queryOne(ctx, b.db, scan, cards.ErrCardNotFound, `SELECT number FROM cards WHERE id = $1`, cardID)
}

// toReview selects the orders that need an operator, with one row for each reason, and at most $1 rows of each reason.
// All parts but refund_rejected read a partial index in the order of order_no. The partial indexes of refunds and of
// payments each cover two states. SQLite uses such an index only if the query repeats the condition of the index, so
// these parts repeat it in addition to their own condition. refund_rejected reads the oldest $1 open refunds and
// selects those whose last answer has a code of the gateway (order.AnswerOf). The other open refunds need no operator.
const toReview = `
	SELECT order_no, 'issue_stuck' AS reason FROM (SELECT order_no FROM orders WHERE stuck = TRUE
		ORDER BY order_no LIMIT $1` + planOnce + `) AS stuck
	UNION ALL SELECT order_no, 'delivery_manual' FROM (SELECT order_no FROM orders
		WHERE kind = 'goods' AND state = 'ISSUING' ORDER BY order_no LIMIT $1` + planOnce + `) AS to_deliver
	UNION ALL SELECT DISTINCT oldest.order_no, 'refund_rejected' FROM (SELECT order_no, out_refund_no FROM refunds
			WHERE state IN ('ready', 'sending', 'unknown') ORDER BY created_at LIMIT $1` + planOnce + `) AS oldest
		JOIN provider_calls c ON c.key = 'refund:' || oldest.out_refund_no
			AND c.outcome = 'refused' AND c.answer LIKE '% %'
	UNION ALL SELECT order_no, 'refund_manual' FROM (SELECT DISTINCT order_no FROM refunds
		WHERE state IN ('manual', 'doubled') AND state = 'manual'
		ORDER BY order_no LIMIT $1` + planOnce + `) AS manual
	UNION ALL SELECT order_no, 'refund_doubled' FROM (SELECT DISTINCT order_no FROM refunds
		WHERE state IN ('manual', 'doubled') AND state = 'doubled'
		ORDER BY order_no LIMIT $1` + planOnce + `) AS doubled
	UNION ALL SELECT order_no, 'payment_unknown' FROM (SELECT DISTINCT order_no FROM payments
		WHERE state IN ('unknown', 'disputed') AND state = 'unknown'
		ORDER BY order_no LIMIT $1` + planOnce + `) AS unknown_payments
	UNION ALL SELECT order_no, 'payment_disputed' FROM (SELECT DISTINCT order_no FROM payments
		WHERE state IN ('unknown', 'disputed') AND state = 'disputed'
		ORDER BY order_no LIMIT $1` + planOnce + `) AS disputed`

// The statements that read toReview and the open refunds.
const (
	reviewList = `SELECT order_no, kind, state, reason, coalesce((SELECT max(c.answer) FROM refunds r
			JOIN provider_calls c ON c.key = 'refund:' || r.out_refund_no AND c.outcome = 'refused'
			WHERE r.order_no = orders.order_no), '') FROM (` + toReview + `)
		AS review JOIN orders USING (order_no) ORDER BY order_no, reason`
	reviewCounts = `SELECT reason, count(*) FROM (` + toReview + `) AS review GROUP BY reason`
	openRefunds  = `SELECT count(*), coalesce(sum(amount), 0), coalesce(min(created_at), 0)
		FROM (SELECT amount, created_at FROM refunds WHERE state IN ('ready', 'sending', 'unknown')
		ORDER BY created_at LIMIT $1` + planOnce + `) AS oldest`
)

// OrdersToReview lists the orders that are stuck, the goods orders that wait for a recharge by hand, and the orders
// with a refund that the gateway rejects, or with a refund or a payment that the jobs have left to an operator. An
// order number starts with the time of the order, so that the oldest orders come first.
func (b *BackOffice) OrdersToReview(ctx context.Context, most int) ([]backoffice.OrderToReview, error) {
	scan := func(row scanner) (o backoffice.OrderToReview, err error) {
		o.Reasons = make([]backoffice.ReviewReason, 1)
		return o, row.Scan(&o.No, &o.Kind, &o.State, &o.Reasons[0], &o.RefundAnswer)
	}
	rows, err := queryAll(ctx, b.db, scan, reviewList, most)
	orders := []backoffice.OrderToReview{}
	for _, r := range rows {
		if n := len(orders); n > 0 && orders[n-1].No == r.No {
			orders[n-1].Reasons = append(orders[n-1].Reasons, r.Reasons...)
			continue
		}
		if len(orders) == most {
			break
		}
		orders = append(orders, r)
	}
	return orders, err
}

// CountOrdersToReview counts the orders that OrdersToReview lists, by reason, and no more than most for each reason.
func (b *BackOffice) CountOrdersToReview(ctx context.Context, most int) (map[backoffice.ReviewReason]int, error) {
	type count struct {
		reason backoffice.ReviewReason
		orders int
	}
	counts, err := queryAll(ctx, b.db, func(row scanner) (c count, err error) {
		return c, row.Scan(&c.reason, &c.orders)
	}, reviewCounts, most)
	byReason := map[backoffice.ReviewReason]int{}
	for _, c := range counts {
		byReason[c.reason] = c.orders
	}
	return byReason, err
}

// OpenRefunds sums up the refunds that the gateway has neither made nor finally rejected: the oldest ones, no more than
// most.
func (b *BackOffice) OpenRefunds(ctx context.Context, most int) (backoffice.OpenRefunds, error) {
	scan := func(row scanner) (r backoffice.OpenRefunds, err error) {
		var oldest int64
		err = row.Scan(&r.Count, &r.Amount, &oldest)
		if oldest > 0 {
			r.Oldest = time.Unix(oldest, 0)
		}
		return r, err
	}
	return queryOne(ctx, b.db, scan, nil, openRefunds, most)
}

// PepperUses implements backoffice.ReadModel. It scans entire tables.
func (b *BackOffice) PepperUses(ctx context.Context) ([]backoffice.PepperUse, error) {
	scan := func(row scanner) (u backoffice.PepperUse, err error) {
		return u, row.Scan(&u.KeyID, &u.VoucherCodes, &u.CardPasswords, &u.Coupons, &u.PaymentPasswords)
	}
	hex := func(bytes string) string { return fmt.Sprintf(b.db.sql.hexOf, bytes) }
	return queryAll(ctx, b.db, scan, `SELECT keyid, sum(codes), sum(cards), sum(coupons), sum(passwords) FROM (
		SELECT `+hex(`substr(sealed, 1, 4)`)+` AS keyid, 1 AS codes, 0 AS cards, 0 AS coupons, 0 AS passwords
		FROM goods_codes
		UNION ALL SELECT `+hex(`substr(password, 1, 4)`)+`, 0, 1, 0, 0 FROM cards WHERE merged_into IS NULL
		UNION ALL SELECT `+hex(`substr(coupon, 1, 4)`)+`, 0, 0, 1, 0 FROM cards
			WHERE merged_into IS NULL AND coupon IS NOT NULL
		UNION ALL SELECT `+b.db.sql.pepperOfHash+`, 0, 0, 0, 1 FROM users WHERE password_hash <> '') AS uses
		GROUP BY keyid ORDER BY keyid`)
}
