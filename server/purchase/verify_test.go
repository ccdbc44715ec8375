package purchase_test

import (
	"database/sql"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
)

// Every rule of Discrepancies, with a change of the database that it must detect. Order 1 is issued and paid with
// points and in the app, order 2 is refunded, order 3 is unpaid with an open payment by both.
func TestVerify_EveryRuleDetectsItsViolation(t *testing.T) {
	t.Parallel()
	drop := func(trigger, table, query string) string {
		if testsPostgres() {
			trigger += ` ON ` + table
		}
		return `DROP TRIGGER ` + trigger + `; ` + query
	}
	const (
		issued = `(SELECT order_no FROM orders ORDER BY id LIMIT 1)`
		failed = `(SELECT order_no FROM orders ORDER BY id LIMIT 1 OFFSET 1)`
		open   = `(SELECT order_no FROM orders ORDER BY id LIMIT 1 OFFSET 2)`
	)
	rules := map[string]string{
		"ledger_balanced": drop("ledger_entries_no_update", "ledger_entries",
			`UPDATE ledger_entries SET cp = cp + 1 WHERE account = 'issued'`),
		"ledger_has_entries":     `INSERT INTO ledger_txs (key, event, actor, at) VALUES ('x', 'issue', 'x', 1)`,
		"lot_matches_ledger":     `UPDATE lots SET avail = avail + 1`,
		"held_matches_open_legs": `UPDATE legs SET amount = amount + 1 WHERE kind = 'card' AND order_no = ` + open,
		"revenue_matches_legs": drop("refunds_within_capture", "refunds",
			`UPDATE refunds SET amount = amount - 1 WHERE kind = 'card'`),
		"payment_matches_legs":   `UPDATE payments SET total = total + 1`,
		"payment_matches_order":  `UPDATE orders SET total = total + 1`,
		"paid_is_captured":       `UPDATE legs SET captured = 0 WHERE order_no = ` + issued,
		"unpaid_is_not_captured": `UPDATE legs SET captured = amount WHERE order_no = ` + open,
		"paid_order_has_payment": `UPDATE payments SET state = 'closed' WHERE order_no = ` + issued,
		"unpaid_order_has_none":  `UPDATE orders SET state = 'EXPIRED' WHERE order_no = ` + open,
		"seats_match_order":      `UPDATE seat_holds SET state = 'released' WHERE order_no = ` + issued,
		"one_active_hold": `DROP INDEX seat_holds_one_active;
			UPDATE seat_holds SET seat_id = 'x', state = 'held'`,
		"refunds_within_capture": `UPDATE refunds SET amount = amount + 1`,
		"failed_is_refunded": drop("refunds_within_capture", "refunds",
			`DELETE FROM refunds WHERE kind = 'wx'`),
		"delivered_is_not_refunded":  `UPDATE orders SET state = 'ISSUED' WHERE order_no = ` + failed,
		"refunded_is_done":           `UPDATE refunds SET state = 'manual'`,
		"order_is_watched":           `DELETE FROM tasks WHERE kind = 'order'`,
		"trade_is_watched":           `DELETE FROM tasks WHERE kind = 'trade'`,
		"refund_is_watched":          `UPDATE refunds SET state = 'sending'`,
		"refund_is_not_doubled":      `UPDATE refunds SET state = 'doubled'`,
		"unknown_payment_is_watched": `UPDATE payments SET state = 'unknown' WHERE order_no = ` + open,
		"payment_is_known":           `UPDATE payments SET state = 'unknown' WHERE order_no = ` + open,
		"nothing_disputed":           `UPDATE payments SET state = 'disputed' WHERE order_no = ` + open,
		"foreign_keys": `PRAGMA defer_foreign_keys = 1;
			UPDATE legs SET payment_id = 999 WHERE order_no = ` + open,
	}
	if testsPostgres() {
		delete(rules, "foreign_keys") // PostgreSQL always enforces them, and has no such rule
	}
	for rule, tampering := range rules {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			orderPaidByBoth(t, s)
			s.runDueJobsAfter(t, 0)
			s.runDueJobsAfter(t, 3*time.Second)
			o := s.lock(t, 8, "2-1")
			require.NoError(t, s.Checkout.Trades.Capture(t.Context(),
				s.pay(t, s.openAppPayment(t, o, s.giveCard(t, 8, 1000)))))
			s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
			s.runDueJobsAfter(t, 0)
			require.Equal(t, order.Refunded, s.state(t, o))
			s.openAppPayment(t, s.lock(t, 9, "3-1"), s.giveCard(t, 9, 1000))
			s.verifyBooks(t)

			if rule == "foreign_keys" {
				s.tamperWithoutKeys(t, tampering)
			} else {
				s.tamper(t, strings.Split(tampering, ";")...)
			}
			found, err := s.db.Orders().Discrepancies(t.Context())
			require.NoError(t, err)
			names := map[string]bool{}
			for _, d := range found {
				names[d.Check] = true
				assert.NotEmpty(t, d.Subject)
				assert.NotEmpty(t, d.Detail)
			}
			assert.True(t, names[rule], "%s is not among %v", rule, found)
			inSteps, err := s.db.Orders().VerifySome(t.Context(), s.clock.Now().Add(2*time.Hour), 10_000)
			require.NoError(t, err)
			assert.Equal(t, found, inSteps, "the verification in steps finds the same")
		})
	}
}

// tamperWithoutKeys changes an SQLite database on a connection that does not enforce foreign keys.
func (s *shop) tamperWithoutKeys(t *testing.T, query string) {
	t.Helper()
	s.tampered = true
	db, err := sql.Open("sqlite", s.path)
	require.NoError(t, err)
	_, err = db.Exec(query)
	require.NoError(t, err)
	require.NoError(t, db.Close())
}
