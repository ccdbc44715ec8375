package catalog

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
	cacheEntries = 512 // lists kept by one cache
	// readTimeout limits a read that continues after the request that started it.
	readTimeout = 15 * time.Second
)

// Cache keeps answers of a provider for a short time. Requests for one key at the same time share one read. It must
// not hold anything that decides a sale: a lock reads the seat map itself.
type Cache[T any] struct {
	now         func() time.Time
	life, stale time.Duration
	flight      singleflight.Group
	entries     *lru.Cache[string, entry[T]]
	missing     *lru.Cache[string, entry[error]] // unknown keys; separate, because any client can fill it
	forgotten   atomic.Int64                     // number of calls of Forget
}

type entry[T any] struct {
	value T
	at    time.Time
}

// NewCache makes a Cache. Answers are kept for life. While the provider fails, answers are served up to the age of
// stale; 0 serves the failure.
func NewCache[T any](now func() time.Time, life, stale time.Duration) *Cache[T] {
	return newCache[T](now, life, stale, cacheEntries)
}

func newCache[T any](now func() time.Time, life, stale time.Duration, most int) *Cache[T] {
	entries, err := lru.New[string, entry[T]](most)
	if err != nil {
		panic(err) // only for a size that is not positive
	}
	missing, _ := lru.New[string, entry[error]](most) // the same size
	return &Cache[T]{now: now, life: life, stale: stale, entries: entries, missing: missing}
}

// Get returns the answer for key: the kept one while it is younger than life, and otherwise the one that read returns.
// If read fails because the provider does, Get returns the last answer up to the age of stale. An error of kind
// NotFound is kept for durations.Missing. If AllowRead returns an error, Get returns it and does not read.
func (c *Cache[T]) Get(ctx context.Context, key string, read func(context.Context) (T, error)) (T, error) {
	if v, ok := c.kept(key, c.life); ok {
		return v, nil
	}
	var zero T
	if e, ok := c.missing.Get(key); ok && c.isYounger(e.at, durations.Missing) {
		return zero, e.value
	}
	if err := AllowRead(ctx); err != nil {
		return zero, err
	}
	result := c.flight.DoChan(key, func() (any, error) {
		// Other requests wait for this read, so it must not end with the request that started it.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeout)
		defer cancel()
		forgotten := c.forgotten.Load()
		if v, ok := c.kept(key, c.life); ok { // another read has ended in between
			return v, nil
		}
		v, err := read(ctx)
		switch {
		case forgotten != c.forgotten.Load():
		case err == nil && (c.life > 0 || c.stale > 0):
			c.entries.Add(key, entry[T]{value: v, at: c.now()})
		case fault.KindOf(err) == fault.NotFound:
			c.missing.Add(key, entry[error]{value: err, at: c.now()})
		}
		return v, err
	})
	select {
	case <-ctx.Done():
		return zero, ctx.Err()
	case r := <-result:
		if r.Err == nil {
			return r.Val.(T), nil
		}
		if kind := fault.KindOf(r.Err); kind == fault.Unavailable || kind == fault.Unknown {
			if v, ok := c.kept(key, c.stale); ok {
				return v, nil
			}
		}
		return zero, r.Err
	}
}

// Forget drops the answer for key because it has changed. The result of a read that is in progress is not kept, and the
// next Get does not wait for it.
func (c *Cache[T]) Forget(key string) {
	c.forgotten.Add(1)
	c.flight.Forget(key)
	c.entries.Remove(key)
	c.missing.Remove(key)
}

// kept returns the kept answer for key unless its age is life or more. An answer with a later time does not count
// either: a simulated clock may be set back.
func (c *Cache[T]) kept(key string, life time.Duration) (T, bool) {
	e, ok := c.entries.Get(key)
	return e.value, ok && c.isYounger(e.at, life)
}

func (c *Cache[T]) isYounger(at time.Time, life time.Duration) bool {
	age := c.now().Sub(at)
	return age >= 0 && age < life
}

type readLimit struct{}

// WithReadLimit returns a context with which AllowRead calls allow.
func WithReadLimit(ctx context.Context, allow func() error) context.Context {
	return context.WithValue(ctx, readLimit{}, allow)
}

// AllowRead returns an error if this request must not read from a provider, because its client has sent too many.
func AllowRead(ctx context.Context) error {
	if allow, limited := ctx.Value(readLimit{}).(func() error); limited {
		return allow()
	}
	return nil
}
