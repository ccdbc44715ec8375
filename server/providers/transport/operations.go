package transport

import (
	"context"
	"time"

	"marquee/server/durations"
)

// Operations bounds and observes the operations of a provider's client: its exported methods that call the provider. An
// operation may take several exchanges, such as a lock that is queried until it is settled. They share one time limit,
// so that an operation ends in time, whatever the provider does.
type Operations struct {
	Limit    time.Duration // for one operation, in real time; 0: durations.ProviderCall
	Observer Observer      // may be nil
}

// Observer is called at the end of each operation, for metrics. ctx is that of the caller, which has no limit, and err
// is the error that the caller gets.
type Observer func(ctx context.Context, operation string, start time.Time, err error)

// Within returns the limit of one operation.
func (o Operations) Within() time.Duration {
	if o.Limit == 0 {
		return durations.ProviderCall
	}
	return o.Limit
}

// Begin returns the context of an operation, and the function that ends it:
//
//	ctx, end := c.cfg.Operations.Begin(ctx, "lock")
//	defer end(&err)
func (o Operations) Begin(caller context.Context, operation string) (ctx context.Context, end func(err *error)) {
	start := time.Now()
	ctx, cancel := context.WithTimeout(caller, o.Within())
	return ctx, func(err *error) {
		cancel()
		if o.Observer != nil {
			o.Observer(caller, operation, start, *err)
		}
	}
}
