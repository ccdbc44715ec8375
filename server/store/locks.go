package store

import (
	"fmt"
	"slices"
)

// PostgreSQL runs transactions in parallel at READ COMMITTED, so a transaction locks the rows that its decision depends
// on before it reads them. To avoid deadlocks, all transactions lock in the same sequence: the order, the buyer, the
// cards by id, their lots by id, the SKU. On SQLite, which has one writer, the locking statements are empty.

// orderOfTrade, orderOfRefund and orderOfRefundNumber find an order by the number of a trade, the id of a refund, and
// the number of a refund.
const (
	orderOfTrade        = `SELECT order_no FROM legs WHERE out_trade_no = $1`
	orderOfRefund       = `SELECT order_no FROM refunds WHERE id = $1`
	orderOfRefundNumber = `SELECT order_no FROM refunds WHERE out_refund_no = $1`
)

// lockOrder locks an order with its payments, refunds and holds until the end of the transaction.
func (w *writeTx) lockOrder(no string) error { return w.lockOnce(w.db.sql.lockOrder, "order ", no) }

// lockOrderOf locks the order that the query finds, if there is one.
func (w *writeTx) lockOrderOf(query string, arg any) error {
	if w.db.sql.lockOrder == "" {
		return nil
	}
	found, err := txQueryAll(w, scanValue[string], query, arg)
	if err != nil || len(found) == 0 {
		return err
	}
	return w.lockOrder(found[0])
}

// lockUser locks a buyer's row, for rules about how many rows (orders, sessions, …) the buyer has.
func (w *writeTx) lockUser(id int64) error { return w.lockOnce(w.db.sql.lockUser, "user ", id) }

// lockCards locks the cards, by id.
func (w *writeTx) lockCards(ids []int64) error {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	for _, id := range ids {
		if err := w.lockOnce(w.db.sql.lockCard, "card ", id); err != nil {
			return err
		}
	}
	return nil
}

// lockCardWith locks the card whose column has the value, if there is one.
func (w *writeTx) lockCardWith(column string, value any) error {
	if w.db.sql.lockCard == "" {
		return nil
	}
	if id, ok := value.(int64); ok && column == "id" {
		return w.lockOnce(w.db.sql.lockCard, "card ", id)
	}
	return w.run(mustRun("lock the card with the %s", column),
		`SELECT id FROM cards WHERE `+column+` = $1`+w.db.sql.lockRow, value)
}

// lockSKU locks the stock and the codes of an SKU.
func (w *writeTx) lockSKU(id int64) error { return w.lockOnce(w.db.sql.lockSKU, "sku ", id) }

// skuOfOrder finds the SKU of an order.
const skuOfOrder = `SELECT sku_id FROM stock_holds WHERE order_no = $1`

// lockSKUOf locks the SKU that the query finds, if there is one.
func (w *writeTx) lockSKUOf(query string, arg any) error {
	if w.db.sql.lockSKU == "" {
		return nil
	}
	found, err := txQueryAll(w, scanValue[int64], query, arg)
	if err != nil || len(found) == 0 {
		return err
	}
	return w.lockSKU(found[0])
}

// lock locks a name until the end of the transaction, for rules about rows that may not exist yet.
func (w *writeTx) lock(name string) error { return w.lockOnce(w.db.sql.lockName, "name ", name) }

// lockOnce runs a locking query, unless it is empty or the transaction has run it for the key.
func (w *writeTx) lockOnce(query, kind string, key any) error {
	if query == "" {
		return nil
	}
	name := kind + fmt.Sprint(key)
	if w.locked[name] {
		return nil
	}
	if err := w.run(mustRun("lock %s", name), query, key); err != nil {
		return err
	}
	w.hasLocked(query, kind, key)
	return nil
}

// hasLocked records that a query of the transaction has already taken the lock that the given locking query takes, so
// that lockOnce need not run it.
func (w *writeTx) hasLocked(query, kind string, key any) {
	if query == "" {
		return
	}
	if w.locked == nil {
		w.locked = map[string]bool{}
	}
	w.locked[kind+fmt.Sprint(key)] = true
}
