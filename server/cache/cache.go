// Package cache keeps answers of providers for a short time, so that the requests of many buyers cause few reads.
package cache

import (
	"context"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"

	"marquee/server/durations"
	"marquee/server/fault"
)

const (
	// readTimeout limits a read, which continues even if the request that started it ends.
	readTimeout = 15 * time.Second
	// readAgain is how soon a read that failed is repeated while an older answer is returned.
	readAgain = 5 * time.Second
)

// Cache keeps answers of a provider for a short time. Requests for one key at the same time share one read. It must
// not hold anything that decides a sale: a lock reads the seat map itself.
type Cache[T any] struct {
	now       func() time.Time
	ages      Ages
	flight    singleflight.Group
	entries   *lru.Cache[string, entry[T]]
	missing   *lru.Cache[string, entry[error]] // errors for unknown keys; separate, because any client can fill it
	forgotten atomic.Int64                     // number of calls of Forget
}

// Ages are the maximum ages of the answers that a Cache returns. The zero value keeps no answer.
type Ages struct {
	// Fresh is how old an answer may be that is returned without a read.
	Fresh time.Duration
	// Refresh is how old an answer may be that is returned at once while a read in the background replaces it. 0 means
	// that Get waits for the read.
	Refresh time.Duration
	// Stale is how old an answer may be that is returned because the read failed through the provider's fault. 0 means
	// that Get returns the error.
	Stale time.Duration
}

type entry[T any] struct {
	value  T
	at     time.Time // when the read of the value began: the value may be as old as that
	failed time.Time // when the last read after that failed; zero if none did
}

// New makes a Cache that keeps 512 answers.
func New[T any](now func() time.Time, ages Ages) *Cache[T] { return NewSized[T](now, ages, 512) }

// NewSized makes a Cache that keeps up to the given number of answers.
func NewSized[T any](now func() time.Time, ages Ages, most int) *Cache[T] {
	entries, err := lru.New[string, entry[T]](most)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	missing, _ := lru.New[string, entry[error]](most) // the same size
	return &Cache[T]{now: now, ages: ages, entries: entries, missing: missing}
}

// Get returns the answer for key: the kept one if Ages allows it, and otherwise the one that read returns. While the
// provider fails and an older answer can be returned, read is called at most once in readAgain. Get waits for that call
// only if no read has failed within Ages.Refresh. An error of kind NotFound is kept for durations.NotFoundAnswer. If
// this request must not cause a read, Get returns the error of AllowRead instead of waiting.
func (c *Cache[T]) Get(ctx context.Context, key string, read func(context.Context) (T, error)) (T, error) {
	old, found := c.entries.Get(key)
	if found && c.usable(old) {
		return old.value, nil
	}
	if found && c.refreshable(old) {
		c.read(ctx, key, read)
		return old.value, nil
	}
	var zero T
	if e, ok := c.missing.Get(key); ok && c.isYounger(e.at, durations.NotFoundAnswer) {
		return zero, e.value
	}
	if err := AllowRead(ctx); err != nil {
		return zero, err
	}
	select {
	case <-ctx.Done():
		return zero, ctx.Err()
	case r := <-c.read(ctx, key, read):
		if r.Err == nil {
			return r.Val.(T), nil
		}
		if v, ok := c.Kept(key, c.ages.Stale); ok && providerFailed(r.Err) {
			return v, nil
		}
		return zero, r.Err
	}
}

// usable reports whether an answer is returned without a read: it is fresh, or its last read has just failed.
func (c *Cache[T]) usable(e entry[T]) bool {
	return c.isYounger(e.at, c.ages.Fresh) || c.isYounger(e.at, c.ages.Stale) && c.isYounger(e.failed, readAgain)
}

// refreshable reports whether an answer is returned while a read in the background replaces it: its age is below
// Ages.Refresh, or it is younger than Ages.Stale and a read failed less than Ages.Refresh ago.
func (c *Cache[T]) refreshable(e entry[T]) bool {
	return c.isYounger(e.at, c.ages.Refresh) || c.isYounger(e.at, c.ages.Stale) && c.isYounger(e.failed, c.ages.Refresh)
}

// providerFailed reports whether err means that the provider failed. Any other error is an answer of the provider, such
// as NotFound.
func providerFailed(err error) bool {
	kind := fault.KindOf(err)
	return kind == fault.Unavailable || kind == fault.Unknown
}

// read starts a read for key, unless one is in progress, and returns the channel of its result.
func (c *Cache[T]) read(
	ctx context.Context, key string, read func(context.Context) (T, error),
) <-chan singleflight.Result {
	return c.flight.DoChan(key, func() (any, error) {
		// Other requests use this read, so it must not end with the request that started it. Further reads that this
		// read causes do not count toward the limit of that request's client either.
		ctx, cancel := context.WithTimeout(WithReadLimit(context.WithoutCancel(ctx), allowAll), readTimeout)
		defer cancel()
		forgotten := c.forgotten.Load()
		old, found := c.entries.Get(key)
		if found && c.usable(old) { // another read has just ended
			return old.value, nil
		}
		began := c.now()
		v, err := read(ctx)
		switch {
		case forgotten != c.forgotten.Load():
		case err == nil:
			if c.ages != (Ages{}) {
				c.entries.Add(key, entry[T]{value: v, at: began})
			}
		case providerFailed(err):
			if found {
				c.entries.Add(key, entry[T]{value: old.value, at: old.at, failed: c.now()})
			}
		default:
			c.entries.Remove(key)
			if fault.KindOf(err) == fault.NotFound {
				c.missing.Add(key, entry[error]{value: err, at: began})
			}
		}
		return v, err
	})
}

// Forget drops the answer for key, because what it describes has changed. The result of a read that is in progress is
// not kept, and the next Get does not wait for that read.
func (c *Cache[T]) Forget(key string) {
	c.forgotten.Add(1)
	c.flight.Forget(key)
	c.entries.Remove(key)
	c.missing.Remove(key)
}

// Kept returns the kept answer for key if it is younger than life, and causes no read. It does not return an answer
// from the future either: a simulated clock may have been set back.
func (c *Cache[T]) Kept(key string, life time.Duration) (T, bool) {
	e, ok := c.entries.Get(key)
	return e.value, ok && c.isYounger(e.at, life)
}

func (c *Cache[T]) isYounger(at time.Time, life time.Duration) bool {
	age := c.now().Sub(at)
	return age >= 0 && age < life
}

type readLimit struct{}

// WithReadLimit returns a context in which AllowRead returns the result of allow. The HTTP layer uses it to limit how
// many provider reads one client can cause.
func WithReadLimit(ctx context.Context, allow func() error) context.Context {
	return context.WithValue(ctx, readLimit{}, allow)
}

func allowAll() error { return nil }

// AllowRead returns an error if the request of ctx must not read from a provider, because its client has caused too
// many reads.
func AllowRead(ctx context.Context) error {
	if allow, limited := ctx.Value(readLimit{}).(func() error); limited {
		return allow()
	}
	return nil
}
