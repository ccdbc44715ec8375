package journal

import "cmp"

// Rejection is the error with which a simulated provider answers a call. Each provider writes it in its own format.
type Rejection struct {
	Code, Message string // the provider's own
	Status        int    // HTTP; 0: the API's usual one
	Detail        any    // further part of the answer; nil: none

	Reason    string    // for the journal, instead of the message; "": the message
	Signature *Mismatch // for the journal, of a call whose signature is wrong
}

// NewRejection returns a rejection with a code and a text of the provider.
func NewRejection(code, message string) *Rejection { return &Rejection{Code: code, Message: message} }

// Error returns the code with the reason or, without one, with the message, as the journal shows it.
func (r *Rejection) Error() string { return r.Code + ": " + cmp.Or(r.Reason, r.Message) }

// Record writes the rejection into the note of the call.
func (r *Rejection) Record(n *Note) {
	n.Reject(r.Error())
	if r.Signature != nil {
		n.Signature = r.Signature
	}
}
