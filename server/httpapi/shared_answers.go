package httpapi

import (
	"context"

	"marquee/server/fault"
	"marquee/server/httpapi/wire"
)

// sharedKey is equal for requests that share an answer.
type sharedKey struct {
	operation *sharedOperation
	content   any // comparable: what the answer depends on
}

// sharedOperation identifies an operation of share or shareState by its address.
type sharedOperation byte

// share makes an operation whose answer depends only on the form and on business time in whole seconds. The handler is
// called once for all requests that have the same form and arrive in the same second. It gets no request, so that it
// cannot depend on the session or the client.
func share[In comparable, Out any](
	handler func(context.Context, In) (Out, error), faults ...*fault.Fault,
) operation {
	id := new(sharedOperation)
	return newOperation[Out](handler, func(ctx context.Context, r *request, in In) (*wire.Text, error) {
		return r.shared.Get(ctx, sharedKey{id, in}, func() (*wire.Text, error) {
			out, err := handler(ctx, in)
			if err != nil {
				return nil, err
			}
			return wire.NewJSON(r.backend.Success(out))
		})
	}, faults)
}

// state is what a handler of shareState has read.
type state[Out any] struct {
	content uint64     // a hash of everything that the answer shows
	present func() Out // makes the answer
}

// shareState makes an operation whose handler runs for each request, and whose answer is shared by the requests that
// read the same state. Requests that read different states, for example of different buyers, share nothing.
func shareState[In, Out any](
	handler func(context.Context, *request, In) (state[Out], error), faults ...*fault.Fault,
) operation {
	id := new(sharedOperation)
	return newOperation[Out](handler, func(ctx context.Context, r *request, in In) (*wire.Text, error) {
		read, err := handler(ctx, r, in)
		if err != nil {
			return nil, err
		}
		return r.shared.Get(ctx, sharedKey{id, read.content}, func() (*wire.Text, error) {
			return wire.NewJSON(r.backend.Success(read.present()))
		})
	}, faults)
}
