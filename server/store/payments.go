package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"marquee/server/order"
)

// Insert implements order.Payments. The statement for a leg finds the id of its payment by the order and the attempt.
func (w paymentRepo) Insert(p *order.Payment) error {
	err := w.run(mustChange(order.ErrPaymentChanged, "insert payment of %s", p.OrderNo),
		`INSERT INTO payments (order_no, attempt, state, total, created_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT DO NOTHING`, p.OrderNo, p.Attempt, string(p.State), fen(p.Total), toEpoch(p.CreatedAt))
	if err != nil {
		return err
	}
	for i := range p.Legs {
		l := &p.Legs[i]
		var captured time.Time
		if l.Captured > 0 {
			captured = p.CreatedAt
		}
		ids, err := txQueryOne(w.writeTx, scanLegIDs, nil, `INSERT INTO legs
			(payment_id, order_no, kind, title, card_id, amount, captured, captured_at, out_trade_no, openid, h5, expires_at)
			VALUES ((SELECT id FROM payments WHERE order_no = $2 AND attempt = $1),
				$2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) RETURNING payment_id, id`,
			p.Attempt, p.OrderNo, string(l.Kind), l.Title, sql.NullInt64{Int64: l.CardID, Valid: l.CardID != 0},
			fen(l.Amount), fen(l.Captured), toEpoch(captured), nullText(l.OutTradeNo), l.OpenID, l.H5, toEpoch(l.ExpiresAt))
		if err != nil {
			return fmt.Errorf("store: insert leg of %s: %w", p.OrderNo, err)
		}
		p.ID, l.ID, l.PaymentID, l.OrderNo = ids.payment, ids.leg, ids.payment, p.OrderNo
		if l.Captured > 0 {
			w.changes.Captured = append(w.changes.Captured, order.Amount{Leg: l.Kind, Fen: l.Captured})
		}
	}
	return nil
}

// legIDs are the ids of a leg and its payment.
type legIDs struct{ payment, leg int64 }

func scanLegIDs(row scanner) (ids legIDs, err error) { return ids, row.Scan(&ids.payment, &ids.leg) }

// paymentQuery reads payments with one row for each leg.
const paymentQuery = `SELECT p.id, p.order_no, p.attempt, p.state, p.total, p.created_at,
	l.id, l.kind, l.title, coalesce(l.card_id, 0), l.amount, l.captured, coalesce(l.out_trade_no, ''),
		coalesce(l.transaction_id, ''), l.openid, l.h5, l.expires_at
	FROM payments p JOIN legs l ON l.payment_id = p.id `

// scanPayment reads one row of paymentQuery as a payment with one leg.
func scanPayment(row scanner) (p order.Payment, err error) {
	var l order.Leg
	var created, expires int64
	err = row.Scan(&p.ID, &p.OrderNo, &p.Attempt, &p.State, &p.Total, &created,
		&l.ID, &l.Kind, &l.Title, &l.CardID, &l.Amount, &l.Captured, &l.OutTradeNo, &l.TransactionID, &l.OpenID,
		&l.H5, &expires)
	p.CreatedAt, l.ExpiresAt = fromEpoch(created), fromEpoch(expires)
	l.PaymentID, l.OrderNo = p.ID, p.OrderNo
	p.Legs = []order.Leg{l}
	return p, err
}

// joinLegs merges consecutive rows of the same payment into one payment with all its legs.
func joinLegs(rows []order.Payment, err error) ([]order.Payment, error) {
	out := []order.Payment{}
	for _, r := range rows {
		if n := len(out); n > 0 && out[n-1].ID == r.ID {
			out[n-1].Legs = append(out[n-1].Legs, r.Legs...)
			continue
		}
		out = append(out, r)
	}
	return out, err
}

const paymentsOfOrder = paymentQuery + `WHERE p.order_no = $1 ORDER BY p.attempt, l.id`

// OfOrder implements order.Payments.
func (w paymentRepo) OfOrder(orderNo string) ([]order.Payment, error) {
	if err := w.lockOrder(orderNo); err != nil {
		return nil, err
	}
	return joinLegs(txQueryAll(w.writeTx, scanPayment, paymentsOfOrder, orderNo))
}

// Payments implements order.Reader.
func (s *Orders) Payments(ctx context.Context, orderNo string) ([]order.Payment, error) {
	return joinLegs(queryAll(ctx, s.from, scanPayment, paymentsOfOrder, orderNo))
}

// ByTrade implements order.Payments.
func (w paymentRepo) ByTrade(outTradeNo string) (order.Payment, error) {
	if err := w.lockOrderOf(orderOfTrade, outTradeNo); err != nil {
		return order.Payment{}, err
	}
	found, err := joinLegs(txQueryAll(w.writeTx, scanPayment,
		paymentQuery+`WHERE p.id = (SELECT payment_id FROM legs WHERE out_trade_no = $1) ORDER BY l.id`, outTradeNo))
	return onlyRow(found, err, order.ErrTradeNotFound)
}

// Move implements order.Payments.
func (w paymentRepo) Move(id int64, from, to order.PaymentState) error {
	changed, err := w.exec(`UPDATE payments SET state = $1 WHERE id = $2 AND state = $3`, string(to), id, string(from))
	if w.isUnique(err) {
		return order.ErrPaymentChanged
	}
	if err != nil {
		return fmt.Errorf("store: move payment %d to %s: %w", id, to, err)
	}
	if err := requireRow(changed, order.ErrPaymentChanged); err != nil || to != order.PaymentDisputed {
		return err
	}
	disputed, err := txQueryAll(w.writeTx, scanAmount, `SELECT kind, amount FROM legs WHERE payment_id = $1 AND kind = $2`,
		id, string(order.ByApp))
	w.changes.Disputed = append(w.changes.Disputed, disputed...)
	return err
}

// CaptureLeg implements order.Payments.
func (w paymentRepo) CaptureLeg(l order.Leg, transactionID string, when time.Time) error {
	changed, err := w.exec(`UPDATE legs SET captured = amount, captured_at = $1, transaction_id = $2 WHERE id = $3
		AND captured = 0`,
		toEpoch(when), nullText(transactionID), l.ID)
	if w.isUnique(err) {
		return order.ErrNotifyRejected // one transaction of the gateway cannot pay two legs
	}
	if err != nil {
		return fmt.Errorf("store: capture leg %d: %w", l.ID, err)
	}
	if err := requireRow(changed, order.ErrPaymentChanged); err != nil {
		return err
	}
	w.changes.Captured = append(w.changes.Captured, order.Amount{Leg: l.Kind, Fen: l.Amount})
	return nil
}

func scanAmount(row scanner) (a order.Amount, err error) { return a, row.Scan(&a.Leg, &a.Fen) }

// refundColumns are the columns that scanRefund reads.
const refundColumns = `id, leg_id, order_no, kind, title, generation, amount, state, coalesce(out_refund_no, ''),
	refund_id, reason, created_at, sent_at, done_at`

func scanRefund(row scanner) (r order.Refund, err error) {
	var created, sent, done int64
	err = row.Scan(&r.ID, &r.LegID, &r.OrderNo, &r.Kind, &r.Title, &r.Generation, &r.Amount, &r.State, &r.OutRefundNo,
		&r.RefundID, &r.Reason, &created, &sent, &done)
	r.CreatedAt, r.SentAt, r.DoneAt = fromEpoch(created), fromEpoch(sent), fromEpoch(done)
	return r, err
}

// Insert implements order.Refunds.
func (w refundRepo) Insert(r *order.Refund) error {
	var err error
	r.ID, err = txQueryOne(w.writeTx, scanValue[int64], order.ErrPaymentChanged, `INSERT INTO refunds (leg_id, order_no,
		kind, title, generation, amount, state, out_refund_no, reason, created_at, sent_at, done_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT DO NOTHING RETURNING id`,
		r.LegID, r.OrderNo, string(r.Kind), r.Title, r.Generation, fen(r.Amount), string(r.State),
		nullText(r.OutRefundNo), r.Reason, toEpoch(r.CreatedAt), toEpoch(r.SentAt), toEpoch(r.DoneAt))
	if w.isRule(err, "refunds exceed what was captured") {
		return order.ErrPaymentChanged
	}
	if err != nil {
		return fmt.Errorf("store: insert refund of leg %d: %w", r.LegID, err)
	}
	w.settled(*r)
	return nil
}

// settled records the amount of a settled refund for the function that Stores.OnCommit has set. It does nothing if the
// refund is not settled. A refund of points is settled when it is inserted.
func (w refundRepo) settled(r order.Refund) {
	if r.State == order.RefundSettled {
		w.changes.Refunded = append(w.changes.Refunded, order.Amount{Leg: r.Kind, Fen: r.Amount})
	}
}

// Get implements order.Refunds.
func (w refundRepo) Get(id int64) (order.Refund, error) {
	if err := w.lockOrderOf(orderOfRefund, id); err != nil {
		return order.Refund{}, err
	}
	return txQueryOne(w.writeTx, scanRefund, order.ErrRefundNotFound,
		`SELECT `+refundColumns+` FROM refunds WHERE id = $1`, id)
}

// ByNumber implements order.Refunds.
func (w refundRepo) ByNumber(outRefundNo string) (order.Refund, error) {
	if err := w.lockOrderOf(orderOfRefundNumber, outRefundNo); err != nil {
		return order.Refund{}, err
	}
	return txQueryOne(w.writeTx, scanRefund, order.ErrRefundNotFound,
		`SELECT `+refundColumns+` FROM refunds WHERE out_refund_no = $1`, outRefundNo)
}

const refundsOfOrder = `SELECT ` + refundColumns + ` FROM refunds WHERE order_no = $1 ORDER BY id`

// OfOrder implements order.Refunds.
func (w refundRepo) OfOrder(orderNo string) ([]order.Refund, error) {
	if err := w.lockOrder(orderNo); err != nil {
		return nil, err
	}
	return txQueryAll(w.writeTx, scanRefund, refundsOfOrder, orderNo)
}

// Refunds implements order.Reader.
func (s *Orders) Refunds(ctx context.Context, orderNo string) ([]order.Refund, error) {
	return queryAll(ctx, s.from, scanRefund, refundsOfOrder, orderNo)
}

// Save implements order.Refunds.
func (w refundRepo) Save(r order.Refund, from order.RefundProgress) error {
	changed, err := w.exec(`UPDATE refunds SET state = $1, refund_id = $2, sent_at = $3, done_at = $4 WHERE id = $5
		AND state = $6`,
		string(r.State), r.RefundID, toEpoch(r.SentAt), toEpoch(r.DoneAt), r.ID, string(from))
	if err != nil {
		return fmt.Errorf("store: save refund %d: %w", r.ID, err)
	}
	if err := requireRow(changed, order.ErrPaymentChanged); err != nil {
		return err
	}
	if from != r.State {
		w.settled(r)
	}
	return nil
}
