package ops

import (
	"context"
	"fmt"
	"time"

	"marquee/server/durations"
)

// Level is the result of one check of the doctor.
type Level string

// The levels. Only Failed makes the doctor fail.
const (
	Passed  Level = "ok"
	Warning Level = "warning" // works today, but needs an operator soon
	Failed  Level = "failed"  // buyers, money or data are affected
	Skipped Level = "skipped" // cannot be checked; the text has the reason
)

// Finding is what a check has found.
type Finding struct {
	Check string `json:"check"` // name of the check
	Level Level  `json:"level"`
	Text  string `json:"text"` // for the operator
}

// Check is one check of the doctor, the command that examines a shop. Run changes nothing in the shop or at a provider.
type Check struct {
	Name string // stable, for scripts
	Asks string // the question, for the operator
	Run  func(ctx context.Context) (Level, string)
}

// checkLimit bounds one check, in real time.
const checkLimit = 15 * time.Second

// Diagnose runs checks one after the other.
func Diagnose(ctx context.Context, checks []Check) []Finding {
	var findings []Finding
	for _, c := range checks {
		limited, cancel := context.WithTimeout(ctx, checkLimit)
		level, text := c.Run(limited)
		cancel()
		findings = append(findings, Finding{c.Name, level, text})
	}
	return findings
}

// AssessSkew rates the difference between two clocks and explains the rating to the operator.
func AssessSkew(skew time.Duration) (Level, string) {
	if skew.Abs() > durations.ClockSkew {
		return Failed, fmt.Sprintf("the clocks differ by %s, at most %s is allowed: synchronise them (NTP)",
			skew.Round(time.Millisecond), durations.ClockSkew)
	}
	return Passed, fmt.Sprintf("the clocks differ by %s", skew.Round(time.Millisecond))
}

// AssessBackup rates the time since the last backup. A zero time means that there is none. The limits are the same as
// those of the alerts.
func AssessBackup(last, now time.Time) (Level, string) {
	if last.IsZero() {
		return Warning, "no backup is recorded: run shop backup FILE"
	}
	if age := now.Sub(last); age > durations.OldestBackup {
		return Failed, fmt.Sprintf("the last backup is %s old: run shop backup FILE", age.Round(time.Minute))
	}
	return Passed, "the last backup was made at " + last.UTC().Format(time.RFC3339)
}

// AssessVerification rates the last verification of all records. found is how many contradictions it found. cleanAt is
// when a verification last ended without finding any; zero if none did.
func AssessVerification(found int, cleanAt, now time.Time) (Level, string) {
	switch {
	case found > 0:
		return Failed, fmt.Sprintf("%d records contradict each other: run shop verify", found)
	case cleanAt.IsZero():
		return Warning, "no verification has finished yet: a running shop verifies its records"
	case now.Sub(cleanAt) > durations.OldestVerification:
		return Failed, "no verification has passed since " + cleanAt.UTC().Format(time.RFC3339)
	}
	return Passed, "all records agreed at " + cleanAt.UTC().Format(time.RFC3339)
}

// AssessQueue rates how long the oldest due task of a queue has been waiting. due is the number of due tasks.
func AssessQueue(queue string, due int, wait time.Duration) (Level, string) {
	if due > 0 && wait > durations.OldestTask {
		return Failed, fmt.Sprintf("%d tasks of queue %s are due, the oldest for %s: is a shop running?", due, queue,
			wait.Round(time.Second))
	}
	return Passed, "no task has waited too long"
}
