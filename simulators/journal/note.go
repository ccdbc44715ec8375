package journal

import "context"

// Note is what a handler may say about the call it is serving. The wrapper that serves the handler turns it
// into an entry.
type Note struct {
	Operation string
	Verdict   Verdict
	Reason    string
	Fault     string
	Signature *Mismatch
	Body      []byte // the request's body, already read; not to be changed
}

type noteKey struct{}

// With returns a context that carries n.
func With(ctx context.Context, n *Note) context.Context { return context.WithValue(ctx, noteKey{}, n) }

// From is the note of the call being served; outside of one it is a throw-away.
func From(ctx context.Context) *Note {
	if n, ok := ctx.Value(noteKey{}).(*Note); ok {
		return n
	}
	return &Note{}
}

// Refuse says that the call is refused, and why. For a signature the reason holds the string that was expected
// and the string that came.
func (n *Note) Refuse(reason string) { n.Verdict, n.Reason = Refused, reason }

// AddFault says that a planned fault changed what the call did. id is the fault's, or "magic" if a magic value of the call
// stands for the fault.
func (n *Note) AddFault(id, kind string) {
	if n.Fault != "" {
		n.Fault += ", "
	}
	n.Fault += id + " " + kind
}
