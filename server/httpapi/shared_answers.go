package httpapi

import (
	"context"
	"time"

	"marquee/server/fault"
	"marquee/server/httpapi/wire"
)

// share makes an operation whose answer is the same for all clients: it depends only on the form, on business time in
// whole seconds, which now returns, and on public data. The handler is called once for all requests that have the same
// form and arrive in the same second. It gets no request, so that it cannot depend on the session or the client.
func share[In comparable, Out any](
	now func() time.Time, handler func(context.Context, In) (Out, error), faults ...*fault.Fault,
) operation {
	texts := wire.NewSharedTexts(now)
	return newOperation[Out](handler, func(ctx context.Context, r *request, in In) (*wire.Text, error) {
		return texts.Get(ctx, in, func() (*wire.Text, error) {
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
	now func() time.Time, handler func(context.Context, *request, In) (state[Out], error), faults ...*fault.Fault,
) operation {
	texts := wire.NewSharedTexts(now)
	return newOperation[Out](handler, func(ctx context.Context, r *request, in In) (*wire.Text, error) {
		read, err := handler(ctx, r, in)
		if err != nil {
			return nil, err
		}
		return texts.Get(ctx, read.content, func() (*wire.Text, error) {
			return wire.NewJSON(r.backend.Success(read.present()))
		})
	}, faults)
}
