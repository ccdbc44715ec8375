package transport

import (
	"context"
	"time"
)

// Observer is called at the end of each operation of a client, for metrics. An operation may take several exchanges; err
// is its error. A nil Observer is not called.
type Observer func(ctx context.Context, operation string, start time.Time, err error)

// Ended calls the observer. A method defers it:
//
//	defer c.cfg.Observer.Ended(ctx, "lock", time.Now(), &err)
func (o Observer) Ended(ctx context.Context, operation string, start time.Time, err *error) {
	if o != nil {
		o(ctx, operation, start, *err)
	}
}
