package order

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"marquee/server/fault"
)

// IdempotencyKey is a key that a caller sent, with the answer that it got.
type IdempotencyKey struct {
	UserID   int64        // the buyer; keys of different buyers are independent
	Route    string       // the use case; keys of different use cases are independent
	Key      string       // as the caller sent it
	BodyHash string       // fingerprint of the request; the same key with another request is rejected
	OrderNo  string       // of the order that the call made
	Fault    *fault.Fault // nil: the call succeeded, or is still running
	At       time.Time    // when it was first sent, business time
}

// Fingerprint hashes the parts of a request, so that reuse of its key for another request is detected.
func Fingerprint(parts ...any) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%v\x00", p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
