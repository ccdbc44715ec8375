package catalog

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"marquee/server/fault"
)

const (
	cacheEntries = 512
	// staleLife is how long an old answer is better than none while a provider fails.
	staleLife = time.Hour
	// flightLimit ends a read that nobody may be waiting for any more.
	flightLimit = 15 * time.Second
)

// cache keeps lists for a short time. Readers of one key share one call; when the provider fails, the last good
// answer is served. Never put anything in it that decides a sale.
type cache[T any] struct {
	now    func() time.Time
	life   time.Duration
	flight singleflight.Group

	mu      sync.Mutex
	entries map[string]entry[T]
}

type entry[T any] struct {
	value T
	at    time.Time
}

func newCache[T any](now func() time.Time, life time.Duration) *cache[T] {
	return &cache[T]{now: now, life: life, entries: map[string]entry[T]{}}
}

func (c *cache[T]) get(ctx context.Context, key string, read func(context.Context) (T, error)) (T, error) {
	if v, ok := c.kept(key, c.life); ok {
		return v, nil
	}
	result := c.flight.DoChan(key, func() (any, error) {
		// One reader leaving must not fail the others.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flightLimit)
		defer cancel()
		v, err := read(ctx)
		if err == nil {
			c.keep(key, v)
		}
		return v, err
	})
	var zero T
	select {
	case <-ctx.Done():
		return zero, ctx.Err()
	case r := <-result:
		if r.Err == nil {
			return r.Val.(T), nil
		}
		if kind := fault.KindOf(r.Err); kind == fault.Unavailable || kind == fault.Unknown {
			if v, ok := c.kept(key, staleLife); ok {
				return v, nil
			}
		}
		return zero, r.Err
	}
}

// kept is false for an answer "of the future" too: a simulated clock may be set back.
func (c *cache[T]) kept(key string, life time.Duration) (T, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[key]
	age := c.now().Sub(e.at)
	return e.value, ok && age >= 0 && age < life
}

func (c *cache[T]) keep(key string, v T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.entries[key]; !known && len(c.entries) >= cacheEntries {
		c.dropOldest()
	}
	c.entries[key] = entry[T]{value: v, at: c.now()}
}

func (c *cache[T]) dropOldest() {
	var oldest string
	var at time.Time
	for k, e := range c.entries {
		if oldest == "" || e.at.Before(at) {
			oldest, at = k, e.at
		}
	}
	delete(c.entries, oldest)
}
