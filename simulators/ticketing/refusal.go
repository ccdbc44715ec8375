package ticketing

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"marquee/simulators/journal"
)

// Refusal is an error answer of a provider.
type Refusal struct {
	Code, Msg string            // the provider's own
	Reason    string            // for the journal; "" means code and message
	Signature *journal.Mismatch // for the journal: of a call whose signature was refused
}

// Error is code and message.
func (r *Refusal) Error() string { return r.Code + " " + r.Msg }

// Refuse returns a refusal with a code and a text of the provider.
func Refuse(code, msg string) *Refusal { return &Refusal{Code: code, Msg: msg} }

// Refusals are the refusals with which a provider answers the errors of the box office.
type Refusals map[error]*Refusal

// Of returns the refusal for an error of the box office; busy for one that the provider has no code for.
func (r Refusals) Of(err error, busy *Refusal) *Refusal {
	for known, refusal := range r {
		if errors.Is(err, known) {
			return refusal
		}
	}
	return &Refusal{Code: busy.Code, Msg: busy.Msg, Reason: err.Error()}
}

// Text is the provider's text for a code that a planned error names without one. others are refusals that are no errors
// of the box office; the first one's text is that of an unknown code.
func (r Refusals) Text(code string, others ...*Refusal) string {
	for _, refusal := range slices.AppendSeq(slices.Clone(others), maps.Values(r)) {
		if refusal.Code == code {
			return refusal.Msg
		}
	}
	return others[0].Msg
}

// Encode is the JSON of a value of our own types, which always encode.
func Encode(v any) []byte {
	encoded, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return encoded
}

var jsonType = []string{"application/json;charset=UTF-8"}

// Write sends an encoded answer with HTTP status 200, which both providers use for refusals, too.
func Write(w http.ResponseWriter, encoded []byte) {
	w.Header()["Content-Type"] = jsonType
	w.Header()["Content-Length"] = []string{strconv.Itoa(len(encoded))}
	_, _ = w.Write(encoded)
}

// NoteRefusal writes a refusal into the journal's note of the call.
func NoteRefusal(note *journal.Note, refused *Refusal) {
	note.Reject(cmp.Or(refused.Reason, refused.Error()))
	note.Signature = refused.Signature
}
