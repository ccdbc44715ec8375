package order

import (
	"strings"
	"time"

	"marquee/server/fault"
)

// Outcome is the outcome of a call to a provider.
type Outcome string

// The outcomes of a call.
const (
	OutcomeSent     Outcome = "sent" // no answer yet
	OutcomeOK       Outcome = "ok"
	OutcomeRejected Outcome = "refused" // the provider did not act
	OutcomeUnknown  Outcome = "unknown" // the provider may have acted
)

// Call is a call to a provider that changes something there.
type Call struct {
	Key         string // operation and our number, as in "refund:…"; the provider knows the call by the same number
	OrderNo     string
	RequestHash string    // fingerprint of the request
	At          time.Time // business time
}

// CallState is the state of a call to a provider.
type CallState struct {
	Outcome Outcome
	Tries   int       // how often it was sent
	SentAt  time.Time // when it was last sent, business time
}

// OutcomeOf classifies the error of a provider call. It also returns AnswerOf(err), or "" if err is nil.
func OutcomeOf(err error) (Outcome, string) {
	switch {
	case err == nil:
		return OutcomeOK, ""
	case fault.OutcomeKnown(err):
		return OutcomeRejected, AnswerOf(err)
	}
	return OutcomeUnknown, AnswerOf(err)
}

// AnswerOf returns what operators see of a failed call: the code of the fault and, after a space, the provider's code
// if the provider rejected the call with one.
func AnswerOf(err error) string {
	return strings.TrimSpace(fault.Of(err).Code + " " + fault.ProviderCode(err))
}

// Rejected reports whether the provider has definitely rejected a call, so that repeating it is useless.
func Rejected(err error) bool {
	if err == nil || !fault.OutcomeKnown(err) {
		return false
	}
	kind := fault.KindOf(err)
	return kind != fault.Unavailable && kind != fault.Limited
}
