package backoffice

import (
	"fmt"
	"time"
)

// AuditEntry is a record of the audit.
type AuditEntry struct {
	At            time.Time // business time
	Actor         string    // "admin:<operator>", "user:<id>", or "system"
	What          string    // the action, such as "order.given_up"
	Subject       string    // kind and number, such as "order:260314120000000000000001"
	Before, After string    // values, or the reason of an operator
	RequestID     string    // of the request or job that made the change
}

// change returns what the entry says of its values.
func (a AuditEntry) change() string {
	switch {
	case a.Before == "":
		return a.After
	case a.After == "":
		return a.Before
	}
	return a.Before + " → " + a.After
}

// String formats the entry as one line: time, action, subject, values, actor and request id, separated by tabs.
func (a AuditEntry) String() string {
	return fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s", clock(a.At), a.What, a.Subject, a.change(), a.Actor, a.RequestID)
}
