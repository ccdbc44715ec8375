package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"marquee/server/fault"
)

// Envelope is the outer JSON object of every answer of a protocol.
type Envelope interface {
	// Outcome returns nil for a success, a *Rejection if the provider rejected the call, and a BadAnswer if the object
	// shows neither.
	Outcome(kind CallKind) error
}

// NewEnvelope returns an empty envelope of a protocol. Its payload is decoded into the value that payload points to.
type NewEnvelope func(payload any) Envelope

// Call sends one request and decodes the payload of the answer into the value that payload points to. It returns the
// errors of Exchange and of Decode.
func (c *Client) Call(ctx context.Context, kind CallKind, r Request, envelope NewEnvelope, payload any) error {
	body, err := c.Exchange(ctx, kind, r)
	if err != nil {
		return err
	}
	return Decode(kind, body, envelope, payload)
}

// Decode decodes an answer. If the provider rejected the call, it returns the *Rejection, which wraps the fault of its
// code. For an answer that does not follow the protocol it returns fault.ErrBadAnswer for a query and fault.ErrUnknown
// for a command.
func Decode(kind CallKind, body []byte, envelope NewEnvelope, payload any) error {
	answer := envelope(payload)
	err := json.Unmarshal(body, answer)
	if err == nil {
		return answer.Outcome(kind)
	}
	// A rejection may have a payload of another type: decode again without the payload.
	answer = envelope(new(json.RawMessage))
	if json.Unmarshal(body, answer) == nil {
		if rejection := answer.Outcome(kind); rejection != nil {
			return rejection
		}
	}
	return kind.BadAnswer("decode answer", err)
}

// Codes defines what the error codes of a protocol mean. C is the type of a code.
type Codes[C comparable] struct {
	// NotDone maps the codes that prove that the provider did nothing to their faults.
	NotDone map[C]*fault.Fault
	// Busy lists the codes that leave open what a command did: it fails with fault.ErrUnknown, a query with
	// fault.ErrUnavailable.
	Busy []C
	// Reload lists the codes with which the provider asks the app to reload the page. A query fails with ReloadFault, a
	// command with fault.ErrUnknown.
	Reload      []C
	ReloadFault *fault.Fault
	// Unlisted is the fault of a query that is rejected with any other code. A command fails with fault.ErrUnknown.
	Unlisted *fault.Fault
	// BuyersRead means that buyers see the provider's text of a rejected query with an unlisted code, instead of the
	// message of Unlisted, if BuyerText accepts the text.
	BuyersRead bool
}

// Rejection returns the error of a call that the provider rejected with a code. message is the provider's text, which
// goes into the log and may be shown to buyers (see BuyersRead).
func (c Codes[C]) Rejection(kind CallKind, code C, message string) *Rejection[C] {
	f, known := c.NotDone[code]
	switch {
	case known:
	case slices.Contains(c.Busy, code):
		f = kind.OutcomeUnknown(fault.ErrUnavailable)
	case slices.Contains(c.Reload, code):
		f = kind.OutcomeUnknown(c.ReloadFault)
	default:
		f = kind.OutcomeUnknown(c.Unlisted)
		if text := BuyerText(message); kind == Query && c.BuyersRead && text != "" {
			f = f.WithMessage(text)
		}
	}
	return &Rejection[C]{Code: code, Message: Text(message), Fault: f}
}

// Rejection is an answer with an error code of the provider's protocol. It wraps the fault of the code.
type Rejection[C comparable] struct {
	Code    C            // the provider's
	Message string       // the provider's text, for the log
	Fault   *fault.Fault // what the code means to the shop
}

// Error returns the fault, the code and the provider's text.
func (r *Rejection[C]) Error() string {
	return fmt.Sprintf("%v: provider rejected the call with %v %q", r.Fault, r.Code, r.Message)
}

// Unwrap returns the fault.
func (r *Rejection[C]) Unwrap() error { return r.Fault }

// ProviderCode returns the provider's code; fault.ProviderCode finds it.
func (r *Rejection[C]) ProviderCode() string { return Text(fmt.Sprint(r.Code)) }

// RejectedWith reports whether err's chain contains a Rejection with one of the codes.
func RejectedWith[C comparable](err error, codes ...C) bool {
	var r *Rejection[C]
	return errors.As(err, &r) && slices.Contains(codes, r.Code)
}
