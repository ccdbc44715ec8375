package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"marquee/server/backoffice"
	"marquee/server/catalog"
	"marquee/server/order"
)

// FindOrders implements backoffice.OrderSearch. Each part of the UNION reads an index. The sources 1 and 2 are those of
// ticket orders; other orders have no number at a source. The orders are read one by one: PostgreSQL overestimates how
// many numbers match, and would join them by reading all orders.
func (b *BackOffice) FindOrders(
	ctx context.Context, number, phone string, most int,
) (found []order.Order, err error) {
	err = b.db.view(ctx, func(q querier) error {
		numbers, err := queryAll(ctx, q, scanValue[string], `SELECT order_no FROM orders WHERE order_no = $1
		UNION SELECT order_no FROM orders WHERE source IN (1, 2) AND provider_no = $1
		UNION SELECT order_no FROM (SELECT order_no FROM orders WHERE tickets <> '[]'
			AND `+b.db.sql.firstTicketCode+` = $1 LIMIT $3`+planOnce+`) AS of_code
		UNION SELECT order_no FROM legs WHERE out_trade_no = $1
		UNION SELECT order_no FROM legs WHERE transaction_id = $1
		UNION SELECT order_no FROM refunds WHERE out_refund_no = $1
		UNION SELECT order_no FROM refunds WHERE refund_id <> '' AND refund_id = $1
		UNION SELECT order_no FROM (SELECT order_no FROM orders WHERE user_id = (SELECT id FROM users WHERE phone = $2)
			ORDER BY id DESC LIMIT $3`+planOnce+`) AS of_phone`, number, phone, most)
		if err != nil {
			return err
		}
		found = found[:0]
		for _, no := range numbers {
			o, err := (&Orders{b.db, q}).Order(ctx, no)
			if err != nil {
				return err
			}
			found = append(found, o)
		}
		return nil
	})
	slices.SortFunc(found, func(a, b order.Order) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), strings.Compare(b.No, a.No))
	})
	return found[:min(most, len(found))], err
}

// claimsOfShow selects the seat holds of the showing $2 of the source $1, including those that were released. Each part
// reads a partial index.
const claimsOfShow = `SELECT id, seat_id, order_no, state, changed_at FROM seat_holds
		WHERE source = $1 AND show_id = $2 AND state IN ('held', 'sold')
	UNION ALL SELECT id, seat_id, order_no, state, changed_at FROM seat_holds
		WHERE source = $1 AND show_id = $2 AND state = 'released'`

// SeatClaims implements backoffice.OrderSearch.
func (b *BackOffice) SeatClaims(
	ctx context.Context, show backoffice.Showing,
) (claims []backoffice.SeatClaim, err error) {
	scan := func(row scanner) (c backoffice.SeatClaim, err error) {
		var changed int64
		err = row.Scan(&c.SeatID, &c.Order.No, &c.State, &changed)
		c.ChangedAt = fromEpoch(changed)
		return c, err
	}
	err = b.db.view(ctx, func(q querier) error {
		_, err := queryOne(ctx, q, scanValue[int], catalog.ErrShowNotFound,
			`SELECT 1 FROM showings WHERE source = $1 AND external_id = $2`, int(show.Source), show.ID)
		if err != nil {
			return err
		}
		if claims, err = queryAll(ctx, q, scan, `SELECT seat_id, order_no, state, changed_at FROM (`+claimsOfShow+`)
			AS claims ORDER BY id`, int(show.Source), show.ID); err != nil {
			return err
		}
		orders, err := queryAll(ctx, q, scanOrder, selectOrders+`JOIN (SELECT DISTINCT order_no FROM (`+claimsOfShow+`)
			AS claims) AS claiming USING (order_no)`, int(show.Source), show.ID)
		byNo := make(map[string]order.Order, len(orders))
		for _, o := range orders {
			byNo[o.No] = o
		}
		for i := range claims {
			claims[i].Order = byNo[claims[i].Order.No]
		}
		return err
	})
	return claims, err
}
