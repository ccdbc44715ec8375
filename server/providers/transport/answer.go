package transport

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	jsonv2 "github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"marquee/server/fault"
)

// Envelope is the outer JSON object of every answer of a protocol.
type Envelope interface {
	// Outcome returns nil for a success, a *Refusal if the provider declines the call, and a BadAnswer if the object
	// is neither a success nor a refusal.
	Outcome(kind CallKind) error
}

// NewEnvelope makes an empty envelope of a protocol, whose payload is decoded into the value that payload points to.
type NewEnvelope func(payload any) Envelope

// Call exchanges one request and decodes the payload of the answer into the value that payload points to. It returns
// the errors of Exchange and of Decode.
func (c *Client) Call(ctx context.Context, kind CallKind, r Request, envelope NewEnvelope, payload any) error {
	body, err := c.Exchange(ctx, kind, r)
	if err != nil {
		return err
	}
	return Decode(kind, body, envelope, payload)
}

// Decode decodes an answer. It returns the fault of a refusal, with the *Refusal in its chain, and for an answer that
// is not of the protocol fault.ErrBadAnswer for a query and fault.ErrUnknown for a command.
//
// The payload is decoded together with its envelope, which takes a quarter less time than a json.RawMessage in
// between.
func Decode(kind CallKind, body []byte, envelope NewEnvelope, payload any) error {
	answer := envelope(payload)
	err := unmarshal(body, answer)
	if err == nil {
		return answer.Outcome(kind)
	}
	// A refusal is valid whatever its payload is.
	answer = envelope(new(json.RawMessage))
	if unmarshal(body, answer) == nil {
		if refusal := answer.Outcome(kind); refusal != nil {
			return refusal
		}
	}
	return kind.BadAnswer("decode answer", err)
}

// decoding are the rules of encoding/json, except that the first error ends the decoding: nothing of an answer with an
// error is used, and a second pass over the text, which looks for errors first, is not needed.
var decoding = jsonv2.JoinOptions(jsonv1.DefaultOptionsV1(), jsonv1.ReportErrorsWithLegacySemantics(false))

// unmarshal is json.Unmarshal with the decoder of encoding/json/v2, which needs half the time for a seat map and
// accepts the same texts.
func unmarshal(body []byte, v any) error { return jsonv2.Unmarshal(body, v, decoding) }

// Codes says what the refusal codes of a protocol mean. C is the type of a code.
type Codes[C comparable] struct {
	// NotDone has the codes that prove that the provider did nothing, and the fault of each.
	NotDone map[C]*fault.Fault
	// Busy has the codes that do not tell what a command did: fault.ErrUnknown. A query is fault.ErrUnavailable.
	Busy []C
	// Reload are the codes with which the provider asks for the page to be loaded anew, and ReloadFault is the fault of
	// a query that is refused with one. A command is fault.ErrUnknown.
	Reload      []C
	ReloadFault *fault.Fault
	// Unlisted is the fault of a query that is refused with any other code. A command is fault.ErrUnknown.
	Unlisted *fault.Fault
	// BuyersRead says that the provider's own text takes the place of the message of Unlisted, if it is a BuyerText.
	BuyersRead bool
}

// Refusal returns the refusal of a call with a code. message is the provider's own text: for the log, and for buyers
// where BuyersRead says so.
func (c Codes[C]) Refusal(kind CallKind, code C, message string) *Refusal[C] {
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
	return &Refusal[C]{Code: code, Message: Text(message), Fault: f}
}

// Refusal is an answer in which the provider declines a call with a code of its protocol. It wraps the fault of the
// code.
type Refusal[C comparable] struct {
	Code    C            // the provider's
	Message string       // the provider's words, for the log
	Fault   *fault.Fault // what the code means to the shop
}

// Error returns the fault, the code and the provider's text.
func (r *Refusal[C]) Error() string {
	return fmt.Sprintf("%v: provider refuses with %v %q", r.Fault, r.Code, r.Message)
}

// Unwrap returns the fault.
func (r *Refusal[C]) Unwrap() error { return r.Fault }

// RefusedWith reports whether err's chain has a refusal with one of the codes.
func RefusedWith[C comparable](err error, codes ...C) bool {
	var r *Refusal[C]
	return errors.As(err, &r) && slices.Contains(codes, r.Code)
}
