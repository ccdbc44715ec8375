package sqlite

import (
	"context"

	"marquee/server/backoffice"
	"marquee/server/cards"
)

// BackOffice implements backoffice.ReadModel.
type BackOffice struct{ db *DB }

// BackOffice returns the read models of the back office.
func (db *DB) BackOffice() *BackOffice { return &BackOffice{db} }

// CardNumber returns the number of the card with the id, or cards.ErrCardNotFound.
func (b *BackOffice) CardNumber(ctx context.Context, cardID int64) (string, error) {
	scan := func(row scanner) (number string, err error) { return number, row.Scan(&number) }
	return queryOne(ctx, b.db, scan, cards.ErrCardNotFound, `SELECT number FROM cards WHERE id = ?`, cardID)
}

// OrdersToReview lists, oldest first, the orders that are stuck, the goods orders that wait for a recharge by hand, and
// the orders with a refund or a payment that the jobs have left to an operator.
func (b *BackOffice) OrdersToReview(ctx context.Context) ([]backoffice.OrderToReview, error) {
	scan := func(row scanner) (o backoffice.OrderToReview, err error) {
		return o, row.Scan(&o.No, &o.Kind, &o.State, &o.Stuck, &o.ManualRefund, &o.DisputedPayment)
	}
	return queryAll(ctx, b.db, scan, `
		SELECT order_no, kind, state, stuck, refund, disputed FROM (
			SELECT id, order_no, kind, state, stuck,
				EXISTS (SELECT 1 FROM refunds r WHERE r.order_no = o.order_no AND r.state = 'manual') refund,
				EXISTS (SELECT 1 FROM payments p WHERE p.order_no = o.order_no AND p.state = 'disputed') disputed
			FROM orders o)
		WHERE stuck = 1 OR (kind = 'goods' AND state = 'ISSUING') OR refund OR disputed ORDER BY id`)
}
