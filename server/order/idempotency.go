package order

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"golang.org/x/sync/singleflight"

	"marquee/server/fault"
)

// IdempotencyKey is a key that a caller sent, with what was answered to it.
type IdempotencyKey struct {
	UserID   int64        // the buyer, to whom alone the key belongs
	Route    string       // the use case, for which alone the key counts
	Key      string       // as the caller sent it
	BodyHash string       // fingerprint of the request; the same key with another request is refused
	OrderNo  string       // of the order that the call made
	Fault    *fault.Fault // nil: the call succeeded, or is still running
	At       time.Time    // when it was first sent, business time
}

// Fingerprint hashes the parts of a request, so that one key cannot stand for two requests.
func Fingerprint(parts ...any) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%v\x00", p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// Deduper makes concurrent calls that carry the same key and the same request share one execution and its answer. It
// works within one server; calls on two servers meet at the stored IdempotencyKey.
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
