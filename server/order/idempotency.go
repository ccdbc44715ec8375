package order

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"marquee/server/fault"
)

// IdempotencyKey records a key that a client sent with a request, and the outcome of that request. A repeated request
// with the same key gets the same order or error, and is not carried out twice.
type IdempotencyKey struct {
	UserID   int64        // the buyer; keys of different buyers are independent
	Route    string       // the name of the use case; keys of different use cases are independent
	Key      string       // as the caller sent it
	BodyHash string       // fingerprint of the request; the same key with another request is rejected
	OrderNo  string       // of the order that the request created
	Fault    *fault.Fault // nil: the request succeeded, is still running, or was not answered by the provider
	At       time.Time    // when this record was last saved, business time
}

// Fingerprint returns a hash of the parts of a request. If a key comes with another fingerprint than the recorded one,
// it was reused for another request.
func Fingerprint(parts ...any) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%v\x00", p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
