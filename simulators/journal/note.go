package journal

import "context"

// Note is what a handler records about the call that it serves. faults.Endpoint makes an Entry of it.
type Note struct {
	Operation string
	Host      string // the host name that the caller asked for, without port
	Verdict   Verdict
	Reason    string
	Fault     string
	Signature *Mismatch
	Body      []byte // the request's body, already read; not to be changed
}

type noteKey struct{}

// With returns a context that carries n.
func With(ctx context.Context, n *Note) context.Context { return context.WithValue(ctx, noteKey{}, n) }

// From returns the note of the call that is being served. Outside of a call it returns a note that is not used.
func From(ctx context.Context) *Note {
	if n, ok := ctx.Value(noteKey{}).(*Note); ok {
		return n
	}
	return &Note{}
}

// Reject records that the call is answered with an error, and why. For a signature the reason contains the expected and
// the received one. It changes nothing about a call that is not simulated, whose answer is an error of the same form.
func (n *Note) Reject(reason string) {
	if n.Verdict != NotSimulated {
		n.Verdict, n.Reason = Rejected, reason
	}
}

// NotSimulated records that the simulator does not have the call.
func (n *Note) NotSimulated(reason string) { n.Verdict, n.Reason = NotSimulated, reason }

// AddFault records that a planned fault changed the call. id is the fault's, or "magic" if a magic value of the call
// causes the fault.
func (n *Note) AddFault(id, kind string) {
	if n.Fault != "" {
		n.Fault += ", "
	}
	n.Fault += id + " " + kind
}
