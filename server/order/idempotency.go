package order

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"golang.org/x/sync/singleflight"

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

// Deduper makes concurrent calls that carry the same key and the same request share one execution and its answer. It
// works within one server; across servers, the stored IdempotencyKey prevents a second execution.
type Deduper struct{ flights singleflight.Group }

// DedupeByKey runs do, or waits for the run of an equal call. A call without a key is always run.
func DedupeByKey[T any](d *Deduper, key string, do func() (T, error), request ...any) (T, error) {
	if key == "" {
		return do()
	}
	got, err, _ := d.flights.Do(Fingerprint(append(request, key)...), func() (any, error) { return do() })
	answer, _ := got.(T)
	return answer, err
}
