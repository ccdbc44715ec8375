package backoffice

import "time"

// Backup is what a database records of a backup of itself.
type Backup struct {
	At      time.Time // when it was complete, business time
	Name    string    // of the file, or the operator's note about a backup that was made by other means
	Release string    // of the shop
	Bytes   int64     // size of the file
}

// Change is a record of the audit or of the journal of accounts without anything personal.
type Change struct {
	At        time.Time `json:"at"`                   // business time
	Record    string    `json:"record"`               // audit or journal
	What      string    `json:"what"`                 // the action, such as "order.refund"
	RequestID string    `json:"request_id,omitempty"` // of the request that made the change
}
