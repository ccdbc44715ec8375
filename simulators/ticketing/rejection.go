package ticketing

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"marquee/simulators/journal"
)

// Rejections are the provider's answers to the errors of the box office.
type Rejections map[error]*journal.Rejection

// Of returns the rejection for an error of the box office, or busy if the provider has no code for it.
func (r Rejections) Of(err error, busy *journal.Rejection) *journal.Rejection {
	for known, rejection := range r {
		if errors.Is(err, known) {
			return rejection
		}
	}
	return &journal.Rejection{Code: busy.Code, Message: busy.Message, Reason: err.Error()}
}

// Text returns the provider's message for a planned error that sets only a code. others are the provider's rejections
// that are not in r. For an unknown code, the message is that of others[0].
func (r Rejections) Text(code string, others ...*journal.Rejection) string {
	for _, rejection := range slices.AppendSeq(slices.Clone(others), maps.Values(r)) {
		if rejection.Code == code {
			return rejection.Message
		}
	}
	return others[0].Message
}

// Encode is the JSON of a value of the providers' types. It panics if a value cannot be encoded.
func Encode(v any) []byte {
	encoded, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return encoded
}

var jsonType = []string{"application/json;charset=UTF-8"}

// Write sends an encoded answer with HTTP status 200, which both providers also use for rejections.
func Write(w http.ResponseWriter, encoded []byte) {
	w.Header()["Content-Type"] = jsonType
	w.Header()["Content-Length"] = []string{strconv.Itoa(len(encoded))}
	_, _ = w.Write(encoded)
}
