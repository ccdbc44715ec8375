package backoffice

import "time"

// Backup is the record of a backup, which the database keeps about itself.
type Backup struct {
	At      time.Time // when it was complete, business time
	Name    string    // of the file, or the operator's note about a backup that was made by other means
	Release string    // of the shop
	Bytes   int64     // size of the file
}

// Change is an entry of the audit log or of the journal of accounts, without personal data.
type Change struct {
	At        time.Time `json:"at"`                   // business time
	Record    string    `json:"record"`               // audit or journal
	What      string    `json:"what"`                 // the action, such as "order.revoked"
	RequestID string    `json:"request_id,omitempty"` // of the request that made the change
}
