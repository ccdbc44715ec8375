package backoffice

import "time"

// Backup is what a database records of a backup of itself.
type Backup struct {
	At      time.Time
	Name    string // of the file, or what an operator says about a backup that was made by other means
	Release string // of the shop
	Bytes   int64
}
