package backoffice

import "time"

// Backup is what a database records of a backup of itself.
type Backup struct {
	At      time.Time
	Name    string // of the file, or what an operator says about a backup that was made by other means
	Release string // of the shop
	Bytes   int64
}

// Change is a record of the audit or of the journal of accounts without anything personal.
type Change struct {
	At        time.Time `json:"at"`
	Record    string    `json:"record"` // audit or journal
	What      string    `json:"what"`
	RequestID string    `json:"request_id,omitempty"`
}
