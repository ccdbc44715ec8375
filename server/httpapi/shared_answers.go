package httpapi

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"time"

	"marquee/server/fault"
	"marquee/server/httpapi/wire"
)

// shared is the data of an answer that is the same for every client. The function make is called once for all requests
// that have the same path and key and arrive in the same second.
type shared struct {
	key  any // comparable
	make func() (data any, err error)
}

// share makes an operation whose answer depends only on the form and on business time in whole seconds. The handler
// gets no request, so that it cannot depend on the session or the client.
func share[In comparable, Out any](
	handler func(context.Context, In) (Out, error), faults ...*fault.Fault,
) operation {
	type key struct {
		handler string
		form    In
	}
	made := do(func(ctx context.Context, _ *request, in In) (Out, error) { return handler(ctx, in) }, faults...)
	made.handler = nameOf(handler)
	made.call = func(ctx context.Context, r *request) (any, error) {
		var in In
		if err := made.form.Decode(r.form, reflect.ValueOf(&in).Elem()); err != nil {
			return nil, err
		}
		return shared{key{made.handler, in}, func() (any, error) { return handler(ctx, in) }}, nil
	}
	return made
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
	type key struct {
		handler string
		content uint64
	}
	made := do(handler, faults...)
	made.data = reflect.TypeFor[Out]()
	read := made.call
	made.call = func(ctx context.Context, r *request) (any, error) {
		found, err := read(ctx, r)
		if err != nil {
			return nil, err
		}
		now := found.(state[Out])
		return shared{key{made.handler, now.content}, func() (any, error) { return now.present(), nil }}, nil
	}
	return made
}

const (
	// sharedLife is how long a shared answer is kept, in real time: tests freeze business time.
	sharedLife = time.Second
	// sharedAnswersKept bounds the memory of a second: the largest answers, the showings of a cinema, have some 150 kB.
	sharedAnswersKept = 512
)

// sharedAnswers encodes and compresses a shared answer once per second of business time, for all requests in that
// second. Handlers see business time in whole seconds, so another answer in the same second would be equal.
type sharedAnswers struct {
	now func() time.Time // business time

	mu   sync.Mutex
	last *answersOfSecond // the answers of the latest second with a request; nil after sharedLife
}

type answersOfSecond struct {
	second  int64 // business time
	answers map[sharedKey]*sharedAnswer
}

type sharedKey struct {
	path string
	key  any
}

// sharedAnswer is an answer that its first request makes while the others wait.
type sharedAnswer struct {
	made chan struct{} // closed when text and err are set
	text *wire.Text
	err  error
}

func newSharedAnswers(now func() time.Time) *sharedAnswers { return &sharedAnswers{now: now} }

// text returns the answer to a call with its envelope. The first request of a second makes the answer, and the others
// wait for it. Errors are not kept. After an error that concerns only the client of the first request (isOfOneClient),
// one of the waiting requests makes the answer.
func (a *sharedAnswers) text(ctx context.Context, path string, data shared) (*wire.Text, error) {
	key := sharedKey{path, data.key}
	a.mu.Lock()
	current := a.current()
	answer, found := current.answers[key]
	if !found {
		if len(current.answers) >= sharedAnswersKept {
			clear(current.answers)
		}
		answer = &sharedAnswer{made: make(chan struct{}), err: context.Canceled} // stays if data.make panics
		current.answers[key] = answer
	}
	a.mu.Unlock()
	if !found {
		defer func() {
			if answer.err != nil {
				a.mu.Lock()
				delete(current.answers, key)
				a.mu.Unlock()
			}
			close(answer.made)
		}()
		answer.text, answer.err = encodeAnswer(path, data)
		return answer.text, answer.err
	}
	select {
	case <-answer.made:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if isOfOneClient(answer.err) {
		return a.text(ctx, path, data)
	}
	return answer.text, answer.err
}

// current returns the answers of this second of business time. The caller holds mu.
func (a *sharedAnswers) current() *answersOfSecond {
	second := a.now().Unix()
	if a.last == nil || a.last.second != second {
		begun := &answersOfSecond{second, map[sharedKey]*sharedAnswer{}}
		a.last = begun
		time.AfterFunc(sharedLife, func() { a.forget(begun) })
	}
	return a.last
}

// forget frees answers, if those of another second have not replaced them already.
func (a *sharedAnswers) forget(answers *answersOfSecond) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.last == answers {
		a.last = nil
	}
}

// encodeAnswer makes the data of an answer and encodes it with the envelope of the path.
func encodeAnswer(path string, data shared) (*wire.Text, error) {
	made, err := data.make()
	if err != nil {
		return nil, err
	}
	return wire.NewJSON(wire.BackendOf(path).Success(made))
}

// isOfOneClient reports whether an error concerns only the client whose request made the answer: the client has
// disconnected, its request has timed out, or it has sent too many requests.
func isOfOneClient(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) ||
		fault.KindOf(err) == fault.Limited
}
