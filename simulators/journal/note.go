package journal

import "context"

// Note is what a handler records about the call that it serves. After the call, faults.Endpoint makes a journal Entry
// of it.
type Note struct {
	Operation string
	Host      string // the name in the Host header, without port
	Verdict   Verdict
	Reason    string
	Fault     string
	Signature *Mismatch
	Body      []byte // the entire body of the request; handlers must not change it
}

type noteKey struct{}

// With returns a context from which From returns n.
func With(ctx context.Context, n *Note) context.Context { return context.WithValue(ctx, noteKey{}, n) }

// From returns the note of the call that is being served. Outside of a call it returns a note that is not used.
func From(ctx context.Context) *Note {
	if n, ok := ctx.Value(noteKey{}).(*Note); ok {
		return n
	}
	return &Note{}
}

// Reject records that the call is answered with an error, and why. For a wrong signature the reason contains the
// expected and the received signature. Reject does nothing after NotSimulated, because a provider writes that error by
// the same code as its rejections.
func (n *Note) Reject(reason string) {
	if n.Verdict != NotSimulated {
		n.Verdict, n.Reason = Rejected, reason
	}
}

// NotSimulated records that the simulator does not have the call.
func (n *Note) NotSimulated(reason string) { n.Verdict, n.Reason = NotSimulated, reason }

// AddFault records that a fault changed the call. id is the id of the planned fault, or "magic" if a magic value in the
// call, such as a certain phone number, causes the fault.
func (n *Note) AddFault(id, kind string) {
	if n.Fault != "" {
		n.Fault += ", "
	}
	n.Fault += id + " " + kind
}
