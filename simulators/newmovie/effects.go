package newmovie

import "marquee/simulators/script"

// effects say what the words do.
var effects = map[string]script.Effect{
	"token-expired":   script.Does("401002, and that token is gone for good"),
	"session-stopped": script.Does("sellable is false; a lock is refused with 410001"),
	"seat-taken":      script.Does("somebody buys the first seat just before: 409001, and the map shows it"),
	"price-changed":   script.Does("the lock succeeds for one yuan more than the map said"),
	"doing":           script.Does("DOING for delay_s business seconds (1), then LOCKED", "delay_s"),
	"doing-late":      script.Does("DOING for delay_s business seconds (20), then LOCKED", "delay_s"),
	"doing-refused":   script.Does("DOING, then LOCK_FAILED with message and code (409001)", "code", "message", "delay_s"),
	"doing-never":     script.Does("DOING until the hold would have run out"),
	"lock-lost":       script.Does("the hold is gone and the seats are somebody else's: 409002"),
	"issue-refused":   script.Does("ISSUE_FAILED with message; the seats are free again", "message"),
	"issue-late":      script.Does("tickets after delay_s business seconds (600)", "delay_s"),
	"issue-never":     script.Does("the tickets never come"),
}
