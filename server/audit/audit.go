// Package audit names who changed what in the audit log and in the ledger of points, and checks the reasons that
// operators give. The names are stored, so they never change.
package audit

import (
	"fmt"
	"time"
)

// Log records changes inside a transaction of the store.
type Log interface {
	// Record appends one entry: the actor, the action, such as "card.bound", its subject, and the state of the subject
	// before and after.
	Record(at time.Time, actor, action, subject, before, after string) error
}

// System is the actor of what the shop does by itself.
const System = "system"

// User returns the name of a buyer.
func User(id int64) string { return fmt.Sprintf("user:%d", id) }

// Operator returns the name of an operator.
func Operator(name string) string { return "admin:" + name }

// Card returns the name of a welfare card as the subject of a change.
func Card(id int64) string { return fmt.Sprintf("card:%d", id) }

// Order returns the name of an order as the subject of a change.
func Order(no string) string { return "order:" + no }
