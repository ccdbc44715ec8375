package ticketing

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
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
	note.Refuse(cmp.Or(refused.Reason, refused.Error()))
	note.Signature = refused.Signature
}
